package main

import (
	"slices"

	"github.com/spf13/cobra"

	"github.com/openprecedent/precedent/internal/output"
	"github.com/openprecedent/precedent/internal/sim/parts"
)

func (p *process) partsCommand() *cobra.Command {
	var v view
	cmd := &cobra.Command{
		Use:   "parts [KIND...]",
		Short: "List the kinds of parts that systems are made of, and show their settings",
		Long: `Parts lists the kinds of parts that a system file can hold, and what each stands
for. With arguments it shows the settings of those kinds, with their units and
defaults. As JSON and Markdown it always has the settings.`,
		Example: `  precedent parts
  precedent parts server
  precedent parts --md > parts.md
  precedent parts --json | jq -r '.[].name'`,
		ValidArgs: parts.KindNames(),
		RunE: func(_ *cobra.Command, names []string) error {
			lang, err := p.language()
			if err != nil {
				return err
			}
			kinds := parts.Reference()
			if len(names) > 0 {
				if kinds, err = kindsNamed(kinds, names); err != nil {
					return err
				}
			}
			return p.write(v, kinds, func() output.Page {
				if len(names) == 0 && !v.markdown {
					return output.KindsPage(kinds, lang)
				}
				return output.PartsPage(kinds, lang)
			})
		},
	}
	v.flags(cmd)
	return cmd
}

// kindsNamed returns the kinds of the names given, in their order.
func kindsNamed(all []parts.KindDoc, names []string) ([]parts.KindDoc, error) {
	var kinds []parts.KindDoc
	for _, name := range names {
		if err := oneOf("kind", name, parts.KindNames(), "no kind of part is named %q", "그런 종류가 없다: %q"); err != nil {
			return nil, err
		}
		at := slices.IndexFunc(all, func(k parts.KindDoc) bool { return k.Name == name })
		kinds = append(kinds, all[at])
	}
	return kinds, nil
}
