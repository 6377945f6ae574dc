package parts

import (
	"fmt"

	"github.com/openprecedent/precedent/internal/sim/des"
)

// Plans that are made in one place and applied in several are the pattern of
// configuration and DNS automation. A check that is made once, at the start of a
// long run of writes, is a race between check and use (Bishop and Dilger,
// Computing Systems 9(2), 1996): by the time of a write a newer plan may be
// there. Writing only if what is there is older, as by compare-and-swap, has no
// such race.
var plannerKind = Kind{
	Name: "planner",
	About: "A planner that makes a new generation of a plan from time to time, appliers that write the newest one to all " +
		"endpoints, and their cleaning of old plans. An endpoint whose plan is deleted is empty, and stays so.",
	New:      func() Config { return new(plannerConfig) },
	Source:   true,
	Callable: true,
}

type plannerConfig struct {
	Period    Duration  `yaml:"period" doc:"time from one generation to the next" required:"true"`
	Appliers  Count     `yaml:"appliers" doc:"that write plans, each for itself" default:"3"`
	Pause     Spread    `yaml:"pause" doc:"how long an applier waits after a run" default:"exp 10s"`
	Endpoints Count     `yaml:"endpoints" doc:"that each plan is written to, one after the other" required:"true"`
	Step      Spread    `yaml:"step" doc:"time for one endpoint" required:"true"`
	Keep      Limit     `yaml:"keep" doc:"generations before the one just applied that the cleaning leaves" default:"10"`
	Write     WriteRule `yaml:"write" doc:"when an endpoint is written: check-once, if the plan was the newest when the run began, or compare-and-swap, if what is there is older" default:"check-once"`
	Clean     CleanRule `yaml:"clean" doc:"which old plans are deleted: any, or never-active, only those that no endpoint has" default:"any"`
	Asked     Count     `yaml:"asked" doc:"the endpoint, from 1, that the calls of others ask for; 0 asks any"`
	TTL       Duration  `yaml:"ttl" doc:"how long callers keep the answer of an endpoint that then is empty"`
	Negative  Duration  `yaml:"negative_ttl" doc:"how long they keep the answer that an endpoint is empty"`
	Serve     Serve     `yaml:"serve" doc:"how the endpoints answer the calls of others"`
}

// WriteRule says when an endpoint is written.
type WriteRule string

// UnmarshalText reads when an endpoint is written.
func (w *WriteRule) UnmarshalText(text []byte) error {
	return oneOf((*string)(w), string(text), w.Words()...)
}

// Words returns the words that may stand.
func (*WriteRule) Words() []string { return []string{"check-once", "compare-and-swap"} }

// CleanRule says which old plans are deleted.
type CleanRule string

// UnmarshalText reads which old plans are deleted.
func (c *CleanRule) UnmarshalText(text []byte) error {
	return oneOf((*string)(c), string(text), c.Words()...)
}

// Words returns the words that may stand.
func (*CleanRule) Words() []string { return []string{"any", "never-active"} }

func (c *plannerConfig) Ports() []Port { return c.Serve.ports() }

// Instant reports true: calls to endpoints pass through without time passing.
func (c *plannerConfig) Instant() bool { return true }

func (c *plannerConfig) Check(r *Report) {
	checkMembers("endpoints", c.Endpoints, r)
	if c.Period == 0 {
		r.Add("period", "plans are made without end", "write the time between two generations, such as 30s")
	}
	if c.Appliers < 1 || c.Appliers > maxAppliers {
		r.Add("appliers", fmt.Sprintf("%d appliers", c.Appliers), fmt.Sprintf("write 1 to %d", maxAppliers))
	}
	if c.Step.Mean() == 0 {
		r.Add("step", "a run takes no time", "write the time for one endpoint, such as 200ms")
	}
	if c.Asked > c.Endpoints {
		r.Add("asked", fmt.Sprintf("endpoint %d of %d", c.Asked, c.Endpoints), "ask for one that is there, or 0 for any")
	}
	c.Serve.check(c.Endpoints, r)
}

const maxAppliers = 1000

// planner holds its endpoints as rows.
type planner struct {
	net  *Net
	set  *plannerConfig
	self des.Target
	*front
	pauses, steps, cached *des.Stream

	rows     []endpoint
	appliers []applier
	newest   uint32 // generation
	deleted  uint32 // generations up to this one are, but for those spared
	spared   []bool // by generation: it was active when older ones were deleted
	slow     float64
	keep     int
	swap     bool // compare and swap
	guard    bool // never delete what is active
	on       bool // the automation

	plans, runs, writes, stale, skipped, emptied *des.Counter
	empty, behind                                *des.Gauge
}

