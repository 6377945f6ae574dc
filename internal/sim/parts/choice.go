package parts

import (
	"sort"

	"github.com/openprecedent/precedent/internal/sim/des"
)

// choice chooses among targets. Random policies draw from those on offer, and
// key finds the one whose share of all places holds the place of a key; the
// others keep them in a heap: round_robin by the turn at which each is due
// (earliest deadline first, which interleaves unequal weights), least_loaded by
// open calls for its weight. Of equals the one chosen longest ago goes first.
type choice struct {
	policy  Policy
	choices int
	random  *des.Stream
	equal   bool // all weights on offer are

	offered []int32   // targets that may be chosen; the heap, if there is one
	upTo    []float64 // their cumulated weights, in the order of offered
	rank    []ranked  // by target
	turn    float64   // of round_robin
	seq     uint64
}

// ranked is the place of a target in the heap.
type ranked struct {
	key float64
	seq uint64 // of the last choice
	at  int32  // index in offered, -1 if it is not there
}

func (h *choice) init(c *balancerConfig, random *des.Stream) {
	h.policy, h.choices, h.random = c.Policy, int(c.Choices), random
}

func (h *choice) heaped() bool { return h.policy == "round_robin" || h.policy == "least_loaded" }

// reset takes all targets off.
func (h *choice) reset() {
	for _, t := range h.offered {
		h.rank[t].at = -1
	}
	h.offered, h.upTo, h.equal = h.offered[:0], h.upTo[:0], true
}

// offer adds a target.
func (h *choice) offer(all []target, t int) {
	for len(h.rank) < len(all) {
		h.rank = append(h.rank, ranked{at: -1})
	}
	weight := all[t].weight
	total := weight
	if k := len(h.upTo); k > 0 {
		total += h.upTo[k-1]
		h.equal = h.equal && weight == all[h.offered[0]].weight
	}
	h.upTo = append(h.upTo, total)
	h.offered = append(h.offered, int32(t))
	if !h.heaped() {
		return
	}
	r := &h.rank[t]
	if h.policy == "round_robin" {
		r.key = max(r.key, h.turn) // no turns are made up for
	} else {
		r.key = float64(all[t].open) / weight
	}
	r.at = int32(len(h.offered) - 1)
	h.up(int(r.at))
}

// pick chooses a target for a call with a key, if it can another one than last.
func (h *choice) pick(all []target, last int, key uint32) (int, bool) {
	n := len(h.offered)
	switch {
	case n == 0:
		return 0, false
	case n == 1:
		return int(h.offered[0]), true
	case h.heaped():
		return h.first(all, last), true
	case h.policy == "key":
		return h.keyed(last, key), true
	}
	best := h.draw(last)
	if h.policy == "power_of_two" {
		for range h.choices - 1 {
			t := h.draw(best)
			if t != last && lighter(&all[t], &all[best]) {
				best = t
			}
		}
	}
	return best, true
}

// keyed returns the target of a key, or the next one if that was the last. Where
// one is taken off, the keys are spread anew over all that are left.
func (h *choice) keyed(last int, key uint32) int {
	n := len(h.offered)
	i := min(sort.SearchFloat64s(h.upTo, float64(keyPlace(key)*h.upTo[n-1])), n-1)
	if t := int(h.offered[i]); t != last {
		return t
	}
	return int(h.offered[(i+1)%n])
}

// lighter reports whether a has fewer open calls for its weight than b.
func lighter(a, b *target) bool {
	return float64(float64(a.open)*b.weight) < float64(float64(b.open)*a.weight)
}

// draw draws a target other than one. There must be two.
func (h *choice) draw(not int) int {
	for tries := 0; ; tries++ {
		var i int
		if h.equal {
			i = h.random.IntN(len(h.offered))
		} else {
			at := float64(h.random.Float64() * h.upTo[len(h.upTo)-1])
			i = min(sort.SearchFloat64s(h.upTo, at), len(h.upTo)-1)
		}
		if t := int(h.offered[i]); t != not {
			return t
		}
		if tries == 50 { // it has nearly all the weight
			return int(h.offered[(i+1)%len(h.offered)])
		}
	}
}

// first takes the top of the heap, or the second if the top is the last one.
func (h *choice) first(all []target, last int) int {
	at := 0
	if int(h.offered[0]) == last {
		at = 1
		if len(h.offered) > 2 && h.less(2, 1) {
			at = 2
		}
	}
	t := int(h.offered[at])
	r := &h.rank[t]
	h.seq++
	r.seq = h.seq
	if h.policy == "round_robin" {
		h.turn = max(h.turn, r.key)
		r.key += 1 / all[t].weight
		h.down(at)
	}
	return t
}

// loaded tells that the open calls of a target have changed.
func (h *choice) loaded(all []target, t int) {
	if h.policy != "least_loaded" || h.rank[t].at < 0 {
		return
	}
	r := &h.rank[t]
	r.key = float64(all[t].open) / all[t].weight
	h.up(int(r.at))
	h.down(int(r.at))
}

func (h *choice) less(i, j int) bool {
	a, b := &h.rank[h.offered[i]], &h.rank[h.offered[j]]
	if a.key != b.key {
		return a.key < b.key
	}
	if a.seq != b.seq {
		return a.seq < b.seq
	}
	return h.offered[i] < h.offered[j]
}

func (h *choice) swap(i, j int) {
	h.offered[i], h.offered[j] = h.offered[j], h.offered[i]
	h.rank[h.offered[i]].at, h.rank[h.offered[j]].at = int32(i), int32(j)
}

func (h *choice) up(i int) {
	for i > 0 && h.less(i, (i-1)/2) {
		h.swap(i, (i-1)/2)
		i = (i - 1) / 2
	}
}

func (h *choice) down(i int) {
	for {
		least := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(h.offered); child++ {
			if h.less(child, least) {
				least = child
			}
		}
		if least == i {
			return
		}
		h.swap(i, least)
		i = least
	}
}
