package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/library/casefile"
)

// filterFlags are the flags that narrow a search or a list.
type filterFlags struct {
	terms       map[string]*[]string
	year        string
	longerThan  string
	shorterThan string
}

func (f *filterFlags) flags(p *process, cmd *cobra.Command) {
	f.terms = map[string]*[]string{}
	for _, list := range app.FilterLists() {
		ids := &[]string{}
		f.terms[list] = ids
		cmd.Flags().StringSliceVar(ids, flagOf(list), nil, usageOf(list))
		if err := cmd.RegisterFlagCompletionFunc(flagOf(list), p.completeTerms(list)); err != nil {
			panic(err) // the flag was made one line above
		}
	}
	cmd.Flags().StringVar(&f.year, "year", "", "year or years, 2021 or 2019-2022")
	cmd.Flags().StringVar(&f.longerThan, "longer-than", "", "incidents that lasted at least this long, for example 2h")
	cmd.Flags().StringVar(&f.shorterThan, "shorter-than", "", "incidents that lasted at most this long")
}

// flagOf names the flag of a list; --library already names folders.
func flagOf(list string) string {
	if list == "library" {
		return "in"
	}
	return list
}

func usageOf(list string) string {
	switch list {
	case "org":
		return "organisation, by its slug (repeatable: any of them)"
	case "has":
		return "what can be done with the case: " + strings.Join(app.HasTerms(), ", ")
	case "library":
		return "library the case comes from: public, or a folder"
	}
	return fmt.Sprintf("term of the list %s (repeatable: any of them)", list)
}

func (f *filterFlags) filter() (app.Filter, error) {
	out := app.Filter{Terms: map[string][]string{}}
	for list, ids := range f.terms {
		if len(*ids) > 0 {
			out.Terms[list] = *ids
		}
	}
	if f.year != "" {
		var err error
		if out.YearFrom, out.YearTo, err = app.ParseYears(f.year); err != nil {
			return out, err
		}
	}
	for _, d := range []struct {
		flag, value string
		set         func(casefile.Duration)
	}{
		{"longer-than", f.longerThan, func(d casefile.Duration) { out.MinDuration = d.Length() }},
		{"shorter-than", f.shorterThan, func(d casefile.Duration) { out.MaxDuration = d.Length() }},
	} {
		if d.value == "" {
			continue
		}
		length, err := casefile.ParseDuration(d.value)
		if err != nil {
			return out, app.Invalidf(d.flag, "write for example 90m, 4h51m or 2d", "reading --%s: %q is not a duration", d.flag, d.value).
				Korean("90m, 4h51m, 2d처럼 쓴다", "--%s %q: 지속 시간이 아니다")
		}
		d.set(length)
	}
	return out, nil
}

// completeTerms completes the ids of a list's terms.
func (p *process) completeTerms(list string) cobra.CompletionFunc {
	return func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		lib, err := p.load()
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		var found []string
		if l, ok := lib.Vocab.List(list); ok {
			for _, t := range l.Terms {
				found = append(found, t.ID+"\t"+t.Name.En)
			}
		}
		if list == "has" {
			found = append(found, app.HasTerms()...)
		}
		if list == "org" {
			for _, e := range lib.Cases() {
				found = append(found, e.Org.Slug+"\t"+e.Org.Name)
			}
		}
		return found, cobra.ShellCompDirectiveNoFileComp
	}
}

// completeCases completes case ids, one only.
func (p *process) completeCases(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	lib, err := p.load()
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var found []string
	for _, e := range lib.Cases() {
		found = append(found, e.ID+"\t"+strings.ReplaceAll(e.Title.En, "\n", " "))
	}
	return found, cobra.ShellCompDirectiveNoFileComp
}