// endpoint is what one endpoint has.
type endpoint struct {
	gen     uint32
	empty   bool
	changed des.Time // when it became empty or was restored; Never if neither
}

// applier is one run over the endpoints.
type applier struct {
	gen  uint32 // of the plan that it writes; the last one between runs
	next int    // endpoint
}

const (
	plannerPlan uint16 = iota
	plannerTake
	plannerStep
)

func (c *plannerConfig) Build(b *Builder) Part {
	s := &planner{
		net: b.Net, set: c, pauses: b.Stream("pause"), steps: b.Stream("step"), cached: b.Stream("cached"),
		rows: make([]endpoint, c.Endpoints), appliers: make([]applier, c.Appliers), slow: 1,
		keep: int(c.Keep), swap: c.Write == "compare-and-swap", guard: c.Clean == "never-active", on: true,
		plans: b.Counter("plans"), runs: b.Counter("runs"), writes: b.Counter("writes"),
		stale: b.Counter("stale_writes"), skipped: b.Counter("writes_skipped"), emptied: b.Counter("emptied"),
		empty: b.Gauge("empty", "endpoints"), behind: b.Gauge("behind", "generations"),
	}
	s.self = b.Register(s)
	members, first := len(s.rows), 0
	if c.Asked > 0 {
		members, first = 1, int(c.Asked)-1
	}
	s.front = newFront(b, s, 0, &c.Serve, members, func(i int) bool { return s.resolves(first + i) })
	for i := range s.rows {
		s.rows[i].changed = des.Never
	}
	s.knobs(b)
	b.Law("endpoints are conserved", s.endpointsConserved)
	b.Slow(des.FromNanoseconds(float64(float64(c.Endpoints) * c.Step.Mean())))
	b.Slow(max(c.Period, c.TTL, c.Negative).Time())
	b.Start(s.start)
	return s
}

func (s *planner) knobs(b *Builder) {
	name := b.Name()
	b.Knob(Knob{
		Name: "slow", Unit: "1", About: "how many times as long the steps of the first applier take",
		Get: func() float64 { return s.slow }, Set: func(x float64) { s.slow = max(x, 0) },
		Worst: &Worst{Value: 60, About: "an applier of " + name + " is slow"},
	})
	b.Knob(Knob{
		Name: "keep", Unit: "generations", About: "generations before the one just applied that the cleaning leaves",
		Get: func() float64 { return float64(s.keep) },
		Set: func(x float64) { s.keep = int(min(max(x, 0), float64(Unlimited))) },
	})
	b.Knob(Knob{
		Name: "automation", Unit: "1", About: "0 stops the planner and, after the endpoint they are at, the appliers; 1 starts them",
		Get: func() float64 { return number(s.on) }, Set: func(x float64) { s.on = x > 0 },
	})
	b.Knob(Knob{
		Name: "compare", Unit: "1", About: "1 writes an endpoint only if what it has is older",
		Get: func() float64 { return number(s.swap) }, Set: func(x float64) { s.swap = x > 0 },
	})
	b.Knob(Knob{
		Name: "guard", Unit: "1", About: "1 never deletes a plan that an endpoint has",
		Get: func() float64 { return number(s.guard) }, Set: func(x float64) { s.guard = x > 0 },
	})
	b.Knob(Knob{
		Name: "restore", Unit: "1", Pulse: true, About: "gives empty endpoints the newest plan, by hand",
		Get: func() float64 { return 0 },
		Set: func(x float64) {
			if x > 0 {
				s.restore()
			}
		},
		Remedies: []Remedy{{Value: 1, About: "the empty endpoints of " + name + " restored by hand", Cost: 2}},
	})
}

// start makes the first plan, which all endpoints have.
func (s *planner) start() {
	s.newest = 1
	s.spared = append(s.spared, false, false)
	for i := range s.rows {
		s.rows[i].gen = 1
	}
	s.net.Sim.After(s.set.Period.Time(), s.self, plannerPlan, 0)
	for k := range s.appliers {
		s.appliers[k].gen = 1
		s.pause(uint32(k))
	}
}

func (s *planner) pause(k uint32) {
	// Never at once: an applier that finds no newer plan looks again.
	s.net.Sim.After(max(s.set.Pause.Span(s.pauses), des.Second), s.self, plannerTake, k)
}

// Handle receives the turns of the planner and of the appliers.
func (s *planner) Handle(kind uint16, k uint32) {
	switch kind {
	case plannerPlan:
		s.net.Sim.After(s.set.Period.Time(), s.self, plannerPlan, 0)
		if s.on {
			s.newest++
			s.spared = append(s.spared, false)
			s.plans.Inc()
		}
	case plannerTake:
		a := &s.appliers[k]
		if !s.on || a.gen == s.newest {
			s.pause(k)
			return
		}
		a.gen, a.next = s.newest, 0 // the check that is made once: nothing is newer
		s.step(k)
	case plannerStep:
		s.apply(k)
	}
}

