package parts

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/openprecedent/precedent/internal/sim/des"
)

// Metric is what one part reads of others while the system runs: measures by
// the names of their series, or knobs, added up and divided. Examples are
// db.queue, db.queue + db.busy, web.busy / web.workers, db.wait.p99. What counts
// events is read as a rate per second.
type Metric struct {
	of, per []string
	text    string
}

// UnmarshalText reads a metric.
func (m *Metric) UnmarshalText(text []byte) error {
	s := string(text)
	top, bottom, divided := strings.Cut(s, "/")
	of, ok := sumOfNames(top)
	var per []string
	if divided && ok {
		per, ok = sumOfNames(bottom)
	}
	if !ok {
		return fmt.Errorf("%q is no metric; write names of series or knobs, such as db.queue + db.busy or web.busy / web.workers", s)
	}
	*m = Metric{of: of, per: per, text: s}
	return nil
}

// String writes a metric as it was read.
func (m Metric) String() string { return m.text }

// Names returns what is added up, and what the sum is divided by, if it is.
func (m Metric) Names() (of, per []string) { return m.of, m.per }

func sumOfNames(s string) ([]string, bool) {
	names := strings.Split(s, "+")
	for i := range len(names) {
		names[i] = strings.TrimSpace(names[i])
		if !strings.Contains(names[i], ".") || strings.ContainsAny(names[i], " \t*/") {
			return nil, false
		}
	}
	return names, true
}

// references returns the names in a metric for lint.
func (m *Metric) references(field string) []Ref {
	var all []Ref
	for _, name := range slices.Concat(m.of, m.per) {
		all = append(all, Ref{Field: field, Name: name, To: ToMeasure})
	}
	return all
}

// Ref names something of another part.
type Ref struct {
	Field string // that holds the name
	Name  string
	To    RefersTo
}

// RefersTo says what a name stands for.
type RefersTo uint8

// What names stand for.
const (
	ToPart    RefersTo = iota // a part
	ToKnob                    // a knob of a part
	ToMeasure                 // a series or a knob
)

// Refers returns what settings name of other parts, calls apart.
func Refers(c Config) []Ref {
	if r, ok := c.(interface{ refers() []Ref }); ok {
		return r.refers()
	}
	return nil
}

// Catalog holds the names that references can have.
type Catalog struct{ Parts, Knobs, Measures []string }

// NewCatalog returns the names in a system. Its settings must be free of errors,
// references apart.
func NewCatalog(all []Named) Catalog {
	n := build(all, Options{Window: des.Second}).Net
	var c Catalog
	for _, p := range all {
		c.Parts = append(c.Parts, p.Name)
	}
	for _, k := range n.knobs {
		c.Knobs = append(c.Knobs, k.Name)
	}
	for _, m := range n.measures {
		if m.spans == nil {
			c.Measures = append(c.Measures, m.name)
			continue
		}
		for _, s := range spanReadings {
			c.Measures = append(c.Measures, m.name+s)
		}
	}
	c.Measures = append(c.Measures, c.Knobs...)
	return c
}

// Names returns what a reference of a kind can name.
func (c *Catalog) Names(to RefersTo) []string {
	return [...][]string{ToPart: c.Parts, ToKnob: c.Knobs, ToMeasure: c.Measures}[to]
}

var spanReadings = [...]string{".mean", ".median", ".p99"}

// observed is something of a running part that others can read.
type observed struct {
	name     string
	counters []*des.Counter // added up, as are gauges
	gauges   []*des.Gauge
	spans    *des.Spans
	read     func() float64
}

// meter reads a metric. It holds the mean of levels, the rate of counters and
// the distribution of spans since it was last read.
type meter struct {
	sim     *des.Sim
	of, per []reader
	at      des.Time // of the last reading
}

type reader struct {
	observed
	before float64 // area of gauges, total of counters
	tap    *des.Tap
	stat   string // of the tap
}

// meter returns a meter of a metric. It panics for an unknown name: lint has
// refused it.
func (n *Net) meter(m Metric) *meter {
	read := func(names []string) []reader {
		var all []reader
		for _, name := range names {
			all = append(all, n.reader(name))
		}
		return all
	}
	return &meter{sim: n.Sim, of: read(m.of), per: read(m.per), at: n.Sim.Now()}
}

