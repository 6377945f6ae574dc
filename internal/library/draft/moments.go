package draft

import "fmt"

// maxMoments bounds how many points in time in prose are noted.
const maxMoments = 8

// finishMoments notes the points in time that only the prose states, as a case
// file would have them. Which of them began or ended the incident is for the
// editor to say.
func (p *placer) finishMoments() {
	seen := map[string]bool{}
	for _, at := range p.rec.times {
		seen[at.at] = true
	}
	for _, e := range p.rec.observed.list {
		seen[e.at] = true
	}
	found := 0
	for _, text := range []string{p.rec.summary.text, p.rec.scope.text, p.rec.narrative.text} {
		day := p.day
		for found < maxMoments {
			at, from, to, ok := findSpan(text)
			if !ok {
				break
			}
			w := p.complete(at.from.on(day))
			for _, one := range []*when{&w, at.until} {
				if one == nil {
					continue
				}
				end := p.complete(one.on(w).in(w))
				if end.usable() && !seen[end.String()] {
					seen[end.String()] = true
					p.rec.timeNotes = append(p.rec.timeNotes,
						fmt.Sprintf("a time in the text: %s (%s)", text[from:to], end))
					found++
				}
			}
			if w.full() {
				day = w.dateOnly()
			}
			text = text[to:]
		}
	}
}
