//go:build race

package app

import (
	"flag"
	"os"
	"testing"
)

// TestMain leaves out what holds the schemas and readers to many files, one after the other. All
// tests run without the race detector.
func TestMain(m *testing.M) {
	flag.Parse()
	if flag.Lookup("test.run").Value.String() == "" {
		if err := flag.Set("test.skip", "^(TestSystemSchema.*|TestSystemsAreReadAlike|TestCaseSchema.*|TestFarQueriesAreTold|TestCloseQueriesAreNot|TestMessageFindsItsCase)$"); err != nil {
			panic(err)
		}
	}
	os.Exit(m.Run())
}
