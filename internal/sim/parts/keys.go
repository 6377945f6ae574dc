package parts

import (
	"github.com/openprecedent/precedent/internal/sim/des"
)

// keyStream draws keys from 0, the most wanted one.
type keyStream struct {
	random   *des.Stream
	distinct int
	// Of rejection-inversion (Hörmann and Derflinger, ACM TOMACS 6(3), 1996),
	// which draws from 1..distinct in proportion to k^-s without a table.
	s                    float64
	first, width, cutoff float64
}

func newKeyStream(r *des.Stream, set *Keys) *keyStream {
	k := &keyStream{random: r, distinct: int(set.Distinct), s: float64(set.Zipf)}
	if k.s > 0 {
		k.first = k.integral(1.5) - 1
		k.width = k.first - k.integral(float64(k.distinct)+0.5)
		k.cutoff = 2 - k.inverse(k.integral(2.5)-k.density(2))
	}
	return k
}

// density is x^-s.
func (k *keyStream) density(x float64) float64 { return des.Pow(x, -k.s) }

// integral is an antiderivative of density.
func (k *keyStream) integral(x float64) float64 {
	if k.s == 1 {
		return des.Log(x)
	}
	return (des.Pow(x, 1-k.s) - 1) / (1 - k.s)
}

func (k *keyStream) inverse(y float64) float64 {
	if k.s == 1 {
		return des.Exp(y)
	}
	return des.Pow(max(1+float64(y*(1-k.s)), 0), 1/(1-k.s))
}

func (k *keyStream) next() uint32 {
	if k.s == 0 {
		return uint32(k.random.IntN(k.distinct))
	}
	last := k.first - k.width
	for {
		u := last + float64(k.random.Float64()*k.width)
		x := k.inverse(u)
		rank := min(max(float64(int64(x+0.5)), 1), float64(k.distinct))
		if rank-x <= k.cutoff || u >= k.integral(rank+0.5)-k.density(rank) {
			return uint32(rank) - 1
		}
	}
}

// keyPlace returns the place of a key on [0, 1), the multiples of the golden
// ratio, which spread any number of neighbouring keys evenly.
func keyPlace(key uint32) float64 { return float64(float64(key*2654435769) * 0x1p-32) }
