package draft

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/openprecedent/precedent/internal/lazyregexp"
	"github.com/openprecedent/precedent/internal/library/casefile"
)

var (
	lengthPart = lazyregexp.New(`^(\d{1,3}(?:,\d{3})+|\d{1,6}(?:\.\d{1,3})?)[ -]?` +
		`(?i:(days|day|d|hours|hour|hrs|hr|h|minutes|minute|mins|min|m|seconds|second|secs|sec|s)|(일|시간|분|초))`)
	lengthJoin  = lazyregexp.New(`^(?:,? and |, |,| )`)
	lengthAbout = lazyregexp.New(`(?i)(?:~|\b(?:about|around|approximately|approx\.?|nearly|almost|roughly|` +
		`over|more than|less than|under|at least|up to)|약|거의|대략)\s*$`)
	lengthAfter = lazyregexp.New(`^ ?(?:가까이|이상|남짓|넘게|정도|미만|가량|쯤|안팎|내외)|^여(?:$|[^\p{Hangul}]|간|의|만)`)

	// Korean counts hours and days in words too: 한 시간 반, 이틀.
	lengthWord = lazyregexp.New(`^(?:(한|두|세|네|다섯|여섯|일곱|여덟|아홉|열|열한|열두) ?시간|(반) ?시간|(하루|이틀|사흘|나흘))`)
	lengthHalf = lazyregexp.New(`^ ?반`)
	// lengthEnd stands behind such words, where they are no beginning of others.
	lengthEnd = lazyregexp.New(`^(?:$|[^\p{Hangul}]|간|동안|만에|가량|정도|쯤|이상|넘게|가까이|남짓|안팎|내외|여|반|뒤|후|을|를|의|에|으로|로 |이(?:$|[^\p{Hangul}]))`)
)

// lengthWords are the numbers of lengthWord. A native Korean number counts hours,
// a name of its own days.
var lengthWords = map[string]string{
	"한": "1", "두": "2", "세": "3", "네": "4", "다섯": "5", "여섯": "6", "일곱": "7", "여덟": "8", "아홉": "9", "열": "10", "열한": "11",
	"열두": "12", "하루": "1", "이틀": "2", "사흘": "3", "나흘": "4",
}

// lengthPiece reads one number with its unit from the beginning of s. The
// answer is the number, the unit's place in the order s, m, h, d, and the bytes
// they take; 0 bytes where s does not begin with one.
func lengthPiece(s string) (digits string, unit, n int) {
	if m := lengthPart.FindStringSubmatch(s); m != nil {
		n = len(m[0])
		if m[2] != "" && n < len(s) && (isLetter(s[n]) || isDigit(s[n]) && len(m[2]) > 1) {
			return "", 0, 0
		}
		return strings.ReplaceAll(m[1], ",", ""), lengthUnit(m[2] + m[3]), n
	}
	m := lengthWord.FindStringSubmatch(s)
	switch {
	case m == nil || !lengthEnd.MatchString(s[len(m[0]):]):
		return "", 0, 0
	case m[1] != "":
		return lengthWords[m[1]], 2, len(m[0])
	case m[2] != "":
		return "30", 1, len(m[0])
	}
	return lengthWords[m[3]], 3, len(m[0])
}

// halfBehind reads 반 behind a number and its unit, half of that unit more, and
// returns it in the format of case files, with its seconds and bytes.
func halfBehind(s string, unit int) (part string, seconds float64, n int) {
	m := lengthHalf.FindString(s)
	if m == "" || unit == 0 || !lengthEnd.MatchString(s[len(m):]) {
		return "", 0, 0
	}
	half := []struct {
		part    string
		seconds float64
	}{1: {"30s", 30}, 2: {"30m", 1800}, 3: {"12h", 43200}}[unit]
	return half.part, half.seconds, len(m)
}

// A length is a duration as a text states it.
type length struct {
	value  string // in the format of case files
	about  bool
	behind bool // a word behind it tells that it is not exact
}

