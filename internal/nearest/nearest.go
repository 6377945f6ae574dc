// Package nearest finds the allowed word that somebody most likely meant.
package nearest

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Of returns the candidate with the smallest edit distance to word, and
// whether it is near enough to be offered: at most a third of the word's
// letters, at least one, may differ. Ties go to the earlier candidate.
func Of(word string, candidates []string) (string, bool) {
	word = strings.ToLower(word)
	letters := utf8.RuneCountInString(word)
	limit := max(letters/3, 1)
	best, found := "", false
	for _, c := range candidates {
		// Each letter that one has more than the other is a difference. So a
		// stranger's word of a megabyte is compared with nothing.
		if difference := letters - utf8.RuneCountInString(c); max(difference, -difference) > limit {
			continue
		}
		if d := distance(word, strings.ToLower(c)); d <= limit {
			best, found, limit = c, true, d-1
		}
	}
	return best, found
}

// Help is the next step for somebody who wrote word: the candidate that was
// most likely meant, or else what otherwise says.
func Help(word string, candidates []string, otherwise string) string {
	if near, ok := Of(word, candidates); ok {
		return fmt.Sprintf("did you mean %q?", near)
	}
	return otherwise
}

// distance counts the insertions, deletions, replacements and swaps of
// neighbours that turn a into b (optimal string alignment), in runes.
func distance(a, b string) int {
	s, t := []rune(a), []rune(b)
	before, above, row := make([]int, len(t)+1), make([]int, len(t)+1), make([]int, len(t)+1)
	for j := range above {
		above[j] = j
	}
	for i := 1; i <= len(s); i++ {
		row[0] = i
		for j := 1; j <= len(t); j++ {
			cost := 1
			if s[i-1] == t[j-1] {
				cost = 0
			}
			row[j] = min(above[j]+1, row[j-1]+1, above[j-1]+cost)
			if i > 1 && j > 1 && s[i-1] == t[j-2] && s[i-2] == t[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, above, row = above, row, before
	}
	return above[len(t)]
}
