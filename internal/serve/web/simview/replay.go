package simview

import (
	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/sim/study"
)

// Charts shows the charts of a run without a script.
func Charts(r *study.Run, zero float64, l bilingual.Lang) string {
	v := &view{l: l}
	c := &chart{view: v, end: r.Reached, zero: zero}
	for _, m := range r.Marks {
		if m.At > 0.01*r.Reached { // what is done at the start is how the run begins
			c.marks = append(c.marks, m)
		}
	}
	v.drawn(r.Charts, c)
	return v.String()
}

// Expectations shows whether what was expected of a run holds.
func Expectations(r *study.Run, l bilingual.Lang) string {
	v := &view{l: l}
	v.expectations(r)
	return v.String()
}
