package app

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/openprecedent/precedent/internal/check/manifest"
	"github.com/openprecedent/precedent/internal/check/object"
	"github.com/openprecedent/precedent/internal/sim/parts"
	"github.com/openprecedent/precedent/internal/sim/scenario"
)

// systemFiles returns the system files of the repository, replays as if they were
// one's own systems.
func systemFiles(t *testing.T) map[string][]byte {
	t.Helper()
	names := []string{"../../cmd/precedent/newsystem/system.yaml"}
	for _, pattern := range []string{"../../corpus/scenarios/*.yaml", "../serve/web/testdata/systems/*.yaml"} {
		found, err := filepath.Glob(pattern)
		if err != nil || len(found) == 0 {
			t.Fatalf("no files at %q: %v", pattern, err)
		}
		names = append(names, found...)
	}
	all := map[string][]byte{}
	for _, name := range names {
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var kept []string
		for line := range strings.Lines(string(src)) {
			if !strings.HasPrefix(line, "replays:") {
				kept = append(kept, line)
			}
		}
		all[name] = []byte(strings.Join(kept, ""))
	}
	return all
}

// TestSystemsAreReadAlike holds what checks read of system files against what the
// simulator reads: all calls, with their timeouts and tries.
func TestSystemsAreReadAlike(t *testing.T) {
	for name, src := range systemFiles(t) {
		t.Run(filepath.Base(name), func(t *testing.T) {
			f, _ := scenario.Decode(name, src, nil)
			snap := object.NewSnapshot(time.Now())
			documents, problems := manifest.Read(name, src)
			for _, d := range documents {
				c, ok := d.Content()
				if !ok {
					t.Fatal("is no system file")
				}
				c.AddTo(snap)
			}
			all, err := snap.SystemParts()
			if err != nil || len(problems) > 0 || len(all) != len(f.Parts) {
				t.Fatalf("%d parts of %d, %v, %v", len(all), len(f.Parts), err, problems)
			}
			for _, p := range all {
				part, _ := f.Parts.Named(p.Name)
				want := map[string]*parts.Call{}
				for _, port := range part.Config.Ports() {
					want[port.Name] = port.Call
				}
				for _, c := range p.Calls {
					if call := want[c.Path]; call == nil {
						t.Errorf("%s: the simulator has no call %s", p.Name, c.Path)
					} else {
						sameCall(t, p.Name, c, call)
					}
					delete(want, c.Path)
				}
				for path := range want {
					t.Errorf("%s: no call %s was read", p.Name, path)
				}
			}
		})
	}
}

func sameCall(t *testing.T, part string, c *object.SystemCall, call *parts.Call) {
	t.Helper()
	tries := 1 + float64(call.Retries)
	if call.Budget > 0 {
		tries = 1 + min(float64(call.Retries), float64(call.Budget))
	}
	if call.Breaker != nil {
		tries = 1
	}
	patience := call.Timeout
	if call.Connect > 0 {
		patience = call.Connect
	}
	if c.To == nil || c.To.Name != call.To || c.Timeout() != call.Timeout.Time().Seconds() ||
		c.Patience() != patience.Time().Seconds() || c.Tries() != tries {
		t.Errorf("%s.%s: got %v s, %v s, %v tries; want %+v", part, c.Path, c.Timeout(), c.Patience(), c.Tries(), call)
	}
}

// TestPartsThatAnswerFirst holds what checks know of kinds of parts against the kinds.
func TestPartsThatAnswerFirst(t *testing.T) {
	for _, name := range parts.KindNames() {
		k, _ := parts.KindNamed(name)
		if got, want := object.PartAnswersFirst(name), k.Stores || k.Source && k.Callable; got != want {
			t.Errorf("%s: got %v, want %v", name, got, want)
		}
	}
}

// TestBrokenSystem asks that a file with errors is not read, and said at its line.
func TestBrokenSystem(t *testing.T) {
	src := "# a stream\n---\nname: shop\nparts:\n  users: {kind: source, rate: 100, call: {to: nowhere}}\n"
	documents, _ := manifest.Read("shop.yaml", []byte(src))
	c, problems, ok := documents[0].Checked(SystemErrors)
	if !ok || len(c.Objects) > 0 || len(c.Torn) != 1 || len(problems) == 0 {
		t.Fatalf("got %+v, %v, %v", c, problems, ok)
	}
	if p := problems[0]; p.Line != 5 || !strings.Contains(p.Msg, "is not a rate") {
		t.Errorf("got %v", p)
	}
}
