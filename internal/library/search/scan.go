package search

import (
	"unicode"
	"unicode/utf8"
)

// Scripts that are written in syllables or without spaces become pairs of
// neighbouring characters; everything else becomes words.
type kind uint8

const (
	kindWord kind = iota
	kindPair
)

// A chunk is a maximal run of one kind. A word chunk includes the connectors
// inside it (us-east-1, max_connections).
type chunk struct {
	start, end int
	kind       kind
	glued      bool // a pair chunk that follows a word chunk without space
}

// maxChunk bounds the bytes of a chunk; longer runs are cut.
const maxChunk = 256

type class uint8

const (
	classSep class = iota
	classWord
	classPair
	classJoin // joins words when it stands between two word characters
)

func classOf(r rune) class {
	switch {
	case r < utf8.RuneSelf:
		return asciiClass(byte(r))
	case isPairRune(r):
		return classPair
	case r == '’':
		return classJoin
	case r == utf8.RuneError:
		return classSep
	case unicode.IsLetter(r), unicode.IsNumber(r), unicode.IsMark(r):
		return classWord
	}
	return classSep
}

func asciiClass(b byte) class {
	switch {
	case 'a' <= b && b <= 'z', 'A' <= b && b <= 'Z', '0' <= b && b <= '9':
		return classWord
	case b == '_', b == '-', b == '.', b == ',', b == '\'':
		return classJoin
	}
	return classSep
}

// isPairRune reports whether r belongs to Hangul, Han or kana.
func isPairRune(r rune) bool {
	switch {
	case r < 0x1100:
		return false
	case r >= 0xAC00 && r <= 0xD7A3:
		return true
	case r <= 0x11FF, r >= 0x3041 && r <= 0x318F, r >= 0x3400 && r <= 0x9FFF:
		return true
	case r >= 0xF900 && r <= 0xFAFF, r >= 0x20000 && r <= 0x3FFFF:
		return true
	}
	return false
}

// A scanner cuts text into chunks.
type scanner struct {
	text    string
	pos     int
	wordEnd int // end of the last word chunk, -1 if none
}

func newScanner(text string) scanner { return scanner{text: text, wordEnd: -1} }

// next returns the next chunk, and false at the end.
func (s *scanner) next() (chunk, bool) {
	for s.pos < len(s.text) {
		r, n := utf8.DecodeRuneInString(s.text[s.pos:])
		switch classOf(r) {
		case classWord:
			start := s.pos
			s.word()
			s.wordEnd = s.pos
			return chunk{start: start, end: s.pos, kind: kindWord}, true
		case classPair:
			start := s.pos
			s.pairs()
			return chunk{start: start, end: s.pos, kind: kindPair, glued: start == s.wordEnd}, true
		}
		s.pos += n
	}
	return chunk{}, false
}

// word moves past a word and the connectors inside it.
func (s *scanner) word() {
	limit := min(len(s.text), s.pos+maxChunk)
	for s.pos < limit {
		r, n := utf8.DecodeRuneInString(s.text[s.pos:])
		switch classOf(r) {
		case classWord:
			s.pos += n
			continue
		case classJoin:
			if next := s.afterJoin(s.pos+n, r); next > 0 {
				s.pos = next
				continue
			}
		}
		return
	}
}

// afterJoin returns the position of the word character after a connector
// that ends at pos, or 0 if there is none. Underscores may be repeated.
func (s *scanner) afterJoin(pos int, join rune) int {
	if join == ',' && !isThousands(s.text, pos) {
		return 0
	}
	for join == '_' && pos < len(s.text) && s.text[pos] == '_' {
		pos++
	}
	r, _ := utf8.DecodeRuneInString(s.text[pos:])
	if pos < len(s.text) && classOf(r) == classWord {
		return pos
	}
	return 0
}

// isThousands reports whether a comma before pos separates thousands: a digit
// before it and three after it.
func isThousands(text string, pos int) bool {
	if pos < 2 || !isDigit(text[pos-2]) {
		return false
	}
	digits := 0
	for pos+digits < len(text) && isDigit(text[pos+digits]) {
		digits++
	}
	return digits == 3
}

func (s *scanner) pairs() {
	limit := min(len(s.text), s.pos+maxChunk)
	for s.pos < limit {
		r, n := utf8.DecodeRuneInString(s.text[s.pos:])
		if classOf(r) != classPair {
			return
		}
		s.pos += n
	}
}

// maxParts bounds the parts of one word chunk.
const maxParts = 12

// splitWord cuts a word chunk into its parts, at connectors and at the humps
// of camel case. Apostrophes stay inside a part.
func splitWord(s string) []Range {
	var parts []Range
	start := 0
	cut := func(end, next int) {
		if end > start && len(parts) < maxParts {
			parts = append(parts, Range{start, end})
		}
		start = next
	}
	var prev rune
	for i, r := range s {
		switch r {
		case '_', '-', '.':
			cut(i, i+1)
		default:
			if unicode.IsUpper(r) && isHump(s, start, i, prev) {
				cut(i, i)
			}
		}
		prev = r
	}
	cut(len(s), len(s))
	return parts
}

// isHump reports whether a new part begins with the upper-case letter at i:
// after a lower-case letter (borrow|Timeout), or as the first of a word after
// capitals (OOM|Killed). A part of one letter is never cut off (iOS, VMware),
// nor is the plural of an abbreviation (APIs).
func isHump(s string, start, i int, prev rune) bool {
	if i-start < 2 {
		return false
	}
	if unicode.IsLower(prev) {
		return true
	}
	_, n := utf8.DecodeRuneInString(s[i:])
	rest := s[i+n:]
	next, m := utf8.DecodeRuneInString(rest)
	if !unicode.IsUpper(prev) || !unicode.IsLower(next) {
		return false
	}
	if next == 's' {
		after, _ := utf8.DecodeRuneInString(rest[m:])
		return unicode.IsLetter(after)
	}
	return true
}

// fold returns s in lower case, full-width forms as ASCII, without
// apostrophes and the commas of numbers. It also reports whether the result is nothing but ASCII letters.
func fold(s string) (folded string, letters bool) {
	buf := make([]byte, 0, len(s))
	letters = true
	for _, r := range s {
		if r >= 0xFF01 && r <= 0xFF5E {
			r -= 0xFEE0
		}
		switch {
		case r == '\'' || r == '’' || r == ',':
			continue
		case 'A' <= r && r <= 'Z':
			r += 'a' - 'A'
		case r >= utf8.RuneSelf:
			r = unicode.ToLower(r)
		}
		if r < 'a' || r > 'z' {
			letters = false
		}
		buf = utf8.AppendRune(buf, r)
	}
	return string(buf), letters
}

// joined returns the folded form of a chunk without its connectors, so that
// max_connections, maxConnections and max-connections are the same. A
// connector between two digits is kept: 1.30 is not 130.
func joined(s string) (folded string, letters bool) {
	buf := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		b := s[i]
		if b == '_' || b == '-' || b == '.' {
			if i == 0 || i+1 == len(s) || !isDigit(s[i-1]) || !isDigit(s[i+1]) {
				continue
			}
		}
		buf = append(buf, b)
	}
	return fold(string(buf))
}

func isDigit(b byte) bool { return '0' <= b && b <= '9' }
