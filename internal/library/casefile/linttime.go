package casefile

import (
	"fmt"
	"strings"
	"time"
)

type namedInstant struct {
	name string
	*Instant
}

// named returns the times that are present, in the order in which an incident
// passes through them.
func (t Times) named() []namedInstant {
	var all []namedInstant
	for _, one := range []namedInstant{
		{"start", t.Start}, {"detected", t.Detected}, {"identified", t.Identified},
		{"mitigated", t.Mitigated}, {"resolved", t.Resolved}, {"published", t.Published},
	} {
		if one.Instant != nil && !one.At.IsZero() {
			all = append(all, one)
		}
	}
	return all
}

// order reports times that contradict their order. An incident may be noticed
// before it reaches users, and it may be over before its cause is known.
func (l *linter) order() {
	times := l.c.Times.named()
	for i, later := range times {
		for _, earlier := range times[:i] {
			free := earlier.name == "start" && later.name == "detected" ||
				earlier.name == "identified" && later.name != "published"
			if free || !later.At.CertainlyBefore(earlier.At) {
				continue
			}
			l.error("time-order", "times."+later.name, fmt.Sprintf("%s is before %s, %s", later.At, earlier.name, earlier.At), "check both in the source")
		}
	}
	for i, o := range l.c.Observed {
		if o.Until != nil && o.Until.CertainlyBefore(o.At) {
			l.error("time-order", fmt.Sprintf("observed[%d].until", i), fmt.Sprintf("%s is before %s", o.Until, o.At), "check both in the source")
		}
	}
	start := l.c.Times.Start
	if l.c.DateKind == "occurred" && start != nil && !l.c.Date.IsZero() &&
		!strings.HasPrefix(start.At.String(), l.c.Date.String()) && !strings.HasPrefix(l.c.Date.String(), start.At.String()) {
		l.error("time-order", "date", fmt.Sprintf("%s is not the day of times.start, %s", l.c.Date, start.At), "the date is the day the incident began, in its own zone")
	}
}

// actionTimes reports actions out of order, since a reader takes the list for
// the course of events.
func (l *linter) actionTimes() {
	var last Time
	for i, a := range l.c.Actions {
		if a.At == nil || a.At.IsZero() {
			continue
		}
		if !last.IsZero() && a.At.CertainlyBefore(last) {
			l.warn("time-order", fmt.Sprintf("actions[%d].at", i), fmt.Sprintf("%s is before the action above, %s", a.At, last), "list the actions in the order in which they happened")
		}
		last = *a.At
	}
}

// stated reports a stated duration that contradicts the times, unless the
// contradiction is on record.
func (l *linter) stated() {
	for _, d := range l.c.durations() {
		if d.stated == nil || d.stated.Value.IsZero() || d.end == nil || l.c.Times.Start == nil {
			continue
		}
		computed, ok := d.end.At.Since(l.c.Times.Start.At)
		if !ok || l.recorded("durations."+d.name) {
			continue
		}
		slack := max(d.stated.Value.grain(), d.end.At.granularity(), l.c.Times.Start.At.granularity())
		if d.stated.About || d.end.About || l.c.Times.Start.About {
			slack = max(slack, d.stated.Value.Length()/5)
		}
		if gap := (computed - d.stated.Value.Length()).Abs(); gap > slack {
			given := "none"
			if computed > 0 { // an incident may be noticed before it begins for users
				given = DurationOf(computed).String()
			}
			l.warn("duration-differs", "durations."+d.name,
				fmt.Sprintf("%s is stated, the times give %s", d.stated.Value, given),
				"record it in conflicts, or leave the stated one out")
		}
	}
}

func (l *linter) recorded(field string) bool {
	for _, c := range l.c.Conflicts {
		if c.Field == field {
			return true
		}
	}
	return false
}

type durationOf struct {
	name   string
	stated *Length
	end    *Instant
}

func (c *Case) durations() []durationOf {
	return []durationOf{
		{"detect", c.Durations.Detect, c.Times.Detected},
		{"identify", c.Durations.Identify, c.Times.Identified},
		{"mitigate", c.Durations.Mitigate, c.Times.Mitigated},
		{"resolve", c.Durations.Resolve, c.Times.Resolved},
	}
}

// Measured is a duration of a case with its basis.
type Measured struct {
	Value Duration
	About bool
	Basis string // computed, from the times; or stated, by a source
}

// Measured returns the durations that the times allow to be computed, or else
// a source states: to detect, identify, mitigate and resolve, by these names.
// A duration that is not known has no entry.
func (c *Case) Measured() map[string]Measured {
	known := map[string]Measured{}
	for _, d := range c.durations() {
		if d.end != nil && c.Times.Start != nil {
			if gap, ok := d.end.At.Since(c.Times.Start.At); ok && gap >= time.Second {
				known[d.name] = Measured{DurationOf(gap), d.end.About || c.Times.Start.About, "computed"}
				continue
			}
		}
		if d.stated != nil && !d.stated.Value.IsZero() {
			known[d.name] = Measured{d.stated.Value, d.stated.About, "stated"}
		}
	}
	return known
}
