// Package study asks questions about systems: what one does, whether it comes
// back by itself, how little tips it, what helps, what it is over two of its
// settings, what every order of the steps of a protocol leads to, and what formulas
// say of it.
//
// It reads the question, refuses what is wrong with it or would take too long,
// runs it, and answers in the one wire form that every face gives. An answer
// depends on its question and the program alone, so that whoever asks the same
// again, here, on a server or in a browser, gets the same.
package study

import (
	"context"
	"errors"
	"slices"

	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/sim/verdict"
	"github.com/openprecedent/precedent/internal/strictyaml"
)

// WireVersion is the version of the wire form of answers. It grows when a field
// changes its meaning.
const WireVersion = 1

// Kind is what is asked about a system.
type Kind string

// The kinds of question.
const (
	KindRun      Kind = "run"      // run it once, and show what happened
	KindJudge    Kind = "judge"    // does it come back by itself, and if not, why
	KindStress   Kind = "stress"   // how little of each trigger tips it
	KindRemedies Kind = "remedies" // what brings it back
	KindMap      Kind = "map"      // what it is over two of its settings
	KindExplore  Kind = "explore"  // what every order of the steps of its protocols leads to
	KindExplain  Kind = "explain"  // what its file leaves out, and what formulas say
)

// Kinds returns all kinds of question.
func Kinds() []Kind {
	return []Kind{KindRun, KindJudge, KindStress, KindRemedies, KindMap, KindExplore, KindExplain}
}

// Question is a question about a system.
type Question struct {
	// File is what problems and the command call the file; "-" is standard input.
	File    string   `json:"-"`
	System  string   `json:"system" jsonschema:"text of the system file, YAML"`
	Kind    Kind     `json:"kind,omitempty" jsonschema:"run, judge, stress, remedies, map, explore or explain; run if it is not there"`
	Variant string   `json:"variant,omitempty" jsonschema:"variant of the file; kind run compares several, a,b, where base is the file as it is"`
	Set     []string `json:"set,omitempty" jsonschema:"settings that replace those of the file, each as path=value; kind run compares several values, path=1,2"`
	X       string   `json:"x,omitempty" jsonschema:"for map: the setting across and its values, such as load=10/s..60/s:6 or retries=0,1,3"`
	Y       string   `json:"y,omitempty" jsonschema:"for map: the setting upwards and its values"`
	Seed    uint64   `json:"seed,omitempty" jsonschema:"for run: seed of the random draws; that of the file if it is not there"`
	Seeds   int      `json:"seeds,omitempty" jsonschema:"for judge, stress, remedies and map: runs of each kind; for run: seeds that the expectations of the file are looked at for, those of run.seeds if it is not there"`
	Limit   float64  `json:"limit,omitempty" jsonschema:"share of errors up to which a window is healthy; 0.01 if it is not there"`
	Trigger string   `json:"trigger,omitempty" jsonschema:"for judge, stress, remedies and map: try this trigger alone: own, or the knob that it turns; for judge and map also names of changes that are the trigger of the file, a,b"`
	Course  bool     `json:"course,omitempty" jsonschema:"for judge: run the system once as it stands as well, and return its course"`
	Series  []string `json:"series,omitempty" jsonschema:"return only the series whose names match, such as db.*"`
	// Windows is how many windows of a run are wanted at most.
	Windows int `json:"windows,omitempty" jsonschema:"make the windows so wide that a run has at most that many"`
}

// Answer is what was found. The part that its kind asks for is there.
type Answer struct {
	Version      int                 `json:"wire_version"`
	Kind         Kind                `json:"kind" jsonschema:"what was asked"`
	Name         string              `json:"name" jsonschema:"name of the system"`
	Command      string              `json:"command" jsonschema:"command that gives the same answer"`
	Variant      string              `json:"variant,omitempty" jsonschema:"variant of the file that was asked about"`
	Set          []Setting           `json:"set,omitempty" jsonschema:"settings that replaced those of the file, where it was not several values that were compared"`
	Runs         []Run               `json:"runs,omitempty" jsonschema:"for run, and for judge where the course was asked for"`
	Judgment     *Judgment           `json:"judgment,omitempty"`
	Edges        []verdict.Edge      `json:"edges,omitzero" jsonschema:"for stress: the smallest of each trigger"`
	Remedies     *Remedies           `json:"remedies,omitempty"`
	Map          *PhaseMap           `json:"map,omitempty"`
	Explorations []Exploration       `json:"explorations,omitempty" jsonschema:"for explore: what every order of the steps of a protocol leads to"`
	Explanation  *Explanation        `json:"explanation,omitempty"`
	Missing      []bilingual.Text    `json:"missing,omitempty" jsonschema:"what an answer that was ended early lacks"`
	Warnings     strictyaml.Problems `json:"warnings,omitempty" jsonschema:"what is doubtful about the file or the answer"`
}

