package parts

import (
	"fmt"
	"math"
	"testing"

	"github.com/openprecedent/precedent/internal/sim/des"
)

// stored is users who query a store.
func stored(t testing.TB, seed uint64, users, settings string) *Net {
	t.Helper()
	return describe(t, seed, des.Hour, "users source {call: {to: store}, keys: {distinct: 1000000}, "+users+"}", "store store {"+settings+"}")
}

// TestStoreShapes: a point query meets M/M/c at its shard; a query of two shards
// is a fork-join queue, whose mean Flatto and Hahn give exactly (SIAM J. Appl.
// Math. 44(5), 1984); without load a query of n shards takes the longest of n.
func TestStoreShapes(t *testing.T) {
	harmonic := 0.0
	for i := 1; i <= 8; i++ {
		harmonic += 1 / float64(i)
	}
	for _, c := range []struct {
		about, users, settings string
		want                   float64
	}{
		{"point queries", "rate: 9.6/s", "shards: 4, cores: 3, work: exp 1s", 1 + erlangC(3, 2.4)/(3-2.4)},
		{"point queries over random copies", "rate: 7/s", "shards: 5, replicas: 1, work: exp 1s", 1 / (1 - 0.7)},
		{"scatter over two shards", "rate: 0.6/s", "shards: 2, query: scatter, work: exp 1s", (12 - 0.6) / 8 / (1 - 0.6)},
		{"scatter over eight idle shards", "rate: 0.02/s", "shards: 8, query: scatter, cores: 50, work: exp 1s", harmonic},
		{"cost by item", "rate: 0.5/s, size: 8", "shards: 4, query: scatter, cores: 1000, work: 1s, work_per_item: 500ms", 2},
		{"one item is a point query", "rate: 2.4/s", "shards: 4, query: items, work: exp 1s", 1 / (1 - 0.6)},
	} {
		withinSE(t, "mean time of "+c.about, c.want, 10, func(seed uint64) float64 {
			n := stored(t, seed, c.users, c.settings)
			run(t, n, 6000)
			return part[*source](n, 0).latency.Mean()
		})
	}
}

// TestStoreItems: m items lie on s(1-(1-1/s)^m) of s shards on average, and the
// work for them is the same wherever they lie.
func TestStoreItems(t *testing.T) {
	const shards, items = 8, 5
	n := stored(t, 1, "rate: 10/s, size: 5", "shards: 8, query: items, cores: 100, work: 10ms, work_per_item: 2ms")
	run(t, n, 5000)
	s := part[*store](n, 1)
	asked := float64(s.shardQueries.Total()) / float64(s.arrived.Total())
	if want := shards * (1 - math.Pow(1-1.0/shards, items)); math.Abs(asked-want) > 0.02 {
		t.Errorf("%d items lie on %.3f shards, want %.3f", items, asked, want)
	}
	if got, want := s.busy.Mean(), 10*(asked*0.010+items*0.002); math.Abs(got-want) > 0.01 {
		t.Errorf("%.3f cores are busy, want %.3f", got, want)
	}
}

// TestStoreClasses: queries of a class that is named are of its shape, and others
// of that of the store, whatever its knob says.
func TestStoreClasses(t *testing.T) {
	n := describe(t, 1, des.Second,
		"boots source {rate: 10/s, size: 20, call: {to: store}}",
		"users source {rate: 40/s, class: 1, keys: {distinct: 10_000}, call: {to: store}}",
		"store store {shards: 8, cores: 10, query: scatter, work: 10ms, work_per_item: 4ms, classes: [{class: 1, work: 25ms}]}")
	run(t, n, 1000)
	s := part[*store](n, 2)
	if got, want := float64(s.shardQueries.Total())/1000, 10*8.0+40; math.Abs(got-want) > 4 {
		t.Errorf("the shards are asked %v times a second, want %v", got, want)
	}
	if got, want := s.busy.Mean(), 10*8*(0.010+0.004*20/8)+40*0.025; math.Abs(got-want) > 0.1 {
		t.Errorf("%v cores are busy, want %v", got, want)
	}
	knob(t, n, "store.query").Set(0)
	before := s.shardQueries.Total()
	run(t, n, 2000)
	if got := float64(s.shardQueries.Total()-before) / 1000; math.Abs(got-50) > 2 {
		t.Errorf("with point queries the shards are asked %v times a second, want 50", got)
	}
}

// TestStoreAmplifies: asking all shards multiplies the load by their number, and
// replicas divide it, best if the copy with the fewest queries is asked.
func TestStoreAmplifies(t *testing.T) {
	mean := func(settings string) float64 {
		n := stored(t, 1, "rate: 6/s", "shards: 8, work: exp 100ms, "+settings)
		run(t, n, 2000)
		return part[*source](n, 0).latency.Mean()
	}
	scatter := mean("query: scatter")
	random, fewest := mean("query: scatter, replicas: 2"), mean("query: scatter, replicas: 2, pick: fewest")
	if !(mean("query: point") < fewest && fewest < random && random < scatter/1.5) {
		t.Errorf("mean times: all shards %.3f, of three random copies %.3f, of the three least busy %.3f", scatter, random, fewest)
	}
}

