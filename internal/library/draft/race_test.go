package draft

import (
	"testing"

	"github.com/openprecedent/precedent/internal/testrace"
)

// TestMain leaves out the largest texts: a draft is made on one goroutine.
func TestMain(m *testing.M) {
	testrace.Skip(m, "TestRefused", "TestManySections", "TestEveryWord.*", "TestPagesAreBounded")
}
