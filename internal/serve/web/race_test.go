//go:build race

package web

import (
	"flag"
	"os"
	"testing"
)

// raced says that the race detector runs, under which a search for the smallest
// trigger, or for remedies, takes longer than the server allows it.
const raced = true

// TestMain leaves out the reading of every page, one after the other. All
// tests run without the race detector.
func TestMain(m *testing.M) {
	flag.Parse()
	if flag.Lookup("test.run").Value.String() == "" {
		if err := flag.Set("test.skip", "^(TestEveryPage)$"); err != nil {
			panic(err)
		}
	}
	os.Exit(m.Run())
}
