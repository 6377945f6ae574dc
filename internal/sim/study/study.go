// Package study answers questions about a system that is given as the text of
// a scenario file: what it does, whether it comes back by itself, how little
// tips it, and what helps.
//
// An answer depends on its question and the program alone, so that whoever
// asks the same again, here or in a browser, gets the same.
package study

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/openprecedent/precedent/internal/sim/des"
	"github.com/openprecedent/precedent/internal/sim/scenario"
	"github.com/openprecedent/precedent/internal/sim/verdict"
	"github.com/openprecedent/precedent/internal/strictyaml"
)

// Kind is what is asked about a system.
type Kind string

// The kinds of question.
const (
	Run      Kind = "run"      // run it once, and show what happened
	Judge    Kind = "judge"    // does it come back by itself, and if not, why
	Stress   Kind = "stress"   // how little of each trigger tips it
	Remedies Kind = "remedies" // what brings it back
)

// Kinds returns all kinds of question.
func Kinds() []Kind { return []Kind{Run, Judge, Stress, Remedies} }

// Question is a question about a system.
type Question struct {
	System string   // text of the scenario file
	Kind   Kind     // run if empty
	Set    []string // settings that replace those of the file, as path=value
}

// Answer is what was found. One of its parts is there, beside the run of the
// scenario, which comes with every judgment.
type Answer struct {
	Kind     Kind                 `json:"kind"`
	Name     string               `json:"name"`
	Run      *scenario.Result     `json:"run,omitempty"`
	Marks    []Mark               `json:"marks,omitempty"` // what is done to the system while it runs
	Judgment *verdict.Judgment    `json:"judgment,omitempty"`
	Edges    []verdict.Edge       `json:"edges,omitempty"`
	Remedies *verdict.Remedies    `json:"remedies,omitempty"` // absent too where no trigger tips the system
	Warnings []strictyaml.Problem `json:"warnings,omitempty"`
}

// Mark is something that is done to the system while it runs.
type Mark struct {
	About string  `json:"about"`
	At    float64 `json:"at"`              // seconds from the start
	Until float64 `json:"until,omitempty"` // when it is taken back; absent if it is not
}

// Limits bound what an answer may cost. A zero field sets no bound.
type Limits struct {
	Windows int    // windows of a run
	Events  uint64 // events of a run
	Pending int    // events that a run may have scheduled at once
	Workers int    // runs at a time
}

// FileName stands for the file in problems, since the text has no name.
const FileName = "system.yaml"

// Check decodes the system of a question. The error holds all problems, as
// [strictyaml.Problems], if one of them is an error.
func Check(q Question, l Limits) (*scenario.File, strictyaml.Problems, error) {
	var set []strictyaml.Setting
	var problems strictyaml.Problems
	for _, s := range q.Set {
		path, value, ok := strings.Cut(s, "=")
		if !ok || strings.TrimSpace(path) == "" {
			problems = append(problems, strictyaml.Problem{
				File: strictyaml.SetFile, Line: 1, Col: 1, Field: s, Rule: "bad-setting", Level: strictyaml.Error,
				Msg: fmt.Sprintf("%q sets nothing", s), Help: "write path=value, such as db.workers=8",
			})
			continue
		}
		set = append(set, strictyaml.Setting{Path: strings.TrimSpace(path), Value: strings.TrimSpace(value)})
	}
	if problems != nil {
		return nil, nil, problems
	}
	f, problems := scenario.Decode(FileName, []byte(q.System), set)
	problems = problems.Bound()
	if len(problems.Errors()) > 0 {
		return nil, nil, problems
	}
	if n := int64(f.Run.For) / max(int64(f.Run.Window), 1); l.Windows > 0 && n > int64(l.Windows) {
		problems = append(problems, strictyaml.Problem{
			File: FileName, Line: 1, Col: 1, Field: "run.window", Rule: "too-many", Level: strictyaml.Error,
			Msg:  fmt.Sprintf("the run has %d windows of %v, and %d is the most here", n, f.Run.Window, l.Windows),
			Help: "make them wider in run.window, or run it on your own machine",
		})
		return nil, nil, problems
	}
	return f, problems, nil
}

// Ask answers a question. It tells of its progress, if progress is not nil.
// The error is one of [Check], of the context, or says why there is no answer.
func Ask(ctx context.Context, q Question, l Limits, progress func(verdict.Progress)) (*Answer, error) {
	f, warnings, err := Check(q, l)
	if err != nil {
		return nil, err
	}
	if q.Kind == "" {
		q.Kind = Run
	}
	a := &Answer{Kind: q.Kind, Name: f.Name, Warnings: warnings}
	o := verdict.Options{Workers: l.Workers, Progress: progress}
	switch q.Kind {
	case Run:
		err = a.run(ctx, f, l)
	case Judge:
		if err = a.run(ctx, f, l); err == nil {
			a.Judgment, err = verdict.Judge(ctx, f, o)
		}
	case Stress:
		a.Edges, err = verdict.Stress(ctx, f, o)
	case Remedies:
		a.Remedies, err = verdict.Remedy(ctx, f, o)
		if a.Remedies != nil && a.Remedies.Tried == nil {
			a.Remedies.Tried = []verdict.Tried{}
		}
	default:
		err = fmt.Errorf("no kind of question is named %q", q.Kind)
	}
	if err != nil {
		return nil, err
	}
	return a, nil
}

// run runs the scenario as it stands.
func (a *Answer) run(ctx context.Context, f *scenario.File, l Limits) error {
	r, err := f.Simulate(ctx, uint64(f.Run.Seed), des.Budget{Events: l.Events, Pending: l.Pending})
	if err != nil {
		return err
	}
	a.Run = r
	for i := range r.Series {
		if r.Series[i].Values == nil { // no window is complete
			r.Series[i].Values = []float64{}
		}
	}
	for _, c := range f.Changes {
		m := Mark{About: c.About, At: c.At.Time().Seconds()}
		if c.For > 0 {
			m.Until = (c.At.Time() + c.For.Time()).Seconds()
		}
		if m.About == "" {
			m.About = turnsText(c.Set)
		}
		a.Marks = append(a.Marks, m)
	}
	slices.SortStableFunc(a.Marks, func(x, y Mark) int { return cmp.Compare(x.At, y.At) })
	return nil
}

// turnsText says which knobs are turned.
func turnsText(turns scenario.Turns) string {
	var all []string
	for _, t := range turns {
		value := strconv.FormatFloat(t.Value, 'g', 4, 64)
		if t.Times {
			value += "x"
		}
		all = append(all, t.Knob+" = "+value)
	}
	return strings.Join(all, ", ")
}
