// Package similar finds the cases that are like a case, and says why in words.
//
// Two cases are alike when they share terms: a mechanism says more than a
// cause, a cause more than a symptom, a symptom more than a component, and a
// rare term more than one that half the library has. The words of both texts
// add to it. An editor's word overrides the measure.
package similar

import (
	"cmp"
	"math"
	"slices"

	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/library"
	"github.com/openprecedent/precedent/internal/library/search"
)

// Weights of the lists: what one shared term of average rarity says about two
// cases being alike.
var weights = []struct {
	list   string
	weight float64
}{
	{"mechanism", 4}, {"cause", 2}, {"symptom", 1}, {"component", 0.8}, {"trigger", 0.5},
}

const (
	// textShare is the share of the score that the words of the texts give.
	textShare = 0.55
	// ancestor is what a shared wider term says against the term itself.
	ancestor = 0.6
	// floor is the score under which a case is not offered.
	floor = 0.06
	// editor is the score that an editor's link guarantees.
	editor = 0.9
)

// Shared are the terms of one list that two cases have in common, the most
// telling first.
type Shared struct {
	List string
	IDs  []string
}

// Match is a case that is like another one.
type Match struct {
	Entry    *library.Entry
	Score    float64 // 0 to 1
	Shared   []Shared
	Text     float64         // how alike the words are, 0 to 1
	Relation string          // the editor's word, a term of the list relation, or empty
	Reason   *bilingual.Text // the editor's reason, if given
}

// Engine compares the published cases of one library. It is read-only and
// safe for concurrent use.
type Engine struct {
	lib     *library.Library
	index   *search.Index
	vectors map[string]vector
	rarity  map[string]float64 // by "list/term"
}

// vector holds the weight of each "list/term" of a case.
type vector map[string]float64

// New weighs the terms of all published cases.
func New(lib *library.Library, index *search.Index) *Engine {
	e := &Engine{
		lib: lib, index: index,
		vectors: map[string]vector{}, rarity: map[string]float64{},
	}
	count := map[string]int{}
	for _, c := range lib.Cases() {
		e.vectors[c.ID] = e.strengths(c)
		for key := range e.vectors[c.ID] {
			count[key]++
		}
	}
	n := float64(len(lib.Cases()))
	for key, df := range count {
		// A term that every case has says nothing; one of a single case the most.
		e.rarity[key] = math.Log((1+n)/float64(df)) / math.Log(2+n)
	}
	for _, v := range e.vectors {
		for key := range v {
			v[key] *= e.rarity[key]
		}
	}
	return e
}

// strengths returns the terms of a case, and their wider terms, with how much
// each says before rarity is counted in.
func (e *Engine) strengths(c *library.Entry) vector {
	v := vector{}
	add := func(list, id string, weight float64) {
		for id != "" {
			key := list + "/" + id
			v[key] = max(v[key], weight)
			t, ok := e.lib.Vocab.Term(list, id)
			if !ok {
				return
			}
			id, weight = t.Parent, weight*ancestor
		}
	}
	for _, w := range weights {
		for _, id := range c.Terms()[w.list] {
			add(w.list, id, w.weight*role(c, w.list, id))
		}
	}
	return v
}

// role weighs a term by its part in the incident: what contributed or merely
// suffered says less than what began it.
func role(c *library.Entry, list, id string) float64 {
	best := 0.0
	switch list {
	case "cause":
		for _, x := range c.Causes {
			if x.Code == id {
				best = max(best, map[string]float64{"root": 1, "contributing": 0.6}[x.Role])
			}
		}
	case "component":
		for _, x := range c.Components {
			if x.Code == id {
				best = max(best, map[string]float64{"origin": 1, "carrier": 0.8, "victim": 0.6}[x.Role])
			}
		}
	default:
		best = 1
	}
	return best
}

// To returns the cases most like the one with the given id, best first, at
// most limit. Cases that share nothing but components are left out, however
// many components they share, and so are those that an editor set apart.
func (e *Engine) To(id string, limit int) []Match {
	from, ok := e.lib.Case(id)
	if !ok {
		return nil
	}
	words := map[string]float64{}
	for _, s := range e.index.TextSimilarity(from.ID, len(e.lib.Cases())) {
		words[s.ID] = s.Score
	}
	var matches []Match
	for _, c := range e.lib.Cases() {
		if c.ID == from.ID || unrelated(from, c) || unrelated(c, from) {
			continue
		}
		m := e.compare(from, c, words[c.ID])
		if m.Relation == "" && (m.Score < floor || !telling(m)) {
			continue
		}
		matches = append(matches, m)
	}
	slices.SortStableFunc(matches, func(a, b Match) int { return cmp.Compare(b.Score, a.Score) })
	return matches[:min(max(limit, 0), len(matches))]
}

func (e *Engine) compare(from, to *library.Entry, text float64) Match {
	m := Match{Entry: to, Text: text}
	a, b := e.vector(from), e.vector(to)
	mine, theirs := from.Terms(), to.Terms()
	dot := a.dot(b)
	if norm := a.norm() * b.norm(); norm > 0 {
		m.Score = (1 - textShare) * dot / norm
	}
	m.Score += textShare * text
	for _, w := range weights {
		if shared := e.shared(w.list, mine[w.list], theirs[w.list]); len(shared) > 0 {
			m.Shared = append(m.Shared, Shared{w.list, shared})
		}
	}
	m.edit(from, to)
	m.edit(to, from)
	return m
}

// vector returns the weighed terms of a case, published or not.
func (e *Engine) vector(c *library.Entry) vector {
	if v, ok := e.vectors[c.ID]; ok {
		return v
	}
	v := e.strengths(c)
	for key := range v {
		v[key] *= e.rarity[key]
	}
	return v
}

func (v vector) norm() float64 { return math.Sqrt(v.dot(v)) }

// dot sums the products in their order of size, so that the order of a map's
// keys does not show in the last bits of a score.
func (v vector) dot(w vector) float64 {
	products := make([]float64, 0, len(v))
	for key, x := range v {
		if y := w[key]; y != 0 {
			products = append(products, x*y)
		}
	}
	slices.Sort(products)
	sum := 0.0
	for _, p := range products {
		sum += p
	}
	return sum
}

// edit applies an editor's link from one case to the other. The word that the
// asked-for case has itself comes first.
func (m *Match) edit(from, to *library.Entry) {
	for _, r := range from.Related {
		if r.ID == to.ID && m.Relation == "" {
			m.Relation, m.Reason = r.Relation, r.Reason
			m.Score = max(m.Score, editor)
		}
	}
}

func unrelated(from, to *library.Entry) bool {
	for _, r := range from.NotRelated {
		if r.ID == to.ID {
			return true
		}
	}
	return false
}

// shared returns the terms of a list that both cases have, rarest first.
func (e *Engine) shared(list string, mine, theirs []string) []string {
	var both []string
	for _, id := range mine {
		if slices.Contains(theirs, id) {
			both = append(both, id)
		}
	}
	slices.SortStableFunc(both, func(x, y string) int {
		return cmp.Compare(e.rarity[list+"/"+y], e.rarity[list+"/"+x])
	})
	return both
}

// telling reports whether a match rests on more than the kinds of component
// and trigger.
func telling(m Match) bool {
	return m.Text > 0.35 || slices.ContainsFunc(m.Shared, func(s Shared) bool {
		return s.List == "mechanism" || s.List == "cause" || s.List == "symptom" && len(s.IDs) > 1
	})
}
