package search

import "strings"

// runOptions fills in how a run of syllables can be matched.
func (a *analyser) runOptions(w *queryWord, i int) {
	run := a.raw[i].text
	if syllables(run) == 1 {
		a.option(w, 1, []slot{{1, a.single(i)}})
		w.weight *= numberFactor
		w.light = a.x.lex.koLight[run]
		return
	}
	if a.x.lex.koLight[run] || a.x.lex.isEnding(run) {
		w.light = true
		defer func() { w.weight *= lightFactor }()
	}
	slots := a.runSlots(run)
	if missing(slots) {
		if meant, slots := a.meantRun(run, slots, i); slots != nil {
			a.correct(w, meant)
			a.option(w, correctedFactor, slots)
			return
		}
	}
	a.option(w, 1, slots)
}

// single returns the terms for a run of one syllable: alone, or at the border
// to a neighbour that the text may write without the space.
func (a *analyser) single(i int) []alternative {
	r := []rune(a.raw[i].text)[0]
	var alts []alternative
	add := func(key uint64) {
		if t, ok := a.x.pairs[key]; ok {
			alts = append(alts, alternative{t, 1})
		}
	}
	add(pairKey(0, r))
	if i > 0 && a.adjacent(i-1) {
		prev := []rune(a.raw[i-1].text)
		add(pairKey(prev[len(prev)-1], r))
	}
	if i+1 < len(a.raw) && a.adjacent(i) {
		add(pairKey(r, []rune(a.raw[i+1].text)[0]))
	}
	return alts
}

// adjacent reports whether words i and i+1 are runs with one space between.
func (a *analyser) adjacent(i int) bool {
	v, w := a.raw[i], a.raw[i+1]
	return v.kind == kindPair && w.kind == kindPair && w.start == v.end+1
}

// runSlots returns a slot for each pair of syllables. The pairs that reach into
// a particle or ending share little. The last pair of the stem may be inflected.
func (a *analyser) runSlots(run string) []slot {
	lex := a.x.lex
	stem := lex.core(run)
	dict := a.x.dict
	if stem != run && (dict.isNoun(run) || !dict.isWord(stem) && dict.isWord(run)) {
		stem = run // 재시도 is not 재시 with a particle, nor 인증서 인증
	}
	noun := dict.isNoun(stem)
	chars := []rune(run)
	inStem := syllables(stem)
	if len(chars) > maxSlots {
		chars = chars[:maxSlots]
	}
	if len(chars) == 2 {
		if r, ok := lex.noun(chars); ok && !dict.isWord(run) {
			if t, ok := a.x.pairs[pairKey(0, r)]; ok {
				return []slot{{1, one(t)}}
			}
		}
	}
	var slots []slot
	var total float32
	for i := 1; i < len(chars); i++ {
		s := slot{share: 1}
		if i >= inStem {
			s.share = endingShare
		}
		s.alts = a.pairAlts(chars[i-1], chars[i], i == inStem-1 && !noun)
		total += s.share
		slots = append(slots, s)
	}
	for i := range slots {
		slots[i].share /= total
	}
	return slots
}

// pairAlts returns the term of a pair and, at the end of a stem, those of its
// inflected forms.
func (a *analyser) pairAlts(p, r rune, last bool) []alternative {
	var alts []alternative
	if t, ok := a.x.pairs[pairKey(p, r)]; ok {
		alts = append(alts, alternative{t, 1})
	}
	if !last {
		return alts
	}
	for _, f := range inflections(r) {
		if t, ok := a.x.pairs[pairKey(p, f)]; ok {
			alts = append(alts, alternative{t, inflectedFactor})
		}
	}
	return alts
}

// missing reports whether a pair of the stem is in no document.
func missing(slots []slot) bool {
	for _, s := range slots {
		if len(s.alts) == 0 && s.share > 1/float32(len(slots)+1) {
			return true
		}
	}
	return len(slots) == 0
}

// meantRun returns the likeliest word that a run with missing pairs was meant
// to be. If only the end is missing, that is rather an ending than a mistake,
// and only one wrong jamo is believed.
func (a *analyser) meantRun(run string, slots []slot, i int) (string, []slot) {
	if !a.mayCorrect(i) {
		return "", nil
	}
	word := fromHangul(run)
	if alts := a.dictTerm(word); alts != nil {
		return word, []slot{{1, alts}}
	}
	core := a.x.lex.core(run)
	n := syllables(core)
	if a.x.lex.isEnding(run) || a.x.lex.common[core] || a.x.lex.common[run] {
		return "", nil
	}
	distance := 2
	if n <= 3 || n >= 4 && len(slots) >= n-1 && onlyLastMissing(slots[:n-1]) {
		distance = 1
	}
	meant, ok := a.x.dict.nearest(core, true, distance, 1)
	if !ok || strings.HasPrefix(meant.text, core) || !sameNoun(core, meant) || a.otherEnding(core, meant.text) {
		return "", nil
	}
	return meant.text, a.runSlots(meant.text)
}

// otherEnding reports whether a run and what it may be meant to be are one noun
// with different endings, or differ by a syllable: 서비스끼리 is not 서비스까지, nor
// 배터리 버리.
func (a *analyser) otherEnding(core, meant string) bool {
	if syllables(core) != syllables(meant) {
		return true
	}
	noun := a.x.lex.core(meant)
	return noun != meant && strings.HasPrefix(core, noun)
}

func onlyLastMissing(slots []slot) bool {
	for _, s := range slots[:len(slots)-1] {
		if len(s.alts) == 0 {
			return false
		}
	}
	return true
}
