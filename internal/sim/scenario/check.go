package scenario

import (
	"fmt"
	"github.com/openprecedent/precedent/internal/sim/system"
	"slices"

	"github.com/openprecedent/precedent/internal/sim/des"
	"github.com/openprecedent/precedent/internal/sim/parts"
	"github.com/openprecedent/precedent/internal/strictyaml"
)

// reporter takes what is wrong with the field at a path, and what to do.
type reporter func(path, msg, help string)

// checkChange looks whether a change by itself makes sense. Its moment is
// counted from the start of the run already; zero tells whether the file has one
// to count others from.
func (f *File) checkChange(c *Change, at string, zero bool, bad reporter) {
	end := f.Run.For.Time()
	switch t := c.At.Time(); {
	case !c.At.written && c.When == nil:
		bad(at+".at", "nothing says when it happens", "write at: and a time of the run, or when: and a condition")
	case c.At.relative && !zero:
		bad(at+".at", "the file does not say when T+0 is", "write the moment in run.zero, or a span from the start of the run")
	case t < 0:
		bad(at+".at", fmt.Sprintf("this is %v before the start of the run", parts.Duration(-t)), "let it happen later, or move run.zero")
	case t > end:
		bad(at+".at", fmt.Sprintf("%v is after the end of the run at %v", At(t), f.Run.For), "let it happen earlier, or run for longer")
	}
	if c.After > 0 && c.When == nil {
		bad(at+".after", "there is no condition after which it could begin", "add when, or put the time into at")
	}
	if c.When != nil {
		c.When.check(at+".when", bad)
	}
	c.checkCourse(at, bad)
	checkTimes(c, at, end, bad)
}

func (w *Condition) check(at string, bad reporter) {
	switch {
	case w.Above == nil && w.Below == nil:
		bad(at, "the condition says nothing about the metric", "write above or below, and a value")
	case w.Above != nil && w.Below != nil && *w.Above >= *w.Below:
		bad(at+".below", fmt.Sprintf("nothing is above %v and below %v", *w.Above, *w.Below), "write a larger value, or leave one of them out")
	}
	if w.Every.Time() < des.Millisecond {
		bad(at+".every", fmt.Sprintf("it is looked at every %v", w.Every), "write 1ms or more")
	}
}

// checkCourse looks at how a change goes on once it has begun.
func (c *Change) checkCourse(at string, bad reporter) {
	if c.For > 0 && c.For < c.Over {
		bad(at+".for", fmt.Sprintf("the knobs are turned back after %v and need %v to get there", c.For, c.Over), "write a longer time, or a shorter over")
	}
	switch {
	case c.Every == 0 && c.Times > 1:
		bad(at+".times", fmt.Sprintf("%d times, and nothing says when", c.Times), "write every and a span, or leave it out")
	case c.Every == 0:
	case c.Every.Time() < des.Millisecond:
		bad(at+".every", fmt.Sprintf("it is made every %v", c.Every), "write 1ms or more")
	case c.For > c.Every:
		bad(at+".every", fmt.Sprintf("it lasts %v and would be made again while it does", c.For), "write at least that, or a shorter time in for")
	case c.Over >= c.Every:
		bad(at+".every", fmt.Sprintf("the knobs need %v to get there and would begin again", c.Over), "write more than that, or a shorter time in over")
	}
}

// maxTimes bounds how often one change is made.
const maxTimes = 1000

func checkTimes(c *Change, at string, end des.Time, bad reporter) {
	if c.Every.Time() < des.Millisecond {
		return
	}
	n := c.times(c.At.Time(), end)
	switch {
	case n > maxTimes && c.Times > 0:
		bad(at+".times", fmt.Sprintf("%d times", n), fmt.Sprintf("write at most %d", maxTimes))
	case n > maxTimes:
		bad(at+".every", fmt.Sprintf("it is made %d times until the end of the run", n), fmt.Sprintf("make it rarer, or write times: %d at most", maxTimes))
	}
}

// checkNames looks whether no two changes have one name.
func checkNames(changes []Change, at []string, bad reporter) {
	first := map[string]int{}
	for i, c := range changes {
		if c.Name == "" {
			continue
		}
		if k, again := first[c.Name]; again {
			bad(at[i]+".name", fmt.Sprintf("%q is the name of %s too", c.Name, at[k]), "give each a name of its own")
			continue
		}
		first[c.Name] = i
	}
}