// Read returns what reads a metric: its mean, or rate, since it was last read, or
// since now. It panics for an unknown name.
func (n *Net) Read(m Metric) func() float64 { return n.meter(m).since }

func (n *Net) reader(name string) reader {
	for _, m := range n.measures {
		if m.spans == nil {
			if m.name == name {
				r := reader{observed: m}
				r.before = r.total()
				return r
			}
			continue
		}
		if stat, ok := strings.CutPrefix(name, m.name); ok && slices.Contains(spanReadings[:], stat) {
			return reader{observed: m, tap: m.spans.Tap(), stat: stat}
		}
	}
	if k, ok := n.knob(name); ok {
		return reader{observed: observed{name: name, read: k.Get}}
	}
	panic(fmt.Sprintf("parts: nothing can be read under the name %q", name))
}

// knob returns the knob of a name.
func (n *Net) knob(name string) (Knob, bool) {
	for _, k := range n.knobs {
		if k.Name == name {
			return k, true
		}
	}
	return Knob{}, false
}

// total returns what grows: the area of gauges, the count of counters.
func (r *reader) total() float64 {
	sum := 0.0
	for _, g := range r.gauges {
		sum += g.Area()
	}
	for _, c := range r.counters {
		sum += float64(c.Total())
	}
	return sum
}

// since returns the value over the span since the last reading and begins the
// next one.
func (r *reader) since(span des.Time) float64 {
	switch {
	case r.read != nil:
		return r.read()
	case r.tap != nil:
		v := r.tapped()
		r.tap.Reset()
		return v
	}
	total := r.total()
	grown := total - r.before
	r.before = total
	if span == 0 {
		return r.level()
	}
	if r.gauges != nil {
		return grown / float64(span)
	}
	return grown / span.Seconds()
}

func (r *reader) tapped() float64 {
	switch r.stat {
	case ".mean":
		return r.tap.Mean()
	case ".median":
		return r.tap.Quantile(0.5)
	}
	return r.tap.Quantile(0.99)
}

// level returns the value at this instant. Counters have none.
func (r *reader) level() float64 {
	switch {
	case r.read != nil:
		return r.read()
	case r.tap != nil:
		return r.tapped()
	}
	sum := 0.0
	for _, g := range r.gauges {
		sum += float64(g.Value())
	}
	return sum
}

// since returns the metric since the last reading, 0 where it is divided by 0.
func (m *meter) since() float64 {
	span := m.sim.Now() - m.at
	m.at = m.sim.Now()
	return m.add(func(r *reader) float64 { return r.since(span) })
}

// level returns the metric at this instant.
func (m *meter) level() float64 { return m.add((*reader).level) }

func (m *meter) add(value func(*reader) float64) float64 {
	top := 0.0
	for i := range m.of {
		top += value(&m.of[i])
	}
	if len(m.per) == 0 {
		return top
	}
	bottom := 0.0
	for i := range m.per {
		bottom += value(&m.per[i])
	}
	if bottom == 0 {
		return 0
	}
	return top / bottom
}

// Level is a value of a metric or a knob: a number, a share, a span of time in
// seconds, or a rate per second.
type Level float64

// UnmarshalText reads a level.
func (l *Level) UnmarshalText(text []byte) error {
	s := strings.TrimSpace(string(text))
	var rate Rate
	var share Factor
	var span Duration
	var count Count
	if n, err := strconv.ParseFloat(s, 64); err == nil && n-n == 0 {
		*l = Level(n)
		return nil
	}
	switch {
	case rate.UnmarshalText(text) == nil:
		*l = Level(rate)
	case strings.HasSuffix(s, "%") && share.UnmarshalText(text) == nil:
		*l = Level(share)
	case count.UnmarshalText(text) == nil:
		*l = Level(count)
	case span.UnmarshalText(text) == nil:
		*l = Level(span.Time().Seconds())
	default:
		return fmt.Errorf("%q is no level; write a number, or one such as 60%%, 4k, 250ms or 100/s", s)
	}
	return nil
}

// String writes a level as a number.
func (l Level) String() string { return strconv.FormatFloat(float64(l), 'g', 6, 64) }
