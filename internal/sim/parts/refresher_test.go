package parts_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

// easy is a fleet whose metadata service has room for all.
const easy = `name: fleet
parts:
  customers: {kind: source, rate: 400/s, call: {to: fleet}}
  fleet:
    kind: refresher
    members: 4000
    period: 100s
    jitter: 20%
    retry: {first: 5s, factor: 1, most: 5s}
    call: {to: meta, timeout: 2s}
  meta: {kind: server, workers: 64, work: 50ms}
run: {for: 400s, window: 10s}
`

func TestRefresherRate(t *testing.T) {
	t.Parallel()
	p := play(t, easy, 1)
	// Renewals of a period and an answer each: a renewal process.
	rate := p.sum("fleet.refreshed", 100, 400) / 300
	near(t, "refreshes a second", rate, 4000/100.05, 0.6)
	near(t, "members in service", p.mean("fleet.in_service", 0, 400), 4000, 0)
	near(t, "failed customers", p.total("customers.failed"), 0, 0)
	sameSeries(t, p, play(t, easy, 1))
	half := play(t, easy, 1, "fleet.period=200s")
	near(t, "refreshes a second of twice the period", half.sum("fleet.refreshed", 0, 400)/400, 4000/200.05, 0.6)
}

// TestRefresherCut holds the members that are cut off, and the calls that then
// fail, to the binomial distribution.
func TestRefresherCut(t *testing.T) {
	t.Parallel()
	const cut = easy + `changes:
  - {at: 100s, for: 100s, set: {fleet.cut: 0.25}}
`
	var sizes []float64
	for seed := range uint64(20) {
		p := play(t, cut, seed, "fleet.members=400", "customers.rate=1/s", "run.for=250s")
		sizes = append(sizes, p.mean("fleet.cut_off", 110, 200))
	}
	mean, square := 0.0, 0.0
	for _, x := range sizes {
		mean += x / 20
		square += x * x / 20
	}
	sd := math.Sqrt(400 * 0.25 * 0.75)
	near(t, "mean of the members cut off", mean, 100, 3*sd/math.Sqrt(20))
	near(t, "their standard deviation", math.Sqrt(square-mean*mean), sd, 3*sd/math.Sqrt(2*20))

	for _, c := range []struct {
		set  []string
		want func(up float64) float64 // share of the calls that find enough members
	}{
		{nil, func(u float64) float64 { return u }},
		{[]string{"fleet.serve.asks=3", "fleet.serve.needs=2"}, func(u float64) float64 { return u * u * (3 - 2*u) }},
		{[]string{"fleet.serve.asks=3", "fleet.serve.needs=3"}, func(u float64) float64 { return u * u * u }},
		{[]string{"fleet.serve.asks=2", "fleet.serve.needs=1"}, func(u float64) float64 { return 1 - (1-u)*(1-u) }},
	} {
		p := play(t, cut, 7, c.set...)
		up := p.mean("fleet.in_service", 110, 200) / 4000
		near(t, "share up", up, 0.75, 3*math.Sqrt(0.25*0.75/4000))
		n := p.sum("customers.offered", 110, 200)
		want := c.want(up)
		near(t, fmt.Sprint("share of calls answered with ", c.set), 1-p.sum("customers.failed", 110, 200)/n, want,
			3*math.Sqrt(want*(1-want)/n))
	}
}

// TestRefresherHeals lets members that are back refresh within a span, once,
// and counts whom the cut has cost its place.
func TestRefresherHeals(t *testing.T) {
	t.Parallel()
	const src = easy + `changes:
  - {at: 100s, for: 30s, set: {fleet.cut: 0.5}}
`
	p := play(t, src, 3)
	n := p.mean("fleet.cut_off", 110, 130)
	// Those whose refresh came due meanwhile: 30 s of a period of 100 s.
	near(t, "members that left", p.total("fleet.left"), 0.3*n, 3*math.Sqrt(n*0.3*0.7)+10)
	near(t, "members that returned", p.total("fleet.returned"), p.total("fleet.left"), 0)
	healed := p.sum("fleet.refreshed", 130, 140) - 0.5*40*10
	near(t, "refreshes on the heal", healed, n, 3*math.Sqrt(400)+20)
	slow := play(t, src, 3, "fleet.heal_within=100s")
	if got := slow.sum("fleet.refreshed", 130, 140); got > 0.6*healed {
		t.Errorf("%.0f refreshes in 10 s of a heal that takes 100 s, %.0f in one of 1 s", got, healed)
	}
	stay := play(t, src, 3, "fleet.on_fail=stay")
	near(t, "members that left though they stay", stay.total("fleet.left"), 0, 0)

	restart := play(t, easy+`changes:
  - {at: 100s, set: {fleet.restart: 0.5}}
`, 3)
	near(t, "members that left on a restart", restart.total("fleet.left"), 2000, 3*math.Sqrt(1000))
	near(t, "members in service after it", restart.mean("fleet.in_service", 120, 400), 4000, 0)
}

