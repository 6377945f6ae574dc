package main

import (
	"github.com/spf13/cobra"

	"github.com/openprecedent/precedent/internal/app"
)

func (p *process) schemaCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "schema [case|check|system]",
		Short: "Print the JSON Schema of the case, check or system format, for editors",
		Long: `Schema prints the JSON Schema of case files, with the terms of the library as the
allowed codes; that of check files; or that of system and scenario files, with every
kind of part, its settings and the forms of their values, so that an editor completes
fields and codes and explains them. Write it beside the files and name it in the first
line of one:

  # yaml-language-server: $schema=../case.schema.json

The terms of folders given with --library are in those of cases and checks as well. A
server has them at /schema/case.json, /schema/check.json and /schema/system.json.`,
		Example: `  precedent schema > case.schema.json
  precedent schema --library ./incidents > incidents/case.schema.json
  precedent schema check > incidents/check.schema.json
  precedent schema system > system.schema.json`,
		Args:      cobra.MatchAll(cobra.MaximumNArgs(1), cobra.OnlyValidArgs),
		ValidArgs: []string{"case", "check", "system"},
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 && args[0] == "system" {
				return p.write(view{json: true}, app.SystemSchema(), nil)
			}
			a, _, err := p.open()
			if err != nil {
				return err
			}
			if len(args) > 0 && args[0] == "check" {
				return p.write(view{json: true}, a.CheckSchema(), nil)
			}
			schema, err := a.CaseSchema()
			if err != nil {
				return err
			}
			return p.write(view{json: true}, schema, nil)
		},
	}
}
