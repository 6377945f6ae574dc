package casefile

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// A zoneName is what a name of a zone says of the offset, in minutes east of
// UTC. Names that regions use for different zones have several offsets.
type zoneName struct {
	offsets []int
	season  season // where the name or its offset is only that of a half of the year
	summer  bool   // the name has two offsets, by season: of standard and of daylight time
	in      string // or it is the name of one half only: "standard" or "daylight"
	other   string // the name of the other half
}

// A season tells whether an instant is in daylight time.
type season func(utc time.Time, standard int) bool

// zoneNames are the names whose offset is beyond doubt, in capital letters.
// Others are not looked at.
func zoneNames() map[string]zoneName {
	names := map[string]zoneName{}
	for minutes, all := range map[int]string{
		0: "UTC GMT Z WET", 60: "WEST", 120: "EET", 180: "EEST MSK", 480: "SGT HKT AWST", 540: "KST JST",
		600: "AEST", 660: "AEDT", 720: "NZST", 780: "NZDT", -600: "HST",
	} {
		for name := range strings.FieldsSeq(all) {
			names[name] = zoneName{offsets: []int{minutes}}
		}
	}
	names["BST"] = zoneName{offsets: []int{60, 6 * 60}}
	names["IST"] = zoneName{offsets: []int{330, 120, 60}}
	names["CET"] = zoneName{offsets: []int{60}}
	names["CEST"] = zoneName{offsets: []int{120}, season: european, in: "daylight", other: "CET"}
	names["한국 시간"] = zoneName{offsets: []int{540}}
	names["한국 표준시"] = names["한국 시간"]
	names["한국시간"] = names["한국 시간"]
	for letter, us := range map[string]struct {
		standard int
		also     []int // the name elsewhere: the Philippines, Australia, China
		names    string
	}{
		"P": {-8 * 60, []int{8 * 60}, "PACIFIC TIME,US/PACIFIC,AMERICA/LOS_ANGELES"},
		"M": {-7 * 60, []int{8 * 60}, "MOUNTAIN TIME,US/MOUNTAIN,AMERICA/DENVER"},
		"C": {-6 * 60, []int{8 * 60, -5 * 60}, "CENTRAL TIME,US/CENTRAL,AMERICA/CHICAGO"},
		"E": {-5 * 60, []int{10 * 60}, "EASTERN TIME,US/EASTERN,AMERICA/NEW_YORK"},
	} {
		standard := zoneName{offsets: append([]int{us.standard}, us.also...)}
		if letter == "P" { // the others hold all year in some places
			standard.season, standard.in, standard.other = american, "standard", "PDT"
		}
		names[letter+"ST"] = standard
		names[letter+"DT"] = zoneName{offsets: []int{us.standard + 60}, season: american, in: "daylight", other: letter + "ST"}
		for name := range strings.SplitSeq(us.names, ",") {
			names[name] = zoneName{offsets: []int{us.standard, us.standard + 60}, summer: true, season: american}
		}
		names[letter+"T"] = names[strings.SplitN(us.names, ",", 2)[0]]
	}
	return names
}

// zoneOf returns what a name says, and false where it is not one of the known.
func zoneOf(name string) (zoneName, bool) {
	if name = strings.ToUpper(strings.TrimSpace(name)); name == "" || name == "UTC" {
		return zoneName{offsets: []int{0}}, name != "" // by far the most frequent
	}
	zone, ok := zoneNames()[name]
	return zone, ok
}

// zones reports times whose offset is not that of the zone beside them.
func (l *linter) zones() {
	for _, one := range l.c.Times.named() {
		field := "times." + one.name
		zone, ok := zoneOf(one.Zone)
		if !ok || !one.At.HasClock() || l.recorded(field) || l.recorded(field+".zone") {
			continue
		}
		if msg := zone.contradicts(one.Zone, one.At); msg != "" {
			l.warn("wrong-zone", field+".zone", msg,
				"check both in the source; keep a contradiction of the source in conflicts")
		}
	}
}

// contradicts says what is wrong with the offset of t in the zone, or "".
func (z zoneName) contradicts(name string, t Time) string {
	_, seconds := t.Earliest().Zone()
	offset := seconds / 60
	if !slices.Contains(z.offsets, offset) {
		return fmt.Sprintf("%s is %s, and the time %s is not", name, offsetsOf(z.offsets), t)
	}
	if z.season == nil {
		return ""
	}
	standard := z.offsets[0]
	if z.in == "daylight" {
		standard -= 60
	}
	summer := z.season(t.Earliest().UTC(), standard)
	switch {
	case z.summer && summer != (offset == standard+60):
		right := standard
		if summer {
			right += 60
		}
		return fmt.Sprintf("%s was %s on that day, and the time %s is not", name, offsetsOf([]int{right}), t)
	case z.in == "daylight" && offset == standard+60 && !summer:
		return fmt.Sprintf("%s was not in force at %s, %s was", name, t, z.other)
	case z.in == "standard" && offset == standard && summer:
		return fmt.Sprintf("%s was not in force at %s, %s was", name, t, z.other)
	}
	return ""
}

// offsetsOf writes offsets as case files do.
func offsetsOf(minutes []int) string {
	var all []string
	for _, m := range minutes {
		all = append(all, time.Unix(0, 0).In(time.FixedZone("", m*60)).Format("-07:00"))
	}
	return strings.Join(all, " or ")
}

// american tells daylight time in the United States, which it begins and ends
// at 02:00 of the local clock, as the law has had it since 1987.
func american(utc time.Time, standard int) bool {
	year := utc.Year()
	begin, end := sunday(year, time.March, 8), sunday(year, time.November, 1)
	if year < 2007 {
		begin, end = sunday(year, time.April, 1), sunday(year, time.October, 25)
	}
	begin = begin.Add(2*time.Hour - time.Duration(standard)*time.Minute)
	end = end.Add(time.Hour - time.Duration(standard)*time.Minute) // 02:00 of daylight time
	return year >= 1987 && !utc.Before(begin) && utc.Before(end)
}

// european tells summer time in the European Union, which it begins and ends
// at 01:00 UTC, as it has since 1996.
func european(utc time.Time, _ int) bool {
	begin := sunday(utc.Year(), time.March, 25).Add(time.Hour)
	end := sunday(utc.Year(), time.October, 25).Add(time.Hour)
	return !utc.Before(begin) && utc.Before(end)
}

// sunday returns the first Sunday from a day on.
func sunday(year int, month time.Month, day int) time.Time {
	t := time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
	return t.AddDate(0, 0, (7-int(t.Weekday()))%7)
}