func checkExpectations(all []Expectation, at string, bad reporter) {
	first := map[string]int{}
	for i, e := range all {
		here := fmt.Sprintf("%s[%d]", at, i)
		if k, again := first[e.Name]; again {
			bad(here+".name", fmt.Sprintf("%q is the name of %s[%d] too", e.Name, at, k), "give each a name of its own")
		} else {
			first[e.Name] = i
		}
		if e.Share == 0 {
			bad(here+".share", "it need not hold for any seed", "write a share above 0%, or leave the expectation out")
		}
		if e.Mark == "published" && e.Source.IsZero() {
			bad(here+".source", "nothing says where it was published", "name the source, or mark it as derived or assumed")
		}
	}
}

// checkPhases looks whether the file, as it is, comes to all the phases that it
// names. Variants, and runs that were cut short, need not.
func (f *File) checkPhases(doc *strictyaml.Doc) strictyaml.Problems {
	var all strictyaml.Problems
	for i, p := range f.Page.Phases {
		if t := p.From.Time(); t > f.Run.For.Time() {
			all = append(all, doc.Problem(strictyaml.Error, "impossible", fmt.Sprintf("page.phases[%d].from", i),
				fmt.Sprintf("%v is outside of the run of %v", At(t), f.Run.For), "choose a moment in the run"))
		}
	}
	for i, s := range f.Page.Sliders {
		if own := f.parameter(s.Set); own >= 0 && len(s.Values) > 1 && !slices.Contains(s.Values, f.Parameters[own].Value) {
			all = append(all, doc.Problem(strictyaml.Error, "impossible", fmt.Sprintf("page.sliders[%d].values", i),
				fmt.Sprintf("the value of the file, %s, is not among them", f.Parameters[own].Value), "add it"))
		}
	}
	return all
}

// parameter returns the place of a parameter, -1 if there is none of that name.
func (f *File) parameter(name string) int {
	return slices.IndexFunc(f.Parameters, func(p system.Parameter) bool { return p.Name == name })
}

// checkPage looks at what readers are shown.
func (f *File) checkPage(doc *strictyaml.Doc, bad reporter) {
	zero := doc.Has("run.zero")
	for i, p := range f.Page.Phases {
		at := fmt.Sprintf("page.phases[%d].from", i)
		switch t := p.From.Time(); {
		case p.From.relative && !zero:
			bad(at, "the file does not say when T+0 is", "write the moment in run.zero, or a span from the start of the run")
		case t < 0:
			bad(at, fmt.Sprintf("this is %v before the start of the run", des.Time(-t)), "choose a moment in the run")
		case i > 0 && t <= f.Page.Phases[i-1].From.Time():
			bad(at, "the phase before begins later", "write the phases in their order")
		}
	}
	if !f.Page.Clock.IsZero() && !zero {
		bad("page.clock", "the file does not say when T+0 is", "write the moment in run.zero")
	}
	for i, e := range f.Page.Edges {
		if names := f.VariantNames(); e.Variant != "" && !slices.Contains(names, e.Variant) {
			bad(fmt.Sprintf("page.edges[%d].variant", i), fmt.Sprintf("no variant is named %.80q", e.Variant), oneOfHelp(e.Variant, names))
		}
	}
	for i, s := range f.Page.Sliders {
		at := fmt.Sprintf("page.sliders[%d]", i)
		switch {
		case len(s.Values) < 2:
			bad(at+".values", "there is nothing to choose", "write two values or more")
		case f.parameter(s.Set) < 0:
			bad(at+".set", fmt.Sprintf("no parameter is named %q", s.Set), "name one of parameters; give the value that readers are to try a name there")
		}
	}
}

// count counts the moments of a file from the start of the run.
func (f *File) count() {
	zero := f.Run.Zero.Time()
	for i := range f.Page.Phases {
		f.Page.Phases[i].From = f.Page.Phases[i].From.from(zero)
	}
	for i := range f.Changes {
		f.Changes[i].At = f.Changes[i].At.from(zero)
	}
	for _, v := range f.Variants {
		for i := range v.Changes {
			v.Changes[i].At = v.Changes[i].At.from(zero)
		}
	}
}
