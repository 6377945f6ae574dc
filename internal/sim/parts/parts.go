// Package parts holds the components that systems are made of: sources of
// requests, servers, caches, pools, and the client policies between them. Each
// kind is one file that holds its settings, their defaults and documentation,
// what is wrong with them, and what the part does when it runs.
//
// Requests and attempts are different things. A part makes a request on one of
// its ports; the policy of the port turns it into one or more calls, each with
// its timeout; and the target works for a call whether or not somebody still
// waits for it, unless the policy withdraws it.
package parts

import (
	"fmt"
	"slices"
	"strings"

	"github.com/openprecedent/precedent/internal/nearest"
	"github.com/openprecedent/precedent/internal/sim/des"
)

// Kind is one kind of part.
type Kind struct {
	Name  string
	About string        // what it stands for, in a sentence or two
	New   func() Config // its settings, for decoding

	Source   bool // it makes requests by itself
	Callable bool // others can call it
	Stores   bool // it answers a call before it makes its own ones
	Begins   bool // it tells when it takes a call up
}

// Config holds the settings of one part. It is a pointer to a struct whose
// fields carry the tags yaml, doc, and where they have one, default or required.
type Config interface {
	// Ports returns how the part calls others, in order.
	Ports() []Port
	// Check reports what is wrong with the settings by themselves.
	Check(r *Report)
	// Instant reports whether a call can pass through the part, to another one
	// or back, without time passing.
	Instant() bool
	// Build makes the running part.
	Build(b *Builder) Part
}

// Port is one way in which a part calls others.
type Port struct {
	Name   string // path of the field, such as calls[0]
	Call   *Call
	Spread bool // the part chooses among the copies of its target
	// Share of the calls to the part that go on over the port; 0 if each does.
	Share float64
}

// ownHandlers is how many handlers of events a part registers at most besides
// its calls: itself, and timers.
const ownHandlers = 2

// Handlers returns how many handlers of events a part with its calls registers
// at most.
func Handlers(c Config) int {
	n := ownHandlers
	for _, port := range c.Ports() {
		n += port.Call.handlers()
	}
	if more, ok := c.(interface{ moreHandlers() int }); ok {
		n += more.moreHandlers()
	}
	return n
}

// Kinds returns all kinds of parts by name.
func Kinds() []Kind {
	return []Kind{
		autoscalerKind,
		balancerKind,
		bufferKind,
		bulkheadKind,
		cacheKind,
		concurrencyKind,
		cpuKind,
		gateKind,
		healthcheckKind,
		heartbeatsKind,
		leasesKind,
		pausesKind,
		plannerKind,
		poolKind,
		propagatorKind,
		provisionerKind,
		queueKind,
		ratelimitKind,
		refresherKind,
		rollingKind,
		serverKind,
		sourceKind,
		storeKind,
		workflowKind,
		zonesKind,
	}
}

// KindNamed returns the kind of a name.
func KindNamed(name string) (Kind, bool) {
	for _, k := range Kinds() {
		if k.Name == name {
			return k, true
		}
	}
	return Kind{}, false
}

// KindNames returns the names of all kinds.
func KindNames() []string {
	var names []string
	for _, k := range Kinds() {
		names = append(names, k.Name)
	}
	return names
}

// Finding is something wrong with the settings of a part.
type Finding struct {
	Field   string // path within the part
	Msg     string
	Help    string
	Warning bool // the system runs all the same
}

// Report collects findings.
type Report struct{ Findings []Finding }

// Add reports what keeps a part from running.
func (r *Report) Add(field, msg, help string) {
	r.Findings = append(r.Findings, Finding{Field: field, Msg: msg, Help: help})
}

// Warn reports what is probably not meant.
func (r *Report) Warn(field, msg, help string) {
	r.Findings = append(r.Findings, Finding{Field: field, Msg: msg, Help: help, Warning: true})
}

// oneOf reads one of some words.
func oneOf(dst *string, word string, words ...string) error {
	if slices.Contains(words, word) {
		*dst = word
		return nil
	}
	if near, ok := nearest.Of(word, words); ok {
		return fmt.Errorf("%q is not allowed here; did you mean %q?", word, near)
	}
	return fmt.Errorf("%q is not allowed here; write one of %s", word, strings.Join(words, ", "))
}

// Named is a part of a system that has not been built yet.
type Named struct {
	Name   string
	Config Config
	Copies int // how many there are of it; 0 means one
}

// Options say how a system is built.
type Options struct {
	Seed   uint64
	Window des.Time // width of the windows of the series
	// Calm takes the feedback out: calls are not retried or hedged, and parts
	// that come back for more after a failure do not. What then still keeps a
	// system down is not feedback.
	Calm bool
	// Clock is where the profiles of sources are at the start.
	Clock des.Time
}

// Build makes a running system of parts, whose calls must name parts among them
// and whose settings must be free of errors.
func Build(all []Named, o Options) *Net {
	b := build(all, o)
	for _, ready := range b.readies {
		ready()
	}
	return b.Net
}

