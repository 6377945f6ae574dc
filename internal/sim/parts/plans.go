package parts

import "slices"

// plans is the protocol by which plans come to endpoints: the state that its
// actors share, and their steps. Each method that changes it is one step, in which
// nothing else happens. When the steps come is not its matter: a planner takes
// them when their time has come, and an exploration in every order.
type plans struct {
	planRules
	newest   uint32   // generation
	cut      uint32   // plans up to this generation are deleted,
	spared   []uint32 // but for these, in order
	rows     []endpoint
	appliers []applier

	lost    []int32 // endpoints that the last step has left empty
	found   []int32 // empty ones that it has filled
	keepers []uint32
}

// planRules are what an operator, or a better program, could change.
type planRules struct {
	keep  uint32
	write WriteRule
	clean CleanRule
	stuck bool // an empty endpoint takes no plan
	fresh bool // a plan that was deleted meanwhile is not written
}

// endpoint is what one endpoint has.
type endpoint struct {
	gen   uint32
	empty bool // the plan of its generation is not there any more
}

// applier is one that writes plans.
type applier struct {
	gen  uint32 // of the plan that it writes; the last one between runs
	next int    // endpoint
	at   phase
}

// phase is what the next step of an applier is.
type phase uint8

const (
	taking   phase = iota // the newest plan, if it is newer than the last one
	looking               // whether what an endpoint has is older
	writing               // one endpoint
	cleaning              // old plans
)

// wrote is what came of writing an endpoint.
type wrote uint8

const (
	wroteNot wrote = iota
	wroteNewer
	wroteOlder
)

// begin makes the first plan, which all endpoints have.
func (p *plans) begin(endpoints, appliers int) {
	p.newest = 1
	p.rows, p.appliers = make([]endpoint, endpoints), make([]applier, appliers)
	for i := range p.rows {
		p.rows[i].gen = 1
	}
	for k := range p.appliers {
		p.appliers[k].gen = 1
	}
}

// plan makes the next generation.
func (p *plans) plan() { p.newest++ }

// take lets an applier begin a run with the newest plan, and reports whether there
// is one that it has not written yet. This is the check that is made once.
func (p *plans) take(k int) bool {
	a := &p.appliers[k]
	if a.gen == p.newest {
		return false
	}
	a.gen, a.next = p.newest, 0
	p.turn(a)
	return true
}

// turn lets an applier go on with its next endpoint, or with the cleaning.
func (p *plans) turn(a *applier) {
	switch {
	case a.next == len(p.rows):
		a.at = cleaning
	case p.write == checkEach:
		a.at = looking
	default:
		a.at = writing
	}
}

// look lets an applier pass over an endpoint that has no older plan, and reports
// whether it has one.
func (p *plans) look(k int) bool {
	a := &p.appliers[k]
	if row := p.rows[a.next]; row.gen >= a.gen && (p.stuck || !row.empty) {
		a.next++
		p.turn(a)
		return false
	}
	a.at = writing
	return true
}

// apply lets an applier write an endpoint.
func (p *plans) apply(k int) wrote {
	a := &p.appliers[k]
	done := p.give(a.next, a.gen)
	a.next++
	p.turn(a)
	return done
}

// give writes the plan of a generation to an endpoint, if the rules let it.
func (p *plans) give(i int, gen uint32) wrote {
	p.lost, p.found = p.lost[:0], p.found[:0]
	row := &p.rows[i]
	switch {
	case row.empty && p.stuck, p.fresh && p.gone(gen), p.write == compareAndSwap && row.gen >= gen && !row.empty:
		return wroteNot
	}
	done := wroteNewer
	if gen < row.gen {
		done = wroteOlder
	}
	was := row.empty
	*row = endpoint{gen: gen, empty: p.gone(gen)}
	switch {
	case row.empty && !was:
		p.lost = append(p.lost, int32(i)) // what it points to is not there any more
	case was && !row.empty:
		p.found = append(p.found, int32(i))
	}
	return done
}

// gone reports whether the plan of a generation is deleted.
func (p *plans) gone(gen uint32) bool { return gen <= p.cut && !slices.Contains(p.spared, gen) }

// sweep lets an applier delete plans that are much older than the one it has just
// applied, and end its run.
func (p *plans) sweep(k int) {
	p.lost, p.found = p.lost[:0], p.found[:0]
	a := &p.appliers[k]
	a.at = taking
	if p.keep >= a.gen {
		return
	}
	upTo := a.gen - p.keep - 1
	p.keepers = p.keepers[:0]
	for _, gen := range p.spared {
		if gen > upTo {
			p.keepers = append(p.keepers, gen)
		}
	}
	p.spare(upTo)
	p.spared = append(p.spared[:0], p.keepers...)
	p.cut = max(p.cut, upTo)
	for i := range p.rows {
		if row := &p.rows[i]; !row.empty && p.gone(row.gen) {
			row.empty = true
			p.lost = append(p.lost, int32(i))
		}
	}
}

// spare keeps plans up to a generation that are there and that the rule of the
// cleaning does not let go: those that endpoints have, and those that appliers are
// about to write, which endpoints will have.
func (p *plans) spare(upTo uint32) {
	if p.clean == cleanAny {
		return
	}
	for i := range p.rows {
		if row := &p.rows[i]; !row.empty {
			p.spareOne(row.gen, upTo)
		}
	}
	if p.clean == neverActive {
		for k := range p.appliers {
			if a := &p.appliers[k]; a.at == looking || a.at == writing {
				p.spareOne(a.gen, upTo)
			}
		}
	}
	slices.Sort(p.keepers)
}

func (p *plans) spareOne(gen, upTo uint32) {
	if gen <= upTo && !p.gone(gen) && !slices.Contains(p.keepers, gen) {
		p.keepers = append(p.keepers, gen)
	}
}

// restore gives an endpoint the newest plan, by hand.
func (p *plans) restore(i int) { p.rows[i] = endpoint{gen: p.newest} }
