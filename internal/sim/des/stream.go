package des

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"sync"
)

// Stream is a random stream: a PCG generator and the variates that models draw.
//
// Its results are the same on every machine. The language lets a compiler fuse
// a product and a sum into one rounding, and some machines have instructions of
// their own for exponentials, so products are rounded by an explicit conversion
// and logarithms and exponentials are this package's own.
type Stream struct {
	pcg rand.PCG
	zig *ziggurat
}

// NewStream returns the stream of a name under a seed.
func NewStream(seed uint64, name string) *Stream {
	const offset, prime = 14695981039346656037, 1099511628211 // FNV-1a
	h := uint64(offset)
	for _, b := range []byte(name) {
		h = (h ^ uint64(b)) * prime
	}
	s := &Stream{zig: exponentialLayers()}
	s.pcg.Seed(mix(seed), mix(h))
	return s
}

// mix spreads the bits of x, so that neighbouring seeds give unlike streams
// (the finaliser of SplitMix64).
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// Uint64 returns 64 random bits.
func (s *Stream) Uint64() uint64 { return s.pcg.Uint64() }

// Float64 returns a number that is uniform on [0, 1).
func (s *Stream) Float64() float64 { return float64(float64(s.pcg.Uint64()>>11) * 0x1p-53) }

// Bool reports true with probability p.
func (s *Stream) Bool(p float64) bool { return s.Float64() < p }

// IntN returns a whole number that is uniform on [0, n). It panics if n is not
// positive.
func (s *Stream) IntN(n int) int {
	if n <= 0 {
		panic("des: IntN of a range that is empty")
	}
	// Lemire, ACM TOMACS 29(1), 2019: unbiased, mostly without a division.
	hi, lo := bits.Mul64(s.pcg.Uint64(), uint64(n))
	if lo < uint64(n) {
		for least := -uint64(n) % uint64(n); lo < least; {
			hi, lo = bits.Mul64(s.pcg.Uint64(), uint64(n))
		}
	}
	return int(hi)
}

// Exp returns a number that is exponential with mean 1.
func (s *Stream) Exp() float64 {
	past := 0.0 // the tail beyond the layers is exponential again
	for {
		bits := s.pcg.Uint64()
		layer := bits & 0xFF
		x := float64(float64(float64(bits>>11)*0x1p-53) * s.zig.x[layer])
		switch {
		case x < s.zig.x[layer+1]:
			return past + x
		case layer == 0:
			past += zigguratEnd
		default:
			low, high := s.zig.f[layer], s.zig.f[layer+1]
			if s.zig.under(layer, x, low+float64(s.Float64()*(high-low))) {
				return past + x
			}
		}
	}
}

// under reports whether y < e^-x in a layer. The curve is convex there: it lies
// below the chord of the layer and above the tangent at its inner end. Only for
// a point between the two, or too near to either to trust the rounding, is the
// exponential computed, which takes as long as several draws.
func (z *ziggurat) under(layer uint64, x, y float64) bool {
	const near = 1e-12
	low, high, in := z.f[layer], z.f[layer+1], x-z.x[layer+1]
	if y < high-float64(high*in)-near {
		return true
	}
	if y > high-float64((high-low)*in)/(z.x[layer]-z.x[layer+1])+near {
		return false
	}
	return y < exp(-x)
}

// Norm returns a number that is normal with mean 0 and variance 1, by
// Marsaglia's polar method.
func (s *Stream) Norm() float64 {
	for {
		u := float64(2*s.Float64()) - 1
		v := float64(2*s.Float64()) - 1
		r := float64(u*u) + float64(v*v)
		if r > 0 && r < 1 {
			return float64(u * math.Sqrt(float64(-2*log(r))/r))
		}
	}
}

// Span returns a span that is exponential with the mean given.
func (s *Stream) Span(mean Time) Time { return scale(mean, s.Exp()) }

// scale returns t times x, to the nearest nanosecond.
func scale(t Time, x float64) Time { return FromNanoseconds(float64(float64(t) * x)) }

// ziggurat holds the layers of equal area under e^-x (Marsaglia and Tsang, J.
// Stat. Software 5(8), 2000): layer i reaches from 0 to x[i], and f[i] is
// e^-x[i].
type ziggurat struct{ x, f [257]float64 }

// Where the layers end, and the area of each, for 256 layers.
const (
	zigguratEnd  = 7.69711747013104972
	zigguratArea = 0.0039496598225815571993
)

var exponentialLayers = sync.OnceValue(func() *ziggurat {
	z := new(ziggurat)
	z.x[0] = float64(zigguratArea * exp(zigguratEnd))
	z.x[1] = zigguratEnd
	for i := 2; i < 256; i++ {
		z.x[i] = -log(zigguratArea/z.x[i-1] + exp(-z.x[i-1]))
	}
	for i := range z.f {
		z.f[i] = exp(-z.x[i])
	}
	return z
})
