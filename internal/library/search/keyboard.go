package search

import (
	"slices"
	"strings"
)

// Korean keyboards switch between Latin letters and jamo. Who forgets to
// switch types "epdlxjqpdltm" for 데이터베이스, or "ㅔㅐㅇ" for pod.

// The jamo of the keys, in the standard two-set layout.
const (
	keyLetters = "qwertyuiopasdfghjklzxcvbnmQWERTOP"
	keyJamo    = "ㅂㅈㄷㄱㅅㅛㅕㅑㅐㅔㅁㄴㅇㄹㅎㅗㅓㅏㅣㅋㅌㅊㅍㅠㅜㅡㅃㅉㄸㄲㅆㅒㅖ"
)

// Jamo in the order in which Unicode composes syllables. Of compound vowels and
// tails the keys are given in latins.
var (
	leadKeys = strings.Fields("r R s e E f a q Q t T d w W c z x v g")
	vowelKey = strings.Fields("k o i O j p u P h hk ho hl y n nj np nl b m ml l")
	tailKeys = strings.Fields(". r R rt s sw sg e f fr fa fq ft fx fv fg a q qt t T d w c z x v g")
)

// fromKeyboard returns the Hangul that the keys of s type, or "" if they do not
// type whole syllables.
func fromKeyboard(s string) string {
	if len(s) > maxDictRun {
		return ""
	}
	keys := normalKeys(s)
	var out []rune
	for i := 0; i < len(keys); {
		lead := slices.Index(leadKeys, keys[i:i+1])
		vowel, n := longestKey(vowelKey, keys, i+1)
		if lead < 0 || vowel < 0 {
			return ""
		}
		i += 1 + n
		tail := 0
		for n := 2; n >= 1; n-- {
			if i+n > len(keys) {
				continue
			}
			t := slices.Index(tailKeys, keys[i:i+n])
			// The last consonant before a vowel leads the next syllable.
			if next, _ := longestKey(vowelKey, keys, i+n); t > 0 && next < 0 {
				tail = t
				i += n
				break
			}
		}
		out = append(out, syllable(lead, vowel, tail))
	}
	if len(out) < 2 {
		return ""
	}
	return string(out)
}

// normalKeys lowers the keys whose shifted form types the same jamo.
func normalKeys(s string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' && !strings.ContainsRune("QWERTOP", r) {
			return r + 'a' - 'A'
		}
		return r
	}, s)
}

// longestKey returns the index and length of the longest of keys at i of s.
func longestKey(keys []string, s string, i int) (index, length int) {
	for n := 2; n >= 1; n-- {
		if i+n <= len(s) {
			if k := slices.Index(keys, s[i:i+n]); k >= 0 {
				return k, n
			}
		}
	}
	return -1, 0
}

// fromHangul returns the Latin letters of the keys that typed run, or "" if
// run is not typed by letter keys.
func fromHangul(run string) string {
	var b strings.Builder
	for _, r := range run {
		if isHangul(r) {
			lead, vowel, tail := jamo(r)
			b.WriteString(leadKeys[lead] + vowelKey[vowel])
			if tail > 0 {
				b.WriteString(tailKeys[tail])
			}
			continue
		}
		at := indexRune(keyJamo, r)
		if at < 0 {
			return ""
		}
		b.WriteByte(keyLetters[at])
	}
	return strings.ToLower(b.String())
}

// indexRune returns the number of characters before r in s, or -1.
func indexRune(s string, r rune) int {
	i := 0
	for _, c := range s {
		if c == r {
			return i
		}
		i++
	}
	return -1
}
