package mcp

import (
	"context"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/library/casefile"
	"github.com/openprecedent/precedent/internal/output"
)

var searchIncidents = &tool{
	name: "search_incidents", title: "Search incidents",
	doc: "Find published outages like what you see. The query takes words, a question, or a pasted log line, alert or " +
		"error, in English or Korean. Each hit says why it matched and what worked.",
	params: func(*app.App) []param {
		return []param{
			{name: "query", required: true, doc: "What you see"},
			termsOf(), yearsParam, longerParam, shortParam,
			{
				name: "detail", enum: []string{"concise", "full"},
				doc: "full adds the matching sentence, every remedy and counts by term",
			},
			limitParam(app.MaxLimit, "8"), cursorParam, langParam,
		}
	},
	out: reflect.TypeFor[app.SearchResult](), depth: 1,
	next: bilingual.Text{
		En: "Then call search_incidents again; vocab lists the terms for filters.",
		Ko: "고쳐서 search_incidents를 다시 부른다. 필터에 쓰는 용어는 vocab에 있다."},
	answer: func(ctx context.Context, a *app.App, in *arguments) (*written, error) {
		q, err := query(a, in)
		if err != nil {
			return nil, err
		}
		q.Text = in.text["query"]
		return fit(ctx, or(in.number["limit"], 8), func(n int) (*reply, error) {
			q.Limit = n
			return searchReply(a, q, in.text["detail"] == "full")
		})
	},
}

// termsOf is the parameter that filters by terms, with the lists named.
func termsOf() param {
	p := termsParam
	p.doc = strings.Replace(p.doc, "LISTS", listsOf(), 1)
	return p
}

// or returns n, or normal where n is not given.
func or(n, normal int) int {
	if n == 0 {
		return normal
	}
	return n
}

// query reads the arguments that narrow a search or a list.
func query(a *app.App, in *arguments) (app.SearchQuery, error) {
	q := app.SearchQuery{Lang: in.lang(), Cursor: in.text["cursor"], Filter: app.Filter{Terms: map[string][]string{}}}
	for _, term := range in.words["terms"] {
		list, id, ok := strings.Cut(strings.ToLower(strings.TrimSpace(term)), "/")
		if !ok {
			id = list
			var err error
			if list, err = listWith(a, id); err != nil {
				return q, err
			}
		}
		q.Filter.Terms[list] = append(q.Filter.Terms[list], id)
	}
	var err error
	if years := in.text["years"]; years != "" {
		if q.Filter.YearFrom, q.Filter.YearTo, err = app.ParseYears(years); err != nil {
			return q, err
		}
	}
	for _, bound := range []struct {
		name string
		to   *time.Duration
	}{{"longer_than", &q.Filter.MinDuration}, {"shorter_than", &q.Filter.MaxDuration}} {
		if s := in.text[bound.name]; s != "" {
			d, err := casefile.ParseDuration(s)
			if err != nil {
				return q, app.Invalidf(bound.name, "write for example 90m, 4h51m or 2d", "%q is no duration", shown(s)).
					Korean("90m, 4h51m, 2d처럼 쓴다", "길이가 아니다: %q")
			}
			*bound.to = d.Length()
		}
	}
	return q, nil
}

// listWith returns the one list that filters by a term with the given id.
func listWith(a *app.App, id string) (string, error) {
	v, err := a.Vocab("")
	if err != nil {
		return "", err
	}
	var found []string
	for _, l := range v.Lists {
		filters := slices.Contains(app.FilterLists(), l.ID)
		if filters && slices.ContainsFunc(l.Terms, func(t app.VocabTerm) bool { return t.ID == id }) {
			found = append(found, l.ID)
		}
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		const hint = "write it as list/id, for example mechanism/retry-storm; get_topic finds the list of a word"
		return "", app.Invalidf("terms", hint, "the filter %q names no list", shown(id)).
			Korean("mechanism/retry-storm처럼 목록/id로 쓴다. 낱말이 어느 목록에 있는지는 get_topic이 안다", "필터에 목록이 없다: %q")
	}
	hint := "write " + strings.Join(found, "/"+id+" or ") + "/" + id
	return "", app.Invalidf("terms", hint, "the filter %q is in more than one list", shown(id)).
		Korean("다음 가운데 하나로 쓴다: "+strings.Join(found, "/"+id+", ")+"/"+id, "여러 목록에 있는 용어다: %q")
}

// Bounds of what search tells beside its hits.
const (
	shownQuery = 200 // runes of the query that are told back
	shownWords = 12  // words of each kind
	shownFacet = 5   // terms of each facet
)

