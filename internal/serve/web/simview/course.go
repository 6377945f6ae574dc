package simview

import (
	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/sim/scenario"
	"github.com/openprecedent/precedent/internal/sim/study"
)

// Course is what the script of a page draws of a run, in one language. Times are
// in seconds from T+0.
type Course struct {
	Clock  string   `json:"clock,omitempty"` // what T+0 is on the published clock
	Zero   float64  `json:"zero"`            // from the start of the run
	Window float64  `json:"window"`          // that a value stands for
	Phases []Moment `json:"phases"`
	Marks  []Moment `json:"marks"` // what is done to the system
	Panels []Panel  `json:"panels"`
}

// Moment is a named point, or with an end a period.
type Moment struct {
	At    float64 `json:"at"`
	Until float64 `json:"until,omitempty"`
	Name  string  `json:"name"`
}

// Panel is a chart.
type Panel struct {
	Title string        `json:"title"`
	Unit  scenario.Unit `json:"unit"`
	Lines []PanelLine   `json:"lines"`
}

// PanelLine is a line of a chart.
type PanelLine struct {
	Name   string          `json:"name"`
	Values scenario.Values `json:"values"`
}

// CourseOf returns what is drawn of a run.
func CourseOf(r *study.Run, zero float64, clock string, phases []Moment, l bilingual.Lang) *Course {
	v := &view{l: l}
	c := &Course{Clock: clock, Zero: zero, Window: r.Window, Phases: phases, Marks: []Moment{}, Panels: []Panel{}}
	for _, m := range r.Marks {
		one := Moment{At: m.At - zero, Name: v.read(m.About)}
		if m.Until > 0 {
			one.Until = m.Until - zero
		}
		c.Marks = append(c.Marks, one)
	}
	for _, p := range r.Charts {
		c.Window = p.Window
		panel := Panel{Title: v.read(p.Title), Unit: p.Unit, Lines: []PanelLine{}}
		for _, d := range p.Lines {
			panel.Lines = append(panel.Lines, PanelLine{v.read(d.Name), d.Values})
		}
		c.Panels = append(c.Panels, panel)
	}
	return c
}

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
