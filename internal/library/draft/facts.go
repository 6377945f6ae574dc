package draft

import "strings"

// fact places one fact. What no field takes becomes a note.
func (p *placer) fact(f fact) {
	if f.value == "" {
		p.rec.rest = append(p.rec.rest, "not placed: "+f.String())
		return
	}
	if p.timeFact(f) || p.lengthFact(f) || p.textFact(f) {
		return
	}
	if kind := f.kindOfValue(); kind != unknown {
		b := block{kind: paragraph, runs: []run{{text: f.value}}}
		p.put(section{heading: f.name, kind: kind, blocks: []block{b}})
		return
	}
	note := "not placed: " + f.String()
	if f.key == "people" {
		note += " (a case names no persons: delete this)"
	}
	p.rec.rest = append(p.rec.rest, note)
}

// kindOfValue is the section that the value of a fact could be.
func (f fact) kindOfValue() kind {
	if f.kind != unknown {
		return f.kind
	}
	switch f.key {
	case "detected":
		return detection
	case "resolved", "mitigated":
		return resolution
	}
	return unknown
}

// timeFact places points and periods in time.
func (p *placer) timeFact(f fact) bool {
	switch f.key {
	case "published":
		p.publish(f)
		return true
	case "start", "detected", "identified", "mitigated", "resolved", "date", "period":
	default:
		return false
	}
	at, _, end, ok := findSpan(f.value)
	if f.stamp != "" {
		if w, n := scanWhen(f.stamp); n == len(f.stamp) {
			at, end, ok = span{from: w}, len(f.value), true
		}
	}
	if !ok {
		return false
	}
	from := p.complete(at.from)
	if f.key == "date" || f.key == "period" {
		return p.periodFact(f, from, at.until)
	}
	if from.String() == "" {
		return false
	}
	p.instant(f.key, from, f)
	if until := at.until; until != nil && f.key == "start" {
		p.instant("resolved", p.complete(*until), f)
	}
	if kind := f.kindOfValue(); kind != unknown && strings.ContainsFunc(f.value[end:], isWord) {
		b := block{kind: paragraph, runs: []run{{text: f.value}}}
		p.put(section{heading: f.name, kind: kind, blocks: []block{b}})
	}
	return true
}

// periodFact places the day or period of the incident; from may lack a clock.
func (p *placer) periodFact(f fact, from when, until *when) bool {
	if from.String() == "" {
		return false
	}
	if p.rec.date.text == "" && from.full() {
		p.rec.date.add("stated: "+f.String(), from.dateOnly().String())
		p.rec.dateKind.text = "occurred"
	} else {
		p.rec.timeNotes = append(p.rec.timeNotes, "stated: "+f.String())
	}
	p.rec.date.notes = append(p.rec.date.notes, from.problems...)
	if from.usable() {
		p.instant("start", from, f)
	}
	if until != nil {
		if end := p.complete(*until); end.String() != "" {
			p.instant("resolved", end, f)
		}
	}
	if l, _, _, ok := findLength(f.value); ok && f.key == "period" {
		p.length("resolve", l, f)
	}
	return true
}

// instant sets one of the times, unless it is set already.
func (p *placer) instant(key string, w when, f fact) {
	if have := p.rec.times[key]; have != nil {
		have.notes = append(have.notes, "also stated: "+f.String())
		return
	}
	at := &instant{at: w.String(), about: w.about, notes: []string{"stated: " + f.String()}}
	if w.usable() {
		at.zone = w.zone
		if !strings.Contains(f.value, w.zone) {
			at.notes = append(at.notes, "the zone is that of the rest of the report")
		}
	} else if w.clock {
		at.notes = append(at.notes, "the clock time has no zone that names one offset")
	}
	at.notes = append(at.notes, w.problems...)
	p.rec.times[key] = at
}

// lengthFact places durations.
func (p *placer) lengthFact(f fact) bool {
	key := f.key
	switch key {
	case "detect", "identify", "mitigate", "resolve":
	case "period":
		key = "resolve"
	case "detected", "mitigated", "resolved":
		// "Resolution time: 3 hours" tells a length under the name of a time.
		key = map[string]string{"detected": "detect", "mitigated": "mitigate", "resolved": "resolve"}[key]
		if _, n := scanLength(f.value); n == 0 || strings.ContainsFunc(f.value[n:], isWord) {
			return false
		}
	default:
		return false
	}
	l, _, _, ok := findLength(f.value)
	if !ok {
		return false
	}
	p.length(key, l, f)
	return true
}

func (p *placer) length(key string, l length, f fact) {
	if have := p.rec.durations[key]; have != nil {
		have.notes = append(have.notes, "also stated: "+f.String())
		return
	}
	p.rec.durations[key] = &lengthField{length: l, notes: []string{"stated: " + f.String()}}
}

