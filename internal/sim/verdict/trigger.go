package verdict

import (
	"slices"
	"strings"

	"github.com/openprecedent/precedent/internal/sim/des"
	"github.com/openprecedent/precedent/internal/sim/parts"
	"github.com/openprecedent/precedent/internal/sim/scenario"
)

// OwnTrigger is what the trigger of a scenario is called where one is chosen: its
// changes that have an end.
const OwnTrigger = "own"

// Triggers returns what a system is tried with where a trigger is chosen. The error
// says why it is none.
func Triggers(f *scenario.File, chosen string) ([]Trigger, error) {
	p, err := newProtocol(f, Options{Trigger: chosen})
	if err != nil {
		return nil, err
	}
	return p.triggers(), nil
}

// UnknownTrigger is the error of a trigger that a system does not have.
type UnknownTrigger struct{ Known []string }

// Error says which there are.
func (u *UnknownTrigger) Error() string {
	return "no such trigger; there are " + strings.Join(u.Known, ", ")
}

// choose takes one trigger of those that are known, or changes of the file by their
// names, which then are its own trigger, beside those that every system is tried
// with.
func (p *protocol) choose(name string) error {
	if name == "" {
		return nil
	}
	words := strings.Split(name, ",")
	if p.areChanges(words) {
		p.named = words
		return p.taken()
	}
	var known []string
	for _, t := range p.known() {
		known = append(known, t.ID)
	}
	for _, c := range p.file.Changes {
		if c.Name != "" && !slices.Contains(known, c.Name) {
			known = append(known, c.Name)
		}
	}
	if !slices.Contains(known, name) {
		return &UnknownTrigger{known}
	}
	p.only = name
	return nil
}

// areChanges reports whether all words are names of changes.
func (p *protocol) areChanges(words []string) bool {
	for _, w := range words {
		if !slices.ContainsFunc(p.file.Changes, func(c scenario.Change) bool { return c.Name == w }) {
			return false
		}
	}
	return true
}

// taken refuses changes that leave a knob turned, since a system that stays
// otherwise is another system, and those that go on or wait.
func (p *protocol) taken() error {
	for i := range p.file.Changes {
		c := &p.file.Changes[i]
		switch {
		case !slices.Contains(p.named, c.Name):
		case c.When != nil:
			return &Unfit{text("the change %q waits for a condition, and a trigger does not", "변경 %q은(는) 조건을 기다리므로 촉발 요인이 될 수 없다", c.Name)}
		case c.Every > 0 && c.Times == 0:
			return &Unfit{text("the change %q goes on without an end, and a trigger does not", "변경 %q은(는) 끝없이 이어지므로 촉발 요인이 될 수 없다", c.Name)}
		}
	}
	for _, k := range p.knobs {
		if !k.Pulse && p.leaves(k) {
			return &Unfit{text("the trigger leaves %s turned; name the change that turns it back too",
				"촉발 요인이 %s 값을 바꾼 채로 둔다. 되돌리는 변경도 함께 적는다", k.Name)}
		}
	}
	return nil
}

// leaves reports whether the named changes leave a knob at another value: what the
// last of them sets that has no end.
func (p *protocol) leaves(k parts.Knob) bool {
	at, value := des.Time(-1), k.Get()
	for i := range p.file.Changes {
		c := &p.file.Changes[i]
		if !slices.Contains(p.named, c.Name) || c.For > 0 || c.At.Time() < at {
			continue
		}
		for _, t := range c.Set {
			if t.Knob == k.Name {
				at, value = c.At.Time(), t.Value
				if t.Times {
					value = float64(t.Value * k.Get())
				}
			}
		}
	}
	return value != k.Get()
}

// ownID is what the trigger of the scenario is called.
func (p *protocol) ownID() string {
	if p.named != nil {
		return strings.Join(p.named, ",")
	}
	return OwnTrigger
}

// ours reports whether a change is a part of the trigger of the scenario, and when
// it ends.
func (p *protocol) ours(c *scenario.Change) (des.Time, bool) {
	if p.named == nil {
		until, ends := c.Until()
		return until, ends && c.When == nil
	}
	last := c.At.Time() + des.Time(max(int64(c.Times)-1, 0))*c.Every.Time()
	return last + max(c.For.Time(), c.Over.Time()), slices.Contains(p.named, c.Name)
}

func (p *protocol) isOurs(c *scenario.Change) bool {
	_, ours := p.ours(c)
	return ours
}
