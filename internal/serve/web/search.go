package web

import (
	"fmt"
	"html/template"
	"net/url"
	"slices"
	"strconv"
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
	for _, f := range found.Facets {
		b.facet(f)
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
	for _, t := range r.Terms {
		b.Understood = append(b.Understood, termLink(t, b.Lang))
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
}

func (b *searchBuilder) hit(h app.Hit) hit {
	out := hit{brief: newBrief(h.Brief, b.Lang), Worked: workedOf(b.r.app, h.Worked, b.Lang)}
	if p := h.Passage; p != nil {
		if p.Text == out.Title.S {
			out.Marked = marked(p)
		} else {
			out.Passage, out.PassLan, out.Field = marked(p), p.Lang, fieldLabel(p.Field, b.Lang)
		}
	}
	for _, t := range h.Terms {
		out.Terms = append(out.Terms, termLink(t, b.Lang))
	}
	for _, w := range h.Words {
		if len(w.Found) > 0 && len(out.Words) < 12 && !slices.Contains(out.Words, w.Typed) {
			out.Words = append(out.Words, short(w.Typed, 40))
		}
	}
	return out
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

// shownTerms is the number of terms of a facet that are not folded away.
const shownTerms = 6

// maxRest bounds the folded ones.
const maxRest = 24

func (b *searchBuilder) facet(f app.Facet) {
	name, _ := f.Name.Read(b.Lang)
	out := facet{Name: name, List: f.List}
	if len(f.Terms) < 2 && len(b.q.Terms[f.List]) == 0 {
		return // nothing to choose
	}
	for _, t := range f.Terms {
		if slices.Contains(b.q.Terms[f.List], t.ID) {
			continue
		}
		label, _ := t.Name.Read(b.Lang)
		one := refinement{Label: label, Count: t.Cases, Name: f.List, Value: t.ID}
		if len(b.q.Text) < longText {
			one.Href = b.link(b.q.with(f.List, t.ID, true))
		}
		if len(out.Top) < shownTerms {
			out.Top = append(out.Top, one)
		} else if len(out.Rest) < maxRest {
			out.Rest = append(out.Rest, one)
		}
	}
	if len(out.Top) > 0 {
		b.Facets = append(b.Facets, out)
	}
}

// active lists the filters that are on, each with a way to take it off.
func (b *searchBuilder) active() {
	add := func(label string, v url.Values) {
		one := refinement{Label: label}
		if len(b.q.Text) < longText {
			one.Href = b.link(v)
		} else {
			one.Keep = params(v)
		}
		b.Active = append(b.Active, one)
	}
	for _, list := range app.FilterLists() {
		for _, id := range b.q.Terms[list] {
			add(b.r.app.Name(list, id, b.Lang), b.q.with(list, id, false))
		}
	}
	without := func(names ...string) url.Values {
		v := b.q.values()
		for _, n := range names {
			v.Del(n)
		}
		return v
	}
	if b.q.Year != "" && b.q.Year != "-" {
		add(strings.Replace(b.q.Year, "-", "–", 1), without("year"))
	}
	if b.q.Longer != "" {
		add("≥ "+durationText(b.q.Longer, b.Lang), without("longer_than"))
	}
	if b.q.Shorter != "" {
		add("≤ "+durationText(b.q.Shorter, b.Lang), without("shorter_than"))
	}
	if b.q.Literal {
		add(word("literal", b.Lang), without("literal"))
	}
	v := b.q.values()
	v.Del("q")
	b.Hidden = params(v)
}

func params(v url.Values) []param {
	var all []param
	for _, name := range slices.Sorted(keys(v)) {
		for _, value := range v[name] {
			all = append(all, param{name, value})
		}
	}
	return all
}

// ranges fills the form for years and durations.
func (b *searchBuilder) ranges() {
	b.From, b.To, _ = strings.Cut(b.q.Year, "-")
	if !strings.Contains(b.q.Year, "-") {
		b.To = b.q.Year
	}
	for _, y := range b.Stats.Years {
		b.Years = append(b.Years, y.Year)
	}
	slices.Reverse(b.Years)
	lasted := b.q.Longer + "-" + b.q.Shorter
	for _, value := range []string{"-1h", "1h-4h", "4h-24h", "24h-"} {
		longer, shorter, _ := strings.Cut(value, "-")
		label := ""
		switch {
		case longer == "":
			label = fmt.Sprintf(word("at-most", b.Lang), durationText(shorter, b.Lang))
		case shorter == "":
			label = fmt.Sprintf(word("at-least", b.Lang), durationText(longer, b.Lang))
		default:
			label = durationText(longer, b.Lang) + "–" + durationText(shorter, b.Lang)
		}
		b.Ranges = append(b.Ranges, option{value, label, value == lasted})
	}
}

// YearOptions are the years to choose from, with the chosen one.
func (p *searchPage) YearOptions(chosen string) []option {
	var all []option
	for _, y := range p.Years {
		s := strconv.Itoa(y)
		all = append(all, option{s, s, s == chosen})
	}
	return all
}

// Kept are the parameters that the form of years and durations keeps.
func (p *searchPage) Kept() []param {
	return slices.DeleteFunc(slices.Clone(p.Hidden), func(x param) bool {
		return x.Name == "year" || x.Name == "longer_than" || x.Name == "shorter_than"
	})
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
