package des

import (
	"math"
	"slices"
	"testing"
)

// distance is the Kolmogorov-Smirnov distance of a sample, which it sorts, and
// a distribution function.
func distance(sample []float64, cdf func(float64) float64) float64 {
	slices.Sort(sample)
	n, most := float64(len(sample)), 0.0
	for i, x := range sample {
		p := cdf(x)
		most = max(most, p-float64(i)/n, float64(i+1)/n-p)
	}
	return most
}

// TestVariates holds each variate to its distribution: the mean to five
// standard errors, and the Kolmogorov-Smirnov distance to 2.23/sqrt(n), which
// one sound sample in 10,000 exceeds. Seeds are fixed, so luck plays no part
// once it passes.
func TestVariates(t *testing.T) {
	const n = 200_000
	for _, v := range []struct {
		name           string
		draw           func(*Stream) float64
		cdf            func(float64) float64
		mean, variance float64
	}{
		{"uniform", (*Stream).Float64, func(x float64) float64 { return x }, 0.5, 1.0 / 12},
		{"exponential", (*Stream).Exp, func(x float64) float64 { return -math.Expm1(-x) }, 1, 1},
		{"normal", (*Stream).Norm, func(x float64) float64 { return math.Erfc(-x/math.Sqrt2) / 2 }, 0, 1},
	} {
		t.Run(v.name, func(t *testing.T) {
			s := NewStream(1, v.name)
			sample, sum, squares := make([]float64, n), 0.0, 0.0
			for i := range sample {
				x := v.draw(s)
				sample[i], sum, squares = x, sum+x, squares+(x-v.mean)*(x-v.mean)
			}
			if got, most := sum/n, 5*math.Sqrt(v.variance/n); math.Abs(got-v.mean) > most {
				t.Errorf("mean %.5f, want %.5f within %.5f", got, v.mean, most)
			}
			// The fourth central moment of these is at most 9 variances squared.
			if got, most := squares/n, 5*math.Sqrt(8.0/n)*v.variance; math.Abs(got-v.variance) > most {
				t.Errorf("variance %.5f, want %.5f within %.5f", got, v.variance, most)
			}
			if got, most := distance(sample, v.cdf), 2.23/math.Sqrt(n); got > most {
				t.Errorf("distance to the distribution %.5f, want at most %.5f", got, most)
			}
		})
	}
}

// TestIntN holds small ranges to chi-square limits, and a range that is not a
// divisor of 2^64 by far to its halves.
func TestIntN(t *testing.T) {
	const n = 120_000
	s := NewStream(1, "whole")
	for _, of := range []int{1, 2, 3, 10, 100} {
		counts := make([]float64, of)
		for range n {
			counts[s.IntN(of)]++
		}
		chi, want := 0.0, float64(n)/float64(of)
		for _, c := range counts {
			chi += (c - want) * (c - want) / want
		}
		free := float64(of - 1)
		if most := free + 5*math.Sqrt(2*free) + 5; chi > most {
			t.Errorf("of %d: chi-square %.1f, want at most %.1f", of, chi, most)
		}
	}
	const large = 3 << 61
	low := 0
	for range n {
		if x := s.IntN(large); x < 0 || x >= large {
			t.Fatalf("IntN(%d) gave %d", large, x)
		} else if x < large/2 {
			low++
		}
	}
	if got := float64(low) / n; math.Abs(got-0.5) > 5*0.5/math.Sqrt(n) {
		t.Errorf("share of the lower half %.4f, want 0.5", got)
	}
}

// TestStreamsDiffer draws from neighbouring seeds and names.
func TestStreamsDiffer(t *testing.T) {
	seen := map[uint64]bool{}
	for seed := range uint64(1000) {
		for _, name := range []string{"", "a", "b", "ab", "ba"} {
			seen[NewStream(seed, name).Uint64()] = true
		}
	}
	if len(seen) != 5000 {
		t.Errorf("5000 streams begin with %d numbers", len(seen))
	}
}

func TestStreamTwicePanics(t *testing.T) {
	s := New(1)
	s.Stream("a")
	s.Stream("b")
	defer func() {
		if recover() == nil {
			t.Error("asking for a stream twice did not panic")
		}
	}()
	s.Stream("a")
}

// TestExact holds the logarithm and the exponential to those of package math,
// which are within an ulp of the truth.
func TestExact(t *testing.T) {
	const most = 1.5e-15
	s := NewStream(1, "exact")
	off := func(got, want float64) float64 {
		if got == want {
			return 0
		}
		return math.Abs(got-want) / math.Abs(want)
	}
	for range 200_000 {
		x := 1400*s.Float64() - 700
		if o := off(Exp(x), math.Exp(x)); o > most {
			t.Fatalf("Exp(%v) is off by %.2g", x, o)
		}
		y := math.Exp(x)
		if o := off(Log(y), math.Log(y)); o > most {
			t.Fatalf("Log(%v) is off by %.2g", y, o)
		}
		near := 1 + (s.Float64()-0.5)/8
		if o := off(Log(near), math.Log(near)); o > most {
			t.Fatalf("Log(%v) is off by %.2g", near, o)
		}
		// The error of the exponent grows with its size.
		base, power := math.Exp(20*s.Float64()-10), 20*s.Float64()-10
		if o := off(Pow(base, power), math.Pow(base, power)); o > 5e-14 {
			t.Fatalf("Pow(%v, %v) is off by %.2g", base, power, o)
		}
	}
}

func TestExactEdges(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range []struct {
		name      string
		got, want float64
	}{
		{"Log(0)", Log(0), -inf}, {"Log(-1)", Log(-1), nan}, {"Log(Inf)", Log(inf), inf},
		{"Log(NaN)", Log(nan), nan}, {"Log(1)", Log(1), 0}, {"Exp(0)", Exp(0), 1},
		{"Exp(-Inf)", Exp(-inf), 0}, {"Exp(Inf)", Exp(inf), inf}, {"Exp(NaN)", Exp(nan), nan},
		{"Exp(-1000)", Exp(-1000), 0}, {"Exp(1000)", Exp(1000), inf},
		{"Pow(0, 2)", Pow(0, 2), 0}, {"Pow(1, 1000)", Pow(1, 1000), 1}, {"Pow(5, 0)", Pow(5, 0), 1},
	} {
		if c.got != c.want && !(math.IsNaN(c.got) && math.IsNaN(c.want)) {
			t.Errorf("%s is %v, want %v", c.name, c.got, c.want)
		}
	}
}

// TestUnder holds the shortcuts of the ziggurat against the exponential that
// they save, all over each layer.
func TestUnder(t *testing.T) {
	z, s := exponentialLayers(), NewStream(1, "under")
	for layer := uint64(1); layer < 256; layer++ {
		low, high := z.f[layer], z.f[layer+1]
		for i := range 2000 {
			x := z.x[layer+1] + (z.x[layer]-z.x[layer+1])*s.Float64()
			y := low + (high-low)*s.Float64()
			switch i % 4 { // most of the doubt is at the curve and at the ends
			case 0:
				y = exp(-x) + (high-low)*1e-9*(s.Float64()-0.5)
			case 1:
				x = z.x[layer+1] + (z.x[layer]-z.x[layer+1])*float64(i%8/4)
				y = exp(-x)
			}
			if got, want := z.under(layer, x, y), y < exp(-x); got != want {
				t.Fatalf("layer %d, x %v, y %v: under the curve %v, want %v", layer, x, y, got, want)
			}
		}
	}
}
