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
// such race. A lock that those who do not get it wait for longer and longer goes to
// who has just had it, which can keep others away for long: on Ethernet it is known
// as the capture effect.
var plannerKind = Kind{
	Name: "planner",
	About: "A planner that makes a new generation of a plan from time to time, appliers that write the newest one to all " +
		"endpoints, and their cleaning of old plans. An endpoint whose plan is deleted is empty, and stays so.",
	New:      func() Config { return new(plannerConfig) },
	Source:   true,
	Callable: true,
}

type plannerConfig struct {
	Period    Duration    `yaml:"period" doc:"time from one generation to the next" required:"true"`
	Appliers  Count       `yaml:"appliers" doc:"that write plans, each for itself" default:"3"`
	Pause     Spread      `yaml:"pause" doc:"how long an applier waits after a run" default:"exp 10s"`
	Endpoints Count       `yaml:"endpoints" doc:"that each plan is written to, one after the other" required:"true"`
	Step      Spread      `yaml:"step" doc:"time for one endpoint" required:"true"`
	Lock      LockRule    `yaml:"lock" doc:"whether an applier needs a lock to write an endpoint, so that one writes at a time: none, or one" default:"none"`
	Backoff   Backoff     `yaml:"backoff" doc:"how long an applier waits that does not get the lock"`
	Gap       Spread      `yaml:"gap" doc:"how long the lock is free after each endpoint" default:"0s"`
	Keep      Limit       `yaml:"keep" doc:"generations before the one just applied that the cleaning leaves" default:"10"`
	CleanIn   Spread      `yaml:"clean_in" doc:"time from the last endpoint of a run to the cleaning" default:"0s"`
	Write     WriteRule   `yaml:"write" doc:"when an endpoint is written: check-once, if the plan was the newest when the run began, check-each, if what is there is older when its turn begins, or compare-and-swap, if what is there is older when it is written" default:"check-once"`
	Clean     CleanRule   `yaml:"clean" doc:"which old plans are deleted: any, unapplied, those that no endpoint has, or never-active, of these those that no applier is about to write either" default:"any"`
	OnEmpty   EmptyRule   `yaml:"on_empty" doc:"what an applier does with an endpoint whose plan was deleted: stuck, it cannot write it, or write, as any other" default:"stuck"`
	OnDeleted DeletedRule `yaml:"on_deleted" doc:"what becomes of writing a plan that was deleted meanwhile: write, which leaves the endpoint empty, or refuse, which leaves it as it is" default:"write"`
	Asked     Count       `yaml:"asked" doc:"the endpoint, from 1, that the calls of others ask for; 0 asks any"`
	TTL       Duration    `yaml:"ttl" doc:"how long callers keep the answer of an endpoint that then is empty"`
	Negative  Duration    `yaml:"negative_ttl" doc:"how long they keep the answer that an endpoint is empty"`
	Serve     Serve       `yaml:"serve" doc:"how the endpoints answer the calls of others"`
}

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
	checkBackoff("backoff", &c.Backoff, r)
	if c.Lock == "one" && c.Backoff.First == 0 {
		r.Add("backoff.first", "who does not get the lock asks for it again at once, without end", "write how long it waits, such as 1s")
	}
	if c.Asked > c.Endpoints {
		r.Add("asked", fmt.Sprintf("endpoint %d of %d", c.Asked, c.Endpoints), "ask for one that is there, or 0 for any")
	}
	c.Serve.check(c.Endpoints, r)
}

const maxAppliers = 1000

// planner takes the steps of the protocol when their time has come.
type planner struct {
	plans
	net  *Net
	set  *plannerConfig
	self des.Target
	*front
	pauses, steps, sweeps, waits, cached *des.Stream

	changed []des.Time // when an endpoint became empty or was restored; Never if neither
	lock    int        // applier that has it; -1 for none
	denied  []int      // by applier, how often it was, one time after the other
	slow    float64
	on      bool // the automation

	made, runs, writes, stale, skipped, emptied, asks, denials *des.Counter
	empty, behind, delayed                                     *des.Gauge
}

const (
	plannerPlan uint16 = iota
	plannerTake
	plannerStep
	plannerWrite
	plannerClean
)