// TestRefresherPause: of members that may not refresh, those leave whose turn
// comes, and nobody asks for them. Let go on over a time, they come back evenly;
// at once, they come within the wait for a retry.
func TestRefresherPause(t *testing.T) {
	t.Parallel()
	const src = easy + `changes:
  - {at: 100s, set: {fleet.pause: 1}}
  - {at: 230s, set: {fleet.pause: 0}}
`
	p := play(t, src, 1, "fleet.retry.jitter=90%")
	near(t, "members out after half a period", p.mean("fleet.out", 140, 160), 2000, 150)
	near(t, "members out after a period and more", p.mean("fleet.out", 221, 230), 4000, 0)
	near(t, "refreshes while none is allowed", p.sum("fleet.call.attempts", 101, 230), 0, 40)
	near(t, "members out 10 s after they may", p.mean("fleet.out", 240, 250), 0, 0)
	near(t, "refreshes of the 10 s after it", p.sum("fleet.refreshed", 230, 240), 4000, 0)
	slow := play(t, strings.Replace(src, "230s,", "230s, over: 100s,", 1), 1)
	near(t, "members out half way", slow.mean("fleet.out", 280, 290), 4000*(1-0.5), 200)
	near(t, "refreshes a second half way", slow.sum("fleet.refreshed", 260, 300)/40, 40, 4)
	stay := play(t, src, 1, "fleet.on_fail=stay", "fleet.stale_after=150s", "fleet.jitter=0%")
	near(t, "members out while what they have is fresh enough", stay.mean("fleet.out", 100, 140), 0, 0)
	near(t, "members out when the half of it is not", stay.mean("fleet.out", 190, 210), 2000, 150)
	near(t, "members out at last", stay.mean("fleet.out", 250, 400), 0, 0)
	sameSeries(t, p, play(t, src, 1, "fleet.retry.jitter=90%"))
}

// TestRefresherSizes holds what members ask for to the mean of their sizes.
func TestRefresherSizes(t *testing.T) {
	t.Parallel()
	sized := []string{"meta.work=0", "meta.work_per_size=1ms", "fleet.size=uniform 10 30"}
	busy := func(set ...string) float64 {
		p := play(t, easy, 5, append(set, sized...)...)
		return p.mean("meta.busy", 100, 400)
	}
	near(t, "workers that are busy", busy(), 40*0.020, 0.02)
	near(t, "workers, a quarter of the members five times as large",
		busy("fleet.grown=25%", "fleet.growth=5x"), 40*0.020*2, 0.08)
	near(t, "workers, no member above 20", busy("fleet.size_most=20"), 40*0.0175, 0.02)
}

// plateau is a small version of a fleet whose large members cannot refresh in
// time once the metadata service has a queue: their work is done for nothing,
// they come back soon, and small ones find no room.
const plateau = `name: plateau
parts:
  customers: {kind: source, rate: 20/s, call: {to: fleet}}
  fleet:
    kind: refresher
    members: 4600
    period: 600s
    size: lognormal 110 p99 196.8
    grown: 30%
    growth: 11x
    size_most: 1480
    retry: {first: 6s, factor: 1, most: 6s, jitter: 33%}
    call: {to: meta, timeout: 5s}
  meta: {kind: server, workers: 14, room: 28, work: 50ms, work_per_size: 2.5ms}
run: {for: 50m, window: 1m}
changes:
  - {at: 10m, for: 1m, set: {fleet.cut: 0.25}}
`

// failing returns the share of the customers' requests that fail between two
// minutes.
func failing(p *played, from, to float64) float64 {
	return p.sum("customers.failed", from*60, to*60) / p.sum("customers.offered", from*60, to*60)
}

