package output

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/bilingual"
)

// SearchOptions choose what a page of search results shows.
type SearchOptions struct {
	Passages bool // quote the matched sentence
	Facets   bool // count the matches by term
}

// SearchPage returns the page of a search result.
func SearchPage(r *app.SearchResult, l bilingual.Lang, opt SearchOptions) Page {
	b := &builder{}
	noneClose := r.Far && r.Total > 0
	if noneClose {
		b.heading(1, Word("no-close-case", l)+": "+shorten(r.Query, 80))
	} else {
		b.heading(1, foundLine(r, l))
	}
	b.note(understood(r, l))
	for _, line := range spelling(r, l) {
		b.note(line)
	}
	if noneClose {
		b.note(Nearest(r.Total, l))
	}
	var items []Item
	for _, h := range r.Hits {
		items = append(items, hitItem(h, l, opt))
	}
	b.list(items)
	if r.Total == 0 {
		b.prose(Word("nothing", l))
	}
	if opt.Facets && !noneClose { // counts of what is not close tell nothing
		facetBlocks(b, r, l)
	}
	return b.page
}

// Onward returns a page with a last line that says how much of a list it shows,
// and how to ask for the rest.
func (p Page) Onward(shown, total int, how string, l bilingual.Lang) Page {
	text := fmt.Sprintf("%d of %d shown. The rest: %s", shown, total, how)
	if l == bilingual.Korean {
		text = fmt.Sprintf("%d건 가운데 %d건이다. 나머지: %s", total, shown, how)
	}
	return append(p, Block{Kind: Prose, Text: text})
}

func foundLine(r *app.SearchResult, l bilingual.Lang) string {
	if l == bilingual.Korean {
		if r.Query == "" {
			return fmt.Sprintf("사례 %d건", r.Total)
		}
		return fmt.Sprintf("사례 %d건: %s", r.Total, shorten(r.Query, 80))
	}
	if r.Query == "" {
		return cases(r.Total)
	}
	return fmt.Sprintf("%s for %s", cases(r.Total), shorten(r.Query, 80))
}

// Nearest introduces the hits of a query to which no case is close.
func Nearest(total int, l bilingual.Lang) string {
	if l == bilingual.Korean {
		return fmt.Sprintf("일부만 겹치는 사례 %d건 가운데 가장 가까운 것:", total)
	}
	if total == 1 {
		return "the nearest shares only some of it:"
	}
	return fmt.Sprintf("the nearest of the %d that share some of it:", total)
}

// cases writes a number of cases in English.
func cases(n int) string {
	if n == 1 {
		return "1 case"
	}
	return fmt.Sprintf("%d cases", n)
}

// shorten keeps the first n runes of s on one line. Control characters go: a
// pasted log may hold some that would steer the terminal.
func shorten(s string, n int) string {
	s = strings.Join(strings.FieldsFunc(s, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)
	}), " ")
	if runes := []rune(s); len(runes) > n {
		return strings.TrimSpace(string(runes[:n])) + "…"
	}
	return s
}

func understood(r *app.SearchResult, l bilingual.Lang) string {
	var names []string
	for _, t := range r.Terms {
		name, _ := t.Name.Read(l)
		if !strings.HasSuffix(name, "("+t.List+"/"+t.ID+")") { // which names the list already
			name = fmt.Sprintf("%s (%s)", name, t.List)
		}
		names = append(names, name)
	}
	if len(names) == 0 {
		return ""
	}
	return Word("understood", l) + ": " + strings.Join(names, ", ")
}

func spelling(r *app.SearchResult, l bilingual.Lang) []string {
	var lines []string
	for _, c := range r.Corrections {
		if l == bilingual.Korean {
			lines = append(lines, fmt.Sprintf("%q 대신 찾은 말: %q", c.Typed, c.Meant))
		} else {
			lines = append(lines, fmt.Sprintf("searched for %q instead of %q", c.Meant, c.Typed))
		}
	}
	for _, c := range r.Suggestions {
		if l == bilingual.Korean {
			lines = append(lines, fmt.Sprintf("%q: 혹시 %q?", c.Typed, c.Meant))
		} else {
			lines = append(lines, fmt.Sprintf("%q: did you mean %q?", c.Typed, c.Meant))
		}
	}
	if len(r.Unmatched) > 0 {
		lines = append(lines, Word("in-no-case", l)+": "+strings.Join(r.Unmatched, ", "))
	}
	return lines
}

