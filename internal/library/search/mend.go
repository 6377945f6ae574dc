package search

import (
	"slices"
	"strings"
)

// A mend is a place of the query that is read as another word.
type mend struct {
	Range
	meant string
}

// mended returns the query as it was meant.
func (a *analyser) mended() string {
	slices.SortFunc(a.mends, func(m, n mend) int { return m.Start - n.Start })
	var b strings.Builder
	at := 0
	for _, m := range a.mends {
		if m.Start < at {
			continue
		}
		b.WriteString(a.text[at:m.Start] + m.meant)
		at = m.End
	}
	return b.String() + a.text[at:]
}

// mendPhrases finds words that no document has and that, but for one mistake,
// make a term of the vocabulary with the word before: retry stom. The neighbour
// vouches for what would be too little to go by in a short word alone.
func (a *analyser) mendPhrases() {
	if a.q.Literal || a.pasted {
		return
	}
	last := len(a.raw)
	if a.q.Partial {
		last--
	}
	for i := 1; i < last; i++ {
		v, w := a.raw[i-1], a.raw[i]
		if v.kind != w.kind || w.start != v.end+1 || w.stop {
			continue
		}
		meant, ok := "", false
		if w.kind == kindWord {
			meant, ok = a.wordAfter(v.text, w.text)
		} else {
			meant, ok = a.runAfter(v.text, w.text)
		}
		if ok {
			a.raw[i].mended = true
			a.correct(&queryWord{typed: w.text, raw: i}, meant)
		}
	}
}

// wordAfter returns the word that typed was meant to be after prev.
func (a *analyser) wordAfter(prev, typed string) (string, bool) {
	folded, letters := fold(typed)
	if !letters || len(folded) < 4 || a.x.lex.light[folded] || a.x.lex.isCommon(folded) ||
		a.known(a.english.stem(folded, true)) != nil || len(splitWord(prev)) != 1 {
		return "", false
	}
	head := string(wordMark) + a.english.term(prev) + string(wordMark)
	var best dictWord
	for _, p := range a.x.phrases.byWord[head] {
		term := strings.Trim(p.text[len(head):], string(wordMark))
		if term == "" || strings.ContainsRune(term, wordMark) || !slices.ContainsFunc(p.terms, a.x.isBorne) {
			continue
		}
		for _, w := range a.x.dict.words {
			near := w.term == term && !w.hangul && w.docs > best.docs && w.text[0] == folded[0]
			if near && editDistance([]rune(folded), []rune(w.text), 1) == 1 {
				best = w
			}
		}
	}
	return best.text, best.docs > 0
}

// runAfter is wordAfter for runs of syllables. The other form of a verb is no
// mistake.
func (a *analyser) runAfter(prev, typed string) (string, bool) {
	lex := a.x.lex
	core := lex.core(typed)
	_, seen := a.x.dict.byText[core]
	if n := syllables(core); seen || n < 2 || lex.common[core] || lex.common[typed] || lex.koLight[typed] ||
		lex.isEnding(typed) || syllables(prev) < 2 {
		return "", false
	}
	first := []rune(prev)
	for _, head := range []string{prev, lex.core(prev)} {
		for _, p := range a.x.phrases.byPair[pairKey(first[0], first[1])] {
			meant, ok := strings.CutPrefix(p.text, head)
			if ok && slices.ContainsFunc(p.terms, a.x.isBorne) && a.oneSlip(core, meant) {
				return meant, true
			}
		}
	}
	return "", false
}

// oneSlip reports whether runs of as many syllables differ by one jamo that no
// ending of a verb changes.
func (a *analyser) oneSlip(typed, meant string) bool {
	t, m := []rune(typed), []rune(meant)
	if len(t) != len(m) || editDistance(letters(typed, true), letters(meant, true), 1) != 1 {
		return false
	}
	n := len(t) - 1
	return t[n] == m[n] || !slices.Contains(inflections(t[n]), m[n])
}
