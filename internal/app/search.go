package app

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/library"
	"github.com/openprecedent/precedent/internal/library/search"
)

// Bounds of a search.
const (
	DefaultLimit = 10
	MaxLimit     = 100
	MaxQuery     = 10_000 // bytes of text; what is longer is cut
)

// SearchQuery asks for cases by words, by terms, or by both.
type SearchQuery struct {
	Text    string         // words, a question, a pasted log line or alert; may be empty
	Lang    bilingual.Lang // the reader's language; decides what is quoted
	Filter  Filter
	Facets  []string // lists to count the matches by; nil means all of [FilterLists]
	Limit   int      // 1 to MaxLimit; 0 means DefaultLimit
	Cursor  string   // continues an earlier result
	Partial bool     // the last word may be unfinished
	Literal bool     // do not correct typing mistakes
}

// SearchResult answers a [SearchQuery].
type SearchResult struct {
	Version     int          `json:"wire_version"`
	Library     string       `json:"library_version"`
	Query       string       `json:"query"`
	Total       int          `json:"total" jsonschema:"number of cases that match"`
	Terms       []TermRef    `json:"understood" jsonschema:"vocabulary terms that the query names"`
	Corrections []Correction `json:"corrections" jsonschema:"words that no case has, with what was searched for instead"`
	Suggestions []Correction `json:"suggestions" jsonschema:"rare words with a likelier one that was not searched for"`
	Unmatched   []string     `json:"unmatched" jsonschema:"words that no case has"`
	Dropped     int          `json:"dropped,omitempty" jsonschema:"words that were not searched for: time stamps, addresses, ids, and words beyond the bound"`
	Far         bool         `json:"no_close_case" jsonschema:"no case is close to the query; the hits, if any, are only the nearest"`
	Hits        []Hit        `json:"hits"`
	Facets      []Facet      `json:"facets"`
	Next        string       `json:"next,omitempty" jsonschema:"cursor of the next page"`
}

// Correction is a word as typed and a better one.
type Correction struct {
	Typed string `json:"typed"`
	Meant string `json:"meant"`
}

// Hit is a case that matches, and why.
type Hit struct {
	Brief
	Score   float64      `json:"score,omitempty" jsonschema:"comparable within one result only"`
	Words   []WordMatch  `json:"matched_words"`
	Terms   []TermRef    `json:"matched_terms"`
	Passage *Passage     `json:"passage,omitempty" jsonschema:"the sentence that covers most of the query"`
	Worked  []ActionText `json:"worked" jsonschema:"what ended or eased this incident"`
	Failed  []ActionText `json:"did_not_work" jsonschema:"what made it worse, or else what did nothing; at most one"`
}

// WordMatch is a word of the query with the forms of it in the case.
type WordMatch struct {
	Typed string   `json:"typed"`
	Found []string `json:"found"`
}

// Passage is a sentence of a case with the matches marked.
type Passage struct {
	Field string  `json:"field"`
	Lang  string  `json:"lang,omitempty"`
	Text  string  `json:"text"`
	Marks []Range `json:"marks" jsonschema:"ranges of bytes of the text"`
}

// Range is a half-open range of bytes.
type Range struct {
	Start int `json:"start"`
	End   int `json:"end"`
}

// ActionText is an action in short.
type ActionText struct {
	Text   bilingual.Text `json:"text"`
	Remedy TermRef        `json:"remedy"`
	Effect string         `json:"effect"`
}

// Facet counts the matching cases by the terms of one list.
type Facet struct {
	List  string         `json:"list"`
	Name  bilingual.Text `json:"name"`
	Terms []FacetTerm    `json:"terms" jsonschema:"most cases first"`
}

// FacetTerm is one term of a facet.
type FacetTerm struct {
	ID    string         `json:"id"`
	Name  bilingual.Text `json:"name"`
	Cases int            `json:"cases" jsonschema:"those of narrower terms included"`
}

// Search finds cases. Without text it lists those that pass the filter, newest
// first.
func (a *App) Search(q SearchQuery) (*SearchResult, error) {
	if err := a.checkFilter(q.Filter); err != nil {
		return nil, err
	}
	if q.Limit < 0 || q.Limit > MaxLimit {
		return nil, badLimit(q.Limit)
	}
	if q.Limit == 0 {
		q.Limit = DefaultLimit
	}
	q.Text = CutQuery(q.Text)
	if q.Facets == nil {
		q.Facets = facetLists
	}
	offset, err := a.offset(q)
	if err != nil {
		return nil, err
	}
	find, err := a.find()
	if err != nil {
		return nil, err
	}
	found := find.index.Search(search.Query{
		Text: q.Text, Lang: string(q.Lang), Limit: q.Limit, Offset: offset, Facets: q.Facets,
		Partial: q.Partial, Literal: q.Literal,
		Filter: search.Filter{
			Facets: q.Filter.Terms, YearFrom: q.Filter.YearFrom, YearTo: q.Filter.YearTo,
			MinDuration: q.Filter.MinDuration, MaxDuration: q.Filter.MaxDuration,
		},
	})
	return a.result(q, offset, &found), nil
}

