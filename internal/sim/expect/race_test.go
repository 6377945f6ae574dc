package expect

import (
	"testing"

	"github.com/openprecedent/precedent/internal/testrace"
)

// TestMain leaves out the tests that run long scenarios, each on one goroutine.
func TestMain(m *testing.M) {
	testrace.Skip(m, "TestCorpusScenarios", "TestReplays", "TestIncidents")
}
