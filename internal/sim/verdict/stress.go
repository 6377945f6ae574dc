package verdict

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/sim/des"
	"github.com/openprecedent/precedent/internal/sim/parts"
	"github.com/openprecedent/precedent/internal/sim/scenario"
)

// Edge is how little of a trigger tips a system.
type Edge struct {
	ID      string         `json:"id"` // of the trigger
	Trigger bilingual.Text `json:"trigger"`
	Own     bool           `json:"own"`     // the scenario names it
	Lasts   float64        `json:"lasts"`   // seconds for which the whole trigger was tried first
	Longest float64        `json:"longest"` // seconds for which it was tried at most
	// Tips reports whether the whole trigger, or one that lasts longer, tips the
	// system in half of the runs at least. The other fields hold only then.
	Tips bool `json:"tips"`
	// Moment reports that the trigger does something once, or tips the system however
	// short it is: its strength matters and not its length, and the frontier holds
	// the strengths that were tried.
	Moment bool `json:"moment,omitempty"`
	// Shortest is the time in seconds that the whole trigger must last, with the
	// share of runs that tip a tenth below it, at it, and a tenth above it.
	Shortest float64     `json:"shortest,omitempty"`
	Around   [3]Interval `json:"around,omitzero"`
	// Frontier holds the shortest time for weaker triggers, the strongest first.
	Frontier []Point `json:"frontier,omitempty"`
	// Islands are longer triggers of full magnitude that, against expectation,
	// tip the system less often.
	Islands []float64 `json:"islands,omitempty"`
}

// Point is one point of a frontier.
type Point struct {
	Magnitude float64 `json:"magnitude"` // of the whole trigger, 0 to 1
	Tips      bool    `json:"tips"`      // some time up to the longest tried does
	Shortest  float64 `json:"shortest,omitempty"`
}

// The accuracy of the search.
const (
	stressStep  = 1.1 // the shortest time is known to this factor
	stressVotes = 5   // runs a step, or all seeds where these are fewer
	stressAbove = 64  // a trigger that does not tip is tried for this much longer
	// One that tips within this share of the slowest time does so however short it is.
	stressMoment = 1000
	stressTaus   = 40 // but for so many time constants at most, or its own length
)

// Stress looks for the smallest triggers that tip a system: for each trigger of
// [Judge], the shortest time that it must last, and how that time grows when the
// trigger is weaker. All steps use the same seeds, so that they differ by the
// trigger alone. With an [*Interrupted] the edges are those that were found.
func Stress(ctx context.Context, f *scenario.File, o Options) ([]Edge, error) {
	p, err := newProtocol(f, o)
	if err != nil {
		return nil, fmt.Errorf("stressing %q: %w", f.Name, err)
	}
	if o.Seeds == 0 {
		o.Seeds = 20
	}
	r := newRunner(ctx, o)
	p.votes = min(stressVotes, o.Seeds)
	base, err := p.baseline(r, p.votes)
	if err != nil {
		return nil, fmt.Errorf("stressing %q: %w", f.Name, early(err, base, p.votes, names(p.triggers())))
	}
	if base.Unhealthy.Share >= 0.5 {
		return nil, fmt.Errorf("stressing %q: %w", f.Name, &Unfit{text("it is overloaded without any trigger: %.0f %% errors",
			"촉발 요인이 없어도 과부하다. 오류가 %.0f%%다", float64(100*base.Errors))})
	}
	var edges []Edge
	triggers := p.triggers()
	for i, t := range triggers {
		e, err := p.edge(r, t, o.Seeds)
		if ended(err) {
			return edges, &Interrupted{err, names(triggers[i:])}
		}
		if err != nil {
			return edges, fmt.Errorf("stressing %q: %s: %w", f.Name, t.Name.En, err)
		}
		edges = append(edges, e)
	}
	if err := r.fault(); err != nil {
		return edges, fmt.Errorf("stressing %q: %w", f.Name, err)
	}
	return edges, nil
}

