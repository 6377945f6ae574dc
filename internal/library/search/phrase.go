package search

import (
	"slices"
	"strings"
)

// wordMark encloses a word in a flat text, so that words match as a whole
// while runs of syllables match at any place.
const wordMark = '\x1f'

// A flatText is a sentence in the form in which phrases are looked for: words
// as terms between marks, runs of syllables without spaces. The bare form has
// particles and endings taken off the runs.
type flatText struct {
	tokens []flatToken
	buf    []byte
	at     []flatPlace
}

// A flatToken is a word or a run, with its place in the source.
type flatToken struct {
	text       string // term of a word, or run
	start, end int
	word       bool
}

// A flatPlace is a place in buf where a phrase may begin or end.
type flatPlace struct {
	pos, src   int
	first      bool // first place of its token
	start, end int  // the token in buf
	srcEnd     int  // end of the token in the source
	word       bool
}

func (f *flatText) reset() { f.tokens = f.tokens[:0] }

func (f *flatText) word(s string, start int, e *english) {
	for _, p := range splitWord(s) {
		f.tokens = append(f.tokens, flatToken{
			e.term(s[p.Start:p.End]), start + p.Start, start + p.End, true,
		})
	}
}

func (f *flatText) run(s string, start int) {
	f.tokens = append(f.tokens, flatToken{s, start, start + len(s), false})
}

// lay writes the tokens into buf. It reports whether bare changed anything.
func (f *flatText) lay(lex *lexicon, bare bool) bool {
	f.buf, f.at = f.buf[:0], f.at[:0]
	changed := false
	for _, t := range f.tokens {
		place := flatPlace{pos: len(f.buf), src: t.start, first: true, srcEnd: t.end, word: t.word}
		if t.word {
			f.buf = append(f.buf, wordMark)
			f.buf = append(f.buf, t.text...)
			f.buf = append(f.buf, wordMark)
			place.start, place.end = place.pos, len(f.buf)
			f.at = append(f.at, place)
			continue
		}
		text := t.text
		if bare {
			text = lex.bare(text)
			changed = changed || len(text) != len(t.text)
		}
		place.start, place.end = len(f.buf), len(f.buf)+len(text)
		for i := range text {
			place.pos, place.src, place.first = len(f.buf)+i, t.start+i, i == 0
			f.at = append(f.at, place)
		}
		f.buf = append(f.buf, text...)
	}
	return changed
}

// A phrase is a phrase of one or more vocabulary terms, laid flat.
type phrase struct {
	text  string
	terms []uint32
	size  int // syllables, if it has no word
}

// A phraseSet finds the phrases of a vocabulary in flat texts.
type phraseSet struct {
	byHead map[string][]phrase // longest first
	seen   map[uint32]bool     // reused by mark
}

// newPhraseSet lays the phrases of terms flat. The number of a term is its
// index.
func newPhraseSet(terms []Term, lex *lexicon) *phraseSet {
	byText := map[string]*phrase{}
	var order []string
	e := newEnglish(lex)
	for t, term := range terms {
		for _, p := range term.Phrases {
			for _, text := range flattened(p, lex, e) {
				if byText[text] == nil {
					byText[text] = &phrase{text: text, size: flatSize(text)}
					order = append(order, text)
				}
				have := byText[text]
				if !slices.Contains(have.terms, uint32(t)) {
					have.terms = append(have.terms, uint32(t))
				}
			}
		}
	}
	set := &phraseSet{byHead: map[string][]phrase{}, seen: map[uint32]bool{}}
	for _, text := range order {
		head := flatHead(text)
		set.byHead[head] = append(set.byHead[head], *byText[text])
	}
	for _, list := range set.byHead {
		slices.SortStableFunc(list, func(a, b phrase) int { return len(b.text) - len(a.text) })
	}
	return set
}

// flattened returns the flat forms of a phrase: as it is, and bare.
func flattened(p string, lex *lexicon, e *english) []string {
	f := flatOf(p, lex, e)
	var texts []string
	for _, bare := range []bool{false, true} {
		changed := f.lay(lex, bare)
		if len(f.buf) > 0 && (!bare || changed) {
			texts = append(texts, string(f.buf))
		}
	}
	return texts
}

// flatOf scans text into flat tokens.
func flatOf(text string, lex *lexicon, e *english) *flatText {
	f := &flatText{}
	for s := newScanner(text); ; {
		c, ok := s.next()
		if !ok {
			return f
		}
		switch run := text[c.start:c.end]; {
		case c.kind == kindWord:
			f.word(run, c.start, e)
		case c.glued && lex.particle[run]:
		default:
			f.run(run, c.start)
		}
	}
}

// flatSize is the number of syllables of a flat phrase without words, else 0.
func flatSize(text string) int {
	if strings.IndexByte(text, wordMark) >= 0 {
		return 0
	}
	return syllables(text)
}

// flatHead is the key under which a phrase is looked for: its first word with
// marks, or its first syllable.
func flatHead(text string) string {
	if text[0] == wordMark {
		return text[:strings.IndexByte(text[1:], wordMark)+2]
	}
	for i := range text {
		if i > 0 {
			return text[:i]
		}
	}
	return text
}

// A phraseMatch is a phrase found at a range of the source.
type phraseMatch struct {
	phrase     phrase
	start, end int
}

// each calls f with every phrase in the text that is laid out in flat.
func (set *phraseSet) each(flat *flatText, f func(m phraseMatch)) {
	for i, p := range flat.at {
		rest := flat.buf[p.pos:]
		head := rest
		if p.word {
			head = flat.buf[p.start:p.end]
		} else if i+1 < len(flat.at) && flat.at[i+1].pos < p.end {
			head = rest[:flat.at[i+1].pos-p.pos]
		} else {
			head = rest[:p.end-p.pos]
		}
		for _, ph := range set.byHead[string(head)] {
			if len(rest) < len(ph.text) || string(rest[:len(ph.text)]) != ph.text {
				continue
			}
			if end, ok := fits(flat, i, p.pos+len(ph.text), ph); ok {
				f(phraseMatch{ph, p.src, end})
			}
		}
	}
}

// fits reports whether a phrase that begins at place i and ends before pos
// respects the borders of runs, and where it ends in the source. A phrase of
// one syllable must be a run of its own, one of two must begin or end a run:
// 지연 is in 복제지연, 락 is not in 하락.
func fits(flat *flatText, i, pos int, ph phrase) (srcEnd int, ok bool) {
	first, last := flat.at[i], flat.at[i]
	for k := i; k < len(flat.at) && flat.at[k].pos < pos; k++ {
		last = flat.at[k]
	}
	atEnd := pos == last.end
	switch ph.size {
	case 1:
		ok = first.first && atEnd
	case 2:
		ok = first.first || atEnd
	default:
		ok = true
	}
	if last.word {
		return last.srcEnd, ok
	}
	return last.src + (pos - last.pos), ok
}

// mark calls f once with each term that the sentence in flat has a phrase of.
// It is for use while building, by one goroutine.
func (set *phraseSet) mark(flat *flatText, lex *lexicon, f func(term uint32)) {
	if len(set.byHead) == 0 || len(flat.tokens) == 0 {
		return
	}
	clear(set.seen)
	visit := func(m phraseMatch) {
		for _, t := range m.phrase.terms {
			if !set.seen[t] {
				set.seen[t] = true
				f(t)
			}
		}
	}
	flat.lay(lex, false)
	set.each(flat, visit)
	if flat.lay(lex, true) {
		set.each(flat, visit)
	}
}
