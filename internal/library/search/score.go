package search

import "slices"

// An accumulator gathers scores by document. A share that is not zero marks a
// document that was touched.
type accumulator struct {
	score, share []float32
	docs         []uint32
}

func (a *accumulator) add(doc uint32, score, share float32) {
	if a.share[doc] == 0 {
		a.docs = append(a.docs, doc)
	}
	a.score[doc] += score
	a.share[doc] += share
}

// atLeast raises the values of a document to the given ones.
func (a *accumulator) atLeast(doc uint32, score, share float32) {
	if a.share[doc] == 0 {
		a.docs = append(a.docs, doc)
	}
	a.score[doc] = max(a.score[doc], score)
	a.share[doc] = max(a.share[doc], share)
}

// drain calls f for each document and empties the accumulator.
func (a *accumulator) drain(f func(doc uint32, score, share float32)) {
	for _, d := range a.docs {
		score, share := a.score[d], a.share[d]
		a.score[d], a.share[d] = 0, 0
		if f != nil {
			f(d, score, share)
		}
	}
	a.docs = a.docs[:0]
}

// A scratch is the working memory of one query.
type scratch struct {
	total, span, word, option, slot accumulator
	rank                            []int32 // by document: place among the candidates + 1
	hits                            [][]sentenceHit
	cells                           []float32
	touched                         []int32
}

func (x *Index) scratch() *scratch {
	if s, ok := x.pool.Get().(*scratch); ok {
		return s
	}
	n := len(x.docs)
	s := &scratch{rank: make([]int32, n)}
	for _, a := range []*accumulator{&s.total, &s.span, &s.word, &s.option, &s.slot} {
		a.score, a.share = make([]float32, n), make([]float32, n)
	}
	return s
}

// score evaluates a plan into s.total: the BM25F score of each document, and
// how much of the weight of the query it has.
func (x *Index) score(p *plan, s *scratch) {
	for _, sp := range p.spans {
		if sp.last == sp.first+1 && len(sp.alts) == 0 {
			x.scoreWord(&p.words[sp.first], s, &s.total)
			continue
		}
		var sum float32
		for i := sp.first; i < sp.last; i++ {
			x.scoreWord(&p.words[i], s, &s.span)
			sum += p.words[i].weight
		}
		for _, alt := range sp.alts {
			for c := x.post.cursor(alt.term); c.next(); {
				impact := float32(c.impact) / impactSteps
				s.span.atLeast(c.doc, sp.weight*alt.factor*impact, sum*termFactor*alt.factor)
			}
		}
		s.span.drain(s.total.add)
	}
}

// scoreWord adds the score of a word to dst.
func (x *Index) scoreWord(w *queryWord, s *scratch, dst *accumulator) {
	for _, o := range w.options {
		for _, sl := range o.slots {
			x.scoreSlot(sl, s)
		}
		factor := o.factor
		s.option.drain(func(doc uint32, score, share float32) {
			// A document that has a part of the word earns less than that part.
			s.word.atLeast(doc, factor*score*share, factor*share)
		})
	}
	weight := w.weight
	s.word.drain(func(doc uint32, score, share float32) {
		dst.add(doc, weight*score, weight*share)
	})
}

// scoreSlot adds the share of a slot to s.option.
func (x *Index) scoreSlot(sl slot, s *scratch) {
	if len(sl.alts) == 1 {
		factor := sl.share * sl.alts[0].factor
		for c := x.post.cursor(sl.alts[0].term); c.next(); {
			s.option.add(c.doc, factor*float32(c.impact)/impactSteps, factor)
		}
		return
	}
	for _, alt := range sl.alts {
		for c := x.post.cursor(alt.term); c.next(); {
			s.slot.atLeast(c.doc, alt.factor*float32(c.impact)/impactSteps, alt.factor)
		}
	}
	s.slot.drain(func(doc uint32, score, share float32) {
		s.option.add(doc, sl.share*score, sl.share*share)
	})
}

// A candidate is a document with its score.
type candidate struct {
	doc   uint32
	score float32
	have  float32 // weight of the words it has
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
