package parts

import (
	"fmt"
	"slices"
	"strings"

	"github.com/openprecedent/precedent/internal/sim/explore"
)

// planOrders is the protocol of plans for an exploration, in which each step may
// come whenever it can: any applier may be delayed for as long as one likes, and
// any number of plans may be made.
//
// So that there are finitely many states, a state holds how generations lie to
// each other and not their numbers. That loses nothing: what the steps depend on
// is which of two generations that somebody has is newer, whether they are more
// than keep apart, and whether the plan is deleted. A gap above keep + 1 therefore
// is one of keep + 1, and of the plans that nobody has, nothing needs to be known:
// none can come back but as a newer one.
type planOrders struct {
	first plans

	// Room that is used again for each state.
	now            plans
	gens           []uint32
	numbers, bytes []byte
}

// The actions of an exploration. The planner is actor 0, the appliers follow.
const (
	doPlan = iota
	doTake
	doLook
	doApply
	doSweep
)

// Protocol implements [Explorable].
func (c *plannerConfig) Protocol() (Protocol, error) {
	o := &planOrders{first: c.protocol()}
	if n := max(len(o.first.rows), len(o.first.appliers)); n > maxOrderly {
		return nil, fmt.Errorf("%d endpoints and %d appliers have too many orders of steps", len(o.first.rows), len(o.first.appliers))
	}
	if o.first.keep > maxOrderly {
		return nil, fmt.Errorf("%d generations kept have too many orders of steps", o.first.keep)
	}
	return o, nil
}

// maxOrderly is how many endpoints, appliers and generations kept an exploration
// may have. Fewer are what one wants: the states are counted before they are many.
const maxOrderly = 10

// InvariantNames implements [Explorable].
func (c *plannerConfig) InvariantNames() []string {
	return []string{recordsExist, activeKept, neverOlder, newestInReach}
}

// Start implements [explore.Protocol].
func (o *planOrders) Start() string { return o.pack(&o.first) }

// The invariants of the protocol.
const (
	recordsExist  = "records-exist"
	activeKept    = "active-kept"
	neverOlder    = "never-older"
	newestInReach = "newest-in-reach"
)

// Invariants implements [explore.Protocol].
func (o *planOrders) Invariants() []explore.Invariant {
	return []explore.Invariant{
		{Name: recordsExist, Keeps: func(_ string, _ explore.Step, after string) bool { return o.empty(after) == 0 }},
		{Name: activeKept, Keeps: func(before string, s explore.Step, after string) bool {
			return s.Action != doSweep || o.empty(after) == o.empty(before)
		}},
		{Name: neverOlder, Keeps: func(before string, s explore.Step, _ string) bool {
			return s.Action != doApply || o.load(before).apply(s.Actor-firstApplier) != wroteOlder
		}},
		{Name: newestInReach, Reached: func(state string) bool {
			for i := range o.first.rows {
				if state[rowAt(i)] != state[0] || state[rowAt(i)+1] != 0 {
					return false
				}
			}
			return true
		}},
	}
}

// empty counts the endpoints of a state that are empty.
func (o *planOrders) empty(state string) int {
	n := 0
	for i := range o.first.rows {
		n += int(state[rowAt(i)+1])
	}
	return n
}

// firstApplier is the number of the first applier among the actors.
const firstApplier = 1

// Steps implements [explore.Protocol].
func (o *planOrders) Steps(state string, visit func(explore.Step, string)) {
	for actor := range firstApplier + len(o.first.appliers) {
		p := o.load(state)
		if s := p.next(actor); p.do(s) {
			visit(s, o.pack(p))
		}
	}
}

// next returns what an actor does next.
func (p *plans) next(actor int) explore.Step {
	s := explore.Step{Actor: actor, Action: doPlan}
	if actor < firstApplier {
		return s
	}
	switch p.appliers[actor-firstApplier].at {
	case taking:
		s.Action = doTake
	case looking:
		s.Action = doLook
	case writing:
		s.Action = doApply
	case cleaning:
		s.Action = doSweep
	}
	return s
}

