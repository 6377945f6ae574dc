package verdict

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/sim/des"
	"github.com/openprecedent/precedent/internal/sim/scenario"
)

// Remedies is what was found to help against one trigger.
type Remedies struct {
	// Overloaded tells that the system is unhealthy without any trigger. A remedy
	// then prevents that, and there is nothing to restore.
	Overloaded bool `json:"overloaded,omitempty"`

	Trigger bilingual.Text `json:"trigger"`
	Tipped  int            `json:"tipped"` // runs that the trigger tipped, which the remedies are tried on
	Seeds   int            `json:"seeds"`
	// Held is for how long a remedy was applied before it was withdrawn, in seconds.
	Held  float64 `json:"held"`
	Tried []Tried `json:"tried"`
	// Weakest are the cheapest remedies that brought back most of the runs and let
	// them stay back when withdrawn, or that keep a system that is overloaded
	// healthy; none if nothing did.
	Weakest []bilingual.Text `json:"weakest,omitempty"`
	Cost    float64          `json:"cost,omitempty"`
}

// Tried is how one remedy, or two together, did.
type Tried struct {
	Remedies []bilingual.Text `json:"remedies"`
	Cost     float64          `json:"cost"`
	// Prevents is the share of the runs that do not tip when the remedy is there
	// before the trigger; for two together it is tried only without one.
	Prevents *Interval `json:"prevents,omitempty"`
	// Holds is the share of the tipped runs that are healthy while the remedy is
	// applied, and Restores that of those which are healthy after it was
	// withdrawn.
	Holds    Interval `json:"holds"`
	Restores Interval `json:"restores"`
	// Held is for how long the remedies were applied before they were withdrawn,
	// in seconds: the mean over the runs that were restored.
	Held float64 `json:"held,omitempty"`
}

// remedy is something an operator does with the knobs.
type remedy struct {
	name  bilingual.Text
	turns scenario.Turns
	cost  float64
	key   string // its place among those offered, which names need not tell
}

// A remedy is applied until the system is healthy and what had piled up is gone,
// but at least for heldTaus time constants of the system, and at most for
// heldMost times as long as the system had been down.
const (
	heldTaus = 20
	heldMost = 4
)

// Remedy tries what brings a system back after its trigger, the scenario's own
// or else the first one that tips it: the remedies of the scenario and those
// that its parts offer, each alone and, of those that do not do alone, two
// together. A system that is overloaded is tried with them and without a trigger.
// It returns nil if no trigger tips the system. With an [*Interrupted] the answer,
// if there is one, holds the remedies that had been tried.
func Remedy(ctx context.Context, f *scenario.File, o Options) (*Remedies, error) {
	p, err := newProtocol(f, o)
	if err != nil {
		return nil, fmt.Errorf("trying remedies for %q: %w", f.Name, err)
	}
	if o.Seeds == 0 {
		o.Seeds = 5
	}
	r := newRunner(ctx, o)
	wrap := func(err error) error { return fmt.Errorf("trying remedies for %q: %w", f.Name, err) }
	base, err := p.baseline(r, o.Seeds)
	if err != nil {
		return nil, wrap(early(err, base, o.Seeds, append(names(p.triggers()), text("the remedies", "조치"))))
	}
	if base.Unhealthy.Share >= 0.5 {
		out := &Remedies{Overloaded: true, Trigger: text("none", "없음"), Seeds: o.Seeds, Tipped: hits(base.Unhealthy, o.Seeds)}
		err := out.all(p.offered(), func(ms ...remedy) (*Tried, error) { return p.relieves(r, ms, o.Seeds) })
		return out.ending(r, err, wrap)
	}
	triggers := p.triggers()
	for i, t := range triggers {
		trial, err := p.try(r, t, o.Seeds)
		if ended(err) {
			return nil, &Interrupted{err, append(names(triggers[i:]), text("the remedies", "조치"))}
		}
		if err != nil {
			return nil, wrap(err)
		}
		if trial.Tip.Share < 0.5 {
			continue
		}
		out := &Remedies{Trigger: t.Name, Seeds: o.Seeds}
		err = out.all(p.offered(), func(ms ...remedy) (*Tried, error) {
			tried, tipped, err := p.undoes(r, t, trial, ms, o.Seeds)
			out.Tipped = max(out.Tipped, tipped)
			return tried, err
		})
		return out.ending(r, err, wrap)
	}
	return nil, nil
}

// ending returns the answer with the weakest remedies of those that were tried,
// unless an error other than an interrupt ended it.
func (r *Remedies) ending(by *runner, err error, wrap func(error) error) (*Remedies, error) {
	if err == nil {
		err = by.fault()
	}
	if err != nil && !ended(err) {
		return nil, wrap(err)
	}
	return r.concluded(), err
}

