package parts

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/openprecedent/precedent/internal/sim/des"
)

// The units below read values as people write them and say what is wrong in
// the form that strictyaml expects: what, then what to do, after a semicolon.

// Duration is a span of time: 250ms, 7s, 1h30m.
type Duration des.Time

// Time returns the span in simulated time.
func (d Duration) Time() des.Time { return des.Time(d) }

// UnmarshalText reads a duration.
func (d *Duration) UnmarshalText(text []byte) error {
	t, err := parseDuration(string(text))
	*d = Duration(t)
	return err
}

// String writes a duration as it is read.
func (d Duration) String() string { return trimZeros(time.Duration(d).String()) }

// trimZeros drops the parts of a duration that are 0: 1h0m0s is 1h.
func trimZeros(s string) string {
	if strings.HasSuffix(s, "m0s") {
		s = s[:len(s)-2]
	}
	if strings.HasSuffix(s, "h0m") {
		s = s[:len(s)-2]
	}
	return s
}

// MaxDuration is the longest span a file may name.
const MaxDuration = 10 * 365 * 24 * des.Hour

func parseDuration(s string) (des.Time, error) {
	s = strings.TrimSpace(s)
	if s == "0" {
		return 0, nil
	}
	if days, ok := strings.CutSuffix(s, "d"); ok {
		n, err := strconv.ParseFloat(days, 64)
		if err != nil || !(n >= 0) || float64(n*24) > MaxDuration.Seconds()/3600 {
			return 0, durationError(s)
		}
		return des.FromSeconds(float64(n * 86400)), nil
	}
	d, err := time.ParseDuration(s)
	if err != nil || d < 0 || des.Time(d) > MaxDuration {
		return 0, durationError(s)
	}
	return des.Time(d), nil
}

func durationError(s string) error {
	return fmt.Errorf("%q is not a span of time; write a number with its unit, such as 250ms, 7s, 5m, 2h or 1d", s)
}

// Rate is a number of events a second: 100/s, 6000/min, 2.5/s.
type Rate float64

// UnmarshalText reads a rate.
func (r *Rate) UnmarshalText(text []byte) error {
	s := strings.TrimSpace(string(text))
	number, unit, ok := strings.Cut(s, "/")
	n, err := scaled(number)
	per := map[string]float64{"s": 1, "sec": 1, "min": 60, "m": 60, "h": 3600, "d": 86400}[strings.TrimSpace(unit)]
	if !ok || err != nil || per == 0 || !(n >= 0) || math.IsInf(n, 0) {
		return fmt.Errorf("%q is not a rate; write a number per unit of time, such as 100/s, 4k/s, 6000/min or 20/h", s)
	}
	*r = Rate(n / per)
	return nil
}

// scaled reads a number that may end in k or M, and be grouped as 3_360.
func scaled(s string) (float64, error) {
	s, scale := strings.ReplaceAll(strings.TrimSpace(s), "_", ""), 1.0
	switch {
	case strings.HasSuffix(s, "k"):
		s, scale = s[:len(s)-1], 1e3
	case strings.HasSuffix(s, "M"):
		s, scale = s[:len(s)-1], 1e6
	}
	n, err := strconv.ParseFloat(s, 64)
	return float64(n * scale), err
}

// String writes a rate per second.
func (r Rate) String() string { return strconv.FormatFloat(float64(r), 'g', 6, 64) + "/s" }

// Share is a part of a whole: 21% or 0.21.
type Share float64

// UnmarshalText reads a share.
func (p *Share) UnmarshalText(text []byte) error {
	s := strings.TrimSpace(string(text))
	number, percent := strings.CutSuffix(s, "%")
	n, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if percent {
		n /= 100
	}
	if err != nil || !(n >= 0 && n <= 1) {
		return fmt.Errorf("%q is not a share; write a percentage from 0%% to 100%%, or a number from 0 to 1", s)
	}
	*p = Share(n)
	return nil
}

// String writes a share in percent.
func (p Share) String() string { return strconv.FormatFloat(float64(p*100), 'g', 6, 64) + "%" }

// Factor is a number that multiplies, at least 0: 1.5, 5x, 150%.
type Factor float64

// UnmarshalText reads a factor.
func (f *Factor) UnmarshalText(text []byte) error {
	s := strings.TrimSpace(string(text))
	number, percent := strings.CutSuffix(s, "%")
	number = strings.TrimSuffix(strings.TrimSpace(number), "x")
	n, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if percent {
		n /= 100
	}
	if err != nil || !(n >= 0) || math.IsInf(n, 0) {
		return fmt.Errorf("%q is not a factor; write a number such as 1.5, 5x or 150%%", s)
	}
	*f = Factor(n)
	return nil
}

