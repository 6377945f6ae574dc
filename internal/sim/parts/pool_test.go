package parts

import (
	"fmt"
	"math"
	"testing"

	"github.com/openprecedent/precedent/internal/sim/des"
)

// pooled is users who call a service of any number of workers through a pool.
func pooled(t testing.TB, seed uint64, rate float64, settings, service string) *Net {
	t.Helper()
	return describe(t, seed, des.Hour,
		fmt.Sprintf("users source {rate: %g/s, call: {to: pool}}", rate),
		fmt.Sprintf("pool pool {call: {to: db}, %s}", settings),
		fmt.Sprintf("db server {workers: 1000000, work: %s}", service))
}

// TestPoolQueues: with connections that cost nothing a pool is M/M/c, whatever
// the order of the line.
func TestPoolQueues(t *testing.T) {
	const c, load = 4, 3.2
	for _, order := range []string{"fifo", "lifo", "random", "class"} {
		withinSE(t, "mean wait in order "+order, erlangC(c, load)/(c-load), 10, func(seed uint64) float64 {
			n := pooled(t, seed, load, "max: 4, order: "+order, "exp 1s")
			run(t, n, 8000)
			return part[*pool](n, 1).wait.Mean()
		})
	}
}

// TestPoolLoss: without room a pool whose connections serve one call each loses
// as M/G/c/c does, with the time to connect as part of the service.
func TestPoolLoss(t *testing.T) {
	for _, c := range []struct{ settings, service string }{
		{"max: 3, room: 0, reuse: false, connect_time: exp 1s", "1s"},
		{"max: 3, room: 0, reuse: false, connect_time: exp 1s, opens_for: anyone", "1s"},
		{"max: 3, room: 0", "exp 2s"},
	} {
		withinSE(t, "loss with "+c.settings, erlangB(3, 2), 10, func(seed uint64) float64 {
			n := pooled(t, seed, 1, c.settings, c.service)
			run(t, n, 10_000)
			s := part[*pool](n, 1)
			return float64(s.refused.Total()) / float64(s.arrived.Total())
		})
	}
}

// TestPoolBorrowTimeout: with one connection and a bound on the wait a pool is
// M/M/1+D, above its capacity too.
func TestPoolBorrowTimeout(t *testing.T) {
	const tau = 2.0
	for _, rate := range []float64{0.8, 1.5} {
		e := math.Exp(-(1 - rate) * tau)
		empty := 1 / (1 + rate/(1-rate)*(1-e) + rate*e)
		withinSE(t, fmt.Sprintf("share that waits too long at load %v", rate), rate*empty*e, 10, func(seed uint64) float64 {
			n := pooled(t, seed, rate, "max: 1, borrow_timeout: 2s", "exp 1s")
			run(t, n, 8000)
			s := part[*pool](n, 1)
			return float64(s.timedOut.Total()) / float64(s.arrived.Total())
		})
	}
}

// TestPoolIdle: the time from the end of a call to the next one is exponential,
// which says how often a connection is unused for too long.
func TestPoolIdle(t *testing.T) {
	const rate, limit = 0.5, 3
	x := math.Exp(-rate * limit)
	withinSE(t, "connections opened for each call", x, 10, func(seed uint64) float64 {
		n := pooled(t, seed, rate, "max: 1, room: 0, idle_timeout: 3s", "exp 1s")
		run(t, n, 8000)
		s := part[*pool](n, 1)
		return float64(s.connects.Total()) / float64(s.done.Total())
	})
	// After a dead connection comes a new one, which cannot be dead.
	withinSE(t, "share of calls that get a dead connection", x/(1+x), 10, func(seed uint64) float64 {
		n := pooled(t, seed, rate, "max: 1, room: 0, dead_after: 3s", "exp 1s")
		run(t, n, 8000)
		s := part[*pool](n, 1)
		if s.failed.Total() != s.dead.Total() {
			t.Errorf("%d calls failed and %d connections were dead", s.failed.Total(), s.dead.Total())
		}
		return float64(s.dead.Total()) / float64(s.done.Total()+s.failed.Total())
	})
	n := pooled(t, 1, rate, "max: 2, dead_after: 3s, test: true", "exp 1s")
	run(t, n, 1000)
	if s := part[*pool](n, 1); s.failed.Total() > 0 || s.dead.Total() == 0 {
		t.Errorf("with a test %d calls failed, %d dead connections were found", s.failed.Total(), s.dead.Total())
	}
}

