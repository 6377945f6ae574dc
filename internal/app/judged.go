package app

import (
	"context"
	"encoding/json"
	"errors"
	"slices"

	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/library"
	"github.com/openprecedent/precedent/internal/sim/study"
	"github.com/openprecedent/precedent/internal/sim/verdict"
)

// Judged is what a scenario was judged to be: its class, the smallest trigger that
// tips it, and its phase map, with what was asked.
type Judged struct {
	Asked    Asked           `json:"asked"`
	Class    verdict.Class   `json:"class,omitempty" jsonschema:"overloaded, metastable, vulnerable, undecided, driven or stable; absent where it cannot be judged"`
	Why      bilingual.Text  `json:"why" jsonschema:"the finding in a sentence, or why there is none"`
	Smallest *verdict.Edge   `json:"smallest,omitempty" jsonschema:"how little of the trigger that was searched tips it; absent where that was not searched"`
	Judgment *study.Judgment `json:"judgment,omitempty" jsonschema:"the evidence for the class"`
	Map      *study.PhaseMap `json:"map,omitempty" jsonschema:"its class over two of its settings"`
	Commands []string        `json:"commands" jsonschema:"commands that give the same, with the scenario as a file"`
}

// Asked is what a judgment of a scenario asked.
type Asked struct {
	Seeds   int      `json:"seeds" jsonschema:"runs of each kind"`
	Set     []string `json:"set,omitempty" jsonschema:"settings that differ from those of the file, such as those of a smaller system"`
	Variant string   `json:"variant,omitempty" jsonschema:"variant of the file that was judged"`
	Own     string   `json:"own,omitempty" jsonschema:"changes that are the trigger of the file, by name; those with an end where it is absent"`
	Trigger string   `json:"trigger,omitempty" jsonschema:"trigger of the search, and of the map where own is absent: own, or the knob that it turns"`
	Alone   bool     `json:"alone,omitempty" jsonschema:"no other trigger was tried for the class either"`
	X       string   `json:"x,omitempty" jsonschema:"setting across the map, with its values"`
	Y       string   `json:"y,omitempty" jsonschema:"setting upwards"`
}

// Judging is the file that keeps what a scenario was judged to be. It is made by
// `precedent replay --judge --record`, and not by hand.
type Judging struct {
	Version  int    `json:"wire_version"`
	Scenario string `json:"scenario" jsonschema:"SHA-256 of the file that was judged"`
	Judged
}

// judgedSeeds is how many runs of each kind a judgment of a scenario takes unless it
// is asked for another number.
const judgedSeeds = 5

// judged returns the judgment of a scenario, nil where none is kept or where it is of
// another file or program, and what it asked.
func judged(s *library.Scenario) (*Judged, Asked) {
	var j Judging
	if len(s.Judgment) == 0 || json.Unmarshal(s.Judgment, &j) != nil {
		return nil, Asked{}
	}
	if j.Version != study.WireVersion || j.Scenario != sumOf(s.Text) {
		return nil, j.Asked
	}
	return &j.Judged, j.Asked
}

// ToAsk returns what a judgment of the scenario asks: what the one that is kept did,
// or else the defaults, but for what is given.
func (s *Scenario) ToAsk(given Asked) Asked {
	a := s.asked
	if a.Seeds == 0 {
		a = Asked{Seeds: judgedSeeds}
		if s.Map != nil {
			a.X, a.Y = s.Map.X, s.Map.Y
		}
	}
	if given.Seeds > 0 {
		a.Seeds = given.Seeds
	}
	if len(given.Set) > 0 {
		a.Set = given.Set
	}
	a.Alone = a.Alone || given.Alone
	for _, one := range []struct{ to, from *string }{
		{&a.Variant, &given.Variant}, {&a.Own, &given.Own}, {&a.Trigger, &given.Trigger}, {&a.X, &given.X}, {&a.Y, &given.Y},
	} {
		if *one.from != "" {
			*one.to = *one.from
		}
	}
	return a
}

// question returns a question about the scenario with what is asked.
func (s *Scenario) question(kind study.Kind, a Asked) study.Question {
	q := s.Question(a.Variant, a.Set)
	q.Kind, q.Seeds = kind, a.Seeds
	switch {
	case kind != study.KindStress && a.Own != "":
		q.Trigger = a.Own
	case kind != study.KindJudge || a.Alone:
		q.Trigger = a.Trigger
	}
	if kind == study.KindMap {
		q.X, q.Y = a.X, a.Y
	}
	return q
}

