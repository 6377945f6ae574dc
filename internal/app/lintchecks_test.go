package app_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/openprecedent/precedent/corpus"
	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/library"
)

// TestLintChecksOfCopies tries the examples of a copy of a check, and leaves the files of
// the known library alone.
func TestLintChecksOfCopies(t *testing.T) {
	text, err := corpus.FS.ReadFile("checks/CK-409.yaml")
	if err != nil {
		t.Fatal(err)
	}
	wrong := []byte(strings.Replace(string(text), "outcome: clear", "outcome: exposed", 1))
	public := fstest.MapFS{"checks/CK-409.yaml": {Data: wrong}}
	for _, dir := range []string{"vocab", "cases"} {
		entries, err := corpus.FS.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			data, err := corpus.FS.ReadFile(dir + "/" + e.Name())
			if err != nil {
				t.Fatal(err)
			}
			public[dir+"/"+e.Name()] = &fstest.MapFile{Data: data}
		}
	}
	base := library.Layer{Name: library.Public, FS: public}
	known, problems := library.Load(base)
	if known == nil {
		t.Fatal(problems)
	}
	if found := app.LintChecks(t.Context(), known, known); len(found) > 0 {
		t.Errorf("the known library itself: %v", found)
	}
	copied, problems := library.Load(base, library.Layer{Name: "own", FS: fstest.MapFS{"checks/CK-409.yaml": {Data: wrong}}})
	if copied == nil {
		t.Fatal(problems)
	}
	if found := app.LintChecks(t.Context(), copied, known); len(found) == 0 {
		t.Error("the examples of a copy were not tried")
	}
}
