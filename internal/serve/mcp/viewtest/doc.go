// Package viewtest tests the page that MCP clients show beside a replay, in a
// browser: a host of our own holds it as the specification of MCP Apps says, with
// a sandbox of another origin between them. It has tests only.
package viewtest
