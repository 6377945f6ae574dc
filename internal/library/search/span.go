package search

import (
	"cmp"
	"slices"
)

// joinedWords adds to named the pairs of neighbouring words that the index has
// as one word (fail over, failover).
func (a *analyser) joinedWords(named []namedTerm) []namedTerm {
	for i := 0; i+1 < len(a.raw); i++ {
		v, w := a.raw[i], a.raw[i+1]
		if v.kind != kindWord || w.kind != kindWord || w.start != v.end+1 {
			continue
		}
		folded, lettersOnly := fold(v.text + w.text)
		t, ok := a.x.words[a.english.stem(folded, true)]
		if !lettersOnly || len(folded) < 6 || !ok {
			continue
		}
		free := !slices.ContainsFunc(named, func(n namedTerm) bool {
			return n.first < i+2 && i < n.last
		})
		if free {
			named = append(named, namedTerm{i, i + 2, []uint32{t}, true})
		}
	}
	return named
}

// affordable returns the named terms that the bounds on words and on postings
// leave room for, the rarest first served, in their order.
func (a *analyser) affordable(named []namedTerm) []namedTerm {
	rarest := func(n namedTerm) float32 {
		var idf float32
		for _, t := range n.terms {
			idf = max(idf, a.x.idf[t])
		}
		return idf
	}
	order := slices.Clone(named)
	slices.SortStableFunc(order, func(m, n namedTerm) int { return cmp.Compare(rarest(n), rarest(m)) })
	var kept []namedTerm
	for _, n := range order {
		cost := 0
		for _, t := range n.terms {
			cost += int(a.x.post.df[t])
		}
		if len(kept) < maxQueryWords && cost <= a.budget {
			a.budget -= cost
			kept = append(kept, n)
		}
	}
	slices.SortStableFunc(kept, func(m, n namedTerm) int { return cmp.Compare(m.first, n.first) })
	return kept
}

// spans groups the words of the plan by the named terms.
func (a *analyser) spans(named []namedTerm) {
	words := a.plan.words
	for i := 0; i < len(words); {
		s := span{first: i, last: i + 1}
		for _, n := range named {
			if words[i].raw >= n.first && words[i].raw < n.last {
				s = a.termSpan(n, i)
				break
			}
		}
		a.plan.spans = append(a.plan.spans, s)
		i = s.last
	}
	a.lonelyTerms(named)
}

// termSpan returns the span of a named term whose first word is i.
func (a *analyser) termSpan(n namedTerm, i int) span {
	words := a.plan.words
	s := span{first: i, last: i}
	var sum float32
	for s.last < len(words) && words[s.last].raw < n.last {
		sum += words[s.last].weight
		s.last++
	}
	s.alts, s.weight = a.termAlts(n)
	if !n.joined {
		s.weight = min(s.weight, sum)
	}
	return s
}

// termAlts returns the terms of n as alternatives, and their weight: that of
// the rarest. A vocabulary term stands for nearly as many words as the phrase
// has.
func (a *analyser) termAlts(n namedTerm) ([]alternative, float32) {
	var alts []alternative
	var weight float32
	for _, t := range n.terms {
		if a.x.post.df[t] > 0 {
			weight = max(weight, a.x.idf[t])
		}
	}
	for _, t := range n.terms {
		if a.x.post.df[t] > 0 {
			alts = append(alts, alternative{t, a.x.idf[t] / weight})
		}
	}
	weight *= 1 + float32(n.last-n.first-1)/2
	if !n.joined {
		weight *= termFactor
	}
	return alts, weight
}

// lonelyTerms adds the named terms of which no word is in the plan, because
// no text has them: documents may still be tagged with the term, or name it
// in the other language.
func (a *analyser) lonelyTerms(named []namedTerm) {
	for _, n := range named {
		has := n.first >= n.last
		for i := n.first; i < n.last; i++ {
			has = has || a.wanted[i]
		}
		if has {
			continue
		}
		alts, weight := a.termAlts(n)
		if len(alts) == 0 {
			continue
		}
		at := len(a.plan.words)
		a.plan.words = append(a.plan.words, queryWord{
			typed: a.raw[n.first].text, raw: n.first, weight: max(weight, 0.1),
		})
		a.plan.spans = append(a.plan.spans, span{first: at, last: at + 1, alts: alts, weight: weight})
	}
}
