package app

import (
	"context"
	"slices"
	"strings"
	"testing"
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
			axis, err := ParseAxis("x", c.in)
			if c.want == "" {
				if KindOf(err) != Invalid || asHint(err) == "" {
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

func TestReadModels(t *testing.T) {
	all, err := ReadModels("s.yaml", []byte(simulated), []string{"load=10/s,20/s", "db.workers=1,2"})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range all {
		got = append(got, m.Set[0].Value+" "+m.Set[1].Value)
	}
	if want := []string{"10/s 1", "10/s 2", "20/s 1", "20/s 2"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if _, err := ReadModel("s.yaml", []byte(simulated), []string{"load=10/s,20/s"}); KindOf(err) != Invalid {
		t.Errorf("several values where one is wanted: %v", err)
	}
	if _, err := ReadModels("s.yaml", []byte(simulated), []string{"load=no,never"}); KindOf(err) != Findings ||
		!strings.Contains(err.Error(), `"no"`) || !strings.Contains(err.Error(), `"never"`) {
		t.Errorf("not all problems are told: %v", err)
	}
	many := strings.Repeat("1,", MaxRuns) + "1"
	if _, err := ReadModels("s.yaml", []byte(simulated), []string{"db.workers=" + many}); KindOf(err) != Invalid {
		t.Errorf("more than %d runs: %v", MaxRuns, err)
	}
}

// TestInterrupted ends each use before it begins: what is known stays.
func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	m, err := ReadModel("s.yaml", []byte(simulated), nil)
	if err != nil {
		t.Fatal(err)
	}
	if runs, err := RunModels(ctx, []*Model{m}, 0, nil); !Interrupted(err) || runs == nil || runs.Runs[0].End != "context" {
		t.Errorf("a run gives %+v and %v", runs, err)
	}
	if _, err := m.Judge(ctx, SimOptions{}); !Interrupted(err) {
		t.Errorf("a judgment gives %v", err)
	}
	if s, err := m.Stress(ctx, SimOptions{}); !Interrupted(err) || s == nil {
		t.Errorf("a search gives %+v and %v", s, err)
	}
}

func TestSimulationsThatAreTooLarge(t *testing.T) {
	for _, set := range []string{"load=1000000000/s"} {
		m, err := ReadModel("s.yaml", []byte(simulated), []string{set})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := RunModels(t.Context(), []*Model{m}, 0, nil); KindOf(err) != Findings {
			t.Errorf("a run of %s gives %v", set, err)
		}
		if _, err := m.Judge(t.Context(), SimOptions{}); KindOf(err) != Findings {
			t.Errorf("a judgment of %s gives %v", set, err)
		}
		if _, err := m.Map(t.Context(), "db.workers=1,2", "users.call.retries=0..3", SimOptions{}); KindOf(err) != Findings {
			t.Errorf("a map of %s gives %v", set, err)
		}
	}
	m, _ := ReadModel("s.yaml", []byte(simulated), nil)
	if _, err := m.Map(t.Context(), "db.workers=1,two", "users.call.retries=0..3", SimOptions{}); KindOf(err) != Findings {
		t.Errorf("a value that the file may not have gives %v", err)
	}
	for _, o := range []SimOptions{{Seeds: -1}, {Seeds: MaxSeeds + 1}, {Limit: 1}, {Workers: -1}} {
		if _, err := m.Judge(t.Context(), o); KindOf(err) != Invalid {
			t.Errorf("options %+v give %v", o, err)
		}
	}
}

func asHint(err error) string {
	if e, ok := asError(err); ok {
		return e.Hint
	}
	return ""
}