// TestRefresherPlateau finds the level that keeps itself going: strictly between
// none and all, flat, and the same whatever the trigger was.
func TestRefresherPlateau(t *testing.T) {
	t.Parallel()
	var levels []float64
	for _, cut := range []string{"0.1", "1"} {
		p := play(t, strings.ReplaceAll(plateau, "cut: 0.25", "cut: "+cut), 1)
		near(t, "errors before the trigger", failing(p, 0, 10), 0, 0.001)
		levels = append(levels, failing(p, 30, 50))
		near(t, "drift of the plateau after "+cut, failing(p, 40, 50)-failing(p, 30, 40), 0, 0.03)
		for _, s := range []string{"fleet.left", "fleet.returned"} {
			for w := 25.0; w < 50; w += 5 {
				if p.sum(s, w*60, w*60+300) == 0 {
					t.Errorf("%s is 0 from minute %.0f on, want churn", s, w)
				}
			}
		}
		if useful := 1 - p.sum("meta.wasted", 1800, 3000)/p.sum("meta.done", 1800, 3000); useful > 0.6 {
			t.Errorf("%.2f of the answers are of use, want most of the work to be for nobody", useful)
		}
	}
	for _, l := range levels {
		if l < 0.4 || l > 0.7 {
			t.Errorf("the plateau is %.3f, want it strictly between 0 and 1", l)
		}
		near(t, "the plateau, against another trigger", l, levels[0], 0.03)
	}
}

// TestRefresherEscapes shows what keeps the fleet from tipping: each change by
// itself, and the fleet without the trigger or without its way back.
func TestRefresherEscapes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, set string }{
		{"no trigger", "changes[0].at=49m"},
		{"the sizes of before", "fleet.growth=5x"},
		{"capacity beforehand", "meta.workers=42"},
		{"a longer deadline", "fleet.call.timeout=8s"},
	} {
		p := play(t, plateau, 1, c.set)
		near(t, "errors with "+c.name, failing(p, 35, 49), 0, 0.01)
	}
	// The work of the losers, 1380 members of 3.1 s each, must fit beside the rest.
	long := play(t, plateau, 1, "fleet.retry.first=600s", "fleet.retry.most=600s", "run.for=90m")
	near(t, "errors with a long wait before another try", failing(long, 75, 90), 0, 0.01)
	near(t, "errors without feedback", failing(playCalm(t, plateau, 1), 35, 50), 0, 0.01)
}

// TestRefresherStale is a copy that may be stale: with k tries before it is too
// old, each of which fails with probability p, a share p^k of the renewals ends
// out of service.
func TestRefresherStale(t *testing.T) {
	t.Parallel()
	src := easy + `changes:
  - {at: 0s, set: {fleet.call.cut: 0.6}}
`
	// A try fails after 2 s, and the next one begins 5 s later: by 23 s after
	// the period there were 3 more tries.
	set := []string{"fleet.on_fail=stay", "fleet.stale_after=125s", "fleet.jitter=0%", "run.for=1000s", "customers.rate=1/s"}
	p := play(t, src, 1, set...)
	n := p.sum("fleet.refreshed", 200, 1000)
	// Tries end at 102, 109, 116, 123, 130: the fifth failure ends it.
	want := math.Pow(0.6, 5)
	near(t, "share of the renewals that end out of service", p.sum("fleet.left", 200, 1000)/n, want, 4*math.Sqrt(want/n)+0.003)
	forever := play(t, src, 1, "fleet.on_fail=stay", "run.for=1000s", "customers.rate=1/s")
	near(t, "members that leave though nothing is too old", forever.total("fleet.left"), 0, 0)
	cut := play(t, easy+`changes:
  - {at: 100s, set: {fleet.cut: 1}}
`, 1, "fleet.on_fail=stay", "fleet.stale_after=150s", "fleet.jitter=0%")
	near(t, "members out while what they have is fresh enough", cut.mean("fleet.out", 100, 140), 0, 0)
	near(t, "members out when nothing is", cut.mean("fleet.out", 260, 400), 4000, 0)
}

func TestRefresherSettings(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ set, field, help string }{
		{"fleet.members=0", "fleet.members", "write 1 to"},
		{"fleet.period=0", "fleet.period", "such as 10m"},
		{"fleet.retry.first=0", "fleet.retry.first", "such as 5s"},
		{"fleet.retry.factor=0.5", "fleet.retry.factor", "1 or more"},
		{"fleet.retry.jitter=100%", "fleet.retry.jitter", "90%"},
		{"fleet.serve.needs=4", "fleet.serve.needs", "ask more"},
		{"fleet.serve.asks=40", "fleet.serve.asks", "write 1 to 16"},
		{"fleet.stale_after=5m", "fleet.stale_after", "stay on_fail"},
		{"fleet.stale_after=50s", "fleet.stale_after", "more than the period"},
		{"fleet.on_fail=panic", "fleet.on_fail", "leave, stay"},
	} {
		wantProblem(t, easy, c.set, c.field, c.help)
	}
}
