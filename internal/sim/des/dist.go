package des

import (
	"fmt"
	"math"
	"slices"
	"sort"
)

// Shape names a family of distributions.
type Shape string

// The families that a [Dist] can have.
const (
	ShapeConstant    Shape = "constant"
	ShapeExponential Shape = "exponential"
	ShapeUniform     Shape = "uniform"
	ShapeErlang      Shape = "erlang"
	ShapeLogNormal   Shape = "lognormal"
	ShapePareto      Shape = "pareto"
	ShapeMixture     Shape = "mixture"
)

// Dist is a distribution of non-negative numbers: of spans in nanoseconds, or
// of sizes in the unit of who asks. The zero Dist is constantly 0.
type Dist struct {
	shape  Shape
	mean   float64
	second float64 // E[X^2], +Inf where it does not exist
	a, b   float64 // parameters of the shape
	stages int
	values []float64 // of a mixture
	upTo   []float64 // cumulated weights of a mixture
}

// Constant returns the distribution that is always x.
func Constant(x float64) Dist {
	return Dist{shape: ShapeConstant, mean: x, second: float64(x * x)}
}

// Exponential returns the exponential distribution of a mean.
func Exponential(mean float64) Dist {
	return Dist{shape: ShapeExponential, mean: mean, second: float64(float64(2*mean) * mean)}
}

// Uniform returns the uniform distribution on [low, high).
func Uniform(low, high float64) Dist {
	square := float64(low*low) + float64(low*high) + float64(high*high)
	return Dist{shape: ShapeUniform, mean: (low + high) / 2, second: square / 3, a: low, b: high - low}
}

// Erlang returns the distribution of a sum of equal exponential stages, with
// the mean of the sum. It is a gamma distribution of whole shape.
func Erlang(stages int, mean float64) Dist {
	square := float64(mean * mean)
	return Dist{
		shape: ShapeErlang, mean: mean, second: square + square/float64(stages),
		a: mean / float64(stages), stages: stages,
	}
}

// LogNormal returns the log-normal distribution of a median whose logarithm
// has the standard deviation sigma. Its mean is median*e^(sigma^2/2).
func LogNormal(median, sigma float64) Dist {
	square := float64(sigma * sigma)
	return Dist{
		shape: ShapeLogNormal, a: log(median), b: sigma,
		mean:   float64(median * exp(square/2)),
		second: float64(float64(median*median) * exp(float64(2*square))),
	}
}

// LogNormalTail returns the log-normal distribution of a median and a 99th
// percentile, which is how latencies are usually known.
func LogNormalTail(median, p99 float64) Dist {
	const z99 = 2.3263478740408408 // 99th percentile of the standard normal
	return LogNormal(median, log(p99/median)/z99)
}

// Pareto returns the Pareto distribution of a least value and a tail index
// alpha: P(X > x) = (least/x)^alpha. Its mean exists for alpha > 1, its
// variance for alpha > 2.
func Pareto(least, alpha float64) Dist {
	d := Dist{shape: ShapePareto, a: least, b: alpha, mean: math.Inf(1), second: math.Inf(1)}
	if alpha > 1 {
		d.mean = float64(least*alpha) / (alpha - 1)
	}
	if alpha > 2 {
		d.second = float64(float64(least*least)*alpha) / (alpha - 2)
	}
	return d
}

// Mixture returns the distribution that takes each value with a probability
// proportional to its weight. Weights must not be negative and not all 0.
func Mixture(values, weights []float64) (Dist, error) {
	if len(values) == 0 || len(values) != len(weights) {
		return Dist{}, fmt.Errorf("a mixture needs as many weights as values, at least one; got %d and %d",
			len(values), len(weights))
	}
	d := Dist{shape: ShapeMixture, values: slices.Clone(values), upTo: make([]float64, len(values))}
	total := 0.0
	for i, w := range weights {
		if !(w >= 0) || math.IsInf(w, 0) {
			return Dist{}, fmt.Errorf("weight %v of a mixture is negative or not a finite number", w)
		}
		total += w
		d.upTo[i] = total
	}
	if total == 0 || math.IsInf(total, 0) {
		return Dist{}, fmt.Errorf("the weights of a mixture add up to %v", total)
	}
	for i, v := range values {
		share := weights[i] / total
		d.mean += float64(share * v)
		d.second += float64(float64(share*v) * v)
	}
	return d, nil
}

// Shape returns the family of d.
func (d *Dist) Shape() Shape {
	if d.shape == "" {
		return ShapeConstant
	}
	return d.shape
}

// Mean returns E[X], +Inf where it does not exist.
func (d *Dist) Mean() float64 { return d.mean }

// Second returns E[X^2], the second moment about 0; +Inf where it does not
// exist.
func (d *Dist) Second() float64 { return d.second }

// Draw returns a number from the distribution.
func (d *Dist) Draw(s *Stream) float64 {
	switch d.shape {
	case ShapeExponential:
		return float64(d.mean * s.Exp())
	case ShapeUniform:
		return d.a + float64(d.b*s.Float64())
	case ShapeErlang:
		sum := 0.0
		for range d.stages {
			sum += s.Exp()
		}
		return float64(d.a * sum)
	case ShapeLogNormal:
		return exp(d.a + float64(d.b*s.Norm()))
	case ShapePareto:
		return float64(d.a * exp(s.Exp()/d.b))
	case ShapeMixture:
		at := float64(s.Float64() * d.upTo[len(d.upTo)-1])
		// The first share that ends after at: a weight of 0 has none.
		i := sort.Search(len(d.upTo), func(i int) bool { return d.upTo[i] > at })
		return d.values[min(i, len(d.values)-1)]
	default:
		return d.mean
	}
}

// Span returns a span from a distribution of nanoseconds.
func (d *Dist) Span(s *Stream) Time {
	return FromNanoseconds(d.Draw(s))
}
