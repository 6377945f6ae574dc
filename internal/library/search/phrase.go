package search

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// wordMark encloses a word in a flat text, so that words match as a whole
// while runs of syllables match at any place.
const wordMark = '\x1f'

// A flatText is a sentence in the form in which phrases are looked for: words
// as terms between marks, runs of syllables without spaces. The bare form has
// particles and endings taken off the runs.
type flatText struct {
	tokens []placedToken
	own    []flatToken // memory for tokens of [phraseSet.scan]
	buf    []byte
	ends   []int // in buf, by token
}

// A placedToken is a token that lies at an offset of the source.
type placedToken struct {
	*flatToken
	at int
}

// A flatToken is a word or a run, with its place in the piece that it is of.
type flatToken struct {
	text       string // word with marks, or run
	bare       string // run without particle and ending
	start, end int
	word       bool
	phrases    []phrase // of a word: those that begin with it
}

func (f *flatText) reset() { f.tokens, f.own = f.tokens[:0], f.own[:0] }

// add appends tokens of a piece that lies at an offset of the source.
func (f *flatText) add(tokens []flatToken, at int) {
	for i := range tokens {
		f.tokens = append(f.tokens, placedToken{&tokens[i], at})
	}
}

func (f *flatText) addOne(t flatToken, at int) {
	f.own = append(f.own, t)
	f.add(f.own[len(f.own)-1:], at)
}

// lay writes the tokens into buf. It reports whether bare changed anything.
func (f *flatText) lay(bare bool) bool {
	f.buf, f.ends = f.buf[:0], f.ends[:0]
	changed := false
	for _, t := range f.tokens {
		text := t.text
		if bare && !t.word {
			text = t.bare
			changed = changed || len(text) != len(t.text)
		}
		f.buf = append(f.buf, text...)
		f.ends = append(f.ends, len(f.buf))
	}
	return changed
}

// begin returns where token n begins in buf.
func (f *flatText) begin(n int) int {
	if n == 0 {
		return 0
	}
	return f.ends[n-1]
}

// A phrase is a phrase of one or more vocabulary terms, laid flat.
type phrase struct {
	text  string
	terms []uint32
	size  int // syllables, if it has no word
}

// A phraseSet finds the phrases of a vocabulary in flat texts.
type phraseSet struct {
	lex    *lexicon
	byWord map[string][]phrase // by the word they begin with; longest first
	byPair map[uint64][]phrase // by the two syllables, or the only one
	heads  [1 << headBits]bool // which syllables and pairs may begin one
	seen   []uint32            // by term, the last sentence that mark found it in
	marked uint32              // sentences that mark has seen
}

// word returns the token of a word whose index term is known.
func (set *phraseSet) word(term string, start, end int) flatToken {
	text := string(wordMark) + term + string(wordMark)
	return flatToken{text: text, start: start, end: end, word: true, phrases: set.byWord[text]}
}

// run returns the token of a run.
func (set *phraseSet) run(s string, start int) flatToken {
	return flatToken{text: s, bare: set.lex.bare(s), start: start, end: start + len(s)}
}

// beginning returns the phrases that may begin with the syllables at the start
// of rest: those of one syllable, and those of more.
func (set *phraseSet) beginning(rest []byte) (short, long []phrase) {
	first, n := utf8.DecodeRune(rest)
	if !set.heads[headHash(pairKey(0, first))] {
		return nil, nil
	}
	short = set.byPair[pairKey(0, first)]
	if n < len(rest) {
		second, _ := utf8.DecodeRune(rest[n:])
		if key := pairKey(first, second); set.heads[headHash(key)] {
			long = set.byPair[key]
		}
	}
	return short, long
}

// headHash is a place in the filter of the beginnings of phrases.
func headHash(key uint64) int { return int(key * 0x9E3779B97F4A7C15 >> (64 - headBits)) }

const headBits = 14

// newPhraseSet lays the phrases of terms flat. The number of a term is its
// index.
func newPhraseSet(terms []Term, lex *lexicon) *phraseSet {
	room := 0
	for _, term := range terms {
		room += len(term.Phrases)
	}
	set := &phraseSet{
		lex: lex, byWord: make(map[string][]phrase, room/4), byPair: make(map[uint64][]phrase, room/4),
		seen: make([]uint32, len(terms)),
	}
	byText, order := make(map[string]*phrase, room), make([]string, 0, room)
	e, f := newEnglish(lex), &flatText{}
	for t, term := range terms {
		for _, p := range term.Phrases {
			for _, text := range set.flattened(f, p, e) {
				have := byText[text]
				if have == nil {
					have = &phrase{text: text, size: flatSize(text)}
					byText[text] = have
					order = append(order, text)
				}
				if !slices.Contains(have.terms, uint32(t)) {
					have.terms = append(have.terms, uint32(t))
				}
			}
		}
	}
	slices.SortStableFunc(order, func(a, b string) int { return len(b) - len(a) })
	for _, text := range order {
		set.file(*byText[text])
	}
	return set
}

