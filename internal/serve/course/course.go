// Package course is the course of a run as a browser draws it: the data, and the
// script and style that draw them. The site, the simulator in the browser and the
// chart that MCP clients show are drawn by the same.
package course

import (
	_ "embed" // the script and the style

	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/sim/scenario"
	"github.com/openprecedent/precedent/internal/sim/study"
)

// UPlot is the library that draws lines, as its authors publish it. Its licence
// stands beside it.
//
//go:embed uplot/uplot.js
var UPlot []byte

// Script draws a [Course] with [UPlot]. It defines precedentCourse.
//
//go:embed course.js
var Script []byte

// Style is how what [Script] draws looks. It takes the colours of the page.
//
//go:embed course.css
var Style []byte

// Course is what is drawn of a run. Times are in seconds from T+0.
type Course struct {
	Clock  string   `json:"clock,omitempty"` // what T+0 is on the published clock
	Zero   float64  `json:"zero"`            // from the start of the run
	Window float64  `json:"window"`          // that a value stands for
	End    float64  `json:"end"`             // of the run, which may not be there yet
	Phases []Moment `json:"phases"`
	Marks  []Moment `json:"marks"` // what is done to the system
	Panels []Panel  `json:"panels"`
}

// Moment is a named point, or with an end a period.
type Moment struct {
	At    float64        `json:"at"`
	Until float64        `json:"until,omitempty"`
	Name  bilingual.Text `json:"name"`
}

// Panel is a chart.
type Panel struct {
	Title bilingual.Text `json:"title"`
	Unit  scenario.Unit  `json:"unit"`
	Lines []Line         `json:"lines"`
}

// Line is a line of a chart.
type Line struct {
	Name   bilingual.Text  `json:"name"`
	Values scenario.Values `json:"values"`
}

// Times are what the course of a run is read by.
type Times struct {
	Clock  string   // what T+0 is on the published clock; empty where nothing was published
	Zero   float64  // from the start of the run to T+0
	Phases []Moment // periods of the course, each up to the next
}

// TimesOf returns the times that a file names.
func TimesOf(f *scenario.File) Times {
	t := Times{Zero: f.Run.Zero.Time().Seconds(), Phases: []Moment{}}
	if !f.Page.Clock.IsZero() {
		t.Clock = f.Page.Clock.String()
	}
	for _, p := range f.Page.Phases {
		t.Phases = append(t.Phases, Moment{At: p.From.Time().Seconds() - t.Zero, Name: p.Name.Text})
	}
	return t
}

// Of returns what is drawn of a run, with at most so many values a line. The run
// goes to end, of which it may have come a part of the way.
func Of(r *study.Run, t Times, end float64, values int) *Course {
	c := &Course{
		Clock: t.Clock, Zero: t.Zero, Window: r.Window, End: end - t.Zero,
		Phases: t.Phases, Marks: []Moment{}, Panels: []Panel{},
	}
	for _, m := range r.Marks {
		one := Moment{At: m.At - t.Zero, Name: m.About}
		if m.Until > 0 {
			one.Until = m.Until - t.Zero
		}
		c.Marks = append(c.Marks, one)
	}
	for _, p := range r.Charts {
		p = p.Thin(values)
		c.Window = p.Window
		panel := Panel{Title: p.Title, Unit: p.Unit, Lines: []Line{}}
		for _, d := range p.Lines {
			panel.Lines = append(panel.Lines, Line(d))
		}
		c.Panels = append(c.Panels, panel)
	}
	return c
}