// String writes a factor.
func (f Factor) String() string { return strconv.FormatFloat(float64(f), 'g', 6, 64) + "x" }

// Count is a number of things: 3360, 3_360, 4k, 1.44M.
type Count int64

// MaxCount is the largest count a file may name.
const MaxCount = 1_000_000_000

// UnmarshalText reads a count.
func (c *Count) UnmarshalText(text []byte) error {
	n, err := scaled(string(text))
	if err != nil || !(n >= 0 && n <= MaxCount) || n != math.Trunc(n) {
		return fmt.Errorf("%q is not a count; write a whole number up to a thousand million, such as 3360, 4k or 1.44M", text)
	}
	*c = Count(n)
	return nil
}

// String writes a count.
func (c Count) String() string { return strconv.FormatInt(int64(c), 10) }

// Spread is a distribution of spans, written as a family and its parameters:
// 20ms, exp 20ms, lognormal 20ms p99 200ms, uniform 10ms 30ms, erlang 4 20ms,
// pareto 5ms alpha 2.5.
type Spread struct {
	des.Dist
	text string
}

// UnmarshalText reads a distribution of spans.
func (d *Spread) UnmarshalText(text []byte) error {
	dist, err := parseDist(string(text), func(s string) (float64, error) {
		t, err := parseDuration(s)
		return float64(t), err
	})
	*d = Spread{dist, string(text)}
	return err
}

// String writes a distribution as it was read.
func (d Spread) String() string { return d.text }

// Amount is a distribution of sizes without a unit, in the form of [Spread].
type Amount struct {
	des.Dist
	text string
}

// UnmarshalText reads a distribution of sizes.
func (d *Amount) UnmarshalText(text []byte) error {
	dist, err := parseDist(string(text), func(s string) (float64, error) {
		n, err := strconv.ParseFloat(s, 64)
		if err != nil || !(n >= 0) || n > 1e12 {
			return 0, fmt.Errorf("%q is not a size; write a number from 0 to 1e12", s)
		}
		return n, nil
	})
	*d = Amount{dist, string(text)}
	return err
}

// String writes a distribution as it was read.
func (d Amount) String() string { return d.text }

const distHelp = "write one of: 20ms, exp 20ms, lognormal 20ms p99 200ms, uniform 10ms 30ms, erlang 4 20ms, pareto 5ms alpha 2.5"

// parseDist reads a distribution whose values are read by value.
func parseDist(s string, value func(string) (float64, error)) (des.Dist, error) {
	words := strings.Fields(s)
	bad := fmt.Errorf("%q is not a distribution; %s", s, distHelp)
	if len(words) == 0 {
		return des.Dist{}, bad
	}
	var values []float64
	for i, w := range words[1:] {
		if w == "p99" || w == "alpha" {
			continue
		}
		if (words[0] == "erlang" && i == 0) || (i > 0 && words[i] == "alpha") {
			n, err := strconv.ParseFloat(w, 64)
			if err != nil || !(n > 0) || n > 1000 {
				return des.Dist{}, bad
			}
			values = append(values, n)
			continue
		}
		v, err := value(w)
		if err != nil {
			return des.Dist{}, err
		}
		values = append(values, v)
	}
	shape := words[0]
	switch {
	case len(words) == 1:
		v, err := value(shape)
		return des.Constant(v), err
	case shape == "exp" && len(words) == 2:
		return des.Exponential(values[0]), nil
	case shape == "uniform" && len(words) == 3 && values[0] <= values[1]:
		return des.Uniform(values[0], values[1]), nil
	case shape == "erlang" && len(words) == 3 && values[0] == math.Trunc(values[0]):
		return des.Erlang(int(values[0]), values[1]), nil
	case shape == "lognormal" && len(words) == 4 && words[2] == "p99" && 0 < values[0] && values[0] <= values[1]:
		return des.LogNormalTail(values[0], values[1]), nil
	case shape == "pareto" && len(words) == 4 && words[2] == "alpha" && values[0] > 0:
		return des.Pareto(values[0], values[1]), nil
	}
	return des.Dist{}, bad
}

// Limit is a count that may be unlimited.
type Limit int64

// Unlimited is no limit.
const Unlimited Limit = 1<<62 - 1

// UnmarshalText reads a count, or unlimited.
func (l *Limit) UnmarshalText(text []byte) error {
	if strings.TrimSpace(string(text)) == "unlimited" {
		*l = Unlimited
		return nil
	}
	var c Count
	if err := c.UnmarshalText(text); err != nil {
		return fmt.Errorf("%q is not a limit; write a whole number such as 100, or unlimited", text)
	}
	*l = Limit(c)
	return nil
}

// String writes a limit as it is read.
func (l Limit) String() string {
	if l == Unlimited {
		return "unlimited"
	}
	return Count(l).String()
}
