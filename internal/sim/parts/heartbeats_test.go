package parts_test

import (
	"math"
	"testing"
)

// beats is a cell of hosts that report to a collector.
const beats = `name: beats
parts:
  customers: {kind: source, rate: 100/s, call: {to: cell}}
  cell:
    kind: heartbeats
    hosts: 100
    heavy: 10
    light: 190
    period: 20s
    unhealthy_after: 90s
    call: {to: collector}
  collector: {kind: server, work: 10ms, work_per_size: 100us}
run: {for: 30m, window: 10s}
`

func TestHeartbeatsSteady(t *testing.T) {
	t.Parallel()
	p := play(t, beats, 1)
	near(t, "reports a second", p.total("cell.reports")/1800, 100.0/20, 0.05)
	near(t, "hosts taken out", p.total("cell.taken_out"), 0, 0)
	near(t, "customers that fail", p.total("customers.failed"), 0, 0)
	sameSeries(t, p, play(t, beats, 1))
	for _, c := range []struct {
		set  string
		cost float64 // of the reports of a host
	}{
		{"cell.knee=0", 0.010 + 100e-6*200},
		{"cell.knee=100", 0.010 + 100e-6*200*3},
		{"cell.part=50", 4 * (0.010 + 100e-6*50)},
		{"cell.light=90", 0.010 + 100e-6*100},
	} {
		p := play(t, beats, 1, c.set)
		near(t, "use of the collector with "+c.set, p.mean("collector.busy", 0, 1800), c.cost*100/20, 0.005)
	}
}

// TestHeartbeatsDetect: a host that goes down answers nothing until it counts as
// failed, which is unhealthy_after from its last report, half a period before.
func TestHeartbeatsDetect(t *testing.T) {
	t.Parallel()
	const src = beats + `changes:
  - {at: 300s, for: 600s, set: {cell.down: 0.3}}
`
	p := play(t, src, 2)
	down := p.total("cell.taken_out")
	near(t, "hosts down", down, 30, 3*math.Sqrt(100*0.3*0.7))
	near(t, "hosts taken out alive", p.total("cell.taken_out_alive"), 0, 0)
	near(t, "hosts back", p.mean("cell.healthy", 1000, 1800), 100, 0)
	want := 100 * down / 100 * (90 - 10)
	near(t, "customers that fail", p.total("customers.failed"), want, 4*math.Sqrt(want)+want*0.05)
	p = play(t, src, 2, "cell.unhealthy_after=180s")
	want = 100 * down / 100 * (180 - 10)
	near(t, "customers that fail until a late detection", p.total("customers.failed"), want, 4*math.Sqrt(want)+want*0.05)
	p = play(t, src, 2, "cell.place.most=3", "cell.place.window=1h")
	near(t, "hosts taken out under a cap", p.total("cell.taken_out"), 3, 0)
}

// TestHeartbeatsPlace moves the items of one host in three ways.
func TestHeartbeatsPlace(t *testing.T) {
	t.Parallel()
	const src = beats + `changes:
  - {at: 300s, for: 60s, set: {cell.rollout: 1}}
`
	most := func(set ...string) float64 { return play(t, src, 1, set...).mean("cell.most_items", 310, 600) }
	near(t, "items of the largest host, by uneven traffic", most("cell.traffic=uniform 0.5 1.5"), 200+190, 11)
	near(t, "items of the largest host, by count", most("cell.place.by=count"), 200+190.0/lumpsOf(190)+1, 2)
	near(t, "items of the largest host, in chunks", most("cell.traffic=uniform 0.5 1.5", "cell.place.chunk=20"), 200+20, 11)
	near(t, "items of the largest host, by the traffic of equals", most("cell.light_traffic=1"), 203, 4)
	near(t, "items that moved", play(t, src, 1).total("cell.items_moved"), 200, 0)
	// Of items of the same traffic, those of one host among a hundred are one more
	// on ten others.
	near(t, "most traffic before", play(t, src, 1).mean("cell.most_traffic", 0, 290), 100, 0)
	near(t, "most traffic after", play(t, src, 1).mean("cell.most_traffic", 310, 600), 110, 0)
}

// lumpsOf is in how many steps light items move.
func lumpsOf(n float64) float64 { return n / math.Ceil(n/32) }

