package search

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Words after which a full stop does not end a sentence.
const abbreviations = " e.g i.e vs etc approx no a.m p.m inc ltd st cf al fig sec min max "

// sentences calls f with the range of each sentence of text. A sentence ends
// at closing punctuation that white space follows, at an empty line, and before
// a list item or heading; other line breaks are taken for wrapping.
func sentences(text string, f func(start, end int)) {
	start := 0
	emit := func(end int) {
		from, to := trim(text, start, end)
		if from < to {
			f(from, to)
		}
		start = end
	}
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\n':
			if breaksLine(text[i+1:]) {
				emit(i + 1)
			}
		case '.', '!', '?':
			if end := sentenceEnd(text, start, i); end > 0 {
				emit(end)
				i = end - 1
			}
		}
	}
	emit(len(text))
}

// trim narrows a range of text by the white space at its ends.
func trim(text string, start, end int) (int, int) {
	for start < end && isSpace(text[start]) {
		start++
	}
	for end > start && isSpace(text[end-1]) {
		end--
	}
	return start, end
}

func isSpace(b byte) bool { return b == ' ' || b == '\n' || b == '\t' || b == '\r' }

// breaksLine reports whether the line that rest begins with starts something
// new: it is empty, or a list item, heading or quotation.
func breaksLine(rest string) bool {
	rest = strings.TrimLeft(rest, " \t\r")
	if rest == "" {
		return true
	}
	switch rest[0] {
	case '\n', '#', '>', '|':
		return true
	case '-', '*', '+':
		return len(rest) > 1 && rest[1] == ' '
	}
	digits := 0
	for digits < len(rest) && isDigit(rest[digits]) {
		digits++
	}
	return digits > 0 && digits < 3 && strings.HasPrefix(rest[digits:], ". ")
}

// sentenceEnd returns the position after the punctuation at i, closing quotes
// and footnote marks included, if it ends the sentence that began at start,
// else 0.
func sentenceEnd(text string, start, i int) int {
	end := i + 1
	for end < len(text) {
		switch {
		case strings.IndexByte(`.!?)"'`, text[end]) >= 0:
			end++
			continue
		case strings.HasPrefix(text[end:], "”"), strings.HasPrefix(text[end:], "’"):
			end += len("”")
			continue
		case strings.HasPrefix(text[end:], "[^"):
			if n := strings.IndexByte(text[end:], ']'); n > 0 && n < 40 {
				end += n + 1
				continue
			}
		}
		break
	}
	if end < len(text) && !isSpace(text[end]) {
		return 0
	}
	if text[i] == '.' && !stopEnds(text, start, i, end) {
		return 0
	}
	return end
}

// stopEnds reports whether the full stop at i ends a sentence: not after an
// abbreviation or a single letter, and not before a lower-case letter.
func stopEnds(text string, start, i, end int) bool {
	from := i
	for from > start && !isSpace(text[from-1]) && text[from-1] != '(' {
		from--
	}
	word := strings.ToLower(text[from:i])
	rest := strings.TrimLeft(text[end:], " \n\t\r")
	next, n := utf8.DecodeRuneInString(rest)
	if word != "" && len(word) < 10 && strings.Contains(abbreviations, " "+word+" ") {
		// A clock time may end a sentence, but not before the name of a zone.
		after, _ := utf8.DecodeRuneInString(rest[n:])
		return (word == "a.m" || word == "p.m") && unicode.IsUpper(next) && unicode.IsLower(after)
	}
	return !unicode.IsLower(next)
}