func TestStoreKnobs(t *testing.T) {
	n := stored(t, 1, "rate: 100/s", "shards: 4, work: 10ms, query: scatter, partial: true")
	for i, step := range []struct {
		knob  string
		value float64
		work  float64 // done for each second, in cores
		bad   float64 // share of queries that do not succeed
	}{
		{"speed", 1, 4, 0},
		{"speed", 2, 2, 0},
		{"down", 1, 1.5, 0}, // of four shards one is away, and the others answer
		{"down", 4, 0, 1},
		{"query", 0, 0, 1},
		{"down", 2, 0.25, 0.5},
		{"replicas", 3, 0.25, 0.5},
		{"cores", 4, 0.25, 0.5},
	} {
		knob(t, n, "store."+step.knob).Set(step.value)
		s, u := part[*store](n, 1), part[*source](n, 0)
		from := float64(i * 100)
		run(t, n, from+20)
		busy, failed, offered := s.busy.Mean()*(from+20), u.failed.Total(), u.offered.Total()
		run(t, n, from+100)
		if got := (s.busy.Mean()*(from+100) - busy) / 80; math.Abs(got-step.work) > 0.25 {
			t.Errorf("with %s %v, %v cores work, want %v", step.knob, step.value, got, step.work)
		}
		if got := float64(u.failed.Total()-failed) / float64(u.offered.Total()-offered); math.Abs(got-step.bad) > 0.05 {
			t.Errorf("with %s %v, a share %v fails, want %v", step.knob, step.value, got, step.bad)
		}
	}
}

// TestStoreLate: queries that nobody waits for are worked for unless they are
// dropped or withdrawn, and a short line refuses.
func TestStoreLate(t *testing.T) {
	good := func(call, settings string) (float64, *store) {
		n := describe(t, 1, des.Second, "users source {rate: 60/s, size: 6, keys: {distinct: 1000000}, call: {to: store, timeout: 1s"+call+"}}",
			"store store {shards: 4, query: items, work: exp 25ms, "+settings+"}")
		run(t, n, 200)
		return float64(part[*source](n, 0).good.Total()) / 200, part[*store](n, 1)
	}
	runAll, s := good("", "expired: run")
	if runAll > 10 || s.wasted.Total() < 1000 {
		t.Errorf("when all is run, %v are good a second and %d wasted", runAll, s.wasted.Total())
	}
	if got, s := good("", "expired: drop"); got <= runAll || s.expired.Total() == 0 {
		t.Errorf("when late ones are dropped, %v are good a second and %d expired", got, s.expired.Total())
	}
	if got, s := good(", cancel: true", ""); got <= runAll || s.withdrawn.Total() == 0 {
		t.Errorf("when they are withdrawn, %v are good a second and %d withdrawn", got, s.withdrawn.Total())
	}
	if got, s := good("", "room: 10"); got < 15 || s.failed.Total() == 0 {
		t.Errorf("with short lines, %v are good a second and %d failed", got, s.failed.Total())
	}
	if got, _ := good("", "order: lifo"); got < 15 {
		t.Errorf("last in, first out, %v are good a second", got)
	}
}

func TestStoreSettings(t *testing.T) {
	for settings, field := range map[string]string{
		"{work: 1s, shards: 0}":                       "shards",
		"{work: 1s, cores: 0}":                        "cores",
		"{work: 1s, replicas: 16}":                    "replicas",
		"{work: 1s, query: scatter}":                  "query",
		"{work: 1s, classes: [{class: 8, work: 1s}]}": "classes[0].class",
	} {
		wantFinding(t, "store", settings, field)
	}
	sameTwice(t, 30, func() *Net {
		return describe(t, 5, des.Second, "users source {call: {to: store}, keys: {distinct: 1000}, rate: 50/s, size: exp 3}", "store store {shards: 4, replicas: 1, query: items, work: exp 20ms, room: 4, order: lifo}")
	})
}

func BenchmarkStore(b *testing.B) {
	for _, shards := range []int{8, 1000} {
		b.Run(fmt.Sprint(shards), func(b *testing.B) {
			n := stored(b, 1, fmt.Sprintf("rate: %d/s", shards*100), fmt.Sprintf("shards: %d, cores: 4, work: exp 20ms", shards))
			run(b, n, 1)
			before := n.Sim.Handled()
			b.ReportAllocs()
			b.ResetTimer()
			for i := range b.N {
				run(b, n, 1+float64(i+1)*0.001)
			}
			b.ReportMetric(float64(n.Sim.Handled()-before)/b.Elapsed().Seconds()/1e6, "M-events/s")
		})
	}
}
