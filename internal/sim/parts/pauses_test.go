package parts_test

import (
	"math"
	"testing"
)

const pausing = `
name: pausing
parts:
  users: {kind: source, rate: 0.5/s, call: {to: db}}
  db: {kind: server, workers: 1, work: exp 1s}
  gc:
    kind: pauses
    knob: db.speed
    every: exp 10s
    length: exp 2s
    metric: db.queue + db.busy
    sooner_by: 0
run: {for: 100h, window: 10m}
`

// inSystem returns the mean number in an M/M/1 that stands still from time to
// time: arrivals a, service s, standstills that begin at a rate of f(n) when n
// are in the system and end at a rate r. It solves the chain of (n, standing).
func inSystem(a, s, r float64, f func(n float64) float64) (mean, paused float64) {
	const most = 150
	var up, down [most + 2]float64
	up[0] = 1
	for range 4000 {
		for n := range most {
			x := float64(n)
			inUp, inDown := down[n]*r+up[n+1]*s, up[n]*f(x)
			outUp, outDown := a+f(x), a+r
			if n > 0 {
				inUp += up[n-1] * a
				inDown += down[n-1] * a
				outUp += s
			}
			up[n] = inUp / outUp
			down[n] = inDown / outDown
		}
		sum := 0.0
		for n := range most {
			sum += up[n] + down[n]
		}
		for n := range most {
			up[n] /= sum
			down[n] /= sum
		}
	}
	for n := range most {
		mean += float64(n) * (up[n] + down[n])
		paused += down[n]
	}
	return mean, paused
}

// TestPausesOfQueue holds a server that stands still at random to the chain, and
// the chain to the closed form of White and Christie (Operations Research 6(1),
// 1958).
func TestPausesOfQueue(t *testing.T) {
	want, _ := inSystem(0.5, 1, 0.5, func(float64) float64 { return 0.1 })
	formula := 0.5 / (1*0.5/0.6 - 0.5) * (1 + 1*0.1/(0.6*0.6))
	near(t, "the chain", want, formula, 1e-6)
	p := play(t, pausing, 1)
	near(t, "calls in the system", p.mean("db.queue", 0, 360000)+p.mean("db.busy", 0, 360000), want, 0.1)
	near(t, "share of time paused", p.mean("gc.paused", 0, 360000), 1.0/6, 0.004)
	sameSeries(t, p, play(t, pausing, 1))
}

// TestPausesSooner lets pauses come more often the more is in the system. The load
// is so low that the queue does not reach the length from which it grows for ever.
func TestPausesSooner(t *testing.T) {
	want, paused := inSystem(0.3, 1, 0.5, func(n float64) float64 { return 0.05 * (1 + 0.2*n) })
	p := play(t, pausing, 1, "users.rate=0.3/s", "gc.every=exp 20s", "gc.sooner_by=20%")
	near(t, "calls in the system", p.mean("db.queue", 0, 360000)+p.mean("db.busy", 0, 360000), want, 0.1)
	near(t, "share of time paused", p.mean("gc.paused", 0, 360000), paused, 0.004)
}

// TestPausesSettings reads a knob, which is always 100.
func TestPausesSettings(t *testing.T) {
	const src = `
name: settings
parts:
  users: {kind: source, rate: 100/s, arrivals: regular, call: {to: db}}
  db: {kind: server, workers: 100, work: 10ms}
  gc: {kind: pauses, knob: db.speed, every: 10s, length: 100ms, metric: users.rate, longer_by: 9ms}
run: {for: 1h, window: 10s}
`
	p := play(t, src, 1)
	near(t, "pauses in an hour", p.total("gc.pauses"), 3600/11, 1)
	near(t, "length", p.mean("gc.length.mean", 20, 3600)*1.1, 1, 0.02)                     // a window in eleven has none
	near(t, "latency", p.mean("users.latency.mean", 20, 3600), 0.01+(0.5+0.01)/11, 0.0005) // those under work stand still, too
	p = play(t, src, 1, "gc.longest=300ms")
	near(t, "paused with a longest pause", p.mean("gc.paused", 20, 3600), 0.3/10.3, 0.001)
	p = play(t, src, 1, "gc.to=50%", "gc.longest=300ms")
	// At half of the speed, calls in a pause take twice as long.
	near(t, "busy when slowed", p.mean("db.busy", 20, 3600), 1+0.3/10.3, 0.002)
	p = play(t, src, 1, "gc.sooner_by=1%")
	near(t, "pauses that come twice as soon", p.total("gc.pauses"), 3600/6, 1)
}

// TestPausesTip: a queue of some length makes pauses so frequent that the queue
// cannot fall any more, although the load is moderate.
func TestPausesTip(t *testing.T) {
	const src = `
name: tip
parts:
  users: {kind: source, rate: 60/s, call: {to: db}}
  db: {kind: server, workers: 1, work: exp 10ms}
  gc: {kind: pauses, knob: db.speed, every: exp 10s, length: 100ms, metric: db.queue, sooner_by: 10%, longer_by: 0}
run: {for: 10m}
changes: [{about: a burst, at: 60s, for: 20s, set: {users.rate: 200/s}}]
`
	p := play(t, src, 1)
	if q := p.mean("db.queue", 30, 60); q > 10 {
		t.Errorf("%v wait before the burst", q)
	}
	if q := p.series("db.queue"); q[599] < q[90] {
		t.Errorf("%v wait after the burst and %v in the end: the queue should grow", q[90], q[599])
	}
	p = play(t, src, 1, "gc.sooner_by=0.01%")
	if q := p.mean("db.queue", 500, 600); q > 10 || math.IsNaN(q) {
		t.Errorf("without growth %v wait in the end", q)
	}
}

func TestPausesProblems(t *testing.T) {
	wantProblem(t, pausing, "gc.every=0", "1ms or more")
	wantProblem(t, pausing, "gc.length=0", "longer_by")
	wantProblem(t, pausing, "gc.to=100%", "less than 1")
	wantProblem(t, pausing, "gc.sooner_by=0", "no pause depends on it")
	wantProblem(t, pausing, "gc.knob=db.sped", "db.speed")
	wantProblem(t, pausing, "gc.metric=db.queu", "db.queue")
}