// scanLength reads a duration from the beginning of s: 4h 51m, 2.5 hours,
// 31시간, 한 시간 반. It returns its length in bytes, 0 where s does not begin with one.
func scanLength(s string) (length, int) {
	parts, seconds, fraction := "", 0.0, false
	last, end := 4, 0
	for pos := 0; ; {
		digits, unit, n := lengthPiece(s[pos:])
		if n == 0 || unit >= last {
			break
		}
		last = unit
		value, _ := strconv.ParseFloat(digits, 64) // digits by the pattern
		fraction = fraction || strings.Contains(digits, ".")
		seconds += value * []float64{1, 60, 3600, 86400}[unit]
		parts += strings.TrimLeft(digits, "0") + string("smhd"[unit])
		if value == 0 {
			parts = strings.TrimSuffix(parts, string("smhd"[unit]))
		}
		end = pos + n
		if half, more, m := halfBehind(s[end:], unit); m > 0 {
			parts, seconds, end = parts+half, seconds+more, end+m
			break
		}
		pos = end + len(lengthJoin.FindString(s[end:]))
	}
	if end == 0 || seconds == 0 {
		return length{}, 0
	}
	if fraction {
		parts = lengthString(int64(seconds + 0.5))
	}
	if _, err := casefile.ParseDuration(parts); err != nil {
		return length{}, 0 // too long to be one
	}
	out := length{value: parts}
	if m := lengthAfter.FindString(s[end:]); m != "" {
		out.about, out.behind = true, true
		if strings.HasPrefix(m, "여") {
			m = "여" // what follows is no part of it
		}
		end += len(m)
	}
	return out, end
}

// lengthUnit is the unit's place in the order s, m, h, d.
func lengthUnit(unit string) int {
	switch {
	case strings.HasPrefix(unit, "시"):
		return 2
	case strings.HasPrefix(unit, "일"):
		return 3
	case strings.HasPrefix(unit, "분"):
		return 1
	case strings.HasPrefix(unit, "초"):
		return 0
	}
	return strings.IndexByte("smhd", unit[0]|0x20)
}

func lengthString(seconds int64) string {
	var b strings.Builder
	for _, u := range []struct {
		name string
		size int64
	}{{"h", 3600}, {"m", 60}, {"s", 1}} {
		if n := seconds / u.size; n > 0 {
			fmt.Fprintf(&b, "%d%s", n, u.name)
			seconds %= u.size
		}
	}
	return b.String()
}

var (
	dateBefore  = lazyregexp.New(`월 ?$`)
	clockBefore = lazyregexp.New(`(?:^|[^\d])(?:[01]?\d|2[0-4])시 ?$`)
	minuteOf    = lazyregexp.New(`\d시 ?\d{1,2}분 ?$`)
	dayAhead    = lazyregexp.New(`^\d+일`)
	minuteAhead = lazyregexp.New(`^\d+분`)
	secondAhead = lazyregexp.New(`^\d+초`)
)

// inDate reports whether a number of days, minutes or seconds is part of a date
// or a clock time: 12일 of 6월 12일, 5분 of 14시 5분.
func inDate(before, s string) bool {
	before = before[max(0, len(before)-24):]
	return dayAhead.MatchString(s) && dateBefore.MatchString(before) ||
		minuteAhead.MatchString(s) && clockBefore.MatchString(before) ||
		secondAhead.MatchString(s) && minuteOf.MatchString(before)
}

// mayCount reports whether a duration may begin at s[i:]: at a number, or at the
// beginning of a Korean word.
func mayCount(s string, i int) bool {
	if isDigit(s[i]) {
		return i == 0 || !isDigit(s[i-1]) && !isLetter(s[i-1]) && strings.IndexByte(".:,-/", s[i-1]) < 0
	}
	if s[i] < 0x80 || !utf8.RuneStart(s[i]) {
		return false
	}
	before, _ := utf8.DecodeLastRuneInString(s[:i])
	return !unicode.Is(unicode.Hangul, before)
}

// findLength returns the first duration in s.
func findLength(s string) (l length, start, end int, ok bool) {
	for i := 0; i < len(s); i++ {
		if !mayCount(s, i) {
			continue
		}
		if l, n := scanLength(s[i:]); n > 0 && !inDate(s[:i], s[i:]) {
			l.about = l.about || lengthAbout.MatchString(s[max(0, i-24):i])
			return l, i, i + n, true
		}
	}
	return length{}, 0, 0, false
}
