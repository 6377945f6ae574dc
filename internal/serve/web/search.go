package web

import (
	"fmt"
	"html/template"
	"net/url"
	"slices"
	"strings"

	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/output"
)

// searchPage shows the cases that match, and why.
type searchPage struct {
	frame
	Asked      string
	Long       bool // the text is a paste: it is shown in a box of several lines
	Found      string
	Total      int
	Understood []link
	Notes      []note
	Hits       []hit
	Facets     []facet
	Active     []refinement
	Next       string
	Hidden     []param // the filters, for forms
	From, To   string
	Lasted     string
	Years      []int
	Ranges     []option
	Examples   []link
	Fragment   bool
	Again      bool // this is a further page of the results
}

func (*searchPage) template() string { return "search" }
func (p *searchPage) fragment() bool { return p.Fragment }

// Buttons reports whether facets are buttons of a form and not links, since
// the text is too long to repeat in each.
func (p *searchPage) Buttons() bool { return len(p.Asked) >= longText }

// note is a remark on how the words were understood, with a link to follow.
type note struct {
	Before string
	Link   link
	After  string
}

// hit is a case that matches.
type hit struct {
	brief
	Marked  template.HTML // the title with matches marked, where the title matched
	Passage template.HTML
	PassLan string
	Field   string
	Words   []string
	Terms   []link
	Worked  []worked
	Failed  []worked
}

// facet counts the matches by the terms of one list.
type facet struct {
	Name string
	List string
	Top  []refinement
	Rest []refinement
}

// refinement narrows or widens a search by one term. A long text is not
// repeated in links; a button of the form that holds it does the same.
type refinement struct {
	Label string
	Count int
	Href  string
	Name  string
	Value string
	Keep  []param // of the form that the button needs, where it has its own
}

type param struct{ Name, Value string }

type option struct {
	Value, Label string
	Selected     bool
}

// longText is the length in bytes from which a text is not repeated in links.
const longText = 300

func (s *site) search(r *request) (page, error) {
	q, err := decodeQuery(r.URL.RawQuery)
	if err != nil {
		return nil, err
	}
	ask, err := q.ask(r.lang)
	if err != nil {
		return nil, err
	}
	found, err := r.app.Search(ask)
	if err != nil {
		return nil, err
	}
	p := &searchPage{frame: s.newFrame(r, "/search", word("nav-search", r.lang)), Asked: q.Text, Total: found.Total, Fragment: q.Fragment, Again: q.Cursor != ""}
	p.Nav, p.Kind, p.NoIndex, p.Focus, p.Query = "search", "search", true, true, q.values().Encode()
	p.Data = "/search"
	p.Long = len(q.Text) > 160 || strings.Contains(q.Text, "\n")
	if q.Text != "" {
		p.Title = short(q.Text, 60) + " · " + p.Title
	}
	b := &searchBuilder{p, q, r}
	b.head(found)
	for _, h := range found.Hits {
		p.Hits = append(p.Hits, b.hit(h))
	}
	if !found.Far { // counts of what is not close tell nothing
		for _, f := range found.Facets {
			b.facet(f)
		}
	}
	b.active()
	b.ranges()
	if found.Next != "" {
		v := q.values()
		v.Set("cursor", found.Next)
		p.Next = p.U("/search?" + v.Encode())
	}
	if found.Total == 0 || q.Text == "" {
		p.Examples = examples(r.lang)
	}
	return p, nil
}

type searchBuilder struct {
	*searchPage
	q query
	r *request
}

// short keeps the first n characters of a text on one line.
func short(s string, n int) string {
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > n {
		return strings.TrimSpace(string(r[:n])) + "…"
	}
	return s
}

func (b *searchBuilder) link(v url.Values) string { return b.U("/search?" + v.Encode()) }

