package system_test

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/openprecedent/precedent/internal/sim/des"
	"github.com/openprecedent/precedent/internal/sim/scenario"
	"github.com/openprecedent/precedent/internal/sim/system"
	"github.com/openprecedent/precedent/internal/sim/verdict"
	"github.com/openprecedent/precedent/internal/strictyaml"
)

func decode(t *testing.T, src string, set ...strictyaml.Setting) *scenario.File {
	t.Helper()
	f, problems := scenario.Decode("test.yaml", []byte(src), set)
	if len(problems.Errors()) > 0 {
		t.Fatal(problems)
	}
	return f
}

func bound(t *testing.T, f *scenario.File, rule, at string) *system.Bound {
	t.Helper()
	for _, b := range f.Parts.Graph().Bounds() {
		if b.Rule == rule && b.At == at {
			return &b
		}
	}
	return nil
}

const oneQueue = `name: one queue
parts:
  users:
    kind: source
    rate: 50/s
    call: {to: db, timeout: 300ms, retries: 3}
  db: {kind: server, work: exp 10ms}
changes:
  - {about: the database stands still, at: 10s, for: 8s, set: {db.speed: 0}}
`

// TestBoundsAgainstVerdict holds the formulas that are exact to what the
// simulator finds, on both sides of each edge.
func TestBoundsAgainstVerdict(t *testing.T) {
	for _, c := range []struct {
		load, retries string
		want          verdict.Class
	}{
		{"20/s", "3", verdict.Driven}, {"30/s", "3", verdict.Metastable},
		{"45/s", "1", verdict.Driven}, {"56/s", "1", verdict.Metastable},
		{"110/s", "0", verdict.Overloaded},
	} {
		t.Run(c.load+" and retries "+c.retries, func(t *testing.T) {
			t.Parallel()
			f := decode(t, oneQueue, strictyaml.Setting{Path: "users.rate", Value: c.load},
				strictyaml.Setting{Path: "users.call.retries", Value: c.retries})
			capacity, edge := bound(t, f, system.RuleCapacity, "db"), bound(t, f, system.RuleRetries, "db")
			foretold := verdict.Driven
			switch {
			case !capacity.Holds:
				foretold = verdict.Overloaded
			case edge != nil && !edge.Holds:
				foretold = verdict.Metastable
			}
			if !capacity.Exact || edge != nil && !edge.Exact {
				t.Errorf("the bounds are not exact: %+v, %+v", capacity, edge)
			}
			j, err := verdict.Judge(context.Background(), f, verdict.Options{Seeds: 4})
			if err != nil {
				t.Fatal(err)
			}
			if foretold != c.want || j.Class != c.want {
				t.Errorf("foretold %s, found %s (%s), want %s", foretold, j.Class, j.Why, c.want)
			}
		})
	}
}

// TestMeanField holds the bounds to figures worked out by hand: R 4 and a timeout
// of 30 service times have a healthy state up to 0.857.
func TestMeanField(t *testing.T) {
	f := decode(t, oneQueue)
	if b := bound(t, f, system.RuleHealthy, "db"); b == nil || math.Abs(b.Right-85.7) > 0.1 || !b.Holds || b.Exact {
		t.Errorf("the bound of the healthy state is %+v, want 85.7/s", b)
	}
	if b := bound(t, f, system.RuleBoth, "db"); b == nil || math.Abs(b.Left-90) > 1e-9 || b.Holds {
		t.Errorf("the bound of two states is %+v, want (4-1) x 30 > 2", b)
	}
}

const threeLevels = `name: three levels
parts:
  users: {kind: source, rate: 40/s, call: {to: web, timeout: 500ms, retries: 2}}
  web:
    kind: server
    workers: 50
    work: 5ms
    calls: [{to: api, timeout: 300ms, retries: 2}]
  api:
    kind: server
    workers: 20
    work: 5ms
    calls: [{to: db, timeout: 200ms, retries: 2, delay: 1ms}]
  db: {kind: server, workers: 4, room: 100, work: exp 10ms}
`

