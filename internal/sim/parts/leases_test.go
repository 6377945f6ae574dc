package parts_test

import (
	"math"
	"strings"
	"testing"
)

// manager is a fleet of hosts whose leases take one queue. The store is asked
// first, so that work on a lease is cheap while it is away.
const manager = `name: leases
parts:
  launches: {kind: source, rate: 5/s, call: {to: hosts}}
  hosts:
    kind: leases
    hosts: 1600
    period: 4m
    lapse: uniform 5m 40m
    renew_size: 0.15
    establish_size: 4.6
    retry: {first: 60s}
    call: {to: manager, timeout: 2m}
  manager: {kind: server, workers: 2, work: 30ms, calls: [{to: store}, {to: work}]}
  store: {kind: server, workers: 1000, work: 1ms}
  work: {kind: server, workers: 1000, work: 0, work_per_size: 1s}
run: {for: 2h, window: 1m}
`

func TestLeasesSteady(t *testing.T) {
	t.Parallel()
	p := play(t, manager, 1)
	near(t, "hosts with a lease", p.mean("hosts.leased", 0, 7200), 1600, 0)
	near(t, "launches that fail", p.total("launches.failed"), 0, 0)
	near(t, "renewals a second", p.total("hosts.renewed")/7200, 1600/240.7, 0.05)
	sameSeries(t, p, play(t, manager, 1))
	fast := play(t, manager, 1, "hosts.period=3m")
	near(t, "renewals a second of a shorter period", fast.total("hosts.renewed")/7200, 1600/180.9, 0.1)
}

// TestLeasesLapse holds the leases that are left while the store is away to the
// distribution of their spans: at t, those whose span is longer than t and the
// time since their last renewal, which is half a period on average.
func TestLeasesLapse(t *testing.T) {
	t.Parallel()
	p := play(t, manager+`changes:
  - {at: 30m, set: {"manager.calls[0].cut": 1}}
`, 1)
	leased := p.series("hosts.leased")
	for _, minute := range []float64{10, 15, 20, 25, 30} {
		want := 1 - (minute+2-5)/35
		near(t, "leases left", leased[30+int(minute)]/1600, want-0.5/35, 3*math.Sqrt(want*(1-want)/1600)+0.01)
	}
	near(t, "launches that fail", p.sum("launches.failed", 80*60, 7200), p.sum("launches.offered", 80*60, 7200), 0)
}

// TestLeasesRefill: a fleet whose leases are lost at once gets them back within
// the deadline if hosts x cost / workers is less than it, in just that time. If
// it is more, those served within the deadline have them, and then the queue
// holds work that comes too late, for ever.
func TestLeasesRefill(t *testing.T) {
	t.Parallel()
	const src = `name: refill
parts:
  launches: {kind: source, rate: 1/s, call: {to: hosts}}
  hosts:
    kind: leases
    hosts: 1000
    period: 100h
    lapse: 100h
    establish_size: 1
    retry: {first: 20s}
    call: {to: manager, timeout: 100s}
  manager: {kind: server, workers: 20, work: 0, work_per_size: 1s}
run: {for: 1000s, window: 1s}
changes:
  - {at: 10s, set: {hosts.revoke: 1}}
`
	for _, c := range []struct{ hosts, backAt string }{{"1000", ""}, {"1900", ""}} {
		p := play(t, src, 1, "hosts.hosts="+c.hosts, "hosts.retry.most=20s")
		n := p.series("hosts.leased")[0]
		for at, leased := range p.series("hosts.leased") {
			if at > 10 && leased == n {
				near(t, "seconds until all have leases", float64(at-10), n/20, 1)
				break
			}
		}
		near(t, "tries that failed", p.total("hosts.not_established"), 0, 0)
	}
	p := play(t, src, 1, "hosts.hosts=6000")
	near(t, "leases of a fleet that is too large", p.mean("hosts.leased", 400, 1000), 20*100, 20)
	near(t, "useful answers later", p.sum("hosts.established", 200, 1000), 0, 20)
	calm := playCalm(t, src, 1, "hosts.hosts=6000")
	near(t, "leases without feedback", calm.mean("hosts.leased", 700, 2000), 6000, 0)
	limited := play(t, src, 1, "hosts.hosts=6000", "hosts.limit=100")
	near(t, "leases with a limit from the start", limited.mean("hosts.leased", 700, 2000), 6000, 0)
	near(t, "leases being established", limited.mean("hosts.establishing", 20, 250), 100, 1)
	for _, order := range []string{"lifo", "random"} {
		o := play(t, src, 1, "hosts.hosts=6000", "hosts.limit=100", "hosts.order="+order)
		near(t, "leases with a limit, served "+order, o.mean("hosts.leased", 400, 1000), 6000, 0)
	}
}

// TestLeasesCollapse is a manager whose store was away until most leases had
// lapsed: it needs a limit and an empty queue, and neither is enough.
func TestLeasesCollapse(t *testing.T) {
	t.Parallel()
	away := `changes:
  - {at: 10m, for: 45m, set: {"manager.calls[0].cut": 1}}
`
	const (
		limit = "  - {at: 70m, set: {hosts.limit: 20}}\n"
		clear = "  - {at: 70m, set: {manager.clear: 1}}\n"
	)
	src := strings.Replace(manager, "for: 2h", "for: 150m", 1) + away
	last := func(p *played) float64 { return p.mean("hosts.leased", 140*60, 150*60) / 800 }
	for _, c := range []struct {
		name, changes string
		back          bool
	}{
		{"nothing", "", false}, {"a limit", limit, false}, {"an empty queue", clear, false}, {"both", limit + clear, true},
	} {
		p := play(t, src+c.changes, 1, "hosts.hosts=800")
		if got := p.mean("hosts.leased", 55*60, 70*60) / 800; got > 0.1 {
			t.Errorf("%.2f of the leases are held when the store is back, want nearly none", got)
		}
		if got := last(p); (got > 0.95) != c.back {
			t.Errorf("after %s %.2f of the leases are held, want back = %v", c.name, got, c.back)
		}
	}
	if got := last(play(t, src, 1, "hosts.hosts=800", "changes[0].for=2m")); got < 0.95 {
		t.Errorf("after a short absence %.2f of the leases are held", got)
	}
	if got := last(play(t, src, 1, "hosts.hosts=800", "hosts.limit=20")); got < 0.95 {
		t.Errorf("with the limit in force from the start %.2f of the leases are held", got)
	}
}

func TestLeasesSettings(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ set, field, help string }{
		{"hosts.hosts=0", "hosts.hosts", "write 1 to"},
		{"hosts.period=0", "hosts.period", "such as 4m"},
		{"hosts.lapse=0", "hosts.lapse", "uniform 10m 160m"},
		{"hosts.lapse=1m", "hosts.lapse", "renew sooner"},
		{"hosts.retry.first=0", "hosts.retry.first", "such as 60s"},
		{"hosts.limit=0", "hosts.limit", "1 or more"},
		{"hosts.order=best", "hosts.order", "fifo, lifo, random"},
	} {
		wantProblem(t, manager, c.set, c.field, c.help)
	}
}
