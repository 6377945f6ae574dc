package parts_test

import (
	"math"
	"slices"
	"strings"
	"testing"
)

// wires are connections made at 10 a second, ordered at 5.
const wires = `name: wires
parts:
  hosts: {kind: source, rate: 5/s, arrivals: regular, call: {to: wires}}
  wires: {kind: provisioner, rate: 10/s, reissue_after: 10s}
run: {for: 400s, window: 1s}
changes:
  - {at: 100s, for: 20s, set: {wires.rate: 0}}
`

// copiesByHand counts the copies of orders in steps of a tenth of a second, in
// each of which one copy is made outside of the stall from 100 s to 120 s.
func copiesByHand(every, again, most int) (copies, wasted int) {
	type order struct {
		at, issued int
		done       bool
	}
	var line []*order
	var orders []*order
	for now := range 4000 {
		for _, o := range orders {
			if !o.done && o.issued < most && now == o.at+again*o.issued {
				o.issued++
				copies++
				line = append(line, o)
			}
		}
		if now > 0 && now%every == 0 {
			o := &order{at: now, issued: 1}
			orders = append(orders, o)
			line = append(line, o)
		}
		if len(line) > 0 && (now < 1000 || now >= 1200) {
			if line[0].done {
				wasted++
			}
			line[0].done = true
			line = line[1:]
		}
	}
	return copies, wasted
}

func TestProvisioner(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		again  string
		copies string
		ticks  int
		most   int
	}{{"10s", "1", 100, 1}, {"30s", "3", 300, 3}, {"10s", "2", 100, 2}, {"10s", "3", 100, 3}, {"5s", "4", 50, 4}} {
		copies, wasted := copiesByHand(4, c.ticks, c.most)
		p := play(t, wires, 1, "hosts.rate=2.5/s", "wires.reissue_after="+c.again, "wires.issues="+c.copies)
		near(t, "copies after "+c.again+" of "+c.copies, p.total("wires.reissued"), float64(copies), 4)
		near(t, "copies in vain", p.total("wires.wasted"), float64(wasted), 4)
		near(t, "orders done late in the run", p.sum("wires.done", 300, 400), 250, 2)
	}
	p := play(t, wires, 1, "wires.issues=1")
	near(t, "orders open at the most", slices.Max(p.series("wires.open")), 100, 3)
	near(t, "orders open half way", p.mean("wires.open", 129, 131), 50, 3)
	near(t, "orders open at the end", p.mean("wires.open", 142, 400), 0.5, 0.3)
	sameSeries(t, p, play(t, wires, 1, "wires.issues=1"))
	skip := play(t, wires, 1, "wires.skip_done=true", "wires.issues=2")
	near(t, "copies in vain that are passed over", skip.total("wires.wasted"), 0, 0)
}

// TestProvisionerStorm: once all orders wait for as long as all of their copies
// take to be issued, each costs that many, and a load of more than 1/copies
// keeps itself going.
func TestProvisionerStorm(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		rate, copies string
		stuck        bool
	}{
		{"5/s", "1", false}, {"3/s", "3", false}, {"4.5/s", "3", true}, {"4.5/s", "2", false}, {"7/s", "2", true},
	} {
		p := play(t, wires, 1, "hosts.rate="+c.rate, "wires.issues="+c.copies, "changes[0].for=100s", "run.for=2000s")
		open := p.mean("wires.open", 1900, 2000)
		if stuck := open > 50; stuck != c.stuck {
			t.Errorf("at %s with %s copies %.0f orders are open at the end, want stuck = %v", c.rate, c.copies, open, c.stuck)
		}
	}
	calm := playCalm(t, wires, 1, "hosts.rate=4.5/s", "changes[0].for=100s", "run.for=2000s")
	near(t, "orders open without feedback", calm.mean("wires.open", 1900, 2000), 0.45, 0.1)
}

// spreading is a propagator at 60 % that is blocked for ten minutes.
const spreading = `name: spreading
parts:
  launches: {kind: source, rate: 6/s, arrivals: regular, call: {to: net}}
  net: {kind: propagator, rate: 10/s, pent_up: 50%, release: 8/s}
run: {for: 2h, window: 10s}
changes:
  - {at: 10m, for: 10m, set: {net.blocked: 1}}
`

