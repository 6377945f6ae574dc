package des

import "github.com/HdrHistogram/hdrhistogram-go"

// Area returns the integral of the gauge over time since the start of the run,
// in its unit times nanoseconds. Two readings give the mean between them.
func (g *Gauge) Area() float64 {
	return g.whole + g.area + float64(float64(g.now)*float64(g.sim.now-g.since))
}

// Tap is a reading of [Spans] by somebody who looks at other times than the
// ends of windows.
type Tap struct {
	hist  *hdrhistogram.Histogram
	sum   float64 // seconds
	count int64
}

// Tap returns a reading that holds what is measured from now on.
func (d *Spans) Tap() *Tap {
	t := &Tap{hist: hdrhistogram.New(spanLeast, spanMost, spanDigits)}
	d.taps = append(d.taps, t)
	return t
}

func (t *Tap) measure(us int64, seconds float64) {
	_ = t.hist.RecordValue(us) // inside the bounds, see [Spans.Measure]
	t.sum += seconds
	t.count++
}

// Count returns how many spans were measured since the last reset.
func (t *Tap) Count() int64 { return t.count }

// Mean returns the mean since the last reset in seconds, 0 if nothing was
// measured.
func (t *Tap) Mean() float64 {
	if t.count == 0 {
		return 0
	}
	return t.sum / float64(t.count)
}

// Quantile returns the span in seconds below which a share q of the spans since
// the last reset lie.
func (t *Tap) Quantile(q float64) float64 {
	return float64(t.hist.ValueAtPercentile(float64(100*q))) / 1e6
}

// Reset forgets what was measured.
func (t *Tap) Reset() {
	t.hist.Reset()
	t.sum, t.count = 0, 0
}

// sample is a series of values that are looked up at the end of each window.
type sample struct {
	name, unit string
	read       func() float64
	values     []float64
}

// Sample records what read returns at the end of each window.
func (r *Recorder) Sample(name, unit string, read func() float64) {
	r.samples = append(r.samples, &sample{name: name, unit: unit, read: read})
}

// sum is a series of the sum of other ones.
type sum struct {
	name, unit string
	counters   []*Counter
	gauges     []*Gauge
	values     []float64
}

// SumCounters records the sum of counters.
func (r *Recorder) SumCounters(name string, of []*Counter) {
	r.sums = append(r.sums, &sum{name: name, unit: "count", counters: of})
}

// SumGauges records the sum of gauges. The peaks of gauges have no sum.
func (r *Recorder) SumGauges(name, unit string, of []*Gauge) {
	r.sums = append(r.sums, &sum{name: name, unit: unit, gauges: of})
}

func (s *sum) close() {
	total := 0.0
	for _, c := range s.counters {
		total += c.last
	}
	for _, g := range s.gauges {
		total += g.last
	}
	s.values = append(s.values, total)
}

// Quiet leaves the counter out of the series: it is one of so many that only
// their sum is of use.
func (c *Counter) Quiet() { c.quiet = true }

// Quiet leaves the gauge out of the series, as that of a counter does.
func (g *Gauge) Quiet() { g.quiet = true }
