// Package des is a discrete-event kernel: a clock, an event queue, random
// streams and windowed series. It knows nothing of what is simulated.
//
// A run is a pure function of its inputs. Time is a whole number of
// nanoseconds, events of the same instant come in the order in which they were
// scheduled, every purpose draws from a random stream of its own name, and
// floating-point results are rounded where the language would let a machine
// round differently (see [Stream]). Nothing here starts a goroutine or walks a
// map, so the same seed gives the same bytes on any machine.
//
// Events are values. A model that keeps its own records in arenas schedules and
// handles events without allocating.
package des

import (
	"context"
	"fmt"
	"time"
)

// Time is an instant or a span of simulated time in nanoseconds; a run starts
// at 0.
type Time int64

// Spans of simulated time.
const (
	Nanosecond  Time = 1
	Microsecond      = 1000 * Nanosecond
	Millisecond      = 1000 * Microsecond
	Second           = 1000 * Millisecond
	Minute           = 60 * Second
	Hour             = 60 * Minute

	// Never is later than every event: what is scheduled for it does not come.
	Never Time = 1<<63 - 1
)

// Seconds returns t in seconds.
func (t Time) Seconds() float64 { return float64(t) / 1e9 }

// String writes t as Go writes durations: 1m30s.
func (t Time) String() string { return time.Duration(t).String() }

// FromSeconds returns the span of s seconds, see [FromNanoseconds].
func FromSeconds(s float64) Time { return FromNanoseconds(float64(s * 1e9)) }

// FromNanoseconds returns the span of ns nanoseconds, to the nearest one. What
// is negative or no number is 0, and what is too long to add to a clock is cut
// to the longest span that is not.
func FromNanoseconds(ns float64) Time {
	switch {
	case !(ns > 0):
		return 0
	case ns >= float64(maxSpan):
		return maxSpan
	}
	return Time(ns + 0.5)
}

// maxSpan leaves room to add a span to any instant of a run without overflow.
const maxSpan = Never / 4

// Handler receives the events of one part of a model. The kind and argument
// are what the event was scheduled with; the model gives them their meaning.
type Handler interface {
	Handle(kind uint16, arg uint32)
}

// Target names a handler of a run.
type Target uint16

// Sim is one run: its clock, its pending events and its handlers. It must not
// be used by several goroutines at once.
type Sim struct {
	now       Time
	until     Time
	seq       uint64
	done      uint64 // events handled
	queue     queue
	handlers  []Handler
	rings     []*Ring
	stop      End
	seed      uint64
	names     map[string]bool // streams that were given out
	recording bool
}

// New returns an empty run whose random streams follow from seed.
func New(seed uint64) *Sim {
	s := &Sim{seed: seed, names: map[string]bool{}}
	s.queue.init()
	return s
}

// MaxHandlers bounds the handlers of a run: a target is 16 bits of an event.
const MaxHandlers = 1 << 16

// Register adds a handler. It panics when there are more than [MaxHandlers].
func (s *Sim) Register(h Handler) Target {
	if len(s.handlers) == MaxHandlers {
		panic("des: more than 65,536 handlers in one run")
	}
	s.handlers = append(s.handlers, h)
	return Target(len(s.handlers) - 1)
}

// Now returns the current instant.
func (s *Sim) Now() Time { return s.now }

// Until returns the instant at which the run ends; 0 before it starts.
func (s *Sim) Until() Time { return s.until }

// Handled returns how many events were handled.
func (s *Sim) Handled() uint64 { return s.done }

// Handlers returns how many handlers were registered.
func (s *Sim) Handlers() int { return len(s.handlers) }

// Pending returns how many events are scheduled, and timers that rings keep for
// later.
func (s *Sim) Pending() int {
	n := s.queue.len()
	for _, r := range s.rings {
		n += r.kept()
	}
	return n
}

// At schedules an event. An instant that has passed means now: the event comes
// after everything that is scheduled for this instant already.
func (s *Sim) At(at Time, to Target, kind uint16, arg uint32) {
	s.after(at-s.now, whatOf(to, kind, arg))
}

// After schedules an event a span from now; a negative span means now.
func (s *Sim) After(d Time, to Target, kind uint16, arg uint32) {
	s.after(d, whatOf(to, kind, arg))
}

