package expect

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/openprecedent/precedent/internal/sim/des"
)

// kind is what a piece of an expression is.
type kind uint8

const (
	unknown kind = iota // something is wrong with it that has been reported
	number
	moment // a time of the run, or a span of time
	truth
	chart  // a series
	either // a number or a moment, the same for all such parameters of a function
)

// String names a kind as messages do.
func (k kind) String() string {
	return [...]string{"unknown", "number", "time", "condition", "series", "number or time"}[k]
}

// parameter is one of a function.
type parameter struct {
	name string
	kind kind
}

// function is a function of expressions.
type function struct {
	name   string
	params []parameter
	need   int // parameters that must stand; the others may be left out from the end
	gives  kind
	about  string
	like   string // what it is called in PromQL, if it is there
	call   func(a arguments) (any, error)
	// because says what was found where a condition does not hold.
	because func(a arguments) string
}

// arguments are those of a call: float64, des.Time, bool or *series.
type arguments []any

func (a arguments) series(i int) *series  { return a[i].(*series) }
func (a arguments) number(i int) float64  { return a[i].(float64) }
func (a arguments) moment(i int) des.Time { return a[i].(des.Time) }
func (a arguments) has(i int) bool        { return i < len(a) }
func (a arguments) or(i int, t des.Time) des.Time {
	if a.has(i) {
		return a.moment(i)
	}
	return t
}

// span returns the span that the arguments from i on give: from, and to.
func (a arguments) span(i int) (span, error) {
	s := a.series(0)
	return s.span(a.or(i, 0), a.or(i+1, s.clock.end()))
}

// from and to are the parameters of a span, which may be left out.
var fromTo = []parameter{{"from", moment}, {"to", moment}}

func of(first ...parameter) []parameter { return append(first, fromTo...) }

// functions returns all functions by name.
func functions() []function {
	x, level := parameter{"series", chart}, parameter{"level", number}
	by, hold := parameter{"by", moment}, parameter{"hold", moment}
	return []function{
		{"at", []parameter{x, {"time", moment}}, 2, number, "value of the window that holds the time", "@", at, nil},
		{"crosses", []parameter{x, level, {"before", moment}}, 3, truth, "a window before that time is above the level", "", crosses, highestBefore},
		{"first_above", append(of(x, level), hold), 2, moment, "start of the first window between from and to that is above the level, and stays above it for hold; without one, the expectation fails", "", firstAbove, nil},
		{"first_below", append(of(x, level), hold), 2, moment, "the same, of the first window below the level", "", firstBelow, nil},
		{"last", []parameter{x}, 1, number, "value of the last window of the run", "last_over_time", last, nil},
		{"last_above", of(x, level), 2, moment, "end of the last window above the level; without one, the expectation fails", "", lastAbove, nil},
		{"least", of(x), 1, number, "least value", "min_over_time", overValues(least), nil},
		{"mean", of(x), 1, number, "mean of the values", "avg_over_time", overValues(mean), nil},
		{"mean_over", []parameter{x, {"span", moment}}, 2, chart, "series of the means over the span that ends with each window", "avg_over_time as a subquery", trailing(true), nil},
		{"most", of(x), 1, number, "largest value", "max_over_time", overValues(most), nil},
		{"never", of(x, level), 2, truth, "no window is above the level", "", never, highest},
		{"quantile", of(x, parameter{"share", number}), 2, number, "value below which that share of the values lie", "quantile_over_time", quantileOf, nil},
		{"ratio", of(x, parameter{"series", chart}), 2, number, "total of the first series over that of the second", "", ratio, nil},
		{"recovers", []parameter{x, level, by, hold}, 3, truth, "a window before that time is above the level, and none from that time on, for hold or until the end of the run", "", recovers, lastHigh},
		{"share_above", of(x, level), 2, number, "share of the windows that are above the level", "", shareAbove, nil},
		{"slope", of(x), 1, number, "growth a second, of the line nearest to the values", "deriv", slope, nil},
		{"std", of(x), 1, number, "standard deviation of the values", "stddev_over_time", overValues(deviation), nil},
		{"sum_over", []parameter{x, {"span", moment}}, 2, chart, "series of the totals over the span that ends with each window", "increase as a subquery", trailing(false), nil},
		{"total", of(x), 1, number, "sum over time: what was counted; of a level, the level times the seconds for which it stood", "increase", total, nil},
		{"within", []parameter{{"value", either}, {"least", either}, {"most", either}}, 3, truth, "the value is not below the least one and not above the most", "", within, nil},
	}
}

