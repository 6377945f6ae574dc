package search

import (
	"cmp"
	"slices"
)

// An accumulator gathers scores by document. A share that is not zero marks a
// document that was touched.
type accumulator struct {
	cells []cell
	docs  []uint32
}

// A cell is the score of a document, and its share of what was looked for.
type cell struct{ score, share float32 }

func (a *accumulator) add(doc uint32, score, share float32) {
	c := &a.cells[doc]
	if c.share == 0 {
		a.docs = append(a.docs, doc)
	}
	c.score += score
	c.share += share
}

// atLeast raises the values of a document to the given ones.
func (a *accumulator) atLeast(doc uint32, score, share float32) {
	c := &a.cells[doc]
	if c.share == 0 {
		a.docs = append(a.docs, doc)
	}
	c.score = max(c.score, score)
	c.share = max(c.share, share)
}

// drain calls f for each document and empties the accumulator.
func (a *accumulator) drain(f func(doc uint32, score, share float32)) {
	for _, d := range a.docs {
		c := a.cells[d]
		a.cells[d] = cell{}
		f(d, c.score, c.share)
	}
	a.docs = a.docs[:0]
}

// A scratch is the working memory of one query.
type scratch struct {
	total, span, word, option, slot accumulator
	order                           []int    // candidates by document
	docs                            []uint32 // their documents, ascending
	hits                            [][]sentenceHit
	cells                           []float32
	touched                         []int32
	cands                           []candidate
	found                           []uint32 // documents found before the rest was closed
	closed                          bool     // no more documents can match
}

func (x *Index) scratch() *scratch {
	if s, ok := x.pool.Get().(*scratch); ok {
		return s
	}
	n := len(x.docs)
	s := &scratch{}
	for _, a := range []*accumulator{&s.total, &s.span, &s.word, &s.option, &s.slot} {
		a.cells = make([]cell, n)
	}
	return s
}

// score evaluates a plan into s.total: the BM25F score of each document, and
// how much of the weight of the query it has. pass is the filter.
//
// Spans are evaluated by falling weight. Once the rest could not lift a new
// document over the bar that [Index.matching] sets, only documents that were
// already found are looked up.
func (x *Index) score(p *plan, pass bitset, s *scratch) {
	order := make([]int, len(p.spans))
	weights := make([]float32, len(p.spans))
	var rest float32
	for i, sp := range p.spans {
		order[i] = i
		for _, w := range p.words[sp.first:sp.last] {
			weights[i] += w.weight
		}
		rest += weights[i]
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(weights[j], weights[i]) })
	s.closed, s.found = false, s.found[:0]
	for n, i := range order {
		if n > 0 && rest < minCovered*s.most(pass) && len(s.total.docs) > 0 {
			s.close(len(x.docs))
		}
		x.scoreSpan(p, p.spans[i], weights[i], s)
		rest -= weights[i]
	}
}

// close restricts scoring to the documents that were found. If they are few
// among n, they are also listed in order, to be looked up one by one.
func (s *scratch) close(n int) {
	s.closed, s.found = true, s.found[:0]
	if len(s.total.docs) < n/lookUpShare {
		s.found = append(s.found, s.total.docs...)
		slices.Sort(s.found)
	}
}

// lookUpShare is how many documents are read as fast as one is looked up.
const lookUpShare = 8

// most is the largest share of a document that passes.
func (s *scratch) most(pass bitset) float32 {
	var most float32
	for _, d := range s.total.docs {
		if pass == nil || pass.has(d) {
			most = max(most, s.total.cells[d].share)
		}
	}
	return most
}

// scoreSpan adds the score of a span, whose words weigh as given, to s.total.
func (x *Index) scoreSpan(p *plan, sp span, weight float32, s *scratch) {
	if sp.last == sp.first+1 && len(sp.alts) == 0 {
		x.scoreWord(&p.words[sp.first], s, &s.total)
		return
	}
	for i := sp.first; i < sp.last; i++ {
		x.scoreWord(&p.words[i], s, &s.span)
	}
	for _, alt := range sp.alts {
		x.scoreTerm(alt.term, sp.weight*alt.factor, weight*termFactor*alt.factor, s, s.span.atLeast)
	}
	s.span.drain(s.total.add)
}

