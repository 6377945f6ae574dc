package main

import (
	"github.com/spf13/cobra"

	"github.com/openprecedent/precedent/internal/output"
)

func (p *process) checksCommand() *cobra.Command {
	var v view
	cmd := &cobra.Command{
		Use:   "checks [ID]",
		Short: "List the checks, or show one with the incidents behind it",
		Long: `Checks lists what precedent check looks for. With ID it shows one check: how the
state becomes an outage, the incidents behind it, what clears a finding, its
parameters and its conditions.`,
		Example: `  precedent checks
  precedent checks CK-104
  precedent checks --json`,
		Args:              cobra.MaximumNArgs(1),
		ValidArgsFunction: p.completeChecks,
		RunE: func(_ *cobra.Command, args []string) error {
			a, lang, err := p.open()
			if err != nil {
				return err
			}
			if len(args) == 0 {
				index, err := a.Checks()
				if err != nil {
					return err
				}
				return p.write(v, index, func() output.Page { return output.ChecksPage(index, lang) })
			}
			check, err := a.OneCheck(args[0])
			if err != nil {
				return err
			}
			return p.write(v, check, func() output.Page { return output.OneCheckPage(check, lang) })
		},
	}
	v.flags(cmd)
	return cmd
}
