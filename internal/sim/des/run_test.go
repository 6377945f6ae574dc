package des

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"math"
	"testing"
	"time"
)

// digest is a hash of all series of a run, bit by bit.
func digest(r *Recorder) [32]byte {
	var b []byte
	for _, s := range r.Series() {
		b = append(b, s.Name+" "+s.Unit+"\n"...)
		for _, v := range s.Values {
			b = binary.BigEndian.AppendUint64(b, math.Float64bits(v))
		}
	}
	return sha256.Sum256(b)
}

// fleeting is a context that is cancelled once it was looked at.
type fleeting struct {
	context.Context
	looks int
}

func (f *fleeting) Err() error {
	if f.looks++; f.looks > 1 {
		return context.Canceled
	}
	return nil
}

// TestContinue ends a run again and again, by every budget, and goes on: the
// series must be those of one run.
func TestContinue(t *testing.T) {
	const until = 5 * Hour
	ctx := context.Background()
	whole, r := newQueueModel(3, 100*Millisecond, 80*Millisecond)
	if end := whole.sim.Run(ctx, Budget{Until: until}); !end.Finished() {
		t.Fatalf("the run ended by %q", end)
	}
	r.Finish()
	want := digest(r)
	for _, c := range []struct {
		name string
		end  End
		run  func(s *Sim) End
	}{
		{"events", EndEvents, func(s *Sim) End { return s.Run(ctx, Budget{Until: until, Events: s.Handled() + 777}) }},
		{"wall", EndWall, func(s *Sim) End { return s.Run(ctx, Budget{Until: until, Wall: time.Nanosecond}) }},
		{"pending", EndPending, func(s *Sim) End { return s.Run(ctx, Budget{Until: until, Pending: 1}) }},
		{"context", EndContext, func(s *Sim) End { return s.Run(&fleeting{Context: ctx}, Budget{Until: until}) }},
		{"time", EndTime, func(s *Sim) End { return s.Run(ctx, Budget{Until: min(until, s.Now()+7*Minute)}) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, r := newQueueModel(3, 100*Millisecond, 80*Millisecond)
			if end := c.run(m.sim); end != c.end {
				t.Fatalf("the run ended by %q, want %q", end, c.end)
			}
			for m.sim.Now() < until {
				c.run(m.sim)
			}
			if end := m.sim.Run(ctx, Budget{Until: Second}); end != EndTime || m.sim.Now() != until {
				t.Errorf("the clock went from %v back to %v", until, m.sim.Now())
			}
			r.Finish()
			r.Finish() // once more changes nothing
			if digest(r) != want || m.sim.Handled() != whole.sim.Handled() {
				t.Error("the series differ from those of one run")
			}
		})
	}
}

// TestFinishContinue closes the last window of a run that then goes on.
func TestFinishContinue(t *testing.T) {
	m, r := newQueueModel(3, Second, 800*Millisecond)
	for _, until := range []Time{Hour, 2 * Hour} {
		m.sim.Run(context.Background(), Budget{Until: until})
		r.Finish()
		if got, want := r.Windows(), int(until/Minute); got != want {
			t.Errorf("%d windows after %v, want %d", got, until, want)
		}
	}
}

// TestInstants schedules in the past, for never, and beyond the end of time.
func TestInstants(t *testing.T) {
	d, self := newDiary(1)
	d.then = func(kind uint16, _ uint32) {
		if kind == 0 {
			d.sim.At(0, self, 1, 0)
			d.sim.After(-Hour, self, 2, 0)
			d.sim.After(0, self, 3, 0)
			d.sim.After(Never, self, 4, 0)
			d.sim.At(Never, self, 5, 0)
		}
	}
	d.sim.At(Second, self, 0, 0)
	d.sim.At(Second, self, 6, 0)
	d.run(Never)
	d.expect(t, entry{Second, 0, 0}, entry{Second, 6, 0},
		entry{Second, 1, 0}, entry{Second, 2, 0}, entry{Second, 3, 0})
}

// hold is a model of a steady number of pending events: each event schedules
// one more.
type hold struct {
	sim    *Sim
	self   Target
	stream *Stream
}

func newHold(pending int) *hold {
	s := New(1)
	h := &hold{sim: s, stream: s.Stream("hold")}
	h.self = s.Register(h)
	for range pending {
		h.Handle(0, 0)
	}
	return h
}

func (h *hold) Handle(uint16, uint32) { h.sim.After(h.stream.Span(Second), h.self, 0, 0) }

// line is the single server without series, its line a ring of fixed length.
type line struct {
	sim               *Sim
	self              Target
	arrivals, service *Stream
	inside            int
}

func (l *line) Handle(kind uint16, _ uint32) {
	if kind == arrive {
		l.sim.After(l.arrivals.Span(1250*Millisecond), l.self, arrive, 0)
		if l.inside++; l.inside > 1 {
			return
		}
	} else if l.inside--; l.inside == 0 {
		return
	}
	l.sim.After(l.service.Span(Second), l.self, leave, 0)
}

// TestNoAllocations runs models that are warm: what is pending varies a little,
// so a slice may still grow once in many thousands of events.
func TestNoAllocations(t *testing.T) {
	const each = 20_000
	check := func(name string, s *Sim, warm uint64) {
		ctx := context.Background()
		s.Run(ctx, Budget{Until: Never, Events: warm})
		got := testing.AllocsPerRun(5, func() {
			s.Run(ctx, Budget{Until: Never, Events: s.Handled() + each})
		})
		if got > 2 {
			t.Errorf("%s: %v allocations in %d events, want none", name, got, each)
		}
	}
	check("hold of 100", newHold(100).sim, each)
	check("hold of 20,000", newHold(20_000).sim, 400_000)
	s := New(1)
	l := &line{sim: s, arrivals: s.Stream("arrivals"), service: s.Stream("service")}
	l.self = s.Register(l)
	s.After(0, l.self, arrive, 0)
	check("single server", s, each)
}
