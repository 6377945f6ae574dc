package verdict

import (
	"testing"

	"github.com/openprecedent/precedent/internal/testrace"
)

// TestMain leaves out the tests of numbers, which run nothing side by side that
// those that are left do not.
func TestMain(m *testing.M) {
	testrace.Only(m, "TestSameOnAnyNumberOfWorkers", "TestCancelled", "TestWords",
		"TestUndecided", "TestAllStuck")
}
