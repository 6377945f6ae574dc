package parts

import (
	"fmt"
	"math"
	"testing"

	"github.com/openprecedent/precedent/internal/sim/des"
)

// limited is users who call a service of any number of workers through a limit.
func limited(t testing.TB, seed uint64, rate float64, limit, service string) *Net {
	t.Helper()
	return describe(t, seed, des.Hour,
		fmt.Sprintf("users source {rate: %g/s, call: {to: limit}}", rate),
		"limit "+limit,
		"db server {workers: 1000000, work: "+service+"}")
}

// TestRatelimit: a bucket of one token lets a call pass after the time of a
// token and the time until somebody comes; a bucket with room before it is
// M/D/1; a larger one is compared with a computation of its level at arrivals.
func TestRatelimit(t *testing.T) {
	passed := func(n *Net) float64 { s := part[*ratelimit](n, 1); return share(s.done, s.arrived) }
	withinSE(t, "share that passes one token a second", 1/(1+0.8), 10, func(seed uint64) float64 {
		n := limited(t, seed, 0.8, "ratelimit {rate: 1/s, call: {to: db}}", "0")
		run(t, n, 10_000)
		return passed(n)
	})
	withinSE(t, "mean wait for one token a second", 0.8/(2*(1-0.8)), 10, func(seed uint64) float64 {
		n := limited(t, seed, 0.8, "ratelimit {rate: 1/s, room: unlimited, call: {to: db}}", "0")
		run(t, n, 20_000)
		return part[*ratelimit](n, 1).wait.Mean()
	})
	withinSE(t, "share that passes a burst of three", bucket(0.8, 3), 10, func(seed uint64) float64 {
		n := limited(t, seed, 0.8, "ratelimit {rate: 1/s, burst: 3, call: {to: db}}", "0")
		run(t, n, 10_000)
		return passed(n)
	})
}

// bucket returns the share of calls that find a token in a bucket of a size
// that is filled with one token a second: the stationary law of its level just
// before calls, on a fine grid.
func bucket(rate float64, size int) float64 {
	const step = 0.01
	top := int(float64(size)/step + 0.5)
	now := make([]float64, top+1)
	now[top] = 1
	stay := math.Exp(-rate * step)
	for range 300 {
		after := make([]float64, top+1)
		for level, p := range now {
			if level >= int(1/step) {
				after[level-int(1/step)] += p
			} else {
				after[level] += p
			}
		}
		// From each level the bucket fills for an exponential time.
		next := make([]float64, top+1)
		carry := 0.0
		for level := 0; level <= top; level++ {
			carry = carry*stay + after[level]
			if level == top {
				next[level] = carry
				break
			}
			// The call comes within this step, on average in its middle.
			next[level] += carry * (1 - stay) / 2
			next[level+1] += carry * (1 - stay) / 2
		}
		next[top] += 0
		now = next
	}
	sum, passes := 0.0, 0.0
	for level, p := range now {
		sum += p
		if level >= int(1/step) {
			passes += p
		}
	}
	return passes / sum
}

// TestConcurrency: a fixed limit without room is M/G/c/c, with room M/M/c.
func TestConcurrency(t *testing.T) {
	withinSE(t, "share refused at five under way", erlangB(5, 4), 10, func(seed uint64) float64 {
		n := limited(t, seed, 4, "concurrency {limit: 5, call: {to: db}}", "uniform 0s 2s")
		run(t, n, 3000)
		s := part[*limiter](n, 1)
		return share(s.refused, s.arrived)
	})
	withinSE(t, "mean wait for one of five", erlangC(5, 4)/(5-4), 10, func(seed uint64) float64 {
		n := limited(t, seed, 4, "concurrency {limit: 5, room: unlimited, order: random, call: {to: db}}", "exp 1s")
		run(t, n, 8000)
		return part[*limiter](n, 1).wait.Mean()
	})
}

// TestConcurrencyAdapts: before a server of 20 workers that is asked for half as
// much again, both ways find a limit that keeps it busy and its line short; and
// they find another one when it becomes slower.
func TestConcurrencyAdapts(t *testing.T) {
	for _, adapt := range []string{"{by: aimd, too_long: 200ms}", "{by: gradient}"} {
		n := describe(t, 1, des.Second,
			"users source {rate: 300/s, call: {to: limit, timeout: 1s}}",
			"limit concurrency {limit: 10, adapt: "+adapt+", call: {to: db}}",
			"db server {workers: 20, work: exp 100ms}")
		run(t, n, 100)
		u, s := part[*source](n, 0), part[*limiter](n, 1)
		good := u.good.Total()
		run(t, n, 200)
		if got := float64(u.good.Total()-good) / 100; got < 150 || got > 205 {
			t.Errorf("%s: %v good answers a second, want most of 200", adapt, got)
		}
		if s.limit < 12 || s.limit > 70 {
			t.Errorf("%s: the limit is %v, want about the 20 workers and a short line", adapt, s.limit)
		}
		knob(t, n, "db.workers").Set(5)
		run(t, n, 300)
		good = u.good.Total()
		run(t, n, 400)
		if got := float64(u.good.Total()-good) / 100; got < 30 {
			t.Errorf("%s: %v good answers a second from a quarter of the workers, want most of 50", adapt, got)
		}
	}
	// Without a limit the line outgrows the patience of all.
	n := describe(t, 1, des.Second, "users source {rate: 300/s, call: {to: db, timeout: 1s}}", "db server {workers: 20, work: exp 100ms}")
	run(t, n, 200)
	if got := float64(part[*source](n, 0).good.Total()) / 200; got > 20 {
		t.Errorf("without a limit %v good answers a second", got)
	}
}

