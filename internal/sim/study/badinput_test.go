package study

import (
	"errors"
	"strings"
	"testing"

	"github.com/openprecedent/precedent/internal/strictyaml"
)

// TestBadInput gives systems that contradict themselves or cannot be: each problem
// is told with its place and its remedy, all at once, and nothing runs.
func TestBadInput(t *testing.T) {
	for _, c := range []struct {
		name, parts string
		want        []string // place and words of each problem
	}{
		{"what cannot be read beside what cannot be", `
  users: {kind: source, rate: 0/s, call: {to: api, timeout: 1ms}}
  others: {kind: source, rate: NaN, call: {to: api}}
  slow: {kind: source, rate: 10ms, call: {to: api}}
  infinite: {kind: source, rate: Inf/s, call: {to: api}}
  api: {kind: server, work: 5s, calls: [{to: a}, {to: pool}]}
  a: {kind: server, work: 0s, calls: [{to: b}]}
  b: {kind: server, work: 0s, calls: [{to: a}]}
  pool: {kind: pool, max: 5k, call: {to: db}}
  db: {kind: server, work: 10 cores, workers: 50, room: 100}
run: {for: 1h, window: 2ms}
`, []string{
			"3:31: error: parts.users.rate: nothing arrives; write a rate",
			"3:61: warning: parts.users.call.timeout: the work of \"api\" takes 5s",
			"4:32: error: parts.others.rate: \"NaN\" is not a rate; write",
			"5:30: error: parts.slow.rate: \"10ms\" is not a rate; write",
			"6:34: error: parts.infinite.rate: \"Inf/s\" is not a rate; write",
			"error: parts.b.calls[0].to: calls go round without time passing: a -> b -> a; give",
			"10:27: warning: parts.pool.max: 5000 connections can call \"db\" at once, which takes 150",
			"11:28: error: parts.db.work: \"cores\" is not a span of time",
			"12:24: error: run.window: 1h has 1800000 windows of 2ms; make them wider",
		}},
		{"a trillion events besides", `
  users: {kind: source, rate: 1000M/s, call: {to: db}}
  none: {kind: source, rate: 0/s, call: {to: db}}
  db: {kind: server, work: 1ms}
run: {for: 1h}
`, []string{
			"4:30: error: parts.none.rate: nothing arrives; write",
			"6:12: error: run.for: 1h of this system are about", "million million events", "run for",
		}},
		{"a trillion events beside fields and knobs that are not there", `
  users: {kind: source, rate: 1M/s, call: {to: db, nope: 1}}
  db: {kind: server, work: 1ms}
run: {for: 20d, window: 1m}
`, []string{
			"3:52: error: parts.users.call.nope: no field \"nope\" exists here",
			"5:12: error: run.for: 480h of this system are about", "run for 16m40s at most, or scale",
		}},
		{"a knob that is not there beside a run that cannot be", `
  users: {kind: source, rate: 1/s, call: {to: db}}
  db: {kind: server, work: 1ms}
run: {for: 20d}
changes:
  - {at: 10s, for: 1s, set: {db.sped: 0}}
`, []string{
			"error: run.window: 480h has 1728000 windows of 1s; make them wider",
			"7:39: error: changes[0].set.db.sped: no knob is named \"db.sped\"; did you mean \"db.speed\"?",
		}},
		{"what may follow from what cannot be read", `
  users: {kind: sorce, rate: 1/s, call: {to: db}}
  db: {kind: server, work: 1ms, calls: [{to: users}]}
`, []string{"3:10: error: parts.users: no kind of part is named \"sorce\"; did you mean \"source\"?"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			a, err := Ask(t.Context(), Question{System: "name: bad\nparts:" + c.parts}, Limits{}, nil)
			var problems strictyaml.Problems
			if a != nil || !errors.As(err, &problems) {
				t.Fatalf("got %+v and %v, want problems", a, err)
			}
			said := problems.Error()
			for _, want := range c.want {
				if !strings.Contains(said, want) {
					t.Errorf("nothing says %q", want)
				}
			}
			if t.Failed() || strings.Count(said, "\n") >= len(c.want) {
				t.Errorf("it says\n%s", said)
			}
			for _, p := range problems {
				if p.Line < 1 || p.Help == "" {
					t.Errorf("%s lacks a place or a remedy", p)
				}
			}
		})
	}
}