// file puts a phrase where it is looked for.
func (set *phraseSet) file(p phrase) {
	if p.text[0] == wordMark {
		head := p.text[:strings.IndexByte(p.text[1:], wordMark)+2]
		set.byWord[head] = append(set.byWord[head], p)
		return
	}
	first, n := utf8.DecodeRuneInString(p.text)
	key := pairKey(0, first)
	set.heads[headHash(key)] = true
	if n < len(p.text) {
		second, _ := utf8.DecodeRuneInString(p.text[n:])
		key = pairKey(first, second)
		set.heads[headHash(key)] = true
	}
	set.byPair[key] = append(set.byPair[key], p)
}

// flattened returns the flat forms of a phrase: as it is, and bare. It uses f.
func (set *phraseSet) flattened(f *flatText, p string, e *english) []string {
	f.reset()
	set.scan(f, p, e)
	var texts []string
	for _, bare := range []bool{false, true} {
		changed := f.lay(bare)
		if bare && len(f.tokens) == 1 && concedes(f.tokens[0].text) {
			continue
		}
		if len(f.buf) > 0 && (!bare || changed) {
			texts = append(texts, string(f.buf))
		}
	}
	return texts
}

// concedes reports whether a run says that something happened in vain. Without
// that ending it says something else: 롤백 is not 롤백했는데도.
func concedes(run string) bool {
	return strings.HasSuffix(run, "데도") || strings.HasSuffix(run, "더니") || strings.HasSuffix(run, "어도")
}

// flat scans text into flat tokens.
func (set *phraseSet) flat(text string, e *english) *flatText {
	f := &flatText{}
	set.scan(f, text, e)
	return f
}

// scan adds the tokens of text to f.
func (set *phraseSet) scan(f *flatText, text string, e *english) {
	for s := newScanner(text); ; {
		c, ok := s.next()
		if !ok {
			return
		}
		switch run := text[c.start:c.end]; {
		case c.kind == kindWord:
			for _, p := range splitWord(run) {
				term := e.term(run[p.Start:p.End])
				f.addOne(set.word(term, p.Start, p.End), c.start)
			}
		case c.glued && set.lex.particle[run]:
		default:
			f.addOne(set.run(run, 0), c.start)
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

// A phraseMatch is a phrase found at a range of the source.
type phraseMatch struct {
	phrase     phrase
	start, end int
}

// each calls f with every phrase in the text that is laid out in flat.
func (set *phraseSet) each(flat *flatText, f func(m phraseMatch)) {
	for n := range flat.tokens {
		from, to := flat.begin(n), flat.ends[n]
		if t := flat.tokens[n]; t.word {
			tryAll(flat, n, from, t.phrases, f)
			continue
		}
		for from < to {
			short, long := set.beginning(flat.buf[from:])
			tryAll(flat, n, from, long, f)
			tryAll(flat, n, from, short, f)
			_, size := utf8.DecodeRune(flat.buf[from:])
			from += size
		}
	}
}

// tryAll calls f with those of the phrases that the text begins with at pos,
// which is in token n.
func tryAll(flat *flatText, n, pos int, phrases []phrase, f func(m phraseMatch)) {
	rest := flat.buf[pos:]
	for i := range phrases {
		ph := &phrases[i]
		last := len(ph.text) - 1
		if last >= len(rest) || rest[last] != ph.text[last] || string(rest[:last+1]) != ph.text {
			continue
		}
		if end, ok := fits(flat, n, pos, *ph); ok {
			t := flat.tokens[n]
			f(phraseMatch{*ph, t.at + t.start + pos - flat.begin(n), end})
		}
	}
}

// fits reports whether a phrase that begins at pos, which is in token n,
// respects the borders of runs, and where it ends in the source. A phrase of
// one syllable must be a run of its own, one of two must begin or end a run:
// 지연 is in 복제지연, 락 is not in 하락.
func fits(flat *flatText, n, pos int, ph phrase) (srcEnd int, ok bool) {
	last, end := n, pos+len(ph.text)
	for flat.ends[last] < end {
		last++
	}
	first, atEnd := pos == flat.begin(n), end == flat.ends[last]
	switch ph.size {
	case 1:
		ok = first && atEnd
	case 2:
		ok = first || atEnd
	default:
		ok = true
	}
	t := flat.tokens[last]
	if t.word {
		return t.at + t.end, ok
	}
	return t.at + t.start + end - flat.begin(last), ok
}

// mark calls f once with each term that the sentence in flat has a phrase of.
// It is for use while building, by one goroutine.
func (set *phraseSet) mark(flat *flatText, f func(term uint32)) {
	if len(set.byWord)+len(set.byPair) == 0 || len(flat.tokens) == 0 {
		return
	}
	set.marked++
	visit := func(m phraseMatch) {
		for _, t := range m.phrase.terms {
			if set.seen[t] != set.marked {
				set.seen[t] = set.marked
				f(t)
			}
		}
	}
	flat.lay(false)
	set.each(flat, visit)
	if flat.lay(true) {
		set.each(flat, visit)
	}
}
