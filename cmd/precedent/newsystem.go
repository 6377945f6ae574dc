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
	example := ""
	cmd := &cobra.Command{
		Use:   "system [FILE]",
		Short: "Start a system: a commented example that works",
		Long: `System writes FILE (system.yaml where none is given, - for standard output): an API
that calls a database behind retries, a trigger, and a remedy, each line explained.
With --example it is a scenario of the library instead, without what only the
library shows of it; ` + "`precedent guide`" + ` lists and explains those.

It can be explained, run and judged as it stands. A file that exists is not replaced.`,
		Example: `  precedent new system
  precedent new system checkout.yaml && precedent judge checkout.yaml
  precedent new system ours.yaml --example look-aside-cache`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			text, err := p.startOf(example)
			if err != nil {
				return err
			}
			name := "system.yaml"
			if len(args) > 0 {
				name = args[0]
			}
			if name == "-" {
				return p.raw(text)
			}
			if err := create(name, text); err != nil {
				return err
			}
			if err := p.wrote(name); err != nil {
				return err
			}
			fmt.Fprintf(p.err, "next: precedent explain %[1]s; precedent judge %[1]s\n", printable(study.Quote(name)))
			return nil
		},
	}
	cmd.Flags().StringVar(&example, "example", "", "begin with this scenario of the library")
	if err := cmd.RegisterFlagCompletionFunc("example", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return p.completeScenarios(cmd, nil, "")
	}); err != nil {
		panic(err) // the flag was made above
	}
	return cmd
}

// startOf returns the system to begin with: a scenario, or the commented example.
func (p *process) startOf(example string) ([]byte, error) {
	if example == "" {
		return newSystem, nil
	}
	a, l, err := p.open()
	if err != nil {
		return nil, err
	}
	s, err := a.Scenario(example)
	if err != nil {
		return nil, err
	}
	text, err := s.Starter(l)
	return []byte(text), err
}
