package des

import "math"

// The logarithm and the exponential below use additions, multiplications and
// divisions only, each rounded on its own, so that every machine computes the
// same bits. Their relative error is below 1e-15 over the ranges that models
// use; the functions of package math are as good but differ by machine.

// Log returns the natural logarithm of x, the same on every machine; -Inf for
// 0 and NaN for less.
func Log(x float64) float64 { return log(x) }

// Exp returns e to the power x, the same on every machine.
func Exp(x float64) float64 { return exp(x) }

// Pow returns x to the power y for x > 0, the same on every machine; 0 for
// x = 0.
func Pow(x, y float64) float64 {
	if x == 0 {
		return 0
	}
	return exp(float64(y * log(x)))
}

// ln 2 in two parts: the first has zeros at its end, so that its product with
// a small whole number is exact.
const (
	ln2High = 6.93147180369123816490e-01
	ln2Low  = 1.90821492927058770002e-10
)

// log writes x as 2^k times f with f around 1 and sums the series
// ln f = 2 (s + s^3/3 + s^5/5 + ...), s = (f-1)/(f+1).
func log(x float64) float64 {
	switch {
	case x == 0:
		return math.Inf(-1)
	case !(x > 0):
		return math.NaN()
	case math.IsInf(x, 1):
		return x
	}
	f, k := math.Frexp(x)
	if f < math.Sqrt2/2 {
		f += f
		k--
	}
	s := (f - 1) / (f + 1)
	square := float64(s * s)
	sum := 0.0
	for n := 23; n >= 3; n -= 2 {
		sum = float64((sum + 1/float64(n)) * square)
	}
	ln := float64(2*s) + float64(float64(2*s)*sum)
	return float64(float64(k)*ln2High) + (ln + float64(float64(k)*ln2Low))
}

// exp writes x as k ln 2 + r with small r and sums the series of e^r.
func exp(x float64) float64 {
	switch {
	case x != x:
		return x
	case x > 709.78:
		return math.Inf(1)
	case x < -745:
		return 0
	}
	k := math.Floor(x/math.Ln2 + 0.5)
	r := (x - float64(k*ln2High)) - float64(k*ln2Low)
	sum := 1.0
	for n := 14; n >= 1; n-- {
		sum = 1 + float64(sum*r)/float64(n)
	}
	return math.Ldexp(sum, int(k))
}