func TestBounds(t *testing.T) {
	f := decode(t, threeLevels)
	for _, c := range []struct {
		rule, at    string
		left, right float64
		holds       bool
	}{
		{system.RuleCapacity, "db", 40, 400, true},
		{system.RuleCapacity, "api", 40, 20 / 0.017, true},
		{system.RuleRetries, "db", 20 / 0.2, 400, true},
		{system.RuleProduct, "api.calls[0]", 27, 3, false},
		{system.RuleTimeout, "users.call", 0.022, 0.5, true},
		{system.RuleNested, "users.call", 0.9, 0.5, false},
		{system.RuleNested, "web.calls[0]", 0.6, 0.3, false},
		{system.RuleRoom, "db", 104 * 0.01 / 4, 0.2, false},
		{system.RuleHeld, "api", 40 * 0.605, 20, false},
		{system.RuleHeld, "web", 40 * 0.905, 50, true},
	} {
		t.Run(c.rule+" at "+c.at, func(t *testing.T) {
			b := bound(t, f, c.rule, c.at)
			if b == nil {
				t.Fatal("there is no such bound")
			}
			if math.Abs(b.Left-c.left) > 1e-9*c.left || math.Abs(b.Right-c.right) > 1e-9*c.right || b.Holds != c.holds {
				t.Errorf("got %v against %v, holds %v; want %v against %v, %v", b.Left, b.Right, b.Holds, c.left, c.right, c.holds)
			}
			if b.Says.En == "" || b.Says.Ko == "" || b.Source == "" {
				t.Errorf("it says %+v after %q", b.Says, b.Source)
			}
		})
	}
	f = decode(t, threeLevels, strictyaml.Setting{Path: "db.room", Value: "10"})
	if b := bound(t, f, system.RuleRetries, "db"); b != nil {
		t.Errorf("a short waiting room leaves the edge of the retries: %+v", b)
	}
}

// TestLargeCalls holds a full waiting room against what has grown, since the mean
// says that all are in time when the large ones never are.
func TestLargeCalls(t *testing.T) {
	const file = `name: grown
parts:
  fleet: {kind: refresher, members: 3000, period: 60s, size: 100, grown: 30%, growth: 11, size_most: 1000, retry: {first: 1s}, call: {to: leases, timeout: 1s}}
  leases: {kind: server, workers: 16, room: 32, when_full: drop, work: 10ms, work_per_size: 500us}
`
	mean := 0.01 + 0.0005*(0.7*100+0.3*1000)
	for _, c := range []struct {
		name, growth string
		left         float64
		holds        bool
		says         string
	}{
		{"as large as others", "1", 3 * (0.01 + 0.0005*100), true, "retries cannot keep it congested"},
		{"up to the largest", "11", 2*mean + 0.01 + 0.0005*1000, true, "retries cannot keep it congested"},
	} {
		f := decode(t, file, strictyaml.Setting{Path: "fleet.growth", Value: c.growth})
		b := bound(t, f, system.RuleRoom, "leases")
		if b == nil || math.Abs(b.Left-c.left) > 1e-9 || b.Holds != c.holds || !strings.Contains(b.Says.En, c.says) {
			t.Errorf("%s: got %+v, want %v, holds %v, %q", c.name, b, c.left, c.holds, c.says)
		}
	}
	f := decode(t, file, strictyaml.Setting{Path: "fleet.growth", Value: "13"}, strictyaml.Setting{Path: "fleet.size_most", Value: "unlimited"})
	b := bound(t, f, system.RuleRoom, "leases")
	if b == nil || b.Holds || !strings.Contains(b.Says.En, "large calls") {
		t.Errorf("with larger ones: got %+v, want a room that is too long for them alone", b)
	}
}

// TestOwnCalls leaves the renewals of a fleet out of what its callers wait for.
func TestOwnCalls(t *testing.T) {
	f := decode(t, `name: fleet
parts:
  users: {kind: source, rate: 10/s, call: {to: fleet, timeout: 1s}}
  fleet: {kind: refresher, members: 30, period: 60s, retry: {first: 1s}, call: {to: leases, timeout: 20s}, serve: {then: {to: disks, timeout: 2s}}}
  leases: {kind: server, workers: 4, work: 8s}
  disks: {kind: server, workers: 4, work: 300ms}
`)
	if b := bound(t, f, system.RuleTimeout, "users.call"); b == nil || !b.Holds || math.Abs(b.Left-0.3) > 1e-9 {
		t.Errorf("the answer of a fleet takes %+v, want the 0.3 s of what it calls for its callers", b)
	}
	if b := bound(t, f, system.RuleNested, "users.call"); b == nil || b.Holds || math.Abs(b.Left-2) > 1e-9 {
		t.Errorf("a fleet gives up after %+v, want the 2 s of what it calls for its callers", b)
	}
}

