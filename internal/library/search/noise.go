package search

import (
	"net/netip"
	"strings"
)

// blankNoise returns text with everything replaced by spaces that identifies
// one moment or one machine and so matches no other incident: time stamps,
// addresses, UUIDs, hashes and random ids. Codes and versions stay. It also
// returns how many it replaced. Positions in the text do not change.
func blankNoise(text string) (string, int) {
	var out []byte
	count := 0
	for i := 0; i < len(text); {
		if isRoughSep(text[i]) {
			i++
			continue
		}
		start := i
		for i < len(text) && !isRoughSep(text[i]) {
			i++
		}
		from, to := start, i
		for to > from && strings.IndexByte(".:,-", text[to-1]) >= 0 {
			to--
		}
		if !isNoise(text[from:to]) {
			continue
		}
		if out == nil {
			out = []byte(text)
		}
		for k := from; k < to; k++ {
			out[k] = ' '
		}
		count++
	}
	if out == nil {
		return text, 0
	}
	return string(out), count
}

// isRoughSep reports whether b separates the rough words that noise is judged by.
func isRoughSep(b byte) bool {
	return b <= ' ' || strings.IndexByte("()[]{}<>\"'`,;=|&?", b) >= 0
}

func isNoise(s string) bool {
	if len(s) < 4 {
		return false
	}
	return isClock(s) || isAddress(s) || isUUID(s) || isHash(s) || isRandom(s)
}

// isClock reports whether s is a date, a time or both: digits in groups that
// are separated by ":", "-", "/", "." or "T", with a colon or a full date.
func isClock(s string) bool {
	if !isDigit(s[0]) {
		return false
	}
	colons, dashes := 0, 0
	for i := range len(s) {
		switch b := s[i]; {
		case isDigit(b), b == '.', b == '+', b == 'T', b == 'Z':
		case b == ':':
			if i == 0 || i > 2 && isDigit(s[i-1]) && isDigit(s[i-2]) && isDigit(s[i-3]) {
				return false // host:port and the like
			}
			colons++
		case b == '-', b == '/':
			dashes++
		default:
			return isLogDate(s)
		}
	}
	return colons > 0 || dashes == 2 && len(s) >= 8
}

// isLogDate recognises 29/Nov/2026:12:00:01.
func isLogDate(s string) bool {
	return len(s) >= 11 && len(s) < 24 && strings.Count(s, "/") == 2 && s[2] == '/' && s[6] == '/'
}

func isAddress(s string) bool {
	if strings.IndexByte(s, ':') < 0 && strings.Count(s, ".") < 3 {
		return false
	}
	s = strings.TrimPrefix(s, "/")
	if _, err := netip.ParseAddr(s); err == nil {
		return true
	}
	if _, err := netip.ParsePrefix(s); err == nil {
		return true
	}
	_, err := netip.ParseAddrPort(s)
	return err == nil
}

func isUUID(s string) bool {
	if len(s) != 36 {
		return false
	}
	for i := range len(s) {
		if dash := i == 8 || i == 13 || i == 18 || i == 23; dash != (s[i] == '-') {
			return false
		} else if !dash && !isHex(s[i]) {
			return false
		}
	}
	return true
}

func isHex(b byte) bool {
	return isDigit(b) || 'a' <= b && b <= 'f' || 'A' <= b && b <= 'F'
}

// isHash reports whether s is a hexadecimal number of seven digits or more.
// Some of them must be decimal digits, or "defaced" would be one; if all are,
// it is an id or a time only if it is very long.
func isHash(s string) bool {
	if rest, ok := strings.CutPrefix(s, "0x"); ok {
		s = rest
	} else if len(s) < 7 {
		return false
	}
	digits := 0
	for i := range len(s) {
		if !isHex(s[i]) {
			return false
		}
		if isDigit(s[i]) {
			digits++
		}
	}
	if digits == len(s) {
		return len(s) > 10 || len(s) == 10 && s[0] == '1' // seconds since 1970
	}
	return digits >= 2
}

// isRandom reports whether s is a long mixture of letters and digits, such as
// a request id.
func isRandom(s string) bool {
	if len(s) < 16 {
		return false
	}
	digits, letters, turns := 0, 0, 0
	for i := range len(s) {
		switch b := s[i]; {
		case isDigit(b):
			digits++
			if i > 0 && !isDigit(s[i-1]) {
				turns++
			}
		case 'a' <= b && b <= 'z', 'A' <= b && b <= 'Z':
			letters++
		case b != '+' && b != '/' && b != '_':
			return false
		}
	}
	return digits >= 3 && letters >= 3 && turns >= 3
}
