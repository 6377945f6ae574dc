package draft

import (
	"fmt"

	"github.com/openprecedent/precedent/internal/lazyregexp"
)

var (
	lengthBefore = lazyregexp.New(`(?i)\b(?:lasted|lasting|for|took|over|within|after|total of)\s+(?:[a-z]+ ){0,2}$|(?:총|약) ?$`)
	lengthBehind = lazyregexp.New(`^ ?(?:동안|간|만에|가량|지속|이어|뒤)`)
	lastedBefore = lazyregexp.New(`(?i)\b(?:outage|incident|disruption|downtime)\b[^.\n]{0,60}\blast(?:ed|ing)\s+(?:[a-z]+ ){0,2}$`)
	lastedKo     = lazyregexp.New(`장애[^.\n]{0,60}$`)
	lastedBehind = lazyregexp.New(`^ ?(?:동안|간)? ?(?:지속|이어|계속)`)
)

// maxLengths bounds how many lengths in prose are noted.
const maxLengths = 6

// finishLengths looks for lengths in the prose. One that is said of the outage
// itself is placed, the others are noted for the editor.
func (p *placer) finishLengths() {
	found := 0
	for _, text := range []string{p.rec.summary.text, p.rec.scope.text, p.rec.narrative.text} {
		for found < maxLengths {
			l, from, to, ok := findLength(text)
			if !ok {
				break
			}
			before, behind := text[max(0, from-100):from], text[to:]
			said := phraseAround(text, from, to)
			whole := lastedBefore.MatchString(before) || lastedKo.MatchString(before) && lastedBehind.MatchString(behind)
			switch {
			case whole && p.rec.durations["resolve"] == nil:
				p.rec.durations["resolve"] = &lengthField{length: l, notes: []string{"the text states: " + said}}
				found++
			case l.behind || lengthBefore.MatchString(before) || lengthBehind.MatchString(behind):
				p.rec.lengthNotes = append(p.rec.lengthNotes, fmt.Sprintf("a length in the text: %s (%s)", said, l.value))
				found++
			}
			text = behind
		}
	}
}

// phraseAround returns text[from:to] with some words on both sides.
func phraseAround(text string, from, to int) string {
	words := func(r byte) bool { return r == ' ' || r == '\n' }
	for n := 0; from > 0 && n < 4 && text[from-1] != '\n'; {
		from--
		if from == 0 || words(text[from-1]) {
			n++
		}
	}
	for n := 0; to < len(text) && n < 3 && text[to] != '\n'; {
		to++
		if to == len(text) || words(text[to]) {
			n++
		}
	}
	return text[from:to]
}
