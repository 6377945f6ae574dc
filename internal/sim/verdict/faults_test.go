package verdict

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/openprecedent/precedent/internal/sim/des"
	"github.com/openprecedent/precedent/internal/sim/scenario"
)

// The tests of this file hold the simulator to faults that other simulators were
// found to have, one each.

// simulated runs a file with a seed and holds it to its laws.
func simulated(t *testing.T, src string, seed uint64) *scenario.Result {
	t.Helper()
	r, err := decode(t, src).Simulate(context.Background(), seed, des.Budget{})
	if err != nil || !r.End.Finished() || len(r.Broken) > 0 {
		t.Fatalf("the run ended by %q with %v: %v", r.End, r.Broken, err)
	}
	return r
}

// total returns the sum of a series.
func total(t *testing.T, r *scenario.Result, name string) float64 {
	t.Helper()
	for _, s := range r.Series {
		if s.Name == name {
			sum := 0.0
			for _, v := range s.Values {
				sum += v
			}
			return sum
		}
	}
	t.Fatalf("there is no series %q", name)
	return 0
}

// TestFaultClientCannotTimeOut: a client whose timeout stops when its call is
// taken into the queue never times out. Here none of ten calls of five seconds is
// answered within one, and of an M/M/1 queue as many time out as its sojourn tail
// says: e^-(mu-lambda)t.
func TestFaultClientCannotTimeOut(t *testing.T) {
	r := simulated(t, `name: constant
parts:
  users: {kind: source, rate: 1/s, arrivals: regular, call: {to: db, timeout: 1s}}
  db: {kind: server, workers: 100, work: 5s}
run: {for: 12s}
`, 1)
	if g := r.Sources[0]; g.Failed != 10 || g.Good != 0 || total(t, r, "users.call.timed_out") != 10 {
		t.Errorf("ten calls of five seconds with a timeout of one are %+v", g)
	}
	r = simulated(t, `name: mm1
parts:
  users: {kind: source, rate: 80/s, call: {to: db, timeout: 100ms}}
  db: {kind: server, work: exp 10ms}
run: {for: 2500s, window: 10s}
`, 1)
	g := r.Sources[0]
	// Requests near each other see much the same queue: some fifty make one draw.
	want, got := math.Exp(-2), float64(g.Failed)/float64(g.Offered)
	if se := math.Sqrt(want * (1 - want) * 50 / float64(g.Offered)); math.Abs(got-want) > 3*se {
		t.Errorf("%.4f of the requests time out, want %.4f ± %.4f", got, want, 3*se)
	}
}

// TestFaultTimersOnlyForServed: timers that begin with the work spare all that
// wait. Here nothing is served, and everything times out and is tried again.
func TestFaultTimersOnlyForServed(t *testing.T) {
	r := simulated(t, `name: halted
parts:
  users: {kind: source, rate: 100/s, arrivals: regular, call: {to: db, timeout: 1s, retries: 2, backoff: {first: 1ms, factor: 1, jitter: 0%}}}
  db: {kind: server, work: 1ms}
run: {for: 20s}
changes: [{at: 0s, set: {db.speed: 0}}]
`, 1)
	g := r.Sources[0]
	if retries := total(t, r, "users.call.retries"); g.Good != 0 || g.Failed < 1600 || retries < 2*float64(g.Failed) {
		t.Errorf("of a server that stands still the requests are %+v, with %v retries", g, retries)
	}
}

// TestFaultTimeoutShared: with one timer for all requests of a client, one that
// is answered stops the timer of the others.
func TestFaultTimeoutShared(t *testing.T) {
	r := simulated(t, `name: shared
parts:
  users: {kind: source, rate: 2/s, arrivals: regular, call: {to: web}}
  web: {kind: server, workers: 100, work: 0s, calls: [{to: slow, timeout: 2s}, {to: quick}], together: true}
  slow: {kind: server, workers: 100, work: 10s}
  quick: {kind: server, workers: 100, work: 1ms}
run: {for: 20s}
`, 1)
	if g := r.Sources[0]; g.Good != 0 || g.Failed < 34 {
		t.Errorf("the requests are %+v, want each to fail after its two seconds", g)
	}
}

