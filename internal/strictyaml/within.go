package strictyaml

import (
	"strings"
	"unicode"
)

// Within returns where a letter of a text, from 0, stands in the document that
// holds the text as a value at some place: in quotes or not, in a block, on
// several lines. It walks both side by side, and stays at the last letter that
// they share.
func Within(src []byte, value Place, text string, letter int) Place {
	lines := strings.Split(string(src), "\n")
	at := cursor{lines: lines, line: value.Line - 1, col: value.Col - 1}
	quote := at.letter()
	switch quote {
	case '\'', '"':
		at.col++
	case '|', '>':
		at.line, at.col = at.line+1, 0
	}
	reached := value
	for i, r := range []rune(text) {
		if unicode.IsSpace(r) {
			continue // lines may be folded, and indented
		}
		at.skipSpace()
		if quote == '"' && at.letter() == '\\' {
			at.col++
		}
		if at.letter() != r {
			return reached
		}
		reached = Place{at.line + 1, at.col + 1}
		if i >= letter {
			return reached
		}
		at.col++
		if quote == '\'' && r == '\'' {
			at.col++ // it stands twice
		}
	}
	return reached
}

// cursor is a place in a file.
type cursor struct {
	lines     []string
	line, col int // from 0, in letters
	of        int
	letters   []rune
}

// letter returns the letter at the cursor, 0 at the end of a line.
func (c *cursor) letter() rune {
	if c.line < 0 || c.line >= len(c.lines) {
		return 0
	}
	if c.letters == nil || c.of != c.line {
		c.letters, c.of = []rune(c.lines[c.line]), c.line
	}
	if c.col < 0 || c.col >= len(c.letters) {
		return 0
	}
	return c.letters[c.col]
}

func (c *cursor) skipSpace() {
	for c.line < len(c.lines) {
		switch r := c.letter(); {
		case r == 0:
			c.line, c.col = c.line+1, 0
		case unicode.IsSpace(r):
			c.col++
		default:
			return
		}
	}
}
