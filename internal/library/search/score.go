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

func (a *accumulator) put(doc uint32, score, share float32, raise bool) {
	if raise {
		a.atLeast(doc, score, share)
	} else {
		a.add(doc, score, share)
	}
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

// A gate lets only documents pass that an accumulator has already. If they are
// few, docs lists them in order, to be looked up one by one.
type gate struct {
	in   *accumulator
	docs []uint32
}

// lookUpShare is how many postings are read as fast as one is looked up.
const lookUpShare = 8

// newGate returns a gate for the documents that a has now, of n.
func newGate(a *accumulator, n int) *gate {
	g := &gate{in: a}
	if len(a.docs) < n/lookUpShare {
		g.docs = slices.Clone(a.docs)
		slices.Sort(g.docs)
	}
	return g
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
	all := rest
	var g *gate
	for n, i := range order {
		// No document can have more than what was looked for so far.
		if n > 0 && rest < minCovered*(all-rest) && rest < minCovered*s.most(pass) {
			g = newGate(&s.total, len(x.docs))
		}
		x.scoreSpan(p, p.spans[i], weights[i], g, s)
		rest -= weights[i]
	}
}

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
func (x *Index) scoreSpan(p *plan, sp span, weight float32, g *gate, s *scratch) {
	if sp.last == sp.first+1 && len(sp.alts) == 0 {
		x.scoreWord(&p.words[sp.first], g, s, &s.total)
		return
	}
	for i := sp.first; i < sp.last; i++ {
		x.scoreWord(&p.words[i], g, s, &s.span)
	}
	for _, alt := range sp.alts {
		x.scoreTerm(alt.term, sp.weight*alt.factor, weight*termFactor*alt.factor, g, &s.span, true)
	}
	s.span.drain(s.total.add)
}

// scoreWord adds the score of a word to dst.
func (x *Index) scoreWord(w *queryWord, g *gate, s *scratch, dst *accumulator) {
	if w.isPlain() {
		o := &w.options[0]
		x.scoreTerm(o.slots[0].alts[0].term, w.weight*o.factor, o.factor*w.weight, g, dst, false)
		return
	}
	for _, o := range w.options {
		x.scoreOption(o, g, s)
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

// scoreOption raises s.word to the scores of an option. Its slots come by
// rising frequency; what has none of the first half of them does not have the
// word.
func (x *Index) scoreOption(o option, g *gate, s *scratch) {
	var done float32
	closed := false
	for _, sl := range o.slots {
		if done >= halfWord && !closed {
			g, closed = newGate(&s.option, len(x.docs)), true
		}
		x.scoreSlot(sl, g, s)
		done += sl.share
	}
	factor := o.factor
	s.option.drain(func(doc uint32, score, share float32) {
		// A document that has a part of the word earns less than that part.
		s.word.atLeast(doc, factor*score*share*share, factor*share)
	})
}

// halfWord is the share of a word that a document must have.
const halfWord = 0.5

// scoreSlot adds the share of a slot to s.option.
func (x *Index) scoreSlot(sl slot, g *gate, s *scratch) {
	if len(sl.alts) == 1 {
		factor := sl.share * sl.alts[0].factor
		x.scoreTerm(sl.alts[0].term, factor, factor, g, &s.option, false)
		return
	}
	for _, alt := range sl.alts {
		x.scoreTerm(alt.term, alt.factor, alt.factor, g, &s.slot, true)
	}
	s.slot.drain(func(doc uint32, score, share float32) {
		s.option.add(doc, sl.share*score, sl.share*share)
	})
}

// scoreTerm adds the documents of a term that pass the gate to dst: factor
// times the impact of the term there, and share. With raise, the values are
// not added but raised to these.
func (x *Index) scoreTerm(term uint32, factor, share float32, g *gate, dst *accumulator, raise bool) {
	factor /= impactSteps
	if g != nil && len(g.docs) > 0 && len(g.docs)*lookUpShare < int(x.post.df[term]) {
		x.post.only(term, g.docs, func(_ int, c *cursor) {
			dst.put(c.doc, factor*float32(c.impact), share, raise)
		})
		return
	}
	for c := x.post.cursor(term); c.next(); {
		if g == nil || g.in.cells[c.doc].share != 0 {
			dst.put(c.doc, factor*float32(c.impact), share, raise)
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
