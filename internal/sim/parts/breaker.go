package parts

import "github.com/openprecedent/precedent/internal/sim/des"

// breaker is a circuit breaker over the last calls. While it is open, calls are
// refused; after a time one call may try, and its result alone decides whether
// the breaker closes.
type breaker struct {
	set      Breaker
	last     []bool // whether each of the last calls failed
	next     int
	full     bool
	failed   int
	open     bool
	trial    uint32 // slot of the request that tries, nobody if none does
	openedAt des.Time
	opened   *des.Counter
}

func newBreaker(set Breaker, opened *des.Counter) *breaker {
	return &breaker{set: set, last: make([]bool, set.Of), trial: nobody, opened: opened}
}

// allow reports whether a call of a request may go out now.
func (b *breaker) allow(now des.Time, slot uint32) bool {
	if !b.open {
		return true
	}
	if b.trial != nobody || now-b.openedAt < b.set.Open.Time() {
		return false
	}
	b.trial = slot
	return true
}

// saw takes the result of a call of a request.
func (b *breaker) saw(now des.Time, slot uint32, ok bool) {
	if b.open {
		if slot != b.trial {
			return // it went out before the breaker opened
		}
		b.trial = nobody
		if ok {
			b.open, b.full, b.failed, b.next = false, false, 0, 0
			clear(b.last)
		} else {
			b.openedAt = now
		}
		return
	}
	if b.last[b.next] {
		b.failed--
	}
	b.last[b.next] = !ok
	if !ok {
		b.failed++
	}
	b.next++
	if b.next == len(b.last) {
		b.next, b.full = 0, true
	}
	if b.full && float64(b.failed) >= float64(float64(b.set.Failures)*float64(len(b.last))) {
		b.open, b.openedAt = true, now
		b.opened.Inc()
	}
}

// forget takes note that a request was withdrawn: if it was the one that tries,
// another one may.
func (b *breaker) forget(slot uint32) {
	if slot == b.trial {
		b.trial = nobody
	}
}
