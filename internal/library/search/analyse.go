package search

import (
	"cmp"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// A rawWord is a word of the query before the index was asked about it.
type rawWord struct {
	text       string
	start, end int
	kind       kind
	stop       bool
	named      bool  // part of a named term
	held       bool  // and some document has that
	chunk      Range // the identifier that it is a part of, or itself
	zone       zone
	mended     bool // read as another word, together with its neighbour
}

// An analyser turns a query into a plan.
type analyser struct {
	x       *Index
	q       Query
	english *english
	raw     []rawWord
	zones   zones
	pasted  bool
	lookups int
	budget  int          // postings that may still be read
	wanted  map[int]bool // words of the query that some document has
	missed  []int        // words of the query that no document has
	text    string
	mends   []mend
	plan    plan
	seen    map[string]int // key of a word to its index in the plan
}

// analyse returns the plan of a query. A query with typing mistakes is read once
// more as it was meant, since the words of a term are only known together.
func (x *Index) analyse(q Query) *plan {
	a := x.read(q)
	if len(a.mends) == 0 {
		return &a.plan
	}
	again := q
	again.Text, again.Literal = a.mended(), true
	b := x.read(again)
	b.plan.corrections, b.plan.suggestions = a.plan.corrections, a.plan.suggestions
	return &b.plan
}

// read returns an analyser that has made the plan of a query.
func (x *Index) read(q Query) *analyser {
	a := &analyser{
		x: x, q: q, english: newEnglish(x.lex), budget: postingBudget,
		seen: map[string]int{}, wanted: map[int]bool{},
	}
	text, dropped := blankNoise(norm.NFC.String(Clip(q.Text, maxQueryBytes)))
	text, a.zones = structure(text, x.lex)
	a.plan.dropped = dropped
	a.pasted = len(text) > longQuery || dropped > 0 || len(a.zones) > 0
	a.scan(text)
	if len(a.raw) > typedWords {
		a.pasted = true
	}
	if a.pasted {
		a.budget = pastedBudget
	}
	a.text = text
	a.mendPhrases()
	matches := a.joinedWords(a.namedTerms(text))
	for _, n := range matches {
		held := slices.ContainsFunc(n.terms, x.isBorne)
		switch {
		case n.joined:
		case held:
			a.plan.named++
			if slices.ContainsFunc(n.terms, func(t uint32) bool { return x.isBorne(t) && x.tellsWhat(t) }) {
				a.plan.what++
			}
		default:
			a.plan.absent++
			if !a.pasted {
				a.plan.missing += absentMissing * idf(len(x.docs), 0)
			}
		}
		for i := n.first; i < n.last; i++ {
			a.raw[i].named, a.raw[i].held = true, held
		}
	}
	a.looseTerms(matches)
	for i := range a.raw {
		if w, ok := a.word(i); ok {
			a.take(w)
		}
	}
	a.unmatched(text)
	a.asides()
	a.bound()
	a.spans(a.affordable(matches))
	for _, w := range a.plan.words {
		a.plan.weight += w.weight
	}
	return a
}

// scan finds the words of the query.
func (a *analyser) scan(text string) {
	lex := a.x.lex
	for s := newScanner(text); ; {
		c, ok := s.next()
		if !ok {
			return
		}
		if c.kind == kindWord {
			a.words(text, Range{c.start, c.end}, Range{c.start, c.end})
			continue
		}
		run := text[c.start:c.end]
		if c.glued && lex.particle[run] {
			continue
		}
		a.raw = append(a.raw, rawWord{
			text: run, start: c.start, end: c.end, kind: kindPair, stop: lex.koStop[run],
			chunk: Range{c.start, c.end}, zone: a.zones.at(c.start),
		})
	}
}

// words adds a word chunk. One of several parts that no document has as a
// whole becomes several words, so that each part counts for itself.
func (a *analyser) words(text string, r, whole Range) {
	chunk := text[r.Start:r.End]
	parts := splitWord(chunk)
	if len(parts) > 1 && a.known(a.english.whole(chunk)) == nil {
		if strings.IndexByte(chunk, '.') >= 0 {
			parts = splitAt(chunk, '.')
		}
		for _, p := range parts {
			a.words(text, Range{r.Start + p.Start, r.Start + p.End}, whole)
		}
		return
	}
	folded, _ := fold(chunk)
	a.raw = append(a.raw, rawWord{
		text: chunk, start: r.Start, end: r.End, kind: kindWord, stop: a.x.lex.stop[folded],
		chunk: whole, zone: a.zones.at(r.Start),
	})
}

// splitAt returns the ranges between the separators of s.
func splitAt(s string, sep byte) []Range {
	var parts []Range
	start := 0
	for i := 0; i <= len(s); i++ {
		if i == len(s) || s[i] == sep {
			if i > start {
				parts = append(parts, Range{start, i})
			}
			start = i + 1
		}
	}
	return parts
}

// A namedTerm is a range of words of the query that is one term of the index:
// a phrase of the vocabulary, or two words that texts write as one.
type namedTerm struct {
	first, last int // raw[first:last]
	terms       []uint32
	joined      bool
}

// namedTerms finds the longest phrases of the vocabulary in the query that do
// not overlap.
func (a *analyser) namedTerms(text string) []namedTerm {
	flat := a.x.phrases.flat(text, a.english)
	var all []phraseMatch
	for _, bare := range []bool{false, true} {
		if changed := flat.lay(bare); bare && !changed {
			break
		}
		a.x.phrases.each(flat, func(m phraseMatch) {
			if a.tells(m) {
				all = append(all, m)
			}
		})
	}
	slices.SortStableFunc(all, func(p, q phraseMatch) int {
		if n := (q.end - q.start) - (p.end - p.start); n != 0 {
			return n
		}
		return p.start - q.start
	})
	var named []namedTerm
	var taken []phraseMatch
	for _, m := range all {
		same := slices.IndexFunc(taken, func(t phraseMatch) bool {
			return m.start < t.end && t.start < m.end
		})
		if same >= 0 {
			if taken[same].start == m.start && taken[same].end == m.end {
				named[same].terms = union(named[same].terms, m.phrase.terms)
			}
			continue
		}
		first, last := a.covered(m.start, m.end)
		taken = append(taken, m)
		named = append(named, namedTerm{first: first, last: last, terms: slices.Clone(m.phrase.terms)})
	}
	slices.SortStableFunc(named, func(p, q namedTerm) int { return p.first - q.first })
	for _, n := range named {
		for _, t := range n.terms {
			if a.x.terms[t].List != "" {
				a.plan.terms = union(a.plan.terms, []uint32{t})
			}
		}
	}
	return named
}

// tells reports whether a phrase is more than the name of a field or a frame
// of a stack trace.
func (a *analyser) tells(m phraseMatch) bool {
	if len(a.zones) == 0 {
		return true
	}
	first, last := a.covered(m.start, m.end)
	return slices.ContainsFunc(a.raw[first:last], func(w rawWord) bool {
		return w.zone == zoneText || w.zone == zoneKey
	})
}

func union(dst, more []uint32) []uint32 {
	for _, t := range more {
		if !slices.Contains(dst, t) {
			dst = append(dst, t)
		}
	}
	return dst
}

// covered returns the range of words that a range of the query touches.
func (a *analyser) covered(start, end int) (first, last int) {
	first = slices.IndexFunc(a.raw, func(w rawWord) bool { return w.end > start })
	if first < 0 {
		return len(a.raw), len(a.raw)
	}
	last = first
	for last < len(a.raw) && a.raw[last].start < end {
		last++
	}
	return first, last
}

// take adds a word to the plan. A word that occurs again only gains a little.
func (a *analyser) take(w queryWord) {
	a.wanted[w.raw] = true
	key := strings.ToLower(w.typed)
	if at, ok := a.seen[key]; ok {
		have := &a.plan.words[at]
		have.weight = min(have.weight*1.15, 1.5*w.weight)
		return
	}
	a.seen[key] = len(a.plan.words)
	a.plan.words = append(a.plan.words, w)
}

// bound keeps the words that tell most, within the bounds on words and on
// postings.
func (a *analyser) bound() {
	order := make([]int, len(a.plan.words))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		return cmp.Compare(a.plan.words[j].weight, a.plan.words[i].weight)
	})
	keep := make([]bool, len(order))
	for n, i := range order {
		cost := a.cost(a.plan.words[i])
		if n > 0 && (n >= maxQueryWords || cost > a.budget) {
			continue
		}
		a.budget -= cost
		keep[i] = true
	}
	kept := a.plan.words[:0]
	for i, w := range a.plan.words {
		if keep[i] {
			kept = append(kept, w)
		} else {
			a.plan.dropped++
		}
	}
	a.plan.words = kept
}

// cost is the number of postings that a word makes the index read.
func (a *analyser) cost(w queryWord) int {
	n := 0
	for _, o := range w.options {
		for _, s := range o.slots {
			n += a.frequency(s)
		}
	}
	return n
}
