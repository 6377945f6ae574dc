package expect

import (
	"errors"
	"fmt"
	"math"
	"strconv"

	"github.com/openprecedent/precedent/internal/sim/des"
)

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
	p, err := arguments{a[0], a.or(2, 0)}.seen(1)
	if p.s == nil {
		return nil, err
	}
	c := p.s.clock
	windows := int((a.or(3, c.width) + c.width - 1) / c.width)
	if i, ok := p.firstRun(max(windows, 1), holds); ok {
		return des.Time(i) * c.width, nil
	}
	if err != nil {
		return nil, err
	}
	held := ""
	if windows > 1 {
		held = " for " + duration(a.moment(3))
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

func squareRoot(a arguments) (any, error) {
	x := a.number(0)
	if x < 0 {
		return nil, fmt.Errorf("%v is below 0 and has no square root", x)
	}
	return math.Sqrt(x), nil
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