// TestPropagatorFluid holds the backlog to the fluid model: pent-up changes come
// back at 8/s on top of 6/s, so it grows by 4/s until they are all back, and
// then shrinks by 4/s.
func TestPropagatorFluid(t *testing.T) {
	t.Parallel()
	p := play(t, spreading, 1)
	pent := slices.Max(p.series("net.pent_up"))
	near(t, "changes pent up", pent, 1800, 3*math.Sqrt(3600*0.25))
	peak := slices.Max(p.series("net.backlog"))
	near(t, "backlog at the most", peak, pent/8*4, 40)
	near(t, "delay at the most", slices.Max(p.series("net.delay.mean")), pent/8*4/10, 5)
	end := 1200 + pent/8 + peak/4
	near(t, "backlog before the end", p.mean("net.backlog", end-110, end-90), 400, 40)
	near(t, "backlog after the end", p.mean("net.backlog", end+20, 7200), 0.6, 0.4)
	near(t, "changes in all", p.total("net.spread"), 6*6600+pent, 30)
	near(t, "launches turned away", p.total("launches.failed"), 3600, 2)
	sameSeries(t, p, play(t, spreading, 1))
}

func TestPropagatorSettings(t *testing.T) {
	t.Parallel()
	worst := func(set ...string) float64 { return slices.Max(play(t, spreading, 1, set...).series("net.delay.mean")) }
	base := worst()
	if fast := worst("net.rate=15/s"); fast > 1 {
		t.Errorf("the delay is %.1f s at a rate above all demand", fast)
	}
	if slow := worst("net.release=4/s"); slow > 1 {
		t.Errorf("the delay is %.1f s when no more is let back than is served", slow)
	}
	all := play(t, spreading, 1, "net.release=0/s")
	near(t, "backlog when all come back at once", slices.Max(all.series("net.backlog")), 1800, 120)
	gated := play(t, spreading, 1, "net.gate=100", "net.release=0/s")
	near(t, "delay behind a gate", slices.Max(gated.series("net.delay.mean")), 10, 0.3)
	near(t, "changes pent up at the end, behind a gate", gated.mean("net.pent_up", 7000, 7200), 0, 0)
	lifo := play(t, spreading, 1, "net.order=lifo", "net.late=30s")
	fifo := play(t, spreading, 1, "net.late=30s")
	late := fifo.total("net.late")
	if l := lifo.total("net.late"); l >= late/2 || late == 0 {
		t.Errorf("%.0f changes are late newest first and %.0f oldest first, want few of the former", l, late)
	}
	if base < 60 {
		t.Errorf("the delay is %.1f s, want more than a minute", base)
	}
	// The line holds one change about each of n things: in a flood of many, all
	// but n are superseded. In the ten seconds of the window it then shrinks by
	// 10 a second but for what comes.
	some := play(t, strings.Replace(spreading, "net.blocked: 1", "net.flood: 5000", 1), 1, "net.subjects=400")
	near(t, "backlog of a flood about 400 things", slices.Max(some.series("net.backlog")), 355, 20)
	near(t, "changes superseded", some.sum("net.superseded", 600, 610), 5000-400, 60)
	flood := play(t, strings.Replace(spreading, "net.blocked: 1", "net.flood: 1000", 1), 1)
	near(t, "changes that flooded in", flood.total("net.flooded"), 1000, 0)
	near(t, "delay of the last of them", slices.Max(flood.series("net.delay.p99")), 100, 3)
}

func TestBacklogSettings(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ src, set, field, help string }{
		{wires, "wires.rate=0/s", "wires.rate", "750/s"},
		{wires, "wires.issues=0", "wires.issues", "write 1 to"},
		{wires, "wires.issues=1", "wires.reissue_after", "2 issues"},
		{spreading, "net.rate=0/s", "net.rate", "100/s"},
		{spreading, "net.gate=0", "net.gate", "unlimited"},
		{spreading, "net.order=newest", "net.order", "fifo, lifo, random"},
	} {
		wantProblem(t, c.src, c.set, c.field, c.help)
	}
}
