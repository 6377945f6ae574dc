package parts_test

import (
	"math"
	"strings"
	"testing"
)

// TestHeartbeatsRoom takes half of the hosts down for good: the others hold as
// many items as they have room for, and what is left over cannot be asked.
func TestHeartbeatsRoom(t *testing.T) {
	t.Parallel()
	const src = beats + `changes:
  - {at: 300s, for: 600s, set: {cell.down: 0.5}}
`
	p := play(t, src, 2, "cell.place.room=300")
	left := 100 - p.total("cell.taken_out")
	near(t, "items without a host", p.mean("cell.without_host", 500, 900), 100*200-left*300, 0.5)
	near(t, "items of the largest host", p.mean("cell.most_items", 500, 900), 300, 0)
	near(t, "items without a host when all are back", p.mean("cell.without_host", 1000, 1800), 0, 0)
	p = play(t, src, 2, "cell.heavy=200", "cell.light=0", "cell.place.room=300")
	want := 100 * 400 * (20000 - left*300) / 20000
	near(t, "customers whose item has no host", p.sum("customers.failed", 500, 900), want, 4*math.Sqrt(want))
}

// TestHeartbeatsLight takes light items away and gives them back.
func TestHeartbeatsLight(t *testing.T) {
	t.Parallel()
	const src = beats + `changes:
  - {at: 600s, for: 600s, set: {cell.light: 40%}}
`
	p := play(t, src, 1)
	near(t, "use of the collector before", p.mean("collector.busy", 0, 600), (0.010+100e-6*200)*100/20, 0.005)
	near(t, "use of the collector with fewer items", p.mean("collector.busy", 620, 1200), (0.010+100e-6*86)*100/20, 0.005)
	near(t, "use of the collector after", p.mean("collector.busy", 1220, 1800), (0.010+100e-6*200)*100/20, 0.005)
	near(t, "items that moved, those that came back", p.total("cell.items_moved"), 0.6*190*100, 0)
	// Of the connections that are being made for a host, those of items that
	// have gone are not waited for.
	const wired = `name: connections
parts:
  customers: {kind: source, rate: 200/s, call: {to: cell}}
  cell:
    kind: heartbeats
    hosts: 10
    heavy: 10
    light: 90
    place: {by: count}
    call: {to: collector}
    connect: {to: wires}
  collector: {kind: server, work: 1ms}
  wires: {kind: provisioner, rate: 1/s, reissue_after: 0}
run: {for: 30m, window: 10s}
changes:
  - {at: 60s, for: 60s, set: {cell.rollout: 1}}
  - {at: 300s, set: {cell.light: 0}}
`
	waiting := func(set ...string) float64 { return play(t, wired, 1, set...).sum("customers.failed", 310, 700) }
	if few, many := waiting(), waiting("changes[1].at=29m"); few > many || few < 0.5*many {
		t.Errorf("customers that wait for connections are %v once light items have gone, %v without", few, many)
	}
}

// TestHeartbeatsRenew lets the connections on which hosts report end: while none
// are made, hosts fall silent as theirs do, and count as failed.
func TestHeartbeatsRenew(t *testing.T) {
	t.Parallel()
	const src = `name: renewals
parts:
  customers: {kind: source, rate: 10/s, call: {to: cell}}
  cell:
    kind: heartbeats
    hosts: 100
    call: {to: collector}
    connect: {to: wires}
    renew: 20m
  collector: {kind: server, work: 1ms}
  wires: {kind: provisioner, rate: 100/s}
run: {for: 60m, window: 10s}
changes:
  - {at: 20m, for: 10m, set: {wires.rate: 0}}
`
	p := play(t, src, 1, "changes[0].set.wires.rate=100/s")
	near(t, "connections made in an hour", p.total("wires.done"), 100*60/20, 8)
	near(t, "hosts taken out of a cell whose connections are made", p.total("cell.taken_out"), 0, 0)
	p = play(t, src, 1)
	// Whose connection ends in the first eight and a half minutes or so counts as
	// failed before the tenth.
	want := 100 * (600 - 90 + 15) / 1200.0
	near(t, "hosts taken out", p.total("cell.taken_out"), want, 3.5*math.Sqrt(want/2))
	near(t, "hosts back", p.mean("cell.healthy", 1900, 2400), 100, 0)
	near(t, "hosts taken out whose connections last", play(t, src, 1, "cell.renew=0").total("cell.taken_out"), 0, 0)
}

// TestHeartbeatsCancel withdraws what a host had ordered when it loses its items.
func TestHeartbeatsCancel(t *testing.T) {
	t.Parallel()
	const src = `name: orders
parts:
  customers: {kind: source, rate: 10/s, call: {to: cell}}
  cell:
    kind: heartbeats
    hosts: 20
    heavy: 10
    rollout: {gap: 60s, down: 20s}
    call: {to: collector}
    connect: {to: wires, cancel: true}
  collector: {kind: server, work: 1ms}
  wires: {kind: provisioner, rate: 0.05/s, issues: 1, reissue_after: 0, skip_done: true}
run: {for: 15m, window: 10s}
changes:
  - {at: 60s, set: {cell.rollout: 1}}
`
	p := play(t, src, 1)
	if p.total("wires.withdrawn") == 0 || p.total("wires.skipped") == 0 {
		t.Error("nothing was withdrawn and passed over")
	}
	p = play(t, strings.Replace(src, ", cancel: true", "", 1), 1)
	near(t, "orders withdrawn by a cell that does not", p.total("wires.withdrawn"), 0, 0)
}
