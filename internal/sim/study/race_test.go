package study

import (
	"testing"

	"github.com/openprecedent/precedent/internal/testrace"
)

// TestMain leaves out the searches, which run on one goroutine.
func TestMain(m *testing.M) {
	testrace.Skip(m, "TestExplore.*")
}
