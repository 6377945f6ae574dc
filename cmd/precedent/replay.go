package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/output"
	"github.com/openprecedent/precedent/internal/sim/expect"
	"github.com/openprecedent/precedent/internal/sim/scenario"
	"github.com/openprecedent/precedent/internal/sim/study"
)

// replayFlags are the flags of precedent replay.
type replayFlags struct {
	view
	variants []string
	variant  string // the one that is run
	set      []string
	seeds    int
	all      bool
	file     bool
	record   string
	judge    judgeFlags
	workers  int
	quiet    bool
}

func (p *process) replayCommand() *cobra.Command {
	var f replayFlags
	cmd := &cobra.Command{
		Use:   "replay [ID]",
		Short: "Run a case: its course comes out of the mechanism",
		Long: `Replay runs the scenario of a case, or a general one, and shows its course on the
published clock, each published observation beside what the run gave, what does
not come out, and the variants: what would have happened with another setting,
another action, or without the trigger. Without ID it lists the scenarios.

The exit code is 3 if an expectation does not hold. With --all every scenario, or
with ID every variant of it, is run for all its seeds, a line each. --file prints
the scenario file instead, to begin a system of your own with.

With --judge it finds what the scenario is (see judge), the smallest trigger that tips
it (see stress) and its phase map over the settings of its page (see map), which
takes from seconds to an hour, and --record keeps them for the library. What a
judgment that is kept has asked is asked again, but for what --seeds, --set,
--variant, --trigger, --own, --alone, --x and --y say. With --sample N it runs N cells of the
map that is kept again instead, and ends with 3 where one comes out otherwise.`,
		Example: `  precedent replay
  precedent replay IL-0574
  precedent replay IL-0574 --variant cap-62
  precedent replay IL-0574 --set cap=7200
  precedent replay IL-0574 --file > ours.yaml
  precedent replay --all
  precedent replay IL-0574 --judge --record corpus/judgments`,
		Args:              cobra.MaximumNArgs(1),
		ValidArgsFunction: p.completeScenarios,
		RunE:              func(cmd *cobra.Command, args []string) error { return p.replay(cmd.Context(), args, &f) },
	}
	f.flags(cmd)
	cmd.Flags().StringArrayVar(&f.variants, "variant", nil, "run this `variant`")
	cmd.Flags().StringArrayVar(&f.set, "set", nil, "set a value of the file, as path=value (repeatable)")
	cmd.Flags().IntVar(&f.seeds, "seeds", 0, "seeds that the expectations are looked at for (default 1, with --all those of the file)")
	cmd.Flags().IntVar(&f.workers, "workers", 0, "runs at a time (default one a processor); the result does not depend on it")
	cmd.Flags().BoolVar(&f.all, "all", false, "run every variant, of every scenario where no ID is given")
	cmd.Flags().BoolVar(&f.quiet, "quiet", false, "do not tell how far it is while it computes")
	cmd.Flags().BoolVar(&f.file, "file", false, "print the scenario file")
	cmd.Flags().StringVar(&f.record, "record", "", "with --all or --judge: write what was found into this folder, for a library to keep")
	f.judge.flags(cmd)
	for _, other := range []string{"variant", "set", "json", "md"} {
		cmd.MarkFlagsMutuallyExclusive("all", other)
		cmd.MarkFlagsMutuallyExclusive("file", other)
	}
	cmd.MarkFlagsMutuallyExclusive("all", "file")
	if err := cmd.RegisterFlagCompletionFunc("variant", p.completeReplayVariants); err != nil {
		panic(err) // the flag was made above
	}
	return cmd
}

// completeScenarios completes ids of scenarios.
func (p *process) completeScenarios(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	lib, err := p.load()
	if err != nil || len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var found []string
	for _, s := range lib.Scenarios() {
		found = append(found, s.ID+"\t"+oneLine(s.Title.En))
	}
	return found, cobra.ShellCompDirectiveNoFileComp
}

// completeReplayVariants completes the variants of the scenario that is named.
func (p *process) completeReplayVariants(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	var found []string
	if lib, err := p.load(); err == nil && len(args) == 1 {
		if s, ok := lib.Scenario(args[0]); ok {
			for _, v := range scenario.Variants(s.Text) {
				found = append(found, v.Name+"\t"+oneLine(v.About.En))
			}
		}
	}
	return found, cobra.ShellCompDirectiveNoFileComp
}

