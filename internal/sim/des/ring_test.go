package des

import (
	"context"
	"slices"
	"testing"
)

// diary is a handler that writes down what it is sent and may do more.
type diary struct {
	sim     *Sim
	entries []entry
	then    func(kind uint16, arg uint32)
}

type entry struct {
	at   Time
	kind uint16
	arg  uint32
}

func newDiary(seed uint64) (*diary, Target) {
	d := &diary{sim: New(seed)}
	return d, d.sim.Register(d)
}

func (d *diary) Handle(kind uint16, arg uint32) {
	d.entries = append(d.entries, entry{d.sim.Now(), kind, arg})
	if d.then != nil {
		d.then(kind, arg)
	}
}

func (d *diary) run(until Time) End { return d.sim.Run(context.Background(), Budget{Until: until}) }

func (d *diary) expect(t *testing.T, want ...entry) {
	t.Helper()
	if !slices.Equal(d.entries, want) {
		t.Errorf("got %v\nwant %v", d.entries, want)
	}
}

func TestRing(t *testing.T) {
	d, self := newDiary(1)
	r := d.sim.Ring(Second, self, 7)
	r.Cancel(0)
	first := r.Start(1)
	second := r.Start(2)
	r.Start(3)
	r.Cancel(second)
	r.Cancel(second) // twice is once
	if got := r.Len(); got != 2 {
		t.Errorf("%d timers run, want 2", got)
	}
	d.run(Hour)
	r.Cancel(first) // has ended
	d.expect(t, entry{Second, 7, 1}, entry{Second, 7, 3})
	if got := r.Len(); got != 0 {
		t.Errorf("%d timers run, want none", got)
	}
	r.Start(4)
	r.Cancel(first)
	d.run(2 * Hour)
	d.expect(t, entry{Second, 7, 1}, entry{Second, 7, 3}, entry{Hour + Second, 7, 4})
}

// TestRingAlone cancels every timer: nothing is sent, and the ring works on.
func TestRingAlone(t *testing.T) {
	d, self := newDiary(1)
	r := d.sim.Ring(Second, self, 7)
	for arg := range uint32(100) {
		r.Cancel(r.Start(arg))
	}
	d.run(Minute)
	if r.Len() != 0 || d.sim.Pending() != 0 {
		t.Errorf("%d timers run and %d events are pending, want none", r.Len(), d.sim.Pending())
	}
	r.Start(5)
	d.run(Hour)
	d.expect(t, entry{Minute + Second, 7, 5})
}

// TestRingWithoutSpan ends timers at the instant at which they begin, after
// what is scheduled for it already. A negative span is none.
func TestRingWithoutSpan(t *testing.T) {
	for _, span := range []Time{0, -Second} {
		d, self := newDiary(1)
		r := d.sim.Ring(span, self, 7)
		d.then = func(kind uint16, arg uint32) {
			if kind == 1 {
				d.sim.After(0, self, 2, arg)
				r.Start(arg)
				r.Start(arg + 1)
				d.sim.After(0, self, 3, arg)
			}
		}
		d.sim.At(Second, self, 1, 10)
		d.run(Hour)
		d.expect(t, entry{Second, 1, 10}, entry{Second, 2, 10}, entry{Second, 7, 10},
			entry{Second, 7, 11}, entry{Second, 3, 10})
	}
}

// TestRingForever holds timers that never end.
func TestRingForever(t *testing.T) {
	d, self := newDiary(1)
	d.sim.At(Second, self, 1, 0)
	d.run(Minute)
	r := d.sim.Ring(Never, self, 7)
	timer := r.Start(1)
	r.Start(2)
	r.Cancel(timer)
	d.run(Never)
	d.expect(t, entry{Second, 1, 0})
	if r.Len() != 1 {
		t.Errorf("%d timers run, want 1", r.Len())
	}
}

// TestRingIsLikeEvents runs a course with a ring and once more with an event a
// timer: everything must come at the same instants and in the same order. The
// handler starts timers, cancels some, and schedules events that tie with them.
func TestRingIsLikeEvents(t *testing.T) {
	const span = 20 * Millisecond
	course := func(seed uint64, ring bool) []entry {
		d, self := newDiary(seed)
		s := d.sim.Stream("course")
		r := d.sim.Ring(span, self, 7)
		var timers []Timer
		cancelled := map[uint32]bool{}
		start := func() {
			arg := uint32(len(timers))
			if ring {
				timers = append(timers, r.Start(arg))
			} else {
				timers = append(timers, Timer(arg))
				d.sim.After(span, self, 7, arg)
			}
		}
		var kept []entry
		d.then = func(kind uint16, arg uint32) {
			if kind == 7 && cancelled[arg] {
				return // only where events stand for timers
			}
			kept = append(kept, entry{d.sim.Now(), kind, arg})
			for range s.IntN(4) {
				start()
			}
			if s.Bool(0.6) && len(timers) > 0 {
				i := max(0, len(timers)-1-s.IntN(30))
				cancelled[uint32(i)] = true
				if ring {
					r.Cancel(timers[i])
				}
			}
			if kind == 1 && len(kept) < 5000 {
				d.sim.After(Time(s.IntN(5))*10*Millisecond, self, 1, 0)
			}
			if len(kept) > 5000 {
				d.sim.Stop(EndStop)
			}
		}
		d.sim.After(0, self, 1, 0)
		d.run(Hour)
		return kept
	}
	for seed := range uint64(10) {
		got, want := course(seed, true), course(seed, false)
		if len(want) < 1000 && seed == 0 {
			t.Fatalf("the course has %d entries only", len(want))
		}
		if !slices.Equal(got, want) {
			t.Fatalf("seed %d: a ring and events go apart", seed)
		}
	}
}
