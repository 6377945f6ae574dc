package main

import "github.com/spf13/cobra"

func (p *process) stressCommand() *cobra.Command {
	var f simFlags
	cmd := &cobra.Command{
		Use:   "stress FILE",
		Short: "Find the smallest triggers that tip a system",
		Long: `Stress takes each trigger that judge tries and searches, by bisection, for how long
it must last to tip the system in most runs, and how that time grows when the
trigger is weaker. It tries for up to forty times as long as the slowest part takes,
an hour at most, and says so where nothing tips. All steps use the same seeds, so that they differ by the trigger
alone. Around the shortest time it counts more runs, since the edge is a
probability. An interrupt shows the triggers that were searched until then (exit
code 130); with --resume FILE every step is kept, and the same command goes on from
there.`,
		Example: `  precedent stress system.yaml
  precedent stress system.yaml --set load=60/s --json`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			_, err := p.simulate(cmd, args[0], &f, p.page(&f))
			return err
		},
	}
	f.judging(p, cmd, "20 around an edge")
	return cmd
}

func (p *process) remediesCommand() *cobra.Command {
	var f simFlags
	cmd := &cobra.Command{
		Use:   "remedies FILE",
		Short: "Find out what brings a system back, and what keeps it up",
		Long: `Remedies tips a system with the scenario's own trigger, or else the first that tips
it, and tries what helps: the remedies of the scenario and those that each part
offers (fewer retries, a retry budget, a shorter waiting room, more workers, a
cleared queue, load turned away). Each is tried beforehand, and after tipping, where
it is applied for a while and withdrawn; those that do not do alone are tried two
together. The weakest set that restores the system is named. A system that is
overloaded without a trigger is tried with the remedies in place. An interrupt shows what
had been tried (exit code 130); with --resume FILE it is kept, and the same command
goes on from there.`,
		Example: `  precedent remedies system.yaml
  precedent remedies system.yaml --set load=90/s`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			_, err := p.simulate(cmd, args[0], &f, p.page(&f))
			return err
		},
	}
	f.judging(p, cmd, "5")
	return cmd
}
