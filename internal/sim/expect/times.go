package expect

import (
	"fmt"
	"slices"

	"github.com/google/cel-go/common/ast"

	"github.com/openprecedent/precedent/internal/sim/des"
)

// span looks whether times that are written out lie in the run.
func (c *checker) span(e ast.Expr, f *function) {
	from, to := des.Time(0), c.clock.end()
	fixed := false
	for i, arg := range e.AsCall().Args() {
		w, ok := c.times[arg.ID()]
		if !ok || f.params[i].kind != moment {
			continue
		}
		name := f.params[i].name
		if name == "hold" || name == "span" {
			c.length(arg, name, w)
			continue
		}
		switch {
		case w.t < 0:
			c.bad(arg, fmt.Sprintf("%s is before the start of the run", c.clock.moment(w.t)), "begin later, or let run.zero be later")
			return
		case w.t > c.clock.end(), w.t == c.clock.end() && name == "from":
			c.wrong = append(c.wrong, trouble{at: c.place(arg), warning: true,
				msg:  fmt.Sprintf("this looks until %s, and the run ends at %s", c.clock.moment(w.t), c.clock.moment(c.clock.end())),
				help: "let it run for longer: as it is, it cannot hold"})
			return
		}
		switch name {
		case "from":
			from, fixed = w.t, true
		case "to":
			to, fixed = w.t, true
		}
	}
	width := c.clock.width
	if first, last := (from+width-1)/width, to/width; fixed && first >= last {
		c.bad(e, fmt.Sprintf("no whole window of %s lies between %s and %s", duration(width), c.clock.moment(from), c.clock.moment(to)),
			"let it end later, or make the windows of run.window shorter")
	}
}

// length checks a time that says for how long.
func (c *checker) length(arg ast.Expr, name string, w writtenSpan) {
	switch {
	case w.fromZero:
		c.bad(arg, name+" says for how long, not when", `write it without T, such as "5m"`)
	case name == "span" && (w.t < c.clock.width || w.t%c.clock.width != 0):
		c.bad(arg, fmt.Sprintf("%s is not so many windows of %s", duration(w.t), duration(c.clock.width)), "write a multiple of run.window")
	}
}

// budget reports an expression that reads too much.
func (c *checker) budget(e ast.Expr) {
	if c.cost > maxCost {
		c.bad(e, fmt.Sprintf("it reads %d windows, and may read %d", c.cost, maxCost),
			"make the windows of run.window wider, or the expression shorter")
	}
}

// ends returns by when all is over that a call of a function looks at, which is the
// end of the run where the expression does not say it.
func (c *checker) ends(e ast.Expr, f *function) des.Time {
	if !slices.ContainsFunc(f.params, func(p parameter) bool { return p.kind == chart }) || f.gives == chart {
		return 0 // a series of means looks back, for as long as who takes it looks
	}
	until, written := des.Time(0), false
	args := e.AsCall().Args()
	for i, p := range f.params {
		ends := slices.Contains([]string{"time", "before", "by", "to"}, p.name)
		if !ends && p.name != "hold" {
			continue
		}
		if i >= len(args) {
			return c.clock.end()
		}
		w, ok := c.times[args[i].ID()]
		if !ok {
			return c.clock.end() // it is computed
		}
		until, written = until+w.t, written || ends
		if p.name == "time" {
			until += c.clock.width
		}
	}
	if !written {
		return c.clock.end()
	}
	return min((until+c.clock.width-1)/c.clock.width*c.clock.width, c.clock.end())
}
