package des

import (
	"math"
	"testing"
)

func mixture(t *testing.T, values, weights []float64) Dist {
	t.Helper()
	d, err := Mixture(values, weights)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestDists holds the moments of each shape to those known, and draws to the
// moments: the mean to five standard errors.
func TestDists(t *testing.T) {
	const n = 200_000
	inf := math.Inf(1)
	for _, c := range []struct {
		name         string
		dist         Dist
		shape        Shape
		mean, second float64
	}{
		{"zero", Dist{}, ShapeConstant, 0, 0},
		{"constant", Constant(3), ShapeConstant, 3, 9},
		{"exponential", Exponential(2), ShapeExponential, 2, 8},
		{"uniform", Uniform(1, 4), ShapeUniform, 2.5, 7},
		{"erlang", Erlang(4, 2), ShapeErlang, 2, 5},
		{"lognormal", LogNormal(2, 0.5), ShapeLogNormal, 2 * math.Exp(0.125), 4 * math.Exp(0.5)},
		{"pareto", Pareto(1, 5), ShapePareto, 1.25, 5.0 / 3},
		{"pareto without variance", Pareto(1, 1.5), ShapePareto, 3, inf},
		{"pareto without mean", Pareto(1, 1), ShapePareto, inf, inf},
		{"mixture", mixture(t, []float64{9, 1, 5, 9}, []float64{0, 3, 1, 0}), ShapeMixture, 2, 7},
	} {
		t.Run(c.name, func(t *testing.T) {
			near := func(a, b float64) bool { return a == b || math.Abs(a-b) <= 1e-14*math.Abs(b) }
			if c.dist.Shape() != c.shape || !near(c.dist.Mean(), c.mean) || !near(c.dist.Second(), c.second) {
				t.Errorf("shape %s, mean %v and second moment %v, want %s, %v and %v", c.dist.Shape(),
					c.dist.Mean(), c.dist.Second(), c.shape, c.mean, c.second)
			}
			if math.IsInf(c.second, 1) {
				return // draws would not come near
			}
			s, sum := NewStream(1, c.name), 0.0
			for range n {
				sum += c.dist.Draw(s)
			}
			most := 5*math.Sqrt((c.second-c.mean*c.mean)/n) + 1e-12
			if got := sum / n; math.Abs(got-c.mean) > most {
				t.Errorf("mean of draws %.4f, want %.4f within %.4f", got, c.mean, most)
			}
		})
	}
}

// TestTails counts draws beyond points of the tail.
func TestTails(t *testing.T) {
	const n = 200_000
	pareto, latency := Pareto(2, 1.5), LogNormalTail(0.010, 0.200)
	for _, c := range []struct {
		name     string
		dist     Dist
		x, share float64
	}{
		{"pareto", pareto, 2, 1}, {"pareto", pareto, 8, 0.125}, {"pareto", pareto, 200, 0.001},
		{"median", latency, 0.010, 0.5}, {"p99", latency, 0.200, 0.01},
	} {
		s, beyond := NewStream(1, c.name), 0
		for range n {
			if c.dist.Draw(s) >= c.x {
				beyond++
			}
		}
		most := 5 * math.Sqrt(c.share*(1-c.share)/n)
		if got := float64(beyond) / n; math.Abs(got-c.share) > most {
			t.Errorf("%s: share beyond %v is %.5f, want %.5f within %.5f", c.name, c.x, got, c.share, most)
		}
	}
}

func TestMixtureErrors(t *testing.T) {
	for _, c := range []struct{ values, weights []float64 }{
		{nil, nil}, {[]float64{1}, nil}, {[]float64{1, 2}, []float64{0, 0}}, {[]float64{1}, []float64{-1}},
		{[]float64{1}, []float64{math.NaN()}}, {[]float64{1}, []float64{math.Inf(1)}},
		{[]float64{1, 2}, []float64{1.7e308, 1.7e308}},
	} {
		if d, err := Mixture(c.values, c.weights); err == nil {
			t.Errorf("Mixture(%v, %v) gave %v, want an error", c.values, c.weights, d)
		}
	}
}

// TestSpansOfDists holds spans inside what a clock can take.
func TestSpansOfDists(t *testing.T) {
	for _, c := range []struct {
		x    float64
		want Time
	}{
		{-5, 0}, {math.NaN(), 0}, {0.4, 0}, {0.6, 1}, {1e9, Second}, {1e300, maxSpan}, {math.Inf(1), maxSpan},
	} {
		d := Constant(c.x)
		if got := d.Span(nil); got != c.want {
			t.Errorf("a constant of %v ns gives %d, want %d", c.x, got, c.want)
		}
		if got := FromSeconds(c.x / 1e9); got != c.want {
			t.Errorf("FromSeconds(%v) is %d, want %d", c.x/1e9, got, c.want)
		}
	}
}
