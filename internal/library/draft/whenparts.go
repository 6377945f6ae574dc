package draft

import (
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/openprecedent/precedent/internal/lazyregexp"
)

// The patterns below are anchored: they read one component from the beginning
// of a text. RE2 keeps them linear in it.
var (
	isoDate     = lazyregexp.New(`^(\d{4})([-/.])(\d{1,2})[-/.](\d{1,2})`)
	isoMonth    = lazyregexp.New(`^(\d{4})-(\d\d)-(?:\?\?|xx|XX|DD|--)`)
	koreanDots  = lazyregexp.New(`^(\d{4})\. ?(\d{1,2})\. ?(\d{1,2})\.?`)
	koreanDate  = lazyregexp.New(`^(?:(\d{4})년 ?)?(\d{1,2})월 ?(\d{1,2})일`)
	koreanMonth = lazyregexp.New(`^(\d{4})년 ?(\d{1,2})월`)
	monthFirst  = lazyregexp.New(`^(?i:(` + months + `)\.?) (\d{1,2})(?:st|nd|rd|th)?(?:,? (\d{4})|,(\d{4}))?`)
	dayFirst    = lazyregexp.New(`^(\d{1,2})(?:st|nd|rd|th)? (?:of )?(?i:(` + months + `)\.?)(?:,? (\d{4}))?`)
	monthYear   = lazyregexp.New(`^(?i:(` + months + `)\.?),? (\d{4})`)
	slashDate   = lazyregexp.New(`^(\d{1,2})([/.])(\d{1,2})[/.](\d{4})`)

	clock24 = regexp.MustCompile(`^(\d{1,2}):(\d\d|\?\?)(?::(\d\d)(?:[.,]\d+)?)?(?: ?(?i:(a\.m\.|p\.m\.|am|pm)))?`)
	clock12 = regexp.MustCompile(`^(\d{1,2}) ?(?i:(a\.m\.|p\.m\.|am|pm))`)
	clock4  = regexp.MustCompile(`^([01]\d|2[0-3])([0-5]\d) ?(?:hrs |hours )?(UTC|GMT|Z)`)
	clockKo = lazyregexp.New(`^((?:오전|오후|새벽|아침|낮|저녁|밤) ?)?(\d{1,2})시(?: ?(?:(\d{1,2})분|(반)))?(?: ?(\d{1,2})초)?`)
	// halfEnd stands behind 반 where it is half of an hour, and no beginning of
	// another word.
	halfEnd   = lazyregexp.New(`^(?:$|[^\p{Hangul}]|(?:경|쯤|무렵|께|에|부터|까지|정도|이후|이전|을|은|의)|(?:이|과)(?:$|[^\p{Hangul}]))`)
	clockKo24 = regexp.MustCompile(`^(오전|오후) ?(\d{1,2}):(\d\d)(?::(\d\d))?`)
	noClock   = lazyregexp.New(`^(?:HH|hh|--|\?\?|xx|XX):(?:mm|MM|--|\?\?|xx|XX)`)

	sameDay = lazyregexp.New(`^(?:(당일|그 ?날)|같은 ?날|동일자|(?i:(?:the )?same day))`)
	nextDay = lazyregexp.New(`^(?:다음 ?날|이튿날|익일|(?i:(?:the )?(?:next|following) day))`)

	weekdayEn = lazyregexp.New(`^(?i)(mon|tue|wed|thu|fri|sat|sun)(?:day|sday|nesday|rsday|urday|s|r|rs)?\.?`)
	weekdayKo = lazyregexp.New(`^([월화수목금토일])(?:요일|\))`)

	aboutMark = lazyregexp.New(`^(?:~|(?i:about|around|approximately|approx\.?|circa|ca\.|roughly) |약 ?)`)
	// betweenMark ends what stands before a period, where "and" joins its points.
	betweenMark = lazyregexp.New(`(?i)(?:^|[^\p{L}])between (?:about |around |approximately )?$`)

	afterMark = lazyregexp.New(`^ ?(?:경|쯤|무렵|께)`)
	rangeMark = lazyregexp.New(`^ ?(?:-|–|—|~|to |until |till |through |부터|에서) ?`)
	andMark   = lazyregexp.New(`^ ?(?:-|–|—|~|and |to |until |till |through ) ?`)
	openMark  = lazyregexp.New(`^ ?~`)
)

const months = `january|february|march|april|may|june|july|august|september|october|november|december|` +
	`jan|feb|mar|apr|jun|jul|aug|sept|sep|oct|nov|dec`