// do takes a step, and reports whether it can be taken.
func (p *plans) do(s explore.Step) bool {
	k := s.Actor - firstApplier
	switch s.Action {
	case doPlan:
		p.plan()
	case doTake:
		return p.take(k)
	case doLook:
		p.look(k)
	case doApply:
		p.apply(k)
	case doSweep:
		p.sweep(k)
	}
	return true
}

// A state is the number of the newest plan; of each endpoint that of its plan, and
// whether it is empty; of each applier that of its plan, its next endpoint and
// what it does next; and the numbers of the plans that are deleted. Number 0 is
// that of a plan on which nothing depends any more.
const (
	bytesOfRow     = 2
	bytesOfApplier = 3
)

func rowAt(i int) int { return 1 + bytesOfRow*i }

// pack writes a state, so that those which behave alike read alike.
func (o *planOrders) pack(p *plans) string {
	o.gens = p.held(o.gens[:0])
	o.numbers = o.numbers[:0]
	number, before := 1, o.gens[0]
	for _, gen := range o.gens {
		number += int(min(gen-before, p.keep+1))
		o.numbers = append(o.numbers, byte(number))
		before = gen
	}
	of := func(gen uint32) byte {
		at, _ := slices.BinarySearch(o.gens, gen)
		return o.numbers[at]
	}
	b := append(o.bytes[:0], of(p.newest))
	for i := range p.rows {
		row := &p.rows[i]
		if p.over(row) {
			b = append(b, 0, 1)
			continue
		}
		b = append(b, of(row.gen), byte(number01(row.empty)))
	}
	for k := range p.appliers {
		switch a := &p.appliers[k]; {
		case p.idle(a):
			b = append(b, 0, 0, byte(taking))
		case a.at == taking:
			b = append(b, of(a.gen), 0, byte(taking))
		default:
			b = append(b, of(a.gen), byte(a.next), byte(a.at))
		}
	}
	for i, gen := range o.gens {
		if p.gone(gen) {
			b = append(b, o.numbers[i])
		}
	}
	o.bytes = b
	return string(b)
}

func number01(on bool) int {
	if on {
		return 1
	}
	return 0
}

// over reports whether an endpoint is lost, so that nothing depends on what it
// had.
func (p *plans) over(row *endpoint) bool { return row.empty && p.stuck }

// idle reports whether an applier takes whatever is the newest plan next, so that
// nothing depends on which one it had.
func (p *plans) idle(a *applier) bool { return a.at == taking && a.gen != p.newest }

// held returns the generations that somebody has, from the oldest on.
func (p *plans) held(gens []uint32) []uint32 {
	gens = append(gens, p.newest)
	for i := range p.rows {
		if row := &p.rows[i]; !p.over(row) {
			gens = append(gens, row.gen)
		}
	}
	for k := range p.appliers {
		if a := &p.appliers[k]; !p.idle(a) {
			gens = append(gens, a.gen)
		}
	}
	slices.Sort(gens)
	return slices.Compact(gens)
}

// load reads a state. What it returns stands until the next one is read.
func (o *planOrders) load(state string) *plans {
	p := &o.now
	p.planRules, p.newest = o.first.planRules, uint32(state[0])
	p.rows, p.appliers, p.spared, p.cut = p.rows[:0], p.appliers[:0], p.spared[:0], 0
	rest := state[1:]
	for range o.first.rows {
		p.rows = append(p.rows, endpoint{gen: uint32(rest[0]), empty: rest[1] != 0})
		rest = rest[bytesOfRow:]
	}
	for range o.first.appliers {
		p.appliers = append(p.appliers, applier{gen: uint32(rest[0]), next: int(rest[1]), at: phase(rest[2])})
		rest = rest[bytesOfApplier:]
	}
	if len(rest) == 0 {
		return p
	}
	p.cut = uint32(rest[len(rest)-1])
	o.gens = p.held(o.gens[:0])
	for _, gen := range o.gens {
		if gen <= p.cut && strings.IndexByte(rest, byte(gen)) < 0 {
			p.spared = append(p.spared, gen)
		}
	}
	return p
}
