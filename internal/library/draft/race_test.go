//go:build race

package draft

import (
	"flag"
	"os"
	"testing"
)

// TestMain leaves out the largest texts: a draft is made on one goroutine. All
// tests run without the race detector.
func TestMain(m *testing.M) {
	flag.Parse()
	if flag.Lookup("test.run").Value.String() == "" {
		if err := flag.Set("test.skip", "^(TestRefused|TestManySections|TestEveryWord.*|TestPagesAreBounded)$"); err != nil {
			panic(err)
		}
	}
	os.Exit(m.Run())
}