func searchReply(a *app.App, q app.SearchQuery, full bool) (*reply, error) {
	if !full {
		q.Facets = []string{}
	}
	r, err := a.Search(q)
	if err != nil {
		return nil, err
	}
	r.Query = shape{runes: shownQuery}.clip(r.Query)
	r.Corrections, r.Suggestions = first(r.Corrections, shownWords), first(r.Suggestions, shownWords)
	r.Unmatched = first(r.Unmatched, shownWords)
	for i := range r.Hits {
		h := &r.Hits[i]
		h.Score = round(h.Score)
		h.Words, h.Terms = first(h.Words, shownWords), first(h.Terms, shownWords)
		if !full {
			h.Passage, h.Worked = nil, first(h.Worked, 1)
		}
	}
	for i := range r.Facets {
		r.Facets[i].Terms = first(r.Facets[i].Terms, shownFacet)
	}
	out := &reply{wire: r, lang: q.Lang, whole: "Read a whole case with get_incident."}
	out.page = func(wire any) output.Page {
		return output.SearchPage(wire.(*app.SearchResult), q.Lang, output.SearchOptions{Passages: full, Facets: full})
	}
	out.notes = []string{searchNote(r, q.Lang)}
	if r.Next != "" {
		out.notes = append(out.notes, moreNote(q.Lang, "search_incidents", len(r.Hits), r.Total, r.Next))
	}
	return out, nil
}

// round keeps two decimals of a score: the others cost tokens and say nothing.
func round(f float64) float64 { return math.Round(f*100) / 100 }

func first[T any](list []T, n int) []T { return list[:min(n, len(list))] }

// searchNote says what to do next with a result.
func searchNote(r *app.SearchResult, l bilingual.Lang) string {
	switch {
	case r.Total == 0 && l == bilingual.Korean:
		return "필터 없이 다시 찾거나, vocab으로 이 라이브러리가 쓰는 말을 보라."
	case r.Total == 0:
		return "Search again without filters, or see with vocab which words this library uses."
	case l == bilingual.Korean:
		return "자세히: get_incident에 id를 준다."
	}
	return "Details: get_incident with an id."
}

// moreNote says how to get the rest of a list.
func moreNote(l bilingual.Lang, tool string, n, total int, cursor string) string {
	if l == bilingual.Korean {
		const format = "%d건 가운데 %d건이다. 나머지: 같은 인자에 cursor %q를 더해 %s를 부른다."
		return fmt.Sprintf(format, total, n, cursor, tool)
	}
	const format = "%d of %d shown. The rest: call %s with the same arguments and cursor %q."
	return fmt.Sprintf(format, n, total, tool, cursor)
}

// list is the answer of list_incidents.
type list struct {
	Version int         `json:"wire_version"`
	Library string      `json:"library_version"`
	Total   int         `json:"total"`
	Cases   []app.Brief `json:"cases"`
	Next    string      `json:"next,omitempty"`
}

var listIncidents = &tool{
	name: "list_incidents", title: "List incidents",
	doc: "List cases newest first, narrowed by terms, years or duration. To find by symptom: search_incidents.",
	params: func(*app.App) []param {
		return []param{
			termsOf(), yearsParam, longerParam, shortParam, limitParam(app.MaxLimit, "30"), cursorParam, langParam,
		}
	},
	out: reflect.TypeFor[list](), depth: 1,
	next: bilingual.Text{
		En: "Then call list_incidents again; vocab lists the terms for filters.",
		Ko: "고쳐서 list_incidents를 다시 부른다. 필터에 쓰는 용어는 vocab에 있다."},
	answer: func(ctx context.Context, a *app.App, in *arguments) (*written, error) {
		q, err := query(a, in)
		if err != nil {
			return nil, err
		}
		return fit(ctx, or(in.number["limit"], 30), func(n int) (*reply, error) {
			q.Limit = n
			return listReply(a, q)
		})
	},
}

func listReply(a *app.App, q app.SearchQuery) (*reply, error) {
	q.Facets = []string{}
	r, err := a.Search(q)
	if err != nil {
		return nil, err
	}
	l := &list{Version: r.Version, Library: r.Library, Total: r.Total, Cases: []app.Brief{}, Next: r.Next}
	for _, h := range r.Hits {
		l.Cases = append(l.Cases, h.Brief)
	}
	out := &reply{wire: l, lang: q.Lang, whole: "Read a whole case with get_incident."}
	out.page = func(wire any) output.Page {
		// The page of a search shows briefs when its hits hold nothing else.
		found := &app.SearchResult{Total: l.Total}
		for _, b := range wire.(*list).Cases {
			found.Hits = append(found.Hits, app.Hit{Brief: b})
		}
		return output.SearchPage(found, q.Lang, output.SearchOptions{})
	}
	if l.Next != "" {
		out.notes = []string{moreNote(q.Lang, "list_incidents", len(l.Cases), l.Total, l.Next)}
	}
	return out, nil
}
