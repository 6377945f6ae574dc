package rule_test

import (
	"bytes"
	"os"
	"path"
	"testing"

	"github.com/openprecedent/precedent/internal/check/rule"
	"github.com/openprecedent/precedent/internal/strictyaml"
)

// TestCorpus compiles every check of the public library, and tries its examples.
func TestCorpus(t *testing.T) {
	const root = "../../../corpus"
	names, err := strictyaml.Files(os.DirFS(root), "checks")
	if err != nil || len(names) == 0 {
		t.Fatalf("reading the checks: %d, %v", len(names), err)
	}
	for _, name := range names {
		t.Run(path.Base(name), func(t *testing.T) {
			t.Parallel()
			src, err := os.ReadFile(path.Join(root, name))
			if err != nil {
				t.Fatal(err)
			}
			r, problems := rule.Compile(name, src, nil)
			if len(problems) == 0 {
				problems = r.Prove(t.Context(), name, src)
			}
			for _, p := range problems {
				t.Error(p)
			}
			formatted, _ := strictyaml.Format(name, src, &rule.File{})
			if !bytes.Equal(formatted, src) {
				t.Errorf("%s is not in canonical formatting; run precedent fmt corpus/checks/%s", name, path.Base(name))
			}
			if want := r.ID + ".yaml"; path.Base(name) != want {
				t.Errorf("the file %s holds the check %s", name, r.ID)
			}
		})
	}
}
