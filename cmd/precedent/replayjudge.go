package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/output"
	"github.com/openprecedent/precedent/internal/sim/expect"
	"github.com/openprecedent/precedent/internal/sim/study"
)

// judgeFlags are the flags of precedent replay --judge.
type judgeFlags struct {
	on     bool
	asked  app.Asked
	sample int
}

func (j *judgeFlags) flags(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&j.on, "judge", false, "judge the scenario: its class, its smallest trigger and its phase map")
	cmd.Flags().StringVar(&j.asked.Trigger, "trigger", "", "with --judge: search and map this trigger: own, or the knob that it turns (default its own, or the first that tips it)")
	cmd.Flags().StringVar(&j.asked.Own, "own", "", "with --judge: changes of the file, by name (a,b), that are its own trigger (default those with an end)")
	cmd.Flags().BoolVar(&j.asked.Alone, "alone", false, "with --judge: try no other trigger than that of --trigger for the class either")
	cmd.Flags().StringVar(&j.asked.X, "x", "", "with --judge: the setting across the map and its values (default those of the page)")
	cmd.Flags().StringVar(&j.asked.Y, "y", "", "with --judge: the setting upwards and its values")
	cmd.Flags().IntVar(&j.sample, "sample", 0, "with --judge: run so many cells of the map that is kept again, and compare")
	for _, other := range []string{"all", "file"} {
		cmd.MarkFlagsMutuallyExclusive("judge", other)
	}
	cmd.MarkFlagsMutuallyExclusive("sample", "record")
}

// wrong returns what is wrong with the flags of a judgment beside its question.
func (j *judgeFlags) wrong(scenarios int) error {
	switch given := j.asked; {
	case j.on && scenarios == 0:
		return app.Invalidf("judge", "name a scenario; `precedent replay` lists them", "no scenario is named to judge").
			Korean("시나리오를 적는다. `precedent replay`가 나열한다", "판정할 시나리오를 적지 않았다")
	case j.on && given.Alone && given.Trigger == "":
		return app.Invalidf("alone", "add --trigger", "--alone names no trigger").
			Korean("--trigger를 더한다", "--alone에 촉발 요인이 없다")
	case j.on && j.sample < 0:
		return app.Invalidf("sample", "give 1 or more", "%d cells are no sample", j.sample).
			Korean("1 이상을 쓴다", "표본이 아니다: 칸 %d개")
	case !j.on && (given.Trigger+given.Own+given.X+given.Y != "" || given.Alone || j.sample != 0):
		return app.Invalidf("judge", "add --judge, or leave them out", "--trigger, --own, --alone, --x, --y and --sample are for a judgment").
			Korean("--judge를 더하거나 뺀다", "--trigger, --own, --alone, --x, --y, --sample은 판정에 쓴다")
	}
	return nil
}

// judgeScenario judges a scenario, or a sample of what is kept of it.
func (p *process) judgeScenario(ctx context.Context, s *app.Scenario, f *replayFlags, l bilingual.Lang) error {
	limits := study.Limits{Workers: f.workers, Prepare: expect.Prepare}
	if f.judge.sample > 0 {
		return p.sampleMap(ctx, s, f, limits)
	}
	given := f.judge.asked
	given.Seeds, given.Set, given.Variant = f.seeds, f.set, f.variant
	progress := p.progress(f.quiet)
	found, err := s.Judge(ctx, s.ToAsk(given), limits, progress.show)
	progress.end()
	if err != nil {
		return fmt.Errorf("judging %s: %w", s.ID, app.Unanswered(err))
	}
	if found.Judgment != nil {
		if broken := found.Judgment.Broken; len(broken) > 0 {
			return fmt.Errorf("judging %s: %s", s.ID, broken[0])
		}
	}
	if f.record != "" {
		if err := record(f.record, s.ID, found); err != nil {
			return err
		}
	}
	return p.write(f.view, found, func() output.Page { return output.JudgedPage(s, &found.Judged, l) })
}

// sampleMap runs cells of the map that is kept again, and prints a line for each.
func (p *process) sampleMap(ctx context.Context, s *app.Scenario, f *replayFlags, limits study.Limits) error {
	cells, err := s.Sample(ctx, f.judge.sample, limits)
	if err != nil {
		return fmt.Errorf("judging %s: %w", s.ID, app.Unanswered(err))
	}
	if len(cells) == 0 {
		return app.NotFoundf("judgment", "make it with `precedent replay "+s.ID+" --judge --record DIR`", "no phase map of %s is kept", s.ID).
			Korean("`precedent replay "+s.ID+" --judge --record DIR`로 만든다", "%s의 상태 지도를 남겨 두지 않았다")
	}
	var unlike []string
	for _, c := range cells {
		line := fmt.Sprintf("%-12s %s %s: %s, kept %s\n", s.ID, c.X, c.Y, c.Found, c.Kept)
		if err := p.raw([]byte(line)); err != nil {
			return err
		}
		if c.Found != c.Kept {
			unlike = append(unlike, c.X+" "+c.Y)
		}
	}
	if len(unlike) > 0 {
		return app.Findingsf("make it anew with `precedent replay "+s.ID+" --judge --record DIR`", "%d of %d cells come out otherwise than kept: %s",
			len(unlike), len(cells), strings.Join(unlike, ", ")).
			Korean("`precedent replay "+s.ID+" --judge --record DIR`로 다시 만든다", "칸 %[2]d개 가운데 %[1]d개가 남긴 것과 다르다: %[3]s")
	}
	return nil
}
