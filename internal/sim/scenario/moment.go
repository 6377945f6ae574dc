package scenario

import (
	"fmt"
	"strings"

	"github.com/openprecedent/precedent/internal/sim/des"
	"github.com/openprecedent/precedent/internal/sim/parts"
)

// Moment is a point on the clock of a run: a span from its start, or one from
// the moment that the file calls zero, such as T+5m or T-30s.
type Moment struct {
	span     des.Time
	fromZero bool // and not from the start
	relative bool // it was written so
	written  bool
}

// At is the moment of a span after the start of the run.
func At(t des.Time) Moment { return Moment{span: t, written: true} }

// Time returns the time from the start of the run. Those of a decoded file are
// counted so; one that was read alone may count from zero.
func (m Moment) Time() des.Time { return m.span }

// UnmarshalText reads a moment.
func (m *Moment) UnmarshalText(text []byte) error {
	s := strings.TrimSpace(string(text))
	rest, fromZero := strings.CutPrefix(s, "T")
	sign := des.Time(1)
	if fromZero {
		if !strings.HasPrefix(rest, "+") && !strings.HasPrefix(rest, "-") {
			return notMoment(s)
		}
		if rest[0] == '-' {
			sign = -1
		}
		rest = rest[1:]
	}
	var span parts.Duration
	if span.UnmarshalText([]byte(rest)) != nil {
		return notMoment(s)
	}
	*m = Moment{span: sign * span.Time(), fromZero: fromZero, relative: fromZero, written: true}
	return nil
}

func notMoment(s string) error {
	return fmt.Errorf("%q is not a time of a run; write a span from its start, such as 90s or 5m, or one from run.zero, such as T+5m", s)
}

// String writes a moment as it is read.
func (m Moment) String() string {
	switch {
	case m.fromZero && m.span < 0:
		return "T-" + parts.Duration(-m.span).String()
	case m.fromZero:
		return "T+" + parts.Duration(m.span).String()
	}
	return parts.Duration(m.span).String()
}

// from returns the moment counted from the start of the run.
func (m Moment) from(zero des.Time) Moment {
	if m.fromZero {
		m.span, m.fromZero = m.span+zero, false
	}
	return m
}
