package main

import "github.com/spf13/cobra"

func (p *process) schemaCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "schema [case]",
		Short: "Print the JSON Schema of the case format, for editors",
		Long: `Schema prints the JSON Schema of case files, with the terms of the library as the
allowed codes, so that an editor completes fields and codes and explains them.
Write it beside a private library and name it in the first line of a case file:

  # yaml-language-server: $schema=../case.schema.json

The terms of folders given with --library are in it as well.`,
		Example: `  precedent schema > case.schema.json
  precedent schema --library ./incidents > incidents/case.schema.json`,
		Args:      cobra.MatchAll(cobra.MaximumNArgs(1), cobra.OnlyValidArgs),
		ValidArgs: []string{"case"},
		RunE: func(*cobra.Command, []string) error {
			a, _, err := p.open()
			if err != nil {
				return err
			}
			schema, err := a.CaseSchema()
			if err != nil {
				return err
			}
			return p.write(view{json: true}, schema, nil)
		},
	}
}