func (p *process) replay(ctx context.Context, args []string, f *replayFlags) error {
	a, l, err := p.open()
	if err != nil {
		return err
	}
	alone := f.alone(len(args))
	if len(args) == 0 && alone != nil {
		return alone
	}
	if len(args) == 0 {
		if f.all {
			return p.replayAll(ctx, a, a.Scenarios().Scenarios, f)
		}
		index := a.Scenarios()
		return p.write(f.view, index, func() output.Page { return output.ScenariosPage(index, l) })
	}
	r, err := a.Replay(args[0], f.variant)
	if wrong := joined([]error{alone, err}); wrong != nil {
		return joined([]error{wrong, f.besides(a, args[0])})
	}
	switch {
	case f.file:
		return p.raw([]byte(r.Scenario.System))
	case f.judge.on:
		return p.judgeScenario(ctx, r.Scenario, f, l)
	case f.all:
		return p.replayAll(ctx, a, []app.ScenarioRef{r.Scenario.ScenarioRef}, f)
	}
	progress := p.progress(f.quiet)
	seeds := f.seeds
	if seeds == 0 {
		seeds = 1
	}
	answer, err := replayed(ctx, r.Scenario, r.Variant, f, seeds, progress.show)
	progress.end()
	if err != nil {
		return err
	}
	r.Answer = answer.Short(maxDrawn)
	if err := p.write(f.view, r, func() output.Page { return output.ReplayPage(r, l) }); err != nil {
		return err
	}
	return unmet(answer)
}

// alone returns what is wrong with the flags by themselves, and notes the variant
// that is to be run.
func (f *replayFlags) alone(scenarios int) error {
	var wrong []error
	if f.record != "" && !f.all && !f.judge.on {
		wrong = append(wrong, app.Invalidf("record", "add --all", "--record keeps all variants, and only one is run").
			Korean("--all을 더한다", "--record는 모든 변형을 남기는데 하나만 실행한다"))
	}
	if len(f.variants) > 1 {
		wrong = append(wrong, app.Invalidf("variant", "name one; `precedent run FILE` compares several", "%d variants, and one is replayed", len(f.variants)).
			Korean("하나만 쓴다. 여럿은 `precedent run FILE`이 비교한다", "변형이 %d개인데 하나만 재생한다"))
	}
	if len(f.variants) > 0 {
		f.variant = f.variants[0]
	}
	if scenarios == 0 && !f.all && !f.judge.on && (len(f.variants)+len(f.set) > 0 || f.seeds != 0 || f.file) {
		wrong = append(wrong, app.Invalidf("id", "see `precedent replay` for those that there are", "no scenario is named").
			Korean("`precedent replay`로 목록을 본다", "시나리오 이름이 없다"))
	}
	if err := f.judge.wrong(scenarios); err != nil {
		wrong = append(wrong, err)
	}
	return joined(wrong)
}

// besides returns what is wrong with the settings and the numbers of a replay, if
// there is such a scenario.
func (f *replayFlags) besides(a *app.App, id string) error {
	s, err := a.Scenario(id)
	if err != nil || f.file || f.judge.on {
		return nil // that it is not there has been told
	}
	variant := f.variant
	if !s.HasVariant(variant) {
		variant = ""
	}
	_, err = f.read(s, variant, f.seeds)
	return err
}

// read reads the question of a replay.
func (f *replayFlags) read(s *app.Scenario, variant string, seeds int) (*study.Study, error) {
	q := s.Question(variant, f.set)
	q.Seeds = seeds
	one, err := study.Read(q, study.Limits{Workers: f.workers, Prepare: expect.Prepare})
	return one, app.Unanswered(err)
}

// maxDrawn is how many values of a line are printed as JSON at most.
const maxDrawn = 1000

// replayed runs a variant of a scenario; seeds of 0 are those of the file.
func replayed(ctx context.Context, s *app.Scenario, variant string, f *replayFlags, seeds int, progress func(study.Progress)) (*study.Answer, error) {
	one, err := f.read(s, variant, seeds)
	if err != nil {
		return nil, err
	}
	answer, err := one.Answer(ctx, progress)
	if err != nil {
		return nil, app.Unanswered(err)
	}
	return answer, nil
}
