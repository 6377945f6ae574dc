package files_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/openprecedent/precedent/internal/check/manifest"
	"github.com/openprecedent/precedent/internal/check/object"
	"github.com/openprecedent/precedent/internal/check/source/files"
)

// TestLinks asks that each file is read once, by whatever name it is found, and that a
// folder which is not followed is said to be missing.
func TestLinks(t *testing.T) {
	root := t.TempDir()
	write := func(name string) {
		t.Helper()
		file := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		text := "apiVersion: v1\nkind: Service\nmetadata: {name: " + strings.TrimSuffix(filepath.Base(name), ".yaml") + "}\n"
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	link := func(to, name string) {
		t.Helper()
		if err := os.Symlink(to, filepath.Join(root, name)); err != nil {
			t.Skip(err)
		}
	}
	write("deploy/a.yaml")
	write("deploy/sub/b.yaml")
	write("other/c.yaml")
	link("a.yaml", "deploy/again.yaml")
	link("../deploy", "deploy/round")
	link("self.yaml", "deploy/self.yaml")
	link("deploy", "current")
	write("linked/d.yaml")
	link("../other", "linked/other")

	const elsewhere, nowhere = "link to a folder elsewhere", "self.yaml"
	for _, tt := range []struct {
		paths    string
		objects  int
		problems []string
	}{
		{"deploy", 2, []string{nowhere}},
		{"current", 2, []string{nowhere}},
		{"deploy current deploy/a.yaml", 2, []string{nowhere, nowhere}},
		{"linked", 1, []string{elsewhere}},
		{"linked other", 2, nil},
		{"linked/d.yaml linked/d.yaml", 1, nil},
	} {
		t.Run(tt.paths, func(t *testing.T) {
			var paths []string
			for _, p := range strings.Fields(tt.paths) {
				paths = append(paths, filepath.Join(root, p))
			}
			snap := object.NewSnapshot(time.Unix(0, 0))
			report, err := files.Read(t.Context(), snap, paths, nil, func(string, []byte) []manifest.Problem { return nil })
			if err != nil {
				t.Fatal(err)
			}
			if report.Objects != tt.objects {
				t.Errorf("got %d objects, want %d", report.Objects, tt.objects)
			}
			if len(report.Problems) != len(tt.problems) {
				t.Fatalf("got %v, want %q", report.Problems, tt.problems)
			}
			for i, p := range report.Problems {
				if !strings.Contains(p.Error(), tt.problems[i]) || !strings.HasPrefix(p.Source, paths[0]) && !strings.HasPrefix(p.Source, paths[min(1, len(paths)-1)]) {
					t.Errorf("got %v, want one about %q", p, tt.problems[i])
				}
			}
		})
	}
}
