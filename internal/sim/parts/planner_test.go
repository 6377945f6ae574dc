package parts_test

import (
	"slices"
	"strings"
	"testing"
)

// plans is an automation of which one applier is slow for twenty minutes.
const plans = `name: plans
parts:
  clients: {kind: source, rate: 10/s, call: {to: dns}}
  dns:
    kind: planner
    period: 30s
    endpoints: 100
    step: exp 200ms
run: {for: 60m, window: 10s}
changes:
  - {at: 10m, for: 20m, set: {dns.slow: 60}}
`

// TestPlannerRace: the race needs a run that takes longer than the generations
// that the cleaning leaves, endpoints x step x factor against keep x period.
func TestPlannerRace(t *testing.T) {
	t.Parallel()
	const seeds = 8
	hits := func(set ...string) (emptied, stale int) {
		for seed := range uint64(seeds) {
			src := plans
			if len(set) > 0 && strings.HasPrefix(set[0], "slow=") {
				src = strings.Replace(src, "dns.slow: 60", "dns.slow: "+set[0][len("slow="):], 1)
				p := play(t, src, seed, set[1:]...)
				emptied, stale = emptied+hit(p, "dns.emptied"), stale+hit(p, "dns.stale_writes")
				continue
			}
			p := play(t, src, seed, set...)
			emptied, stale = emptied+hit(p, "dns.emptied"), stale+hit(p, "dns.stale_writes")
		}
		return emptied, stale
	}
	for _, c := range []struct {
		name           string
		set            []string
		emptied, stale int // of the seeds; -1 for some
	}{
		{"as it is", nil, seeds, seeds},
		{"no slow applier", []string{"slow=1"}, 0, -1},
		{"slow by 3", []string{"slow=3"}, 0, seeds},
		{"slow by 10", []string{"slow=10"}, 0, seeds},
		{"slow by 30", []string{"slow=30"}, seeds, seeds},
		{"slow for 2 minutes", []string{"changes[0].for=2m"}, 0, seeds},
		{"three generations kept", []string{"dns.keep=3"}, seeds, seeds},
		{"fifty generations kept", []string{"dns.keep=50"}, 0, seeds},
		{"one applier", []string{"dns.appliers=1"}, 0, 0},
		{"compare and swap", []string{"dns.write=compare-and-swap"}, 0, 0},
		{"active plans are kept", []string{"dns.clean=never-active"}, 0, seeds},
		// A look before each endpoint leaves a step of the slow applier for a plan
		// to come in between, and that is far less than ten generations.
		{"look before each endpoint", []string{"dns.write=check-each"}, 0, -1},
		{"plans of endpoints are kept", []string{"dns.clean=unapplied"}, seeds, seeds},
	} {
		emptied, stale := hits(c.set...)
		if emptied != c.emptied || c.stale >= 0 && stale != c.stale {
			t.Errorf("%s: endpoints are emptied with %d of %d seeds and written stale with %d, want %d and %d",
				c.name, emptied, seeds, stale, c.emptied, c.stale)
		}
	}
}

func hit(p *played, series string) int {
	if p.total(series) > 0 {
		return 1
	}
	return 0
}

func most(p *played, series string) float64 {
	return slices.Max(p.series(series))
}

// TestPlannerRestore: an empty endpoint stays empty until somebody restores it,
// and callers come back as what they remember runs out.
func TestPlannerRestore(t *testing.T) {
	t.Parallel()
	src := plans + `  - {at: 45m, set: {dns.restore: 1}}
`
	p := play(t, src, 1)
	last := p.mean("dns.empty", 44*60, 45*60)
	if last == 0 {
		t.Fatal("no endpoint is empty")
	}
	near(t, "share of calls that fail", p.sum("clients.failed", 2640, 2700)/600, last/100, 0.07)
	near(t, "endpoints that are empty after", p.mean("dns.empty", 45*60, 3600), 0, 0)
	near(t, "calls that fail after", p.sum("clients.failed", 45*60, 3600), 0, 0)
	for _, asked := range []string{"1", "50", "100"} {
		one := play(t, src, 1, "dns.asked="+asked)
		if failed := one.sum("clients.failed", 2640, 2700); failed != 0 && failed != one.sum("clients.offered", 2640, 2700) {
			t.Errorf("%.0f calls for endpoint %s fail in a minute, want all or none", failed, asked)
		}
	}
	keeps := play(t, src, 1, "dns.negative_ttl=15m")
	n := keeps.sum("clients.failed", 45*60, 3600)
	want := last / 100 * 10 * 900 / 2 // falls to nothing in 15 minutes
	near(t, "calls that fail while the empty answer is remembered", n, want, want*0.3)
	sameSeries(t, p, play(t, src, 1))
	off := play(t, plans+"  - {at: 9m, set: {dns.automation: 0}}\n", 1)
	near(t, "plans after the automation was stopped", off.sum("dns.plans", 560, 3600), 0, 0)
	near(t, "writes after it", off.sum("dns.writes", 560, 3600), 0, 0)
	near(t, "endpoints emptied after it", off.total("dns.emptied"), 0, 0)
}

