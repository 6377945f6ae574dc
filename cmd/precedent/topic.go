package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/output"
)

func (p *process) topicCommand() *cobra.Command {
	var v view
	cmd := &cobra.Command{
		Use:   "topic TERM",
		Short: "Show all that the library knows under one term",
		Long: `Topic takes the id, the name or a synonym of a vocabulary term, in either language,
or list/id where two lists have a term of that id. It shows how many cases there
are and since when, how long they lasted, what the term occurs with, which
remedies worked and which did not, the lessons, and the cases.`,
		Example: `  precedent topic retry-storm
  precedent topic "connection pool"
  precedent topic 재시도 폭주
  precedent topic remedy/restart`,
		Args: cobra.MinimumNArgs(1),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			lib, err := p.load()
			if err != nil {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			var found []string
			for _, list := range app.TopicLists() {
				found = append(found, lib.Vocab.IDs(list)...)
			}
			return found, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error {
			a, lang, err := p.open()
			if err != nil {
				return err
			}
			t, err := a.Topic(strings.Join(args, " "))
			if err != nil {
				return err
			}
			for _, one := range a.Topics().Lists {
				for _, other := range one.Topics {
					if other.ID == t.Term.ID && one.List != t.List {
						fmt.Fprintf(p.err, "this is %s/%s; there is %s/%s as well\n", t.List, t.Term.ID, one.List, other.ID)
					}
				}
			}
			return p.write(v, t, func() output.Page { return output.TopicPage(t, a, lang) })
		},
	}
	v.flags(cmd)
	return cmd
}

func (p *process) vocabCommand() *cobra.Command {
	var v view
	cmd := &cobra.Command{
		Use:   "vocab [LIST]",
		Short: "Show the controlled vocabularies",
		Example: `  precedent vocab
  precedent vocab mechanism --lang ko`,
		Args: cobra.MaximumNArgs(1),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			lib, err := p.load()
			if err != nil {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			var found []string
			for _, l := range lib.Vocab.Lists() {
				found = append(found, l.ID+"\t"+l.Name.En)
			}
			return found, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error {
			a, lang, err := p.open()
			if err != nil {
				return err
			}
			list := ""
			if len(args) > 0 {
				list = args[0]
			}
			terms, err := a.Vocab(list)
			if err != nil {
				return err
			}
			return p.write(v, terms, func() output.Page { return output.VocabPage(terms, lang) })
		},
	}
	v.flags(cmd)
	return cmd
}

// checkSections reports names that are no section of a case page.
func checkSections(names []string) error {
	for _, name := range names {
		if !slices.Contains(output.Sections(), name) {
			return app.Invalidf("section", "the sections are "+list(output.Sections()), "no section %q", name).
				Korean("있는 절: "+list(output.Sections()), "그런 절이 없다: %q")
		}
	}
	return nil
}

func list(words []string) string { return strings.Join(words, ", ") }
