package search

import "strings"

// defaultLimit is the number of hits of a query that does not say.
const defaultLimit = 10

// minCovered is the share of the best document's words below which a document
// no longer matches.
const minCovered = 0.3

// Search answers a query. It never fails: a query that nothing matches has
// no hits, and the result tells which words were not found.
func (x *Index) Search(q Query) Result {
	if q.Limit <= 0 {
		q.Limit = defaultLimit
	}
	q.Offset = max(0, q.Offset)
	if strings.TrimSpace(q.Text) == "" {
		return x.list(q)
	}
	p := x.analyse(q)
	s := x.scratch()
	defer x.pool.Put(s)
	pass := x.passing(q.Filter, "")
	x.score(p, pass, s)
	matching := x.matching(s, pass)
	s.cands = s.cands[:0]
	s.total.drain(func(doc uint32, score, have float32) {
		if matching.has(doc) && (pass == nil || pass.has(doc)) {
			s.cands = append(s.cands, candidate{doc: doc, score: score, have: have})
		}
	})
	r := p.result(x, len(s.cands))
	if len(q.Facets) > 0 {
		r.Facets = x.countFacets(q, matching)
	}
	r.Hits, r.Far = x.page(q, p, s.cands, s)
	return r
}

// matching returns the documents that have enough of the query, whether they
// pass the filter or not. Enough is measured by the best document that passes.
func (x *Index) matching(s *scratch, pass bitset) bitset {
	most := s.most(pass)
	set := newBitset(len(x.docs))
	for _, d := range s.total.docs {
		if s.total.cells[d].share >= minCovered*most {
			set.set(d)
		}
	}
	return set
}

// result returns what a plan tells about the query.
func (p *plan) result(x *Index, total int) Result {
	r := Result{
		Total:       total,
		Corrections: p.corrections,
		Suggestions: p.suggestions,
		Unmatched:   p.unmatched,
		Dropped:     p.dropped,
	}
	for _, t := range p.terms {
		r.Terms = append(r.Terms, TermRef{x.terms[t].List, x.terms[t].ID})
	}
	return r
}

// page ranks the candidates and returns the hits of the page asked for, and
// whether even the best are far from the query.
func (x *Index) page(q Query, p *plan, cands []candidate, s *scratch) ([]Hit, bool) {
	n := max(rerankWindow, min(q.Offset+q.Limit, len(cands)))
	ranked := best(cands, min(n, len(cands)))
	x.rerank(p, ranked[:min(rerankWindow, len(ranked))], s)
	far := p.far(q, len(x.docs), ranked)
	if q.Offset >= len(ranked) {
		return nil, far
	}
	shown := ranked[q.Offset:min(q.Offset+q.Limit, len(ranked))]
	if q.Offset+len(shown) > rerankWindow {
		x.gather(p, shown, s)
	}
	return x.explain(q, p, shown, s), far
}

// list answers a query without text: all documents that pass, in order.
func (x *Index) list(q Query) Result {
	all := newBitset(len(x.docs))
	all.fillAll(len(x.docs))
	set := all
	if pass := x.passing(q.Filter, ""); pass != nil {
		set = pass
	}
	r := Result{Total: set.count()}
	if len(q.Facets) > 0 {
		r.Facets = x.countFacets(q, all)
	}
	at := 0
	set.each(func(doc uint32) bool {
		if at >= q.Offset {
			r.Hits = append(r.Hits, Hit{ID: x.docs[doc].ID})
		}
		at++
		return len(r.Hits) < q.Limit
	})
	return r
}