// Judge judges the scenario: it asks for its class, for the smallest trigger, and for
// its phase map. Where no trigger is named, the last two take the scenario's own, or
// else the first that tips it. A scenario that cannot be judged is told with the
// reason.
func (s *Scenario) Judge(ctx context.Context, a Asked, l study.Limits, progress func(study.Progress)) (*Judging, error) {
	out := &Judging{Version: study.WireVersion, Scenario: sumOf([]byte(s.System)), Judged: Judged{Asked: a, Commands: []string{}}}
	ask := func(kind study.Kind) (*study.Answer, error) {
		q := s.question(kind, out.Asked)
		answer, err := study.Ask(ctx, q, l, progress)
		if err == nil {
			out.Commands = append(out.Commands, q.Command())
		}
		return answer, err
	}
	answer, err := ask(study.KindJudge)
	if err != nil {
		return out, out.unjudged(err)
	}
	j := answer.Judgment
	out.Judgment, out.Class, out.Why = j, j.Class, j.Why
	if out.Asked.Trigger == "" {
		out.Asked.Trigger = tipping(j, a.Own)
	}
	if out.Asked.Trigger != "" && j.Class != verdict.Overloaded {
		if answer, err = ask(study.KindStress); err != nil {
			return nil, err
		}
		if len(answer.Edges) > 0 {
			out.Smallest = &answer.Edges[0]
		}
	}
	if a.X == "" || a.Y == "" {
		return out, nil
	}
	if answer, err = ask(study.KindMap); err != nil {
		return nil, err
	}
	out.Map = answer.Map
	return out, nil
}

// unjudged keeps why a system cannot be judged. Other errors are returned.
func (j *Judging) unjudged(err error) error {
	var no *study.Refusal
	if !errors.As(err, &no) || no.Param != "" {
		return err
	}
	j.Why = no.Text
	return nil
}

// tipping returns the trigger that is searched and mapped: the scenario's own, or the
// first that tips most runs, or the first. Changes by name are no trigger that can
// be searched.
func tipping(j *study.Judgment, named string) string {
	first := ""
	for _, t := range j.Trials {
		switch {
		case t.Trigger.ID == named:
		case t.Trigger.Own || t.Tip.Share >= 0.5:
			return t.Trigger.ID
		case first == "":
			first = t.Trigger.ID
		}
	}
	return first
}

// Sampled is a cell of a kept map that was run again.
type Sampled struct {
	X, Y        string
	Kept, Found verdict.Class
}

// Sample runs a number of cells of the kept map again that were run for it, spread
// evenly over them, and returns what was kept and what was found.
func (s *Scenario) Sample(ctx context.Context, n int, l study.Limits) ([]Sampled, error) {
	if s.Judged == nil || s.Judged.Map == nil {
		return nil, nil
	}
	m, a := s.Judged.Map, s.Judged.Asked
	var ran []Sampled
	for y, row := range m.Ran {
		for x, is := range row {
			if is {
				ran = append(ran, Sampled{X: m.X.Values[x], Y: m.Y.Values[y], Kept: m.Cells[y][x]})
			}
		}
	}
	var all []Sampled
	for i := range min(n, len(ran)) {
		one := ran[(2*i+1)*len(ran)/(2*min(n, len(ran)))]
		q := s.question(study.KindMap, a)
		q.X, q.Y = m.X.Setting+"="+one.X, m.Y.Setting+"="+one.Y
		answer, err := study.Ask(ctx, q, l, nil)
		if err != nil {
			return nil, err
		}
		one.Found = answer.Map.Cells[0][0]
		all = append(all, one)
	}
	return all, nil
}

// Tips reports whether the smallest trigger is known.
func (j *Judged) Tips() bool { return j.Smallest != nil && j.Smallest.Tips }

// Reduced reports whether the system that was judged is not that of the file.
func (j *Judged) Reduced() bool { return len(j.Asked.Set) > 0 || j.Asked.Variant != "" }

// Race reports whether what fails in the scenario is an order of steps and not a
// congestion: whether a protocol of it, as it is, loses an invariant.
func (s *Scenario) Race() bool {
	return slices.ContainsFunc(s.Orders, func(x study.Exploration) bool {
		return x.Variant == "" && slices.ContainsFunc(x.Invariants, func(i study.Invariant) bool { return i.Broken })
	})
}