func monthNumber(name string) int {
	const firsts = "janfebmaraprmayjunjulaugsepoctnovdec"
	return strings.Index(firsts, strings.ToLower(name)[:3])/3 + 1
}

func number(s string) int {
	n, _ := strconv.Atoi(s) // digits by the pattern, at most four
	return n
}

// component reads one component of a point in time and returns its length.
// spaced tells that something stands between it and the component before.
func (w *when) component(s string, spaced bool) int {
	if s == "" {
		return 0
	}
	if n := w.readZone(s, spaced); n > 0 {
		return n
	}
	if !w.dated() {
		if n := w.readDate(s); n > 0 {
			w.next, w.same, w.sameAsOutage = false, false, false // the date says which day that is
			return n
		}
		if n := w.readRelative(s); n > 0 {
			return n
		}
	}
	if !w.clock {
		if n := w.readClock(s); n > 0 {
			return n + w.readAfter(s[n:])
		}
	}
	if m := aboutMark.FindString(s); m != "" && !w.clock {
		var probe when
		if rest := s[len(m):]; rest != "" && probe.readDate(rest)+probe.readClock(rest) > 0 {
			w.about = true
			return len(m)
		}
	}
	return w.readWeekday(s)
}

// readRelative reads a word that tells the day by the one that is spoken of.
func (w *when) readRelative(s string) int {
	if w.relative() {
		return 0
	}
	if m := nextDay.FindString(s); m != "" {
		w.next = true
		return len(m)
	}
	m := sameDay.FindStringSubmatch(s)
	if m == nil {
		return 0
	}
	w.same, w.sameAsOutage = true, m[1] != ""
	return len(m[0])
}

func (w *when) readAfter(s string) int {
	m := afterMark.FindString(s)
	if m != "" {
		w.about = true
	}
	return len(m)
}

func (w *when) readWeekday(s string) int {
	if w.hasWeekday {
		return 0
	}
	names, m := "sunmontuewedthufrisat", weekdayEn.FindStringSubmatch(s)
	if m == nil {
		names, m = "일월화수목금토", weekdayKo.FindStringSubmatch(s)
		if m != nil && !w.dated() {
			return 0 // 월 and 일 also count months and days
		}
	}
	if m == nil || len(m[0]) < len(s) && isLetter(s[len(m[0])]) {
		return 0
	}
	w.hasWeekday = true
	w.weekday = time.Weekday(strings.Index(names, strings.ToLower(m[1])) / 3)
	return len(strings.TrimSuffix(m[0], ")"))
}

func (w *when) setDate(y, m, d int) bool {
	if m < 1 || m > 12 || d < 0 || d > 31 || y > 0 && !validDate(y, m, max(d, 1)) {
		return false
	}
	w.year, w.month, w.day = y, m, d
	return true
}

// readDate reads a date from the beginning of s.
func (w *when) readDate(s string) int {
	type form struct {
		m       []string
		y, o, d string
	}
	var forms []form
	add := func(pattern *lazyregexp.Regexp, pick func(m []string) (y, o, d string)) {
		if m := pattern.FindStringSubmatch(s); m != nil {
			y, o, d := pick(m)
			forms = append(forms, form{m, y, o, d})
		}
	}
	switch {
	case isDigit(s[0]):
		add(isoDate, func(m []string) (y, o, d string) { return m[1], m[3], m[4] })
		add(isoMonth, func(m []string) (y, o, d string) { return m[1], m[2], "" })
		add(koreanDots, func(m []string) (y, o, d string) { return m[1], m[2], m[3] })
		add(koreanDate, func(m []string) (y, o, d string) { return m[1], m[2], m[3] })
		add(koreanMonth, func(m []string) (y, o, d string) { return m[1], m[2], "" })
		add(dayFirst, func(m []string) (y, o, d string) { return m[3], name(m[2]), m[1] })
	case isLetter(s[0]):
		add(monthFirst, func(m []string) (y, o, d string) { return m[3] + m[4], name(m[1]), m[2] })
		add(monthYear, func(m []string) (y, o, d string) { return m[2], name(m[1]), "" })
	}
	for _, f := range forms {
		n := len(f.m[0])
		if n < len(s) && isDigit(s[n]) && isDigit(s[n-1]) {
			continue // part of a longer number
		}
		if n < len(s) && isLetter(s[n]) && s[n] != 'T' && s[n] < 0x80 {
			continue
		}
		if w.setDate(number(f.y), number(f.o), number(f.d)) {
			return n
		}
	}
	return w.readSlashDate(s)
}

