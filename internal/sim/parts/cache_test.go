package parts

import (
	"fmt"
	"math"
	"testing"

	"github.com/openprecedent/precedent/internal/sim/des"
)

// cached is users who ask a store for keys through a cache.
func cached(t testing.TB, seed uint64, users, settings, store string) *Net {
	t.Helper()
	return describe(t, seed, des.Second,
		"users source {call: {to: cache}, "+users+"}",
		"cache cache {call: {to: store}, "+settings+"}",
		"store server {workers: 1000000, "+store+"}")
}

// hitRatio runs a system, first for a while that does not count.
func hitRatio(t testing.TB, n *Net, warm, seconds float64) float64 {
	t.Helper()
	run(t, n, warm)
	s := part[*cache](n, 1)
	hits, lookups := s.hits.Total(), s.lookups.Total()
	run(t, n, warm+seconds)
	return float64(s.hits.Total()-hits) / float64(s.lookups.Total()-lookups)
}

// weights is how often each key is asked for.
func weights(distinct int, zipf float64) []float64 {
	p := make([]float64, distinct)
	sum := 0.0
	for i := range p {
		p[i] = math.Pow(float64(i+1), -zipf)
		sum += p[i]
	}
	for i := range p {
		p[i] /= sum
	}
	return p
}

// TestCacheTTL: a key that is asked for at rate r is held for ttl after a miss,
// so that r*ttl of 1+r*ttl requests hit; where a hit lets the ttl begin anew, a
// request hits if the one before came within it.
func TestCacheTTL(t *testing.T) {
	const rate, keys, ttl = 50.0, 20, 1.5
	r := rate / keys
	for _, c := range []struct {
		settings string
		want     float64
	}{
		{"ttl: 1500ms", r * ttl / (1 + r*ttl)},
		{"ttl: 3s, ttl_jitter: 100%", r * ttl / (1 + r*ttl)}, // the mean of the ttl alone counts
		{"ttl: 1500ms, sliding: true", 1 - math.Exp(-r*ttl)},
		{"ttl: 1500ms, nodes: 7", r * ttl / (1 + r*ttl)},
	} {
		withinSE(t, "hit ratio with "+c.settings, c.want, 10, func(seed uint64) float64 {
			n := cached(t, seed, "rate: 50/s, keys: {distinct: 20}", c.settings, "work: 0")
			return hitRatio(t, n, 20, 500)
		})
	}
}

// TestCacheLRU: with room for two keys the state is the last two asked for
// (King, IFIP 1971), which gives the hit ratio exactly; with more room Che's
// approximation is good to a third of a percent.
func TestCacheLRU(t *testing.T) {
	p := weights(6, 1)
	exact := 0.0
	for i := range p {
		for j := range p {
			if i != j {
				exact += p[i] * p[j] / (1 - p[i]) * (p[i] + p[j])
			}
		}
	}
	withinSE(t, "hit ratio of two of six keys", exact, 10, func(seed uint64) float64 {
		n := cached(t, seed, "rate: 100/s, keys: {distinct: 6, zipf: 1}", "capacity: 2", "work: 0")
		return hitRatio(t, n, 1, 200)
	})
	for _, capacity := range []int{50, 200} {
		n := cached(t, 1, "rate: 1000/s, keys: {distinct: 1000, zipf: 0.9}", fmt.Sprintf("capacity: %d", capacity), "work: 0")
		got, want := hitRatio(t, n, 20, 200), che(weights(1000, 0.9), float64(capacity))
		if math.Abs(got-want) > 0.005 {
			t.Errorf("hit ratio with room for %d of 1000 keys: got %.4f, want %.4f", capacity, got, want)
		}
		if s := part[*cache](n, 1); s.items.Value() != int64(capacity) {
			t.Errorf("%d keys are held, want %d", s.items.Value(), capacity)
		}
	}
}

// che approximates the hit ratio of LRU: a key is held if it was asked for
// within the time that a full turn of the cache takes.
func che(p []float64, capacity float64) float64 {
	low, high := 0.0, 1e9
	for range 200 {
		at := (low + high) / 2
		held := 0.0
		for _, x := range p {
			held += 1 - math.Exp(-x*at)
		}
		if held < capacity {
			low = at
		} else {
			high = at
		}
	}
	hits := 0.0
	for _, x := range p {
		hits += x * (1 - math.Exp(-x*low))
	}
	return hits
}

