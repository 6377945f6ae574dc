// Precedent is an incident library that runs: it searches, shows and compares
// published outages in a terminal, and serves them as a site, a JSON API and
// an MCP server.
//
// Exit codes, the same for every subcommand:
//
//	0  done, nothing to complain about
//	1  something went wrong that is not the user's doing
//	2  the command line, a query or a name given on it is wrong
//	3  the files that were looked at have findings, or what they expect does not hold
//	4  what was to be checked could not all be read, and no finding was reached in the rest
//	130  an interrupt ended it; what was known by then was printed
//
// Environment: NO_COLOR turns colours off; PRECEDENT_LIBRARY names folders of
// private libraries, separated as in PATH, that are layered before those given
// with --library; PRECEDENT_LANG (or LC_ALL, LC_MESSAGES, LANG) chooses the
// language of texts, en or ko.
package main
