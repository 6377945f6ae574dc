package search

import (
	"slices"
	"testing"
)

// TestMendedQueryIsUnderstood asks with mistakes in the words of a term, and wants
// the term, and the word that was meant as the reason.
func TestMendedQueryIsUnderstood(t *testing.T) {
	x := testIndex(t)
	tests := []struct{ query, typed, meant, term string }{
		{"DNS reocrd lock contentoin certifcate", "certifcate", "certificate", "dns"},
		{"cold cahce", "cahce", "cache", "cold-cache"},
		{"재시도 폭중", "폭중", "폭주", "retry-storm"},
		{"캐시 비옴", "비옴", "비움", "cold-cache"},
	}
	for _, tt := range tests {
		r := x.Search(Query{Text: tt.query})
		if !slices.Contains(r.Corrections, Correction{tt.typed, tt.meant}) {
			t.Errorf("Search(%q).Corrections = %v, want %q for %q", tt.query, r.Corrections, tt.meant, tt.typed)
		}
		if !slices.ContainsFunc(r.Terms, func(ref TermRef) bool { return ref.ID == tt.term }) {
			t.Errorf("Search(%q).Terms = %v, want %s among them", tt.query, r.Terms, tt.term)
		}
		for _, h := range r.Hits {
			for _, w := range h.Words {
				if w.Typed == tt.typed {
					t.Errorf("Search(%q) gives the mistake %q as a reason of %s", tt.query, w.Typed, h.ID)
				}
			}
		}
	}
	if r := x.Search(Query{Text: "재시도 폭중", Literal: true}); len(r.Corrections) > 0 {
		t.Errorf("literal search corrects %v", r.Corrections)
	}
}

// TestOtherNounIsNoMistake holds what a correction must not turn into.
func TestOtherNounIsNoMistake(t *testing.T) {
	a := &analyser{x: testIndex(t)}
	tests := []struct {
		core, meant string
		want        bool
	}{
		{"배터리", "버리", true},
		{"서비스끼라", "서비스까지", true},
		{"커넥숀", "커넥션", false},
		{"마이그레이숀", "마이그레이션", false},
	}
	for _, tt := range tests {
		if got := a.otherEnding(tt.core, tt.meant); got != tt.want {
			t.Errorf("otherEnding(%q, %q) = %v, want %v", tt.core, tt.meant, got, tt.want)
		}
	}
}

// TestConcessionIsNotTakenOff wants a phrase that says in vain not to be found
// in what was never tried.
func TestConcessionIsNotTakenOff(t *testing.T) {
	terms := []Term{{"mechanism", "metastable", []string{"롤백했는데도"}}}
	x, err := New(testDocs, Options{Weights: testWeights, Terms: terms})
	if err != nil {
		t.Fatal(err)
	}
	for query, want := range map[string]int{"롤백했는데도 그대로": 1, "롤백하려는데 막힘": 0, "롤백": 0} {
		if r := x.Search(Query{Text: query}); len(r.Terms) != want {
			t.Errorf("Search(%q).Terms = %v, want %d", query, r.Terms, want)
		}
	}
}
