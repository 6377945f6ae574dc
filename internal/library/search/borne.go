package search

import (
	"slices"
	"strings"
)

// isBorne reports whether a document bears a term: for one of the vocabulary, is
// tagged with it or a narrower one. That a text has a phrase of it by the way is
// no closeness.
func (x *Index) isBorne(term uint32) bool {
	if int(term) >= len(x.terms) || x.terms[term].List == "" {
		return x.post.df[term] > 0
	}
	t := x.terms[term]
	l := x.facets[t.List]
	if l == nil { // documents are not tagged from this list
		return x.post.df[term] > 0
	}
	return len(l.docs[t.ID]) > 0
}

// tellsWhat reports whether a term says what happens, and not only where, or to
// whom: a name of a product does not.
func (x *Index) tellsWhat(term uint32) bool {
	return int(term) < len(x.terms) && x.terms[term].List != "" && !slices.Contains(x.places, x.terms[term].List)
}

// An absentPhrase is a phrase of words of a term that no document bears.
type absentPhrase struct {
	term  uint32
	words []string // distinct word terms, at least two
}

// absentPhrases returns those of the vocabulary.
func (x *Index) absentPhrases() []absentPhrase {
	var all []absentPhrase
	e := newEnglish(x.lex)
	for t, term := range x.terms {
		if term.List == "" || x.isBorne(uint32(t)) {
			continue
		}
		for _, p := range term.Phrases {
			if words, ok := x.plainWords(p, e); ok && len(words) > 1 {
				all = append(all, absentPhrase{uint32(t), words})
			}
		}
	}
	return all
}

// plainWords returns the distinct word terms of a phrase but for words like "in
// the"; false where it has something else than words.
func (x *Index) plainWords(phrase string, e *english) ([]string, bool) {
	var words []string
	for s := newScanner(phrase); ; {
		c, ok := s.next()
		if !ok {
			return words, true
		}
		run := phrase[c.start:c.end]
		if c.kind != kindWord {
			return nil, false
		}
		if x.lex.stop[strings.ToLower(run)] {
			continue
		}
		if w := e.term(run); !slices.Contains(words, w) {
			words = append(words, w)
		}
	}
}

// maxLoose bounds the words of a query in which the words of a term may stand in
// any order: of many words, some make a term by accident.
const maxLoose = 8

// looseTerms finds terms that no document bears of which the query has all words,
// in another order or with others between: "fire in the datacenter" is a
// datacenter fire. Terms that documents bear need no such care: their words find
// the documents.
func (a *analyser) looseTerms(named []namedTerm) {
	if a.pasted || len(a.raw) > maxLoose {
		return
	}
	have := map[string]bool{}
	for _, w := range a.raw {
		if w.kind == kindWord && !w.stop {
			have[a.english.term(w.text)] = true
		}
	}
	for _, p := range a.x.absent() {
		known := slices.ContainsFunc(named, func(n namedTerm) bool { return slices.Contains(n.terms, p.term) })
		if known || slices.Contains(a.plan.terms, p.term) || slices.ContainsFunc(p.words, func(w string) bool { return !have[w] }) {
			continue
		}
		a.plan.terms = append(a.plan.terms, p.term)
		a.plan.absent++
		a.plan.missing += absentMissing * idf(len(a.x.docs), 0)
	}
}
