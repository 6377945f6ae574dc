package parts

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/sim/des"
)

// MaxCopies bounds the copies of a part.
const MaxCopies = 1000

// charted is up to how many copies each has its own series. Of more, only the
// sums are kept.
const charted = 16

// group is a part and its copies. Each copy is named part.0, part.1 and so on
// and has its own knobs and draws; the knobs of the part turn those of all
// copies, and its series are the sums of theirs.
type group struct {
	name   string
	first  int // place of the first copy among all parts
	copies int

	counts []summed[*des.Counter]
	levels []summed[*des.Gauge]
	knobs  []summed[Knob]
	spans  map[string]*des.Spans

	out     []bool // copies that are not to get calls
	watches []func(copy int)
}

// summed is what the copies have under one name.
type summed[T any] struct {
	name, unit string
	of         []T
}

func newGroup(name string, first, copies int) *group {
	return &group{name: name, first: first, copies: copies, spans: map[string]*des.Spans{}, out: make([]bool, copies)}
}

// add puts x to those of its name. The copies build alike, so there are few
// names, and they come in the same order.
func add[T any](all []summed[T], name, unit string, x T) []summed[T] {
	for i := range all {
		if all[i].name == name {
			all[i].of = append(all[i].of, x)
			return all
		}
	}
	return append(all, summed[T]{name, unit, []T{x}})
}

func (g *group) counter(name string, c *des.Counter) {
	g.counts = add(g.counts, name, "", c)
	if g.copies > charted {
		c.Quiet()
	}
}

func (g *group) gauge(name, unit string, v *des.Gauge) {
	g.levels = add(g.levels, name, unit, v)
	if g.copies > charted {
		v.Quiet()
	}
}

// knob takes a knob of a copy. What is said of the copy is said of all.
func (g *group) knob(copy string, k Knob) {
	all := func(t bilingual.Text) bilingual.Text {
		return bilingual.Text{En: strings.ReplaceAll(t.En, copy, g.name), Ko: strings.ReplaceAll(t.Ko, copy, g.name)}
	}
	if k.Worst != nil {
		w := *k.Worst
		w.About = all(w.About)
		k.Worst = &w
	}
	k.Remedies = slices.Clone(k.Remedies)
	for i := range k.Remedies {
		k.Remedies[i].About = all(k.Remedies[i].About)
	}
	g.knobs = add(g.knobs, k.Name, k.Unit, k)
}

// has reports whether a copy has the name.
func (g *group) has(name string) bool {
	number, ok := strings.CutPrefix(name, g.name+".")
	if g.copies == 1 {
		return name == g.name
	}
	i, err := strconv.Atoi(number)
	return ok && err == nil && i >= 0 && i < g.copies
}

// finish adds the sums and the knobs of all copies once these are built.
func (g *group) finish(n *Net) {
	for _, c := range g.counts {
		n.Rec.SumCounters(g.name+"."+c.name, c.of)
		n.measures = append(n.measures, observed{name: g.name + "." + c.name, counters: c.of})
	}
	for _, l := range g.levels {
		n.Rec.SumGauges(g.name+"."+l.name, l.unit, l.of)
		n.measures = append(n.measures, observed{name: g.name + "." + l.name, gauges: l.of})
	}
	for _, k := range g.knobs {
		all := k.of
		n.knobs = append(n.knobs, Knob{
			Name: g.name + "." + k.name, Unit: k.unit, About: all[0].About + ", of each copy", Pulse: all[0].Pulse,
			Worst: all[0].Worst, Remedies: all[0].Remedies,
			Get: func() float64 {
				sum := 0.0
				for i := range all {
					sum += all[i].Get()
				}
				return sum / float64(len(all))
			},
			Set: func(x float64) {
				for i := range all {
					all[i].Set(x)
				}
			},
			Keep: func() func() { // each copy may have a value of its own
				backs := make([]func(), len(all))
				for i := range all {
					backs[i] = all[i].Save()
				}
				return func() {
					for _, back := range backs {
						back()
					}
				}
			},
		})
	}
}

// copyName returns the name of a copy.
func (g *group) copyName(i int) string {
	if g.copies == 1 {
		return g.name
	}
	return fmt.Sprintf("%s.%d", g.name, i)
}

// takeOut tells whoever spreads calls that a copy is to get none, or some again.
func (g *group) takeOut(i int, out bool) {
	if g.out[i] == out {
		return
	}
	g.out[i] = out
	for _, w := range g.watches {
		w(i)
	}
}

// group returns the part of a name with its copies, nil if there is none.
func (n *Net) group(name string) *group {
	for _, g := range n.groups {
		if g.name == name {
			return g
		}
	}
	return nil
}
