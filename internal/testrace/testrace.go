// Package testrace leaves tests out where the race detector runs, under which
// they take minutes and in which it can see nothing: those that run on one
// goroutine. All tests run without it.
package testrace

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
)

// Skip runs the tests of a package and ends the program. Where the race detector
// runs, it leaves out those with the given names, which are regular expressions.
func Skip(m *testing.M, names ...string) { run(m, "test.skip", names) }

// Only runs the tests of a package and ends the program. Where the race detector
// runs, those with the given names alone are run.
func Only(m *testing.M, names ...string) { run(m, "test.run", names) }

// run sets a flag of the test binary, unless tests were named on its command line.
func run(m *testing.M, name string, tests []string) {
	flag.Parse()
	if Enabled && flag.Lookup("test.run").Value.String() == "" {
		if err := flag.Set(name, "^("+strings.Join(tests, "|")+")$"); err != nil {
			panic(fmt.Sprintf("testrace: choosing tests: %v", err))
		}
	}
	os.Exit(m.Run())
}
