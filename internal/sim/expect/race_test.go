//go:build race

package expect

import (
	"flag"
	"os"
	"testing"
)

// TestMain leaves out the tests that run long scenarios, each on one goroutine. All
// tests run without the race detector.
func TestMain(m *testing.M) {
	flag.Parse()
	if flag.Lookup("test.run").Value.String() == "" {
		if err := flag.Set("test.skip", "^(TestCorpusScenarios|TestReplays|TestIncidents)$"); err != nil {
			panic(err)
		}
	}
	os.Exit(m.Run())
}
