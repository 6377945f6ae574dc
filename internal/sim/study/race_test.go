//go:build race

package study

import (
	"flag"
	"os"
	"testing"
)

// TestMain leaves out the searches, which run on one goroutine. All tests run
// without the race detector.
func TestMain(m *testing.M) {
	flag.Parse()
	if flag.Lookup("test.run").Value.String() == "" {
		if err := flag.Set("test.skip", "^(TestExplore.*)$"); err != nil {
			panic(err)
		}
	}
	os.Exit(m.Run())
}
