package des

import (
	"container/heap"
	"encoding/binary"
	"math"
	"testing"
)

// reference is a queue that is plainly right: a heap of the standard library.
type reference []event

func (r reference) Len() int           { return len(r) }
func (r reference) Less(i, j int) bool { return r[i].before(r[j]) }
func (r reference) Swap(i, j int)      { r[i], r[j] = r[j], r[i] }
func (r *reference) Push(x any)        { *r = append(*r, x.(event)) }
func (r *reference) Pop() any {
	last := len(*r) - 1
	e := (*r)[last]
	*r = (*r)[:last]
	return e
}

// twin drives the queue of a run and the reference with the same operations, in
// the way the run does: an event is taken, and what it schedules follows.
type twin struct {
	t    testing.TB
	sim  *Sim
	want reference
}

func newTwin(t testing.TB) *twin { return &twin{t: t, sim: New(1)} }

// push schedules an event a span from now.
func (w *twin) push(d Time) {
	d = min(d, Never-1-w.sim.now)
	number := w.sim.seq + 1
	w.sim.After(d, 1, 2, uint32(number))
	heap.Push(&w.want, event{at: w.sim.now + d, seq: number, what: whatOf(1, 2, uint32(number))})
}

// pop takes the first event and reports whether there was one.
func (w *twin) pop() bool {
	w.t.Helper()
	e := w.sim.queue.next()
	if (e == nil) != (len(w.want) == 0) {
		w.t.Fatalf("next gave %v where %d are pending", e, len(w.want))
	}
	if e == nil {
		return false
	}
	got, want := *e, heap.Pop(&w.want).(event)
	if got != want {
		w.t.Fatalf("event %d after %v: got %+v, want %+v", w.sim.seq, w.sim.now, got, want)
	}
	w.sim.now, w.sim.queue.hole = got.at, true
	if got, want := w.sim.queue.len(), len(w.want); got != want {
		w.t.Fatalf("%d events are pending, want %d", got, want)
	}
	return true
}

func (w *twin) drain() {
	w.t.Helper()
	for w.pop() {
	}
}

// schedules are ways in which models choose the span to an event.
var schedules = []struct {
	name string
	span func(s *Stream) Time
}{
	{"all now", func(*Stream) Time { return 0 }},
	{"all at one instant", func(*Stream) Time { return Second }},
	{"heavy ties", func(s *Stream) Time { return Time(s.IntN(3)) * Second }},
	{"grid", func(s *Stream) Time { return Time(s.IntN(1000)) * Millisecond }},
	{"exponential", func(s *Stream) Time { return s.Span(Second) }},
	{"nanoseconds", func(s *Stream) Time { return Time(s.IntN(50)) }},
	{"skewed", func(s *Stream) Time { return FromSeconds(exp(42*s.Float64()) * 1e-9) }},
	{"near and far", func(s *Stream) Time {
		if s.Bool(0.01) {
			return 1e18
		}
		return s.Span(Microsecond)
	}},
	{"decreasing", func(s *Stream) Time { return Time(1e12 / (1 + s.Uint64()%1e6)) }},
	{"two scales", func(s *Stream) Time {
		if s.Bool(0.5) {
			return Hour + Time(s.IntN(10))
		}
		return Time(s.IntN(10))
	}},
	{"end of time", func(s *Stream) Time { return Never - Time(s.Uint64()%3e18) }},
}

// TestQueueOrder holds the order of events to the reference: while a number of
// events is pending, while it grows, falls, and grows again.
func TestQueueOrder(t *testing.T) {
	for _, sc := range schedules {
		t.Run(sc.name, func(t *testing.T) {
			for _, pending := range []int{1, 2, 100, nearMax, 3 * nearMax, 8000} {
				w, s := newTwin(t), NewStream(uint64(pending), sc.name)
				for range 3 {
					for range pending { // a burst, then hold, then down
						w.push(sc.span(s))
					}
					for range 2 * pending {
						w.pop()
						w.push(sc.span(s))
					}
					for range pending / 2 {
						w.pop()
					}
				}
				w.drain()
				w.push(sc.span(s))
				w.drain()
			}
		})
	}
}

// TestQueueMixesSchedules takes the spans of one queue from all schedules, so
// that buckets of every width are split, and lets events schedule none, one or
// many more.
func TestQueueMixesSchedules(t *testing.T) {
	for seed := range uint64(20) {
		w, s := newTwin(t), NewStream(seed, "mixed")
		for range 20_000 {
			sc := schedules[s.IntN(len(schedules)-1)] // the end of time would be the end
			for range s.IntN(3) {
				w.push(sc.span(s))
			}
			if s.Bool(0.001) { // a burst
				for range s.IntN(5000) {
					w.push(sc.span(s))
				}
			}
			w.pop()
		}
		w.drain()
	}
}

// TestQueueGrows goes to 100,000 pending events and back, and again with the
// memory of the first time.
func TestQueueGrows(t *testing.T) {
	w, s := newTwin(t), NewStream(1, "growth")
	for range 2 {
		w.push(0)
		for len(w.want) < 100_000 {
			w.pop()
			w.push(s.Span(Second))
			w.push(s.Span(Hour))
		}
		w.drain()
	}
}

// TestQueueDepth nests more rungs than there may be: half of the events share
// an instant, the other half lie ever closer to it.
func TestQueueDepth(t *testing.T) {
	w := newTwin(t)
	for span := Time(1e18); span > 0; span /= 3 {
		for i := range Time(700) {
			w.push(i * (span / 700))
			w.push(0)
		}
	}
	for len(w.want) > 0 {
		w.pop()
		if w.sim.seq < 100_000 {
			w.push(Time(w.sim.seq % 7))
		}
	}
}

// FuzzQueue reads operations from bytes: one byte says what to do, the next
// ones by how much.
func FuzzQueue(f *testing.F) {
	f.Add([]byte{0})
	f.Add([]byte{0xFF, 0xFF, 1, 2, 3, 4, 0x80, 0, 0x40})
	f.Add([]byte{0xC0, 62, 0xC5, 62, 0xC9, 61, 0x3F, 0xC0, 1, 0x3F, 0x3F})
	f.Add(binary.BigEndian.AppendUint64([]byte{0xFE, 30, 0xFD, 10, 0x3E, 0xFE, 3}, math.MaxUint64))
	f.Fuzz(func(t *testing.T, ops []byte) {
		w := newTwin(t)
		for len(ops) > 1 && w.sim.seq < 200_000 {
			op, by := ops[0], ops[1]
			ops = ops[2:]
			n := int(op&0x3F) + 1
			switch op >> 6 {
			case 0: // take some
				for range n * (int(by) + 1) {
					w.pop()
				}
			case 1: // some at one instant
				for range n {
					w.push(1 << (by % 63))
				}
			case 2: // hold
				for i := range n * 16 {
					w.pop()
					w.push(Time(i%7) << (by % 60))
				}
			case 3: // a burst that is spread
				for i := range n * 32 {
					w.push(Time(i) << (by % 52))
				}
			}
		}
		w.drain()
	})
}
