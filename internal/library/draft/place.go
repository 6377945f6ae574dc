package draft

import (
	"fmt"
	"slices"
	"strings"
)

// A placer puts the sections of a report into a record.
type placer struct {
	doc      *document
	opt      Options
	rec      *record
	lang     string
	sections []section
	placed   []Placed
	preface  []block // text before the first usual heading
	zone     when    // declared for the whole report
	day      when    // of the incident, where the report states it
	dayNote  string  // how day was found, where that is not plain
	zoneNote string  // the same of zone
	updates  []update
	meridiem bool // the report writes 오전 and 오후
}

func newPlacer(doc *document, opt Options) *placer {
	p := &placer{doc: doc, opt: opt, rec: newRecord()}
	p.lang = languageOf(doc, declaredLanguage(doc))
	blocks := doc.blocks
	if p.lang != "" {
		blocks, p.updates = splitUpdates(blocks)
	}
	p.sections = sections(blocks, doc.notes)
	p.meridiem = anyText(doc.blocks, func(s string) bool {
		return strings.Contains(s, "오전") || strings.Contains(s, "오후")
	})
	return p
}

// anyText reports whether is holds for a paragraph or cell.
func anyText(blocks []block, is func(string) bool) bool {
	return slices.ContainsFunc(blocks, func(b block) bool {
		return is(plain(b.runs)) || anyText(b.blocks, is) ||
			slices.ContainsFunc(b.items, func(one item) bool { return anyText(one.blocks, is) }) ||
			slices.ContainsFunc(b.rows, func(row [][]run) bool {
				return slices.ContainsFunc(row, func(cell []run) bool { return is(plain(cell)) })
			})
	})
}

// place fills the record.
func (p *placer) place() {
	p.origin()
	p.findTitle()
	p.findZone()
	p.findDay()
	if p.lang == "" {
		p.keepAll()
	} else {
		p.placeUpdates()
		for _, s := range p.sections {
			p.section(s)
		}
		p.placePreface()
		p.finishPeriod()
		p.takeDeeds()
		p.finishMoments()
		p.finishLengths()
	}
	p.finishDate()
	p.finishLinks()
	p.finishLeft()
	p.suggest()
}

// keepAll keeps the text of a report in a third language as comments.
func (p *placer) keepAll() {
	p.rec.top = append(p.rec.top, "the report is neither in English nor in Korean: its text stands in comments below")
	for _, s := range p.sections {
		p.notPlaced(s.heading, s.blocks)
	}
}

// notPlaced keeps a section as a comment.
func (p *placer) notPlaced(title string, blocks []block) {
	text := markdown(blocks)
	switch {
	case title == "" && text == "":
		return
	case title == "":
		p.rec.rest = append(p.rec.rest, "not placed:\n"+text)
		return
	case text == "":
		p.rec.rest = append(p.rec.rest, "not placed: "+title+" (a heading without text)")
	case keyOf(title) == "people":
		p.rec.rest = append(p.rec.rest, "not placed: "+title+" (a case names no persons: delete this)\n"+text)
	default:
		p.rec.rest = append(p.rec.rest, "not placed: "+title+"\n"+text)
	}
	p.placed = append(p.placed, Placed{Heading: title})
}

// factKinds are the sections in which facts are looked for. Elsewhere "key:
// value" is usually prose.
var factKinds = map[kind]bool{unknown: true, preamble: true, facts: true, summary: true, impact: true}

// section places one section.
func (p *placer) section(s section) {
	s.blocks = p.takeLinks(p.takePosted(s.blocks))
	if key := keyOf(s.heading); key != "" && s.kind == unknown && key != "people" && len(s.blocks) > 0 {
		p.placed = append(p.placed, Placed{Heading: s.heading, Field: key})
		p.fact(fact{name: s.heading, key: key, value: lineOf(s.blocks)})
		return
	}
	if factKinds[s.kind] && keyOf(s.heading) != "people" {
		var rest []block
		for _, b := range s.blocks {
			if list, ok := factsOf(b); ok {
				rest = append(rest, p.factList(s, list)...)
				continue
			}
			rest = append(rest, b)
		}
		if len(rest) == 0 && len(s.blocks) > 0 && s.kind != preamble {
			if s.heading != "" {
				p.rec.rest = append(p.rec.rest, "facts were read from: "+s.heading)
				p.placed = append(p.placed, Placed{Heading: s.heading, Field: "facts"})
			}
			return
		}
		s.blocks = rest
	}
	p.put(s)
}

// takePosted takes lines like "Posted Oct 22, 2025 - 09:30 UTC" out of blocks.
func (p *placer) takePosted(blocks []block) []block {
	return slices.DeleteFunc(slices.Clone(blocks), func(b block) bool {
		at, ok := postedAt(b)
		if !ok || !at.from.full() && stampOf(b.runs) == "" {
			return false
		}
		p.publish(fact{name: "line", value: plain(b.runs), stamp: stampOf(b.runs)})
		return true
	})
}

