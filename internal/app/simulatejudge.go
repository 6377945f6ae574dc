package app

import (
	"context"
	"fmt"
	"slices"

	"github.com/openprecedent/precedent/internal/sim/des"
	"github.com/openprecedent/precedent/internal/sim/parts"
	"github.com/openprecedent/precedent/internal/sim/system"
	"github.com/openprecedent/precedent/internal/sim/verdict"
)

// Judgment is what a system was found to be, beside what formulas say of it.
type Judgment struct {
	Version int    `json:"wire_version"`
	Command string `json:"command,omitempty"`
	*verdict.Judgment
	Bounds []system.Bound `json:"bounds"`
	// Contradictions name formulas that are exact for this system and that the
	// runs contradict: one of the two is wrong.
	Contradictions []string `json:"contradictions,omitempty"`
}

// Classes returns the classes of systems from the worst to the best.
func Classes() []verdict.Class {
	return []verdict.Class{verdict.Overloaded, verdict.Metastable, verdict.Vulnerable, verdict.Undecided, verdict.Driven, verdict.Stable}
}

// AsBadAs reports whether the class is the given one or a worse one.
func (j *Judgment) AsBadAs(class verdict.Class) bool {
	return slices.Index(Classes(), j.Class) <= slices.Index(Classes(), class)
}

// Judge runs a system without and with triggers, and says what it is. With an
// error that [Interrupted] knows there is no judgment.
func (m *Model) Judge(ctx context.Context, o SimOptions) (*Judgment, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	seeds := o.Seeds
	if seeds == 0 {
		seeds = 10 // which is what the protocol takes
	}
	runs := seeds + m.triggers()*(min(seeds, 2)+seeds)
	if err := m.judgeable(runs); err != nil {
		return nil, err
	}
	j, err := verdict.Judge(ctx, m.File, o.verdict(runs))
	if err != nil {
		return nil, unjudged(err)
	}
	out := &Judgment{Version: WireVersion, Judgment: j, Bounds: m.Graph().Bounds()}
	out.contradict()
	return out, nil
}

// verdict returns the options as the protocol takes them, with the number of
// runs where it is known.
func (o SimOptions) verdict(total int) verdict.Options {
	v := verdict.Options{Seeds: o.Seeds, Workers: o.Workers, Limit: o.Limit}
	if o.Progress != nil {
		v.Progress = func(p verdict.Progress) {
			o.Progress(SimProgress{Stage: p.Stage, Done: p.Done, Total: total, Events: p.Events})
		}
	}
	return v
}

// triggers counts what a system is tried with.
func (m *Model) triggers() int {
	n := 0
	for _, k := range parts.Build(m.File.Parts.Build(), parts.Options{Window: des.Second}).Knobs() {
		if k.Worst != nil {
			n++
		}
	}
	for _, c := range m.File.Changes {
		if c.For > 0 {
			return n + 1
		}
	}
	return n
}

// unjudged is the error of a system that cannot be judged, which its file has to
// change.
func unjudged(err error) error {
	if Interrupted(err) {
		return err
	}
	return &Error{Kind: Findings, Err: err, Hint: "change the system so that it can be judged; `precedent explain` shows its load"}
}

// contradict compares what the runs show with the formulas that are exact.
func (j *Judgment) contradict() {
	down := j.Class == verdict.Metastable || j.Class == verdict.Vulnerable
	for _, b := range j.Bounds {
		switch {
		case !b.Exact:
		case b.Rule == system.RuleCapacity && !b.Holds && b.Right < b.Left*(1-2*j.Limit) && j.Class != verdict.Overloaded:
			j.Contradictions = append(j.Contradictions, fmt.Sprintf("%s cannot keep up by formula, and the runs find the system %s", b.At, j.Class))
		case b.Rule == system.RuleRetries && b.Holds && b.Left < 0.97*b.Right && down:
			j.Contradictions = append(j.Contradictions, fmt.Sprintf("no congestion of %s keeps itself going by formula, and the runs find the system %s", b.At, j.Class))
		}
	}
}

// Stressed is how little of each trigger tips a system.
type Stressed struct {
	Version int            `json:"wire_version"`
	Command string         `json:"command,omitempty"`
	Name    string         `json:"name"`
	Edges   []verdict.Edge `json:"edges"`
}

// Stress looks for the smallest triggers. With an error that [Interrupted] knows,
// the answer holds the triggers that were searched by then.
func (m *Model) Stress(ctx context.Context, o SimOptions) (*Stressed, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	const steps = 40 // of a search, five runs each
	if err := m.judgeable(m.triggers() * steps * 5); err != nil {
		return nil, err
	}
	edges, err := verdict.Stress(ctx, m.File, o.verdict(0))
	if err != nil && !Interrupted(err) {
		return nil, unjudged(err)
	}
	return &Stressed{Version: WireVersion, Name: m.File.Name, Edges: edges}, err
}

// Remedied is what brings a system back.
type Remedied struct {
	Version int    `json:"wire_version"`
	Command string `json:"command,omitempty"`
	Name    string `json:"name"`
	// Tips reports whether a trigger tips the system; the rest is there only then.
	Tips bool `json:"tips"`
	*verdict.Remedies
}

// Remedy tries what brings a system back. With an error that [Interrupted] knows
// there is no answer.
func (m *Model) Remedy(ctx context.Context, o SimOptions) (*Remedied, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	seeds := o.Seeds
	if seeds == 0 {
		seeds = 5
	}
	if err := m.judgeable(30 * seeds); err != nil {
		return nil, err
	}
	r, err := verdict.Remedy(ctx, m.File, o.verdict(0))
	if err != nil {
		return nil, unjudged(err)
	}
	return &Remedied{Version: WireVersion, Name: m.File.Name, Tips: r != nil, Remedies: r}, nil
}
