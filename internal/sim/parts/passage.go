package parts

import (
	"fmt"

	"github.com/openprecedent/precedent/internal/sim/des"
)

// passage is what parts have in common that let calls pass to another part, or
// not: records of the calls inside, and their counts.
type passage struct {
	net  *Net
	out  *edge
	rows []passenger
	free []uint32

	arrived, done, failed, refused, expired, withdrawn *des.Counter
	inside, queue                                      *des.Gauge
	wait                                               *des.Spans
}

// passenger is a call inside.
type passenger struct {
	call  CallID
	slot  uint32   // of the request it was passed on with
	turn  uint32   // changes with each use of the record
	since des.Time // it arrived, or was passed on
	box   uint32   // for the part
	state passState
}

type passState uint8

const (
	passGone passState = iota
	passWaiting
	passPassed
)

func newPassage(b *Builder) passage {
	return passage{
		net:     b.Net,
		arrived: b.Counter("arrived"), done: b.Counter("done"), failed: b.Counter("failed"),
		refused: b.Counter("refused"), expired: b.Counter("expired"), withdrawn: b.Counter("withdrawn"),
		inside: b.Gauge("calls", "calls"), queue: b.Gauge("queue", "calls"), wait: b.Spans("wait"),
	}
}

// join makes the port of the passage, owned by the part around it.
func (s *passage) join(b *Builder, owner Part, c *Call) {
	s.out = b.Edge(owner, 0, "call", c)
	b.Law("calls are conserved", s.conserved)
}

// take makes a record of a call that has arrived.
func (s *passage) take(c CallID) uint32 {
	s.arrived.Inc()
	s.inside.Add(1)
	var v uint32
	if k := len(s.free); k > 0 {
		v = s.free[k-1]
		s.free = s.free[:k-1]
	} else {
		s.rows = append(s.rows, passenger{})
		v = uint32(len(s.rows) - 1)
	}
	s.rows[v] = passenger{call: c, turn: s.rows[v].turn + 1, since: s.net.Sim.Now(), state: passWaiting}
	s.net.call(c).local = v
	return v
}

// pass passes a call on.
func (s *passage) pass(v uint32) {
	r := &s.rows[v]
	now := s.net.Sim.Now()
	s.wait.Measure(now - r.since)
	r.state, r.since = passPassed, now
	s.net.Begin(r.call)
	call := s.net.call(r.call)
	turn := r.turn
	slot := s.out.ask(want{token: v, kind: call.kind, key: call.key, size: call.size, deadline: call.deadline})
	if r = &s.rows[v]; r.turn == turn && r.state == passPassed {
		r.slot = slot
	}
}

// leave frees the record of a call and returns the call.
func (s *passage) leave(v uint32) CallID {
	s.inside.Add(-1)
	s.rows[v].state = passGone
	s.free = append(s.free, v)
	return s.rows[v].call
}

// answer gives back the answer to a call that was passed on.
func (s *passage) answer(v uint32, o Outcome) {
	switch o {
	case OK:
		s.done.Inc()
	case Refused:
		s.refused.Inc()
	default:
		o = Failed
		s.failed.Inc()
	}
	s.net.Reply(s.leave(v), o)
}

// refuse turns a call away.
func (s *passage) refuse(v uint32) {
	s.refused.Inc()
	s.net.Reply(s.leave(v), Refused)
}

// inVain ends a call that nobody waits for any more, where the part is told not
// to pass such calls on, and reports whether it did.
func (s *passage) inVain(v uint32, e Expired) bool {
	call := s.net.call(s.rows[v].call)
	if e != "drop" || !call.abandon && call.deadline >= s.net.Sim.Now() {
		return false
	}
	s.expired.Inc()
	s.net.Drop(s.leave(v))
	return true
}

// withdraw ends a call that its caller has no more use for.
func (s *passage) withdraw(v uint32) {
	s.withdrawn.Inc()
	r := &s.rows[v]
	if r.state == passPassed {
		s.out.withdraw(r.slot, v)
	}
	s.net.Drop(s.leave(v))
}

func (s *passage) conserved() error {
	out := s.done.Total() + s.failed.Total() + s.refused.Total() + s.expired.Total() + s.withdrawn.Total()
	if s.arrived.Total() != out+s.inside.Value() {
		return fmt.Errorf("%d arrived, %d have left and %d are inside", s.arrived.Total(), out, s.inside.Value())
	}
	return nil
}
