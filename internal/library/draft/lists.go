package draft

import (
	"slices"
	"strings"
)

func (p *placer) placeCauses(s section, note string) {
	role := "root"
	if s.kind == contributing {
		role = "contributing"
	}
	before := len(p.rec.causes.list)
	if len(s.blocks) > 0 && slices.ContainsFunc(s.blocks, func(b block) bool { return b.kind != list && b.kind != paragraph }) ||
		!slices.ContainsFunc(s.blocks, func(b block) bool { return b.kind == list }) {
		p.oneCause(s, note)
	} else {
		p.placeList(&p.rec.causes, s.blocks, note, false)
	}
	for i := before; i < len(p.rec.causes.list); i++ {
		p.rec.causes.list[i].role = role
	}
}

// oneCause makes one cause of a section. What stands below a heading of its
// own goes on about the cause before it.
func (p *placer) oneCause(s section, note string) {
	text := proseOf(s.blocks)
	last := len(p.rec.causes.list) - 1
	switch {
	case text == "":
		p.rec.causes.note(note)
	case s.inherited && last >= 0 && len(p.rec.causes.pending) == 0:
		e := &p.rec.causes.list[last]
		e.notes = append(e.notes, note)
		e.text += "\n\n" + text
	default:
		p.rec.causes.note(note)
		p.rec.causes.add(entry{text: text})
	}
}

// placeList makes an entry of each list element, table row and paragraph. A
// paragraph that only leads over to a list becomes a note.
func (p *placer) placeList(to *entries, blocks []block, note string, timed bool) {
	to.note(note)
	blocks = p.takeEnd(blocks)
	for i, b := range blocks {
		switch b.kind {
		case list:
			for _, one := range b.items {
				to.add(p.listEntry(one, timed))
			}
		case table:
			p.placeRows(to, b)
		case paragraph:
			next := paragraph
			if i+1 < len(blocks) {
				next = blocks[i+1].kind
			}
			text := plain(b.runs)
			if next == list || next == table || next != code && strings.HasSuffix(text, ":") || allStrong(b.runs) {
				to.note("in the report: " + text)
				continue
			}
			to.add(p.listEntry(item{blocks: []block{b}}, timed))
		default:
			text := markdownBlock(b)
			if last := len(to.list) - 1; last >= 0 && len(to.pending) == 0 {
				to.list[last].text += "\n\n" + text
			} else {
				to.add(entry{text: text})
			}
		}
	}
}

// takeEnd takes what stands below the last list or table of a section and is no
// entry of it: an attachment with its name above it, and who was told.
func (p *placer) takeEnd(blocks []block) []block {
	end := len(blocks)
	for end > 0 && blocks[end-1].kind == paragraph && isSignOff(plain(blocks[end-1].runs)) {
		end--
	}
	if end > 2 && blocks[end-1].kind == code && blocks[end-2].kind == paragraph && isLabel(plain(blocks[end-2].runs)) &&
		(blocks[end-3].kind == list || blocks[end-3].kind == table) {
		end -= 2
	}
	if end < len(blocks) {
		p.rec.rest = append(p.rec.rest, "not placed: "+markdown(blocks[end:]))
	}
	return blocks[:end]
}

func (p *placer) listEntry(one item, timed bool) entry {
	e := entry{text: lineOf(one.blocks)}
	switch one.task {
	case "x":
		e.status = "done"
	case " ":
		e.status = "planned"
	default:
		e.status = statusIn(e.text)
	}
	if timed {
		p.timeEntry(&e)
	}
	return e
}

// timeEntry sets the time of an entry whose text begins with one. The text
// stays as it is.
func (p *placer) timeEntry(e *entry) {
	s := e.text
	for _, word := range []string{"At ", "On ", "Around ", "By "} {
		s = strings.TrimPrefix(s, word)
	}
	w, n := scanWhen(s)
	if n == 0 {
		return
	}
	w = p.complete(w)
	if w.usable() {
		e.at, e.about = w.String(), w.about
	}
	e.notes = append(e.notes, w.problems...)
}

// itemColumns and statusColumns are heads of the columns that hold what is to
// be done, and how far it is.
var (
	itemColumns = []string{"action", "action item", "item", "description", "task", "follow up", "what", "작업",
		"조치", "내용", "항목", "조치 사항", "조치 내용", "할 일", "개선 사항"}
	statusColumns = []string{"status", "state", "done", "progress", "상태", "진행 상태", "진행 상황", "진행상황", "완료 여부", "완료여부"}
)

// placeRows makes an entry of each row of a table: the telling column is its
// text, the other cells are notes.
func (p *placer) placeRows(to *entries, b block) {
	rows, head := b.rows, []string(nil)
	if b.header {
		for _, cell := range rows[0] {
			head = append(head, plain(cell))
		}
		rows = rows[1:]
		to.note("columns: " + strings.Join(head, " | "))
	}
	column := func(names []string) int {
		return slices.IndexFunc(head, func(s string) bool { return slices.Contains(names, plainHeading(s)) })
	}
	main, status := column(itemColumns), column(statusColumns)
	for _, row := range rows {
		var e entry
		text := max(main, 0)
		if main < 0 {
			text = longest(row)
		}
		for i, cell := range row {
			value := plain(cell)
			switch {
			case value == "":
			case i == text:
				e.text = value
			case i < len(head) && head[i] != "":
				e.notes = append(e.notes, head[i]+": "+value)
			default:
				e.notes = append(e.notes, value)
			}
			if i == status {
				e.status = statusOf(value)
			}
		}
		if e.text == "" {
			to.note(strings.Join(e.notes, "\n"))
			continue
		}
		to.add(e)
	}
}

func longest(row [][]run) int {
	at, most := 0, -1
	for i, cell := range row {
		if n := len(plain(cell)); n > most {
			at, most = i, n
		}
	}
	return at
}