// TestPoolKeeps: each setting bounds what it names.
func TestPoolKeeps(t *testing.T) {
	// Bursts of 20 calls a second of half a second each.
	burst := func(settings string) *pool {
		n := describe(t, 1, des.Second,
			"users source {population: 20, think: 500ms, call: {to: pool}}",
			fmt.Sprintf("pool pool {call: {to: db}, max: 20, %s}", settings),
			"db server {workers: 100, work: 500ms}")
		run(t, n, 99.2)
		return part[*pool](n, 1)
	}
	for _, c := range []struct {
		settings     string
		open, opened int64
	}{
		{"idle: unlimited", 20, 20},
		{"idle: 5", 5, 20 + 98*15},
		{"warm: 20", 20, 0},
		{"max_age: 10s", 0, 20 * 9},
	} {
		s := burst(c.settings)
		if got := s.opened.Value(); got != c.open {
			t.Errorf("%s: %d connections are open, want %d", c.settings, got, c.open)
		}
		if got := s.connects.Total(); math.Abs(float64(got-c.opened)) > 20 {
			t.Errorf("%s: %d connections were opened, want about %d", c.settings, got, c.opened)
		}
	}
}

// TestPoolConnectCall: opening connections costs the machine behind what it
// says, and a machine that refuses fails the calls.
func TestPoolConnectCall(t *testing.T) {
	for _, opens := range []string{"caller", "anyone"} {
		n := describe(t, 1, des.Hour,
			"users source {rate: 10/s, call: {to: pool}}",
			"pool pool {max: 100, reuse: false, opens_for: "+opens+", connect: {to: db, size: 3}, call: {to: db, size: 1}}",
			"db cpu {work: 0, work_per_size: 10ms}")
		run(t, n, 5000)
		if got := part[*cpu](n, 2).busy.Mean(); math.Abs(got-0.4) > 0.01 {
			t.Errorf("opens_for %s: the machine is busy for %v, want 10/s x (30 + 10) ms", opens, got)
		}
		n = describe(t, 1, des.Hour,
			"users source {rate: 10/s, call: {to: pool}}",
			"pool pool {max: 2, opens_for: "+opens+", connect: {to: gate}, call: {to: gate}}",
			"gate server {workers: 1, room: 0, work: 1s}")
		run(t, n, 100)
		if s := part[*pool](n, 1); s.failed.Total() < 100 || s.connectFailed.Total() == 0 {
			t.Errorf("opens_for %s: %d calls and %d connections failed", opens, s.failed.Total(), s.connectFailed.Total())
		}
	}
}

// TestPoolSessions: sessions that keep their connection fill the pool at a
// fraction of its use; those that borrow for each call need their share alone.
func TestPoolSessions(t *testing.T) {
	for _, c := range []struct {
		multiplex  bool
		sessions   float64 // with a connection, or going on
		lent, line float64
	}{
		{false, 60, 60, 40},
		{true, 100, 25, 0},
	} {
		n := describe(t, 1, des.Minute,
			"users source {population: 100, think: exp 100ms, call: {to: pool}}",
			fmt.Sprintf("pool pool {max: 60, call: {to: db}, session: {life: exp 300s, pause: exp 3s, multiplex: %v}}", c.multiplex),
			"db server {workers: 1000, work: exp 1s}")
		run(t, n, 3600)
		s := part[*pool](n, 1)
		if got := s.lent.Mean(); math.Abs(got-c.lent) > 1 {
			t.Errorf("multiplex %v: %v connections are lent, want %v", c.multiplex, got, c.lent)
		}
		if got := s.queue.Mean(); math.Abs(got-c.line) > 1 {
			t.Errorf("multiplex %v: %v sessions wait, want %v", c.multiplex, got, c.line)
		}
		if got := s.inside.Mean() - s.queue.Mean(); math.Abs(got-c.sessions) > 1 {
			t.Errorf("multiplex %v: %v sessions go on, want %v", c.multiplex, got, c.sessions)
		}
	}
}

