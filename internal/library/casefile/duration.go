package casefile

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/openprecedent/precedent/internal/lazyregexp"
)

// Duration is a length of time as people write it: 45s, 51m, 4h51m, 40h, 2d.
// The zero Duration is absent.
type Duration struct {
	text   string
	length time.Duration
}

var durationForm = lazyregexp.New(`^(?:(\d{1,5})d)?(?:(\d{1,5})h)?(?:(\d{1,5})m)?(?:(\d{1,6})s)?$`)

var durationUnits = []struct {
	name   string
	length time.Duration
}{{"d", 24 * time.Hour}, {"h", time.Hour}, {"m", time.Minute}, {"s", time.Second}}

// ParseDuration reads whole numbers of days, hours, minutes and seconds, in
// that order.
func ParseDuration(s string) (Duration, error) {
	m := durationForm.FindStringSubmatch(s)
	if m == nil || s == "" {
		return Duration{}, fmt.Errorf("%q is not a duration; write for example 4h51m, 40h or 2d", s)
	}
	var total time.Duration
	for i, unit := range durationUnits {
		n, _ := strconv.Atoi("0" + m[i+1])
		total += time.Duration(n) * unit.length
	}
	if total == 0 {
		return Duration{}, fmt.Errorf("%q is no time at all; leave the field out where it is not known", s)
	}
	return Duration{s, total}, nil
}

// DurationOf returns d rounded to the minute, or to the second where it is
// shorter than a minute, in hours and smaller units. What is not positive has
// no Duration: the result is absent.
func DurationOf(d time.Duration) Duration {
	if d >= time.Minute {
		d = d.Round(time.Minute)
	} else {
		d = max(d.Round(time.Second), 0)
	}
	var b strings.Builder
	rest := d
	for _, unit := range durationUnits[1:] {
		if n := rest / unit.length; n > 0 {
			fmt.Fprintf(&b, "%d%s", n, unit.name)
			rest -= n * unit.length
		}
	}
	return Duration{b.String(), d}
}

// UnmarshalText implements [encoding.TextUnmarshaler] with [ParseDuration].
func (d *Duration) UnmarshalText(text []byte) (err error) {
	*d, err = ParseDuration(string(text))
	return err
}

// MarshalText returns the written form.
func (d Duration) MarshalText() ([]byte, error) { return []byte(d.text), nil }

// String returns the written form.
func (d Duration) String() string { return d.text }

// IsZero reports whether d is absent.
func (d Duration) IsZero() bool { return d.text == "" }

// Length returns d as a [time.Duration].
func (d Duration) Length() time.Duration { return d.length }

// grain is the smallest unit that d names: 40h is known to the hour.
func (d Duration) grain() time.Duration {
	last := d.text[len(d.text)-1:]
	for _, unit := range durationUnits {
		if unit.name == last {
			return unit.length
		}
	}
	return time.Second
}