func name(month string) string { return strconv.Itoa(monthNumber(month)) }

// readSlashDate reads 2/22/2022 and 22.2.2022, where only one order of day
// and month is possible. Of another it notes that it is ambiguous.
func (w *when) readSlashDate(s string) int {
	m := slashDate.FindStringSubmatch(s)
	if m == nil || len(m[0]) < len(s) && isDigit(s[len(m[0])]) {
		return 0
	}
	a, b, y := number(m[1]), number(m[3]), number(m[4])
	switch {
	case a > 12 || a == b:
		a, b = b, a
	case b <= 12:
		w.problem("%s is ambiguous: day and month may stand in either order", m[0])
		w.year = y
		w.month = 0
		return len(m[0])
	}
	if !w.setDate(y, a, b) {
		return 0
	}
	return len(m[0])
}

// readClock reads a clock time from the beginning of s.
func (w *when) readClock(s string) int {
	if m := noClock.FindString(s); m != "" && w.dated() {
		return len(m)
	}
	if m := clock24.FindStringSubmatch(s); m != nil {
		if m[4] != "" && len(m[0]) < len(s) && isLetter(s[len(m[0])]) {
			m[0], m[4] = strings.TrimRight(m[0][:len(m[0])-len(m[4])], " "), ""
		}
		return w.setClock(m[0], m[1], m[2], m[3], m[4])
	}
	if m := clock12.FindStringSubmatch(s); m != nil {
		if len(m[0]) == len(s) || !isLetter(s[len(m[0])]) {
			return w.setClock(m[0], m[1], "", "", m[2])
		}
	}
	if m := clock4.FindStringSubmatch(s); m != nil {
		n := w.setClock(m[0], m[1], m[2], "", "")
		if n > 0 {
			n -= len(m[3]) // the zone is read as a component of its own
		}
		return n
	}
	if m := clockKo24.FindStringSubmatch(s); m != nil {
		return w.setClock(m[0], m[2], m[3], m[4], m[1])
	}
	return w.readClockKo(s)
}

// readClockKo reads 오후 2시 5분 or 새벽 1시 반 from the beginning of s.
func (w *when) readClockKo(s string) int {
	m := clockKo.FindStringSubmatch(s)
	if m == nil || strings.HasPrefix(s[len(m[0]):], "간") {
		return 0 // 31시간 is a length
	}
	if m[4] != "" {
		if m[5] == "" && halfEnd.MatchString(s[len(m[0]):]) {
			m[3] = "30"
		} else { // 2시 반복
			whole, _, _ := strings.Cut(m[0], "반")
			m[0], m[5] = strings.TrimRight(whole, " "), ""
		}
	}
	half := strings.TrimSpace(m[1])
	n := w.setClock(m[0], m[2], m[3], m[5], half)
	w.bare = n > 0 && half == "" && len(m[2]) == 1 || n > 0 && half == "" && w.hour >= 10 && w.hour <= 12
	return n
}

// halves are the parts of a day by which Korean tells one half of it from the
// other, with the hours that are told so. 밤 12시 and 밤 1시 are of either day.
var halves = map[string]struct {
	half     string
	from, to int
}{
	"아침": {"오전", 5, 11}, "낮": {"오후", 12, 17}, "저녁": {"오후", 5, 11}, "밤": {"오후", 7, 11},
}

// setClock sets the clock from its parts; half is am, pm or the like.
func (w *when) setClock(all, h, m, s, half string) int {
	hour, minute, sec := number(h), number(m), number(s)
	if part, ok := halves[half]; ok {
		noon := half == "낮" && hour < 6
		if !noon && (hour < part.from || hour > part.to) {
			return 0
		}
		half = part.half
	}
	switch strings.ToLower(half) {
	case "am", "a.m.", "오전", "새벽":
		if hour > 12 || hour == 0 && half != "오전" && half != "새벽" {
			return 0
		}
		hour %= 12
	case "pm", "p.m.", "오후":
		if hour == 0 || hour > 23 {
			return 0
		}
		if hour < 12 {
			hour += 12
		} else if hour > 12 && half != "오후" {
			return 0
		}
	}
	if hour > 23 || minute > 59 || sec > 59 {
		return 0
	}
	w.clock, w.hour, w.min, w.sec = true, hour, minute, sec
	w.half = half != ""
	w.minutes, w.seconds = m != "" && m != "??", s != ""
	return len(all)
}