func (c *plannerConfig) Build(b *Builder) Part {
	s := &planner{
		plans: c.protocol(),
		net:   b.Net, set: c, pauses: b.Stream("pause"), steps: b.Stream("step"), sweeps: b.Stream("clean"),
		waits: b.Stream("lock"), cached: b.Stream("cached"),
		changed: make([]des.Time, c.Endpoints), denied: make([]int, c.Appliers), lock: -1, slow: 1, on: true,
		made: b.Counter("plans"), runs: b.Counter("runs"), writes: b.Counter("writes"),
		stale: b.Counter("stale_writes"), skipped: b.Counter("writes_skipped"), emptied: b.Counter("emptied"),
		asks: b.Counter("asked_emptied"), denials: b.Counter("lock_denied"),
		empty: b.Gauge("empty", "endpoints"), behind: b.Gauge("behind", "generations"),
		delayed: b.Gauge("delayed", "generations"),
	}
	s.self = b.Register(s)
	members, first := len(s.rows), 0
	if c.Asked > 0 {
		members, first = 1, int(c.Asked)-1
	}
	s.front = newFront(b, s, 0, &c.Serve, members, func(i int) bool { return s.resolves(first + i) })
	for i := range s.changed {
		s.changed[i] = des.Never
	}
	s.knobs(b)
	b.Law("endpoints are conserved", s.endpointsConserved)
	b.Slow(des.FromNanoseconds(float64(float64(c.Endpoints) * c.Step.Mean())))
	b.Slow(max(c.Period, c.TTL, c.Negative).Time())
	b.Start(s.start)
	return s
}

// protocol returns the protocol of the settings, at its beginning.
func (c *plannerConfig) protocol() plans {
	p := plans{planRules: planRules{
		keep: uint32(min(uint64(c.Keep), 1<<31)), write: c.Write, clean: c.Clean,
		stuck: c.OnEmpty == "stuck", fresh: c.OnDeleted == "refuse",
	}}
	p.begin(int(c.Endpoints), int(c.Appliers))
	return p
}

func (s *planner) knobs(b *Builder) {
	name := b.Name()
	b.Knob(Knob{
		Name: "slow", Unit: "1", About: "how many times as long the steps of the first applier take",
		Get: func() float64 { return s.slow }, Set: func(x float64) { s.slow = max(x, 0) },
		Worst: &Worst{Value: 60, About: named(name, "an applier of %s is slow", "%s의 적용기 하나가 느리다")},
	})
	b.Knob(Knob{
		Name: "keep", Unit: "generations", About: "generations before the one just applied that the cleaning leaves",
		Get: func() float64 { return float64(s.keep) },
		Set: func(x float64) { s.keep = uint32(min(max(x, 0), 1<<31)) },
	})
	b.Knob(Knob{
		Name: "automation", Unit: "1", About: "0 stops the planner and, after the endpoint they are at, the appliers; 1 starts them",
		Get: func() float64 { return number(s.on) }, Set: func(x float64) { s.on = x > 0 },
	})
	b.Knob(Knob{
		Name: "compare", Unit: "1", About: "1 writes an endpoint only if what it has is older",
		Get: func() float64 { return number(s.write == compareAndSwap) },
		Set: func(x float64) { s.write = turned(x, compareAndSwap, s.set.Write, checkOnce) },
	})
	b.Knob(Knob{
		Name: "guard", Unit: "1", About: "1 never deletes a plan that an endpoint has or an applier is about to write",
		Get: func() float64 { return number(s.clean == neverActive) },
		Set: func(x float64) { s.clean = turned(x, neverActive, s.set.Clean, cleanAny) },
	})
	b.Knob(Knob{
		Name: "restore", Unit: "1", Pulse: true, About: "gives empty endpoints the newest plan, by hand",
		Get: func() float64 { return 0 },
		Set: func(x float64) {
			if x > 0 {
				s.restoreEmpty()
			}
		},
		Remedies: []Remedy{{Value: 1, About: named(name, "the empty endpoints of %s restored by hand", "%s의 빈 엔드포인트를 손으로 되돌린다"), Cost: 2}},
	})
}

// turned is the rule that a knob turns on, or off to what the settings say.
func turned[R comparable](x float64, on, own, off R) R {
	switch {
	case x > 0:
		return on
	case own == on:
		return off
	}
	return own
}