// edge searches one trigger.
func (p *protocol) edge(r *runner, t Trigger, seeds int) (Edge, error) {
	longest := max(min(stressAbove*t.For, stressTaus*p.tau, des.Hour), t.For)
	e := Edge{ID: t.ID, Trigger: t.Name, Own: t.Own, Lasts: t.Span(), Longest: longest.Seconds()}
	if p.pulses(t) {
		return p.strength(r, t.lasting(0), e, seeds)
	}
	if moment := max(p.tau/stressMoment, des.Millisecond); moment < t.For {
		if most, err := p.tipsMost(r, t.lasting(moment)); err != nil {
			return e, err
		} else if most {
			e.Shortest = moment.Seconds()
			return p.strength(r, t.lasting(moment), e, seeds)
		}
	}
	shortest, ok, err := p.shortest(r, t, longest)
	if err != nil || !ok {
		return e, err
	}
	e.Tips = true
	if shortest, e.Around, err = p.around(r, t, shortest, longest, seeds); err != nil {
		return e, err
	}
	e.Shortest = shortest.Seconds()
	for _, longer := range []float64{2, 5} {
		d := des.FromNanoseconds(float64(float64(shortest) * longer))
		most, err := p.tipsMost(r, t.lasting(d))
		if err != nil {
			return e, err
		}
		if !most {
			e.Islands = append(e.Islands, d.Seconds())
		}
	}
	for _, m := range []float64{0.8, 0.6, 0.4, 0.2} {
		weaker := p.scaled(t, m)
		d, ok, err := p.shortest(r, weaker, longest)
		if err != nil {
			return e, err
		}
		e.Frontier = append(e.Frontier, Point{Magnitude: m, Tips: ok, Shortest: d.Seconds()})
		if !ok {
			break // weaker ones do not either
		}
	}
	return e, nil
}

// pulses reports whether a trigger only turns knobs that do something once.
func (p *protocol) pulses(t Trigger) bool {
	for _, turn := range t.Turns {
		for _, k := range p.knobs {
			if k.Name == turn.Knob && !k.Pulse {
				return false
			}
		}
	}
	return true
}

// strengthSteps halve the strengths between one that tips and one that does not, to
// a thirty-second of the whole.
const strengthSteps = 5

// strength searches how strong a trigger must be whose length does not matter.
func (p *protocol) strength(r *runner, once Trigger, e Edge, seeds int) (Edge, error) {
	e.Moment = true
	most, err := p.tipsMost(r, once)
	if err != nil || !most {
		return e, err
	}
	e.Tips = true
	hits, err := p.tips(r, once, seeds)
	if err != nil {
		return e, err
	}
	e.Around[1] = Wilson(hits, seeds)
	low, high := 0.0, 1.0
	for range strengthSteps {
		middle := (low + high) / 2
		if most, err = p.tipsMost(r, p.scaled(once, middle)); err != nil {
			return e, err
		}
		e.Frontier = append(e.Frontier, Point{Magnitude: middle, Tips: most})
		if most {
			high = middle
		} else {
			low = middle
		}
	}
	slices.SortFunc(e.Frontier, func(a, b Point) int { return cmp.Compare(b.Magnitude, a.Magnitude) })
	return e, nil
}

// around counts more runs a tenth below the shortest time, at it, and a tenth
// above it. Where they show that the few of the search were lucky, it moves on
// to the time from which most of the runs tip.
func (p *protocol) around(r *runner, t Trigger, shortest, longest des.Time, seeds int) (des.Time, [3]Interval, error) {
	at := func(factor float64) des.Time { return des.FromNanoseconds(float64(float64(shortest) * factor)) }
	share := func(factor float64) (Interval, error) {
		hits, err := p.tips(r, t.lasting(at(factor)), seeds)
		return Wilson(hits, seeds), err
	}
	var out [3]Interval
	for i, factor := range []float64{1 / stressStep, 1, stressStep} {
		var err error
		if out[i], err = share(factor); err != nil {
			return shortest, out, err
		}
	}
	const mostMoves = 5
	for range mostMoves {
		var err error
		switch {
		case out[0].Share >= 0.5:
			shortest = at(1 / stressStep)
			out[1], out[2] = out[0], out[1]
			out[0], err = share(1 / stressStep)
		case out[1].Share < 0.5 && at(stressStep) <= longest:
			shortest = at(stressStep)
			out[0], out[1] = out[1], out[2]
			out[2], err = share(stressStep)
		default:
			return shortest, out, nil
		}
		if err != nil {
			return shortest, out, err
		}
	}
	return shortest, out, nil
}

