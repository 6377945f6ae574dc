package parts_test

import (
	"strings"
	"testing"
)

const rolled = `
name: rolled
parts:
  users: {kind: source, rate: 80/s, arrivals: regular, call: {to: lb, timeout: 1s}}
  lb: {kind: balancer, policy: round_robin, calls: [{to: web}]}
  web: {kind: server, copies: 8, workers: 4, work: 10ms}
  deploy: {kind: rolling, of: [web], start: 60s, batch: 2, gap: 60s, downtime: 15s}
run: {for: 10m, window: 1s}
changes: [{at: 9m, set: {deploy.start: 0}}]
`

// TestRollingTimes: batches of two stop at 60, 135, 210 and 285 s for 15 s, and a
// quarter of the calls finds them stopped.
func TestRollingTimes(t *testing.T) {
	p := play(t, rolled, 1)
	down, failed := p.series("deploy.down"), p.series("users.failed")
	for second := range 600 {
		in := second >= 60 && second < 300 && (second-60)%75 < 15
		want := 0.0
		if in {
			want = 2
		}
		near(t, "copies down", down[second], want, 0)
		near(t, "failed calls", failed[second], 10*want, 1)
	}
	near(t, "copies done", p.series("deploy.done")[350], 8, 0)
	near(t, "calls of the first copy in the first stop", p.sum("web.0.refused", 60, 75), 150, 2)
	sameSeries(t, p, play(t, rolled, 1))
}

func TestRollingSettings(t *testing.T) {
	downAt := func(second int, set ...string) float64 {
		return play(t, rolled, 1, set...).series("deploy.down")[second]
	}
	near(t, "down with a batch of three", downAt(61, "deploy.batch=3"), 3, 0)
	near(t, "down after the last whole batch", downAt(212, "deploy.batch=3"), 2, 0)
	near(t, "down later with a longer gap", downAt(140, "deploy.gap=2m"), 0, 0)
	near(t, "down with a longer downtime", downAt(80, "deploy.downtime=30s"), 2, 0)
	near(t, "done when it stops at half", play(t, rolled, 1, "deploy.stop_at=50%").series("deploy.done")[500], 4, 0)
	p := play(t, rolled, 1, "deploy.order=backward")
	near(t, "calls that the last copy refuses first", p.sum("web.7.refused", 60, 75), 150, 2)
	if a, b := play(t, rolled, 1, "deploy.order=random"), play(t, rolled, 2, "deploy.order=random"); a.sum("web.3.refused", 60, 135) == b.sum("web.3.refused", 60, 135) &&
		a.sum("web.0.refused", 60, 135) == b.sum("web.0.refused", 60, 135) && a.sum("web.5.refused", 60, 135) == b.sum("web.5.refused", 60, 135) {
		t.Error("two random orders are alike")
	}
	// With a drain, nobody calls a copy that stops.
	near(t, "failed with a drain", play(t, rolled, 1, "deploy.drain=5s").total("users.failed"), 0, 0)
	// An operator begins and stops it.
	byHand := strings.Replace(rolled, "start: 60s", "start: 0", 1)
	p = play(t, byHand, 1, "changes[0].at=100s", "changes[0].set.deploy.start=1")
	near(t, "down after the start by hand", p.series("deploy.down")[101], 2, 0)
	stop := strings.Replace(rolled, "at: 9m, set: {deploy.start: 0}", "at: 100s, set: {deploy.stop: 1}", 1)
	near(t, "done after a stop", play(t, stop, 1).series("deploy.done")[500], 2, 0)
}

// TestRollingGuard deploys a version that is too slow to answer in time. The
// guard lets the share of failures decide.
func TestRollingGuard(t *testing.T) {
	bad := strings.Replace(rolled, "batch: 2,", "batch: 2, change: [{knob: speed, to: 0.1%}],", 1)
	bad = strings.Replace(bad, "downtime: 15s", "drain: 5s, downtime: 15s", 1)
	p := play(t, bad, 1)
	near(t, "failing without a guard", p.mean("users.failed", 500, 600), 80, 1)
	guard := strings.Replace(bad, "batch: 2,", "batch: 2, guard: {metric: users.failed / users.offered, above: 2%, window: 20s},", 1)
	p = play(t, guard, 1)
	near(t, "done when the guard has stopped it", p.series("deploy.done")[500], 2, 0)
	near(t, "failing after the stop", p.mean("users.failed", 500, 600), 20, 1)
	back := strings.Replace(guard, "window: 20s", "window: 20s, then: roll_back", 1)
	p = play(t, back, 1)
	near(t, "failing after the roll-back", p.mean("users.failed", 500, 600), 0, 0)
	near(t, "copies rolled back", p.total("deploy.rolled_back"), 2, 0)
}

func TestRollingProblems(t *testing.T) {
	wantProblem(t, rolled, "deploy.batch=0", "1 or more")
	wantProblem(t, rolled, "deploy.downtime=0", "nothing happens")
	wantProblem(t, rolled, "deploy.knob=dwn", "web.down")
	wantProblem(t, strings.Replace(rolled, "of: [web]", "of: [wep]", 1), "deploy.batch=1", "no part is named", "web")
	guard := strings.Replace(rolled, "batch: 2,", "batch: 2, guard: {metric: user.failed, above: 2%},", 1)
	wantProblem(t, guard, "deploy.batch=1", "user.failed", "users.failed")
	wantProblem(t, guard, "deploy.guard.window=0", "1ms or more")
}
