package output

import (
	"bytes"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openprecedent/precedent/internal/sim/parts"
)

const partsFile = "../../doc/parts.md"

// TestPartsFile keeps doc/parts.md in step with the code; -update rewrites it.
func TestPartsFile(t *testing.T) {
	var b bytes.Buffer
	if err := Markdown(&b, PartsPage(parts.Reference())); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(partsFile, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(partsFile)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), b.String()); diff != "" {
		t.Errorf("doc/parts.md is out of step; run go test ./internal/output -run PartsFile -update (-file +code):\n%s", diff)
	}
}

// TestPartsAreDescribed asks for a sentence about every kind and every setting.
func TestPartsAreDescribed(t *testing.T) {
	var walk func(at string, fields []parts.FieldDoc)
	walk = func(at string, fields []parts.FieldDoc) {
		for _, f := range fields {
			if f.About == "" {
				t.Errorf("%s.%s says nothing about itself; give it a doc tag", at, f.Name)
			}
			walk(at+"."+f.Name, f.Fields)
		}
	}
	for _, k := range parts.Reference() {
		if k.About == "" {
			t.Errorf("the kind %s says nothing about itself", k.Name)
		}
		walk(k.Name, k.Fields)
	}
}