// scoreWord adds the score of a word to dst.
func (x *Index) scoreWord(w *queryWord, s *scratch, dst *accumulator) {
	if w.isPlain() {
		o := &w.options[0]
		x.scoreTerm(o.slots[0].alts[0].term, w.weight*o.factor, o.factor*w.weight, s, dst.add)
		return
	}
	for _, o := range w.options {
		for _, sl := range o.slots {
			x.scoreSlot(sl, s)
		}
		factor := o.factor
		s.option.drain(func(doc uint32, score, share float32) {
			// A document that has a part of the word earns less than that part.
			s.word.atLeast(doc, factor*score*share*share, factor*share)
		})
	}
	weight := w.weight
	s.word.drain(func(doc uint32, score, share float32) {
		dst.add(doc, weight*score, weight*share)
	})
}

// isPlain reports whether a word is matched by one term only.
func (w *queryWord) isPlain() bool {
	return len(w.options) == 1 && len(w.options[0].slots) == 1 &&
		len(w.options[0].slots[0].alts) == 1 && w.options[0].slots[0].share == 1 &&
		w.options[0].slots[0].alts[0].factor == 1
}

// scoreSlot adds the share of a slot to s.option.
func (x *Index) scoreSlot(sl slot, s *scratch) {
	if len(sl.alts) == 1 {
		factor := sl.share * sl.alts[0].factor
		x.scoreTerm(sl.alts[0].term, factor, factor, s, s.option.add)
		return
	}
	for _, alt := range sl.alts {
		x.scoreTerm(alt.term, alt.factor, alt.factor, s, s.slot.atLeast)
	}
	s.slot.drain(func(doc uint32, score, share float32) {
		s.option.add(doc, sl.share*score, sl.share*share)
	})
}

// scoreTerm calls f with the documents of a term, or only with those found
// already: with factor times the impact of the term there, and share.
func (x *Index) scoreTerm(
	term uint32, factor, share float32, s *scratch, f func(doc uint32, score, share float32),
) {
	factor /= impactSteps
	if len(s.found) > 0 && len(s.found)*lookUpShare < int(x.post.df[term]) {
		x.post.only(term, s.found, func(_ int, c *cursor) {
			f(c.doc, factor*float32(c.impact), share)
		})
		return
	}
	for c := x.post.cursor(term); c.next(); {
		if !s.closed || s.total.cells[c.doc].share != 0 {
			f(c.doc, factor*float32(c.impact), share)
		}
	}
}

// A candidate is a document with its score.
type candidate struct {
	doc   uint32
	score float32
	have  float32 // weight of the words it has
	hits  int     // place of its sentence hits in the scratch
}

func better(a, b candidate) bool {
	return a.score > b.score || a.score == b.score && a.doc < b.doc
}

func byScore(a, b candidate) int {
	switch {
	case better(a, b):
		return -1
	case better(b, a):
		return 1
	}
	return 0
}

// best returns the n best of all, best first. It orders all in place.
func best(all []candidate, n int) []candidate {
	if n >= len(all) {
		slices.SortFunc(all, byScore)
		return all
	}
	// all[:n] is a heap with the worst candidate on top.
	heap := all[:n]
	for i := n/2 - 1; i >= 0; i-- {
		sink(heap, i)
	}
	for _, c := range all[n:] {
		if n > 0 && better(c, heap[0]) {
			heap[0] = c
			sink(heap, 0)
		}
	}
	slices.SortFunc(heap, byScore)
	return heap
}

func sink(heap []candidate, i int) {
	for {
		worst := i
		for _, k := range []int{2*i + 1, 2*i + 2} {
			if k < len(heap) && better(heap[worst], heap[k]) {
				worst = k
			}
		}
		if worst == i {
			return
		}
		heap[i], heap[worst] = heap[worst], heap[i]
		i = worst
	}
}