func (b *searchBuilder) head(r *app.SearchResult) {
	b.Found = count(r.Total, b.Lang)
	noneClose := r.Far && r.Total > 0
	if noneClose {
		b.Found = word("no-close-case", b.Lang)
	}
	for _, t := range r.Terms {
		b.Understood = addNamed(b.Understood, termLink(t, b.Lang))
	}
	text := func(s string) note { return note{Before: s} }
	for _, c := range r.Corrections {
		v := b.q.values()
		v.Set("literal", "1")
		one := text(fmt.Sprintf(word("corrected", b.Lang), short(c.Meant, 60), short(c.Typed, 60)))
		if len(b.q.Text) < longText {
			one.Link = link{b.link(v), word("search-literal", b.Lang)}
		}
		b.Notes = append(b.Notes, one)
	}
	for _, c := range r.Suggestions {
		one := text(fmt.Sprintf(word("suggested", b.Lang), short(c.Typed, 60)) + " ")
		v := b.q.values()
		v.Set("q", strings.Replace(b.q.Text, c.Typed, c.Meant, 1))
		if len(b.q.Text) < longText {
			one.Link = link{b.link(v), c.Meant}
		} else {
			one.Before += c.Meant
		}
		b.Notes = append(b.Notes, one)
	}
	if n := len(r.Unmatched); n > 0 && r.Total > 0 {
		words := r.Unmatched[:min(n, 12)]
		b.Notes = append(b.Notes, text(fmt.Sprintf(word("unmatched", b.Lang), short(strings.Join(words, ", "), 200))))
	}
	if r.Dropped > 0 {
		b.Notes = append(b.Notes, text(fmt.Sprintf(word("dropped", b.Lang), r.Dropped)))
	}
	if noneClose {
		b.Notes = append(b.Notes, text(output.Nearest(r.Total, b.Lang)))
	}
}

func (b *searchBuilder) hit(h app.Hit) hit {
	out := hit{brief: newBrief(h.Brief, b.Lang), Worked: workedOf(b.r.app, h.Worked, b.Lang), Failed: workedOf(b.r.app, h.Failed, b.Lang)}
	if p := h.Passage; p != nil {
		if p.Text == out.Title.S {
			out.Marked = marked(p)
		} else {
			out.Passage, out.PassLan, out.Field = marked(p), p.Lang, fieldLabel(p.Field, b.Lang)
		}
	}
	for _, t := range h.Terms {
		out.Terms = addNamed(out.Terms, termLink(t, b.Lang))
	}
	for _, w := range h.Words {
		if len(w.Found) == 0 || len(out.Words) == 12 || named(out.Terms, w.Typed) {
			continue
		}
		if !slices.Contains(out.Words, w.Typed) {
			out.Words = append(out.Words, short(w.Typed, 40))
		}
	}
	return out
}

// addNamed adds a term unless one of its name is there: lists have terms of one
// name, and a reader wants it once.
func addNamed(terms []link, t link) []link {
	if named(terms, t.Text) {
		return terms
	}
	return append(terms, t)
}

func named(terms []link, name string) bool {
	return slices.ContainsFunc(terms, func(t link) bool { return strings.EqualFold(t.Text, name) })
}

// marked writes a passage with its matches marked. Ranges that do not fit the
// text are left unmarked.
func marked(p *app.Passage) template.HTML {
	var b strings.Builder
	at := 0
	for _, m := range p.Marks {
		if m.Start < at || m.End > len(p.Text) || m.End < m.Start {
			continue
		}
		b.WriteString(template.HTMLEscapeString(p.Text[at:m.Start]))
		b.WriteString("<mark>" + template.HTMLEscapeString(p.Text[m.Start:m.End]) + "</mark>")
		at = m.End
	}
	b.WriteString(template.HTMLEscapeString(p.Text[at:]))
	return template.HTML(b.String())
}

// fieldLabel names the part of a case that a passage is from.
func fieldLabel(field string, l bilingual.Lang) string {
	switch field {
	case "title", "names":
		return word("field-"+field, l)
	case "actions":
		return output.Word("remedies", l)
	}
	if output.HasWord(field) {
		return output.Word(field, l)
	}
	return field
}

// examples are searches to try, as people in an outage type them.
func examples(l bilingual.Lang) []link {
	queries := map[bilingual.Lang][]string{
		bilingual.English: {
			"after switching to a connection proxy the writer CPU hits 100%",
			"cache hit rate dropped and the database cannot keep up",
			"커넥션 풀이 고갈되고 재시도가 몰린다",
		},
		bilingual.Korean: {
			"프록시로 바꾼 뒤 writer CPU 100%",
			"캐시가 비어 데이터베이스가 버티지 못한다",
			"dns resolution fails in kubernetes after upgrade",
		},
	}
	var all []link
	for _, q := range queries[l] {
		all = append(all, link{localPath(l, "/search?"+url.Values{"q": {q}}.Encode()), q})
	}
	return all
}
