//go:build race

package parts

import (
	"flag"
	"os"
	"testing"
)

// TestMain leaves out what the race detector sees nothing in but the seconds: a
// system runs on one goroutine. What is left runs systems side by side, which would
// show a state that they share. All tests run without the detector.
func TestMain(m *testing.M) {
	flag.Parse()
	if flag.Lookup("test.run").Value.String() == "" {
		if err := flag.Set("test.run", "^(TestLoads|TestWorkflowRate|TestProfileSame)$"); err != nil {
			panic(err)
		}
	}
	os.Exit(m.Run())
}
