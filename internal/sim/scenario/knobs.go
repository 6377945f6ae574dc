package scenario

import (
	"fmt"
	"slices"

	"github.com/openprecedent/precedent/internal/sim/des"
	"github.com/openprecedent/precedent/internal/sim/parts"
	"github.com/openprecedent/precedent/internal/sim/system"
	"github.com/openprecedent/precedent/internal/strictyaml"
)

// checkTurns looks whether the knobs are there that changes and remedies turn,
// whether the values fit them, and whether what conditions look at is there. That
// needs the system built.
func (f *File) checkTurns(doc *strictyaml.Doc, places []string) strictyaml.Problems {
	if len(f.Changes) == 0 && len(f.Remedies) == 0 {
		return nil
	}
	c := knobCheck{doc: doc, knobs: map[string]parts.Knob{}}
	for _, k := range parts.Build(f.Parts.Build(), parts.Options{Window: des.Second}).Knobs() {
		c.knobs[k.Name] = k
		c.names = append(c.names, k.Name)
	}
	for i := range f.Changes {
		c.change(&f.Changes[i], places[i])
	}
	for i, m := range f.Remedies {
		c.turns(m.Set, fmt.Sprintf("remedies[%d].set", i))
	}
	c.conditions(f, places)
	return c.all
}

// knobCheck collects what is wrong with turns of knobs.
type knobCheck struct {
	doc   *strictyaml.Doc
	knobs map[string]parts.Knob
	names []string
	all   strictyaml.Problems
}

func (c *knobCheck) bad(rule, path, msg, help string) {
	c.all = append(c.all, c.doc.Problem(strictyaml.Error, rule, path, msg, help))
}

func (c *knobCheck) change(one *Change, at string) {
	c.turns(one.Set, at+".set")
	for _, t := range one.Set {
		if c.knobs[t.Knob].Pulse && one.Over > 0 {
			c.bad("impossible", at+".over", fmt.Sprintf("%s does something once and has no way to go", t.Knob), "leave it out")
		}
	}
}

func (c *knobCheck) turns(turns Turns, at string) {
	for _, t := range turns {
		path := at + "." + t.Knob
		k, ok := c.knobs[t.Knob]
		switch {
		case !ok:
			c.bad("unknown-knob", path, fmt.Sprintf("no knob is named %q", t.Knob), system.Meant(t.Knob, c.names))
		case k.Pulse && t.Times:
			c.bad("bad-unit", path, fmt.Sprintf("%s keeps no value that %s could multiply", t.Knob, t.text()), "write a number")
		case !t.fits(k.Unit):
			wants, help := wanted(k.Unit)
			c.bad("bad-unit", path, fmt.Sprintf("%s is %s, and %s takes %s", t.text(), t.Form, t.Knob, wants), help)
		}
	}
}

// fits reports whether a value is of the kind that a knob of a unit takes.
func (t Turn) fits(unit string) bool {
	switch {
	case t.Times || t.Value == 0:
		return true
	case unit == "1/s":
		return t.Form == FormRate
	case unit == "s":
		return t.Form == FormSpan
	case unit == "1":
		return t.Form == FormNumber || t.Form == FormShare
	}
	return t.Form == FormNumber
}

// wanted says what a knob of a unit takes.
func wanted(unit string) (takes, help string) {
	switch unit {
	case "1/s":
		return "a rate", "write one such as 100/s, or 3x for three times what it was"
	case "s":
		return "a time", "write one such as 250ms, or 3x for three times what it was"
	case "1":
		return "a number or a share", "write one such as 0.5 or 20%, or 3x for three times what it was"
	}
	return "a number of " + unit, "write one such as 8, or 0.5x for half of what it was"
}

// conditions looks whether what the conditions of changes look at is there.
func (c *knobCheck) conditions(f *File, places []string) {
	var known []string
	for i, one := range f.Changes {
		if one.When == nil {
			continue
		}
		if known == nil {
			catalog := parts.NewCatalog(f.Parts.Build())
			known = catalog.Measures
		}
		of, per := one.When.Metric.Names()
		for _, name := range slices.Concat(of, per) {
			if !slices.Contains(known, name) {
				c.bad("unknown-name", places[i]+".when.metric", fmt.Sprintf("no series or knob is named %q", name), system.Meant(name, known))
			}
		}
	}
}
