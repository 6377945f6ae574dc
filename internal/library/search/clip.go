package search

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxTorn is the number of bytes within which the last word of a text that is
// too long has to begin, so that it is left out rather than torn.
const maxTorn = 256

// Clip cuts a text to at most limit bytes, between two words if it can: a piece
// of a word would be looked for as if somebody had written it.
func Clip(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	next, _ := utf8.DecodeRuneInString(text[limit:])
	cut := text[:limit]
	if !unicode.IsSpace(next) {
		if at := strings.LastIndexFunc(cut, unicode.IsSpace); at >= limit-maxTorn && at > 0 {
			return cut[:at]
		}
	}
	for len(cut) > 0 && !utf8.RuneStart(text[len(cut)]) {
		cut = cut[:len(cut)-1]
	}
	return cut
}
