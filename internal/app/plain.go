package app

import (
	"strings"
)

// plain takes the marks of Markdown out of text, so that search quotes
// sentences as they are read. List items, headings and quotations stay
// paragraphs of their own; other line breaks inside a paragraph become spaces.
// It runs over the whole library at each start, hence by hand.
func plain(markdown string) string {
	var b strings.Builder
	b.Grow(len(markdown))
	gap := "" // what separates the next line from what is written
	for line := range strings.SplitSeq(markdown, "\n") {
		text, marked := unmarkedLine(line)
		switch {
		case marked:
			gap = "\n\n"
		case strings.TrimSpace(line) == "":
			gap = "\n\n"
			continue
		}
		if b.Len() > 0 {
			b.WriteString(gap)
		}
		inline(&b, strings.TrimSpace(text))
		gap = " "
	}
	return strings.TrimSpace(b.String())
}

// unmarkedLine takes the mark of a heading, quotation or list item off a line.
func unmarkedLine(line string) (rest string, marked bool) {
	line = strings.TrimLeft(line, " \t")
	n := 0
	for n < len(line) && line[n] == '#' {
		n++
	}
	if n == 0 && line != "" && strings.IndexByte(">-*+", line[0]) >= 0 {
		n = 1
	}
	if n == 0 {
		for n < len(line) && '0' <= line[n] && line[n] <= '9' {
			n++
		}
		if n > 0 && n < len(line) && (line[n] == '.' || line[n] == ')') {
			n++
		} else {
			n = 0
		}
	}
	if n == 0 || n > 6 || n >= len(line) || line[n] != ' ' && line[n] != '\t' {
		return line, false
	}
	return strings.TrimLeft(line[n:], " \t"), true
}

// inline writes a line without footnote marks, the addresses of links,
// backquotes and double asterisks.
func inline(b *strings.Builder, line string) {
	for line != "" {
		i := strings.IndexAny(line, "`*[")
		if i < 0 {
			break
		}
		b.WriteString(line[:i])
		line = line[i:]
		switch {
		case line[0] == '`':
			line = line[1:]
		case strings.HasPrefix(line, "**"):
			line = line[2:]
		case strings.HasPrefix(line, "[^") && footnoteEnd(line) > 0:
			line = line[footnoteEnd(line):]
		case line[0] == '[' && linkEnd(line) > 0:
			text, _, _ := strings.Cut(line[1:], "]")
			rest := line[linkEnd(line):]
			inline(b, text)
			line = rest
		default:
			b.WriteByte(line[0])
			line = line[1:]
		}
	}
	b.WriteString(line)
}

// footnoteEnd returns where the footnote mark that line begins with ends, or 0.
func footnoteEnd(line string) int {
	end := strings.IndexByte(line, ']')
	if end < 3 || strings.ContainsAny(line[:end], " \t") {
		return 0
	}
	return end + 1
}

// linkEnd returns where the link that line begins with ends, or 0.
func linkEnd(line string) int {
	text := strings.IndexByte(line, ']')
	if text < 0 || !strings.HasPrefix(line[text+1:], "(") {
		return 0
	}
	end := strings.IndexByte(line[text:], ')')
	if end < 0 || strings.ContainsAny(line[text:text+end], " \t") {
		return 0
	}
	return text + end + 1
}
