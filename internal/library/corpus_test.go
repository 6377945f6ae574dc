package library_test

import (
	"bytes"
	"io/fs"
	"os"
	"path"
	"reflect"
	"testing"

	"github.com/openprecedent/precedent/corpus"
	"github.com/openprecedent/precedent/internal/library"
	"github.com/openprecedent/precedent/internal/library/casefile"
	"github.com/openprecedent/precedent/internal/library/vocab"
	"github.com/openprecedent/precedent/internal/strictyaml"
)

// TestCorpus holds every file of the public library to the rules of lint and
// to the canonical formatting, a subtest a file.
func TestCorpus(t *testing.T) {
	_, problems := library.Load(library.Layer{Name: "public", FS: corpus.FS})
	byFile := map[string]strictyaml.Problems{}
	for _, p := range problems {
		byFile[p.File] = append(byFile[p.File], p)
	}
	names, err := fs.Glob(corpus.FS, "*/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			for _, p := range byFile[name] {
				t.Error(p)
			}
			src, err := fs.ReadFile(corpus.FS, name)
			if err != nil {
				t.Fatal(err)
			}
			formatted, _ := format(name, src)
			if !bytes.Equal(src, formatted) {
				t.Errorf("%s is not in canonical formatting; run precedent fmt corpus", name)
			}
		})
		delete(byFile, name)
	}
	for name, rest := range byFile {
		t.Errorf("problems of a file that is not in the corpus, %s: %v", name, rest)
	}
}

func format(name string, src []byte) ([]byte, strictyaml.Problems) {
	switch path.Dir(name) {
	case vocab.Dir:
		return strictyaml.Format(name, src, &vocab.List{})
	case library.ExcludedDir:
		return strictyaml.Format(name, src, &library.Excluded{})
	case library.ScenarioDir, library.CheckDir:
		return src, nil // which others read, and nobody formats
	}
	return casefile.Format(name, src)
}

// TestExcludedCandidatesAreNotCases keeps the list of excluded candidates from
// outliving the reason: a candidate that became a case leaves it.
func TestExcludedCandidatesAreNotCases(t *testing.T) {
	lib, problems := library.Load(library.Layer{Name: "public", FS: corpus.FS})
	if lib == nil {
		t.Fatal(problems)
	}
	for _, e := range lib.Excluded {
		for _, id := range e.IDs {
			if _, ok := lib.Case(id); ok {
				t.Errorf("%s is a case and is also excluded as %q", id, e.Candidate)
			}
		}
	}
}

// TestFormatPageNamesTheOtherFiles holds doc/case-format.md, in both languages,
// in step with the files of a library beside its cases.
func TestFormatPageNamesTheOtherFiles(t *testing.T) {
	for _, file := range []string{"doc/case-format.md", "doc/case-format.ko.md"} {
		page, err := os.ReadFile("../../" + file)
		if err != nil {
			t.Fatal(err)
		}
		for _, typ := range []reflect.Type{
			reflect.TypeFor[library.Config](), reflect.TypeFor[library.Excluded](),
			reflect.TypeFor[vocab.List](), reflect.TypeFor[vocab.Term](),
		} {
			for _, name := range strictyaml.Fields(typ) {
				if !bytes.Contains(page, []byte(name)) {
					t.Errorf("%s does not name the field %q of %s", file, name, typ)
				}
			}
		}
	}
}
