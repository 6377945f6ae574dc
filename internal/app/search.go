package app

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/lazyregexp"
	"github.com/openprecedent/precedent/internal/library"
	"github.com/openprecedent/precedent/internal/library/casefile"
	"github.com/openprecedent/precedent/internal/library/search"
	"github.com/openprecedent/precedent/internal/nearest"
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

// Filter narrows a search. Lists are joined by "and", the terms of one list
// by "or". A term includes its narrower ones, as on the page of its topic.
type Filter struct {
	Terms       map[string][]string // term ids by list; "org" takes slugs, "library" names, "has" what can be done
	YearFrom    int
	YearTo      int
	MinDuration time.Duration
	MaxDuration time.Duration
}

var yearsForm = lazyregexp.New(`^(\d{4})?(-)?(\d{4})?$`)

// ParseYears reads a year or a range of years: 2021, 2019-2022, 2019- or
// -2022. Zero means open.
func ParseYears(s string) (from, to int, err error) {
	m := yearsForm.FindStringSubmatch(s)
	nothing := m == nil || m[1] == "" && m[3] == "" || m[1] != "" && m[2] == "" && m[3] != ""
	// Zero means open, so that 0000 would silently filter nothing.
	if nothing || m[1] == "0000" || m[3] == "0000" {
		return 0, 0, Invalidf("year", "write 2021, 2019-2022, 2019- or -2022", "the year %q is not readable", Short(s)).
			Korean("2021, 2019-2022, 2019-, -2022처럼 쓴다", "연도를 읽을 수 없다: %q")
	}
	from, _ = strconv.Atoi("0" + m[1]) // four digits
	to, _ = strconv.Atoi("0" + m[3])
	if m[2] == "" {
		to = from
	}
	return from, to, nil
}

// FilterLists returns the lists that a filter and the facets know.
func FilterLists() []string { return slices.Clone(facetLists) }

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

// checkFilter reports lists and terms that do not exist, which would otherwise
// look like an empty library.
func (a *App) checkFilter(f Filter) error {
	for _, list := range slices.Sorted(maps.Keys(f.Terms)) {
		ids := f.Terms[list]
		if !slices.Contains(facetLists, list) {
			return Invalidf(list, "filter by "+strings.Join(facetLists, ", "), "no filter %q", Short(list)).
				Korean("쓸 수 있는 필터: "+strings.Join(facetLists, ", "), "그런 필터가 없다: %q")
		}
		for _, id := range ids {
			if err := a.checkFilterTerm(list, id); err != nil {
				return err
			}
		}
	}
	if f.YearFrom != 0 && f.YearTo != 0 && f.YearFrom > f.YearTo {
		return Invalidf("year", "put the earlier year first", "the years %d to %d are no period", f.YearFrom, f.YearTo).
			Korean("이른 해를 먼저 쓴다", "%d년부터 %d년까지는 기간이 아니다")
	}
	if f.MaxDuration != 0 && f.MinDuration > f.MaxDuration {
		return Invalidf("duration", "put the shorter duration first", "the durations %s to %s are no range",
			casefile.DurationOf(f.MinDuration), casefile.DurationOf(f.MaxDuration)).
			Korean("짧은 쪽을 먼저 쓴다", "%s부터 %s까지는 범위가 아니다")
	}
	return nil
}

func (a *App) checkFilterTerm(list, id string) error {
	switch list {
	case "org", "library":
		return a.checkName(list, id)
	case hasList:
		return checkHas(id)
	}
	t, ok := a.lib.Vocab.Term(list, id)
	if ok && t.ReplacedBy == "" {
		return nil
	}
	if ok {
		return Invalidf(list, fmt.Sprintf("use %q", t.ReplacedBy), "the term %q was replaced", id).
			Korean(fmt.Sprintf("%q 쪽을 쓴다", t.ReplacedBy), "다른 용어로 바뀌었다: %q")
	}
	ids := a.lib.Vocab.IDs(list)
	e := Invalidf(list, fmt.Sprintf("see {call} for its %d terms", len(ids)), "the list %s has no term %q", list, Short(id)).
		Korean(fmt.Sprintf("용어 %d개: {call}", len(ids)), "목록 %s에 그런 용어가 없다: %q").Calling(UseVocab, list)
	if near, ok := nearest.Of(id, ids); ok {
		return e.offer(near)
	}
	if in := a.lib.Vocab.Find(id); len(in) > 0 {
		lists := strings.Join(in, ", ")
		e.Hint, e.koHint = "it is a term of the list "+lists, "이 용어가 있는 목록: "+lists
	} else if len(ids) <= 16 {
		all := strings.Join(ids, ", ")
		e.Hint, e.koHint = "use one of "+all, "쓸 수 있는 용어: "+all
	}
	return e
}

// checkHas reports what no case can have.
func checkHas(id string) error {
	if _, ok := hasNames[id]; ok {
		return nil
	}
	all := strings.Join(HasTerms(), ", ")
	return Invalidf(hasList, "use one of "+all, "a case cannot have %q", Short(id)).
		Korean("쓸 수 있는 값: "+all, "사례가 갖출 수 있는 것이 아니다: %q")
}

// checkName reports an organisation or a library that no case has.
func (a *App) checkName(list, id string) error {
	if _, ok := a.orgs[id]; ok && list == "org" {
		return nil
	}
	var known []string
	for _, e := range a.lib.Cases() {
		known = append(known, map[string]string{"org": e.Org.Slug, "library": e.Layer}[list])
	}
	slices.Sort(known)
	known = slices.Compact(known)
	if slices.Contains(known, id) {
		return nil
	}
	all := strings.Join(known, ", ")
	e := Invalidf(list, "known are "+all, "no case has the %s %q", list, Short(id)).
		Korean("있는 것: "+all, "사례에 없는 %s 값: %q")
	if near, ok := nearest.Of(id, known); ok {
		return e.offer(near)
	}
	return e
}
