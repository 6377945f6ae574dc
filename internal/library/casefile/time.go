package casefile

import (
	"fmt"
	"strings"
	"time"
)

// Precision tells how exactly a [Time] is known.
type Precision string

// The precisions of a [Time], from coarse to fine.
const (
	Year   Precision = "year"
	Month  Precision = "month"
	Day    Precision = "day"
	Hour   Precision = "hour"
	Minute Precision = "minute"
	Second Precision = "second"
)

// Time is a point in time that is known to a precision: what is written in
// its ISO 8601 form is what is known. The zero Time is absent.
type Time struct {
	text      string
	start     time.Time
	precision Precision
}

// timeForms are the written forms, fine to coarse.
var timeForms = []struct {
	layout    string
	precision Precision
}{
	{"2006-01-02T15:04:05Z07:00", Second},
	{"2006-01-02T15:04Z07:00", Minute},
	{"2006-01-02T15Z07:00", Hour},
	{"2006-01-02", Day},
	{"2006-01", Month},
	{"2006", Year},
}

// ParseTime reads one of the written forms of a [Time]: 2015, 2015-09,
// 2015-09-20, or a date with a clock time and an offset to the hour, minute or
// second, as in 2015-09-20T02:19-07:00.
func ParseTime(s string) (Time, error) {
	for _, form := range timeForms {
		t, err := time.Parse(form.layout, s)
		if err != nil || strings.Contains(s, ".") || strings.Contains(s, ",") {
			continue
		}
		if y := t.Year(); y < 1900 || y > 2999 {
			return Time{}, fmt.Errorf("%q is outside the years 1900 to 2999; check the year", s)
		}
		return Time{s, t, form.precision}, nil
	}
	if _, err := time.Parse("2006-01-02T15:04", s); err == nil {
		return Time{}, fmt.Errorf("%q has no zone; add the offset, as in %q, or leave the clock time out", s, s+"-07:00")
	}
	return Time{}, fmt.Errorf("%q is not a time; write 2015-09-20 or 2015-09-20T02:19-07:00", s)
}

// UnmarshalText implements [encoding.TextUnmarshaler] with [ParseTime].
func (t *Time) UnmarshalText(text []byte) (err error) {
	*t, err = ParseTime(string(text))
	return err
}

// MarshalText returns the written form.
func (t Time) MarshalText() ([]byte, error) { return []byte(t.text), nil }

// String returns the written form.
func (t Time) String() string { return t.text }

// IsZero reports whether t is absent.
func (t Time) IsZero() bool { return t.text == "" }

// Precision returns how exactly t is known; it is empty for the zero Time.
func (t Time) Precision() Precision { return t.precision }

// HasClock reports whether t is known at least to the hour.
func (t Time) HasClock() bool {
	return t.precision == Hour || t.precision == Minute || t.precision == Second
}

// Earliest returns the first instant that t can mean. Dates without a clock
// time are taken in UTC.
func (t Time) Earliest() time.Time { return t.start }

// latest returns the last instant, to the second, that t can mean.
func (t Time) latest() time.Time {
	end := t.start
	switch t.precision {
	case Year:
		end = end.AddDate(1, 0, 0)
	case Month:
		end = end.AddDate(0, 1, 0)
	case Day:
		end = end.AddDate(0, 0, 1)
	case Hour:
		end = end.Add(time.Hour)
	case Minute:
		end = end.Add(time.Minute)
	case Second:
		end = end.Add(time.Second)
	}
	return end.Add(-time.Second)
}

// CertainlyBefore reports whether t lies before u under every reading of
// their precisions; a date without a clock may lie in any zone, so it must be
// a day clear of the other.
func (t Time) CertainlyBefore(u Time) bool {
	slack := time.Duration(0)
	if t.HasClock() != u.HasClock() {
		slack = 14 * time.Hour // the widest offset from UTC
	}
	return t.latest().Add(slack).Before(u.Earliest())
}

// Since returns the time from u to t, and whether both are known finely
// enough, to the hour, for it to mean something.
func (t Time) Since(u Time) (time.Duration, bool) {
	if !t.HasClock() || !u.HasClock() {
		return 0, false
	}
	return t.start.Sub(u.start), true
}

// granularity is the length of the period that t names, as far as clock times
// go.
func (t Time) granularity() time.Duration {
	return t.latest().Sub(t.Earliest()) + time.Second
}