// TestBalancedFlow follows calls through a balancer with weights and copies, and
// those that members make by themselves.
func TestBalancedFlow(t *testing.T) {
	f := decode(t, `name: balanced
parts:
  users: {kind: source, rate: 90/s, call: {to: lb}}
  lb: {kind: balancer, retries: 1, weights: [1, 3], calls: [{to: web, timeout: 100ms}, {to: big, timeout: 100ms}]}
  web: {kind: server, copies: 3, work: 10ms}
  big: {kind: server, workers: 4, work: 10ms}
  fleet: {kind: refresher, members: 600, period: 60s, retry: {first: 1s}, call: {to: big, timeout: 1s}}
`)
	g := f.Parts.Graph()
	if got := g.Node("web").Rate; math.Abs(got-45) > 1e-9 {
		t.Errorf("web gets %v/s, want half of 90/s: three copies of weight 1 against one of 3", got)
	}
	if got := g.Node("web").Capacity; math.Abs(got-300) > 1e-9 {
		t.Errorf("web can serve %v/s, want 300/s of three copies", got)
	}
	if got := g.Node("big").Rate; math.Abs(got-55) > 1e-9 {
		t.Errorf("big gets %v/s, want 45/s and 600 refreshes a minute", got)
	}
	b := bound(t, f, system.RuleRetries, "big")
	if b == nil || math.Abs(b.Left-(90+300)) > 1e-9 {
		t.Errorf("the bound of the retries is %+v, want 2 x 45/s and 600 every 2 s", b)
	}
}

// TestHiddenCapacity looks at what is behind a cache, a store and a processor.
func TestHiddenCapacity(t *testing.T) {
	f := decode(t, `name: behind a cache
parts:
  users: {kind: source, rate: 1000/s, keys: {distinct: 1k}, call: {to: cache}}
  cache: {kind: cache, call: {to: gate}}
  gate: {kind: gate, call: {to: db}}
  db: {kind: store, shards: 2, cores: 2, replicas: 1, work: 40ms, query: point}
  batch: {kind: source, rate: 100/s, call: {to: slow}}
  slow: {kind: ratelimit, rate: 40/s, call: {to: cpu}}
  cpu: {kind: cpu, cores: 4, work: exp 20ms}
`)
	g := f.Parts.Graph()
	if n := g.Node("cpu"); math.Abs(n.Rate-40) > 1e-9 || math.Abs(n.Capacity-200) > 1e-9 {
		t.Errorf("the processor gets %v/s of %v/s, want 40/s of 200/s", n.Rate, n.Capacity)
	}
	b := bound(t, f, system.RuleHidden, "db")
	if b == nil || b.Left != 1000 || math.Abs(b.Right-200) > 1e-9 || b.Holds || !strings.Contains(b.Says.En, "at least 80 % of the calls") {
		t.Errorf("the bound is %+v, want 1000/s against 2 x 2 x 2 cores / 40ms, and 80 %% hits", b)
	}
}

