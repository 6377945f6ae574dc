package draft

import (
	"strings"

	"github.com/openprecedent/precedent/internal/lazyregexp"
)

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
	if from.next {
		until.next = false // it is of that day as well
	}
	until = until.in(from).on(from)
	begun := from
	begun.next = from.next && until.dated()
	if !until.clock && from.clock || until.order() < begun.order() {
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
	if !w.dated() && !w.next && until.full() {
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
			p.lose(s[max(0, i-60):i])
			return p, i, i + n, true
		}
	}
	return span{}, 0, 0, false
}

// otherDay stands before a clock time of a day that only its words tell, from
// one that may not be the one that is spoken of.
var otherDay = lazyregexp.New(`(?:전날|전일|하루 (?:전|뒤|후)|이틀|사흘|나흘|닷새|며칠|\d+ ?일 ?(?:전|뒤|후)|어제|그저께|그제|내일|모레|` +
	`(?:다음|지난|이번) ?[주달]|[월화수목금토일]요일)[^.,;:\n]{0,12}$`)

// lose takes the day from a span without a date, where the text before it tells
// that it is another one.
func (at *span) lose(before string) {
	if at.from.dated() || at.from.relative() || !otherDay.MatchString(before) {
		return
	}
	at.from.lost = true
	if at.until != nil && !at.until.dated() {
		at.until.lost = true
	}
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
