package output

import (
	"bytes"
	"maps"
	"os"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/sim/parts"
)

// TestPartsFile keeps doc/parts.md and doc/parts.ko.md in step with the code;
// -update rewrites them.
func TestPartsFile(t *testing.T) {
	for file, l := range map[string]bilingual.Lang{"parts.md": bilingual.English, "parts.ko.md": bilingual.Korean} {
		var b bytes.Buffer
		if err := Markdown(&b, PartsPage(parts.Reference(), l)); err != nil {
			t.Fatal(err)
		}
		if *update {
			if err := os.WriteFile("../../doc/"+file, b.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile("../../doc/" + file)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), b.String()); diff != "" {
			t.Errorf("doc/%s is out of step; run go test ./internal/output -run PartsFile -update (-file +code):\n%s", file, diff)
		}
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

// TestPartsHaveKorean holds partsko.txt to what the kinds say in English: a line
// for each text, and none for another.
func TestPartsHaveKorean(t *testing.T) {
	said := map[string]bool{}
	var walk func(fields []parts.FieldDoc)
	walk = func(fields []parts.FieldDoc) {
		for _, f := range fields {
			said[f.About] = true
			if f.Words == nil {
				said[f.Value] = true
			}
			walk(f.Fields)
		}
	}
	for _, k := range parts.Reference() {
		said[k.About] = true
		walk(k.Fields)
	}
	for _, en := range slices.Sorted(maps.Keys(said)) {
		if ko := PartsText(en, bilingual.Korean); en != "" && (ko == "" || ko == en) {
			t.Errorf("partsko.txt has no Korean of %q; add the line, the Korean one and an empty one", en)
		}
	}
	for _, en := range slices.Sorted(maps.Keys(partsKorean())) {
		if !said[en] {
			t.Errorf("partsko.txt has %q, which no kind of part says; delete it", en)
		}
	}
}
