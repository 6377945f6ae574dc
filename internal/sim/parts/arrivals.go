package parts

import "github.com/openprecedent/precedent/internal/sim/des"

// arrivals tells when the requests of a source come: as a Poisson process whose
// rate may vary, or at equal areas under the rate.
//
// Both come of one rule (inversion of the integrated rate; Çinlar, Introduction to
// Stochastic Processes, 1975, sec. 4.7): the area under the rate between two
// arrivals is 1 where they are regular, and an exponential draw of mean 1 where
// they are Poisson.
type arrivals struct {
	stream  *des.Stream
	regular bool
	profile *profile // nil where the rate does not vary by itself
	between float64  // mean nanoseconds between two arrivals at the whole rate, 0 if none come
	due     float64  // area under the rate from since to the next arrival
	since   des.Time
	epoch   uint32 // an arrival of an earlier one is void
}

// rate returns the whole rate a second.
func (a *arrivals) rate() float64 {
	if a.between == 0 {
		return 0
	}
	return 1e9 / a.between
}

// set changes the whole rate. A Poisson process is drawn anew, which leaves it
// one; regular arrivals go on from where they are. It reports whether any come.
func (a *arrivals) set(now des.Time, perSecond float64) bool {
	if a.regular && a.between > 0 {
		a.due = max(a.due-a.shares(a.since, now)/a.between, 0)
	}
	a.between, a.since = 0, now
	a.epoch++
	if perSecond <= 0 {
		return false
	}
	a.between = 1e9 / perSecond
	if !a.regular {
		a.due = a.stream.Exp()
	}
	return true
}

// next begins the wait for a further arrival.
func (a *arrivals) next(now des.Time) {
	a.since, a.due = now, 1
	if !a.regular {
		a.due = a.stream.Exp()
	}
}

// gap returns how long it is from since to the next arrival, and false if none
// comes.
func (a *arrivals) gap() (des.Time, bool) {
	need := float64(a.between * a.due)
	if a.profile == nil {
		return des.FromNanoseconds(need), true
	}
	return a.profile.gap(a.since, need)
}

// shares returns the integral of the shares of the whole rate over a span, in
// nanoseconds.
func (a *arrivals) shares(from, to des.Time) float64 {
	if a.profile == nil {
		return float64(to - from)
	}
	return a.profile.between(from, to)
}
