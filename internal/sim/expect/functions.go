package expect

import (
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
	from := fromTo[0]
	by, hold := parameter{"by", moment}, parameter{"hold", moment}
	return []function{
		{"at", []parameter{x, {"time", moment}}, 2, number, "value of the window that holds the time", "@", at, nil},
		{"crosses", []parameter{x, level, {"before", moment}}, 3, truth, "a window before that time is above the level", "", crosses, highestBefore},
		{"first_above", []parameter{x, level, from, hold}, 2, moment, "start of the first window, not before from, that is above the level and is followed by such ones for hold; without one, the expectation fails", "", firstAbove, nil},
		{"first_below", []parameter{x, level, from, hold}, 2, moment, "the same, of the first window below the level", "", firstBelow, nil},
		{"last", []parameter{x}, 1, number, "value of the last window of the run", "last_over_time", last, nil},
		{"last_above", of(x, level), 2, moment, "end of the last window above the level; without one, the expectation fails", "", lastAbove, nil},
		{"least", of(x), 1, number, "least value", "min_over_time", overValues(least), nil},
		{"mean", of(x), 1, number, "mean of the values", "avg_over_time", overValues(mean), nil},
		{"mean_over", []parameter{x, {"span", moment}}, 2, chart, "series of the means over the span that ends with each window", "avg_over_time", trailing(true), nil},
		{"most", of(x), 1, number, "largest value", "max_over_time", overValues(most), nil},
		{"never", of(x, level), 2, truth, "no window is above the level", "", never, highest},
		{"quantile", of(x, parameter{"share", number}), 2, number, "value below which that share of the values lie", "quantile_over_time", quantileOf, nil},
		{"ratio", of(x, parameter{"series", chart}), 2, number, "total of the first series over that of the second", "", ratio, nil},
		{"recovers", []parameter{x, level, by, hold}, 3, truth, "a window before that time is above the level, and none from that time on, for hold or until the end of the run", "", recovers, lastHigh},
		{"share_above", of(x, level), 2, number, "share of the windows that are above the level", "", shareAbove, nil},
		{"slope", of(x), 1, number, "growth a second, of the line nearest to the values", "deriv", slope, nil},
		{"sqrt", []parameter{{"number", number}}, 1, number, "square root; a number below 0 has none, and the expectation fails", "sqrt", squareRoot, nil},
		{"std", of(x), 1, number, "standard deviation of the values", "stddev_over_time", overValues(deviation), nil},
		{"sum_over", []parameter{x, {"span", moment}}, 2, chart, "series of the totals over the span that ends with each window", "increase", trailing(false), nil},
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
