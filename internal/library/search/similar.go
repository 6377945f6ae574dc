package search

import (
	"cmp"
	"math"
	"slices"
)

// similarBudget is the number of postings that a comparison reads. It is
// enough for all words of a document in libraries of some thousands.
const similarBudget = 1 << 18

// likeness is the weight of a term in the vectors that are compared. Words
// that a document repeats and has in its title say what it is about; how rare
// they are matters less than in a search.
func (x *Index) likeness(term uint32, impact uint8) float32 {
	v := float32(impact) / impactSteps
	return float32(math.Sqrt(float64(x.idf[term]))) * v * v
}

// A Similarity is another document with the cosine of the vectors of the two
// texts, 0 to 1.
type Similarity struct {
	ID    string
	Score float64
}

// TextSimilarity returns the documents whose texts resemble that of id, most
// similar first, at most limit. It looks at words only; vocabulary terms and
// facets play no part. It returns nil if there is no such document.
func (x *Index) TextSimilarity(id string, limit int) []Similarity {
	doc, ok := x.byID[id]
	if !ok {
		return nil
	}
	s := x.scratch()
	defer x.pool.Put(s)
	budget := similarBudget
	for _, t := range x.heaviest(doc) {
		if budget -= int(x.post.df[t.term]); budget < 0 {
			break
		}
		for c := x.post.cursor(t.term); c.next(); {
			s.total.add(c.doc, t.weight*x.likeness(t.term, c.impact), 1)
		}
	}
	var cands []candidate
	own := x.norm[doc]
	s.total.drain(func(d uint32, dot, _ float32) {
		if d != doc && own > 0 && x.norm[d] > 0 {
			cands = append(cands, candidate{doc: d, score: dot / (own * x.norm[d])})
		}
	})
	var similar []Similarity
	for _, c := range best(cands, min(max(0, limit), len(cands))) {
		similar = append(similar, Similarity{x.docs[c.doc].ID, float64(min(1, c.score))})
	}
	return similar
}

// A weightedTerm is an index term with its weight in a document.
type weightedTerm struct {
	term   uint32
	weight float32
}

// heaviest returns the terms that a document shares with others, by falling
// weight.
func (x *Index) heaviest(doc uint32) []weightedTerm {
	var terms []weightedTerm
	for _, t := range x.termsOf(doc) {
		if x.post.df[t] < 2 {
			continue
		}
		x.post.only(t, []uint32{doc}, func(_ int, c *cursor) {
			terms = append(terms, weightedTerm{t, x.likeness(t, c.impact)})
		})
	}
	slices.SortFunc(terms, func(a, b weightedTerm) int {
		return cmp.Or(cmp.Compare(b.weight, a.weight), cmp.Compare(a.term, b.term))
	})
	return terms
}

// termsOf returns the terms of the texts of a document, in ascending order.
func (x *Index) termsOf(doc uint32) []uint32 {
	e := newEnglish(x.lex)
	seen := map[uint32]bool{}
	var terms []uint32
	note := func(t uint32, ok bool) {
		if ok && !seen[t] {
			seen[t] = true
			terms = append(terms, t)
		}
	}
	for _, f := range x.docs[doc].Fields {
		for s := newScanner(f.Text); ; {
			c, ok := s.next()
			if !ok {
				break
			}
			run := f.Text[c.start:c.end]
			if c.kind == kindPair {
				var prev rune
				for _, r := range run {
					t, ok := x.pairs[pairKey(prev, r)]
					note(t, ok && prev != 0)
					prev = r
				}
				continue
			}
			for _, p := range splitWord(run) {
				t, ok := x.words[e.term(run[p.Start:p.End])]
				note(t, ok)
			}
		}
	}
	slices.Sort(terms)
	return terms
}

// norms returns the length of the vector of each document. Words that no
// other document has are left out: they cannot make two alike or unlike.
func (x *Index) norms() []float32 {
	sums := make([]float64, len(x.docs))
	for t := len(x.terms); t < len(x.post.df); t++ {
		if x.post.df[t] < 2 {
			continue
		}
		for c := x.post.cursor(uint32(t)); c.next(); {
			w := float64(x.likeness(uint32(t), c.impact))
			sums[c.doc] += w * w
		}
	}
	norms := make([]float32, len(sums))
	for d, sum := range sums {
		norms[d] = float32(math.Sqrt(sum))
	}
	return norms
}
