package main

import (
	"github.com/spf13/cobra"

	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/output"
)

type lang = bilingual.Lang

// simAnswer is what a simulation found, and its page.
type simAnswer struct {
	wire any
	page func(l lang) output.Page
}

// simulate reads the file of a command, does what is asked of it while it shows
// the progress, and writes the answer. An answer beside an error that says that
// it was interrupted is what was known by then.
func (p *process) simulate(cmd *cobra.Command, args []string, f *simFlags,
	ask func(m *app.Model, o app.SimOptions, command string) (simAnswer, error)) error {
	l, err := p.language()
	if err != nil {
		return err
	}
	m, err := p.model(args[0], f)
	if err != nil {
		return err
	}
	progress := p.progress()
	found, ended := ask(m, f.options(progress.show), again(cmd, args))
	progress.end()
	if app.Interrupted(ended) && found.wire == nil {
		return interrupted(ended, progress.known())
	}
	if found.wire == nil {
		return ended
	}
	if err := p.write(f.view, found.wire, func() output.Page { return found.page(l) }); err != nil {
		return err
	}
	if ended != nil {
		return interrupted(ended, "this is what was known by then")
	}
	return nil
}

func (p *process) stressCommand() *cobra.Command {
	var f simFlags
	cmd := &cobra.Command{
		Use:   "stress FILE",
		Short: "Find the smallest triggers that tip a system",
		Long: `Stress takes each trigger that judge tries and searches, by bisection, for how long
it must last to tip the system in most runs, and how that time grows when the
trigger is weaker. All steps use the same seeds, so that they differ by the trigger
alone. Around the shortest time it counts more runs, since the edge is a
probability. An interrupt shows the triggers that were searched until then.`,
		Example: `  precedent stress system.yaml
  precedent stress system.yaml --set load=60/s --json`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.simulate(cmd, args, &f, func(m *app.Model, o app.SimOptions, command string) (simAnswer, error) {
				s, err := m.Stress(cmd.Context(), o)
				if s == nil {
					return simAnswer{}, err
				}
				s.Command = command
				return simAnswer{s, func(l lang) output.Page { return output.StressPage(s, l) }}, err
			})
		},
	}
	f.judging(cmd, "20 around an edge")
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
together. The weakest set that restores the system is named.`,
		Example: `  precedent remedies system.yaml
  precedent remedies system.yaml --set load=90/s`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.simulate(cmd, args, &f, func(m *app.Model, o app.SimOptions, command string) (simAnswer, error) {
				r, err := m.Remedy(cmd.Context(), o)
				if err != nil {
					return simAnswer{}, err
				}
				r.Command = command
				return simAnswer{r, func(l lang) output.Page { return output.RemediesPage(r, l) }}, nil
			})
		},
	}
	f.judging(cmd, "5")
	return cmd
}
