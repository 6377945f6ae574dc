package draft

import (
	"slices"
	"strings"

	"github.com/openprecedent/precedent/internal/lazyregexp"
)

// entry adds an observation. stated is the time as the report writes it; its
// words stand in a note where the value does not show them.
func (c *chronicle) entry(at span, stated, text, stamp string) {
	var e entry
	from := at.from
	if w, n := scanWhen(stamp); stamp != "" && n == len(stamp) {
		from, at.until = w, nil
	}
	dated, next := from.dated(), from.next
	if next && c.counted && c.last.clock && from.clock && from.hour*60+from.min >= c.last.hour*60+c.last.min {
		from.next = false // the entry before was of that day
	}
	if from.clock && from.zone == "" && !from.zoned && c.p.zoneNote != "" && c.zone.zone == c.p.zone.zone {
		c.to.note(c.p.zoneNote)
		c.p.zoneNote = ""
	}
	if c.doubtful(from) {
		from.lost = true
	}
	from = from.on(c.today()).in(c.zone)
	if from.bare && !c.p.meridiem {
		from.bare = false
	}
	if !dated && !next && !from.same && c.pastMidnight(from) {
		from, next = from.dayAfter(), true
		e.notes = append(e.notes, "the day is inferred: the clock passed midnight")
	}
	c.counted = next || c.counted && !dated
	e.at, e.about, e.text = from.String(), from.about, text
	e.notes = append(e.notes, from.problems...)
	if until := at.until; until != nil {
		u := until.on(from).in(from)
		if u.usable() == from.usable() && u.String() != "" {
			e.until = u.String()
		}
	}
	if from.full() {
		c.day, c.last = from.dateOnly(), from
	}
	if !dated && c.p.dayNote != "" && from.full() {
		c.to.note(c.p.dayNote)
		c.p.dayNote = ""
	}
	if from.clock && !from.usable() && e.at != "" {
		e.notes = append(e.notes, "the clock time needs a zone that names one offset")
	}
	if !covers(e.at+" "+e.until, stated) {
		e.notes = append(e.notes, "stated: "+stated)
	}
	c.add(e, stated)
	c.label(from, text)
}

// doubtful reports whether 같은 날 or 당일 may be one of two days: that of the
// outage or the one that the entry before is of, or the one after that where the
// clock passed midnight.
func (c *chronicle) doubtful(w when) bool {
	if !w.same {
		return false
	}
	day := c.today()
	return c.pastMidnight(w.on(day)) || w.sameAsOutage && c.p.day.full() && c.p.day.dateOnly().String() != day.dateOnly().String()
}

// add appends an entry that has both a time and a text; another one is kept as
// a note.
func (c *chronicle) add(e entry, stated string) {
	if e.at == "" || !strings.ContainsFunc(e.text, isWord) {
		c.to.note(strings.TrimSpace("not placed, no day: " + stated + " " + e.text))
		return
	}
	c.to.add(e)
}

func (c *chronicle) today() when {
	if c.day.full() {
		return c.day
	}
	return c.p.day
}

// pastMidnight reports whether a clock time without a date must be of the
// day after: the entry before it is of the evening.
func (c *chronicle) pastMidnight(w when) bool {
	return w.clock && c.last.clock && w.dateOnly().String() == c.last.dateOnly().String() && c.last.hour >= 18 && w.hour <= 6
}

// beginsOrEnds is the mark, in capital letters, of the entries with which an
// outage begins and ends.
var beginsOrEnds = lazyregexp.New(`\b(?:OUTAGE|INCIDENT|IMPACT) (BEGINS?|BEGAN|STARTS?|STARTED|ENDS?|ENDED|RESOLVED|MITIGATED)\b`)

var labelled = lazyregexp.New(`^([^:.\n]{3,30}): `)

// label sets one of the times where the entry itself says what it is:
// "Detection: an alert fired".
func (c *chronicle) label(at when, text string) {
	if m := beginsOrEnds.FindStringSubmatch(text); m != nil && at.usable() {
		key := "start"
		if !strings.HasPrefix(m[1], "BEGIN") && !strings.HasPrefix(m[1], "START") {
			key = "resolved"
		}
		if c.p.rec.times[key] == nil {
			c.p.rec.times[key] = &instant{at: at.String(), zone: at.zone, about: at.about,
				notes: []string{"the timeline marks this entry: " + m[0]}}
		}
	}
	m := labelled.FindStringSubmatch(text)
	if m == nil || !at.usable() {
		return
	}
	switch key := keyOf(m[1]); key {
	case "start", "detected", "identified", "mitigated", "resolved":
		if c.p.rec.times[key] == nil {
			zone := at.zone
			c.p.rec.times[key] = &instant{at: at.String(), zone: zone, about: at.about,
				notes: []string{"the timeline marks this entry: " + m[1]}}
		}
	}
}

// sort puts the entries from i on in order of time, where the report has the
// newest first.
func (c *chronicle) sort(i int) {
	list := c.to.list[i:]
	if len(list) < 2 {
		return
	}
	descends, falls := true, false
	for k := 1; k < len(list); k++ {
		order := compareTimes(list[k-1].at, list[k].at)
		descends = descends && order >= 0
		falls = falls || order > 0
	}
	if !descends || !falls {
		return
	}
	lead := append(list[0].lead, "newest first in the report, turned round here")
	list[0].lead = nil
	slices.Reverse(list)
	list[0].lead = append(lead, list[0].lead...)
}

// hourOnly is a time of a case file that states no minutes.
var hourOnly = lazyregexp.New(`T(\d\d)(Z|[+-])`)

// compareTimes compares two times of case files as points in time, and as days
// where one of them is only a day.
func compareTimes(a, b string) int {
	x, _ := scanWhen(hourOnly.ReplaceAllString(a, "T$1:00$2"))
	y, _ := scanWhen(hourOnly.ReplaceAllString(b, "T$1:00$2"))
	if !x.clock || !y.clock {
		x, y = x.dateOnly(), y.dateOnly()
	}
	return int(min(max(x.order()-y.order(), -1), 1))
}