// usage writes how a function is called.
func (f *function) usage() string {
	var b strings.Builder
	b.WriteString(f.name + "(")
	for i, p := range f.params {
		if i >= f.need {
			b.WriteByte('[')
		}
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(p.name)
	}
	b.WriteString(strings.Repeat("]", len(f.params)-f.need) + ")")
	return b.String()
}

func at(a arguments) (any, error) {
	s, t := a.series(0), a.moment(1)
	i := int(t / s.clock.width)
	if t > 0 && t == s.clock.end() {
		i-- // the end of the run belongs to its last window
	}
	if t < 0 {
		return nil, fmt.Errorf("%s is before the start of the run", s.clock.moment(t))
	}
	if i >= len(s.values) {
		return nil, &notReached{t, s.clock}
	}
	v, ok := s.value(i)
	if !ok {
		return nil, fmt.Errorf("no value at %s", s.clock.moment(t))
	}
	return v, nil
}

func last(a arguments) (any, error) {
	s := a.series(0)
	return at(arguments{s, s.clock.end()})
}

// overValues is a function of the values in a span.
func overValues(f func([]float64) float64) func(arguments) (any, error) {
	return func(a arguments) (any, error) {
		p, err := a.span(1)
		if err != nil {
			return nil, err
		}
		all, err := p.values()
		if err != nil {
			return nil, err
		}
		return f(all), nil
	}
}

func least(all []float64) float64 {
	low := all[0]
	for _, v := range all {
		low = min(low, v)
	}
	return low
}

func most(all []float64) float64 {
	high := all[0]
	for _, v := range all {
		high = max(high, v)
	}
	return high
}

func total(a arguments) (any, error) {
	p, err := a.span(1)
	if err != nil {
		return nil, err
	}
	return p.total()
}

func ratio(a arguments) (any, error) {
	var totals [2]float64
	for i := range totals {
		s := a.series(i)
		p, err := s.span(a.or(2, 0), a.or(3, s.clock.end()))
		if err != nil {
			return nil, err
		}
		if totals[i], err = p.total(); err != nil {
			return nil, err
		}
	}
	if totals[1] == 0 {
		return nil, errors.New("the total that is divided by is 0")
	}
	return totals[0] / totals[1], nil
}

func slope(a arguments) (any, error) {
	p, err := a.span(1)
	if err != nil {
		return nil, err
	}
	return p.slope()
}

func quantileOf(a arguments) (any, error) {
	q := a.number(1)
	if !(q >= 0 && q <= 1) {
		return nil, fmt.Errorf("the share of a quantile is %s, and must lie between 0 and 1", figure(q))
	}
	p, err := a.span(2)
	if err != nil {
		return nil, err
	}
	all, err := p.values()
	if err != nil {
		return nil, err
	}
	return quantile(all, q), nil
}

func shareAbove(a arguments) (any, error) {
	p, err := a.span(2)
	if err != nil {
		return nil, err
	}
	all, err := p.values()
	if err != nil {
		return nil, err
	}
	above := 0
	for _, v := range all {
		if v > a.number(1) {
			above++
		}
	}
	return float64(above) / float64(len(all)), nil
}

// seen returns the part of a span that the run has reached, and what is wrong if
// that is not all.
func (a arguments) seen(i int) (span, error) {
	s := a.series(0)
	p, err := a.span(i)
	var missed *notReached
	if errors.As(err, &missed) {
		first := int((a.or(i, 0) + s.clock.width - 1) / s.clock.width)
		return span{s, first, max(first, len(s.values))}.clip(), err
	}
	return p, err
}

// clip cuts a span to the windows that there are.
func (p span) clip() span {
	p.from, p.to = min(p.from, len(p.s.values)), min(p.to, len(p.s.values))
	return p
}

func firstAbove(a arguments) (any, error) {
	return first(a, "above", func(v float64) bool { return v > a.number(1) })
}

func firstBelow(a arguments) (any, error) {
	return first(a, "below", func(v float64) bool { return v < a.number(1) })
}

