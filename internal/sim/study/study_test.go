package study

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/openprecedent/precedent/internal/sim/verdict"
	"github.com/openprecedent/precedent/internal/strictyaml"
)

func TestParseAxis(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"load=10/s..60/s:6", "load: 10/s 20/s 30/s 40/s 50/s 60/s"},
		{"load=10..30/s:3", "load: 10/s 20/s 30/s"},
		{"users.call.retries=0..4", "users.call.retries: 0 1 2 3 4"},
		{"retries=0..10:3", "retries: 0 5 10"},
		{"retries=1..3:9", "retries: 1 2 3"},
		{"hit=0.5..0.9:3", "hit: 0.5 0.7 0.9"},
		{"load=1/s..1000/s:4:log", "load: 1/s 10/s 100/s 1000/s"},
		{"load=1/s..10000/s:2", "load: 1/s 10000/s"},
		{"timeout=100ms..200ms:3", "timeout: 100ms 150ms 200ms"},
		{"work=exp 10ms,20ms", "work: exp 10ms 20ms"},
		{"load", ""}, {"=1..2", ""}, {"load=", ""}, {"load=5/s..1/s", ""}, {"load=1/s..2/min", ""},
		{"load=a..b", ""}, {"load=1/s..2/s:1", ""}, {"load=1/s..2/s:x", ""}, {"load=0/s..2/s:3:log", ""},
		{"load=1/s..2/s:100000", ""}, {"load=1,,2", ""},
	} {
		t.Run(c.in, func(t *testing.T) {
			axis, err := parseAxis("x", c.in)
			if c.want == "" {
				var refused *Refusal
				if !errors.As(err, &refused) || refused.Help.En == "" || refused.Text.Ko == "" {
					t.Errorf("got %+v and %v, want an error with a hint", axis, err)
				}
				return
			}
			if got := axis.Setting + ": " + strings.Join(axis.Values, " "); got != c.want || err != nil {
				t.Errorf("got %q and %v, want %q", got, err, c.want)
			}
		})
	}
}

const simulated = `name: retries
parameters:
  load: {value: 50/s, assumed: half the capacity}
parts:
  users: {kind: source, rate: $load, call: {to: db, timeout: 300ms, retries: 3}}
  db: {kind: server, work: exp 10ms}
run: {for: 30s}
`

// refused fails unless err refuses the part of a question that is named.
func refused(t *testing.T, err error, param string) {
	t.Helper()
	var r *Refusal
	if !errors.As(err, &r) || r.Param != param || r.Text.Ko == "" || r.Help.En == "" || r.Help.Ko == "" {
		t.Errorf("got %+v (%v), want a refusal of %q in both languages", r, err, param)
	}
}

// found fails unless err holds problems of the file that say what is wanted.
func found(t *testing.T, err error, want ...string) {
	t.Helper()
	var problems strictyaml.Problems
	if !errors.As(err, &problems) {
		t.Errorf("got %v, want problems", err)
		return
	}
	for _, w := range want {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("the problems do not say %q: %v", w, err)
		}
	}
}