// step lets an applier come to its next endpoint.
func (s *planner) step(k uint32) {
	span := s.set.Step.Draw(s.steps)
	if k == 0 {
		span = float64(span * s.slow)
	}
	s.net.Sim.After(des.FromNanoseconds(span), s.self, plannerStep, k)
}

// apply writes one endpoint.
func (s *planner) apply(k uint32) {
	a := &s.appliers[k]
	if !s.on {
		s.pause(k)
		return
	}
	s.write(a.next, a.gen)
	if a.next++; a.next < len(s.rows) {
		s.step(k)
		return
	}
	s.runs.Inc()
	s.clean(a.gen)
	s.measure()
	s.pause(k)
}

// write gives an endpoint the plan of a generation. An empty one takes none.
func (s *planner) write(i int, gen uint32) {
	row := &s.rows[i]
	if row.empty || s.swap && row.gen >= gen {
		s.skipped.Inc()
		return
	}
	if gen < row.gen {
		s.stale.Inc()
	}
	s.writes.Inc()
	row.gen = gen
	if s.gone(gen) {
		s.drain(row) // what it points to is not there any more
	}
}

func (s *planner) gone(gen uint32) bool { return gen <= s.deleted && !s.spared[gen] }

// drain leaves an endpoint empty.
func (s *planner) drain(row *endpoint) {
	row.empty, row.changed = true, s.net.Sim.Now()
	s.emptied.Inc()
	s.empty.Add(1)
}

// clean deletes plans that are much older than the one just applied.
func (s *planner) clean(gen uint32) {
	if s.keep >= int(gen) {
		return
	}
	upTo := gen - uint32(s.keep) - 1
	if s.guard {
		for i := range s.rows {
			if g := s.rows[i].gen; g <= upTo {
				s.spared[g] = s.spared[g] || g > s.deleted
			}
		}
		s.guardRuns(upTo)
	}
	s.deleted = max(s.deleted, upTo)
	for i := range s.rows {
		if row := &s.rows[i]; !row.empty && s.gone(row.gen) {
			s.drain(row)
		}
	}
}

// guardRuns spares the plans that appliers are writing: they become active.
func (s *planner) guardRuns(upTo uint32) {
	for k := range s.appliers {
		if g := s.appliers[k].gen; g <= upTo {
			s.spared[g] = s.spared[g] || g > s.deleted
		}
	}
}

// restore gives empty endpoints the newest plan.
func (s *planner) restore() {
	for i := range s.rows {
		if row := &s.rows[i]; row.empty {
			row.empty, row.gen, row.changed = false, s.newest, s.net.Sim.Now()
			s.empty.Add(-1)
		}
	}
}

// measure notes by how many generations the endpoint that is furthest behind is
// behind.
func (s *planner) measure() {
	oldest := s.newest
	for i := range s.rows {
		oldest = min(oldest, s.rows[i].gen)
	}
	s.behind.Set(int64(s.newest - oldest))
}

// resolves reports whether a caller finds an endpoint: callers learn of a change
// when the answer that they keep runs out, at any time within its life.
func (s *planner) resolves(i int) bool {
	row := &s.rows[i]
	if row.changed == des.Never {
		return true
	}
	life := s.set.Negative.Time()
	if row.empty {
		life = s.set.TTL.Time()
	}
	since := s.net.Sim.Now() - row.changed
	knows := since >= life || s.cached.Bool(float64(since)/float64(life))
	return row.empty != knows
}

// Arrive takes a call to an endpoint.
func (s *planner) Arrive(c CallID) { s.front.arrive(c) }

// Withdraw ends a call to an endpoint that was passed on.
func (s *planner) Withdraw(c CallID) { s.front.withdraw(c) }

// Ended takes the end of a call that was passed on.
func (s *planner) Ended(_ int, j uint32, o Outcome) { s.front.ended(j, o) }

func (s *planner) endpointsConserved() error {
	empty := int64(0)
	for i := range s.rows {
		row := &s.rows[i]
		if row.empty {
			empty++
		} else if s.gone(row.gen) {
			return fmt.Errorf("endpoint %d has generation %d, which is deleted, and is not empty", i, row.gen)
		}
	}
	if empty != s.empty.Value() {
		return fmt.Errorf("%d endpoints are empty, the gauge shows %d", empty, s.empty.Value())
	}
	return nil
}