// textFact places facts that are names or short texts.
func (p *placer) textFact(f fact) bool {
	note := "stated: " + f.String()
	set := func(to *field) {
		if to.text == "" {
			to.add(note, f.value)
		} else {
			to.notes = append(to.notes, "also "+note)
		}
	}
	switch f.key {
	case "title":
		set(&p.rec.title)
	case "severity":
		set(&p.rec.severity)
	case "product":
		set(&p.rec.product)
	case "org":
		set(&p.rec.org)
	case "users":
		p.rec.users.add(note, f.value)
	case "regions":
		p.rec.regionNotes = append(p.rec.regionNotes, note)
		for _, name := range strings.FieldsFunc(f.value, func(r rune) bool { return r == ',' || r == ';' || r == '\n' }) {
			p.rec.regions = append(p.rec.regions, strings.TrimSpace(name))
		}
	case "url":
		if p.rec.source.url == "" && isWeb(f.value) {
			p.rec.source.url = f.value
			p.rec.source.notes = append(p.rec.source.notes, note)
			return true
		}
		return p.rec.source.url == f.value
	default:
		return false
	}
	return true
}

// findZone looks for the zone that the report declares for all its times.
func (p *placer) findZone() {
	clash := false
	anyText(p.doc.blocks, func(s string) bool {
		z, ok := declaresZone(s)
		if ok && p.zone.zone != "" && (z.zoned != p.zone.zoned || z.offset != p.zone.offset || !z.zoned && z.zone != p.zone.zone) {
			clash = true
		}
		if ok && p.zone.zone == "" {
			p.zone = z
		}
		return false
	})
	if clash {
		p.zone = when{}
	} else if p.zone.zone == "" {
		p.onlyZone()
	}
}

// onlyZone takes the one zone that the report names beside clock times, if it
// names just one.
func (p *placer) onlyZone() {
	var zone when
	clash := false
	anyText(p.doc.blocks, func(text string) bool {
		eachSpan(text, func(w when, _ string) {
			if w.zoned && w.zone != "" {
				clash = clash || zone.zone != "" && zone.offset != w.offset
				zone = when{zone: w.zone, zoned: true, offset: w.offset}
			}
		})
		return clash
	})
	if zone.zone != "" && !clash {
		p.zone = zone
		p.zoneNote = "clock times without a zone are taken to be in the one zone that the report names: " + zone.zone
	}
}

// eachSpan visits the points in time in text, each with its wording.
func eachSpan(text string, visit func(w when, wording string)) {
	for {
		at, from, to, ok := findSpan(text)
		if !ok {
			return
		}
		visit(at.from, text[from:to])
		text = text[to:]
	}
}

// findDay looks for the day of the incident, which clock times without a date
// are taken to be on: a stated date, or the date in the title.
func (p *placer) findDay() {
	for _, s := range p.sections {
		if !factKinds[s.kind] {
			continue
		}
		for _, b := range s.blocks {
			list, _ := factsOf(b)
			for _, f := range list {
				p.dayOf(f)
			}
		}
		if key := keyOf(s.heading); key != "" && len(s.blocks) > 0 {
			p.dayOf(fact{key: key, value: lineOf(s.blocks)})
		}
	}
	if at, _, _, ok := findSpan(p.rec.title.text); ok && !p.day.full() && at.from.full() {
		p.day = at.from.dateOnly()
	}
	if !p.day.full() {
		p.onlyDay()
	}
}

// onlyDay takes the one day that the report names, if it names just one.
func (p *placer) onlyDay() {
	days := map[string]when{}
	first := ""
	for i, s := range p.sections {
		anyText(s.blocks, func(text string) bool {
			if i < 2 && isByline(text) {
				return false
			}
			eachSpan(text, func(w when, wording string) {
				if w.full() {
					days[w.dateOnly().String()] = w.dateOnly()
					first = wording
				}
			})
			return false
		})
	}
	if len(days) == 1 {
		for _, day := range days {
			p.day = day
		}
		p.dayNote = "clock times without a date are taken to be of the one day that the report names: " + first
	}
}

func (p *placer) dayOf(f fact) {
	switch f.key {
	case "date", "start", "period":
		if at, _, _, ok := findSpan(f.value); ok && !p.day.full() && at.from.full() {
			p.day = at.from.dateOnly()
		}
	}
}

// finishDate sets the sort key: the stated day, the start, the first entry of
// the timeline, the date in the title or summary, or the day of publication.
func (p *placer) finishDate() {
	d := &p.rec.date
	if d.text != "" {
		return
	}
	set := func(at, why, kind string) bool {
		if len(at) < len("2006-01-02") {
			return false
		}
		d.add(why, at[:len("2006-01-02")])
		p.rec.dateKind.text = kind
		return true
	}
	if at := p.rec.times["start"]; at != nil && set(at.at, "the day of times.start", "occurred") {
		return
	}
	for _, e := range p.rec.observed.list {
		if set(e.at, "the day of the first observation", "occurred") {
			return
		}
	}
	for _, text := range []string{p.rec.title.text, p.rec.summary.text} {
		if at, from, to, ok := findSpan(text[:min(len(text), 2000)]); ok && at.from.full() &&
			set(at.from.String(), "the first date in title or summary, check: "+text[from:to], "occurred") {
			d.notes = append(d.notes, at.from.problems...)
			return
		}
	}
	if at := p.rec.times["published"]; at != nil {
		set(at.at, "", "published")
	}
}
