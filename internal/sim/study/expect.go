package study

import (
	"context"

	"github.com/openprecedent/precedent/internal/sim/scenario"
	"github.com/openprecedent/precedent/internal/strictyaml"
)

// Prepare makes what a file expects of its runs ready to be looked at, and reports
// what is wrong with it. The settings have whole paths.
type Prepare func(f *scenario.File, name string, src []byte, set []strictyaml.Setting) (scenario.Checks, strictyaml.Problems)

// prepare makes the expectations of a model ready, where they can be looked at.
func (m *model) prepare(with Prepare) strictyaml.Problems {
	if with == nil {
		return nil
	}
	checks, problems := with(m.file, m.name, m.src, m.settings())
	m.checks = checks
	return problems
}

// seedsOf returns how many seeds the expectations of a model are looked at for:
// one where there are none.
func (s *Study) seedsOf(m *model) int {
	switch {
	case m.checks == nil || len(m.checks.Expectations()) == 0:
		return 1
	case s.q.Seeds > 0:
		return s.q.Seeds
	}
	return max(int(m.file.Run.Seeds), 1)
}

// wide reports whether the windows are wider than those of the file, for who wants
// few of them. What the file expects is looked at in its own.
func (s *Study) wide() bool { return len(s.q.Set) > s.given }

// lookAt lets the expectations be looked at in other models, which have the windows
// of the file.
func (s *Study) lookAt(fine []*model) {
	for i, m := range s.models {
		if m.checks = fine[i].checks; m.checks != nil && len(m.checks.Expectations()) > 0 {
			m.fine = fine[i]
		}
	}
}

// fewer looks at expectations for no more seeds than there are here unless the
// question says how many, and then says so in the question, so that its command
// gives the same.
func (s *Study) fewer() {
	if s.q.Kind != KindRun || s.q.Seeds > 0 || s.l.Seeds == 0 {
		return
	}
	for _, m := range s.models {
		if s.seedsOf(m) > s.l.Seeds {
			s.q.Seeds = s.l.Seeds
			return
		}
	}
}

// seen runs a model with a seed, and looks at what its file expects. The first seed
// is the one that is shown; a further one runs until all is over that is expected,
// which is all that is told of it.
func (s *Study) seen(ctx context.Context, m *model, k int) (Run, []scenario.Seen, error) {
	seed := m.seed(s.q.Seed) + uint64(k)
	looked := m
	if m.fine != nil {
		looked = m.fine
	}
	if k > 0 {
		r, err := looked.run(ctx, seed, m.checks.Until(), s.l)
		return r, m.look(r), err
	}
	r, err := m.run(ctx, seed, 0, s.l)
	if err != nil || m.checks == nil {
		return r, m.look(r), err
	}
	fine := r
	if looked != m {
		fine, err = looked.run(ctx, seed, 0, s.l)
	}
	r.Figures = m.checks.Figures(fine.Result)
	return r, m.look(fine), err
}

// look looks at what a run shows of the expectations.
func (m *model) look(r Run) []scenario.Seen {
	if m.checks == nil {
		return nil
	}
	return m.checks.Check(r.Result)
}

// outcomes adds to a run what it and the runs with further seeds show.
func (m *model) outcomes(r *Run, seen [][]scenario.Seen) {
	if m.checks == nil {
		r.Unchecked = len(m.file.Expect)
		return
	}
	r.Expectations = scenario.Outcomes(m.checks.Expectations(), seen)
}

// Unmet returns the expectations that do not hold.
func (a *Answer) Unmet() []scenario.Outcome {
	var all []scenario.Outcome
	for _, r := range a.Runs {
		for _, o := range r.Expectations {
			if !o.Holds {
				all = append(all, o)
			}
		}
	}
	return all
}
