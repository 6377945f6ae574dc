package draft

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/openprecedent/precedent/internal/lazyregexp"
	"github.com/openprecedent/precedent/internal/library/casefile"
)

var (
	lengthPart = lazyregexp.New(`^(\d{1,3}(?:,\d{3})+|\d{1,6}(?:\.\d{1,3})?)[ -]?` +
		`(?i:(days|day|d|hours|hour|hrs|hr|h|minutes|minute|mins|min|m|seconds|second|secs|sec|s)|(일|시간|분|초))`)
	lengthJoin  = lazyregexp.New(`^(?:,? and |, |,| )`)
	lengthAbout = lazyregexp.New(`(?i)(?:~|\b(?:about|around|approximately|approx\.?|nearly|almost|roughly|` +
		`over|more than|less than|under|at least|up to)|약|거의|대략)\s*$`)
	lengthAfter = lazyregexp.New(`^ ?(?:가까이|이상|남짓|넘게|정도|미만)`)
)

// A length is a duration as a text states it.
type length struct {
	value string // in the format of case files
	about bool
}

// scanLength reads a duration from the beginning of s: 4h 51m, 2.5 hours,
// 31시간. It returns its length in bytes, 0 where s does not begin with one.
func scanLength(s string) (length, int) {
	parts, seconds, fraction := "", 0.0, false
	last, end := 4, 0
	for pos := 0; ; {
		m := lengthPart.FindStringSubmatch(s[pos:])
		if m == nil {
			break
		}
		stop := pos + len(m[0])
		if m[2] != "" && stop < len(s) && (isLetter(s[stop]) || isDigit(s[stop]) && len(m[2]) > 1) {
			break
		}
		unit := lengthUnit(m[2] + m[3])
		if unit >= last {
			break
		}
		last = unit
		digits := strings.ReplaceAll(m[1], ",", "")
		value, _ := strconv.ParseFloat(digits, 64) // digits by the pattern
		fraction = fraction || strings.Contains(digits, ".")
		seconds += value * []float64{1, 60, 3600, 86400}[unit]
		parts += strings.TrimLeft(digits, "0") + string("smhd"[unit])
		if value == 0 {
			parts = strings.TrimSuffix(parts, string("smhd"[unit]))
		}
		end = stop
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
		out.about = true
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

// findLength returns the first duration in s.
func findLength(s string) (l length, start, end int, ok bool) {
	for i := 0; i < len(s); i++ {
		if !isDigit(s[i]) || i > 0 && (isDigit(s[i-1]) || isLetter(s[i-1]) || strings.IndexByte(".:,-/", s[i-1]) >= 0) {
			continue
		}
		if l, n := scanLength(s[i:]); n > 0 && !inDate(s[:i], s[i:]) {
			l.about = l.about || lengthAbout.MatchString(s[max(0, i-24):i])
			return l, i, i + n, true
		}
	}
	return length{}, 0, 0, false
}