// build makes the parts, but what they need of each other.
func build(all []Named, o Options) *Builder {
	n := &Net{Sim: des.New(o.Seed)}
	n.Rec = n.Sim.Record(o.Window)
	b := &Builder{Net: n, Calm: o.Calm, Clock: o.Clock, places: map[string]int{}}
	count := 0
	for _, p := range all {
		b.places[p.Name] = count
		n.groups = append(n.groups, newGroup(p.Name, count, max(p.Copies, 1)))
		count += max(p.Copies, 1)
	}
	for i, p := range all {
		for k := range max(p.Copies, 1) {
			b.name, b.group = n.groups[i].copyName(k), n.groups[i]
			n.parts = append(n.parts, p.Config.Build(b))
		}
	}
	for _, start := range b.starts {
		b.name, b.group = start.name, start.group
		start.f()
	}
	for _, g := range n.groups {
		g.finish(n)
	}
	return b
}

// Builder gives a part what it needs of the system around it, under its name.
type Builder struct {
	Net    *Net
	Calm   bool     // see [Options]
	Clock  des.Time // see [Options]
	name   string
	group  *group // of the part and its copies
	places map[string]int
	starts []start

	readies []func()
}

// start is what a part does when all parts are there.
type start struct {
	name  string
	group *group
	f     func()
}

// Register makes h a target of events.
func (b *Builder) Register(h des.Handler) des.Target { return b.Net.Sim.Register(h) }

// Stream returns the random stream for a purpose of the part.
func (b *Builder) Stream(purpose string) *des.Stream { return b.Net.Sim.Stream(b.name + "." + purpose) }

// Counter returns a counter of the part.
func (b *Builder) Counter(name string) *des.Counter {
	c := b.Net.Rec.Counter(b.name + "." + name)
	b.Net.measures = append(b.Net.measures, observed{name: b.name + "." + name, counters: []*des.Counter{c}})
	if b.group.copies > 1 {
		b.group.counter(name, c)
	}
	return c
}

// Gauge returns a gauge of the part.
func (b *Builder) Gauge(name, unit string) *des.Gauge {
	g := b.Net.Rec.Gauge(b.name+"."+name, unit)
	b.Net.measures = append(b.Net.measures, observed{name: b.name + "." + name, gauges: []*des.Gauge{g}})
	if b.group.copies > 1 {
		b.group.gauge(name, unit, g)
	}
	return g
}

// Ratio adds the series of one counter of the part over another one.
func (b *Builder) Ratio(name string, part, of *des.Counter) {
	b.Net.Rec.Ratio(b.name+"."+name, part, of)
}

// Spans returns a measure of spans of the part. Copies share theirs, since the
// percentiles of several histograms have no sum.
func (b *Builder) Spans(name string) *des.Spans {
	full := b.name + "." + name
	if b.group.copies > 1 {
		full = b.group.name + "." + name
		if s, ok := b.group.spans[name]; ok {
			return s
		}
	}
	s := b.Net.Rec.Spans(full)
	b.Net.measures = append(b.Net.measures, observed{name: full, spans: s})
	if b.group.copies > 1 {
		b.group.spans[name] = s
	}
	return s
}

// Sample records what read returns at the end of each window.
func (b *Builder) Sample(name, unit string, read func() float64) {
	b.Net.Rec.Sample(b.name+"."+name, unit, read)
	b.Net.measures = append(b.Net.measures, observed{name: b.name + "." + name, read: read})
}

// Knob lets triggers and operators turn a setting.
func (b *Builder) Knob(k Knob) {
	if b.group.copies > 1 {
		b.group.knob(b.name, k)
		k.Worst, k.Remedies = nil, nil // the knob of all copies has them
	}
	k.Name = b.name + "." + k.Name
	b.Net.knobs = append(b.Net.knobs, k)
}

// Law adds something that must hold at the end of every run.
func (b *Builder) Law(name string, broken func() error) {
	b.Net.laws = append(b.Net.laws, Law{Name: b.name + ": " + name, Broken: broken})
}

// Slow tells of a time constant of the part: how long it takes to forget, such
// as a period or the time in which a full waiting room is served.
func (b *Builder) Slow(t des.Time) { b.Net.slowest = max(b.Net.slowest, t) }

// Start runs f when all parts are there.
func (b *Builder) Start(f func()) { b.starts = append(b.starts, start{b.name, b.group, f}) }

// Ready runs f when all parts have started and all knobs and measures are there.
func (b *Builder) Ready(f func()) { b.readies = append(b.readies, f) }

