package draft

import (
	"strconv"
	"strings"

	"github.com/openprecedent/precedent/internal/lazyregexp"
)

// markdown returns blocks as Markdown, with a blank line between them. Bold
// and italics are not kept, code is.
func markdown(blocks []block) string {
	var parts []string
	for _, b := range blocks {
		if s := markdownBlock(b); s != "" {
			parts = append(parts, s)
		}
	}
	return strings.Join(parts, "\n\n")
}

func markdownBlock(b block) string {
	switch b.kind {
	case heading:
		return "**" + escape(plain(b.runs)) + "**"
	case list:
		return markdownList(b)
	case table:
		return markdownTable(b)
	case code:
		fence := "```"
		for strings.Contains(b.text, fence) {
			fence += "`"
		}
		return fence + "\n" + b.text + "\n" + fence
	case quote:
		return prefixLines(markdown(b.blocks), "> ", "> ")
	}
	return escape(plain(b.runs))
}

func markdownList(b block) string {
	var lines []string
	for i, one := range b.items {
		mark := "- "
		if b.ordered {
			mark = strconv.Itoa(i+1) + ". "
		}
		if one.task != "" {
			mark += "[" + one.task + "] "
		}
		var parts []string
		for _, inner := range one.blocks {
			parts = append(parts, markdownBlock(inner))
		}
		text := strings.Join(parts, "\n")
		lines = append(lines, prefixLines(text, mark, strings.Repeat(" ", len(mark))))
	}
	return strings.Join(lines, "\n")
}

func markdownTable(b block) string {
	var lines []string
	for i, row := range b.rows {
		var cells []string
		for _, cell := range row {
			text := strings.ReplaceAll(escape(plain(cell)), "\n", " ")
			cells = append(cells, strings.ReplaceAll(text, "|", `\|`))
		}
		lines = append(lines, "| "+strings.Join(cells, " | ")+" |")
		if i == 0 && b.header {
			lines = append(lines, "|"+strings.Repeat(" --- |", len(row)))
		}
	}
	return strings.Join(lines, "\n")
}

func prefixLines(s, first, rest string) string {
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		prefix := rest
		if i == 0 {
			prefix = first
		}
		lines[i] = strings.TrimRight(prefix+line, " ")
	}
	return strings.Join(lines, "\n")
}

var (
	blockMark = lazyregexp.New(`(?m)^([#>]|[-+*] |\d+[.)] |[=-]+$|\` + "```" + `|~~~)`)
	tagMark   = lazyregexp.New(`<([A-Za-z/!?])`)
)

// escape keeps text from being read as a Markdown mark.
func escape(s string) string {
	s = blockMark.ReplaceAllStringFunc(s, func(m string) string {
		if at := strings.IndexAny(m, ".)"); at > 0 {
			return m[:at] + `\` + m[at:]
		}
		return `\` + m
	})
	if !strings.Contains(s, "`") {
		s = tagMark.ReplaceAllString(s, `\<$1`)
	}
	return s
}

// proseOf returns blocks for a field whose text is no Markdown: paragraphs as
// they read, without escapes. Lists and tables have no form but Markdown's.
func proseOf(blocks []block) string {
	paragraphs := make([]string, 0, len(blocks))
	for _, b := range blocks {
		if b.kind != paragraph {
			return markdown(blocks)
		}
		paragraphs = append(paragraphs, plain(b.runs))
	}
	return strings.Join(paragraphs, "\n\n")
}

// lineOf returns blocks as one line of prose where they are one paragraph,
// as Markdown elsewhere.
func lineOf(blocks []block) string {
	if len(blocks) == 1 && blocks[0].kind == paragraph {
		return plain(blocks[0].runs)
	}
	return markdown(blocks)
}
