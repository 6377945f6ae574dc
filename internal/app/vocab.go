package app

import (
	"fmt"
	"slices"
	"strings"

	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/library"
	"github.com/openprecedent/precedent/internal/library/vocab"
	"github.com/openprecedent/precedent/internal/nearest"
)

// Vocab is the controlled vocabulary, or one list of it.
type Vocab struct {
	Version int         `json:"wire_version"`
	Lists   []VocabList `json:"lists"`
}

// VocabList is one list with the number of cases that have each term.
type VocabList struct {
	vocab.List
	Terms []VocabTerm `json:"terms"`
}

// VocabTerm is a term with the number of published cases that have it or a
// narrower one.
type VocabTerm struct {
	vocab.Term
	Cases int `json:"cases" jsonschema:"published cases that have it or a narrower term"`
}

// Vocab returns the list with the given id, or all lists where it is empty.
func (a *App) Vocab(list string) (*Vocab, error) {
	v := &Vocab{Version: WireVersion, Lists: []VocabList{}}
	var ids []string
	for _, l := range a.lib.Vocab.Lists() {
		ids = append(ids, l.ID)
		if list != "" && l.ID != list {
			continue
		}
		out := VocabList{List: *l, Terms: []VocabTerm{}}
		for _, t := range l.Terms {
			out.Terms = append(out.Terms, VocabTerm{t, a.terms.count(l.ID, t.ID)})
		}
		v.Lists = append(v.Lists, out)
	}
	if len(v.Lists) == 0 {
		known := strings.Join(ids, ", ")
		e := NotFoundf("list", "the lists are "+known, "no vocabulary list %q", Short(list)).
			Korean("있는 목록: "+known, "그런 용어 목록이 없다: %q")
		if near, ok := nearest.Of(list, ids); ok {
			e.offer(near)
		}
		return nil, e
	}
	return v, nil
}

// Stats are figures about the library.
type Stats struct {
	Version   int            `json:"wire_version"`
	Library   string         `json:"library_version"`
	Cases     int            `json:"cases"`
	Orgs      int            `json:"organisations"`
	From      string         `json:"from" jsonschema:"date of the oldest case"`
	To        string         `json:"to" jsonschema:"date of the newest case"`
	Years     []YearCount    `json:"years"`
	Terms     map[string]int `json:"terms" jsonschema:"number of terms by list"`
	Excluded  int            `json:"excluded" jsonschema:"candidates that were looked at and left out"`
	Libraries []LibraryCount `json:"libraries"`
}

// YearCount is the number of cases of a year.
type YearCount struct {
	Year  int `json:"year"`
	Cases int `json:"cases"`
}

// LibraryCount is the number of cases of one library.
type LibraryCount struct {
	Name  string `json:"name"`
	Cases int    `json:"cases"`
}

// Stats returns figures about the library, for reading only.
func (a *App) Stats() *Stats { return a.stats() }

func newStats(lib *library.Library) *Stats {
	s := &Stats{
		Version: WireVersion, Library: lib.Version, Cases: len(lib.Cases()), Excluded: len(lib.Excluded),
		Years: years(lib.Cases()), Libraries: []LibraryCount{}, Terms: map[string]int{},
	}
	orgs, libraries := map[string]bool{}, map[string]int{}
	for _, e := range lib.Cases() {
		orgs[e.Org.Slug] = true
		libraries[e.Layer]++
	}
	s.Orgs = len(orgs)
	for name, n := range libraries {
		s.Libraries = append(s.Libraries, LibraryCount{name, n})
	}
	slices.SortFunc(s.Libraries, func(a, b LibraryCount) int { return strings.Compare(a.Name, b.Name) })
	for _, l := range lib.Vocab.Lists() {
		s.Terms[l.ID] = len(l.Terms)
	}
	if cases := lib.Cases(); len(cases) > 0 {
		s.To, s.From = cases[0].Date.String(), cases[len(cases)-1].Date.String()
	}
	return s
}

// Headline says in one sentence what the library holds, for logs and the
// version command.
func (s *Stats) Headline(l bilingual.Lang) string {
	if l == bilingual.Korean {
		return fmt.Sprintf("라이브러리 %s: 조직 %d곳의 사례 %d건, %s~%s", s.Library, s.Orgs, s.Cases, s.From, s.To)
	}
	return fmt.Sprintf("library %s: %d cases of %d organisations, %s to %s", s.Library, s.Cases, s.Orgs, s.From, s.To)
}