// TestHeartbeatsConnect holds the items that cannot be asked, for want of a
// connection, to the time that making these takes: ten items move, whose
// connections are made one after the other.
func TestHeartbeatsConnect(t *testing.T) {
	t.Parallel()
	const src = `name: connections
parts:
  customers: {kind: source, rate: 200/s, call: {to: cell}}
  cell:
    kind: heartbeats
    hosts: 100
    heavy: 10
    call: {to: collector}
    connect: {to: wires}
    connect_heavy: 1
  collector: {kind: server, work: 1ms}
  wires: {kind: server, work: 0, work_per_size: 10s}
run: {for: 10m, window: 10s}
changes:
  - {at: 60s, for: 60s, set: {cell.rollout: 1}}
`
	items := func(mean float64) float64 { return 200.0 / 1000 * mean * (1 + 10) * 10 / 2 }
	p := play(t, src, 3)
	near(t, "customers that fail", p.total("customers.failed"), items(10), 3.5*math.Sqrt(items(10)))
	p = play(t, src, 3, "cell.connect_heavy=2")
	near(t, "customers that fail, two connections each", p.total("customers.failed"), items(20), 3.5*math.Sqrt(items(20)))
	near(t, "hosts back", p.mean("cell.healthy", 500, 600), 100, 0)
}

// cell is a cell whose deployment drains one host after the other. Its light
// items weigh next to nothing, so the balance by traffic piles them up.
const cell = `name: cell
parts:
  customers: {kind: source, rate: 2/s, call: {to: cell}}
  cell:
    kind: heartbeats
    hosts: 80
    heavy: 40
    light: 2500
    light_traffic: 0.000001
    traffic: uniform 0.5 1.5
    period: 30s
    knee: 2000
    unhealthy_after: 90s
    place: {by: traffic, chunk: 5000}
    rollout: {gap: 358s, down: 120s}
    call: {to: collector}
    connect: {to: wires, timeout: 60s, retries: 2}
    connect_heavy: 20
    connect_light: 4
  collector: {kind: server, work: 10ms, work_per_size: 29.3us}
  wires: {kind: server, work: 0, work_per_size: 1333us}
run: {for: 10h, window: 1m}
changes:
  - {at: 1s, set: {cell.rollout: 1}}
`

// TestHeartbeatsStorm finds the deployment that goes well for hours and then
// does not, and what would have kept it from that.
func TestHeartbeatsStorm(t *testing.T) {
	t.Parallel()
	for seed := range uint64(4) {
		p := play(t, cell, seed)
		onset, most := -1, p.series("cell.most_items")
		for i, v := range p.series("cell.taken_out_alive") {
			if v > 0 {
				onset = i
				break
			}
		}
		if onset < 180 || onset > 480 {
			t.Errorf("with seed %d hosts that live are taken out at minute %d, want some hours into the deployment", seed, onset)
			continue
		}
		if most[onset-1] < 4*2540 {
			t.Errorf("with seed %d the largest host has %.0f items then, want many times the 2540 of an even cell", seed, most[onset-1])
		}
	}
	for _, set := range []string{
		"cell.place.by=count", "cell.part=5000", "cell.knee=0", "collector.workers=2", "cell.light=0", "changes[0].at=9h",
	} {
		p := play(t, cell, 1, set)
		near(t, "hosts that live and are taken out with "+set, p.total("cell.taken_out_alive"), 0, 0)
	}
	near(t, "hosts that live and are taken out without feedback", playCalm(t, cell, 1).total("cell.taken_out_alive"), 0, 0)
}

func TestHeartbeatsSettings(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ set, field, help string }{
		{"cell.hosts=1", "cell.hosts", "write 2 to"},
		{"cell.heavy=0", "cell.heavy", "1 or more"},
		{"cell.period=0", "cell.period", "such as 30s"},
		{"cell.unhealthy_after=20s", "cell.unhealthy_after", "a few periods"},
		{"cell.part=0", "cell.part", "unlimited"},
		{"cell.rollout.down=10m", "cell.rollout.gap", "a longer gap"},
		{"cell.light_traffic=2", "cell.light_traffic", "0 to 1"},
		{"cell.place.room=100", "cell.place.room", "what a host holds at first"},
		{"cell.renew=10m", "cell.renew", "under connect"},
		{"cell.place.by=weight", "cell.place.by", "traffic, count, both"},
	} {
		wantProblem(t, beats, c.set, c.field, c.help)
	}
}
