package draft

import (
	"fmt"
	"slices"
	"strings"
	"time"
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
	same             bool // of the day that is spoken of: 같은 날
	sameAsOutage     bool // of that day or the one of the outage: 당일
	lost             bool // of a day that cannot be told: 전날, 이틀 뒤
}

func (w when) dated() bool { return w.month > 0 || w.year > 0 }

// relative reports whether the day of w is told by that of something else.
func (w when) relative() bool { return w.next || w.same }

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
	case w.lost:
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
		case wordSeparator(rest) > 0 && (w.dated() || w.clock || w.relative()):
			n += wordSeparator(rest)
		default:
			return n
		}
	}
	return n
}

func wordSeparator(s string) int {
	for _, word := range []string{"at ", "on ", "of ", "에 ", "에는 "} {
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
