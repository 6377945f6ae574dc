package expect

import (
	"strings"
	"unicode"

	"github.com/openprecedent/precedent/internal/strictyaml"
)

// place returns where a letter of a text stands in the file that holds the text
// as a YAML value at some place: in quotes or not, in a block, on several lines.
// It walks both side by side, and stays at the last letter that they share.
func place(src []byte, value strictyaml.Place, text string, letter int) (line, col int) {
	lines := strings.Split(string(src), "\n")
	at := cursor{lines: lines, line: value.Line - 1, col: value.Col - 1}
	quote := at.letter()
	switch quote {
	case '\'', '"':
		at.col++
	case '|', '>':
		at.line, at.col = at.line+1, 0
	}
	line, col = value.Line, value.Col
	for i, r := range []rune(text) {
		if unicode.IsSpace(r) {
			continue // lines may be folded, and indented
		}
		at.skipSpace()
		if quote == '"' && at.letter() == '\\' {
			at.col++
		}
		if at.letter() != r {
			return line, col
		}
		line, col = at.line+1, at.col+1
		if i >= letter {
			return line, col
		}
		at.col++
		if quote == '\'' && r == '\'' {
			at.col++ // it stands twice
		}
	}
	return line, col
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