// in returns the instant a span from now, Never where there is none so late.
func (s *Sim) in(d Time) Time {
	at := s.now + d
	if at < s.now {
		return s.clip(d) // a jump that is not taken costs less than the clipping
	}
	return at
}

// clip returns the instant a span from now that is negative, or too long to add.
//
//go:noinline
func (s *Sim) clip(d Time) Time {
	if d < 0 {
		return s.now
	}
	return Never
}

// after puts an event in its place; one that never comes has none.
func (s *Sim) after(d Time, w what) {
	at := s.in(d)
	s.seq++
	q := &s.queue
	if !q.hole || at >= q.horizon {
		if at < Never {
			q.push(event{at: at, seq: s.seq, what: w})
		}
		return
	}
	// By far the most frequent case: what settle does, in place, since the call
	// would take as long as its work. No pending event is younger than this one.
	q.hole = false
	h, i := q.near, 0
	for child := 1; child < len(h); child = 2*i + 1 {
		if child+1 < len(h) {
			child += h[child+1].earlier(h[child])
		}
		first := h[child]
		if at < first.at {
			break
		}
		h[i] = first
		i = child
	}
	h[i] = event{at: at, seq: s.seq, what: w}
}

// Budget bounds a run. A zero field does not bound, but for Until.
type Budget struct {
	Until   Time          // simulated time at which the run ends
	Events  uint64        // events handled
	Pending int           // events scheduled at once, which bounds memory
	Wall    time.Duration // real time; where it ends a run depends on the machine
}

// End says why a run ended.
type End string

// The ends of a run. All but EndTime leave it unfinished.
const (
	EndTime    End = "time"    // it reached the end of its simulated time
	EndEvents  End = "events"  // it handled as many events as it may
	EndPending End = "pending" // more was waiting than may wait
	EndWall    End = "wall"    // it ran for as long as it may
	EndContext End = "context" // its context was cancelled
	EndStop    End = "stopped" // the model stopped it
)

// Finished reports whether the run went to the end of its simulated time.
func (e End) Finished() bool { return e == EndTime }

// Stop ends the run after the current event, for the reason given.
func (s *Sim) Stop(why End) { s.stop = why }

// checkEvery is how many events pass between two looks at the real clock and
// the context.
const checkEvery = 1 << 13

// Run handles events in order until the budget ends. The clock then stands at
// the instant reached: b.Until when the run finished, and it never goes back. Run can be called again
// with a larger budget and goes on where it stopped.
func (s *Sim) Run(ctx context.Context, b Budget) End {
	s.until, s.stop = b.Until, ""
	var deadline time.Time
	if b.Wall > 0 {
		deadline = time.Now().Add(b.Wall)
	}
	pace := paceOf(ctx)
	for {
		if pace != nil {
			pace()
		}
		if ctx.Err() != nil {
			return EndContext
		}
		batch := uint64(checkEvery)
		if b.Events > 0 {
			if s.done >= b.Events {
				return EndEvents
			}
			batch = min(batch, b.Events-s.done)
		}
		if end := s.batch(batch); end != "" {
			return end
		}
		switch {
		case b.Pending > 0 && s.Pending() > b.Pending:
			return EndPending
		case b.Wall > 0 && time.Now().After(deadline):
			return EndWall
		}
	}
}

// batch handles up to n events and returns why the run ended, or nothing.
func (s *Sim) batch(n uint64) End {
	q := &s.queue
	for ; n > 0; n-- {
		e := q.next()
		if e == nil || e.at >= s.until {
			s.now = max(s.now, s.until)
			return EndTime
		}
		s.now = e.at
		s.done++
		q.hole = true
		s.handlers[e.what.to()].Handle(e.what.kind(), e.what.arg())
		if s.stop != "" {
			return s.stop
		}
	}
	return ""
}

// Stream returns the random stream of a name: one a purpose, so that a change
// in one part leaves the draws of the others alone. It panics when a name is
// asked for twice, since two purposes would then share their draws.
func (s *Sim) Stream(name string) *Stream {
	if s.names[name] {
		panic(fmt.Sprintf("des: the random stream %q is asked for twice", name))
	}
	s.names[name] = true
	return NewStream(s.seed, name)
}
