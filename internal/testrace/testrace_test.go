package testrace

import (
	"flag"
	"testing"
)

func TestMain(m *testing.M) { Skip(m, "TestLeft.*") }

func TestLeftOut(t *testing.T) {
	if Enabled && flag.Lookup("test.run").Value.String() == "" {
		t.Error("runs with the race detector")
	}
}
