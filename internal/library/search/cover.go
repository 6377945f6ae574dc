package search

import (
	"cmp"
	"slices"
)

// The best candidates by BM25F are weighed by how much of the query one single
// sentence of theirs covers. Words that stand together say more than words
// that are scattered over a long document.

// rerankWindow is the number of candidates that are weighed by their sentences.
const rerankWindow = 200

// coveredByTerm is how far a vocabulary term covers the words it stands for.
const coveredByTerm = 0.8

// A sentenceHit says that a sentence has a share of a word of the query.
type sentenceHit struct {
	sentence uint32
	word     uint16
	term     bool // matched by the alternative of a span
	share    float32
}

// gather collects the sentence hits of the candidates into s.hits.
func (x *Index) gather(p *plan, cands []candidate, s *scratch) {
	s.order, s.docs = s.order[:0], s.docs[:0]
	for i := range cands {
		if i == len(s.hits) {
			s.hits = append(s.hits, nil)
		}
		s.hits[i] = s.hits[i][:0]
		cands[i].hits = i
		s.order = append(s.order, i)
	}
	slices.SortFunc(s.order, func(i, j int) int { return cmp.Compare(cands[i].doc, cands[j].doc) })
	for _, i := range s.order {
		s.docs = append(s.docs, cands[i].doc)
	}
	for i := range p.words {
		for _, o := range p.words[i].options {
			for _, sl := range o.slots {
				for _, alt := range sl.alts {
					x.gatherTerm(alt.term, s, sentenceHit{
						word: uint16(i), share: o.factor * sl.share * alt.factor,
					})
				}
			}
		}
	}
	for _, sp := range p.spans {
		for _, alt := range sp.alts {
			for i := sp.first; i < sp.last; i++ {
				x.gatherTerm(alt.term, s, sentenceHit{
					word: uint16(i), term: true, share: coveredByTerm * alt.factor,
				})
			}
		}
	}
}

func (x *Index) gatherTerm(term uint32, s *scratch, hit sentenceHit) {
	x.post.only(term, s.docs, func(i int, c *cursor) {
		at := s.order[i]
		c.eachSentence(func(n int) {
			hit.sentence = uint32(n)
			s.hits[at] = append(s.hits[at], hit)
		})
	})
}

// fill lays the hits of one candidate out in s.cells, a row of words for each
// sentence, and the sentences that have any in s.touched.
func (s *scratch) fill(hits []sentenceHit, words int) {
	s.touched = s.touched[:0]
	for _, h := range hits {
		at := int(h.sentence)*words + int(h.word)
		for len(s.cells) < (int(h.sentence)+1)*words {
			s.cells = append(s.cells, 0)
		}
		if s.cells[at] == 0 && s.rowEmpty(int(h.sentence), words) {
			s.touched = append(s.touched, int32(h.sentence))
		}
		if h.term {
			s.cells[at] = max(s.cells[at], h.share)
		} else {
			s.cells[at] = min(1, s.cells[at]+h.share)
		}
	}
}

func (s *scratch) rowEmpty(sentence, words int) bool {
	for _, c := range s.cells[sentence*words : (sentence+1)*words] {
		if c != 0 {
			return false
		}
	}
	return true
}

// wipe empties the rows that fill touched.
func (s *scratch) wipe(words int) {
	for _, n := range s.touched {
		clear(s.cells[int(n)*words : (int(n)+1)*words])
	}
}

// minShare is the share of a word from which a sentence counts as having it.
const minShare = 0.55

// covered returns how much of the weight of the query a row has, 0 to 1.
func (p *plan) covered(row []float32) float32 {
	var have float32
	for i, w := range p.words {
		if row[i] >= minShare {
			have += w.weight * row[i]
		}
	}
	return have / p.weight
}

// scatteredFactor is what words count that a document has anywhere, compared
// with words in one sentence.
const scatteredFactor = 0.5

// rerank multiplies the scores of the candidates by one plus the squares of
// their coverage by the best sentence and as a whole, and sorts them.
func (x *Index) rerank(p *plan, cands []candidate, s *scratch) {
	words := len(p.words)
	x.gather(p, cands, s)
	for i := range cands {
		s.fill(s.hits[i], words)
		var top float32
		for _, n := range s.touched {
			top = max(top, p.covered(s.cells[int(n)*words:(int(n)+1)*words]))
		}
		s.wipe(words)
		whole := min(1, cands[i].have/p.weight)
		cands[i].score *= 1 + top*top + scatteredFactor*whole*whole
	}
	best(cands, len(cands))
}
