package search

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"
)

// A marker finds the words and terms of one query in sentences.
type marker struct {
	x       *Index
	english *english
	words   int
	runs    []bool           // the words that are runs of Hangul
	uses    map[uint32][]use // by index term
	named   map[uint32]bool  // vocabulary terms of the query
	names   map[uint32]int   // names in the query, with the word that has them
	chunks  map[string][]place
}

// A place is an index term at a range of a chunk.
type place struct {
	term uint32
	Range
}

// A use is what an index term contributes to a word of the query.
type use struct {
	word  int
	slot  int // unique within the query
	share float32
}

func newMarker(x *Index, p *plan) *marker {
	m := &marker{
		x: x, english: newEnglish(x.lex), words: len(p.words),
		uses: map[uint32][]use{}, named: map[uint32]bool{},
		names:  map[uint32]int{},
		chunks: map[string][]place{},
	}
	number := 0
	for i, w := range p.words {
		m.runs = append(m.runs, strings.IndexFunc(w.typed, isHangul) == 0)
		for _, o := range w.options {
			for _, sl := range o.slots {
				for _, alt := range sl.alts {
					m.uses[alt.term] = append(m.uses[alt.term], use{i, number, sl.share})
				}
				number++
			}
		}
	}
	for _, sp := range p.spans {
		for _, alt := range sp.alts {
			switch {
			case int(alt.term) < len(x.terms) && x.terms[alt.term].List == "":
				m.names[alt.term] = sp.first
			case int(alt.term) >= len(x.terms):
				m.uses[alt.term] = append(m.uses[alt.term], use{sp.first, number, 1})
				number++
			}
		}
	}
	for _, t := range p.terms {
		m.named[t] = true
	}
	return m
}

// A sighting is a place where a word of the query may be.
type sighting struct {
	use
	Range
}

// mark returns the ranges of text that match, merged, and notes the forms.
func (m *marker) mark(text string, found *foundForms) []Range {
	seen := make([][]sighting, m.words)
	for _, s := range m.sightings(text) {
		seen[s.word] = append(seen[s.word], s)
	}
	byWord := make([][]Range, m.words)
	var all []Range
	for i, of := range seen {
		for _, near := range m.groups(i, of) {
			if shareOf(near) < minShare {
				continue
			}
			for _, s := range near {
				byWord[i] = append(byWord[i], s.Range)
				all = append(all, s.Range)
			}
		}
	}
	for i, ranges := range byWord {
		for _, r := range merge(ranges) {
			found.addWord(i, text[r.Start:r.End])
		}
	}
	all = append(all, m.phrases(text, found)...)
	return merge(all)
}

// groups returns the sightings of word i that can make up the word. The pairs
// of a Hangul run do so only side by side or across a space: 재시도 and 시작점
// do not have 재시작 between them.
func (m *marker) groups(i int, seen []sighting) [][]sighting {
	if !m.runs[i] || len(seen) == 0 {
		return [][]sighting{seen}
	}
	slices.SortFunc(seen, func(s, t sighting) int { return cmp.Compare(s.Start, t.Start) })
	var out [][]sighting
	first, end := 0, seen[0].End
	for n, s := range seen {
		if s.Start > end+1 {
			out = append(out, seen[first:n])
			first = n
		}
		end = max(end, s.End)
	}
	return append(out, seen[first:])
}

// shareOf is the part of their word that sightings have together.
func shareOf(seen []sighting) float32 {
	var share float32
	counted := map[int]bool{}
	for _, s := range seen {
		if !counted[s.slot] {
			counted[s.slot] = true
			share += s.share
		}
	}
	return share
}

// sightings scans text for the index terms of the query.
func (m *marker) sightings(text string) []sighting {
	var seen []sighting
	note := func(term uint32, ok bool, start, end int) {
		if !ok {
			return
		}
		for _, u := range m.uses[term] {
			seen = append(seen, sighting{u, Range{start, end}})
		}
	}
	prev := chunk{end: -2}
	for s := newScanner(text); ; {
		c, ok := s.next()
		if !ok {
			return seen
		}
		run := text[c.start:c.end]
		switch {
		case c.kind == kindWord:
			m.noteWord(run, c.start, note)
			prev = chunk{end: -2}
		case c.glued && m.x.lex.particle[run]:
			prev = chunk{end: -2}
		default:
			from := c.start
			if c.start == prev.end+1 && text[prev.end] == ' ' {
				_, n := utf8.DecodeLastRuneInString(text[:prev.end])
				from = prev.end - n
			}
			m.noteRun(text, from, c, note)
			prev = c
		}
	}
}

type noter func(term uint32, ok bool, start, end int)

func (m *marker) noteWord(s string, start int, note noter) {
	places, ok := m.chunks[s]
	if !ok {
		places = m.places(s)
		m.chunks[s] = places
	}
	for _, p := range places {
		note(p.term, true, start+p.Start, start+p.End)
	}
}

// places returns the index terms of a word chunk that the query has.
func (m *marker) places(s string) []place {
	var places []place
	add := func(term string, r Range) {
		if t, ok := m.x.words[term]; ok && m.uses[t] != nil {
			places = append(places, place{t, r})
		}
	}
	parts := splitWord(s)
	for _, p := range parts {
		add(m.english.term(s[p.Start:p.End]), p)
	}
	if len(parts) > 1 && len(s) <= maxWhole {
		add(m.english.whole(s), Range{0, len(s)})
	}
	return places
}

// noteRun notes the pairs of the run c. If from is before the run, the last
// character of the run before it bridges the space.
func (m *marker) noteRun(text string, from int, c chunk, note noter) {
	prev, prevAt := rune(0), from
	for i, r := range text[from:c.end] {
		if r == ' ' {
			continue
		}
		at := from + i
		if prev != 0 {
			t, ok := m.x.pairs[pairKey(prev, r)]
			note(t, ok, prevAt, at+utf8.RuneLen(r))
		}
		prev, prevAt = r, at
	}
	run := text[c.start:c.end]
	first, n := utf8.DecodeRuneInString(run)
	if n == len(run) {
		t, ok := m.x.pairs[pairKey(0, first)]
		note(t, ok, c.start, c.end)
	} else if r, ok := m.x.lex.noun([]rune(run)); ok {
		t, ok := m.x.pairs[pairKey(0, r)]
		note(t, ok, c.start, c.start+n)
	}
}

// phrases returns the ranges of the phrases of the terms and names of the query.
func (m *marker) phrases(text string, found *foundForms) []Range {
	if len(m.named)+len(m.names) == 0 {
		return nil
	}
	var ranges []Range
	flat := m.x.phrases.flat(text, m.english)
	for _, bare := range []bool{false, true} {
		if changed := flat.lay(bare); bare && !changed {
			break
		}
		m.x.phrases.each(flat, func(pm phraseMatch) {
			hit := false
			for _, t := range pm.phrase.terms {
				if m.named[t] {
					hit = true
					found.addTerm(t, text[pm.start:pm.end])
				}
				if word, ok := m.names[t]; ok {
					hit = true
					found.addWord(word, text[pm.start:pm.end])
				}
			}
			if hit {
				ranges = append(ranges, Range{pm.start, pm.end})
			}
		})
	}
	return ranges
}