// TestPlannerHeals: where empty endpoints can be written, the next run fills them.
func TestPlannerHeals(t *testing.T) {
	t.Parallel()
	stuck, heals := play(t, plans, 1), play(t, plans, 1, "dns.on_empty=write")
	if heals.total("dns.emptied") == 0 {
		t.Fatal("no endpoint is emptied")
	}
	if got := stuck.mean("dns.empty", 3300, 3600); got < 1 {
		t.Errorf("%.0f endpoints are empty at the end, want some", got)
	}
	near(t, "endpoints that are empty once the slow applier has ended", heals.mean("dns.empty", 3300, 3600), 0, 0)
}

// TestPlannerLock: a lock that everybody waits for longer and longer keeps one
// applier away for long, though each step is as fast as ever.
func TestPlannerLock(t *testing.T) {
	t.Parallel()
	src := strings.Replace(plans, "dns.slow: 60", "dns.slow: 1", 1)
	lock := func(most string) []string {
		return []string{"dns.step=exp 60ms", "dns.lock=one", "dns.backoff.first=2s", "dns.backoff.factor=4", "dns.gap=10ms", "dns.backoff.jitter=1", "dns.backoff.most=" + most}
	}
	free := play(t, src, 1, "dns.step=exp 60ms")
	locked := play(t, src, 1, lock("1h")...)
	short := play(t, src, 1, lock("2s")...)
	if free.total("dns.lock_denied") != 0 || locked.total("dns.lock_denied") == 0 {
		t.Errorf("the lock is denied %.0f times where there is none, and %.0f times where there is one",
			free.total("dns.lock_denied"), locked.total("dns.lock_denied"))
	}
	stale := func(p *played) float64 { return p.total("dns.stale_writes") / p.total("dns.writes") }
	if stale(locked) < 4*stale(short) {
		t.Errorf("%.3g of the writes are stale where appliers wait long, and %.3g where they do not", stale(locked), stale(short))
	}
	if most(locked, "dns.delayed") < 2*most(short, "dns.delayed") {
		t.Errorf("plans are written when %.0f newer ones are there, and %.0f where nobody waits long",
			most(locked, "dns.delayed"), most(short, "dns.delayed"))
	}
	sameSeries(t, locked, play(t, src, 1, lock("1h")...))
	// Only one writes at a time: its step and the gap.
	one := play(t, src, 1, append(lock("2s"), "dns.step=100ms", "dns.gap=0s", "dns.keep=unlimited", "dns.period=1s", "dns.pause=1s")...)
	if got := one.total("dns.writes"); got > 36000 || got < 20000 {
		t.Errorf("%.0f endpoints are written in an hour by steps of 100 ms, one at a time", got)
	}
}

// TestPlannerCleansLater: between the last endpoint of a run and the cleaning
// others write.
func TestPlannerCleansLater(t *testing.T) {
	t.Parallel()
	src := strings.Replace(plans, "dns.slow: 60", "dns.slow: 20", 1)
	count := func(in string) (n float64) {
		for seed := range uint64(6) {
			n += play(t, src, seed, "dns.on_deleted=refuse", "dns.clean_in="+in).total("dns.emptied")
		}
		return n
	}
	if at, later := count("0s"), count("10s"); at == 0 || later < 2*at {
		t.Errorf("with 6 seeds %.0f endpoints are emptied by cleaning at once, and %.0f by cleaning later", at, later)
	}
}

// TestPlannerPace holds plans and writes to arithmetic.
func TestPlannerPace(t *testing.T) {
	t.Parallel()
	src := strings.Replace(plans, "dns.slow: 60", "dns.slow: 1", 1)
	p := play(t, src, 1)
	near(t, "plans", p.total("dns.plans"), 119, 1)
	one := play(t, src, 1, "dns.appliers=1", "dns.step=200ms", "dns.pause=1s")
	// Each plan is taken within a second and written in 20 s, before the next.
	near(t, "runs of one applier", one.total("dns.runs"), 119, 1)
	near(t, "writes of one applier", one.total("dns.writes"), 119*100, 100)
	near(t, "generations behind, at the end of its runs", one.mean("dns.behind", 0, 3600), 0, 0)
	slow := play(t, src, 1, "dns.appliers=1", "dns.step=600ms", "dns.pause=1s")
	near(t, "runs of a slow one", slow.total("dns.runs"), 3600/61.0, 2)
	near(t, "generations behind then", slow.mean("dns.behind", 300, 3600), 2, 0.3)
}

func TestPlannerSettings(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ set, field, help string }{
		{"dns.period=0", "dns.period", "such as 30s"},
		{"dns.appliers=0", "dns.appliers", "write 1 to"},
		{"dns.endpoints=0", "dns.endpoints", "write 1 to"},
		{"dns.step=0", "dns.step", "such as 200ms"},
		{"dns.asked=101", "dns.asked", "0 for any"},
		{"dns.write=swap", "dns.write", "compare-and-swap"},
		{"dns.clean=all", "dns.clean", "never-active"},
		{"dns.on_empty=wait", "dns.on_empty", "write"},
		{"dns.on_deleted=empty", "dns.on_deleted", "refuse"},
		{"dns.lock=one", "dns.backoff.first", "such as 1s"},
	} {
		wantProblem(t, plans, c.set, c.field, c.help)
	}
}
