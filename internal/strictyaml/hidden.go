package strictyaml

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// Hidden reports whether r, which stands behind before, is a character that
// could steer a terminal, turn the direction of the text, or hold words that a
// person does not see and a program does: control characters but line ends and
// tabs, marks of direction, characters without width, separators of lines that
// are none, and non-characters. The joiners of emoji and of alphabets that need
// them are not hidden in their place.
func Hidden(before, r rune) bool {
	switch {
	case r < 0x7f:
		return r < ' ' && r != '\n' && r != '\t'
	case r >= 0xc0 && r < 0x300, r >= 0x2010 && r < 0x2028, r >= 0x4e00 && r < 0xa000, r >= 0xac00 && r < 0xd7a4:
		return false // Latin letters, dashes and quotes, Han, Hangul: nearly all there is
	case r == '\ufe0e' || r == '\ufe0f':
		return !unicode.In(before, unicode.S) && !(before < 0x80 && strings.ContainsRune("0123456789#*", before))
	case r == '\u200c' || r == '\u200d':
		return !joins(before)
	case r == '\u2800': // a Braille pattern without dots looks like a space
		return true
	case r == utf8.RuneError:
		return false
	}
	return unicode.In(r, unicode.Cc, unicode.Zl, unicode.Zp, unicode.Other_Default_Ignorable_Code_Point,
		unicode.Variation_Selector, unicode.Noncharacter_Code_Point, unicode.Bidi_Control) ||
		unicode.Is(unicode.Cf, r) && !unicode.Is(unicode.Prepended_Concatenation_Mark, r)
}

// joins reports whether a joiner may follow: a symbol such as an emoji, or a
// letter of an alphabet in which joiners change the writing.
func joins(before rune) bool {
	if before == '\ufe0f' || unicode.In(before, unicode.S) {
		return true
	}
	return unicode.In(before, unicode.L, unicode.M) && !unicode.In(before, unicode.Latin, unicode.Hangul,
		unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Greek, unicode.Cyrillic, unicode.Common, unicode.Inherited)
}

// hiddenAt returns the first hidden character of s and its place, -1 where
// there is none.
func hiddenAt(s string) (at int, found rune) {
	before := rune(0)
	for i, r := range s {
		if Hidden(before, r) {
			return i, r
		}
		before = r
	}
	return -1, 0
}

// maxHidden bounds how many lines with hidden characters are reported.
const maxHidden = 20

// hidden reports characters of src that cannot be seen, comments included, the
// first of each line. It tells whether there are any.
func (d *decoder) hidden(src []byte) bool {
	src = trimStart(src)
	number, lines := 0, 0
	for line := range strings.SplitSeq(string(src), "\n") {
		number++
		line = strings.TrimSuffix(line, "\r")
		at, r := hiddenAt(line)
		if at < 0 {
			continue
		}
		if lines++; lines > maxHidden {
			continue
		}
		place := &yaml.Node{Line: number, Column: utf8.RuneCountInString(line[:at]) + 1}
		d.report(place, "", "hidden-character", fmt.Sprintf("%s cannot be seen", nameOf(r)),
			"delete it, or write what is meant in visible characters")
	}
	if lines > maxHidden {
		d.report(&yaml.Node{Line: 1, Column: 1}, "", "hidden-character",
			fmt.Sprintf("%d more lines hold characters that cannot be seen", lines-maxHidden), "delete them")
	}
	return lines > 0
}

// trimStart removes the byte order mark that some editors begin a file with.
func trimStart(src []byte) []byte {
	if len(src) >= 3 && string(src[:3]) == "\ufeff" {
		return src[3:]
	}
	return src
}

// nameOf is how a problem calls a character.
func nameOf(r rune) string { return fmt.Sprintf("the character U+%04X", r) }

// Printable escapes the characters of a line that could steer a terminal or
// hide text.
func Printable(line string) string { return escaped(line, true) }

// PrintableText is [Printable] for text of several lines, which stay lines.
func PrintableText(text string) string { return escaped(text, false) }

func escaped(s string, oneLine bool) string {
	if at, _ := hiddenAt(s); at < 0 && !(oneLine && strings.Contains(s, "\n")) {
		return s
	}
	var b strings.Builder
	before := rune(0)
	for _, r := range s {
		if Hidden(before, r) || oneLine && r == '\n' {
			quoted := strconv.QuoteRuneToASCII(r)
			b.WriteString(quoted[1 : len(quoted)-1])
		} else {
			b.WriteRune(r)
		}
		before = r
	}
	return b.String()
}