// CutQuery bounds a text to what a search takes, between two words if possible.
func CutQuery(text string) string {
	if len(text) <= MaxQuery {
		return text
	}
	return strings.ToValidUTF8(search.Clip(text, MaxQuery), "")
}

// badLimit is the error of a number of results that cannot be given.
func badLimit(limit int) error {
	return Invalidf("limit", fmt.Sprintf("give 1 to %d", MaxLimit), "limit %d is out of range", limit).
		Korean(fmt.Sprintf("1에서 %d까지 쓴다", MaxLimit), "limit %d은 범위 밖이다")
}

func (a *App) result(q SearchQuery, offset int, found *search.Result) *SearchResult {
	r := &SearchResult{
		Version: WireVersion, Library: a.lib.Version, Query: q.Text, Total: found.Total, Dropped: found.Dropped, Far: found.Far,
		Terms: []TermRef{}, Hits: []Hit{}, Facets: []Facet{}, Unmatched: append([]string{}, found.Unmatched...),
		Corrections: corrections(found.Corrections), Suggestions: corrections(found.Suggestions),
	}
	for _, t := range found.Terms {
		r.Terms = append(r.Terms, a.termRef(t.List, t.ID))
	}
	for _, h := range found.Hits {
		e, _ := a.lib.Case(h.ID) // the index holds no other cases
		r.Hits = append(r.Hits, a.hit(e, h))
	}
	for _, f := range found.Facets {
		if len(f.Values) == 0 {
			continue
		}
		r.Facets = append(r.Facets, a.facet(f))
	}
	if next := offset + len(r.Hits); next < r.Total && len(r.Hits) > 0 {
		r.Next = a.cursor(q, next)
	}
	return r
}

func corrections(found []search.Correction) []Correction {
	all := []Correction{}
	for _, c := range found {
		all = append(all, Correction{c.Typed, c.Meant})
	}
	return all
}

func (a *App) hit(e *library.Entry, h search.Hit) Hit {
	out := Hit{Brief: brief(e), Score: h.Score, Words: []WordMatch{}, Terms: []TermRef{}, Worked: a.worked(e), Failed: a.failed(e)}
	for _, w := range h.Words {
		out.Words = append(out.Words, WordMatch{w.Typed, append([]string{}, w.Found...)})
	}
	for _, t := range h.Terms {
		out.Terms = append(out.Terms, a.termRef(t.List, t.ID))
	}
	if p := h.Passage; p != nil {
		out.Passage = &Passage{Field: p.Field, Lang: p.Lang, Text: p.Text, Marks: []Range{}}
		for _, m := range p.Marks {
			out.Passage.Marks = append(out.Passage.Marks, Range{m.Start, m.End})
		}
	}
	return out
}

// worked returns the actions that ended an incident, or else those that eased
// it; at most three.
func (a *App) worked(e *library.Entry) []ActionText {
	return a.actions(e, 3, "worked", "partial")
}

// failed returns an action that made an incident worse, or else one that did
// nothing.
func (a *App) failed(e *library.Entry) []ActionText {
	return a.actions(e, 1, "worsened", "failed")
}

// actions returns the first actions, at most limit, with the first of the
// effects that any has.
func (a *App) actions(e *library.Entry, limit int, effects ...string) []ActionText {
	for _, effect := range effects {
		found := []ActionText{}
		for _, x := range e.Actions {
			if x.Effect == effect && len(found) < limit {
				found = append(found, ActionText{x.Text, a.termRef("remedy", x.Kind), x.Effect})
			}
		}
		if len(found) > 0 {
			return found
		}
	}
	return []ActionText{}
}

func (a *App) facet(f search.FacetCount) Facet {
	out := Facet{List: f.List, Name: facetNames[f.List], Terms: []FacetTerm{}}
	if l, ok := a.lib.Vocab.List(f.List); ok {
		out.Name = l.Name
	}
	for _, v := range f.Values {
		name := a.termRef(f.List, v.ID).Name
		switch f.List {
		case "org":
			name = a.orgName(v.ID)
		case hasList:
			name = hasNames[v.ID]
		}
		out.Terms = append(out.Terms, FacetTerm{v.ID, name, v.Count})
	}
	return out
}

// facetNames are the names of facets that are not vocabulary lists.
var facetNames = map[string]bilingual.Text{
	"org": {En: "Organisation", Ko: "조직"}, "library": {En: "Library", Ko: "라이브러리"}, hasList: {En: "Has", Ko: "갖춘 것"},
}

func (a *App) orgName(slug string) bilingual.Text {
	name := cmp.Or(a.orgs[slug], slug)
	return bilingual.Text{En: name, Ko: name}
}
