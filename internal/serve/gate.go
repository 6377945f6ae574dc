package serve

import (
	"context"
	"errors"
	"sync"
	"time"
)

// How long a request waits for its turn. As long as the queue runs empty now
// and then, a wait is a burst, and bursts are worth sitting out. A queue that
// has not been empty for a whole patience is an overload: then waiting only
// makes every answer late, and requests are turned away after a glance.
const (
	patience = 100 * time.Millisecond
	glance   = 10 * time.Millisecond
)

// errShed is the refusal of a gate.
var errShed = errors.New("too busy")

// gate lets a fixed number of requests compute at once and keeps a short queue
// before it.
//
// The work behind it is computing in memory, never waiting, so as many slots
// as cores is the number at which throughput is highest and latency lowest;
// there is nothing for an adaptive limit to find. In an overload the newest
// request goes first: it still has a client who waits for it, and its answer
// is as fast as on a quiet day, whereas first-come-first-served makes
// everybody wait as long as the queue is. TestGateOrder has the figures.
type gate struct {
	slots int
	queue int  // requests that may wait
	fifo  bool // for comparison only

	mu    sync.Mutex
	busy  int
	first *waiter // oldest
	last  *waiter // newest
	count int
	empty time.Time // when nobody waited last
}

// waiter is a request in the queue of a gate, a link of a list.
type waiter struct {
	turn         chan error // nil lets it in; buffered, so that the sender never waits
	older, newer *waiter
	until        time.Time
	out          bool // no longer in the queue
}

func newGate(slots, queue int) *gate {
	return &gate{slots: slots, queue: queue, empty: time.Now()}
}

// enter waits for a slot. Who gets nil must call leave.
func (g *gate) enter(ctx context.Context) error {
	g.mu.Lock()
	now := time.Now()
	if g.first == nil {
		g.empty = now
	}
	if g.busy < g.slots {
		g.busy++
		g.mu.Unlock()
		return nil
	}
	if g.queue == 0 {
		g.mu.Unlock()
		return errShed
	}
	w := g.push(now)
	g.mu.Unlock()

	timer := time.NewTimer(w.until.Sub(now))
	defer timer.Stop()
	var err error
	select {
	case err = <-w.turn:
		return err
	case <-ctx.Done():
		err = ctx.Err()
	case <-timer.C:
		err = errShed
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if w.out { // its turn came meanwhile
		return <-w.turn
	}
	g.remove(w)
	return err
}

// leave gives the slot to the next in the queue.
func (g *gate) leave() {
	g.mu.Lock()
	defer g.mu.Unlock()
	now := time.Now()
	w := g.next(now)
	if w == nil {
		g.busy--
		return
	}
	g.remove(w)
	if g.first == nil {
		g.empty = now
	}
	w.turn <- nil
}

// next chooses who goes next: the newest in an overload, else the oldest.
func (g *gate) next(now time.Time) *waiter {
	if g.overloaded(now) && !g.fifo {
		return g.last
	}
	return g.first
}

func (g *gate) overloaded(now time.Time) bool { return now.Sub(g.empty) > patience }

// push appends a waiter; a full queue sends away the one who waits longest.
func (g *gate) push(now time.Time) *waiter {
	if g.count >= g.queue {
		oldest := g.first
		g.remove(oldest)
		oldest.turn <- errShed
	}
	w := &waiter{turn: make(chan error, 1), until: now.Add(patience), older: g.last}
	if g.overloaded(now) {
		w.until = now.Add(glance)
	}
	if g.last == nil {
		g.first = w
	} else {
		g.last.newer = w
	}
	g.last = w
	g.count++
	return w
}

func (g *gate) remove(w *waiter) {
	w.out = true
	if w.older == nil {
		g.first = w.newer
	} else {
		w.older.newer = w.newer
	}
	if w.newer == nil {
		g.last = w.older
	} else {
		w.newer.older = w.older
	}
	w.older, w.newer = nil, nil
	g.count--
}