// Setting is a value that was set from outside.
type Setting struct {
	Path  string `json:"path"`
	Value string `json:"value"`
}

// Limits bound what an answer may cost. A zero field sets no bound but that of
// the program.
type Limits struct {
	Windows int    // windows of a run
	Events  uint64 // events of a run
	Pending int    // events that a run may have scheduled at once
	Runs    int    // runs that are compared; [MaxRuns] if 0
	Seeds   int    // seeds that expectations are looked at for
	Cells   int    // cells of a map; [verdict.MaxCells] if 0
	States  int    // states of an exploration; [explore.DefaultStates] if 0
	Workers int    // runs at a time; as many as there are processors if 0
	// Prepare makes expectations ready. Without it they are not looked at, which
	// the answer says.
	Prepare Prepare
}

// Progress tells how far an answer is.
type Progress struct {
	Stage  bilingual.Text // what is being run
	Done   int            // runs that have ended, of all stages
	Total  int            // of all stages, 0 where that is not known
	Events uint64         // events handled by them
}

// Study is a question that was read and can be answered.
type Study struct {
	q        Question
	l        Limits
	x, y     verdict.Axis // of a map
	models   []*model     // several for a run that compares
	memo     verdict.Memo // nil keeps nothing
	warnings strictyaml.Problems
	sights   []sight // of an exploration
	given    int     // settings of the question itself
}

// Warnings returns what is doubtful about the file, which can be answered for
// all the same.
func (s *Study) Warnings() strictyaml.Problems { return s.warnings }

// Keep lets the study keep what has been found in a memo, and go on from what it
// holds. A memo is for one question; see [Question.Key].
func (s *Study) Keep(m verdict.Memo) { s.memo = m }

// Runs returns how many runs are compared.
func (s *Study) Runs() int { return len(s.models) }

// Ask reads a question and answers it; see [Read] and [Study.Answer].
func Ask(ctx context.Context, q Question, l Limits, progress func(Progress)) (*Answer, error) {
	s, err := Read(q, l)
	if err != nil {
		return nil, err
	}
	return s.Answer(ctx, progress)
}

// Answer answers the question, and tells of its progress if progress is not
// nil. With an error that [Interrupted] knows, the answer, if there is one, is
// what was known by then. Other errors are a [*Refusal] or a fault of ours.
func (s *Study) Answer(ctx context.Context, progress func(Progress)) (*Answer, error) {
	a := &Answer{
		Version: WireVersion, Kind: s.q.Kind, Name: s.models[0].file.Name, Command: s.q.Command(), Warnings: s.warnings,
	}
	if len(s.models) == 1 {
		a.Set, a.Variant = s.models[0].set, s.models[0].file.Variant
	}
	var err error
	switch s.q.Kind {
	case KindRun:
		err = s.run(ctx, a, progress)
	case KindJudge:
		err = s.judge(ctx, a, progress)
	case KindStress:
		err = s.stress(ctx, a, progress)
	case KindRemedies:
		err = s.remedies(ctx, a, progress)
	case KindMap:
		err = s.phaseMap(ctx, a, progress)
	case KindExplore:
		err = s.explore(ctx, a, progress)
	case KindExplain:
		a.Explanation, err = s.models[0].explain()
	}
	var early *verdict.Interrupted
	if errors.As(err, &early) {
		a.Missing = early.Missing
	}
	if err != nil && (!Interrupted(err) || a.empty() && a.Missing == nil) {
		return nil, err
	}
	return a, err
}

// empty reports whether nothing was found.
func (a *Answer) empty() bool {
	return len(a.Runs) == 0 && a.Judgment == nil && a.Edges == nil && a.Remedies == nil && a.Map == nil && a.Explorations == nil && a.Explanation == nil
}

// Interrupted reports whether err says that an answer was ended from outside, so
// that what stands beside it is what was known by then.
func Interrupted(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}

// options returns how a verdict is to be found, with the number of its runs
// where that is known.
func (s *Study) options(total int, progress func(Progress)) verdict.Options {
	o := verdict.Options{Seeds: s.q.Seeds, Workers: s.l.Workers, Limit: s.q.Limit, Trigger: s.q.Trigger, Memo: s.memo}
	if progress != nil {
		o.Progress = func(p verdict.Progress) {
			progress(Progress{Stage: p.Stage, Done: p.Done, Total: total, Events: p.Events})
		}
	}
	return o
}

// Known reports whether there is such a kind of question.
func (k Kind) Known() bool { return slices.Contains(Kinds(), k) }
