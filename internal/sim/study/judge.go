package study

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/sim/scenario"
	"github.com/openprecedent/precedent/internal/sim/system"
	"github.com/openprecedent/precedent/internal/sim/verdict"
)

// Judgment is what a system was found to be, beside what formulas say of it.
type Judgment struct {
	*verdict.Judgment
	Bounds []system.Bound `json:"bounds"`
	// Contradictions name formulas that are exact for this system and that the
	// runs contradict: one of the two is wrong.
	Contradictions []bilingual.Text `json:"contradictions,omitempty"`
}

// Classes returns the classes of systems from the worst to the best.
func Classes() []verdict.Class {
	return []verdict.Class{verdict.Overloaded, verdict.Metastable, verdict.Vulnerable, verdict.Undecided, verdict.Driven, verdict.Stable}
}

// AsBadAs reports whether the class is the given one or a worse one.
func (j *Judgment) AsBadAs(class verdict.Class) bool {
	return slices.Index(Classes(), j.Class) <= slices.Index(Classes(), class)
}

// judge runs a system without and with triggers, and says what it is.
func (s *Study) judge(ctx context.Context, a *Answer, progress func(Progress)) error {
	m := s.models[0]
	if s.q.Course {
		r, seen, err := s.seen(ctx, m, 0)
		if err != nil && !Interrupted(err) {
			return err
		}
		m.outcomes(&r, [][]scenario.Seen{seen})
		a.Runs = []Run{r}
		a.keep(s.q.Series)
	}
	j, err := verdict.Judge(ctx, m.file, s.options(s.judgeRuns(), progress))
	if j == nil {
		return unjudged(err)
	}
	a.Judgment = &Judgment{Judgment: j, Bounds: m.graph().Bounds()}
	if a.Judgment.Bounds == nil {
		a.Judgment.Bounds = []system.Bound{}
	}
	if a.Judgment.Class != verdict.Unjudged {
		a.Judgment.contradict()
	}
	return err
}

// judgeRuns is the number of runs of a judgment where all are needed.
func (s *Study) judgeRuns() int {
	seeds := s.seeds(10) // which is what the protocol takes
	return seeds + s.triggers()*(min(seeds, 2)+seeds)
}

// triggers counts what the system is tried with.
func (s *Study) triggers() int {
	if s.q.Trigger == "" {
		return s.models[0].triggers()
	}
	all, err := verdict.Triggers(s.models[0].file, s.q.Trigger)
	if err != nil {
		return 1 // which is told
	}
	return len(all)
}

// chosen refuses a trigger that there is not.
func (s *Study) chosen() error {
	name := s.q.Trigger
	if name == "" {
		return nil
	}
	if s.q.Kind == KindRun || s.q.Kind == KindExplore || s.q.Kind == KindExplain {
		return refuse("trigger", bilingual.Text{En: "a question of kind %s has no trigger", Ko: "%s에는 촉발 요인이 없다"},
			bilingual.Text{En: "ask judge, stress, remedies or map, or leave it out", Ko: "judge, stress, remedies, map으로 묻거나 뺀다"}, s.q.Kind)
	}
	all, err := verdict.Triggers(s.models[0].file, name)
	var unknown *verdict.UnknownTrigger
	switch {
	case err == nil && len(all) > 1 && (s.q.Kind == KindStress || s.q.Kind == KindRemedies):
		return refuse("trigger", bilingual.Text{En: "changes by name are no trigger for %s", Ko: "변경 이름은 %s의 촉발 요인이 아니다"},
			bilingual.Text{En: "name own or a knob; judge and map take changes by name", Ko: "own이나 값 이름을 쓴다. 변경 이름은 judge와 map이 받는다"}, s.q.Kind)
	case err == nil:
		return nil
	case errors.As(err, &unknown):
		list := strings.Join(unknown.Known, ", ")
		return refuse("trigger", bilingual.Text{En: "no trigger %.80q", Ko: "그런 촉발 요인이 없다: %.80q"},
			bilingual.Text{En: "there are " + list, Ko: "있는 것: " + list}, name)
	}
	return unjudged(err)
}

// triggers counts what a system is tried with.
func (m *model) triggers() int {
	n := 0
	for _, k := range m.net().Knobs() {
		if k.Worst != nil {
			n++
		}
	}
	for _, c := range m.file.Changes {
		if _, ends := c.Until(); ends && c.When == nil {
			return n + 1
		}
	}
	return n
}

// contradict compares what the runs show with the formulas that are exact.
func (j *Judgment) contradict() {
	down := j.Class == verdict.Metastable || j.Class == verdict.Vulnerable
	for _, b := range j.Bounds {
		switch {
		case !b.Exact:
		case b.Rule == system.RuleCapacity && !b.Holds && b.Right < float64(b.Left*(1-float64(2*j.Limit))) && j.Class != verdict.Overloaded:
			j.Contradictions = append(j.Contradictions, bilingual.Text{
				En: fmt.Sprintf("%s cannot keep up by formula, and the runs find the system %s", b.At, j.Class),
				Ko: fmt.Sprintf("공식으로는 %s의 처리 능력을 넘는데, 실행의 판정은 그렇지 않다(%s)", b.At, j.Class),
			})
		case b.Rule == system.RuleRetries && b.Holds && b.Left < float64(0.97*b.Right) && down:
			j.Contradictions = append(j.Contradictions, bilingual.Text{
				En: fmt.Sprintf("no congestion of %s keeps itself going by formula, and the runs find the system %s", b.At, j.Class),
				Ko: fmt.Sprintf("공식으로는 %s의 혼잡이 스스로 이어지지 않는데, 실행의 판정은 그렇지 않다(%s)", b.At, j.Class),
			})
		}
	}
}

// stressSteps are about the steps of a search, of five runs each.
const stressSteps = 40

// stress looks for the smallest triggers.
func (s *Study) stress(ctx context.Context, a *Answer, progress func(Progress)) error {
	edges, err := verdict.Stress(ctx, s.models[0].file, s.options(0, progress))
	if err != nil && !Interrupted(err) {
		return unjudged(err)
	}
	if a.Edges = edges; edges == nil {
		a.Edges = []verdict.Edge{}
	}
	return err
}

// Remedies is what brings a system back.
type Remedies struct {
	// Tips reports whether a trigger tips the system; the rest is there only then.
	Tips bool `json:"tips"`
	*verdict.Remedies
}

// remedies tries what brings a system back.
func (s *Study) remedies(ctx context.Context, a *Answer, progress func(Progress)) error {
	r, err := verdict.Remedy(ctx, s.models[0].file, s.options(0, progress))
	if err != nil && r == nil {
		return unjudged(err)
	}
	if r != nil && r.Tried == nil {
		r.Tried = []verdict.Tried{}
	}
	a.Remedies = &Remedies{Tips: r != nil, Remedies: r}
	return err
}
