package expect

import (
	"fmt"
	"math"
	"reflect"
	"slices"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"

	"github.com/openprecedent/precedent/internal/sim/des"
)

// seriesType is the type of series in expressions.
var seriesType = cel.OpaqueType("series")

// series is a series of a run as expressions see it: a value a window, NaN where
// there is none. What counts is read as a rate per second.
type series struct {
	values []float64
	counts bool // values are counts of windows
	clock  clock
}

// clock is that of a run.
type clock struct {
	width   des.Time // of a window
	windows int      // that a whole run has
	zero    des.Time // what T+0 stands for
	reached des.Time // where the run ended
	ended   des.End  // why
}

// end returns where the last window of a whole run ends.
func (c clock) end() des.Time { return des.Time(c.windows) * c.width }

// value returns the value of a window and whether it has one.
func (s *series) value(i int) (float64, bool) {
	v := s.values[i]
	if s.counts {
		v /= s.clock.width.Seconds()
	}
	return v, v == v
}

// The methods below make a series a value of CEL.

// ConvertToNative implements [ref.Val].
func (s *series) ConvertToNative(t reflect.Type) (any, error) {
	return nil, fmt.Errorf("a series is no %s", t)
}

// ConvertToType implements [ref.Val].
func (s *series) ConvertToType(t ref.Type) ref.Val {
	if t == seriesType {
		return s
	}
	return types.NewErr("a series is no %s", t.TypeName())
}

// Equal implements [ref.Val].
func (s *series) Equal(other ref.Val) ref.Val {
	o, ok := other.(*series)
	return types.Bool(ok && o == s)
}

// Type implements [ref.Val].
func (s *series) Type() ref.Type { return seriesType }

// Value implements [ref.Val].
func (s *series) Value() any { return s }

// span is a part of a series: the windows that lie in it whole.
type span struct {
	s        *series
	from, to int // windows
}

// notReached says that a run ended before what is looked at.
type notReached struct {
	want  des.Time
	clock clock
}

// Error implements [error].
func (e *notReached) Error() string {
	end := "the run ends at " + e.clock.moment(e.clock.end())
	if !e.clock.ended.Finished() {
		end = fmt.Sprintf("the run ended at %s (%s)", e.clock.moment(e.clock.reached), e.clock.ended)
	}
	return fmt.Sprintf("not reached: %s, and this looks until %s", end, e.clock.moment(e.want))
}

// span returns the windows of a series that lie between two times whole. A run
// that ended before the second one has none of it.
func (s *series) span(from, to des.Time) (span, error) {
	first := int((from + s.clock.width - 1) / s.clock.width)
	last := int(to / s.clock.width)
	switch {
	case last > len(s.values):
		return span{}, &notReached{to, s.clock}
	case first >= len(s.values) && from >= to:
		return span{}, &notReached{from, s.clock} // from there to the end of a shorter run
	case from < 0 || first >= last:
		return span{}, fmt.Errorf("no whole window lies between %s and %s", s.clock.moment(from), s.clock.moment(to))
	}
	return span{s, first, last}, nil
}

// values returns the values that there are in a span, at least one.
func (p span) values() ([]float64, error) {
	all := make([]float64, 0, p.to-p.from)
	for i := p.from; i < p.to; i++ {
		if v, ok := p.s.value(i); ok {
			all = append(all, v)
		}
	}
	if len(all) == 0 {
		return nil, p.none()
	}
	return all, nil
}

func (p span) none() error {
	c := p.s.clock
	return fmt.Errorf("no value between %s and %s", c.moment(des.Time(p.from)*c.width), c.moment(des.Time(p.to)*c.width))
}

// total returns the sum over time: what was counted, or the level times the
// seconds for which it stood.
func (p span) total() (float64, error) {
	sum, any := 0.0, false
	for i := p.from; i < p.to; i++ {
		if v := p.s.values[i]; v == v {
			sum, any = sum+v, true
		}
	}
	if !any {
		return 0, p.none()
	}
	if p.s.counts {
		return sum, nil
	}
	return float64(sum * p.s.clock.width.Seconds()), nil
}

func mean(all []float64) float64 {
	sum := 0.0
	for _, v := range all {
		sum += v
	}
	return sum / float64(len(all))
}

// deviation returns the standard deviation of all there is, not of a sample.
func deviation(all []float64) float64 {
	m, sum := mean(all), 0.0
	for _, v := range all {
		sum += float64((v - m) * (v - m))
	}
	return math.Sqrt(sum / float64(len(all)))
}

