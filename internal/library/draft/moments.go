package draft

import "fmt"

// A reading follows the day that a prose speaks of.
type reading struct {
	day     when
	counted bool // the day was counted from another one
	gone    bool // the text went to a day that cannot be told
}

// date completes a point in time of the prose by the day that it speaks of, and
// follows it there. A day that may be one of two stays unknown, until the next
// date: 다음 날 after another one, 당일 where that of the outage has passed.
func (r *reading) date(p *placer, w when) when {
	other := r.day.full() && p.day.full() && r.day.dateOnly().String() != p.day.dateOnly().String()
	dated := w.dated()
	if r.gone = !dated && (r.gone || w.lost || w.next && r.counted || w.sameAsOutage && other); r.gone {
		w.lost = true
	}
	next := w.next
	if w = w.on(r.day); w.lost {
		return w.in(p.zone)
	}
	w = p.complete(w)
	if w.full() {
		r.day, r.counted = w.dateOnly(), next || r.counted && !dated
	}
	return w
}

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
		prose := reading{day: p.day}
		for found < maxMoments {
			at, from, to, ok := findSpan(text)
			if !ok {
				break
			}
			w := prose.date(p, at.from)
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
			text = text[to:]
		}
	}
}
