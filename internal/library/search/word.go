package search

import (
	"cmp"
	"slices"
	"strconv"
)

// word returns the word of the plan for word i of the query; false if it is
// not searched for.
func (a *analyser) word(i int) (queryWord, bool) {
	raw := a.raw[i]
	if raw.stop || raw.mended || raw.zone == zoneField {
		return queryWord{}, false
	}
	w := queryWord{typed: raw.text, raw: i}
	if raw.kind == kindPair {
		a.runOptions(&w, i)
	} else {
		if a.pasted && isRandomPart(raw.text) {
			a.plan.dropped++
			return queryWord{}, false
		}
		a.wordOptions(&w, i)
	}
	if raw.zone != zoneText {
		w.weight *= lightFactor
		w.light = true
	}
	if len(w.options) == 0 {
		if !w.light {
			a.missed = append(a.missed, i)
		}
		return queryWord{}, false
	}
	return w, true
}

// isRandomPart reports whether a word of a log line is a random suffix or id
// that only this log has.
func isRandomPart(s string) bool { return len(s) >= 7 && (isHash(s) || isRandom(s)) }

// wordOptions fills in how a word chunk can be matched.
func (a *analyser) wordOptions(w *queryWord, i int) {
	s := a.raw[i].text
	parts := splitWord(s)
	if len(parts) > 1 && len(s) <= maxWhole {
		a.option(w, 1, []slot{{1, a.known(a.english.whole(s))}})
	}
	slots := a.partSlots(s, parts)
	factor := float32(1)
	if len(parts) > 1 {
		factor = partsFactor
	}
	a.option(w, factor, slots)
	last := a.q.Partial && i == len(a.raw)-1
	if last {
		a.completions(w, s)
	}
	if len(w.options) == 0 && !last {
		a.otherReadings(w, s, i)
	} else if len(parts) == 1 {
		a.suggestRare(w, s, i)
	}
	plain := a.plainness(s)
	w.weight *= plain
	w.light = plain <= lightFactor
}

// partSlots returns a slot for each part of a word that the index has. Parts
// that it does not have keep their share, which nothing can then earn.
func (a *analyser) partSlots(s string, parts []Range) []slot {
	var slots []slot
	total := 0
	for _, p := range parts {
		part := s[p.Start:p.End]
		folded, _ := fold(part)
		if a.x.lex.stop[folded] || a.pasted && len(parts) > 1 && isHash(part) {
			continue
		}
		total++
		if alts := a.known(a.english.term(part)); alts != nil {
			slots = append(slots, slot{alts: alts})
		}
	}
	for i := range slots {
		slots[i].share = 1 / float32(total)
	}
	return slots
}

// known returns the term as the only alternative, or nil if no document has it.
func (a *analyser) known(term string) []alternative {
	if t, ok := a.x.words[term]; ok {
		return one(t)
	}
	return nil
}

// option adds a reading to a word, unless nothing of it is in the index. The
// word weighs what the rarest slot of its readings does.
func (a *analyser) option(w *queryWord, factor float32, slots []slot) {
	var weight float32
	n := 0
	for _, s := range slots {
		if len(s.alts) == 0 {
			continue
		}
		n++
		if s.share > endingShare/8 {
			weight = max(weight, a.x.idf[s.alts[0].term])
		}
	}
	if n == 0 {
		return
	}
	slices.SortStableFunc(slots, func(s, t slot) int { return cmp.Compare(a.frequency(s), a.frequency(t)) })
	w.options = append(w.options, option{factor, slots})
	w.weight = max(w.weight, weight)
}

// frequency is the number of postings of a slot.
func (a *analyser) frequency(s slot) int {
	n := 0
	for _, alt := range s.alts {
		n += int(a.x.post.df[alt.term])
	}
	return n
}

// plainness is less than one for words that say little about an incident.
func (a *analyser) plainness(s string) float32 {
	folded, _ := fold(s)
	if a.x.lex.light[folded] {
		return lightFactor
	}
	n, err := strconv.Atoi(folded)
	switch {
	case err != nil:
		return 1
	case n >= 400 && n < 600: // status codes of HTTP
		return 1
	case a.pasted:
		return numberFactor / 2
	}
	return numberFactor
}

