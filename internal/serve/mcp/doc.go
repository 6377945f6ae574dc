// Package mcp is the face of precedent for coding agents: a server of the
// Model Context Protocol, over HTTP and over standard input and output.
//
// It decodes arguments, asks package app, and writes each answer twice: as
// compact Markdown (content) and as the wire form in one language
// (structuredContent). Clients differ in which of the two they show to the
// model, so each is complete alone. No answer is longer than [budget], since
// clients refuse or cut what is longer; what does not fit is paged, and the
// answer says how to get the rest.
//
// The server keeps no state between requests, so any instance can answer any
// request.
package mcp
