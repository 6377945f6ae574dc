package search

import "strings"

// Prefixes that make another word of one: who types unassigned does not mean
// assigned.
const prefixes = "un re de dis mis non pre post over under in im ir il up out sub co multi auto inter"

// Endings that make forms of a word; they are taken off before it is looked up
// among the common ones.
const formEndings = "s es ed d ing er ers r rs ly ness ful less able ish y"

// isCommon reports whether a folded word, or the word that it is a form of, is
// a common one.
func (lex *lexicon) isCommon(folded string) bool {
	if lex.common[folded] {
		return true
	}
	for _, end := range lex.formEndings {
		stem, ok := strings.CutSuffix(folded, end)
		if !ok || len(stem) < 3 {
			continue
		}
		last := len(stem) - 1
		if lex.common[stem] || lex.common[stem+"e"] || stem[last] == stem[last-1] && lex.common[stem[:last]] {
			return true
		}
	}
	return false
}

// mistyped reports whether somebody who typed a word may have meant another
// one that is near it, as opposed to a word that is merely similar. The first
// letter is seldom wrong, and in a short word one letter more or less, or
// another one, makes another word.
func mistyped(typed, meant string) bool {
	for _, p := range strings.Fields(prefixes) {
		if p+meant == typed || p+typed == meant {
			return false
		}
	}
	if transposed(typed, meant) {
		return true
	}
	if typed[0] != meant[0] || len(typed) < 5 {
		return false
	}
	return len(typed) > 5 || len(typed) != len(meant) || neighbours(typed, meant)
}

// transposed reports whether two letters side by side were typed in the wrong
// order.
func transposed(a, b string) bool {
	if len(a) != len(b) {
		return false
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	return i+1 < len(a) && a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:]
}

// keyRows are the rows of the keyboard.
const keyRows = "qwertyuiop asdfghjkl zxcvbnm"

// neighbours reports whether words of one length differ in letters whose keys
// lie side by side.
func neighbours(a, b string) bool {
	for i := range len(a) {
		if a[i] == b[i] {
			continue
		}
		if n := strings.IndexByte(keyRows, a[i]) - strings.IndexByte(keyRows, b[i]); n != 1 && n != -1 {
			return false
		}
	}
	return true
}

// isEnding reports whether a run is a form of a verb that only holds a sentence
// together, such as 돼요, or a verb of one syllable with its ending.
func (lex *lexicon) isEnding(run string) bool {
	if syllables(run) > 4 {
		return false
	}
	for _, end := range lex.endings {
		if rest, ok := strings.CutSuffix(run, end); ok && len(rest) <= 3 && len(end) > 3 || run == end {
			return true
		}
	}
	return syllables(run) == 2 && strings.HasSuffix(run, "요")
}

// sameNoun reports whether a run may be a mistyped form of a word. Of two
// syllables, one jamo makes another word as often as a mistake, so that only
// words that are seen with different particles, or often, are believed.
func sameNoun(core string, meant dictWord) bool {
	if syllables(core) > 2 {
		return true
	}
	return syllables(meant.text) == 2 && (meant.forms > 1 || meant.docs >= trustedDocs)
}

// trustedDocs is the number of documents from which a word is no chance.
const trustedDocs = 3
