package parts

import (
	"testing"

	"github.com/openprecedent/precedent/internal/testrace"
)

// TestMain leaves out what the race detector sees nothing in but the seconds: a
// system runs on one goroutine. What is left runs systems side by side, which would
// show a state that they share.
func TestMain(m *testing.M) {
	testrace.Only(m, "TestLoads", "TestWorkflowRate", "TestProfileSame")
}