// completions adds the words that an unfinished word may become.
func (a *analyser) completions(w *queryWord, s string) {
	folded, ok := fold(s)
	if !ok || len(folded) < 2 {
		return
	}
	var alts []alternative
	for _, d := range a.x.dict.complete(folded, 8) {
		if t, ok := a.x.words[d.term]; ok {
			alts = append(alts, alternative{t, 1})
		}
	}
	a.option(w, 1, []slot{{1, alts}})
}

// otherReadings finds what a word that no document has may mean: two words
// written as one, a typing mistake, or Korean typed with the keyboard set to
// English.
func (a *analyser) otherReadings(w *queryWord, s string, i int) {
	folded, lettersOnly := fold(s)
	if !lettersOnly || a.x.lex.light[folded] {
		return
	}
	if slots := a.splitCompound(folded); slots != nil {
		a.option(w, splitFactor, slots)
		return
	}
	if !a.mayCorrect(i) {
		return
	}
	if run := fromKeyboard(s); run != "" && a.x.dict.isWord(a.x.lex.core(run)) {
		a.correct(w, run)
		a.option(w, correctedFactor, a.runSlots(run))
		return
	}
	if a.x.lex.isCommon(folded) {
		return
	}
	meant, ok := a.x.dict.nearest(folded, false, maxDistance(folded), 1)
	if ok && mistyped(folded, meant.text) {
		a.correct(w, meant.text)
		a.option(w, correctedFactor, []slot{{1, a.known(meant.term)}})
	}
}

// maxDistance is the number of mistakes allowed in a word of letters.
func maxDistance(s string) int {
	switch {
	case len(s) < 4:
		return 0
	case len(s) < 7:
		return 1
	}
	return 2
}

// mayCorrect reports whether the dictionary may be consulted once more.
// Words of a pasted text and of the vocabulary are no typing mistakes.
func (a *analyser) mayCorrect(i int) bool {
	if a.q.Literal || a.raw[i].named || a.pasted || a.lookups >= maxCorrections {
		return false
	}
	a.lookups++
	return true
}

func (a *analyser) correct(w *queryWord, meant string) {
	raw := a.raw[w.raw]
	a.mends = append(a.mends, mend{Range{raw.start, raw.end}, meant})
	a.plan.corrections = append(a.plan.corrections, Correction{w.typed, meant})
}

// suggestRare proposes a much more frequent neighbour of a rare word.
func (a *analyser) suggestRare(w *queryWord, s string, i int) {
	folded, lettersOnly := fold(s)
	if !lettersOnly || len(folded) < 5 || len(a.x.docs) < 50 {
		return
	}
	at, ok := a.x.dict.byText[folded]
	if !ok || a.x.dict.words[at].docs > 1 || a.x.lex.isCommon(folded) || !a.mayCorrect(i) {
		return
	}
	meant, ok := a.x.dict.nearest(folded, false, 1, 10)
	if ok && mistyped(folded, meant.text) && meant.term != a.x.dict.words[at].term {
		a.plan.suggestions = append(a.plan.suggestions, Correction{w.typed, meant.text})
	}
}

// splitCompound returns the two words that folded consists of, if the index
// has both (healthcheck). Of several places the one with the commoner halves wins,
// since a chance split leaves a rare scrap.
func (a *analyser) splitCompound(folded string) []slot {
	var best []slot
	var bestScore uint64
	for i := 3; i <= len(folded)-3; i++ {
		left, right := a.dictTerm(folded[:i]), a.known(a.english.stem(folded[i:], true))
		if left == nil || right == nil {
			continue
		}
		score := uint64(a.x.post.df[left[0].term]) * uint64(a.x.post.df[right[0].term])
		if best == nil || score > bestScore {
			best, bestScore = []slot{{0.5, left}, {0.5, right}}, score
		}
	}
	return best
}

// dictTerm returns the term of a word that some text has in this very form.
func (a *analyser) dictTerm(folded string) []alternative {
	at, ok := a.x.dict.byText[folded]
	if !ok {
		return nil
	}
	return a.known(a.x.dict.words[at].term)
}
