package draft

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A chronicle is one timeline while it is read.
type chronicle struct {
	p       *placer
	to      *entries
	zone    when // declared for this timeline
	day     when // of the entries that state none
	last    when
	counted bool   // its day was counted from that of the entries before
	heading string // of the timeline, until prose of it went to the narrative
}

// timeline makes observations of the entries of a timeline: table rows, list
// elements, or lines that begin with a time. Prose goes to the narrative.
func (p *placer) timeline(s section, note string) {
	c := &chronicle{p: p, to: &p.rec.observed, zone: p.zone, day: p.day, heading: s.heading}
	if z, ok := zoneIn(s.heading); ok {
		c.zone = z
	}
	if w, _, _, ok := findSpan(s.heading); ok && w.from.full() {
		c.day = w.from.dateOnly()
	}
	anyText(s.blocks, func(text string) bool {
		if z, ok := declaresZone(text); ok {
			c.zone = z
		}
		return false
	})
	from := len(c.to.list)
	c.to.note(note)
	c.blocks(s.blocks)
	c.sort(from)
}

func (c *chronicle) blocks(blocks []block) {
	for i, b := range blocks {
		switch b.kind {
		case table:
			c.table(b)
		case list:
			c.list(b)
		case paragraph:
			c.paragraph(b, i+1 < len(blocks) && blocks[i+1].kind != paragraph)
		case quote:
			c.blocks(b.blocks)
		default:
			c.append(markdownBlock(b))
		}
	}
}

// append adds text to the entry before, or keeps it as a note.
func (c *chronicle) append(text string) {
	if last := len(c.to.list) - 1; last >= 0 && len(c.to.pending) == 0 {
		c.to.list[last].text = strings.TrimLeft(c.to.list[last].text+"\n\n"+text, "\n")
		return
	}
	c.to.note("not placed:\n" + text)
}

// paragraph reads a paragraph of a timeline: entries line by line, a day, a
// remark like "all times in UTC", or prose. leads tells that a list follows.
func (c *chronicle) paragraph(b block, leads bool) {
	text := plain(b.runs)
	if w, n := scanWhen(text); n > 0 && w.full() && !w.clock && !strings.ContainsFunc(text[n:], isWord) {
		c.day = w.dateOnly()
		c.to.note("stated: " + text)
		for _, problem := range w.problems {
			c.to.note(problem)
		}
		return
	}
	if _, ok := declaresZone(text); ok || leads {
		c.declare(text)
		c.to.note("stated: " + text)
		return
	}
	lines := strings.Split(text, "\n")
	at, n := scanSpan(bareTime(lines[0]))
	if n == 0 {
		note := ""
		if c.heading != "" {
			note, c.heading = "prose from: "+c.heading, ""
		}
		c.p.rec.narrative.add(note, markdown([]block{b}))
		return
	}
	if len(lines) > 1 && !strings.ContainsFunc(bareTime(lines[0])[n:], isWord) {
		c.entry(at, lines[0], strings.Join(lines[1:], "\n"), "")
		return
	}
	for _, line := range lines {
		c.line(line, "")
	}
}

// declare takes day and zone from a line above the entries, such as
// "Day: 2026-04-02, TZ=CEST".
func (c *chronicle) declare(text string) {
	if len(text) > 120 {
		return
	}
	if at, _, _, ok := findSpan(text); ok && at.from.full() && !at.from.clock {
		c.day = at.from.dateOnly()
	}
	if z, ok := zoneIn(text); ok {
		c.zone = z
	}
}

// bareTime removes the code marks around a time at the beginning of a line.
func bareTime(line string) string {
	after, ok := strings.CutPrefix(line, "`")
	if !ok {
		return line
	}
	inside, rest, ok := strings.Cut(after, "`")
	if _, n := scanSpan(inside); !ok || n == 0 || n < len(inside) {
		return line
	}
	return inside + rest
}

// particle reports whether a text begins with a Korean particle, as behind the
// time of a sentence: 에 of 오후 2시에 재시작했다.
func particle(s string) bool {
	first, _ := utf8.DecodeRuneInString(s)
	return unicode.Is(unicode.Hangul, first)
}

// line reads an entry that begins with its time.
func (c *chronicle) line(line, stamp string) {
	line = bareTime(line)
	at, n := scanSpan(line)
	if n == 0 && stamp == "" {
		if strings.ContainsFunc(line, isWord) {
			c.append(line)
		}
		return
	}
	rest := strings.TrimLeft(line[n:], " -–—:|,~")
	if !strings.ContainsFunc(rest, isWord) || particle(line[n:]) {
		rest, n = line, 0
	}
	c.entry(at, line[:n], rest, stamp)
}

