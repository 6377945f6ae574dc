package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/parallel"
	"github.com/openprecedent/precedent/internal/sim/expect"
	"github.com/openprecedent/precedent/internal/sim/scenario"
	"github.com/openprecedent/precedent/internal/sim/study"
)

// met counts what is expected of replays, and names what does not hold.
type met struct {
	expected int
	failed   []string
}

func (m *met) add(holds bool, what string) {
	m.expected++
	if !holds {
		m.failed = append(m.failed, what)
	}
}

// err is nil where all that is expected holds.
func (m *met) err() error {
	if len(m.failed) == 0 {
		return nil
	}
	return app.Findingsf("see one with `precedent replay ID --variant NAME`",
		"%d of %d expectations do not hold: %s", len(m.failed), m.expected, strings.Join(m.failed, "; ")).
		Korean("`precedent replay ID --variant NAME`으로 하나씩 본다", "기대 조건 %[2]d개 가운데 %[1]d개가 성립하지 않는다: %[3]s")
}

// replayAll runs all variants of scenarios for all seeds of their files, finds the
// edges that their pages name, and records what they gave where that is asked for.
func (p *process) replayAll(ctx context.Context, a *app.App, refs []app.ScenarioRef, f *replayFlags) error {
	m := &met{}
	for _, ref := range refs {
		s, err := a.Scenario(ref.ID)
		if err != nil {
			return err
		}
		kept := s.NewRecording()
		if err := p.replayVariants(ctx, s, f, kept, m); err != nil {
			return err
		}
		if err := p.replayOrders(s, m); err != nil {
			return err
		}
		if err := p.edges(ctx, s, f, kept); err != nil {
			return err
		}
		for _, e := range kept.Edges {
			m.add(e.Agrees, s.ID+": edge along "+e.Label())
		}
		if f.record != "" {
			if err := record(f.record, s.ID, kept); err != nil {
				return err
			}
		}
	}
	return m.err()
}

// replaying runs variants beside each other, and returns what waits for one of
// them, and what ends the others. So each is told of when it and those before it
// are done, which may be long before the last one is.
func replaying(ctx context.Context, s *app.Scenario, names []string, f *replayFlags) (wait func(i int) (*study.Answer, error), end func()) {
	ctx, cancel := context.WithCancel(ctx)
	answers, errs, done := make([]*study.Answer, len(names)), make([]error, len(names)), make([]chan struct{}, len(names))
	for i := range done {
		done[i] = make(chan struct{})
	}
	all := make(chan struct{})
	go func() {
		defer close(all)
		parallel.Each(len(names), func(i int) {
			defer close(done[i])
			answers[i], errs[i] = replayed(ctx, s, names[i], f, f.seeds, nil)
		})
	}()
	wait = func(i int) (*study.Answer, error) {
		<-done[i]
		return answers[i], errs[i]
	}
	return wait, func() {
		cancel()
		<-all
	}
}

// replayVariants runs the variants of a scenario side by side, and prints a line
// for each.
func (p *process) replayVariants(ctx context.Context, s *app.Scenario, f *replayFlags, kept *app.Recording, m *met) error {
	names := []string{""}
	for _, v := range s.Variants {
		names = append(names, v.Name)
	}
	wait, end := replaying(ctx, s, names, f)
	defer end()
	for i, name := range names {
		answer, err := wait(i)
		of := strings.TrimSpace(s.ID + " " + name)
		if err != nil {
			return fmt.Errorf("replaying %s: %w", of, err)
		}
		if broken := answer.Broken(); len(broken) > 0 {
			return fmt.Errorf("replaying %s: %s", of, broken[0])
		}
		kept.Add(name, answer)
		if err := p.raw([]byte(replayLine(s.ID, name, answer))); err != nil {
			return err
		}
		m.expected += len(answer.Runs[0].Expectations)
		for _, o := range answer.Unmet() {
			m.failed = append(m.failed, of+": "+o.Name)
		}
	}
	return nil
}

// replayOrders prints a line for each protocol of a scenario, which was explored
// when the scenario was read.
func (p *process) replayOrders(s *app.Scenario, m *met) error {
	for i := range s.Orders {
		x := &s.Orders[i]
		held := 0
		for _, inv := range x.Invariants {
			m.add(inv.Met, s.ID+" "+x.Label()+": "+inv.Name)
			if inv.Met {
				held++
			}
		}
		line := fmt.Sprintf("%-12s %-28s %d of %d as expected, every order of %s\n",
			s.ID, x.Label(), held, len(x.Invariants), count(x.States, "state"))
		if err := p.raw([]byte(line)); err != nil {
			return err
		}
	}
	return nil
}

// edges finds the edges that the page of a scenario names, and prints a line for
// each.
func (p *process) edges(ctx context.Context, s *app.Scenario, f *replayFlags, kept *app.Recording) error {
	if len(s.Edges) == 0 {
		return nil
	}
	q := s.Question("", nil)
	q.Seeds = f.seeds
	found, err := study.FindEdges(ctx, q, study.Limits{Workers: f.workers, Prepare: expect.Prepare})
	if err != nil {
		return fmt.Errorf("replaying %s: %w", s.ID, app.Unanswered(err))
	}
	kept.Edges = found
	for _, e := range found {
		at := "no edge among the values"
		if e.Below != "" {
			at = "edge between " + e.Below + " and " + e.Above
		}
		line := fmt.Sprintf("%-12s %-28s %s, formula %s, %s\n", s.ID, e.Label(), at, e.Foretold, count(e.Seeds, "seed"))
		if err := p.raw([]byte(line)); err != nil {
			return err
		}
	}
	return nil
}

// replayLine sums up a replay in a line.
func replayLine(id, variant string, a *study.Answer) string {
	r := a.Runs[0]
	if variant == "" {
		variant = scenario.Base
	}
	held, seeds := 0, 0
	for _, o := range r.Expectations {
		seeds = max(seeds, len(o.Seeds))
		if o.Holds {
			held++
		}
	}
	return fmt.Sprintf("%-12s %-28s %d of %d hold, %s\n", id, variant, held, len(r.Expectations), count(seeds, "seed"))
}

// record writes what the variants of a scenario gave, or what it was judged to be.
func record(dir, id string, kept any) error {
	raw, err := json.Marshal(kept)
	if err != nil {
		return fmt.Errorf("recording %s: %w", id, err)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return app.Invalidf("record", "give a folder that can be made", "recording: %w", err).
			Korean("만들 수 있는 폴더를 준다", "결과를 남길 수 없다: %w")
	}
	name := filepath.Join(dir, id+".json")
	if err := os.WriteFile(name, append(raw, '\n'), 0o644); err != nil {
		return app.Invalidf("record", "give a folder that can be written", "recording: %w", err).
			Korean("쓸 수 있는 폴더를 준다", "결과를 남길 수 없다: %w")
	}
	return nil
}