// TestPoolPauses: a session that pauses a third as long makes calls more often by
// what remains.
func TestPoolPauses(t *testing.T) {
	n := describe(t, 1, des.Minute,
		"users source {population: 100, think: 1s, call: {to: pool}}",
		"pool pool {max: 100, call: {to: db}, session: {life: exp 3000s, pause: exp 3s}}",
		"db server {workers: 1000, work: exp 1s}")
	s := part[*pool](n, 1)
	for i, c := range []struct{ pause, want float64 }{{1, 100 / 4.0}, {1.0 / 3, 100 / 2.0}, {0, 100}} {
		knob(t, n, "pool.session.pause").Set(c.pause)
		run(t, n, float64(i)*1000+20)
		before := s.out.asked.Total()
		run(t, n, float64(i)*1000+1000)
		if got := float64(s.out.asked.Total()-before) / 980; math.Abs(got-c.want) > c.want/50 {
			t.Errorf("with pauses of %v, %v calls are made a second, want %v", c.pause, got, c.want)
		}
	}
}

// storm is clients that each keep a session through a proxy which may open
// fewer connections than they want, at an eighth of a published incident. With
// fewer clients they come at longer intervals, so opening takes longer, too.
func storm(t testing.TB, client, proxy string) *Net {
	t.Helper()
	return describe(t, 1, des.Minute,
		"users source {population: 950, think: exp 1s, call: {to: proxy, cancel: true, "+client+"}}",
		"proxy pool {reuse: false, connect_time: 200ms, connect: {to: writer, size: 28}, call: {to: writer, size: 7}, "+
			"session: {life: exp 300s, pause: exp 4s}, "+proxy+"}",
		"writer cpu {cores: 4, work: 0, work_per_size: 1ms}")
}

// TestPoolStorm: a cap below the demand starves some clients. It becomes a storm
// of connections only if clients wait no longer than the line lets them: then
// each connection is opened for somebody who leaves meanwhile.
func TestPoolStorm(t *testing.T) {
	for _, c := range []struct {
		about, client, proxy string
		low, high            float64 // load of the writer
		aborted              float64 // least share of the attempts
	}{
		{"equal timeouts", "connect_timeout: 7s", "max: 420, borrow_timeout: 7s", 0.4, 1, 0.9},
		{"borrow first", "connect_timeout: 7s", "max: 420, borrow_timeout: 6s", 0.1, 0.3, 0},
		{"last in, first out", "connect_timeout: 7s", "max: 420, borrow_timeout: 7s, order: lifo", 0.1, 0.3, 0},
		{"enough connections", "connect_timeout: 7s", "max: 1000, borrow_timeout: 7s", 0.3, 0.5, 0},
	} {
		n := storm(t, c.client, c.proxy)
		run(t, n, 900)
		s := part[*pool](n, 1)
		busy := part[*cpu](n, 2).busy.Mean() / 4
		if busy < c.low || busy > c.high {
			t.Errorf("%s: the writer is busy for %.2f, want %v to %v", c.about, busy, c.low, c.high)
		}
		if share := float64(s.aborted.Total()) / float64(s.connects.Total()); share < c.aborted || c.aborted == 0 && share > 0.2 {
			t.Errorf("%s: %.2f of the connections were opened in vain, want at least %v", c.about, share, c.aborted)
		}
	}
}