func (c *chronicle) list(b block) {
	for _, one := range b.items {
		if len(one.blocks) == 0 {
			continue
		}
		first := one.blocks[0]
		text := bareTime(lineOf(one.blocks))
		if first.kind == paragraph {
			if w, n := scanWhen(plain(first.runs)); n > 0 && len(one.blocks) > 1 && !w.clock && w.full() &&
				!strings.ContainsFunc(plain(first.runs)[n:], isWord) {
				c.day = w.dateOnly()
				c.to.note("stated: " + plain(first.runs))
				c.blocks(one.blocks[1:])
				continue
			}
		}
		at, n := scanSpan(timeAfterWord(text))
		switch {
		case n == 0:
			if _, ok := declaresZone(text); ok {
				c.to.note("stated: " + text)
				continue
			}
			c.to.note("not placed, no time: " + text)
		case timeAfterWord(text) != text:
			c.entry(at, "", text, stampOf(first.runs))
		default:
			c.line(text, stampOf(first.runs))
		}
	}
}

// timeAfterWord cuts "At" and the like before a time. An entry that begins so
// is a sentence, and stays whole.
func timeAfterWord(s string) string {
	for _, word := range []string{"At ", "On ", "Around ", "By "} {
		if rest, ok := strings.CutPrefix(s, word); ok {
			return rest
		}
	}
	return s
}

// table reads a table with times in its first column, or in the first two.
func (c *chronicle) table(b block) {
	rows := b.rows
	if b.header {
		var head []string
		for _, cell := range rows[0] {
			head = append(head, plain(cell))
		}
		c.to.note("columns: " + strings.Join(head, " | "))
		rows = rows[1:]
	}
	at := timeColumn(rows)
	if b.header && at < len(b.rows[0]) {
		if z, ok := zoneIn(plain(b.rows[0][at])); ok {
			c.zone = z
		}
	}
	for _, row := range rows {
		if at > 0 && at < len(row) {
			cells := [][]run{row[at]}
			row = append(append(cells, row[:at]...), row[at+1:]...)
		}
		c.row(row)
	}
}

// timeColumn is the column that has a time in most rows.
func timeColumn(rows [][][]run) int {
	best, most := 0, 0
	counts := map[int]int{}
	for _, row := range rows {
		for i, cell := range row {
			if _, n := scanSpan(plain(cell)); n > 0 {
				counts[i]++
			}
			if counts[i] > most || counts[i] == most && i < best {
				best, most = i, counts[i]
			}
		}
	}
	return best
}

func (c *chronicle) row(row [][]run) {
	var cells []string
	for _, cell := range row {
		cells = append(cells, plain(cell))
	}
	stated := cells[0]
	at, n := scanSpan(stated)
	used := 1
	if len(cells) > 2 && n == len(stated) && n > 0 && !at.from.clock {
		_, m := scanSpan(cells[1])
		if m > 0 && !strings.ContainsFunc(cells[1][m:], isWord) || noClock.FindString(cells[1]) == cells[1] {
			stated += " " + cells[1]
			at, n = scanSpan(stated)
			used = 2
		}
	}
	var rest []string
	for _, cell := range cells[used:] {
		if cell != "" {
			rest = append(rest, cell)
		}
	}
	text := strings.Join(rest, " | ")
	stamp := stampOf(row[0])
	switch {
	case n == 0 && stamp == "" && stated == "" && text != "":
		c.append(text)
	case n == 0 && stamp == "":
		if w, ok := onlyDay(cells); ok {
			c.day = w
			c.to.note("stated: " + strings.Join(cells, " "))
			return
		}
		c.to.note("not placed, no time: " + strings.Join(append([]string{stated}, rest...), " | "))
	case text == "" && at.from.full() && !at.from.clock:
		c.day = at.from.dateOnly()
		c.to.note("stated: " + stated)
	default:
		c.entry(at, stated, text, stamp)
	}
}

// onlyDay reads a row that holds nothing but a day.
func onlyDay(cells []string) (when, bool) {
	all := strings.TrimSpace(strings.Join(cells, " "))
	w, n := scanWhen(all)
	return w.dateOnly(), n > 0 && n == len(all) && w.full() && !w.clock
}
