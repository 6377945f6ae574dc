package parts_test

import (
	"math"
	"strings"
	"testing"
)

const gated = `
name: gated
parts:
  users: {kind: source, rate: 10/s, arrivals: regular, call: {to: gate}}
  gate: {kind: gate, call: {to: web}}
  web: {kind: server, workers: 1, work: 50ms}
run: {for: 10m, window: 1s}
changes: [{at: 60s, for: 60s, set: {gate.hold: 1}}]
`

// TestGateHold holds a minute of ten calls a second before a server of twenty,
// and holds what follows to the fluid.
func TestGateHold(t *testing.T) {
	p := play(t, gated, 1)
	near(t, "held at the end", p.series("gate.waiting")[119], 595, 1)
	near(t, "calls while the gate is shut", p.sum("web.arrived", 61, 120), 0, 0)
	// All at once: 600 calls drain at 20 - 10 a second.
	near(t, "queue half way", p.series("web.queue")[150], 295, 4)
	near(t, "queue after the drain", p.series("web.queue")[183], 0, 1)
	// Over two minutes: 5 more calls a second are no burden.
	p = play(t, gated, 1, "gate.release_over=2m")
	near(t, "calls during the release", p.mean("web.arrived", 120, 240), 15, 0.1)
	near(t, "queue during the release", p.mean("web.queue", 120, 240), 0, 1)
	// Over half a minute: 30 calls a second for a server of 20.
	p = play(t, gated, 1, "gate.release_over=30s")
	near(t, "queue after a quick release", p.series("web.queue")[150], 295, 6)
	p = play(t, gated, 1, "gate.room=100")
	near(t, "refused when there is no room", p.total("gate.refused"), 500, 2)
	p = play(t, gated, 1, "gate.hold=true", "changes[0].set.gate.hold=0")
	near(t, "held from the start", p.series("gate.waiting")[59], 595, 1)
}

// TestGateHoldWithdrawn: callers that give up and withdraw leave the gate.
func TestGateHoldWithdrawn(t *testing.T) {
	p := play(t, gated, 1, "users.call.timeout=2s", "users.call.cancel=true")
	near(t, "waiting", p.series("gate.waiting")[119], 20, 1)
	p = play(t, gated, 1, "users.call.timeout=2s")
	near(t, "waiting without anybody", p.series("gate.waiting")[119], 595, 1)
	// Of the released 580 have given up; the wait of those behind them is 30 s and
	// falls by half a second each second, so that 560 more give up in 56 s.
	near(t, "late answers", p.total("users.call.late"), 580+560, 40)
}

const cutGate = `
name: cut
parts:
  users: {kind: source, rate: 100/s, keys: {distinct: 1000}, call: {to: gate, timeout: 1s, retries: 3}}
  gate: {kind: gate, call: {to: web}}
  web: {kind: server, workers: 1000, work: 10ms}
run: {for: 20m, window: 1s}
changes: [{at: 1m, for: 10m, set: {gate.cut: 25%}}]
`

func TestGateCut(t *testing.T) {
	p := play(t, cutGate, 1)
	near(t, "share lost", p.sum("gate.dropped", 60, 660)/p.sum("gate.arrived", 60, 660), 0.25, 0.006)
	near(t, "share that fails all tries", p.sum("users.failed", 64, 660)/p.sum("users.offered", 60, 656), math.Pow(0.25, 4), 0.0008)
	near(t, "lost afterwards", p.sum("gate.dropped", 661, 1200), 0, 0)
	// The same keys fail however often they try.
	p = play(t, cutGate, 1, "gate.by=key")
	near(t, "share of keys that fails", p.sum("users.failed", 64, 660)/p.sum("users.offered", 60, 656), 0.25, 0.006)
	p = play(t, cutGate, 1, "gate.when_cut=refuse")
	near(t, "timeouts of calls that are refused", p.total("users.call.timed_out"), 0, 0)
	near(t, "refused", p.sum("gate.refused", 60, 660)/p.sum("gate.arrived", 60, 660), 0.25, 0.006)
	sameSeries(t, p, play(t, cutGate, 1, "gate.when_cut=refuse"))
	p = play(t, cutGate, 1, "gate.cut=10%", "changes[0].at=19m", "changes[0].for=0")
	near(t, "share lost from the start", p.sum("gate.dropped", 0, 1100)/p.sum("gate.arrived", 0, 1100), 0.1, 0.004)
}

// TestGateReopen lowers the cut evenly.
func TestGateReopen(t *testing.T) {
	p := play(t, cutGate, 1, "users.call.retries=0", "changes[0].set.gate.cut=1", "gate.reopen_over=5m")
	near(t, "let through in the first quarter", p.mean("web.arrived", 660, 735), 12.5, 1.3)
	near(t, "let through in the last quarter", p.mean("web.arrived", 885, 960), 87.5, 3.5)
	near(t, "let through in the end", p.mean("web.arrived", 961, 1200), 100, 2)
}

// TestGateRefetch asks again for what was lost in a minute, once for each of the
// 1000 (1 - e^-6) keys that were asked for.
func TestGateRefetch(t *testing.T) {
	cut := []string{"users.call.retries=0", "changes[0].set.gate.cut=1", "changes[0].for=1m", "gate.refetch=true"}
	p := play(t, cutGate, 1, cut...)
	near(t, "asked for again", p.total("gate.refetched"), 1000*(1-math.Exp(-6)), 5)
	near(t, "calls in the second of the heal", p.series("web.arrived")[120], 1097, 40)
	p = play(t, cutGate, 1, append(cut, "gate.refetch_over=50s")...)
	near(t, "calls a second after the heal", p.mean("web.arrived", 121, 169), 120, 6)
	near(t, "calls later", p.mean("web.arrived", 175, 600), 100, 2)
	calm := playCalm(t, cutGate, 1, cut...)
	near(t, "asked for again without feedback", calm.total("gate.refetched"), 0, 0)
}

func TestGateDelay(t *testing.T) {
	const src = `
name: delay
parts:
  users: {kind: source, rate: 100/s, class: 1, call: {to: gate}}
  gate: {kind: gate, delay: exp 200ms, delayed: 30%, call: {to: web}}
  web: {kind: server, workers: 1000, work: 10ms}
run: {for: 10m}
changes: [{at: 5m, set: {gate.delay: 1s, gate.delayed: 100%}}]
`
	p := play(t, src, 1)
	near(t, "mean latency", p.mean("users.latency.mean", 1, 300), 0.01+0.3*0.2, 0.004)
	near(t, "mean latency with another delay", p.mean("users.latency.mean", 302, 600), 1.01, 0.001)
	classes := strings.Replace(src, "delayed: 30%", "delayed: 30%, classes: [0]", 1)
	near(t, "mean latency of another class", play(t, classes, 1).mean("users.latency.mean", 1, 600), 0.01, 1e-6)
	bad := strings.Replace(src, "delayed: 30%", "classes: [9]", 1)
	wantProblem(t, bad, "gate.delayed=1", "write 0 to 7")
}

func TestGateProblems(t *testing.T) {
	wantProblem(t, gated, "gate.refetch_over=1m", "refetch: true")
	wantProblem(t, gated, "gate.when_cut=hold", "drop")
	wantProblem(t, gated, "gate.call.to=wep", "web")
}