func TestAttempts(t *testing.T) {
	for _, c := range []struct {
		call string
		want float64
	}{
		{"{to: db}", 1}, {"{to: db, retries: 3}", 1}, {"{to: db, retries: 3, timeout: 1s}", 4},
		{"{to: db, retries: 3, timeout: 1s, retry_budget: 10%}", 1.1},
		{"{to: db, retries: 1, timeout: 1s, hedge: 100ms}", 4},
		{"{to: db, retries: 9, timeout: 1s, give_up: 3s}", 4},
		{"{to: db, retries: 9, timeout: 1s, give_up: 3s, backoff: {first: 1s}}", 2},
	} {
		t.Run(c.call, func(t *testing.T) {
			f := decode(t, fmt.Sprintf(`name: attempts
parts:
  users: {kind: source, rate: 1/s, call: %s}
  db: {kind: server, work: 10ms}
`, c.call))
			if got := system.Attempts(f.Parts.Graph().Calls[0].Call); got != c.want {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}

// TestEvents holds the estimate to a run in which nothing fails.
func TestEvents(t *testing.T) {
	f := decode(t, threeLevels, strictyaml.Setting{Path: "run.for", Value: "1m"})
	r, err := f.Simulate(context.Background(), 1, des.Budget{})
	if err != nil {
		t.Fatal(err)
	}
	if want := f.Parts.Graph().Events(f.Run.For.Time()); math.Abs(float64(r.Events)/want-1) > 0.3 {
		t.Errorf("the run had %d events, and %.0f were estimated", r.Events, want)
	}
}

// TestQueueFlow follows messages: as many as there are while nothing fails, none of
// which dies, and when their calls fail as many as consumers can take.
func TestQueueFlow(t *testing.T) {
	f := decode(t, `name: orders
parts:
  shop: {kind: source, rate: 40/s, call: {to: orders}}
  orders: {kind: queue, consumers: 20, max_deliveries: 5, dead_letters: {to: dead}, call: {to: payment, timeout: 200ms, retries: 2}}
  dead: {kind: queue, consumers: 0, call: {to: payment}}
  payment: {kind: server, workers: 10, work: exp 150ms}
`)
	g := f.Parts.Graph()
	if n := g.Node("payment"); n.Rate != 40 || n.AtMost || g.Node("dead").Rate != 0 {
		t.Errorf("payment gets %v/s (at most: %t) and %v/s die, want 40/s and none", n.Rate, n.AtMost, g.Node("dead").Rate)
	}
	if b := bound(t, f, system.RuleCapacity, "orders"); b == nil || math.Abs(b.Right-20/0.15) > 1e-9 || !b.Holds || b.Exact {
		t.Errorf("the capacity of the consumers is %+v, want 20 / 150ms", b)
	}
	if b := bound(t, f, system.RuleRetries, "payment"); b == nil || math.Abs(b.Left-20/0.2) > 1e-9 || b.Holds {
		t.Errorf("the edge of the retries is %+v, want 20 consumers / 200ms", b)
	}
	for _, rule := range []string{system.RuleHeld, system.RuleRetries} {
		if b := bound(t, f, rule, "orders"); b != nil {
			t.Errorf("who stores a message waits for nothing, but there is %+v", b)
		}
	}
}

// TestHedges looks at what hedges alone can do, behind a balancer too.
func TestHedges(t *testing.T) {
	const mesh = `name: mesh
parts:
  users: {kind: source, rate: 500/s, call: {to: lb, timeout: 500ms, hedge: 50ms}}
  lb: {kind: balancer, calls: [{to: web}, {to: other}]}
  web: {kind: server, workers: 10, work: exp 30ms}
  other: {kind: server, workers: 20, work: exp 30ms}
  plain: {kind: source, rate: 10/s, call: {to: cpu}}
  cpu: {kind: cpu, cores: 1, work: exp 30ms}
`
	f := decode(t, mesh)
	if b := bound(t, f, system.RuleHedges, "web"); b == nil || b.Left != 500 || b.Holds {
		t.Errorf("the edge of the hedges of web is %+v, want 2 x 250/s against 10 / 30ms", b)
	}
	if b := bound(t, f, system.RuleHedges, "other"); b == nil || b.Left != 500 || !b.Holds {
		t.Errorf("the edge of the hedges of other is %+v, want 2 x 250/s against 20 / 30ms", b)
	}
	if b := bound(t, f, system.RuleCapacity, "web"); b == nil || b.Exact || !b.Holds || !strings.Contains(b.Says.En, "hedges apart") {
		t.Errorf("the capacity of web is %+v, want one without the hedges", b)
	}
	if b := bound(t, f, system.RuleHedges, "cpu"); b != nil {
		t.Errorf("nothing hedges calls to cpu, but there is %+v", b)
	}
}

// TestLimitedRetries sees that it is said when the workers of a caller are what
// keeps the retries few.
func TestLimitedRetries(t *testing.T) {
	for _, c := range []struct {
		workers string
		limited bool
	}{{"150", true}, {"1000", false}} {
		f := decode(t, `name: behind a pool
parts:
  users: {kind: source, rate: 100/s, call: {to: api, timeout: 5s}}
  api: {kind: server, work: 1ms, calls: [{to: pool, timeout: 1s, retries: 3}]}
  pool: {kind: pool, max: 20, call: {to: db}}
  db: {kind: server, workers: 10, work: 20ms}
`, strictyaml.Setting{Path: "api.workers", Value: c.workers})
		b := bound(t, f, system.RuleRetries, "db")
		if limited := b != nil && strings.Contains(b.Says.En, "make no more"); b == nil || limited != c.limited || !b.Holds {
			t.Errorf("with %s workers it is %+v, limited by them: want %t", c.workers, b, c.limited)
		}
	}
}