// takeLinks takes lines like "Links: https://..." out of blocks. They stand at
// the end of a report, below whatever its last section is.
func (p *placer) takeLinks(blocks []block) []block {
	return slices.DeleteFunc(slices.Clone(blocks), func(b block) bool {
		if b.kind != paragraph {
			return false
		}
		text := plain(b.runs)
		first, _, _ := strings.Cut(text, "\n")
		f, ok := factOf(first)
		if !ok || f.kind != links || !webAddress.MatchString(text) || strings.ContainsFunc(webAddress.ReplaceAllString(f.value, ""), isWord) {
			return false
		}
		p.rec.referenceNotes = append(p.rec.referenceNotes, "in the report: "+text)
		return true
	})
}

// factList places facts. Those without a usual name stay with the text of a
// section about the incident, and are returned as a list.
func (p *placer) factList(s section, found []fact) []block {
	var items []item
	for _, f := range found {
		if f.head {
			p.rec.rest = append(p.rec.rest, "columns: "+f.name+" | "+f.value)
			continue
		}
		if (s.kind == impact || s.kind == summary) && !f.known() {
			items = append(items, item{blocks: []block{{kind: paragraph, runs: []run{{text: f.String()}}}}})
			continue
		}
		p.fact(f)
	}
	if items == nil {
		return nil
	}
	return []block{{kind: list, items: items}}
}

// put places the prose of a section by its kind.
func (p *placer) put(s section) {
	note := fromNote(s)
	text, said := markdown(s.blocks), proseOf(s.blocks)
	name := fieldNames[s.kind]
	switch s.kind {
	case preamble:
		p.preface = append(p.preface, p.takeByline(s.blocks)...)
		return
	case summary:
		p.rec.summary.add(note, said)
	case narrative:
		p.narrate(s, text)
	case impact:
		p.rec.scope.add(note, said)
	case symptoms:
		p.rec.symptoms.add(note, text)
	case trigger:
		p.rec.trigger.add(note, said)
	case detection:
		p.rec.detection.add(note, said)
	case cause, contributing:
		p.placeCauses(s, note)
	case resolution:
		p.placeList(&p.rec.actions, s.blocks, note, true)
	case followups:
		p.placeList(&p.rec.followups, s.blocks, note, false)
	case lessons:
		p.placeList(&p.rec.lessons, s.blocks, note, false)
	case timeline:
		p.timeline(s, note)
	case links:
		p.placeLinks(s, note)
	default:
		title := s.heading
		if s.kind == footnotes {
			title = "footnotes"
		}
		p.notPlaced(title, s.blocks)
		return
	}
	p.placed = append(p.placed, Placed{Heading: s.heading, Field: name})
}

// fieldNames are the case fields that the kinds go to.
var fieldNames = map[kind]string{
	summary: "summary", narrative: "narrative", impact: "impact", symptoms: "symptoms", trigger: "trigger",
	detection: "detection", cause: "causes", contributing: "causes", resolution: "actions",
	followups: "followups", lessons: "lessons", timeline: "observed", links: "references",
}

func fromNote(s section) string {
	switch {
	case s.heading == "":
		return ""
	case s.inherited:
		return "under: " + s.heading
	}
	return "from: " + s.heading
}

// narrate adds to the narrative, in which headings below the first stay.
func (p *placer) narrate(s section, text string) {
	if s.inherited {
		p.rec.narrative.add("", "**"+escape(s.heading)+"**")
		p.rec.narrative.add("", text)
		return
	}
	p.rec.narrative.add(fromNote(s), text)
}

// complete gives w the day and zone of the report where it lacks them.
func (p *placer) complete(w when) when {
	w = w.on(p.day).in(p.zone)
	if w.bare && !p.meridiem {
		w.bare = false // a report without 오전 and 오후 counts to 24
	}
	return w
}

// placePreface places what stands before the first usual heading: it is the
// summary where there is no other, and the beginning of the story elsewhere.
func (p *placer) placePreface() {
	text := markdown(p.preface)
	if text == "" {
		return
	}
	note := "from: the text before the first heading"
	if p.rec.summary.text == "" {
		p.rec.summary.add(note, proseOf(p.preface))
		p.placed = append([]Placed{{Field: "summary"}}, p.placed...)
		return
	}
	p.rec.narrative.text = strings.TrimSpace(text + "\n\n" + p.rec.narrative.text)
	p.rec.narrative.notes = append([]string{note}, p.rec.narrative.notes...)
	p.placed = append([]Placed{{Field: "narrative"}}, p.placed...)
}

// finishLeft notes what was left out of the draft.
func (p *placer) finishLeft() {
	for _, l := range p.doc.left {
		line := "left out: " + l.what
		if l.chars > 0 {
			sample := []rune(l.sample)
			if len(sample) > 60 {
				sample = append(sample[:60], '…')
			}
			line += fmt.Sprintf(" (%s characters): %q", thousands(l.chars), string(sample))
		}
		p.rec.top = append(p.rec.top, line)
	}
}

func thousands(n int) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%s,%03d", thousands(n/1000), n%1000)
}
