package des

import (
	"math"
	"slices"
	"testing"
)

// TestSeries follows a scripted course, whose means and peaks are known.
func TestSeries(t *testing.T) {
	d, self := newDiary(1)
	r := d.sim.Record(10 * Second)
	count, depth := r.Counter("calls"), r.Gauge("depth", "calls")
	d.then = func(_ uint16, arg uint32) {
		count.Add(int(arg))
		depth.Set(int64(arg))
	}
	for _, step := range []struct {
		at  Time
		arg uint32
	}{{2, 4}, {4, 1}, {10, 8}, {15, 0}, {35, 2}} { // what is at 10 s is in the second window
		d.sim.At(step.at*Second, self, 0, step.arg)
	}
	d.run(40 * Second)
	r.Finish()
	if got := depth.Mean(); got != (8+6+40+10)/40.0 {
		t.Errorf("mean depth %v, want 1.6", got)
	}
	want := []Series{
		{"calls", "count", []float64{5, 8, 0, 2}},
		{"depth", "calls", []float64{1.4, 4, 0, 1}},
		{"depth.peak", "calls", []float64{4, 8, 0, 2}},
	}
	for i, got := range r.Series() {
		if got.Name != want[i].Name || got.Unit != want[i].Unit || !slices.Equal(got.Values, want[i].Values) {
			t.Errorf("got %v, want %v", got, want[i])
		}
	}
}

// TestSpans measures 1 to 1000 ms and holds quantiles to two digits.
func TestSpans(t *testing.T) {
	d, self := newDiary(1)
	r := d.sim.Record(Minute)
	spans := r.Spans("wait")
	d.then = func(_ uint16, arg uint32) { spans.Measure(Time(arg) * Millisecond) }
	for i := range uint32(1000) {
		d.sim.At(Time(i)*Millisecond, self, 0, i+1)
	}
	d.run(Minute)
	r.Finish()
	if spans.Count() != 1000 || math.Abs(spans.Mean()-0.5005) > 1e-12 {
		t.Errorf("%d spans of mean %v, want 1000 of 0.5005", spans.Count(), spans.Mean())
	}
	for _, q := range []float64{0.01, 0.5, 0.9, 0.99, 1} {
		if got := spans.Quantile(q); math.Abs(got-q) > 0.01*q+1e-3 {
			t.Errorf("quantile %v is %v s, want %v within a hundredth", q, got, q)
		}
	}
	spans.Measure(-Second) // neither fails, nor falls out of the histogram
	spans.Measure(5 * Hour)
	if got := spans.Count(); got != 1002 {
		t.Errorf("%d spans, want 1002", got)
	}
}

// TestRanks shows that the rank of a percentile, a product and a sum in the
// module of the histogram, is the same whether or not a machine fuses them.
func TestRanks(t *testing.T) {
	for _, percentile := range []float64{50, 90, 95, 99, 99.9} {
		for n := range 1_000_000 {
			share := percentile / 100
			apart, fused := float64(share*float64(n))+0.5, math.FMA(share, float64(n), 0.5)
			if int64(apart) != int64(fused) {
				t.Fatalf("percentile %v of %d: rank %v, fused %v", percentile, n, apart, fused)
			}
		}
	}
}

func TestRecordPanics(t *testing.T) {
	begun := New(1)
	begun.now = Second
	twice := New(1)
	twice.Record(Second)
	for name, record := range map[string]func(){
		"no width": func() { New(1).Record(0) },
		"twice":    func() { twice.Record(Second) },
		"begun":    func() { begun.Record(Second) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			record()
		}()
	}
}