// quantile returns the value below which a share q of all lies, between two of
// them as their distance says.
func quantile(all []float64, q float64) float64 {
	slices.Sort(all)
	at := float64(q * float64(len(all)-1))
	i := int(at)
	if i+1 >= len(all) {
		return all[len(all)-1]
	}
	return all[i] + float64((all[i+1]-all[i])*(at-float64(i)))
}

// slope returns how fast a series grows a second: the line with the least
// squares of the distances.
func (p span) slope() (float64, error) {
	var n, sumX, sumY float64
	width := p.s.clock.width.Seconds()
	for i := p.from; i < p.to; i++ {
		if v, ok := p.s.value(i); ok {
			n, sumX, sumY = n+1, sumX+float64(i-p.from), sumY+v
		}
	}
	if n < 2 {
		return 0, fmt.Errorf("fewer than two values to lay a line through")
	}
	var above, below float64
	for i := p.from; i < p.to; i++ {
		if v, ok := p.s.value(i); ok {
			x := float64(i-p.from) - sumX/n
			above += float64(x * (v - sumY/n))
			below += float64(x * x)
		}
	}
	return above / float64(below*width), nil
}

// firstRun returns the first window from which on a condition holds for so many
// windows on end. A window without a value is none that it holds for.
func (p span) firstRun(windows int, holds func(float64) bool) (int, bool) {
	run := 0
	for i := p.from; i < p.to; i++ {
		if v, ok := p.s.value(i); !ok || !holds(v) {
			run = 0
			continue
		}
		if run++; run == windows {
			return i - windows + 1, true
		}
	}
	return 0, false
}

// lastAbove returns the last window above a level.
func (p span) lastAbove(level float64) (int, bool) {
	for i := p.to - 1; i >= p.from; i-- {
		if v, ok := p.s.value(i); ok && v > level {
			return i, true
		}
	}
	return 0, false
}

// trailing makes a series of the sums, or the means, of so many windows that end
// with each. The first windows, that have fewer before them, have no value.
//
// It adds up blocks of that many windows from both sides, so that nothing is ever
// taken away again, which would leave a trace of what was rounded.
func (s *series) trailing(windows int, means bool) *series {
	n := len(s.values)
	out := &series{values: make([]float64, n), clock: s.clock}
	type part struct {
		sum   float64
		count int
	}
	add := func(p part, i int) part {
		v := s.values[i]
		if v != v {
			return p
		}
		if !s.counts {
			v = float64(v * s.clock.width.Seconds())
		}
		return part{p.sum + v, p.count + 1}
	}
	before, after := make([]part, n), make([]part, n) // in the block up to i, from i on
	for i := range n {
		if i%windows > 0 {
			before[i] = before[i-1]
		}
		before[i] = add(before[i], i)
	}
	for i := n - 1; i >= 0; i-- {
		if (i+1)%windows > 0 && i+1 < n {
			after[i] = after[i+1]
		}
		after[i] = add(after[i], i)
	}
	for i := range n {
		if i+1 < windows {
			out.values[i] = math.NaN()
			continue
		}
		whole := before[i]
		if first := i + 1 - windows; first%windows > 0 {
			whole = part{after[first].sum + before[i].sum, after[first].count + before[i].count}
		}
		switch {
		case whole.count == 0:
			out.values[i] = math.NaN()
		case means:
			out.values[i] = whole.sum / float64(float64(whole.count)*s.clock.width.Seconds())
		default:
			out.values[i] = whole.sum
		}
	}
	return out
}

// pairwise makes a series of two, window by window. Where one has no value, or a
// value is divided by 0, there is none.
func pairwise(a, b *series, of func(x, y float64) float64) *series {
	n := min(len(a.values), len(b.values))
	out := &series{values: make([]float64, n), clock: a.clock}
	for i := range n {
		x, hasX := a.value(i)
		y, hasY := b.value(i)
		out.values[i] = math.NaN()
		if hasX && hasY {
			out.values[i] = of(x, y)
		}
	}
	return out
}

// mapped makes a series of what a function makes of each value.
func (s *series) mapped(of func(float64) float64) *series {
	out := &series{values: make([]float64, len(s.values)), clock: s.clock}
	for i := range s.values {
		out.values[i] = math.NaN()
		if v, ok := s.value(i); ok {
			out.values[i] = of(v)
		}
	}
	return out
}

// divide returns x over y, NaN where y is 0: a window in which nothing was
// counted says nothing about a share.
func divide(x, y float64) float64 {
	if y == 0 {
		return math.NaN()
	}
	return x / y
}