// TestFaultChebyshevTails: how likely the last of a queue of exponential work
// times out is an Erlang tail, here 0.046, of which the inequality of Chebyshev
// makes 0.31.
func TestFaultChebyshevTails(t *testing.T) {
	const behind, timeout = 20, 28.0
	src := fmt.Sprintf(`name: tails
parts:
  before: {kind: workflow, steps: 1, call: {to: db}}
  probe: {kind: workflow, steps: 1, call: {to: db, timeout: %vs}}
  db: {kind: server, work: exp 1s}
run: {for: 200000s, window: 200s}
changes:
  - {at: 100s, every: 200s, times: 1000, set: {before.start: %d}}
  - {at: 100s, every: 200s, times: 1000, set: {probe.start: 1}}
`, timeout, behind-1)
	want, term := 0.0, math.Exp(-timeout)
	for i := range behind {
		want += term
		term *= timeout / float64(i+1)
	}
	failed, n := 0.0, 0.0
	for seed := range 4 {
		r := simulated(t, src, uint64(seed+1))
		failed += total(t, r, "probe.failed")
		n += total(t, r, "probe.started")
	}
	got, se := failed/n, math.Sqrt(want*(1-want)/n)
	if math.Abs(got-want) > 3*se {
		t.Errorf("%.4f of %v probes behind %d others time out, want %.4f ± %.4f", got, n, behind-1, want, 3*se)
	}
	if chebyshev := behind / (timeout - behind) / (timeout - behind); got > chebyshev/3 {
		t.Errorf("%.4f is as much as the inequality says, %.4f", got, chebyshev)
	}
}

// TestFaultSlowDrainMetastable keeps a backlog that drains slowly, with no
// feedback at all, from being called metastable: 100 requests at 0.7 a second take
// 143 s.
func TestFaultSlowDrainMetastable(t *testing.T) {
	j := judge(t, `name: slow drain
parts:
  users: {kind: source, rate: 9.3/s, arrivals: regular, in_time: 1s, call: {to: db}}
  db: {kind: server, work: 100ms}
changes:
  - {about: the rush, at: 10s, for: 5s, set: {users.rate: 30/s}}
`, 3)
	if j.Class != Driven {
		t.Errorf("the verdict is %s (%s), want %s", j.Class, j.Why, Driven)
	}
	if got := j.Trials[0].Recovery; got < 120 || got > 180 {
		t.Errorf("it came back after %.0f s, want about the fluid drain time of 143 s", got)
	}
}

// TestUndecided has a backlog of more than a hundred that drains by one in a
// hundred seconds: when the watch ends it is neither gone nor there to stay.
func TestUndecided(t *testing.T) {
	j := judge(t, `name: crawl
parts:
  users: {kind: source, rate: 9.99/s, arrivals: regular, in_time: 1s, call: {to: db}}
  db: {kind: server, work: 100ms}
changes:
  - {about: the rush, at: 10s, for: 5s, set: {users.rate: 30/s}}
`, 2)
	if j.Class != Undecided || j.Trials[0].Undecided != 2 {
		t.Errorf("the verdict is %s (%s) with %+v, want %s", j.Class, j.Why, j.Trials[0], Undecided)
	}
}

// TestFaultLateAnswersAsGoodput: a server that answers everything, but too late,
// does nobody any good, though its throughput is whole.
func TestFaultLateAnswersAsGoodput(t *testing.T) {
	const src = `name: late
parts:
  users: {kind: source, rate: 50/s, in_time: 150ms, call: {to: db}}
  db: {kind: server, workers: 100, work: 200ms}
run: {for: 60s}
`
	r := simulated(t, src, 1)
	if g := r.Sources[0]; g.Good != 0 || g.Late < 2500 || g.Failed != 0 {
		t.Errorf("answers after their time are %+v", g)
	}
	if j := judge(t, src, 2); j.Class != Overloaded {
		t.Errorf("the verdict is %s (%s), want %s", j.Class, j.Why, Overloaded)
	}
}

// TestFaultCumulativeGoodput: counted from the start of a run, nine tenths of the
// answers are good while for minutes there has been none. Here goodput is of each
// window.
func TestFaultCumulativeGoodput(t *testing.T) {
	const src = `name: collapse
parts:
  users: {kind: source, rate: 50/s, call: {to: db, timeout: 300ms, retries: 3}}
  db: {kind: server, work: exp 10ms}
run: {for: 40m}
changes:
  - {about: the slow database, at: 36m, for: 4s, set: {db.speed: 0.05}}
`
	r := simulated(t, src, 1)
	lately := 0.0
	for _, s := range r.Series {
		if s.Name == "users.good" {
			for _, v := range s.Values[37*60:] {
				lately += v
			}
		}
	}
	if g := r.Sources[0]; float64(g.Good) < 0.85*float64(g.Offered) || lately > 0.05*50*180 {
		t.Errorf("of %d requests %d are good, and %.0f of the last three minutes", g.Offered, g.Good, lately)
	}
	if j := judge(t, src, 2); j.Class != Metastable {
		t.Errorf("the verdict is %s (%s), want %s", j.Class, j.Why, Metastable)
	}
}
