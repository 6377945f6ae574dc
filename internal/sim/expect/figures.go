package expect

import (
	"fmt"
	"math"

	"github.com/openprecedent/precedent/internal/sim/des"
	"github.com/openprecedent/precedent/internal/sim/scenario"
	"github.com/openprecedent/precedent/internal/strictyaml"
)

// figures are what the page of a file asks of its runs, ready to be computed. A
// value that does not fit the system is nil.
type figures struct {
	gain, before *Value
	compared     []*Value
	edges        []edge
}

// edge is where a system begins to tip.
type edge struct {
	tips, formula *Value
}

// compileFigures makes ready what the page of a file asks of its runs. The origin
// has no path.
func compileFigures(f *scenario.File, o Origin) (figures, strictyaml.Problems) {
	var out figures
	var problems strictyaml.Problems
	compile := func(path, text string, want kind) *Value {
		if text == "" {
			return nil
		}
		o.Path = path
		v, wrong := compileValue(f, text, want, o)
		problems = append(problems, wrong...)
		return v
	}
	if l := f.Page.Loop; l != nil {
		out.gain = compile("page.loop.gain", l.Gain, number)
		out.before = compile("page.loop.before", l.Before, number)
	}
	for i, c := range f.Page.Compare {
		out.compared = append(out.compared, compile(fmt.Sprintf("page.compare[%d].of", i), c.Of, number))
	}
	for i, e := range f.Page.Edges {
		at := fmt.Sprintf("page.edges[%d].", i)
		out.edges = append(out.edges, edge{compile(at+"tips", e.Tips, truth), compile(at+"formula", e.Formula, number)})
	}
	return out, problems
}

// Figures returns the numbers that the page of the file asks of a run.
func (s *Set) Figures(r *scenario.Result) *scenario.Figures {
	out := &scenario.Figures{Gain: s.figures.gain.pointer(r), Before: s.figures.before.pointer(r)}
	for _, v := range s.figures.compared {
		x := math.NaN()
		if p := v.pointer(r); p != nil {
			x = *p
		}
		out.Compared = append(out.Compared, x)
	}
	if out.Gain == nil && out.Before == nil && out.Compared == nil {
		return nil
	}
	return out
}

// Tipped reports whether a run has passed an edge of the page.
func (s *Set) Tipped(at int, r *scenario.Result) (bool, error) {
	if at >= len(s.figures.edges) || s.figures.edges[at].tips == nil {
		return false, fmt.Errorf("no edge %d", at)
	}
	v := s.figures.edges[at].tips
	x, err := v.eval(r)
	if err != nil {
		return false, fmt.Errorf("whether the edge %d is passed: %w", at, err)
	}
	tipped, _ := x.(bool)
	return tipped, nil
}

// TippedBy returns by when all is over that tells whether a run has passed an edge of
// the page; 0 if there is no such edge.
func (s *Set) TippedBy(at int) des.Time {
	if at >= len(s.figures.edges) || s.figures.edges[at].tips == nil {
		return 0
	}
	return whole(s.file, s.figures.edges[at].tips.expr.until)
}

// Formula returns what the formula of an edge of the page gives.
func (s *Set) Formula(at int) (float64, error) {
	if at >= len(s.figures.edges) || s.figures.edges[at].formula == nil {
		return 0, fmt.Errorf("no edge %d", at)
	}
	x, err := s.figures.edges[at].formula.Of(&scenario.Result{})
	if err != nil {
		return 0, fmt.Errorf("the formula of the edge %d: %w", at, err)
	}
	return x, nil
}

// pointer returns the number for a run, nil where there is none.
func (v *Value) pointer(r *scenario.Result) *float64 {
	if v == nil {
		return nil
	}
	x, err := v.Of(r)
	if err != nil {
		return nil
	}
	return &x
}
