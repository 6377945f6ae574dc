package verdict

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/openprecedent/precedent/internal/sim/scenario"
)

const slowToTell = `name: storm
parts:
  users: {kind: source, rate: 50/s, call: {to: db, timeout: 300ms, retries: 3}}
  db: {kind: server, work: exp 10ms}
changes:
  - {about: the slow database, at: 10s, for: 4s, set: {db.speed: 5%}}
`

// TestEndedEarly ends questions after some of their runs: each tells what these
// show, and what is lacking.
func TestEndedEarly(t *testing.T) {
	f, problems := scenario.Decode("storm.yaml", []byte(slowToTell), nil)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	after := func(runs int) (context.Context, Options) {
		ctx, cancel := context.WithCancel(t.Context())
		t.Cleanup(cancel)
		done := 0
		if runs == 0 {
			cancel()
		}
		return ctx, Options{Seeds: 4, Workers: 1, Progress: func(Progress) {
			if done++; done == runs {
				cancel()
			}
		}}
	}
	for _, tt := range []struct {
		runs             int
		seeds, trials    int // runs without a trigger, and triggers, that it tells of
		why, first       string
		lastTrialOfSeeds int
	}{
		{0, 0, 0, "before the first run without a trigger", "4 of 4 runs: without a trigger", 0},
		{3, 3, 0, "3 of 4 runs without a trigger had ended, of which 0 were unhealthy", "1 of 4 runs: without a trigger", 0},
		{5, 4, 0, "before every trigger had been tried", "the slow database", 0},
		{8, 4, 1, "before every trigger had been tried", "2 of 4 runs: the slow database", 2},
		{11, 4, 1, "it stays down", "users sends three times as much", 4},
	} {
		ctx, o := after(tt.runs)
		j, err := Judge(ctx, f, o)
		var early *Interrupted
		if j == nil || !errors.As(err, &early) {
			t.Fatalf("after %d runs: %v and %v", tt.runs, j, err)
		}
		if j.Baseline.Seeds != tt.seeds || len(j.Trials) != tt.trials || !strings.Contains(j.Why.En, tt.why) || j.Why.Ko == "" {
			t.Errorf("after %d runs: %d runs without a trigger, %d triggers, %q", tt.runs, j.Baseline.Seeds, len(j.Trials), j.Why.En)
		}
		if len(early.Missing) == 0 || !strings.Contains(early.Missing[0].En, tt.first) {
			t.Errorf("after %d runs it lacks %v, want %q first", tt.runs, early.Missing, tt.first)
		}
		if n := len(j.Trials); n > 0 && (j.Trials[n-1].Seeds != tt.lastTrialOfSeeds || j.Trials[n-1].Tip.Share != 1) {
			t.Errorf("after %d runs the last trial is %+v", tt.runs, j.Trials[n-1])
		}
		if known := j.Class != Unjudged; known != (tt.runs == 11) {
			t.Errorf("after %d runs the class is %q", tt.runs, j.Class)
		}
	}
	ctx, o := after(2)
	var early *Interrupted
	if edges, err := Stress(ctx, f, o); len(edges) != 0 || !errors.As(err, &early) || !strings.Contains(early.Missing[0].En, "without a trigger") {
		t.Errorf("stress: %v and %v", edges, err)
	}
	ctx, o = after(6)
	if r, err := Remedy(ctx, f, o); r != nil || !errors.As(err, &early) || early.Missing[len(early.Missing)-1].En != "the remedies" {
		t.Errorf("remedies: %v and %v", r, err)
	}
}
