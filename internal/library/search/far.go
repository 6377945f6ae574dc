package search

// Whether any document is close to a query is judged by how much of the weight
// of its words the best documents have, words that no document has included. A
// score says nothing about that: it grows with every rare word that happens to
// occur. The bounds are calibrated on judged queries, of which none may be far,
// and on questions about other things; both are tests.
const (
	closeEnough  = 0.62 // of a query without a word of the field
	closeLong    = 0.5  // and of one of many words, of which more are by the way
	closeNamed   = 0.3  // of a query that has terms or names of the field that documents bear
	strangeShare = 0.5  // of words that no document has, in a query that does not say what happened
	longWords    = 8
	judgedByBest = 3  // documents that are asked
	fewDocs      = 20 // of fewer, the rarity of words says nothing
)

// far reports whether no document is close to the query. ranked are the
// candidates, best first.
func (p *plan) far(q Query, docs int, ranked []candidate) bool {
	if docs < fewDocs || q.Partial {
		return false
	}
	if len(ranked) == 0 {
		return true
	}
	var have float32
	for _, c := range ranked[:min(judgedByBest, len(ranked))] {
		have = max(have, min(c.have, p.weight))
	}
	if len(p.corrections) > 0 {
		have *= correctedFactor // what was read into the query is less sure
	}
	need := float32(closeEnough)
	switch {
	case p.aside, p.what == 0 && p.missing > strangeShare*(p.weight+p.missing): // something else, at a known place
	case p.named > 0 && p.absent == 0:
		need = closeNamed
	case len(p.words) >= longWords:
		need = closeLong
	}
	return have < need*(p.weight+p.missing)
}