// Edge joins a port of the part to its target.
func (b *Builder) Edge(owner Part, port int, name string, c *Call) *edge {
	n := b.Net
	if b.Calm {
		calm := *c
		calm.Retries, calm.Hedge = 0, 0
		c = &calm
	}
	n.slowest = max(n.slowest, c.slowest())
	e := &edge{
		net: n, id: uint16(len(n.edges)), owner: owner, port: port, target: b.places[c.To], policy: *c,
		jitter: b.Stream(name + ".jitter"), loss: b.Stream(name + ".loss"), delay: c.Delay.Time(),
		asked: b.Counter(name + ".requests"), attempts: b.Counter(name + ".attempts"),
		retries: b.Counter(name + ".retries"), late: b.Counter(name + ".late"),
		open: b.Gauge(name+".open", "requests"),
	}
	for o, word := range [outcomes]string{"ok", "refused", "failed", "timed_out", "withdrawn"} {
		e.ended[o] = b.Counter(name + "." + word)
	}
	e.self = n.Sim.Register(e)
	if c.Timeout > 0 {
		e.timeouts = n.Sim.Ring(c.Timeout.Time(), e.self, edgeTimeout)
	}
	if c.Connect > 0 {
		e.connects = n.Sim.Ring(c.Connect.Time(), e.self, edgeConnect)
	}
	if c.Size != nil {
		e.sizes = b.Stream(name + ".size")
	}
	if c.Hedge > 0 {
		e.hedges = n.Sim.Ring(c.Hedge.Time(), e.self, edgeHedge)
	}
	if c.Inherit {
		e.alarms = n.Sim.Alarms(e.self, edgeTimeout)
	}
	if c.Breaker != nil {
		e.breaker = newBreaker(*c.Breaker, b.Counter(name+".breaker_opened"))
	}
	b.Knob(Knob{
		Name: name + ".cut", Unit: "1", About: "share of calls lost on the way",
		Get: func() float64 { return e.cut }, Set: func(x float64) { e.cut = min(max(x, 0), 1) },
	})
	b.Knob(Knob{
		Name: name + ".delay", Unit: "s", About: "time on the network, each way",
		Get: func() float64 { return e.delay.Seconds() }, Set: func(x float64) { e.delay = des.FromSeconds(x) },
	})
	if e.hedges != nil {
		b.Knob(Knob{
			Name: name + ".hedges", Unit: "1", About: "1 sends a second call when no answer came, 0 does not",
			Get:      func() float64 { return number(!e.unhedged) },
			Set:      func(x float64) { e.unhedged = x <= 0 },
			Remedies: []Remedy{{Value: 0, About: named(b.name+"."+name, "no hedges of %s", "%s의 헤지를 끈다"), Cost: 1}},
		})
	}
	if !b.Calm {
		b.retryKnobs(e, name)
	}
	b.Law(name+": requests are conserved", e.conserved)
	n.edges = append(n.edges, e)
	return e
}

// retryKnobs lets operators turn how a call is tried again, one that is not yet too.
// Less of it helps only where there is some.
func (b *Builder) retryKnobs(e *edge, name string) {
	retries := Knob{
		Name: name + ".retries", Unit: "retries", About: "attempts after the first one",
		Get: func() float64 { return float64(e.policy.Retries) },
		Set: func(x float64) { e.policy.Retries = Count(min(max(x, 0), maxRetries)) },
	}
	budget := Knob{
		Name: name + ".retry_budget", Unit: "1", About: "retries allowed for each request; 0 sets no limit",
		Get: func() float64 { return float64(e.policy.Budget) },
		Set: func(x float64) { e.policy.Budget = Share(min(max(x, 0), 1)) },
	}
	if e.policy.Retries > 0 {
		retries.Remedies = []Remedy{{Value: 0, About: named(b.name+"."+name, "no retries of %s", "%s의 재시도를 끈다"), Cost: 1}}
		budget.Remedies = []Remedy{{Value: 0.1, About: named(b.name+"."+name, "a retry budget of 10 %% on %s", "%s에 재시도 예산 10%%"), Cost: 0.5}}
	}
	b.Knob(retries)
	b.Knob(budget)
}

// Knobs returns the settings that can be turned while the system runs.
func (n *Net) Knobs() []Knob { return n.knobs }

// noCalls is embedded by parts that nobody may call.
type noCalls struct{}

// Arrive panics: lint refuses calls to such a part.
func (noCalls) Arrive(CallID) { panic("parts: a part that takes no calls was called") }

// Withdraw panics as Arrive does.
func (noCalls) Withdraw(CallID) { panic("parts: a part that takes no calls was called") }

// As returns a builder of the part of another name, for what is added when all
// parts are there.
func (b *Builder) As(name string) *Builder {
	other := *b
	other.name = name
	for _, g := range b.Net.groups {
		if g.has(name) {
			other.group = g
		}
	}
	return &other
}

// number is 1 for true, for knobs that are on or off.
func number(on bool) float64 {
	if on {
		return 1
	}
	return 0
}

// noPorts is embedded by parts that call nobody and may not be called.
type noPorts struct{ noCalls }

// Ended panics: such a part makes no requests.
func (noPorts) Ended(int, uint32, Outcome) { panic("parts: a request has ended that nobody made") }

// noRequests is embedded by parts that call nobody.
type noRequests struct{}

// Ended panics: a part that makes no requests is told the end of one.
func (noRequests) Ended(int, uint32, Outcome) {
	panic("parts: a part that makes no requests was told the end of one")
}

// Name returns the name of the part that is being built.
func (b *Builder) Name() string { return b.name }