// TestCacheSingleFlight: a key is fetched once in the time of a fetch, its ttl,
// and the time until somebody asks again; without single flight everybody who
// comes during a fetch fetches.
func TestCacheSingleFlight(t *testing.T) {
	const rate, fetch, ttl, span = 20.0, 0.5, 1.0, 500.0
	fetches := func(settings string) func(uint64) float64 {
		return func(seed uint64) float64 {
			n := cached(t, seed, "rate: 20/s, keys: {distinct: 1}", settings, "work: 500ms")
			run(t, n, span)
			return float64(part[*cache](n, 1).out.asked.Total()) / span
		}
	}
	withinSE(t, "fetches a second", 1/(fetch+ttl+1/rate), 10, fetches("ttl: 1s, single_flight: true"))
	// The first answer comes after 0.5 s; the ttl ends a second after the last
	// one, which was asked for just before the first came.
	if got := fetches("ttl: 1s")(1); got < 4 {
		t.Errorf("without single flight there are %v fetches a second, want several for each ttl", got)
	}
	n := describe(t, 1, des.Second,
		"users source {rate: 100/s, keys: {distinct: 3}, call: {to: cache, timeout: 200ms, cancel: true, retries: 1}}",
		"cache cache {ttl: 2s, single_flight: true, lookup: exp 5ms, call: {to: store, cancel: true}}",
		"store server {workers: 2, work: exp 150ms}")
	run(t, n, 200)
	if s := part[*cache](n, 1); s.withdrawn.Total() == 0 || s.joined.Total() == 0 {
		t.Errorf("%d calls were withdrawn and %d waited for others", s.withdrawn.Total(), s.joined.Total())
	}
}

// TestCacheScatter: with a share f of the keys lost, a call that needs g keys
// misses one with probability 1-(1-f)^g, and fetches its misses or all.
func TestCacheScatter(t *testing.T) {
	for _, f := range []float64{0.02, 0.1, 0.25} {
		for _, fetch := range []string{"misses", "all"} {
			n := describe(t, 1, des.Second,
				"users source {rate: 1000/s, keys: {distinct: 20000}, call: {to: cache}}",
				"cache cache {nodes: 16, keys_per_call: 20, distinct: 20000, fetch: "+fetch+", call: {to: store}}",
				"store server {workers: 100000, work: 0, work_per_size: 1ms}")
			run(t, n, 60)
			s := part[*cache](n, 1)
			if s.items.Value() < 19_900 {
				t.Fatalf("%d of 20000 keys are held after 60 s", s.items.Value())
			}
			// Nothing is stored, so that the lost keys stay lost.
			knob(t, n, "cache.call.cut").Set(1)
			knob(t, n, "cache.flush").Set(f)
			calls, asked := s.arrived.Total(), s.out.asked.Total()
			run(t, n, 70)
			got := float64(s.out.asked.Total()-asked) / float64(s.arrived.Total()-calls)
			if want := 1 - math.Pow(1-f, 20); math.Abs(got-want) > 0.03 {
				t.Errorf("with %v of the keys lost %v of the calls fetch, want %.3f", f, got, want)
			}
		}
	}
	// What is fetched has the size that was asked for.
	for fetch, want := range map[string]float64{"misses": 1, "all": 20} {
		n := describe(t, 1, des.Second,
			"users source {rate: 10/s, keys: {distinct: 1}, call: {to: cache}}",
			"cache cache {keys_per_call: 20, distinct: 1000000, ttl: 1h, fetch: "+fetch+", call: {to: store}}",
			"store cpu {cores: 1000, work: 0, work_per_size: 1ms}")
		run(t, n, 10)
		s := part[*cache](n, 1)
		s.drop(s.nodeOf(s.key(&call{}, 3)), s.key(&call{}, 3))
		before := part[*cpu](n, 2).sojourn
		count, sum := before.Count(), before.Mean()*float64(before.Count())
		run(t, n, 10.5)
		after := part[*cpu](n, 2).sojourn
		got := (after.Mean()*float64(after.Count()) - sum) / float64(after.Count()-count) * 1000
		if math.Abs(got-want) > 1e-3 {
			t.Errorf("fetch: %s: a call with one miss of 20 fetches %v units, want %v", fetch, got, want)
		}
	}
}

// TestCacheEach: a fetch by parts keeps what has come, one as a whole keeps
// nothing unless all has come.
func TestCacheEach(t *testing.T) {
	held := func(settings string) int64 {
		n := describe(t, 1, des.Second,
			"users source {rate: 10/s, keys: {distinct: 50}, call: {to: cache}}",
			"cache cache {keys_per_call: 10, distinct: 500, "+settings+", call: {to: store, timeout: 20ms}}",
			"store server {workers: 1000, work: exp 2ms, work_per_size: 2ms}")
		run(t, n, 100)
		return part[*cache](n, 1).items.Value()
	}
	if got := held("each: true"); got < 300 {
		t.Errorf("fetched by parts, %d keys are held, want nearly all that are asked for", got)
	}
	if got := held("each: false"); got > 0 {
		t.Errorf("fetched as a whole, in longer than the timeout, %d keys are held, want none", got)
	}
}

