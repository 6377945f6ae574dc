package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/output"
)

func (p *process) searchCommand() *cobra.Command {
	var v view
	var f filterFlags
	var limit int
	var cursor string
	var literal, facets bool
	cmd := &cobra.Command{
		Use:   "search QUERY...",
		Short: "Find cases by what you see",
		Long: `Search takes words, a question, a pasted log line, an alert or an error message, in
English or Korean, over both languages at once. With - the query is read from
standard input. Each hit says why it matched and what worked in that case.`,
		Example: `  precedent search "after switching to a connection proxy the writer CPU hits 100%"
  precedent search 캐시 재시작 뒤 데이터베이스 과부하
  kubectl logs pod/api --tail=20 | precedent search -
  precedent search timeout --mechanism retry-storm --year 2020- --facets`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			q := app.SearchQuery{Text: strings.Join(args, " "), Limit: limit, Cursor: cursor, Literal: literal}
			if len(args) == 1 && args[0] == "-" {
				// What is longer than a query may be is cut, as in every face.
				text, err := io.ReadAll(io.LimitReader(p.in, app.MaxQuery))
				if err != nil {
					return fmt.Errorf("reading the query from standard input: %w", err)
				}
				q.Text = string(text)
			}
			if strings.TrimSpace(q.Text) == "" {
				return app.Invalidf("query", "describe what you see, or list all with {call}", "the query is empty").
					Korean("보이는 증상을 적거나 {call}로 모두 본다", "질의가 비어 있다").Calling(app.UseCases, "")
			}
			return p.search(q, &f, v, output.SearchOptions{Passages: true, Facets: facets})
		},
	}
	v.flags(cmd)
	f.flags(p, cmd)
	cmd.Flags().IntVarP(&limit, "limit", "n", app.DefaultLimit, "number of hits, 1 to 100")
	cmd.Flags().StringVar(&cursor, "cursor", "", "go on where an earlier result ended")
	cmd.Flags().BoolVar(&literal, "literal", false, "do not correct typing mistakes")
	cmd.Flags().BoolVar(&facets, "facets", false, "count the matching cases by term")
	return cmd
}

func (p *process) listCommand() *cobra.Command {
	var v view
	var f filterFlags
	var limit int
	var cursor string
	var facets bool
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List cases, newest first",
		Example: `  precedent list --component dns --year 2019-2022
  precedent list --mechanism cold-cache --json`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			return p.search(app.SearchQuery{Limit: limit, Cursor: cursor}, &f, v, output.SearchOptions{Facets: facets})
		},
	}
	v.flags(cmd)
	f.flags(p, cmd)
	cmd.Flags().IntVarP(&limit, "limit", "n", app.MaxLimit, "number of cases, 1 to 100")
	cmd.Flags().StringVar(&cursor, "cursor", "", "go on where an earlier result ended")
	cmd.Flags().BoolVar(&facets, "facets", false, "count the cases by term")
	return cmd
}

func (p *process) search(q app.SearchQuery, f *filterFlags, v view, opt output.SearchOptions) error {
	if q.Limit == 0 { // which the library takes for its default
		return app.Invalidf("limit", "give 1 to 100", "limit 0 is out of range").
			Korean("1에서 100까지 쓴다", "limit 0은 범위 밖이다")
	}
	filter, err := f.filter()
	if err != nil {
		return err
	}
	a, lang, err := p.open()
	if err != nil {
		return err
	}
	q.Lang, q.Filter = lang, filter
	r, err := a.Search(q)
	if err != nil {
		return err
	}
	return p.write(v, r, func() output.Page {
		page := output.SearchPage(r, lang, opt)
		switch {
		case r.Next != "" && q.Cursor == "" && r.Total <= app.MaxLimit:
			page = page.Onward(len(r.Hits), r.Total, "--limit "+strconv.Itoa(r.Total), lang)
		case r.Next != "":
			page = page.Onward(len(r.Hits), r.Total, "--cursor "+r.Next, lang)
		}
		return page
	})
}