// shortest bisects, on a logarithmic scale, how long a trigger must last to tip
// the system in most runs. It reports false if not even the longest does.
func (p *protocol) shortest(r *runner, t Trigger, longest des.Time) (des.Time, bool, error) {
	most := func(d des.Time) (bool, error) { return p.tipsMost(r, t.lasting(d)) }
	high := min(t.For, longest)
	for {
		ok, err := most(high)
		if err != nil {
			return 0, false, err
		}
		if ok {
			break
		}
		if high >= longest {
			return 0, false, nil
		}
		high = min(4*high, longest)
	}
	low := high / 4
	for low > des.Millisecond {
		ok, err := most(low)
		if err != nil {
			return 0, false, err
		}
		if !ok {
			break
		}
		high, low = low, low/4
	}
	for float64(high) > float64(stressStep*float64(low)) {
		middle := des.FromNanoseconds(math.Sqrt(float64(float64(low) * float64(high))))
		ok, err := most(middle)
		if err != nil {
			return 0, false, err
		}
		if ok {
			high = middle
		} else {
			low = middle
		}
	}
	return high, true, nil
}

// tips counts the runs that a trigger tips, among as many seeds.
func (p *protocol) tips(r *runner, t Trigger, seeds int) (int, error) {
	key := fmt.Sprintf("%d runs of %d ns: %s", seeds, t.For, t.Name.En)
	return once(r, key, func() (int, error) {
		calm, err := p.watch(r.ctx, 1, t, 0, true)
		if err != nil {
			return 0, err
		}
		return p.runTips(r, t, calm.Took, 0, seeds)
	})
}

// tipsMost reports whether a trigger tips most of a few runs. Those that cannot
// change the answer any more are not run.
func (p *protocol) tipsMost(r *runner, t Trigger) (bool, error) {
	key := fmt.Sprintf("most of %d runs of %d ns: %s", p.votes, t.For, t.Name.En)
	return once(r, key, func() (bool, error) {
		majority := p.votes/2 + 1
		calm, err := p.watch(r.ctx, 1, t, 0, true)
		if err != nil {
			return false, err
		}
		hits, err := p.runTips(r, t, calm.Took, 0, majority)
		if err != nil || hits == 0 || hits == majority || majority == p.votes {
			return hits == majority, err
		}
		more, err := p.runTips(r, t, calm.Took, majority, p.votes)
		return hits+more >= majority, err
	})
}

// runTips counts the runs that a trigger tips, with the seeds after one up to
// another. A run that tips is bad for three times as long as a backlog takes.
func (p *protocol) runTips(r *runner, t Trigger, drain des.Time, after, upTo int) (int, error) {
	hits := make([]bool, upTo-after)
	stage := text("%s, tried for %v", "%s, %v 동안 시험", t.Name, parts.Duration(t.For))
	err := r.each(stage, len(hits), func(ctx context.Context, i int) (uint64, error) {
		f, err := p.watch(ctx, uint64(after+i+1), t, 3*drain, false)
		hits[i] = f.Tipped
		r.law(f.ran.broken)
		return f.ran.events, err
	})
	return count(hits), err
}

// lasting returns t with another length. The changes of a scenario are then
// taken as one, which begins and ends at once.
func (t Trigger) lasting(d des.Time) Trigger {
	t.For = max(d, des.Microsecond)
	t.Own = false
	return t
}

// scaled returns t at a share of its magnitude.
func (p *protocol) scaled(t Trigger, m float64) Trigger {
	now := map[string]float64{}
	for _, k := range p.knobs {
		now[k.Name] = k.Get()
	}
	weaker := make(scenario.Turns, len(t.Turns))
	for i, turn := range t.Turns {
		if turn.Times {
			turn.Value = 1 + float64(m*(turn.Value-1))
		} else {
			turn.Value = now[turn.Knob] + float64(m*(turn.Value-now[turn.Knob]))
		}
		weaker[i] = turn
	}
	t.Turns = weaker
	t.Name = text("%s, at %.0f %%", "%s, 크기 %.0f%%", t.Name, float64(100*m))
	return t
}
