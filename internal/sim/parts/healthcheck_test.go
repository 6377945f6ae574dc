package parts_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

// balancers are checked with ease.
const balancers = `name: balancers
parts:
  clients: {kind: source, rate: 50/s, call: {to: nlb}}
  nlb:
    kind: healthcheck
    balancers: 100
    targets: 4
    checkers: 20
run: {for: 20m, window: 10s}
`

func TestHealthcheckSteady(t *testing.T) {
	t.Parallel()
	p := play(t, balancers, 1)
	near(t, "checks a second", p.total("nlb.checks")/1200, 1200.0/10, 1)
	near(t, "busy checkers", p.mean("nlb.busy", 0, 1200), 120*0.02, 0.05)
	near(t, "state changes", p.total("nlb.state_changes"), 0, 0)
	near(t, "calls that fail", p.total("clients.failed"), 0, 0)
	sameSeries(t, p, play(t, balancers, 1))
}

// TestHealthcheckFlaps holds the state of targets whose checks fail at random to
// the waiting time for a run of k: (1-p^k)/(p^k(1-p)) checks.
func TestHealthcheckFlaps(t *testing.T) {
	t.Parallel()
	run := func(p float64, k int) float64 {
		pk := math.Pow(p, float64(k))
		return (1 - pk) / (pk * (1 - p))
	}
	for _, c := range []struct {
		bad        float64
		fall, rise int
	}{{0.2, 1, 1}, {0.2, 2, 2}, {0.3, 3, 1}, {0.3, 1, 3}} {
		p := play(t, balancers, 2, fmt.Sprint("nlb.bad=", c.bad), fmt.Sprint("nlb.fall=", c.fall), fmt.Sprint("nlb.rise=", c.rise),
			"nlb.change=50ms")
		until, back := run(c.bad, c.fall), run(1-c.bad, c.rise)
		checks := p.sum("nlb.checks", 200, 1200)
		rate := 2 / (until + back)
		near(t, fmt.Sprintf("changes a check with %v", c), p.sum("nlb.state_changes", 200, 1200)/checks, rate, 4*math.Sqrt(rate/checks))
		share := back / (until + back)
		near(t, fmt.Sprintf("share of the targets out with %v", c), p.mean("nlb.out", 200, 1200)/1200, share, 0.015)
		near(t, "busy checkers", p.mean("nlb.busy", 200, 1200), 120*(0.02+0.05*rate), 0.15)
	}
}

// TestHealthcheckLate holds the delay of checks that checkers cannot keep up
// with to their cycle: all checks of a zone one after the other.
func TestHealthcheckLate(t *testing.T) {
	t.Parallel()
	// 400 targets in a zone, a check takes 0.5 s: 20 s with 10 checkers.
	late := play(t, balancers, 3, "nlb.check=500ms", "nlb.checkers=10")
	near(t, "delay of the checks", late.mean("nlb.late.mean", 600, 1200), 10, 0.5)
	near(t, "zones out", late.mean("nlb.zones_out", 600, 1200), 200, 0)
	near(t, "targets in DNS", late.mean("nlb.in_dns", 600, 1200), 400, 0)
	for most, want := range []float64{0, 100, 200, 200} {
		p := play(t, balancers, 3, "nlb.check=500ms", "nlb.checkers=10", fmt.Sprint("nlb.most_zones=", most))
		near(t, fmt.Sprintf("zones out of %d at most", most), p.mean("nlb.zones_out", 600, 1200), want, 0)
	}
	off := play(t, balancers, 3, "nlb.check=500ms", "nlb.checkers=10", "nlb.failover=false")
	near(t, "zones out without failover", off.mean("nlb.zones_out", 600, 1200), 0, 0)
	near(t, "zones out with a later limit", play(t, balancers, 3, "nlb.check=500ms", "nlb.checkers=10",
		"nlb.late=15s").mean("nlb.zones_out", 600, 1200), 0, 0)
	// One zone of three is left: a load of x between 0.2 and 0.8 of all loses
	// 1-1/(3x) of the calls, if it is more than a third.
	x := func(x float64) float64 { return x - math.Log(x)/3 }
	want := (x(0.8) - x(1.0/3)) / 0.6
	n := late.sum("clients.offered", 600, 1200)
	near(t, "share of the calls that fail", late.sum("clients.failed", 600, 1200)/n, want, 0.06)
	near(t, "overloaded balancers", late.mean("nlb.overloaded", 600, 1200), 100*(0.8-1.0/3)/0.6, 3*math.Sqrt(100*0.22*0.78))
	near(t, "share with a light load", play(t, balancers, 3, "nlb.check=500ms", "nlb.checkers=10",
		"nlb.load=0.3").sum("clients.failed", 600, 1200), 0, 0)
}

