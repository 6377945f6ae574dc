package web

import (
	"testing"

	"github.com/openprecedent/precedent/internal/testrace"
)

// TestMain leaves out the reading of every page, one after the other.
func TestMain(m *testing.M) {
	testrace.Skip(m, "TestEveryPage")
}
