package main

import (
	"github.com/spf13/cobra"

	"github.com/openprecedent/precedent/internal/sim/study"
)

func (p *process) explainCommand() *cobra.Command {
	var f simFlags
	var yaml bool
	cmd := &cobra.Command{
		Use:   "explain FILE",
		Short: "Show a system with all that its file leaves out, and what follows by formula",
		Long: `Explain runs nothing. It draws who calls whom and with what policy, works out the
load and the utilisation of every server from the rates, and checks the system by
formula: load and retries against capacity, timeouts against the work and the
retries behind them, waiting rooms against timeouts, retries that multiply from
level to level. Each check gives its formula, its numbers, whether it is exact for
this system, and where it is from.

Last comes the whole file with every default filled in and a comment where each
value comes from: the file, a default, a parameter with its source, or --set. It
is a scenario file again and means the same.`,
		Example: `  precedent explain system.yaml
  precedent explain system.yaml --set load=80/s
  precedent explain system.yaml --yaml > whole.yaml
  precedent explain system.yaml --json | jq '.explanation.bounds[] | select(.holds | not)'`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			write := p.page(&f)
			if yaml {
				write = func(a *study.Answer) error { return p.raw([]byte(a.Explanation.YAML)) }
			}
			_, err := p.simulate(cmd, args[0], &f, write)
			return err
		},
	}
	f.common(p, cmd)
	cmd.Flags().BoolVar(&yaml, "yaml", false, "print the filled file alone")
	cmd.MarkFlagsMutuallyExclusive("json", "md", "yaml")
	return cmd
}