// all tries each remedy alone, and those that do not do alone two together.
func (r *Remedies) all(offered []remedy, try func(...remedy) (*Tried, error)) error {
	one := func(ms ...remedy) (does bool, err error) {
		tried, err := try(ms...)
		if err != nil {
			return false, err
		}
		for _, m := range ms {
			tried.Remedies, tried.Cost = append(tried.Remedies, m.name), tried.Cost+m.cost
		}
		r.Tried = append(r.Tried, *tried)
		return r.does(tried), nil
	}
	var alone []remedy // those that do not do by themselves
	for i, m := range offered {
		does, err := one(m)
		if ended(err) {
			return &Interrupted{err, append(remedyNames(offered[i:]), text("two remedies together", "조치 두 가지를 함께"))}
		}
		if err != nil {
			return err
		}
		if !does {
			alone = append(alone, m)
		}
	}
	for i, a := range alone {
		for k, b := range alone[i+1:] {
			if sameKnob(a, b) {
				continue
			}
			_, err := one(a, b)
			if ended(err) {
				return &Interrupted{err, pairNames(alone, i, i+1+k)}
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// does reports whether what was tried restores the system, or keeps one that is
// overloaded healthy.
func (r *Remedies) does(t *Tried) bool {
	if r.Overloaded {
		return t.Prevents != nil && t.Prevents.Share > 0.5
	}
	return t.Restores.Share >= 0.5
}

// undoes tries remedies against a trigger, one alone beforehand too. It returns
// how many runs the trigger had tipped as well.
func (p *protocol) undoes(r *runner, t Trigger, trial Trial, ms []remedy, seeds int) (*Tried, int, error) {
	tried := &Tried{}
	if len(ms) == 1 {
		prevents, err := p.prevents(r, t, trial, ms[0], seeds)
		if err != nil {
			return nil, 0, err
		}
		tried.Prevents = &prevents
	}
	a, err := p.apply(r, t, trial, ms, seeds)
	tried.Holds, tried.Restores, tried.Held = a.Holds, a.Restores, a.Held
	return tried, a.Tipped, err
}

// relieves tries remedies on a system that is overloaded without a trigger.
func (p *protocol) relieves(r *runner, ms []remedy, seeds int) (*Tried, error) {
	key := "without a trigger:"
	for _, m := range ms {
		key += " " + m.key
	}
	base, err := p.runBaseline(r, key, text("without a trigger: %s", "촉발 요인 없이: %s", together(remedyNames(ms)...)), seeds, ms)
	prevents := Wilson(seeds-hits(base.Unhealthy, seeds), seeds)
	return &Tried{Prevents: &prevents}, err
}

// hits returns how many of n a share is.
func hits(x Interval, n int) int { return int(math.Floor(float64(x.Share*float64(n)) + 0.5)) }

// concluded names the weakest of the remedies that were tried and restore.
func (r *Remedies) concluded() *Remedies {
	best := -1
	for i, tried := range r.Tried {
		if r.does(&tried) && (best < 0 || tried.Cost < r.Tried[best].Cost) {
			best = i
		}
	}
	if best >= 0 {
		r.Weakest, r.Cost = r.Tried[best].Remedies, r.Tried[best].Cost
	}
	return r
}

func remedyNames(all []remedy) []bilingual.Text {
	var names []bilingual.Text
	for _, m := range all {
		names = append(names, m.name)
	}
	return names
}

// together names remedies that are applied together.
func together(names ...bilingual.Text) bilingual.Text { return joined(names, " and ", ", ") }

// pairNames names the pairs of remedies from a pair on.
func pairNames(all []remedy, first, second int) []bilingual.Text {
	var names []bilingual.Text
	for i := first; i < len(all); i++ {
		from := i + 1
		if i == first {
			from = second
		}
		for _, b := range all[min(from, len(all)):] {
			if !sameKnob(all[i], b) {
				names = append(names, together(all[i].name, b.name))
			}
		}
	}
	return names
}

// offered returns the remedies of the scenario and of the parts, cheapest first.
func (p *protocol) offered() []remedy {
	var all []remedy
	for _, m := range p.file.Remedies {
		all = append(all, remedy{name: m.Name.Text, turns: m.Set, cost: float64(m.Cost)})
	}
	for _, k := range p.knobs {
		for _, m := range k.Remedies {
			all = append(all, remedy{name: m.About, turns: scenario.Turns{{Knob: k.Name, Value: m.Value, Times: m.Times}}, cost: m.Cost})
		}
	}
	slices.SortStableFunc(all, func(a, b remedy) int { return cmp.Compare(a.cost, b.cost) })
	for i := range all {
		all[i].key = fmt.Sprint(i)
	}
	return all
}

// sameKnob reports whether two remedies turn the same knob.
func sameKnob(a, b remedy) bool {
	return slices.ContainsFunc(a.turns, func(t scenario.Turn) bool {
		return slices.ContainsFunc(b.turns, func(u scenario.Turn) bool { return t.Knob == u.Knob })
	})
}

// prevents counts the runs that do not tip when the remedy is there from the
// start.
func (p *protocol) prevents(r *runner, t Trigger, trial Trial, m remedy, seeds int) (Interval, error) {
	return once(r, "beforehand: "+m.key, func() (Interval, error) { return p.runPrevents(r, t, trial, m, seeds) })
}

func (p *protocol) runPrevents(r *runner, t Trigger, trial Trial, m remedy, seeds int) (Interval, error) {
	safe := make([]bool, seeds)
	err := r.each(text("beforehand: %s", "미리: %s", m.name), seeds, func(ctx context.Context, i int) (uint64, error) {
		c := p.begin(uint64(i+1), &t, false)
		c.turn(m.turns)
		f, err := p.follow(ctx, c, t, 3*des.FromSeconds(trial.Counterfactual))
		safe[i] = !f.Tipped && !f.Undecided
		return f.ran.events, err
	})
	return Wilson(count(safe), seeds), err
}

// applied is what remedies did after the trigger had tipped the system.
type applied struct {
	Tipped          int
	Holds, Restores Interval
	Held            float64
}

// apply lets the trigger tip the system, applies the remedies for a while,
// withdraws them, and looks whether the system is healthy then.
func (p *protocol) apply(r *runner, t Trigger, trial Trial, ms []remedy, seeds int) (applied, error) {
	key := "after tipping:"
	for _, m := range ms {
		key += " " + m.key
	}
	return once(r, key, func() (applied, error) { return p.runApply(r, t, trial, ms, seeds) })
}

func (p *protocol) runApply(r *runner, t Trigger, trial Trial, ms []remedy, seeds int) (applied, error) {
	tipped, holds, restores := make([]bool, seeds), make([]bool, seeds), make([]bool, seeds)
	held := make([]int, seeds) // windows
	names := remedyNames(ms)
	err := r.each(text("after tipping: %s", "무너진 뒤: %s", together(names...)), seeds, func(ctx context.Context, i int) (uint64, error) {
		c := p.begin(uint64(i+1), &t, false)
		f, err := p.follow(ctx, c, t, 3*des.FromSeconds(trial.Counterfactual))
		if err != nil || !f.Tipped {
			return f.ran.events, err
		}
		tipped[i] = true
		var backs []func()
		for _, m := range ms {
			backs = append(backs, c.turn(m.turns)...)
		}
		least := max(windowsIn(heldTaus*p.tau, p.window), 2*healthyRun)
		most := max(heldMost*(len(c.windows)-windowsIn(p.warm, p.window)), least)
		for held[i] < most && (held[i] < least || !c.healthy() || !c.drained()) {
			if err := c.run(ctx, 1); err != nil {
				return c.events, err
			}
			held[i]++
		}
		holds[i] = c.healthy()
		for _, back := range slices.Backward(backs) {
			back()
		}
		err = c.run(ctx, max(windowsIn(watchTaus*p.tau, p.window), 2*healthyRun))
		restores[i] = c.healthy()
		return c.events, err
	})
	n := count(tipped)
	out := applied{Tipped: n, Holds: Wilson(count(holds), n), Restores: Wilson(count(restores), n)}
	for i, restored := range restores {
		if restored {
			out.Held += float64(float64(held[i])*p.window.Seconds()) / float64(count(restores))
		}
	}
	return out, err
}

// drained reports whether no more is under way than twice what was before the
// trigger, or very little.
func (c *course) drained() bool {
	const little = 10
	before := c.windows[windowsIn(c.p.warm, c.p.window)-1].backlog
	return c.windows[len(c.windows)-1].backlog <= max(2*before, little)
}

// turn turns knobs now and returns what undoes it, to be called from the last to
// the first.
func (c *course) turn(turns scenario.Turns) []func() {
	var backs []func()
	for _, t := range turns {
		for _, k := range c.net.Knobs() {
			if k.Name != t.Knob {
				continue
			}
			backs = append(backs, k.Save())
			to := t.Value
			if t.Times {
				to = float64(to * k.Get())
			}
			k.Set(to)
		}
	}
	return backs
}

// healthy reports whether the last windows were.
func (c *course) healthy() bool {
	for _, w := range c.windows[len(c.windows)-healthyRun:] {
		if w.errors > c.p.limit {
			return false
		}
	}
	return true
}

func count(hits []bool) int {
	n := 0
	for _, hit := range hits {
		if hit {
			n++
		}
	}
	return n
}
