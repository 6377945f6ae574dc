package expect

import (
	"fmt"
	"strings"

	"github.com/openprecedent/precedent/internal/sim/des"
	"github.com/openprecedent/precedent/internal/sim/parts"
)

// parseMoment reads a time of a run: a span from its start, or one from what the
// file calls zero, such as T+5m. A span alone is one for how long, too.
func parseMoment(text string, zero des.Time) (t des.Time, fromZero bool, err error) {
	s := strings.TrimSpace(text)
	rest, fromZero := strings.CutPrefix(s, "T")
	before := false
	switch {
	case !fromZero:
		zero = 0
	case rest == "":
		return zero, true, nil
	case rest[0] == '-':
		before, rest = true, rest[1:]
	case rest[0] == '+':
		rest = rest[1:]
	default:
		rest = "no span"
	}
	var span parts.Duration
	if span.UnmarshalText([]byte(rest)) != nil {
		return 0, false, fmt.Errorf("%q is no time; write one such as 90s or 5m, from the start of the run, or T+5m, from run.zero", text)
	}
	t = span.Time()
	if before {
		t = -t
	}
	return zero + t, fromZero, nil
}

// moment writes a time of a run, from zero where the file names one.
func (c clock) moment(t des.Time) string {
	if c.zero == 0 {
		return duration(t)
	}
	if t < c.zero {
		return "T-" + duration(c.zero-t)
	}
	return "T+" + duration(t-c.zero)
}

func duration(t des.Time) string {
	if t < 0 {
		return "-" + parts.Duration(-t).String()
	}
	return parts.Duration(t).String()
}
