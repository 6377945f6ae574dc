package draft

import (
	"strings"

	"github.com/openprecedent/precedent/internal/lazyregexp"
)

// offsets are the zones whose abbreviation names one offset, in minutes east
// of UTC. The American ones are taken in their American sense.
var offsets = map[string]int{
	"UTC": 0, "GMT": 0, "Z": 0,
	"PST": -8 * 60, "PDT": -7 * 60, "MST": -7 * 60, "MDT": -6 * 60,
	"CST": -6 * 60, "CDT": -5 * 60, "EST": -5 * 60, "EDT": -4 * 60,
	"AKST": -9 * 60, "AKDT": -8 * 60, "HST": -10 * 60,
	"WET": 0, "WEST": 60, "CET": 60, "CEST": 120, "EET": 120, "EEST": 180, "MSK": 180,
	"KST": 9 * 60, "JST": 9 * 60, "SGT": 8 * 60, "HKT": 8 * 60,
	"AEST": 10 * 60, "AEDT": 11 * 60, "AWST": 8 * 60, "NZST": 12 * 60, "NZDT": 13 * 60,
}

// unclear are zone names that several regions use, or that change their
// offset with the season.
var unclear = map[string]string{
	"BST": "British Summer Time or Bangladesh Standard Time",
	"IST": "India, Israel or Irish Standard Time",
	"PT":  "standard or daylight time",
	"MT":  "standard or daylight time",
	"CT":  "standard or daylight time",
	"ET":  "standard or daylight time",
}

var (
	zoneName    = lazyregexp.New(`^(?:UTC|GMT|MSK|utc|gmt|[A-Z]{1,4}T|Z)`)
	zoneShift   = lazyregexp.New(`^ ?([+\-−–])(\d{1,2})(?::?(\d\d))?`)
	zoneNumeric = lazyregexp.New(`^([+-])(\d\d)(:?)(\d\d)`)
	zoneKorean  = lazyregexp.New(`^(?:한국 ?(?:표준 ?시(?:간)?|시간|시각))`)
)

// readZone reads a zone from the beginning of s.
func (w *when) readZone(s string, spaced bool) int {
	if w.zone != "" || w.zoned {
		return 0
	}
	if m := zoneKorean.FindString(s); m != "" {
		w.zone, w.zoned, w.offset = m, true, 9*60
		return len(m)
	}
	if n := w.readNumericZone(s, spaced); n > 0 {
		return n
	}
	name := zoneName.FindString(s)
	if name == "" || len(name) < len(s) && (isLetter(s[len(name)]) || isDigit(s[len(name)])) {
		return 0
	}
	if name == "Z" && (spaced || !w.clock) {
		return 0
	}
	key := strings.ToUpper(name)
	if why, ok := unclear[key]; ok {
		w.zone = name
		w.problem("%s names no one offset: %s", name, why)
		return len(name)
	}
	minutes, ok := offsets[key]
	if !ok {
		return 0
	}
	w.zone, w.zoned, w.offset = name, true, minutes
	if key == "UTC" || key == "GMT" {
		if m := zoneShift.FindStringSubmatch(s[len(name):]); m != nil && w.shift(m) {
			w.zone += m[0]
			return len(name) + len(m[0])
		}
	}
	if key == "Z" {
		w.zone = ""
	}
	return len(name)
}

// shift applies an offset written behind UTC, and reports whether it is one.
func (w *when) shift(m []string) bool {
	minutes := number(m[2])*60 + number(m[3])
	if minutes > 14*60 || number(m[3]) > 59 {
		return false
	}
	if m[1] != "+" {
		minutes = -minutes
	}
	w.offset = minutes
	return true
}

// readNumericZone reads +09:00 behind a clock. A minus may also be the dash of
// a period, "10:05-11:30"; it is taken for an offset only in forms that no
// period takes.
func (w *when) readNumericZone(s string, spaced bool) int {
	m := zoneNumeric.FindStringSubmatch(s)
	if !w.clock || m == nil || len(m[0]) < len(s) && isDigit(s[len(m[0])]) {
		return 0
	}
	if m[1] == "-" && !w.iso && !(w.seconds && spaced) {
		return 0
	}
	if !w.shift([]string{"", m[1], m[2], m[4]}) {
		return 0
	}
	w.zoned = true
	return len(m[0])
}

var (
	zoneWord     = lazyregexp.New(`\b[A-Z]{2,4}\b|한국 ?(?:표준 ?시(?:간)?|시간|시각)`)
	speaksOfZone = lazyregexp.New(`(?i)\btimes?\b|timestamps?|timezone|time zone|시각|시간|기준`)
)

// zoneIn returns the one zone that a heading or column head names.
func zoneIn(s string) (when, bool) {
	var found when
	for _, at := range zoneWord.FindAllStringIndex(s, -1) {
		var w when
		if w.readZone(s[at[0]:], true) == 0 {
			continue
		}
		if found.zone != "" && (found.zoned != w.zoned || found.offset != w.offset) {
			return when{}, false
		}
		if found.zone == "" {
			found = w
		}
	}
	return found, found.zone != ""
}

// declaresZone returns the zone of a sentence like "All times in UTC".
func declaresZone(s string) (when, bool) {
	if len(s) > 300 || !speaksOfZone.MatchString(s) {
		return when{}, false
	}
	if _, _, _, ok := findSpan(s); ok {
		return when{}, false // it tells of an event
	}
	return zoneIn(s)
}
