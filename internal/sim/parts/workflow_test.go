package parts

import (
	"context"
	"math"
	"testing"

	"github.com/openprecedent/precedent/internal/sim/des"
)

// startAt turns the knob of a workflow at a time.
func startAt(t *testing.T, n *Net, seconds, runs float64) {
	t.Helper()
	n.Sim.Run(context.Background(), des.Budget{Until: des.FromSeconds(seconds)})
	knob(t, n, "admin.start").Set(runs)
}

// TestWorkflowTakes has steps of a second with two between them: one run of n steps
// takes 3n - 2 seconds, and further ones wait for the only worker.
func TestWorkflowTakes(t *testing.T) {
	for _, c := range []struct {
		settings        string
		runs            float64
		seconds         float64
		finished, steps int64
		running         int64
		took            float64 // of those finished
	}{
		{"{steps: 10, think: 2s, call: {to: db}}", 1, 40, 1, 10, 0, 28},
		{"{steps: 10, think: 2s, call: {to: db}}", 1, 27, 0, 9, 1, 0},
		{"{steps: 4, think: 0s, call: {to: db}}", 1, 40, 1, 4, 0, 4},
		{"{steps: 4, think: 2s, call: {to: db}}", 2, 40, 2, 8, 0, 10.5}, // 10 and 11
		{"{steps: 1, call: {to: db}}", 3, 40, 3, 3, 0, 2},
		{"{steps: 2, size: 3, call: {to: db}}", 1, 40, 1, 2, 0, 6},
		{"{steps: 2, call: {to: db, delay: 500ms}}", 1, 40, 1, 2, 0, 4},
	} {
		n := describe(t, 1, des.Second, "admin workflow "+c.settings, "db server {work: 0s, work_per_size: 1s}")
		startAt(t, n, 5, c.runs)
		run(t, n, 5+c.seconds)
		w := part[*workflow](n, 0)
		if w.started.Total() != int64(c.runs) || w.finished.Total() != c.finished || w.steps.Total() != c.steps ||
			w.running.Value() != c.running || w.failed.Total() != 0 {
			t.Errorf("%s: %d finished with %d steps, %d run and %d failed; want %d with %d, %d and none", c.settings,
				w.finished.Total(), w.steps.Total(), w.running.Value(), w.failed.Total(), c.finished, c.steps, c.running)
		}
		if c.took > 0 && math.Abs(w.took.Mean()-c.took) > 0.03*c.took {
			t.Errorf("%s: a run took %.2f s, want %v s", c.settings, w.took.Mean(), c.took)
		}
	}
}

// TestWorkflowFails stops the server during the fourth step: the run fails there,
// once its policy has given up.
func TestWorkflowFails(t *testing.T) {
	for _, c := range []struct {
		policy string
		until  float64 // when it fails, after the start
	}{
		{"timeout: 5s", 9.5 + 4.5}, {"timeout: 5s, retries: 2", 9.5 + 14.5},
	} {
		n := describe(t, 1, des.Second, "admin workflow {steps: 9, think: 2s, call: {to: db, "+c.policy+"}}", "db server {workers: 50, work: 1s}")
		startAt(t, n, 0, 1)
		n.Sim.Run(context.Background(), des.Budget{Until: des.FromSeconds(9.5)}) // the fourth step began at 9 s
		knob(t, n, "db.speed").Set(0)
		w := part[*workflow](n, 0)
		n.Sim.Run(context.Background(), des.Budget{Until: des.FromSeconds(c.until - 0.01)})
		if w.failed.Total() != 0 || w.steps.Total() != 3 {
			t.Errorf("%s: %d runs failed after %d steps before the policy gave up", c.policy, w.failed.Total(), w.steps.Total())
		}
		run(t, n, c.until+0.01)
		if w.failed.Total() != 1 || w.running.Value() != 0 || w.finished.Total() != 0 {
			t.Errorf("%s: %d runs failed and %d run, want 1 and none", c.policy, w.failed.Total(), w.running.Value())
		}
	}
}

// TestWorkflowChance compares the runs that get through a way that loses calls
// with the probability: each of 5 steps gets through with 1 - 0.3² where it is
// tried twice.
func TestWorkflowChance(t *testing.T) {
	withinSE(t, "share of the runs that finish", math.Pow(1-0.3*0.3, 5), 60, func(seed uint64) float64 {
		n := describe(t, seed, des.Second,
			"admin workflow {steps: 5, think: exp 1s, call: {to: db, timeout: 100ms, retries: 1}}", "db server {workers: 500, work: 1ms}")
		knob(t, n, "admin.call.cut").Set(0.3)
		startAt(t, n, 0, 200)
		run(t, n, 60)
		w := part[*workflow](n, 0)
		return float64(w.finished.Total()) / float64(w.started.Total())
	})
	// Four times an exponential think of a second.
	withinSE(t, "time of a run", 4, 40, func(seed uint64) float64 {
		n := describe(t, seed, des.Second, "admin workflow {steps: 5, think: exp 1s, call: {to: db}}", "db server {workers: 500, work: 1us}")
		startAt(t, n, 0, 200)
		run(t, n, 60)
		return part[*workflow](n, 0).took.Mean()
	})
}

func TestWorkflowRefused(t *testing.T) {
	wantFinding(t, "workflow", "{steps: 0, call: {to: db}}", "steps")
	wantFinding(t, "workflow", "{steps: 2M, call: {to: db}}", "steps")
	wantFinding(t, "workflow", "{steps: 1, class: 9, call: {to: db}}", "class")
	wantFinding(t, "workflow", "{steps: 1, call: {to: db, retries: 5k}}", "call.retries")
}

func TestWorkflowSame(t *testing.T) {
	sameTwice(t, 30, func() *Net {
		n := describe(t, 3, des.Second, "admin workflow {steps: 5, think: exp 1s, size: exp 2, call: {to: db}}", "db server {work: 0s, work_per_size: 100ms}")
		knob(t, n, "admin.start").Set(5)
		return n
	})
}
