package main

import (
	"github.com/spf13/cobra"

	"github.com/openprecedent/precedent/internal/output"
)

func (p *process) guideCommand() *cobra.Command {
	var v view
	cmd := &cobra.Command{
		Use:   "guide [ID]",
		Short: "Show the field guide: loops, their edges, and what each remedy does",
		Long: `Guide shows a page of the field guide: how a loop keeps a failure going and with
what gain, where it begins to by a formula and by simulation, what each remedy was
found to do, the cheapest first, and what to measure at home. Without ID it lists
the pages.

All numbers are kept with the library; ` + "`precedent replay ID --all`" + ` gives them again.`,
		Example: `  precedent guide
  precedent guide api-retries
  precedent guide api-retries --lang ko`,
		Args: cobra.MaximumNArgs(1),
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			a, _, err := p.open()
			if err != nil || len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			var found []string
			for _, s := range a.Guides().Guides {
				found = append(found, s.ID+"\t"+oneLine(s.Title.En))
			}
			return found, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error {
			a, l, err := p.open()
			if err != nil {
				return err
			}
			if len(args) == 0 {
				index := a.Guides()
				return p.write(v, index, func() output.Page { return output.GuidesPage(index, l) })
			}
			g, err := a.Guide(args[0])
			if err != nil {
				return err
			}
			return p.write(v, g, func() output.Page { return output.GuidePage(g, l) })
		},
	}
	v.flags(cmd)
	return cmd
}
