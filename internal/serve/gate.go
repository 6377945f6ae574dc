package serve

import (
	"context"
	"errors"
	"sync"
	"time"
)

// How long a request waits for its turn. As long as its line runs empty now
// and then, a wait is a burst, and bursts are worth sitting out. A line that
// has not been empty for a whole patience is an overload: then waiting only
// makes every answer late, and requests are turned away after a glance.
const (
	patience = 100 * time.Millisecond
	glance   = 10 * time.Millisecond
)

// errShed is the refusal of a gate.
var errShed = errors.New("too busy")

// gate lets a fixed number of requests compute at once, from all lines
// together, and keeps a short line of each kind before it.
//
// The work behind it is computing in memory, never waiting, so as many slots
// as cores is the number at which throughput is highest and latency lowest;
// there is nothing for an adaptive limit to find. One gate for all, since
// gates side by side let in more than the cores can do, and then nobody is in
// time. The line that has computed least goes next, so that a flood of
// searches leaves pages readable, and a fleet of agents leaves the search box
// usable. And where no slot comes free for a glance, because those who hold
// them take unusually long, a line of which nobody computes has one to itself.
//
// In an overload of a line its newest request goes first: it still has a
// client who waits for it, and its answer is as fast as on a quiet day, whereas
// first-come-first-served makes everybody wait as long as the line is.
// TestGateOrder has the figures.
type gate struct {
	slots int
	queue int  // requests that may wait in one line
	fifo  bool // for comparison only
	lines map[string]*line

	mu    sync.Mutex
	busy  int
	moved time.Time     // when a slot was taken or came free last
	clock time.Duration // what the line that went in last had spent; only grows
}

// line is the requests of one kind.
type line struct {
	gate   *gate
	weight time.Duration // by which its computing counts, 1 for most

	busy  int
	spent time.Duration // that its requests computed, on the clock of the gate
	first *waiter       // oldest
	last  *waiter       // newest
	count int
	empty time.Time // when nobody waited last
}

// waiter is a request in a line, a link of a list.
type waiter struct {
	turn         chan error // nil lets it in; buffered, so that the sender never waits
	older, newer *waiter
	until        time.Time
	out          bool // no longer in the line
}

func newGate(slots, queue int, names ...string) *gate {
	g := &gate{slots: slots, queue: queue, lines: map[string]*line{}, moved: time.Now()}
	for _, name := range names {
		g.lines[name] = &line{gate: g, weight: 1, empty: g.moved}
	}
	return g
}

// enter waits for a slot. Who gets one gives it back by calling leave.
func (l *line) enter(ctx context.Context) (leave func(), err error) {
	g := l.gate
	g.mu.Lock()
	now := time.Now()
	if l.first == nil {
		l.empty = now
		if l.busy == 0 {
			l.spent = max(l.spent, g.clock) // what it did not use while away is gone
		}
		if l.may(now) {
			l.admit(now)
			g.mu.Unlock()
			return func() { l.leave(now) }, nil
		}
	}
	if g.queue == 0 {
		g.mu.Unlock()
		return nil, errShed
	}
	w := l.push(now)
	g.mu.Unlock()
	if err := l.wait(ctx, w); err != nil {
		return nil, err
	}
	now = time.Now()
	return func() { l.leave(now) }, nil
}

// wait waits until it is w's turn or not worth waiting longer. At every glance
// it looks whether its line may have a slot to itself by now.
func (l *line) wait(ctx context.Context, w *waiter) error {
	timer := time.NewTimer(glance)
	defer timer.Stop()
	for {
		select {
		case err := <-w.turn:
			return err
		case <-ctx.Done():
			return l.giveUp(w, ctx.Err())
		case <-timer.C:
		}
		l.gate.mu.Lock()
		now := time.Now()
		l.gate.advance(now)
		l.gate.mu.Unlock()
		left := w.until.Sub(now)
		if left <= 0 {
			return l.giveUp(w, errShed)
		}
		timer.Reset(min(left, glance))
	}
}

// giveUp takes w out of the line, unless its turn has come meanwhile.
func (l *line) giveUp(w *waiter, err error) error {
	l.gate.mu.Lock()
	defer l.gate.mu.Unlock()
	if w.out {
		return <-w.turn
	}
	l.remove(w)
	return err
}

// leave gives a slot back that was taken at since, and so to the next.
func (l *line) leave(since time.Time) {
	g := l.gate
	g.mu.Lock()
	defer g.mu.Unlock()
	now := time.Now()
	g.busy--
	l.busy--
	// Nobody is made to wait for others longer than is worth waiting.
	l.spent = min(l.spent+l.weight*now.Sub(since), g.clock+patience)
	if g.busy < g.slots {
		g.moved = now
	}
	g.advance(now)
}

// advance lets in all who may go.
func (g *gate) advance(now time.Time) {
	for {
		var next *line
		for _, l := range g.lines {
			if l.first != nil && l.may(now) && (next == nil || l.spent < next.spent) {
				next = l
			}
		}
		if next == nil {
			return
		}
		w := next.choose(now)
		next.remove(w)
		if next.first == nil {
			next.empty = now
		}
		next.admit(now)
		w.turn <- nil
	}
}

// may reports whether somebody of the line may go in.
func (l *line) may(now time.Time) bool {
	g := l.gate
	return g.busy < g.slots || l.busy == 0 && now.Sub(g.moved) >= glance
}

func (l *line) admit(now time.Time) {
	g := l.gate
	g.busy++
	l.busy++
	if g.busy <= g.slots {
		g.moved = now
	}
	g.clock = max(g.clock, l.spent)
}

// choose returns who goes next: the newest in an overload, else the oldest.
func (l *line) choose(now time.Time) *waiter {
	if l.overloaded(now) && !l.gate.fifo {
		return l.last
	}
	return l.first
}

func (l *line) overloaded(now time.Time) bool { return now.Sub(l.empty) > patience }

// push appends a waiter; a full line sends away the one who waits longest.
func (l *line) push(now time.Time) *waiter {
	if l.count >= l.gate.queue {
		oldest := l.first
		l.remove(oldest)
		oldest.turn <- errShed
	}
	w := &waiter{turn: make(chan error, 1), until: now.Add(patience), older: l.last}
	if l.overloaded(now) {
		w.until = now.Add(glance)
	}
	if l.last == nil {
		l.first = w
	} else {
		l.last.newer = w
	}
	l.last = w
	l.count++
	return w
}

func (l *line) remove(w *waiter) {
	w.out = true
	if w.older == nil {
		l.first = w.newer
	} else {
		w.older.newer = w.newer
	}
	if w.newer == nil {
		l.last = w.older
	} else {
		w.newer.older = w.older
	}
	w.older, w.newer = nil, nil
	l.count--
}
