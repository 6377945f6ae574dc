package web

import (
	"slices"
	"strings"

	"github.com/openprecedent/precedent/internal/bilingual"
)

// cited returns the numbers of the sources that a fact rests on: those that
// it or its text names, else those that support its field, else the first.
func (b *caseBuilder) cited(field string, ids []string, t *bilingual.Text) []int {
	var numbers []int
	for _, mark := range noteMark.FindAllString(read(t, b.l).S, -1) {
		ids = append(ids[:len(ids):len(ids)], strings.Trim(mark, "[^]"))
	}
	for _, id := range ids {
		if n, ok := b.numbers[id]; ok && !slices.Contains(numbers, n) {
			numbers = append(numbers, n)
		}
	}
	if len(numbers) > 0 {
		return numbers
	}
	for i, s := range b.c.Sources {
		if slices.Contains(s.Supports, field) {
			numbers = append(numbers, i+1)
		}
	}
	if len(numbers) == 0 && len(b.c.Sources) > 0 {
		numbers = []int{1}
	}
	return numbers
}

func (b *caseBuilder) sources() {
	b.NoFirst = b.read(b.c.Review.NoFirstParty)
	for i, s := range b.c.Sources {
		one := source{N: i + 1, URL: s.URL, Title: s.Title, Site: hostOf(s.URL), Archive: s.ArchivedURL, Dead: s.Alive != nil && !*s.Alive}
		if one.Title == "" {
			one.Title = hostOf(s.URL)
		}
		one.Facts = append(one.Facts, b.names.Name("source-kind", s.Kind, b.l))
		if s.Publisher != "" {
			one.Facts = append(one.Facts, s.Publisher)
		}
		if s.Lang != "" {
			one.Facts = append(one.Facts, languageName(s.Lang, b.l))
		}
		if s.Published != nil {
			one.Facts = append(one.Facts, word("published-on", b.l)+" "+dateText(*s.Published, b.l))
		}
		if s.Retrieved != nil {
			one.Facts = append(one.Facts, word("read-on", b.l)+" "+dateText(*s.Retrieved, b.l))
		}
		b.Sources = append(b.Sources, one)
	}
	for _, r := range b.c.References {
		b.Further = append(b.Further, link{r.URL, r.Title})
	}
}

// sideNotes finds the part that cites each source first.
func (b *caseBuilder) sideNotes() {
	b.side = map[string][]source{}
	seen := map[int]bool{}
	cite := func(part string, numbers []int) {
		for _, n := range numbers {
			if !seen[n] && n <= len(b.Sources) {
				seen[n] = true
				b.side[part] = append(b.side[part], b.Sources[n-1])
			}
		}
	}
	for _, a := range b.Actions {
		cite("actions", a.Sources)
	}
	cite("narrative", b.Narrative.Sources)
	cite("narrative", b.Narrative.Noted)
	for _, s := range b.Sections {
		cite(s.ID, s.Prose.Sources)
		cite(s.ID, s.Prose.Noted)
		for _, e := range s.Entries {
			cite(s.ID, e.Sources)
		}
	}
}
