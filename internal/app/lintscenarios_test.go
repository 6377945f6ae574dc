package app

import (
	"bytes"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/openprecedent/precedent/internal/library"
)

// TestLintScenarios breaks a scenario of the corpus in the ways in which files
// go wrong.
func TestLintScenarios(t *testing.T) {
	src, err := os.ReadFile("../../corpus/scenarios/IL-0574.yaml")
	if err != nil {
		t.Fatal(err)
	}
	recording, err := os.ReadFile("../../corpus/recordings/IL-0574.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ name, old, new, want string }{
		{"as it is", "", "", ""},
		{"unknown kind", "kind: server", "kind: servr", `no kind of part is named "servr"`},
		{"unknown field", "replays:", "replay:", "replay"},
		{"another state", "replays:", "# a remark\nreplays:", "stale-recording"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			changed := bytes.Replace(src, []byte(tt.old), []byte(tt.new), 1)
			layer := library.Layer{Name: "inc", FS: fstest.MapFS{
				"scenarios/IL-0574.yaml":  {Data: changed},
				"recordings/IL-0574.json": {Data: recording},
			}}
			var lines []string
			for _, p := range LintScenarios(layer) {
				lines = append(lines, p.String())
				if p.File != "inc/scenarios/IL-0574.yaml" || p.Line == 0 || p.Col == 0 {
					t.Errorf("%v has no place", p)
				}
			}
			all := strings.Join(lines, "\n")
			if tt.want == "" && all != "" || !strings.Contains(all, tt.want) {
				t.Errorf("%q, want %q", all, tt.want)
			}
		})
	}
	stray := library.Layer{Name: "inc", FS: fstest.MapFS{"recordings/x.json": {Data: recording}}}
	if all := LintScenarios(stray); len(all) != 1 || all[0].Rule != "stray-recording" || all[0].File != "inc/recordings/x.json" {
		t.Errorf("a recording without a scenario: %v", all)
	}
}
