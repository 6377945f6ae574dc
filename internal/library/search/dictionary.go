package search

import (
	"math/bits"
	"slices"
	"strings"
	"unicode/utf8"
)

// A dictionary holds the words of the texts as they are written, to correct
// and to complete the words of a query.
type dictionary struct {
	lex    *lexicon
	byText map[string]int32
	words  []dictWord
	sorted []int32 // words of the Latin script in alphabetical order

	// While building: the number of the current document, and by word the last
	// document that has it + 1.
	doc  uint32
	last []uint32
}

// A dictWord is a folded word or a run of syllables.
type dictWord struct {
	text   string
	term   string // index term, of words
	docs   uint32 // documents that have it
	forms  uint32 // of runs: different runs of which it is the core
	alone  bool   // of runs: occurs without particle or ending
	hangul bool
	letter uint64 // set of letters or jamo, to rule out distant words fast
}

// Bounds of the words that are kept, in bytes.
const (
	minDictWord, maxDictWord = 3, 30
	maxDictRun               = 36
)

// newDictionary returns a dictionary with room for so many words.
func newDictionary(lex *lexicon, room int) *dictionary {
	return &dictionary{
		lex: lex, byText: make(map[string]int32, room), words: make([]dictWord, 0, room), last: make([]uint32, 0, room),
	}
}

func (d *dictionary) entry(text string, hangul bool) int32 {
	at, ok := d.byText[text]
	if !ok {
		at = int32(len(d.words))
		d.words = append(d.words, dictWord{text: text, hangul: hangul, letter: letterSet(text)})
		d.last = append(d.last, 0)
		d.byText[text] = at
	}
	return at
}

// word returns the entry of a folded word with its index term, if it is made
// of letters and worth keeping.
func (d *dictionary) word(folded string, letters bool, term string) (int32, bool) {
	if !letters || len(folded) < minDictWord || len(folded) > maxDictWord || d.lex.stop[folded] {
		return 0, false
	}
	at := d.entry(folded, false)
	d.words[at].term = term
	return at, true
}

// run returns the entries of a run of syllables: itself and its core. It is to
// be called once for each different run.
func (d *dictionary) run(run string) []int32 {
	if len(run) < 6 || len(run) > maxDictRun {
		return nil
	}
	at := d.entry(run, true)
	d.words[at].alone = true
	entries := []int32{at}
	if core := d.lex.core(run); len(core) < len(run) {
		at = d.entry(core, true)
		d.words[at].forms++
		entries = append(entries, at)
	}
	return entries
}

// see notes that the current document has the entries.
func (d *dictionary) see(entries []int32) {
	for _, at := range entries {
		if d.last[at] != d.doc+1 {
			d.last[at] = d.doc + 1
			d.words[at].docs++
		}
	}
}

func (d *dictionary) endDocument() { d.doc++ }

// finish ends building.
func (d *dictionary) finish() {
	d.last = nil
	for i, w := range d.words {
		if !w.hangul {
			d.sorted = append(d.sorted, int32(i))
		}
	}
	slices.SortFunc(d.sorted, func(a, b int32) int {
		return strings.Compare(d.words[a].text, d.words[b].text)
	})
}

// isWord reports whether core occurs as a word of its own: alone, or with
// different particles.
func (d *dictionary) isWord(core string) bool {
	at, ok := d.byText[core]
	return ok && d.words[at].isWord()
}

// isWord reports whether a run was seen alone or with different endings. A run
// that was only ever seen before one ending may have been cut too short.
func (w *dictWord) isWord() bool { return w.alone || w.forms > 1 }

// isNoun reports whether a run takes different particles or endings.
func (d *dictionary) isNoun(run string) bool {
	at, ok := d.byText[run]
	return ok && d.words[at].forms > 1
}

// letterSet is the set of letters, or of jamo, of a word.
func letterSet(s string) uint64 {
	var set uint64
	for _, r := range s {
		if isHangul(r) {
			lead, vowel, tail := jamo(r)
			set |= 1<<lead | 1<<(19+vowel)
			if tail > 0 {
				set |= 1 << (40 + tail%24)
			}
			continue
		}
		set |= 1 << (uint32(r) % 64)
	}
	return set
}

// complete returns the words that begin with prefix, the most frequent
// first, at most limit.
func (d *dictionary) complete(prefix string, limit int) []dictWord {
	from, _ := slices.BinarySearchFunc(d.sorted, prefix, func(at int32, p string) int {
		return strings.Compare(d.words[at].text, p)
	})
	var found []dictWord
	for _, at := range d.sorted[from:] {
		if !strings.HasPrefix(d.words[at].text, prefix) {
			break
		}
		found = append(found, d.words[at])
	}
	slices.SortStableFunc(found, func(a, b dictWord) int { return int(b.docs) - int(a.docs) })
	return found[:min(limit, len(found))]
}

// nearest returns the likeliest word that word was meant to be: the one at the
// smallest distance, of these the most frequent. Words in fewer than minDocs
// documents are not considered.
func (d *dictionary) nearest(word string, hangul bool, distance int, minDocs uint32) (dictWord, bool) {
	typed := letters(word, hangul)
	set := letterSet(word)
	best, found := dictWord{}, false
	bestDistance := distance + 1
	for _, w := range d.words {
		if w.hangul != hangul || w.docs < minDocs || w.text == word ||
			bits.OnesCount64(w.letter^set) > 2*distance {
			continue
		}
		if hangul && !w.isWord() && len(w.text) < 12 {
			continue
		}
		n := editDistance(typed, letters(w.text, hangul), min(distance, bestDistance))
		if n > distance || n > bestDistance || n == bestDistance && !likelier(w, best, typed[0]) {
			continue
		}
		best, found, bestDistance = w, true, n
	}
	return best, found
}

// likelier prefers the word with the same first letter, then the more frequent one.
func likelier(w, than dictWord, first rune) bool {
	a, b := firstLetter(w) == first, firstLetter(than) == first
	if a != b {
		return a
	}
	return w.docs > than.docs
}

func firstLetter(w dictWord) rune {
	r, _ := utf8.DecodeRuneInString(w.text)
	if isHangul(r) {
		lead, _, _ := jamo(r)
		return rune(0x1100 + lead)
	}
	return r
}

// letters returns what a typist types: letters, or jamo.
func letters(s string, hangul bool) []rune {
	if hangul {
		return appendJamo(make([]rune, 0, len(s)), s)
	}
	return []rune(s)
}

// editDistance counts the insertions, deletions, substitutions and swaps of
// neighbours between a and b. Beyond limit it returns limit + 1.
func editDistance(a, b []rune, limit int) int {
	if len(a)-len(b) > limit || len(b)-len(a) > limit {
		return limit + 1
	}
	var rows [3][64]int
	if len(b) >= len(rows[0]) {
		return limit + 1
	}
	before, prev, cur := &rows[0], &rows[1], &rows[2]
	for j := range len(b) + 1 {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		cur[0] = i
		low := i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			n := min(prev[j]+1, cur[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				n = min(n, before[j-2]+1)
			}
			cur[j] = n
			low = min(low, n)
		}
		if low > limit {
			return limit + 1
		}
		before, prev, cur = prev, cur, before
	}
	return prev[len(b)]
}
