package main

import (
	_ "embed"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/openprecedent/precedent/internal/sim/study"
)

// newSystem is what `precedent new system` writes.
//
//go:embed newsystem/system.yaml
var newSystem []byte

func (p *process) newSystemCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "system [FILE]",
		Short: "Start a system: a commented example that works",
		Long: `System writes FILE (system.yaml where none is given, - for standard output): an API
that calls a database behind retries, a trigger, and a remedy, each line explained.
It can be explained, run and judged as it stands. A file that exists is not replaced.`,
		Example: `  precedent new system
  precedent new system checkout.yaml && precedent judge checkout.yaml`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			name := "system.yaml"
			if len(args) > 0 {
				name = args[0]
			}
			if name == "-" {
				return p.raw(newSystem)
			}
			if err := create(name, newSystem); err != nil {
				return err
			}
			if err := p.wrote(name); err != nil {
				return err
			}
			fmt.Fprintf(p.err, "next: precedent explain %[1]s; precedent judge %[1]s\n", printable(study.Quote(name)))
			return nil
		},
	}
}