// TestBulkhead: each class and each caller has a limit of its own.
func TestBulkhead(t *testing.T) {
	for _, by := range []string{"class", "caller"} {
		withinSE(t, "share refused with a limit by "+by, erlangB(3, 2), 10, func(seed uint64) float64 {
			n := describe(t, seed, des.Hour,
				"quiet source {rate: 2/s, call: {to: limit}}",
				"loud source {rate: 20/s, class: 1, call: {to: limit}}",
				"limit bulkhead {limit: 3, by: "+by+", call: {to: db}}",
				"db server {workers: 1000, work: exp 1s}")
			run(t, n, 2000)
			u := part[*source](n, 0)
			return share(u.failed, u.offered)
		})
	}
}

// TestLimitWithdraws: what is withdrawn makes room, whether it waits or was
// passed on.
func TestLimitWithdraws(t *testing.T) {
	for _, limit := range []string{"concurrency {limit: 10, room: 50, ", "bulkhead {limit: 10, room: 50, expired: drop, ", "ratelimit {rate: 50/s, burst: 10, room: 50, order: lifo, "} {
		n := describe(t, 1, des.Second,
			"users source {rate: 200/s, call: {to: limit, timeout: 100ms, cancel: true}}",
			"limit "+limit+"call: {to: db, cancel: true}}",
			"db server {workers: 10, work: exp 150ms}")
		run(t, n, 100)
		if u := part[*source](n, 0); float64(u.good.Total())/100 < 20 || u.out.ended[TimedOut].Total() == 0 {
			t.Errorf("%s: %d good answers, %d timed out", limit, u.good.Total(), u.out.ended[TimedOut].Total())
		}
	}
}

func TestLimitKnobs(t *testing.T) {
	n := limited(t, 1, 100, "ratelimit {rate: 10/s, room: 5, call: {to: db}}", "1ms")
	run(t, n, 100)
	s := part[*ratelimit](n, 1)
	before := s.done.Total()
	knob(t, n, "limit.rate").Set(50)
	run(t, n, 200)
	if got := s.done.Total() - before; math.Abs(float64(got)-5000) > 20 || math.Abs(float64(before)-1000) > 20 {
		t.Errorf("%d pass at 10/s and %d at 50/s in 100 s", before, got)
	}
	n = limited(t, 1, 100, "concurrency {limit: 1, call: {to: db}}", "100ms")
	knob(t, n, "limit.limit").Set(3)
	run(t, n, 100)
	if got := part[*limiter](n, 1).done.Total(); got < 2500 || got > 3000 {
		t.Errorf("%d pass three at a time, want somewhat less than 30/s", got)
	}
}

func TestLimitSettings(t *testing.T) {
	for _, c := range [][3]string{
		{"ratelimit", "{rate: 0/s, call: {to: db}}", "rate"},
		{"ratelimit", "{rate: 1/s, burst: 0, call: {to: db}}", "burst"},
		{"concurrency", "{limit: 0, call: {to: db}}", "limit"},
		{"concurrency", "{limit: 5, adapt: {least: 10, most: 20}, call: {to: db}}", "limit"},
		{"concurrency", "{limit: 5, adapt: {least: 30, most: 20}, call: {to: db}}", "adapt.least"},
		{"concurrency", "{limit: 5, adapt: {slack: 0.5x}, call: {to: db}}", "adapt.slack"},
		{"bulkhead", "{limit: 0, call: {to: db}}", "limit"},
	} {
		wantFinding(t, c[0], c[1], c[2])
	}
	for _, limit := range []string{"concurrency {limit: 5, room: 5, order: lifo, adapt: {by: gradient}, ", "bulkhead {limit: 5, room: 2, order: random, ", "ratelimit {rate: 20/s, room: 5, "} {
		sameTwice(t, 20, func() *Net {
			return describe(t, 1, des.Second, "users source {rate: 50/s, call: {to: limit, timeout: 1s, retries: 1}}",
				"limit "+limit+"call: {to: db}}", "db server {workers: 5, work: exp 100ms}")
		})
	}
}