func hitItem(h app.Hit, l bilingual.Lang, opt SearchOptions) Item {
	item := Item{Lead: h.ID, Text: briefLine(h.Brief, l)}
	if opt.Passages && h.Passage != nil {
		item.Sub = append(item.Sub, "“"+marked(h.Passage)+"”")
	}
	if why := whyMatched(h, l); why != "" {
		item.Sub = append(item.Sub, Word("matched", l)+": "+why)
	}
	for _, w := range h.Worked {
		name, _ := w.Remedy.Name.Read(l)
		item.Sub = append(item.Sub, Word("worked", l)+": "+Read(&w.Text, l)+" ("+name+")")
	}
	for _, f := range h.Failed {
		name, _ := f.Remedy.Name.Read(l)
		item.Sub = append(item.Sub, Word("effect-"+f.Effect, l)+": "+Read(&f.Text, l)+" ("+name+")")
	}
	return item
}

func briefLine(b app.Brief, l bilingual.Lang) string {
	parts := []string{b.Org.Name, b.Date}
	if b.DateKind == "published" {
		parts[1] += " (" + Word("published", l) + ")"
	}
	if b.Duration != "" {
		parts = append(parts, Duration(b.Duration, l))
	}
	return Read(&b.Title, l) + " — " + strings.Join(parts, ", ")
}

// marked writes a passage with the matches in bold.
func marked(p *app.Passage) string {
	var s strings.Builder
	at := 0
	for _, m := range p.Marks {
		s.WriteString(p.Text[at:m.Start] + "**" + p.Text[m.Start:m.End] + "**")
		at = m.End
	}
	return s.String() + p.Text[at:]
}

// whyMatched names the terms and words of a hit. Lists have terms of one name,
// and words are names: once is enough.
func whyMatched(h app.Hit, l bilingual.Lang) string {
	var parts []string
	add := func(part string) {
		if !slices.ContainsFunc(parts, func(p string) bool { return strings.EqualFold(p, part) }) {
			parts = append(parts, part)
		}
	}
	for _, t := range h.Terms {
		name, _ := t.Name.Read(l)
		add(name)
	}
	for _, w := range h.Words {
		if len(w.Found) > 0 {
			add(w.Typed)
		}
	}
	return strings.Join(parts, ", ")
}

func facetBlocks(b *builder, r *app.SearchResult, l bilingual.Lang) {
	var pairs [][2]string
	for _, f := range r.Facets {
		var terms []string
		for _, t := range f.Terms[:min(8, len(f.Terms))] {
			name, _ := t.Name.Read(l)
			terms = append(terms, fmt.Sprintf("%s (%s) %d", name, t.ID, t.Cases))
		}
		name, _ := f.Name.Read(l)
		pairs = append(pairs, [2]string{name, strings.Join(terms, ", ")})
	}
	b.facts(pairs...)
}

// SimilarPage returns the page of the cases like one case.
func SimilarPage(r *app.SimilarResult, l bilingual.Lang) Page {
	b := &builder{}
	b.heading(1, Word("related", l)+": "+r.Of.ID+" "+Read(&r.Of.Title, l))
	var items []Item
	for _, s := range r.Cases {
		item := Item{Lead: s.ID, Text: briefLine(s.Brief, l), Sub: []string{fmt.Sprintf("%s (%s %.2f)", Read(&s.Why, l), Word("score", l), s.Score)}}
		for _, w := range s.Worked[:min(1, len(s.Worked))] {
			item.Sub = append(item.Sub, Word("worked", l)+": "+Read(&w.Text, l))
		}
		items = append(items, item)
	}
	b.list(items)
	if len(items) == 0 {
		b.prose(Word("no-similar", l))
	}
	return b.page
}
