package app

import (
	"regexp"
	"strings"
)

var (
	footnoteMark = regexp.MustCompile(`\[\^[^\]\s]+\]`)
	link         = regexp.MustCompile(`\[([^\]]*)\]\([^)\s]*\)`)
	lineMark     = regexp.MustCompile(`(?m)^\s*(#{1,6}\s+|>\s+|[-*+]\s+|\d+[.)]\s+)`)
	softBreak    = regexp.MustCompile(`([^\n])\n([^\n])`)
)

// plain takes the marks of Markdown out of text, so that search quotes
// sentences as they are read. List items stay lines of their own.
func plain(markdown string) string {
	s := footnoteMark.ReplaceAllString(markdown, "")
	s = link.ReplaceAllString(s, "$1")
	// Lines of a list end where the next mark begins; other line breaks inside
	// a paragraph are spaces.
	s = lineMark.ReplaceAllString(s, "\n\n")
	s = softBreak.ReplaceAllString(s, "$1 $2")
	return strings.TrimSpace(strings.NewReplacer("`", "", "**", "").Replace(s))
}
