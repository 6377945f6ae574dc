package draft

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/openprecedent/precedent/internal/lazyregexp"
)

// A when is a point in time as a text states it. What the text leaves out is
// zero, and nothing is put in its place.
type when struct {
	year, month, day int
	clock            bool // hour is stated
	hour, min, sec   int
	minutes, seconds bool // min, sec are stated
	iso              bool // written with a T between date and clock
	bare             bool // Korean hour from 1 to 12 without 오전 or 오후
	zone             string
	zoned            bool // the zone has an offset
	offset           int  // minutes east of UTC
	about            bool
	problems         []string
	weekday          time.Weekday
	hasWeekday       bool
	half             bool // am, pm, 오전 or 오후 is stated
	next             bool // of the day after the one that is spoken of: 다음 날
}

func (w when) dated() bool { return w.month > 0 || w.year > 0 }

// full reports whether year, month and day are stated.
func (w when) full() bool { return w.year > 0 && w.month > 0 && w.day > 0 }

// String returns w in the format of case files. A clock time without an
// offset is left out, since a case file does not take it.
func (w when) String() string {
	if w.year == 0 {
		return ""
	}
	s := fmt.Sprintf("%04d", w.year)
	if w.month == 0 {
		return s
	}
	s += fmt.Sprintf("-%02d", w.month)
	if w.day == 0 {
		return s
	}
	s += fmt.Sprintf("-%02d", w.day)
	if !w.usable() {
		return s
	}
	s += fmt.Sprintf("T%02d", w.hour)
	if w.minutes {
		s += fmt.Sprintf(":%02d", w.min)
	}
	if w.seconds {
		s += fmt.Sprintf(":%02d", w.sec)
	}
	return s + offsetString(w.offset)
}

// usable reports whether the clock time can stand in a case file.
func (w when) usable() bool { return w.clock && w.zoned && !w.bare && w.full() }

func offsetString(minutes int) string {
	if minutes == 0 {
		return "Z"
	}
	sign := '+'
	if minutes < 0 {
		sign, minutes = '-', -minutes
	}
	return fmt.Sprintf("%c%02d:%02d", sign, minutes/60, minutes%60)
}

// dateOnly returns w without its clock.
func (w when) dateOnly() when {
	return when{year: w.year, month: w.month, day: w.day}
}

// on returns w with the date parts that it lacks taken from d.
func (w when) on(d when) when {
	switch {
	case w.month == 0 && w.year == 0:
		w.year, w.month, w.day = d.year, d.month, d.day
	case w.year == 0:
		w.year = d.year
	}
	if w.year > 0 && w.day > 0 && !validDate(w.year, w.month, w.day) {
		return when{}
	}
	if w.next && w.full() {
		w = w.dayAfter()
		w.problem("the day is counted: the one after %s", d.dateOnly())
	}
	return w
}

// dayAfter returns w a day later.
func (w when) dayAfter() when {
	t := time.Date(w.year, time.Month(w.month), w.day+1, 0, 0, 0, 0, time.UTC)
	w.year, w.month, w.day = t.Year(), int(t.Month()), t.Day()
	w.next = false
	return w
}

// in returns w with the zone of z, unless it has one of its own.
func (w when) in(z when) when {
	if w.zone == "" && !w.zoned {
		w.zone, w.zoned, w.offset = z.zone, z.zoned, z.offset
	}
	return w
}

// seconds since the epoch, for comparison only; the clock counts as UTC where
// no zone is known.
func (w when) order() int64 {
	t := time.Date(w.year, time.Month(max(w.month, 1)), max(w.day, 1), w.hour, w.min, w.sec, 0, time.UTC)
	if w.next {
		t = t.AddDate(0, 0, 1)
	}
	return t.Unix() - int64(w.offset)*60
}

func validDate(y, m, d int) bool {
	t := time.Date(y, time.Month(m), d, 0, 0, 0, 0, time.UTC)
	return y >= 1900 && y < 2200 && t.Day() == d && int(t.Month()) == m
}

// checkWeekday notes a weekday that does not fit the date.
func (w *when) checkWeekday() {
	if !w.hasWeekday || !w.full() {
		return
	}
	t := time.Date(w.year, time.Month(w.month), w.day, 0, 0, 0, 0, time.UTC)
	if t.Weekday() != w.weekday {
		w.problem("%s was a %s, not a %s", w.dateOnly(), t.Weekday(), w.weekday)
	}
}

func (w *when) problem(format string, args ...any) {
	w.problems = append(slices.Clip(w.problems), fmt.Sprintf(format, args...))
}

// scanWhen reads a point in time from the beginning of s: a date, a clock
// time, or both in any order, with weekday and zone. It returns how many bytes
// they take, 0 where s does not begin with one.
func scanWhen(s string) (when, int) {
	var w when
	var opened bool
	end := 0
	for pos := 0; pos < len(s); {
		at := pos + separators(s[pos:], &w)
		n := w.component(s[at:], at > pos)
		if n == 0 {
			break
		}
		opened = opened || strings.ContainsAny(s[pos:at], "([")
		pos = at + n
		end = pos
	}
	if !w.dated() && !w.clock {
		return when{}, 0
	}
	if opened || strings.HasPrefix(s, "[") || strings.HasPrefix(s, "(") {
		for end < len(s) && (s[end] == ')' || s[end] == ']') {
			end++
		}
	}
	if !w.boundary(s, end) {
		return when{}, 0
	}
	w.checkWeekday()
	return w, end
}