// TestCacheNodes: a node that returns within its grace has lost nothing; a spare
// begins empty; without one its keys miss until it is back.
func TestCacheNodes(t *testing.T) {
	for _, c := range []struct {
		settings     string
		kept         bool    // its keys, when it is back
		during       float64 // hit ratio late in its absence of 20 s
		failed, full bool    // calls fail while it is away
	}{
		{"grace: 30s", true, 0.75, false, true},
		{"grace: 10s", false, 0.75, false, true},
		{"grace: 10s, spares: 1", false, 1, false, true},
		{"spares: 1", false, 1, false, true},
		{"keep_on_return: true", true, 0.75, false, true},
		{"away: fail", false, 1, true, true},
	} {
		n := cached(t, 1, "rate: 1000/s, keys: {distinct: 1000}", "nodes: 4, "+c.settings, "work: 0")
		run(t, n, 20)
		s := part[*cache](n, 1)
		before := s.items.Value()
		knob(t, n, "cache.lose").Set(1)
		run(t, n, 35)
		hits, lookups := s.hits.Total(), s.lookups.Total()
		run(t, n, 40)
		during := float64(s.hits.Total()-hits) / float64(s.lookups.Total()-lookups)
		if math.Abs(during-c.during) > 0.05 && !c.failed {
			t.Errorf("%s: hit ratio %.3f while a node is away, want %v", c.settings, during, c.during)
		}
		if failed := s.failed.Total() > 0; failed != c.failed {
			t.Errorf("%s: %d calls failed", c.settings, s.failed.Total())
		}
		knob(t, n, "cache.return").Set(1)
		kept := s.items.Value() > before-50
		if s.spares > 0 {
			kept = false // the spare has filled meanwhile
		}
		if kept != c.kept {
			t.Errorf("%s: %d of %d keys are held when the node is back", c.settings, s.items.Value(), before)
		}
		run(t, n, 60)
		if got := s.away.Value(); got != 0 || s.items.Value() < before-10 {
			t.Errorf("%s: %d nodes are away and %d keys held at the end", c.settings, got, s.items.Value())
		}
	}
}

// TestCacheStale: what has outlived its ttl answers while it cannot be fetched.
func TestCacheStale(t *testing.T) {
	for settings, want := range map[string]bool{"": true, ", stale_on_error: 1m": false} {
		n := cached(t, 1, "rate: 100/s, keys: {distinct: 10}", "ttl: 5s"+settings, "work: 1ms")
		run(t, n, 20)
		knob(t, n, "cache.call.cut").Set(1)
		run(t, n, 50)
		if s := part[*cache](n, 1); s.failed.Total() > 0 != want || s.stale.Total() > 0 == want {
			t.Errorf("ttl: 5s%s: %d calls failed, %d got stale answers", settings, s.failed.Total(), s.stale.Total())
		}
	}
}

// TestCacheWarm: what is held from the start hits, as far as it has room and
// has not outlived its ttl.
func TestCacheWarm(t *testing.T) {
	for _, c := range []struct {
		settings string
		hits     float64 // in the first seconds
	}{
		{"warm: 1000", 1},
		{"warm: 500", 0.5},
		{"warm: 1000, capacity: 250", 0.25},
		{"warm: 1000, ttl: 1h", 1},
	} {
		// The store answers nobody, so that nothing is stored.
		n := cached(t, 1, "rate: 1000/s, keys: {distinct: 1000}", c.settings, "work: 1h")
		if got := hitRatio(t, n, 0.001, 3); math.Abs(got-c.hits) > 0.03 {
			t.Errorf("%s: hit ratio %.3f at the start, want %v", c.settings, got, c.hits)
		}
	}
}

func TestCacheSettings(t *testing.T) {
	for settings, field := range map[string]string{
		"{warm: 10_000_001, call: {to: db}}":                                   "warm",
		"{nodes: 0, call: {to: db}}":                                           "nodes",
		"{capacity: 0, call: {to: db}}":                                        "capacity",
		"{keys_per_call: 65, distinct: 9, call: {to: db}}":                     "keys_per_call",
		"{keys_per_call: 2, call: {to: db}}":                                   "distinct",
		"{distinct: 2, call: {to: db}}":                                        "distinct",
		"{keys_per_call: 2, distinct: 5, single_flight: true, call: {to: db}}": "single_flight",
		"{sliding: true, call: {to: db}}":                                      "ttl",
		"{spares: 1, keep_on_return: true, call: {to: db}}":                    "keep_on_return",
		"{call: {to: db, backoff: {first: 2h}}}":                               "call.backoff.first",
	} {
		wantFinding(t, "cache", settings, field)
	}
	sameTwice(t, 30, func() *Net {
		n := cached(t, 3, "rate: 300/s, keys: {distinct: 500, zipf: 1}", "nodes: 3, capacity: 50, ttl: 4s, ttl_jitter: 50%", "work: exp 5ms")
		knob(t, n, "cache.flush").Set(0.5)
		return n
	})
}

func BenchmarkCache(b *testing.B) {
	for _, keys := range []int{1000, 1_000_000} {
		b.Run(fmt.Sprint(keys), func(b *testing.B) {
			n := cached(b, 1, fmt.Sprintf("rate: 100000/s, keys: {distinct: %d, zipf: 0.9}", keys),
				fmt.Sprintf("nodes: 16, capacity: %d, ttl: 1m", keys/50), "work: 1ms")
			run(b, n, 5)
			before := n.Sim.Handled()
			b.ReportAllocs()
			b.ResetTimer()
			for i := range b.N {
				run(b, n, 5+float64(i+1)*0.01)
			}
			b.ReportMetric(float64(n.Sim.Handled()-before)/b.Elapsed().Seconds()/1e6, "M-events/s")
		})
	}
}
