package parts_test

import (
	"math"
	"strings"
	"testing"
)

const zoned = `
name: zoned
parts:
  users: {kind: source, rate: 15/s, call: {to: front, timeout: 1h}}
  front:
    kind: zones
    zones:
      - {name: a, call: {to: web-a}}
      - {name: b, call: {to: web-b}}
      - {name: c, call: {to: web-c}}
  web-a: {kind: server, work: exp 100ms}
  web-b: {kind: server, work: exp 100ms}
  web-c: {kind: server, work: exp 100ms}
run: {for: 6h, window: 30s}
changes: [{at: 2h, for: 2h, set: {front.b.lost: 1}}]
`

// latency returns the mean latency of the calls that are answered from one hour
// to another.
func latency(p *played, from, to float64) float64 {
	sum, count := 0.0, 0.0
	good := p.between("users.good", from*3600, to*3600)
	for i, mean := range p.between("users.latency.mean", from*3600, to*3600) {
		sum += mean * good[i]
		count += good[i]
	}
	return sum / count
}

// TestZonesLoss: each zone is an M/M/1 of 5/s on 10/s, and of 7.5/s once one of
// the three is lost.
func TestZonesLoss(t *testing.T) {
	p := play(t, zoned, 1)
	near(t, "latency with all zones", latency(p, 0.1, 2), 1/5.0, 0.004)
	near(t, "latency with one less", latency(p, 2.1, 4), 1/2.5, 0.02)
	near(t, "latency afterwards", latency(p, 4.1, 6), 1/5.0, 0.004)
	near(t, "calls lost until it is noticed", p.total("front.dropped"), 15.0/3*30, 3*math.Sqrt(150))
	near(t, "share of a zone", p.sum("front.a.served", 0, 7200)/p.sum("front.arrived", 0, 7200), 1.0/3, 0.005)
	near(t, "share of a zone that is left", p.sum("front.a.served", 7260, 14400)/p.sum("front.arrived", 7260, 14400), 0.5, 0.005)
	sameSeries(t, p, play(t, zoned, 1))
	p = play(t, zoned, 1, "front.detect=10m")
	near(t, "calls lost when it takes longer", p.total("front.dropped"), 15.0/3*600, 3*math.Sqrt(3000))
	p = play(t, zoned, 1, "front.no_failover=true")
	near(t, "calls lost without failover", p.total("front.dropped")/p.sum("front.arrived", 7200, 14400), 1.0/3, 0.005)
	p = play(t, zoned, 1, "front.when_lost=refuse")
	near(t, "calls refused at once", p.total("users.failed"), 150, 3*math.Sqrt(150))
}

// TestZonesOverload: three zones of 70 % each have no room for the calls of one.
// The two left get 10.5 a second, half a second more than they serve.
func TestZonesOverload(t *testing.T) {
	p := play(t, zoned, 1, "users.rate=21/s")
	grown := p.series("web-a.queue")[4*120-1] + p.series("web-c.queue")[4*120-1]
	near(t, "queues after two hours", grown, 2*0.5*7170, 1500)
	// Two hours are caught up with at 3 a second.
	near(t, "queue of a zone in the end", p.series("web-a.queue")[719], 0, 30)
}

func TestZonesSettings(t *testing.T) {
	uneven := strings.Replace(zoned, "{name: a, call", "{name: a, share: 60%, weight: 3, call", 1)
	p := play(t, uneven, 1, "users.rate=10/s")
	near(t, "share of a zone by its share", p.sum("front.a.served", 0, 7200)/p.sum("front.arrived", 0, 7200), 0.6, 0.006)
	near(t, "share of a zone without one", p.sum("front.b.served", 0, 7200)/p.sum("front.arrived", 0, 7200), 0.2, 0.006)
	// The fifth of b goes to a and c as 3 to 1.
	near(t, "share after the loss", p.sum("front.a.served", 7260, 14400)/p.sum("front.arrived", 7260, 14400), 0.6+0.2*0.75, 0.006)
	// Of a quarter that does not stay, two thirds leave their zone, for 50 ms each way.
	p = play(t, zoned, 1, "front.local=75%", "front.cross=50ms")
	near(t, "share that crosses", p.sum("front.crossed", 0, 7200)/p.sum("front.arrived", 0, 7200), 0.25*2/3, 0.005)
	near(t, "latency", latency(p, 0.1, 2), 0.2+0.1*0.25*2/3, 0.004)
	near(t, "latency when all of one zone cross", latency(p, 2.1, 4)-latency(play(t, zoned, 1, "front.local=75%"), 2.1, 4), 0.1*(0.75/3+0.25*0.5*2/3+0.25/3+0), 0.012)
	two := strings.Replace(zoned, "front.b.lost: 1", "front.a.lost: 1, front.b.lost: 1", 1)
	near(t, "zones out", play(t, two, 1, "users.rate=6/s").mean("front.out", 7260, 14400), 2, 0)
	near(t, "zones out of at most one", play(t, two, 1, "users.rate=6/s", "front.most_out=1").mean("front.out", 7260, 14400), 1, 0)
	all := strings.Replace(zoned, "front.b.lost: 1", "front.a.out: 1, front.b.out: 1, front.c.out: 1", 1)
	near(t, "zones out when all are taken out", play(t, all, 1, "users.rate=6/s").mean("front.out", 7260, 14400), 2, 0)
	off := strings.Replace(zoned, "front.b.lost: 1", "front.b.lost: 1, front.failover: 0", 1)
	near(t, "zones out with failover off", play(t, off, 1).mean("front.out", 7260, 14400), 0, 0)
}

// TestZonesWithdraw: callers that give up on calls on their way between zones.
func TestZonesWithdraw(t *testing.T) {
	p := play(t, zoned, 1, "users.call.timeout=100ms", "users.call.cancel=true", "front.local=0", "front.cross=60ms", "run.for=1h", "changes[0].at=50m")
	if p.total("front.withdrawn") < 1000 || p.net.InUse() > 50 {
		t.Errorf("%v calls were withdrawn and %v are inside", p.total("front.withdrawn"), p.net.InUse())
	}
}

func TestZonesProblems(t *testing.T) {
	wantProblem(t, strings.Replace(zoned, "name: b,", "name: a,", 1), "front.cross=0", "a second zone")
	wantProblem(t, strings.Replace(zoned, "name: b,", "name: b, weight: 0,", 1), "front.cross=0", "above 0")
	for _, share := range []string{"share: 50%, ", "share: 20%, "} {
		wantProblem(t, strings.ReplaceAll(zoned, "call: {to: web", share+"call: {to: web"), "front.cross=0", "add up to")
	}
	wantProblem(t, zoned, "front.most_out=0", "no_failover")
	wantProblem(t, zoned, "front.when_lost=wait", "drop")
}