// start sets the planner and the appliers going.
func (s *planner) start() {
	s.net.Sim.After(s.set.Period.Time(), s.self, plannerPlan, 0)
	for k := range s.appliers {
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
			s.plan()
			s.made.Inc()
			s.late()
		}
	case plannerTake:
		if !s.on || !s.take(int(k)) {
			s.pause(k)
			return
		}
		s.step(k)
	case plannerStep:
		s.step(k)
	case plannerWrite:
		s.writeOne(k)
	case plannerClean:
		s.cleanUp(k)
	}
}

// step lets an applier turn to its next endpoint, or wait for the lock.
func (s *planner) step(k uint32) {
	if !s.on {
		s.stop(k)
		return
	}
	if s.set.Lock == "one" && s.lock >= 0 {
		s.denied[k]++
		s.denials.Inc()
		s.net.Sim.After(s.set.Backoff.wait(s.denied[k], s.waits), s.self, plannerStep, k)
		return
	}
	for s.appliers[k].at == looking && !s.look(int(k)) {
		s.skipped.Inc()
	}
	if s.appliers[k].at == cleaning {
		s.finish(k)
		return
	}
	s.lock, s.denied[k] = int(k), 0
	span := s.set.Step.Draw(s.steps)
	if k == 0 {
		span = float64(span * s.slow)
	}
	s.net.Sim.After(des.FromNanoseconds(span), s.self, plannerWrite, k)
}

// late notes how many plans are newer than the oldest one that an applier is about
// to write.
func (s *planner) late() {
	oldest := s.newest
	for k := range s.appliers {
		if a := &s.appliers[k]; a.at == looking || a.at == writing {
			oldest = min(oldest, a.gen)
		}
	}
	s.delayed.Set(int64(s.newest - oldest))
}

// stop ends a run of an applier without the cleaning.
func (s *planner) stop(k uint32) {
	s.appliers[k].at = taking
	s.late()
	s.pause(k)
}

// writeOne writes one endpoint.
func (s *planner) writeOne(k uint32) {
	s.lock = -1
	if !s.on {
		s.stop(k)
		return
	}
	switch s.apply(int(k)) {
	case wroteNot:
		s.skipped.Inc()
	case wroteOlder:
		s.stale.Inc()
		s.writes.Inc()
	case wroteNewer:
		s.writes.Inc()
	}
	s.note()
	switch {
	case s.appliers[k].at == cleaning:
		s.finish(k)
	case s.set.Lock == "one":
		s.net.Sim.After(s.set.Gap.Span(s.waits), s.self, plannerStep, k)
	default:
		s.step(k)
	}
}

// finish ends a run but for the cleaning.
func (s *planner) finish(k uint32) {
	s.runs.Inc()
	if wait := s.set.CleanIn.Span(s.sweeps); wait > 0 {
		s.net.Sim.After(wait, s.self, plannerClean, k)
		return
	}
	s.cleanUp(k)
}

// cleanUp deletes old plans.
func (s *planner) cleanUp(k uint32) {
	if !s.on {
		s.stop(k)
		return
	}
	s.sweep(int(k))
	s.note()
	s.late()
	s.measure()
	s.pause(k)
}

// note notes the endpoints that the last step has left empty or filled again.
func (s *planner) note() {
	for _, i := range s.lost {
		s.changed[i] = s.net.Sim.Now()
		s.emptied.Inc()
		s.empty.Add(1)
		if s.set.Asked > 0 && i == int32(s.set.Asked)-1 {
			s.asks.Inc()
		}
	}
	for _, i := range s.found {
		s.filled(int(i))
	}
}

// restoreEmpty gives empty endpoints the newest plan.
func (s *planner) restoreEmpty() {
	for i := range s.rows {
		if s.rows[i].empty {
			s.restore(i)
			s.filled(i)
		}
	}
}

func (s *planner) filled(i int) {
	s.changed[i] = s.net.Sim.Now()
	s.empty.Add(-1)
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
	empty := s.rows[i].empty
	if s.changed[i] == des.Never {
		return true
	}
	life := s.set.Negative.Time()
	if empty {
		life = s.set.TTL.Time()
	}
	since := s.net.Sim.Now() - s.changed[i]
	knows := since >= life || s.cached.Bool(float64(since)/float64(life))
	return empty != knows
}

func (s *planner) brings() Load { return fleet(len(s.rows), s.empty.Value(), s.empty.Area()) }

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
