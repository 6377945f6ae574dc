package parts_test

import (
	"math"
	"testing"
)

// scaled is a step of load on a server whose workers an autoscaler adds. Its
// arrivals and work are regular, so that the load is 4 and then 12 workers.
const scaled = `
name: scaled
parts:
  users:
    kind: source
    rate: 40/s
    arrivals: regular
    call: {to: web, timeout: 5s}
  web:
    kind: server
    workers: 8
    work: 100ms
  scaler:
    kind: autoscaler
    knob: web.workers
    metric: web.busy / web.workers
    target: 50%
    delay: 90s
    max: 100
run: {for: 40m, window: 10s}
changes:
  - {at: 5m30s, for: 20m, set: {users.rate: 120/s}}
`

// TestAutoscalerTarget follows the rule by hand. The load of 4 is 50 % of 8
// workers. From 5:30 it is 12, but 8 workers can be no more than busy: the
// window to 6:00 shows (4 + 8)/2/8 = 75 %, which orders 12; at 7:00 100 % asks
// for twice of the 8 in place, and at 8:00 it is 10/12 of the 12 in place.
func TestAutoscalerTarget(t *testing.T) {
	p := play(t, scaled, 1)
	ordered, busy := p.series("scaler.ordered"), p.series("web.busy")
	for second, want := range map[int]float64{300: 8, 350: 8, 365: 12, 415: 12, 425: 16, 475: 16, 485: 20} {
		if got := ordered[second/10]; math.Abs(got-want) > 1e-6 {
			t.Errorf("at %d s %v workers are ordered, want %v", second, got, want)
		}
	}
	// The order of 6:00 is there at 7:30, and not before.
	near(t, "busy workers at 7:20", busy[44], 8, 0.001)
	near(t, "busy workers at 7:35", busy[45], 12, 0.001)
	// The load of 12 is 50 % of 24 workers, and after the load has gone the
	// workers follow it down.
	near(t, "ordered at 25:00", ordered[149], 24, 2.5)
	near(t, "ordered in the end", ordered[239], 8, 1)
}

func TestAutoscalerSettings(t *testing.T) {
	at := func(p *played, name string, second float64) float64 { return p.mean(name, second, second+10) }
	// A longer delay brings the same order later.
	near(t, "busy with a delay of 5m", at(play(t, scaled, 1, "scaler.delay=5m"), "web.busy", 600), 8, 0.001)
	near(t, "ordered with a maximum", at(play(t, scaled, 1, "scaler.max=15"), "scaler.ordered", 1200), 15, 0)
	near(t, "ordered with a minimum", at(play(t, scaled, 1, "scaler.min=10"), "scaler.ordered", 2300), 10, 0)
	near(t, "ordered at once", at(play(t, scaled, 1, "scaler.most_at_once=1"), "scaler.ordered", 430), 10, 0)
	near(t, "ordered with a wide tolerance", at(play(t, scaled, 1, "scaler.tolerance=100%"), "scaler.ordered", 1200), 8, 0)
	near(t, "ordered in a cooldown", at(play(t, scaled, 1, "scaler.cooldown=10m"), "scaler.ordered", 900), 12, 0)
	near(t, "ordered when three windows agree", at(play(t, scaled, 1, "scaler.in_row=3"), "scaler.ordered", 470), 8, 0)
	near(t, "ordered after a long cooldown", at(play(t, scaled, 1, "scaler.down_cooldown=1h"), "scaler.ordered", 2300), 30, 8)
	if down := play(t, scaled, 1, "scaler.down_cooldown=1h").total("scaler.down"); down != 0 {
		t.Errorf("capacity was taken away %v times in a cooldown", down)
	}
}

// TestAutoscalerSteps adds two workers a minute above 80 % and takes one away
// below 30 %, of a load of 10 with Poisson arrivals.
func TestAutoscalerSteps(t *testing.T) {
	const steps = `
name: steps
parts:
  users: {kind: source, rate: 100/s, call: {to: web}}
  web: {kind: server, workers: 2, work: exp 100ms}
  scaler:
    kind: autoscaler
    knob: web.workers
    metric: web.busy / web.workers
    steps: [{above: 80%, add: 2}, {below: 30%, add: -1}]
    down_cooldown: 0
    max: 100
run: {for: 30m, window: 10s}
`
	p := play(t, steps, 1)
	ordered := p.series("scaler.ordered")
	for minute := 1; minute <= 4; minute++ {
		near(t, "ordered while the queue grows", ordered[minute*6+1], float64(2+2*minute), 0)
	}
	// It stops where the load is between the thresholds.
	if load := p.mean("web.busy", 1500, 1800) / ordered[len(ordered)-1]; load > 0.8 || load < 0.3 {
		t.Errorf("the load is %.2f in the end", load)
	}
	near(t, "busy workers", p.mean("web.busy", 1500, 1800), 10, 0.6)
	sameSeries(t, p, play(t, steps, 1))
}

// TestAutoscalerMetrics scales by a percentile and by a rate.
func TestAutoscalerMetrics(t *testing.T) {
	for _, c := range []struct{ metric, target string }{
		{"web.wait.p99", "100ms"}, {"web.queue + web.busy", "10"}, {"users.offered / web.workers", "10/s"},
	} {
		p := play(t, scaled, 1, "scaler.metric="+c.metric, "scaler.target="+c.target, "scaler.max=40")
		if p.total("scaler.up") == 0 {
			t.Errorf("%s: nothing was ordered", c.metric)
		}
	}
	p := play(t, scaled, 1, "scaler.metric=users.offered / web.workers", "scaler.target=10/s")
	near(t, "workers for 120/s at 10/s each", p.mean("scaler.ordered", 1200, 1500), 12, 1)
}

func TestAutoscalerProblems(t *testing.T) {
	wantProblem(t, scaled, "scaler.knob=web.worker", "no knob is named", "web.workers")
	wantProblem(t, scaled, "scaler.metric=web.bussy / web.workers", "web.bussy", "web.busy")
	wantProblem(t, scaled, "scaler.metric=web.busy of all", "no metric")
	wantProblem(t, scaled, "scaler.metric=database.utilization", "the parts are users, web")
	wantProblem(t, scaled, "scaler.target=0", "a target such as 60%")
	wantProblem(t, scaled, "scaler.min=200", "min be at most max")
	wantProblem(t, scaled, "scaler.window=0", "1ms or more")
	wantProblem(t, scaled, "scaler.in_row=0", "1 or more")
}

// TestAutoscalerOfCopies adds copies behind a balancer by the load of them all.
func TestAutoscalerOfCopies(t *testing.T) {
	const copies = `
name: copies
parts:
  users: {kind: source, rate: 80/s, call: {to: lb}}
  lb: {kind: balancer, calls: [{to: web}]}
  web: {kind: server, copies: 40, workers: 2, work: exp 100ms}
  scaler: {kind: autoscaler, knob: "lb.calls[0].copies", metric: web.busy / lb.available, target: 1.0, max: 40}
run: {for: 30m, window: 10s}
changes: [{at: 1s, set: {"lb.calls[0].copies": 2}}]
`
	p := play(t, copies, 1)
	// 8 busy workers, one a copy.
	near(t, "copies in use", p.mean("lb.available", 1500, 1800), 8, 1.2)
}