func TestRead(t *testing.T) {
	s, err := Read(Question{System: simulated, Set: []string{"load=10/s,20/s", "db.workers=1,2"}}, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range s.models {
		got = append(got, m.set[0].Value+" "+m.set[1].Value)
	}
	if want := []string{"10/s 1", "10/s 2", "20/s 1", "20/s 2"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	ask := func(q Question) error {
		q.System = simulated
		_, err := Read(q, Limits{})
		return err
	}
	refused(t, ask(Question{Kind: KindJudge, Set: []string{"load=10/s,20/s"}}), "set")
	refused(t, ask(Question{Set: []string{"db.workers=" + strings.Repeat("1,", MaxRuns) + "1"}}), "set")
	refused(t, ask(Question{Set: []string{"load"}}), "set")
	refused(t, ask(Question{Kind: "juge"}), "kind")
	refused(t, ask(Question{Kind: KindJudge, Seeds: -1}), "seeds")
	refused(t, ask(Question{Kind: KindJudge, Seeds: MaxSeeds + 1}), "seeds")
	refused(t, ask(Question{Kind: KindJudge, Limit: 1}), "limit")
	refused(t, ask(Question{Kind: KindMap}), "x")
	refused(t, ask(Question{Kind: KindMap, X: "load=1/s..9/s", Y: "load"}), "y")
	refused(t, ask(Question{Kind: KindMap, X: "load=1/s..9/s:101", Y: "users.call.retries=0..100"}), "x")
	refused(t, ask(Question{Kind: KindRun, X: "load=1/s..9/s"}), "x")
	found(t, ask(Question{Set: []string{"load=no,never"}}), `"no"`, `"never"`)
	found(t, ask(Question{Kind: KindMap, X: "db.workers=1,two", Y: "users.call.retries=0..3"}), `"two"`)
	if _, err := Read(Question{System: simulated, Kind: KindJudge}, Limits{Workers: -1}); err == nil {
		t.Error("-1 workers are not refused")
	}
}

// TestInterrupted ends each question before it begins: what is known stays.
func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, kind := range []Kind{KindRun, KindJudge, KindStress} {
		a, err := Ask(ctx, Question{System: simulated, Kind: kind}, Limits{}, nil)
		if !Interrupted(err) || a == nil || len(a.Missing) == 0 {
			t.Errorf("%s gives %+v and %v", kind, a, err)
		}
		if kind == KindRun && a.Runs[0].End != "context" {
			t.Errorf("the run ended by %q", a.Runs[0].End)
		}
	}
	q := Question{System: simulated + "expect: [{name: some, that: last(users.good) > 0.0}]\n", Kind: KindRun, Seeds: 3}
	if _, err := Ask(ctx, q, Limits{}, nil); !Interrupted(err) {
		t.Errorf("several seeds give %v", err)
	}
}

func TestTooLarge(t *testing.T) {
	large := []string{"load=1000000000/s"}
	for _, q := range []Question{
		{Kind: KindRun}, {Kind: KindJudge}, {Kind: KindStress}, {Kind: KindRemedies},
		{Kind: KindMap, X: "db.workers=1,2", Y: "users.call.retries=0..3"},
	} {
		q.System, q.Set = simulated, large
		_, err := Read(q, Limits{})
		found(t, err, "events")
	}
	_, err := Read(Question{System: simulated}, Limits{Windows: 20})
	found(t, err, "30 windows", "system.yaml:7:")
	_, err = Read(Question{System: simulated, Kind: KindMap, X: "load=1/s..9/s", Y: "users.call.retries=0..3"}, Limits{Cells: 10})
	refused(t, err, "x")
	_, err = Read(Question{System: simulated, Set: []string{"load=1/s,2/s,3/s"}}, Limits{Runs: 2})
	refused(t, err, "set")
}

// TestWideWindows sees that a command says what was done to the windows.
func TestWideWindows(t *testing.T) {
	q := Question{System: simulated, Windows: 10, Series: []string{"*.good"}}
	a, err := Ask(t.Context(), q, Limits{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if r := a.Runs[0]; r.Windows != 10 || len(r.Series) != 1 {
		t.Errorf("%d windows of %d series", r.Windows, len(r.Series))
	}
	if want := "precedent run system.yaml --set run.window=3s --series '*.good'"; a.Command != want {
		t.Errorf("the command is %q, want %q", a.Command, want)
	}
	if q.Windows = 100; q.Key() == (Question{System: simulated}).Key() {
		t.Error("another question has the same key")
	}
}

func TestQuote(t *testing.T) {
	for in, want := range map[string]string{
		"load=50/s,80/s": "load=50/s,80/s", "api.calls[0].retries=1": "'api.calls[0].retries=1'", "it's": `'it'\''s'`, "": "''",
		"db.work=exp 10ms": "'db.work=exp 10ms'", "$(id)": "'$(id)'",
	} {
		if got := Quote(in); got != want {
			t.Errorf("Quote(%q) = %q, want %q", in, got, want)
		}
	}
}

const varied = simulated + `changes:
  - {name: pause, about: the pause, at: 10s, for: 2s, set: {db.speed: 0}}
variants:
  - name: calm
    about: nothing happens
    without: [pause]
  - name: patient
    set: {users.call.timeout: 20s, load: 20/s}
    changes: [{when: {metric: db.queue, above: 1000}, set: {db.workers: 2}}]
`

func TestVariants(t *testing.T) {
	ask := func(q Question) *Answer {
		t.Helper()
		q.System = varied
		a, err := Ask(context.Background(), q, Limits{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	a := ask(Question{Variant: "base, calm,patient", Set: []string{"db.workers=1,2"}})
	var got []string
	for _, r := range a.Runs {
		got = append(got, fmt.Sprintf("%s %s %d %d", r.Variant, r.Set[0].Value, len(r.Marks), len(r.Unmade)))
	}
	want := []string{" 1 1 0", " 2 1 0", "calm 1 0 0", "calm 2 0 0", "patient 1 1 1", "patient 2 1 1"}
	if !slices.Equal(got, want) {
		t.Errorf("the runs are %q, want %q", got, want)
	}
	const command = "precedent run system.yaml --variant base --variant calm --variant patient --set db.workers=1,2"
	if a.Command != command || a.Variant != "" {
		t.Errorf("the command is %q and the variant %q, want %q and none", a.Command, a.Variant, command)
	}
	if a := ask(Question{Kind: KindJudge, Variant: "patient", Seeds: 2}); a.Variant != "patient" ||
		a.Judgment.Class == verdict.Metastable || a.Command != "precedent judge system.yaml --variant patient --seeds 2" {
		t.Errorf("%s is %s; the command is %q", a.Variant, a.Judgment.Class, a.Command)
	}
	if a := ask(Question{Kind: KindJudge, Seeds: 2}); a.Judgment.Class != verdict.Metastable {
		t.Errorf("the file as it is is %s", a.Judgment.Class)
	}
	if a := ask(Question{Kind: KindMap, Variant: "patient", X: "load=5/s,10/s", Y: "db.workers=1,2", Seeds: 2}); a.Map.Cells[0][0] == verdict.Metastable {
		t.Errorf("the map of the patient clients is %v", a.Map.Cells)
	}
	e := ask(Question{Kind: KindExplain, Variant: "patient"}).Explanation
	if e.Parts[0].Rate != 20 || !strings.Contains(e.YAML, "timeout: 20s") {
		t.Errorf("the sources of the variant send %v a second, want 20, and the timeout is 20s:\n%s", e.Parts[0].Rate, e.YAML)
	}
	if (Question{Variant: "calm"}).Key() == (Question{}).Key() {
		t.Error("a variant has the key of the file as it is")
	}
}

func TestVariantsRefused(t *testing.T) {
	ask := func(q Question) error {
		q.System = varied
		_, err := Read(q, Limits{Runs: 4})
		return err
	}
	refused(t, ask(Question{Kind: KindJudge, Variant: "calm,patient"}), "variant")
	refused(t, ask(Question{Variant: "calm,calm,calm,calm,calm"}), "variant")
	refused(t, ask(Question{Variant: "calm,patient", Set: []string{"load=1/s,2/s,3/s"}}), "set")
	var problems strictyaml.Problems
	if err := ask(Question{Variant: "clam"}); !errors.As(err, &problems) || !strings.Contains(err.Error(), `no variant is named "clam"; did you mean "calm"?`) {
		t.Errorf("an unknown variant gives %v", err)
	}
}
