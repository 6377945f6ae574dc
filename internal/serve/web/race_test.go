//go:build race

package web

// raced says that the race detector runs, under which a search for the smallest
// trigger takes longer than the server allows it.
const raced = true
