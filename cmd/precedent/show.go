package main

import (
	"github.com/spf13/cobra"

	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/output"
)

func (p *process) showCommand() *cobra.Command {
	var v view
	var sections []string
	cmd := &cobra.Command{
		Use:   "show ID",
		Short: "Show one case",
		Example: `  precedent show IL-0574
  precedent show IL-0574 --lang ko | less
  precedent show IL-0574 --section actions --section lessons`,
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: p.completeCases,
		RunE: func(_ *cobra.Command, args []string) error {
			if err := checkSections(sections); err != nil {
				return err
			}
			a, lang, err := p.open()
			if err != nil {
				return err
			}
			c, err := a.WithDrafts().Case(args[0])
			if err != nil {
				return err
			}
			return p.write(v, c, func() output.Page { return output.CasePage(c, a, lang, sections...) })
		},
	}
	v.flags(cmd)
	cmd.Flags().StringSliceVar(&sections, "section", nil, "show these sections only: "+list(output.Sections()))
	if err := cmd.RegisterFlagCompletionFunc("section", cobra.FixedCompletions(output.Sections(), cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic(err) // the flag was made one line above
	}
	return cmd
}

func (p *process) similarCommand() *cobra.Command {
	var v view
	var limit int
	cmd := &cobra.Command{
		Use:               "similar ID",
		Short:             "Show the cases most like a case, and why",
		Example:           "  precedent similar IL-0212",
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: p.completeCases,
		RunE: func(_ *cobra.Command, args []string) error {
			if limit == 0 { // which the library takes for its default
				return app.Invalidf("limit", "give 1 to 100", "limit 0 is out of range").
					Korean("1에서 100까지 쓴다", "limit 0은 범위 밖이다")
			}
			a, lang, err := p.open()
			if err != nil {
				return err
			}
			r, err := a.WithDrafts().Similar(args[0], limit)
			if err != nil {
				return err
			}
			return p.write(v, r, func() output.Page { return output.SimilarPage(r, lang) })
		},
	}
	v.flags(cmd)
	cmd.Flags().IntVarP(&limit, "limit", "n", app.DefaultSimilar, "number of cases, 1 to 100")
	return cmd
}