// TestHealthcheckDown: targets that are down fail their calls until they are
// out, after the checks that this takes; with all out, all are in DNS.
func TestHealthcheckDown(t *testing.T) {
	t.Parallel()
	src := balancers + `changes:
  - {at: 300s, for: 300s, set: {nlb.down: 0.25}}
`
	for _, fall := range []float64{1, 3} {
		p := play(t, src, 4, fmt.Sprint("nlb.fall=", fall), "nlb.load=0.3")
		down := p.mean("nlb.out", 400, 600)
		near(t, "targets down", down, 300, 3*math.Sqrt(1200*0.25*0.75))
		want := 50 * down / 1200 * (10*fall - 5)
		near(t, fmt.Sprintf("calls that fail until %v checks have", fall), p.total("clients.failed"), want, 4*math.Sqrt(want)+2)
	}
	all := strings.Replace(src, "0.25", "1", 1)
	near(t, "targets in DNS when all fail", play(t, all, 4).mean("nlb.in_dns", 400, 600), 1200, 0)
	near(t, "targets in DNS when all fail, closed", play(t, all, 4, "nlb.fail_open=false").mean("nlb.in_dns", 400, 600), 0, 0)
}

// spell is a fleet of balancers whose checks fail at random for a while because
// some checkers lack their network, where each change of state costs time.
const spell = `name: spell
parts:
  clients: {kind: source, rate: 20/s, call: {to: nlb}}
  nlb:
    kind: healthcheck
    balancers: 100
    targets: 6
    checkers: 3
    change: 150ms
run: {for: 15m, window: 10s}
changes:
  - {at: 2m, for: 8m, set: {nlb.bad_1: 0.30, nlb.bad_2: 0.25, nlb.bad_3: 0.15}}
`

// TestHealthcheckLoop finds what the cost of changes does: checks come late, zones
// leave DNS and the rest is overloaded, for as long as checks fail.
func TestHealthcheckLoop(t *testing.T) {
	t.Parallel()
	errors := func(set ...string) float64 {
		p := play(t, spell, 1, set...)
		near(t, "errors after the spell", p.sum("clients.failed", 720, 900), 0, 0)
		return p.sum("clients.failed", 240, 600) / p.sum("clients.offered", 240, 600)
	}
	base := errors()
	if base < 0.1 {
		t.Errorf("the errors are %.3f, want many", base)
	}
	for _, c := range []struct {
		set  string
		most float64
	}{
		{"nlb.change=0", 0.03}, {"nlb.most_zones=0", 0.03}, {"nlb.failover=false", 0.03}, {"nlb.checkers=9", 0.03},
		{"nlb.fall=3", 0.01}, {"nlb.most_zones=1", base * 0.7},
	} {
		if got := errors(c.set); got > c.most {
			t.Errorf("with %s the errors are %.3f, want at most %.3f (they are %.3f without)", c.set, got, c.most, base)
		}
	}
	off := play(t, spell+"  - {at: 5m, set: {nlb.failover: 0}}\n", 1)
	near(t, "zones out once failover is off", off.mean("nlb.zones_out", 310, 600), 0, 0)
}

func TestHealthcheckSettings(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ set, field, help string }{
		{"nlb.balancers=0", "nlb.balancers", "write 1 to"},
		{"nlb.zones=17", "nlb.zones", "write 1 to 16"},
		{"nlb.targets=0", "nlb.targets", "1 or more"},
		{"nlb.interval=0", "nlb.interval", "such as 10s"},
		{"nlb.fall=0", "nlb.fall", "write 1 to"},
		{"nlb.rise=0", "nlb.rise", "write 1 to"},
		{"nlb.checkers=0", "nlb.checkers", "write 1 to"},
		{"nlb.check=0", "nlb.check", "such as 20ms"},
		{"nlb.check=2s", "nlb.checkers", "check less often"},
	} {
		wantProblem(t, balancers, c.set, c.field, c.help)
	}
}
