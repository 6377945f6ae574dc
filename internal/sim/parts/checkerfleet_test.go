package parts_test

import (
	"math"
	"strings"
	"testing"
)

// replaced is a fleet of balancers whose checkers are replaced every half an hour
// by new ones that are without their network for some minutes.
const replaced = `name: replaced
parameters: {network: 6m}
parts:
  clients: {kind: source, rate: 2/s, call: {to: nlb}}
  nlb:
    kind: healthcheck
    balancers: 15
    targets: 4
    checkers: 20
    fleet: {life: 30m, launch: {to: hosts}, ready: {to: network}}
  hosts: {kind: gate, when_cut: refuse, call: {to: host}}
  host: {kind: server, workers: 1000, work: 1ms}
  network: {kind: server, workers: 1000, work: $network}
run: {for: 5h, window: 1m}
`

// TestCheckerFleet holds the share of checkers without their network to the
// renewal theorem: their time without it over the time from one to the next.
func TestCheckerFleet(t *testing.T) {
	t.Parallel()
	for network, minutes := range map[string]float64{"6m": 6, "90s": 1.5} {
		p := play(t, replaced, 1, "network="+network)
		share := minutes / (30 + minutes)
		spans := 60 * 300 / (30 + minutes) // that are seen
		sigma := share * math.Sqrt(2/spans)
		near(t, "share of checkers without network", p.mean("nlb.blind", 3600, 18000)/60, share, 3*sigma)
		near(t, "share of the checks that fail", p.sum("nlb.failed_checks", 3600, 18000)/p.sum("nlb.checks", 3600, 18000), share, 3*sigma)
		near(t, "replacements", p.total("nlb.replaced"), spans, 60+3*math.Sqrt(spans))
	}
	sameSeries(t, play(t, replaced, 1, "run.for=1h"), play(t, replaced, 1, "run.for=1h"))
	late := play(t, replaced, 1, "nlb.fleet.wait=true")
	near(t, "failed checks where new ones wait for their network", late.total("nlb.failed_checks"), 0, 0)
	if got := late.total("nlb.replaced"); got < 400 {
		t.Errorf("%v checkers were replaced, want some 500", got)
	}
	seldom := play(t, replaced, 1, "nlb.fleet.life=2h")
	near(t, "replacements of a longer life", seldom.total("nlb.replaced"), 60*5/2.1, 60)
}

// TestCheckerFleetWithoutHosts: while no new one can be made, the old ones go on;
// then all that are overdue are replaced at once, and lack their network together.
func TestCheckerFleetWithoutHosts(t *testing.T) {
	t.Parallel()
	p := play(t, replaced+`changes:
  - {at: 1h, for: 2h, set: {hosts.cut: 1}}
`, 2)
	near(t, "failed checks while none is made", p.sum("nlb.failed_checks", 4200, 10800), 0, 0)
	near(t, "overdue checkers at the end", p.mean("nlb.overdue", 7200, 10800), 60, 3)
	near(t, "checkers without network then", p.mean("nlb.blind", 10860, 11100), 60, 3)
	near(t, "and later", p.mean("nlb.blind", 12000, 12300), 0, 3)
}

func TestCheckerFleetGrows(t *testing.T) {
	t.Parallel()
	src := replaced + `changes:
  - {at: 1h, set: {nlb.checkers: 2x}}
  - {at: 2h, set: {nlb.checkers: 0.25x}}
`
	p := play(t, src, 1, "nlb.check=7s")
	near(t, "busy checkers", p.mean("nlb.busy", 0, 3600), 60, 1)
	near(t, "busy checkers of twice as many", p.mean("nlb.busy", 3700, 7200), 120, 1)
	near(t, "busy checkers of half as many", p.mean("nlb.busy", 7300, 18000), 30, 1)
	wantProblem(t, strings.Replace(replaced, "life: 30m, ", "life: 0s, ", 1), "clients.rate=1/s", "nlb.fleet.life", "such as 4h")
}