func first(a arguments, where string, holds func(float64) bool) (any, error) {
	p, err := a.seen(2)
	if p.s == nil {
		return nil, err
	}
	c := p.s.clock
	windows := int((a.or(4, c.width) + c.width - 1) / c.width)
	if i, ok := p.firstRun(max(windows, 1), holds); ok {
		return des.Time(i) * c.width, nil
	}
	if err != nil {
		return nil, err
	}
	held := ""
	if windows > 1 {
		held = " for " + duration(a.moment(4))
	}
	return nil, fmt.Errorf("never %s %s%s", where, figure(a.number(1)), held)
}

func lastAbove(a arguments) (any, error) {
	p, err := a.span(2)
	if err != nil {
		return nil, err
	}
	i, ok := p.lastAbove(a.number(1))
	if !ok {
		return nil, fmt.Errorf("never above %s", figure(a.number(1)))
	}
	return des.Time(i+1) * p.s.clock.width, nil
}

func crosses(a arguments) (any, error) {
	p, err := arguments{a[0], des.Time(0), a[2]}.seen(1)
	if p.s == nil {
		return nil, err
	}
	if _, ok := p.lastAbove(a.number(1)); ok {
		return true, nil
	}
	return false, err
}

func never(a arguments) (any, error) {
	p, err := a.seen(2)
	if p.s == nil {
		return nil, err
	}
	if _, above := p.lastAbove(a.number(1)); above {
		return false, nil
	}
	if err != nil {
		return nil, err
	}
	_, err = p.values() // of nothing, nothing can be said
	return true, err
}

func recovers(a arguments) (any, error) {
	s, by := a.series(0), a.moment(2)
	before, err := s.span(0, by)
	if err != nil {
		return nil, err
	}
	to := s.clock.end()
	if a.has(3) {
		to = by + a.moment(3)
	}
	after, err := s.span(by, to)
	if err != nil {
		return nil, err
	}
	if _, err := after.values(); err != nil {
		return nil, err
	}
	_, was := before.lastAbove(a.number(1))
	_, is := after.lastAbove(a.number(1))
	return was && !is, nil
}

func within(a arguments) (any, error) {
	if t, ok := a[0].(des.Time); ok {
		return a.moment(1) <= t && t <= a.moment(2), nil
	}
	return a.number(1) <= a.number(0) && a.number(0) <= a.number(2), nil
}

func trailing(means bool) func(arguments) (any, error) {
	return func(a arguments) (any, error) {
		s, t := a.series(0), a.moment(1)
		windows := t / s.clock.width
		if windows < 1 || windows*s.clock.width != t {
			return nil, fmt.Errorf("%s is not so many windows of %s", duration(t), duration(s.clock.width))
		}
		if windows > des.MaxWindows {
			windows = des.MaxWindows // more than any run has
		}
		return s.trailing(int(windows), means), nil
	}
}

// highest says where a series is highest in a span, and when it is first above the
// level.
func highest(a arguments) string {
	p, _ := a.seen(2)
	return p.highest(a.number(1))
}

// highestBefore is highest for what is looked at from the start on.
func highestBefore(a arguments) string {
	p, _ := arguments{a[0], des.Time(0), a[2]}.seen(1)
	return p.highest(a.number(1))
}

func (p span) highest(level float64) string {
	if p.s == nil {
		return ""
	}
	at, high := -1, 0.0
	for i := p.from; i < p.to; i++ {
		if v, ok := p.s.value(i); ok && (at < 0 || v > high) {
			at, high = i, v
		}
	}
	if at < 0 {
		return "it has no value"
	}
	c := p.s.clock
	text := fmt.Sprintf("it is %s at most, at %s", figure(high), c.moment(des.Time(at)*c.width))
	if i, ok := p.firstRun(1, func(v float64) bool { return v > level }); ok && i != at {
		text += fmt.Sprintf(", and first above %s at %s", figure(level), c.moment(des.Time(i)*c.width))
	}
	return text
}

// lastHigh says until when a series was above a level.
func lastHigh(a arguments) string {
	s := a.series(0)
	c := s.clock
	p := span{s, 0, len(s.values)}
	if a.has(3) {
		p.to = int((a.moment(2) + a.moment(3)) / c.width)
		p = p.clip()
	}
	i, ok := p.lastAbove(a.number(1))
	if !ok {
		return "it was never above " + figure(a.number(1))
	}
	v, _ := s.value(i)
	return fmt.Sprintf("it is above %s until %s, when it is %s", figure(a.number(1)), c.moment(des.Time(i+1)*c.width), figure(v))
}

// figure writes a number with four digits that count.
func figure(x float64) string { return strconv.FormatFloat(x, 'g', 4, 64) }