// boundary refuses a match that ends in the middle of a number or word.
func (w *when) boundary(s string, end int) bool {
	if end >= len(s) {
		return true
	}
	last, next := s[end-1], s[end]
	return !(isDigit(last) && (isDigit(next) || isLetter(next)) || isLetter(last) && isLetter(next))
}

func isDigit(c byte) bool  { return c >= '0' && c <= '9' }
func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// separators returns the length of what may stand between two components.
func separators(s string, w *when) int {
	n := 0
	for n < len(s) {
		rest := s[n:]
		switch {
		case strings.IndexByte(" ,()[]@|\n", rest[0]) >= 0:
			n++
		case strings.HasPrefix(rest, "·"):
			n += len("·")
		case w.dated() && !w.clock && rest[0] == 'T' && len(rest) > 1 && isDigit(rest[1]):
			w.iso = true
			return n + 1
		case w.dated() && !w.clock && clockAfterDash(rest) > 0:
			n += clockAfterDash(rest)
		case wordSeparator(rest) > 0 && (w.dated() || w.clock || w.next):
			n += wordSeparator(rest)
		default:
			return n
		}
	}
	return n
}

func wordSeparator(s string) int {
	for _, word := range []string{"at ", "on ", "of ", "에 "} {
		if strings.HasPrefix(s, word) {
			return len(word)
		}
	}
	return 0
}

// clockAfterDash returns the length of a dash that stands between a date and
// a clock time.
func clockAfterDash(s string) int {
	for _, dash := range []string{"- ", "– ", "— ", "-"} {
		if after, ok := strings.CutPrefix(s, dash); ok {
			var probe when
			if probe.readClock(after) > 0 {
				return len(dash)
			}
		}
	}
	return 0
}

// A span is a point or a period in time.
type span struct {
	from  when
	until *when
}

// scanSpan is [scanWhen] for periods: two points with a dash or "to" between.
func scanSpan(s string) (span, int) { return scanPeriod(s, rangeMark) }

// scanPeriod is scanSpan with the mark that may stand between the two points.
func scanPeriod(s string, mark *lazyregexp.Regexp) (span, int) {
	from, n := scanWhen(s)
	if n == 0 {
		return span{}, 0
	}
	dash := mark.FindString(s[n:])
	until, m := scanWhen(s[n+len(dash):])
	if dash != "" && m > 0 {
		m += until.zoneBehind(s[n+len(dash)+m:])
	}
	if dash == "" || m == 0 {
		if open := openMark.FindString(s[n:]); open != "" {
			from.about = true
			n += len(open)
		}
		return span{from: from}, n
	}
	from.meet(&until)
	until = until.in(from).on(from)
	if !until.clock && from.clock || until.order() < from.order() {
		from.problem("the end of the period is not clear")
		return span{from: from}, n + len(dash) + m
	}
	return span{from: from, until: &until}, n + len(dash) + m
}

// zoneBehind reads the zone behind the end of a period, "16시 50분까지(KST)", and
// returns its length.
func (w *when) zoneBehind(s string) int {
	rest, ok := strings.CutPrefix(s, "까지")
	if !ok || w.zone != "" || w.zoned {
		return 0
	}
	inner := strings.TrimLeft(rest, " (")
	zoned := *w
	n := zoned.readZone(inner, true)
	if n == 0 {
		return 0
	}
	*w = zoned
	n += len(s) - len(inner)
	if n < len(s) && s[n] == ')' {
		n++
	}
	return n
}

// meet completes the two points of a period from each other: what only one of
// them states holds for both.
func (w *when) meet(until *when) {
	if until.zone != "" {
		*w = w.in(*until)
	}
	if !w.dated() && until.full() {
		*w = w.on(*until)
	}
	switch { // 2:05 to 4:50 pm; 오후 2시 5분부터 4시 50분까지
	case until.next: // it tells nothing of the half of the other day
	case until.half && !w.half && w.clock && w.hour >= 1 && w.hour <= 12:
		hour := w.hour % 12
		if until.hour >= 12 && hour+12 <= until.hour {
			hour += 12
		}
		if hour != w.hour {
			w.hour = hour
			w.problem("the half of the day is stated of the end of the period only")
		}
		w.bare = false
	case w.half && until.bare && until.hour < 12 && w.hour >= 12 && until.hour+12 >= w.hour:
		until.hour += 12
		until.bare = false
		w.problem("the half of the day is stated of the beginning of the period only")
	case w.half && until.bare && w.hour < 12 && until.hour >= w.hour:
		until.bare = false
	}
}

// findSpan returns the first period or point in time in s.
func findSpan(s string) (at span, start, end int, ok bool) {
	for i := range s {
		if !mayBegin(s, i) {
			continue
		}
		mark := rangeMark
		if betweenMark.MatchString(s[max(0, i-16):i]) {
			mark = andMark
		}
		if p, n := scanPeriod(s[i:], mark); n > 0 {
			return p, i, i + n, true
		}
	}
	return span{}, 0, 0, false
}

// mayBegin reports whether a point in time may begin at s[i:]: at the
// beginning of a word or number.
func mayBegin(s string, i int) bool {
	c := s[i]
	if i > 0 {
		before := s[i-1]
		if isDigit(c) && (isDigit(before) || isLetter(before) || before == '.' || before == ':') {
			return false
		}
		if isLetter(c) && (isLetter(before) || isDigit(before)) {
			return false
		}
	}
	return isDigit(c) || isLetter(c) || c >= 0x80 || c == '~'
}
