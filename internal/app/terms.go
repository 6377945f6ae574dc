package app

import (
	"slices"

	"github.com/openprecedent/precedent/internal/library"
)

// A termKey names a term of a list.
type termKey struct{ list, id string }

// terms tells which published cases have which terms. A case has the terms
// that it is coded with and all wider ones, for filters, counts and topics
// alike.
type terms struct {
	lib   *library.Library
	cases map[termKey][]*library.Entry   // newest first
	of    map[string]map[string][]string // by case id and list, coded ones first
}

func newTerms(lib *library.Library) *terms {
	t := &terms{lib: lib, cases: map[termKey][]*library.Entry{}, of: make(map[string]map[string][]string, len(lib.Cases()))}
	for _, e := range lib.Cases() {
		all := make(map[string][]string, len(e.Terms()))
		for list, coded := range e.Terms() {
			ids := slices.Clip(coded)
			for _, id := range coded {
				for _, wider := range t.above(list, id) {
					if !slices.Contains(ids, wider) {
						ids = append(ids, wider)
					}
				}
			}
			all[list] = ids
			for _, id := range ids {
				t.cases[termKey{list, id}] = append(t.cases[termKey{list, id}], e)
			}
		}
		t.of[e.ID] = all
	}
	return t
}

// above returns the wider terms of a term, the nearest first.
func (t *terms) above(list, id string) []string {
	var ids []string
	for at, ok := t.lib.Vocab.Term(list, id); ok && at.Parent != ""; at, ok = t.lib.Vocab.Term(list, at.Parent) {
		ids = append(ids, at.Parent)
	}
	return ids
}

// wider returns by list the terms that a case is not coded with but has.
func (t *terms) wider(e *library.Entry) map[string][]string {
	wider := map[string][]string{}
	for list, ids := range t.of[e.ID] {
		if coded := len(e.Terms()[list]); len(ids) > coded {
			wider[list] = ids[coded:]
		}
	}
	return wider
}

// under returns a term and all narrower terms of its list.
func (t *terms) under(list, id string) []string {
	ids := []string{id}
	l, ok := t.lib.Vocab.List(list)
	if !ok {
		return ids
	}
	for i := 0; i < len(ids); i++ {
		for _, one := range l.Terms {
			if one.Parent == ids[i] && !slices.Contains(ids, one.ID) {
				ids = append(ids, one.ID)
			}
		}
	}
	return ids
}

// count is the number of cases that have a term.
func (t *terms) count(list, id string) int { return len(t.cases[termKey{list, id}]) }
