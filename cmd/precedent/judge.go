package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/sim/study"
	"github.com/openprecedent/precedent/internal/sim/verdict"
)

func (p *process) judgeCommand() *cobra.Command {
	var f simFlags
	var failOn string
	cmd := &cobra.Command{
		Use:   "judge FILE",
		Short: "Find out whether a system comes back by itself after a trigger",
		Long: `Judge runs a scenario many times: without a trigger, and with triggers that are
taken away again, the scenario's own and ones that every system is tried with (each
server stands still, each source sends three times as much). It says what the
system is, from worst to best:

  overloaded  unhealthy without any trigger
  metastable  stays down after the scenario's own trigger is over
  vulnerable  survives that, but not a larger trigger that was tried
  driven      down for as long as a trigger lasts, and back by itself
  stable      healthy all along, and back after every trigger that was tried

and shows the evidence: the share of the runs that do not come back, with its 95 %
interval; errors during and after; the time to recovery, against the same without
retries and hedges; how much of the work was of use. Beside it stands what formulas
say, which must not contradict it.

The exit code is 0 whatever the system is, since it was judged; with --fail-on it is
3 for that class and worse ones, for use in CI. An interrupt shows the trials that
had ended (exit code 130); with --resume FILE they are kept, and the same command
goes on from there.`,
		Example: `  precedent judge system.yaml
  precedent judge system.yaml --set users.call.retry_budget=10%
  precedent judge system.yaml --fail-on vulnerable
  precedent judge system.yaml --seeds 50 --json`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.judge(cmd, args, &f, failOn)
		},
	}
	f.judging(p, cmd, "10")
	cmd.Flags().BoolVar(&f.q.Course, "course", false, "run the scenario once as it stands too; show what happened, and whether what the file expects holds")
	cmd.Flags().StringVar(&failOn, "fail-on", "", "exit with 3 when the system is this or worse: "+strings.Join(classes(), ", "))
	if err := cmd.RegisterFlagCompletionFunc("fail-on", cobra.FixedCompletions(classes(), cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic(err) // the flag was made one line above
	}
	return cmd
}

func classes() []string {
	var names []string
	for _, c := range study.Classes() {
		names = append(names, string(c))
	}
	return names
}

// classNamed returns the class of a name, none of an empty one.
func classNamed(name string) (verdict.Class, error) {
	if name == "" {
		return "", nil
	}
	return verdict.Class(name), oneOf("fail-on", name, classes(), "no class is named %q", "그런 판정이 없다: %q")
}

func (p *process) judge(cmd *cobra.Command, args []string, f *simFlags, worst string) error {
	failOn, unnamed := classNamed(worst)
	a, err := p.simulate(cmd, args[0], f, p.page(f), unnamed)
	if err != nil {
		return err
	}
	switch j := a.Judgment; {
	case len(j.Contradictions) > 0:
		return fmt.Errorf("judging the system: %w", errors.New(j.Contradictions[0].En))
	case failOn != "" && j.AsBadAs(failOn):
		return app.Findingsf("see what helps with `precedent remedies "+study.Quote(args[0])+"`", "the system is %s", j.Class).
			Korean("무엇이 도움이 되는지 `precedent remedies "+study.Quote(args[0])+"`로 본다", "시스템 판정: %s")
	}
	return nil
}
