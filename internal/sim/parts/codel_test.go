package parts

import (
	"fmt"
	"testing"

	"github.com/openprecedent/precedent/internal/sim/des"
)

// TestCodelPatience: with a target as long as the interval no call waits for
// longer than that, which is M/M/1+D.
func TestCodelPatience(t *testing.T) {
	for _, rate := range []float64{0.8, 1.5} {
		withinSE(t, fmt.Sprintf("share refused after 2 s at load %v", rate), patienceD(rate, 2), 10, func(seed uint64) float64 {
			n := describe(t, seed, des.Hour, fmt.Sprintf("users source {rate: %g/s, call: {to: db}}", rate),
				"db server {work: exp 1s, codel: {target: 2s, interval: 2s}}")
			run(t, n, 10_000)
			s := part[*server](n, 1)
			return share(s.refused, s.arrived)
		})
	}
}

// TestCodelBursts: a line that empties now and then may be long, one that does
// not may not.
func TestCodelBursts(t *testing.T) {
	refused := func(rate float64, target string) float64 {
		n := describe(t, 1, des.Hour, fmt.Sprintf("users source {rate: %g/s, call: {to: db}}", rate),
			"db server {workers: 10, work: exp 100ms, codel: {target: "+target+", interval: 5s}}")
		run(t, n, 500)
		s := part[*server](n, 1)
		return share(s.refused, s.arrived)
	}
	if got := refused(70, "1ms"); got > 0.001 {
		t.Errorf("at a load of 0.7 a share %v is refused, want none", got)
	}
	if got := refused(200, "1ms"); got < 0.48 || got > 0.6 {
		t.Errorf("at a load of 2 a share %v is refused, want about a half", got)
	}
	if short, long := refused(105, "1ms"), refused(105, "2s"); short <= long {
		t.Errorf("a target of 1 ms refuses a share %v, one of 2 s a share %v", short, long)
	}
}

// TestOverloadOrders: callers who wait a second at most get almost nothing from
// a line that has outgrown them, and nearly all of the capacity where the line
// is kept short or the last one in is served first.
func TestOverloadOrders(t *testing.T) {
	good := func(settings string) float64 {
		n := describe(t, 1, des.Second, "users source {rate: 150/s, call: {to: db, timeout: 1s}}",
			"db server {workers: 10, work: exp 100ms, "+settings+"}")
		run(t, n, 200)
		return float64(part[*source](n, 0).good.Total()) / 200
	}
	if got := good("order: fifo"); got > 10 {
		t.Errorf("first in, first out: %v good a second, want the few of the beginning", got)
	}
	for _, settings := range []string{"codel: {target: 50ms, interval: 1s}", "order: adaptive-lifo",
		"order: adaptive-lifo, codel: {target: 50ms, interval: 1s}"} {
		if got := good(settings); got < 75 {
			t.Errorf("%s: %v good a second, want most of 100", settings, got)
		}
	}
}

// TestAdaptiveLIFO: the mean wait does not depend on the order, and a line that
// is short keeps the first one first.
func TestAdaptiveLIFO(t *testing.T) {
	withinSE(t, "mean wait", erlangC(2, 1.6)/(2-1.6), 10, func(seed uint64) float64 {
		n := describe(t, seed, des.Hour, "users source {rate: 1.6/s, call: {to: db}}", "db server {workers: 2, work: exp 1s, order: adaptive-lifo}")
		run(t, n, 15_000)
		return part[*server](n, 1).wait.Mean()
	})
	// Four come while one is served: with room for two before the order turns,
	// the fourth passes the third and then the first two follow in order.
	l := line{order: "adaptive-lifo", many: 2}
	for i := range l.queues {
		l.queues[i].first, l.queues[i].last = noCall, noCall
	}
	n := &Net{calls: make([]call, 5)}
	for c := CallID(1); c <= 4; c++ {
		l.push(n, c)
	}
	for _, want := range []CallID{4, 3, 1, 2} {
		if got := l.pop(n); got != want {
			t.Fatalf("call %d is next, want %d", got, want)
		}
	}
}

func TestCodelSettings(t *testing.T) {
	wantFinding(t, "server", "{work: 1s, codel: {target: 0}}", "codel.target")
	wantFinding(t, "server", "{work: 1s, codel: {target: 1s}}", "codel.target")
	wantFinding(t, "server", "{work: 1s, order: random, codel: {target: 1ms}}", "codel")
}
