package des

import (
	"fmt"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// Series is one measure of a run, a value a window.
type Series struct {
	Name   string    `json:"name"`
	Unit   string    `json:"unit"` // count, ratio, seconds, or what a part says
	Values []float64 `json:"values"`
}

// MaxWindows bounds the windows of a run, and with them the memory of its
// series; what happens after the last is in none.
const MaxWindows = 100_000

// Recorder cuts a run into windows of equal width and keeps a value of every
// measure for each. A window holds what happens from its start up to, and not
// at, its end.
type Recorder struct {
	sim      *Sim
	self     Target
	width    Time
	windows  int // that are complete
	counters []*Counter
	gauges   []*Gauge
	spans    []*Spans
	ratios   []*ratio
	sums     []*sum // after what they sum
	samples  []*sample
}

// Record cuts the run into windows. It panics unless width is positive and
// when the run has begun or it is asked for twice: the windows of a run are all
// the same.
func (s *Sim) Record(width Time) *Recorder {
	if width <= 0 {
		panic(fmt.Sprintf("des: windows of %v", width))
	}
	if s.now > 0 {
		panic("des: the windows of a run begin at its start")
	}
	if s.recording {
		panic("des: a run has one recorder")
	}
	s.recording = true
	r := &Recorder{sim: s, width: width}
	r.self = s.Register(r)
	r.arm()
	return r
}

// arm schedules the end of the window before all else at that instant.
func (r *Recorder) arm() {
	// What wraps around is later than every event.
	if at := r.end(); at > r.sim.now && at < Never {
		r.sim.queue.push(event{at: at, seq: 0, what: whatOf(r.self, 0, 0)})
	}
}

// end returns where the current window ends.
func (r *Recorder) end() Time { return Time(r.windows+1) * r.width }

// Handle ends a window, unless Finish ended it before.
func (r *Recorder) Handle(uint16, uint32) {
	if r.sim.now == r.end() && r.windows < MaxWindows {
		r.close()
	}
}

// close ends the current window and begins the next.
func (r *Recorder) close() {
	r.windows++
	for _, c := range r.counters {
		c.close()
	}
	for _, g := range r.gauges {
		g.close(r.sim.now, r.width)
	}
	for _, d := range r.spans {
		d.close()
	}
	for _, q := range r.ratios {
		q.close()
	}
	for _, t := range r.sums {
		t.close()
	}
	for _, p := range r.samples {
		p.values = append(p.values, p.read())
	}
	if r.windows < MaxWindows {
		r.arm()
	}
}

// Width returns the width of a window.
func (r *Recorder) Width() Time { return r.width }

// Windows returns how many windows are complete. The end of a run comes before
// the events of its last instant, so a window that ends there is closed by
// [Recorder.Finish].
func (r *Recorder) Windows() int { return r.windows }

// Finish closes the window that ends at this very instant, if one does. What
// happened in an unfinished window is in no series.
func (r *Recorder) Finish() { r.Handle(0, 0) }

// Counter counts events.
type Counter struct {
	name   string
	total  int64
	before int64   // at the start of the window
	last   float64 // of the window that was closed last
	quiet  bool
	values []float64
}

// Counter returns a counter of the name given.
func (r *Recorder) Counter(name string) *Counter {
	c := &Counter{name: name}
	r.counters = append(r.counters, c)
	return c
}

// Inc counts one.
func (c *Counter) Inc() { c.total++ }

// Add counts n.
func (c *Counter) Add(n int) { c.total += int64(n) }

// Total returns the count since the start of the run.
func (c *Counter) Total() int64 { return c.total }

func (c *Counter) close() {
	c.last = float64(c.total - c.before)
	c.before = c.total
	if !c.quiet {
		c.values = append(c.values, c.last)
	}
}

// ratio is one counter over another one in each window, 0 where the other one
// counted nothing.
type ratio struct {
	name     string
	part, of *Counter
	values   []float64
}

// Ratio adds the series of one counter over another one, such as hits over
// lookups.
func (r *Recorder) Ratio(name string, part, of *Counter) {
	r.ratios = append(r.ratios, &ratio{name: name, part: part, of: of})
}

// close comes after the counters have closed the window.
func (q *ratio) close() {
	x := 0.0
	if of := q.of.values[len(q.of.values)-1]; of > 0 {
		x = q.part.values[len(q.part.values)-1] / of
	}
	q.values = append(q.values, x)
}

// Gauge follows a quantity that changes at events, such as the length of a
// queue. Its series is the mean over time of each window.
type Gauge struct {
	sim    *Sim
	name   string
	unit   string
	now    int64
	peak   int64 // of the window
	since  Time
	area   float64 // of the window, in nanoseconds
	whole  float64 // of all windows before
	last   float64 // mean of the window that was closed last
	quiet  bool
	values []float64
	peaks  []float64
}

// Gauge returns a gauge that starts at 0.
func (r *Recorder) Gauge(name, unit string) *Gauge {
	g := &Gauge{sim: r.sim, name: name, unit: unit}
	r.gauges = append(r.gauges, g)
	return g
}

// Set tells the gauge its value from now on.
func (g *Gauge) Set(v int64) {
	now := g.sim.now
	g.area += float64(float64(g.now) * float64(now-g.since))
	g.since, g.now = now, v
	g.peak = max(g.peak, v)
}

// Add changes the value by n from now on.
func (g *Gauge) Add(n int64) { g.Set(g.now + n) }

// Value returns the current value.
func (g *Gauge) Value() int64 { return g.now }

// Mean returns the mean over time since the start of the run, 0 at its start.
func (g *Gauge) Mean() float64 {
	if g.sim.now == 0 {
		return 0
	}
	return g.Area() / float64(g.sim.now)
}

func (g *Gauge) close(now, width Time) {
	g.Set(g.now)
	g.last = g.area / float64(width)
	if !g.quiet {
		g.values = append(g.values, g.last)
		g.peaks = append(g.peaks, float64(g.peak))
	}
	g.whole += g.area
	g.area, g.peak, g.since = 0, g.now, now
}

// Spans measures spans of time, such as latencies, in a histogram with two
// significant digits from a microsecond to an hour; what is longer counts as an
// hour. Its series are the mean, the median and the 99th percentile of each
// window in seconds, 0 where nothing was measured.
type Spans struct {
	name          string
	window, whole *hdrhistogram.Histogram
	sum           float64 // of the window, in seconds
	count         int64   // of the window
	all           float64 // sum since the start
	counted       int64   // since the start
	mean          []float64
	median, p99   []float64
	taps          []*Tap
}

const (
	spanLeast  = 1
	spanMost   = 3_600_000_000 // microseconds
	spanDigits = 2
)

// Spans returns an empty measure of spans.
func (r *Recorder) Spans(name string) *Spans {
	d := &Spans{
		name:   name,
		window: hdrhistogram.New(spanLeast, spanMost, spanDigits),
		whole:  hdrhistogram.New(spanLeast, spanMost, spanDigits),
	}
	r.spans = append(r.spans, d)
	return d
}

// Measure adds a span.
func (d *Spans) Measure(t Time) {
	us := min(max(int64(t/Microsecond), spanLeast), spanMost)
	// The value is inside the bounds of the histogram, the only cause of an error.
	_ = d.window.RecordValue(us)
	_ = d.whole.RecordValue(us) // merging it in window by window takes longer
	d.sum += t.Seconds()
	d.count++
	for _, tap := range d.taps {
		tap.measure(us, t.Seconds())
	}
}

// Count returns how many spans were measured since the start of the run.
func (d *Spans) Count() int64 { return d.counted + d.count }

// Mean returns the mean since the start of the run in seconds, 0 if nothing
// was measured.
func (d *Spans) Mean() float64 {
	if d.Count() == 0 {
		return 0
	}
	return (d.all + d.sum) / float64(d.Count())
}

// Quantile returns the span in seconds below which a share q of the spans lie
// that were measured since the start of the run.
func (d *Spans) Quantile(q float64) float64 {
	return float64(d.whole.ValueAtPercentile(float64(100*q))) / 1e6
}

func (d *Spans) close() {
	if d.count == 0 {
		d.mean, d.median, d.p99 = append(d.mean, 0), append(d.median, 0), append(d.p99, 0)
		return
	}
	d.mean = append(d.mean, d.sum/float64(d.count))
	d.median = append(d.median, float64(d.window.ValueAtPercentile(50))/1e6)
	d.p99 = append(d.p99, float64(d.window.ValueAtPercentile(99))/1e6)
	d.window.Reset()
	d.all, d.counted = d.all+d.sum, d.counted+d.count
	d.sum, d.count = 0, 0
}

// Series returns all series in the order in which the measures were made.
func (r *Recorder) Series() []Series {
	var all []Series
	for _, c := range r.counters {
		if !c.quiet {
			all = append(all, Series{c.name, "count", c.values})
		}
	}
	for _, g := range r.gauges {
		if !g.quiet {
			all = append(all, Series{g.name, g.unit, g.values}, Series{g.name + ".peak", g.unit, g.peaks})
		}
	}
	for _, d := range r.spans {
		all = append(all, Series{d.name + ".mean", "seconds", d.mean},
			Series{d.name + ".median", "seconds", d.median}, Series{d.name + ".p99", "seconds", d.p99})
	}
	for _, t := range r.sums {
		all = append(all, Series{t.name, t.unit, t.values})
	}
	for _, p := range r.samples {
		all = append(all, Series{p.name, p.unit, p.values})
	}
	for _, q := range r.ratios {
		all = append(all, Series{q.name, "ratio", q.values})
	}
	return all
}