// TestPoolAborts: what opening a connection costs when its caller leaves after a
// quarter of the time that it takes. A connection that is opened all the same
// serves those who come later; an abort lets each of them open one in vain, and
// saves work only if the other end is told.
func TestPoolAborts(t *testing.T) {
	for _, c := range []struct {
		settings                string
		connects, aborted, busy float64
	}{
		{"connect: {to: db}", 1, 1, 0},
		{"on_leave: abort, connect: {to: db}", 1000, 1000, 2},
		{"on_leave: abort, connect: {to: db, cancel: true}", 1000, 1000, 0.5},
		{"on_leave: abort, connect_time: 2s, connect: {to: db}", 1000, 1000, 0},
	} {
		n := describe(t, 1, des.Minute,
			"users source {rate: 1/s, arrivals: regular, call: {to: pool, connect_timeout: 500ms, cancel: true}}",
			"pool pool {max: 1, call: {to: web}, "+c.settings+"}",
			"db cpu {cores: 10, work: 2s}", "web server {workers: 10, work: 1ms}")
		run(t, n, 1000.9)
		s := part[*pool](n, 1)
		if got := float64(s.connects.Total()); got != c.connects {
			t.Errorf("%s: %v connections were opened, want %v", c.settings, got, c.connects)
		}
		if got := float64(s.aborted.Total()); got != c.aborted {
			t.Errorf("%s: %v connections were opened in vain, want %v", c.settings, got, c.aborted)
		}
		if got := part[*cpu](n, 2).busy.Mean(); math.Abs(got-c.busy) > 0.01 {
			t.Errorf("%s: %v cores are busy with opening connections, want %v", c.settings, got, c.busy)
		}
	}
}

// TestPoolLoses: what loses its connections fails the calls that use them, and
// opens others.
func TestPoolLoses(t *testing.T) {
	n := describe(t, 1, des.Minute,
		"users source {population: 100, think: exp 1s, call: {to: pool}}",
		"pool pool {max: 100, connect_time: 100ms, call: {to: db, cancel: true}}",
		"db server {workers: 1000, work: exp 1s}")
	run(t, n, 60)
	s := part[*pool](n, 1)
	lent, open := s.lent.Value(), s.opened.Value()
	knob(t, n, "pool.lose").Set(1)
	if got := s.failed.Total(); got != lent || s.opened.Value() > open-lent {
		t.Errorf("%d calls failed and %d connections are open, want %d failed", got, s.opened.Value(), lent)
	}
	run(t, n, 120)
	if s.opened.Value() < 40 {
		t.Errorf("%d connections are open a minute later", s.opened.Value())
	}
	knob(t, n, "pool.max").Set(10)
	run(t, n, 180)
	if s.opened.Value() != 10 || s.queue.Value() == 0 {
		t.Errorf("%d connections are open and %d calls wait, want 10 and some", s.opened.Value(), s.queue.Value())
	}
	knob(t, n, "pool.clear").Set(1)
	if s.queue.Value() != 0 || s.refused.Total() == 0 {
		t.Errorf("%d calls wait after all were refused", s.queue.Value())
	}
	run(t, n, 190)
}

func TestPoolSettings(t *testing.T) {
	for settings, field := range map[string]string{
		"{max: 0, call: {to: db}}":                                          "max",
		"{max: 1, warm: 2, call: {to: db}}":                                 "warm",
		"{max: 1, warm: 1, reuse: false, call: {to: db}}":                   "warm",
		"{max: 1, dead_after: 2m, idle_timeout: 10m, call: {to: db}}":       "idle_timeout",
		"{max: 1, call: {to: db}, session: {life: 1s, pause: 0}}":           "session.pause",
		"{max: 1, call: {to: db}, connect: {to: db, backoff: {first: 2h}}}": "connect.backoff.first",
		"{max: 1, call: {to: db, timeout: 1s, connect_timeout: 2s}}":        "call.connect_timeout",
	} {
		wantFinding(t, "pool", settings, field)
	}
	sameTwice(t, 100, func() *Net {
		return storm(t, "connect_timeout: 2s, retries: 3", "max: 300, borrow_timeout: 3s, order: random, when_full: drop, room: 100, expired: drop, on_leave: abort")
	})
}

func BenchmarkPoolStorm(b *testing.B) {
	n := storm(b, "connect_timeout: 7s", "max: 420, borrow_timeout: 7s")
	run(b, n, 100)
	before := n.Sim.Handled()
	b.ReportAllocs()
	b.ResetTimer()
	for i := range b.N {
		run(b, n, 100+float64(i+1))
	}
	b.ReportMetric(float64(n.Sim.Handled()-before)/b.Elapsed().Seconds()/1e6, "M-events/s")
}
