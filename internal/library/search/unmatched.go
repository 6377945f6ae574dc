package search

// maxUnmatched bounds the words that a result lists as in no document.
const maxUnmatched = 8

// pastedMissing is what an unknown word of a pasted text counts, in which most
// words are names of one program.
const pastedMissing = 0.3

// absentMissing is what a term that no document bears counts besides. Its words
// may stand in documents, each by itself, and say something else there: data
// center fire is not an alert of a data center that fires.
const absentMissing = 0.7

// unmatched notes the words that no document has, as a reader would name them:
// an identifier of many parts as a whole, and only if no document has any of
// its parts; no word that is part of a term that some document has.
func (a *analyser) unmatched(text string) {
	seen, partly := map[string]bool{}, map[Range]bool{}
	for i := range a.wanted {
		partly[a.raw[i].chunk] = true
	}
	unknown := idf(len(a.x.docs), 0)
	if a.pasted {
		unknown *= pastedMissing
	}
	for _, i := range a.missed {
		w := a.raw[i]
		if w.held || partly[w.chunk] {
			continue
		}
		typed := text[w.chunk.Start:w.chunk.End]
		folded, letters := fold(typed)
		if seen[folded] || a.pasted && (!letters && w.kind == kindWord || len(folded) < 3) {
			continue
		}
		seen[folded] = true
		a.plan.missing += unknown
		if len(a.plan.unmatched) < maxUnmatched {
			a.plan.unmatched = append(a.plan.unmatched, typed)
		}
	}
}
