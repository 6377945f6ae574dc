package app

import (
	"testing"

	"github.com/openprecedent/precedent/internal/testrace"
)

// TestMain leaves out what holds the schemas and readers to many files, one after
// the other.
func TestMain(m *testing.M) {
	testrace.Skip(m, "TestSystemSchema.*", "TestSystemsAreReadAlike", "TestCaseSchema.*",
		"TestFarQueriesAreTold", "TestCloseQueriesAreNot", "TestMessageFindsItsCase")
}
