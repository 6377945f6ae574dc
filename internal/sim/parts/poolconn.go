package parts

import (
	"fmt"

	"github.com/openprecedent/precedent/internal/sim/des"
)

// conn is a connection of a pool: it is being opened, lent, or unused.
type conn struct {
	opened des.Time
	used   des.Time // last
	due    des.Time // of the event of its opening; des.Never if there is none
	guest  uint32   // that has it, or has it opened
	slot   uint32   // of the request that opens it
	turn   uint32   // changes with each use of the record
	state  connState
	called bool // its request was made
}

type connState uint8

const (
	connClosed connState = iota
	connOpening
	connLent
	connIdle
)

const (
	noConn   = ^uint32(0)
	anyone   = ^uint32(0)     // the guest of a connection that has none
	departed = ^uint32(0) - 1 // the guest of a connection whose caller has gone
)

// newConn returns a record of a connection that is being opened.
func (s *pool) newConn() uint32 {
	var ci uint32
	if k := len(s.freeConns); k > 0 {
		ci = s.freeConns[k-1]
		s.freeConns = s.freeConns[:k-1]
	} else {
		s.conns = append(s.conns, conn{})
		ci = uint32(len(s.conns) - 1)
	}
	now := s.net.Sim.Now()
	s.conns[ci] = conn{opened: now, used: now, due: des.Never, guest: anyone, turn: s.conns[ci].turn + 1}
	s.opened.Add(1)
	return ci
}

// setState keeps the gauges in step with the state of a connection.
func (s *pool) setState(ci uint32, state connState, guest uint32) {
	c := &s.conns[ci]
	if c.state != state {
		s.count(c.state, -1)
		s.count(state, 1)
	}
	c.state, c.guest = state, guest
}

func (s *pool) count(state connState, n int64) {
	switch state {
	case connOpening:
		s.opening.Add(n)
	case connLent:
		s.lent.Add(n)
	case connIdle:
		s.unused.Add(n)
	}
}

// may returns how many more connections may be opened.
func (s *pool) may() int { return max(s.max-int(s.opened.Value()), 0) }

// connect opens a connection for a guest, or for anyone.
func (s *pool) connect(g uint32) {
	ci := s.newConn()
	s.connects.Inc()
	s.setState(ci, connOpening, g)
	if g == anyone {
		s.dialling++
	} else {
		gu := &s.guests[g]
		gu.state, gu.conn = guestDialling, ci
	}
	if s.set.Dial.Mean() > 0 {
		d := s.set.Dial.Span(s.dial)
		s.conns[ci].due = s.net.Sim.Now() + d
		s.net.Sim.After(d, s.self, poolDialled, ci)
		return
	}
	s.call(ci)
}

// dialMore opens connections for those who wait for any.
func (s *pool) dialMore() {
	if s.set.Opens != "anyone" {
		return
	}
	for s.dialling < s.line.len() && s.may() > 0 {
		s.connect(anyone)
	}
}

// call makes the call that opens a connection.
func (s *pool) call(ci uint32) {
	if s.open == nil {
		s.connected(ci, OK)
		return
	}
	w := want{token: ci, size: 1, deadline: des.Never}
	if g := s.conns[ci].guest; g < departed {
		call := s.net.call(s.guests[g].call)
		w.kind, w.key, w.size, w.deadline = call.kind, call.key, call.size, call.deadline
	}
	s.conns[ci].called = true
	turn := s.conns[ci].turn
	slot := s.open.ask(w)
	if c := &s.conns[ci]; c.turn == turn && c.state == connOpening {
		c.slot = slot
	}
}

// connected takes the end of opening a connection.
func (s *pool) connected(ci uint32, o Outcome) {
	c := &s.conns[ci]
	g := c.guest
	if g == anyone {
		s.dialling--
	}
	if o != OK {
		s.connectFailed.Inc()
		s.drop(ci)
		if g == anyone { // one of those who wait gets the error
			if waits, ok := s.next(); ok {
				g = waits
			}
		}
		if g < departed {
			s.guests[g].conn = noConn
			s.leave(g, true, false)
		}
		s.serve()
		return
	}
	now := s.net.Sim.Now()
	c.opened, c.used = now, now
	if g < departed && s.inVain(g) {
		s.expired.Inc()
		s.guests[g].conn = noConn
		s.net.Drop(s.forget(g))
		g = departed
	}
	if g < departed {
		s.lend(g, ci)
		return
	}
	if g == departed {
		s.aborted.Inc()
	}
	s.giveBack(ci)
}

// abandon leaves a connection, which is being opened for a guest who has gone,
// to itself, or aborts it. An abort frees its place, but what the other end does
// for it goes on unless the policy of the call withdraws it.
func (s *pool) abandon(ci uint32) {
	c := &s.conns[ci]
	c.guest = departed
	if s.set.Leaves != "abort" {
		return
	}
	if c.called {
		s.open.withdraw(c.slot, ci)
	}
	s.aborted.Inc()
	s.shut(ci)
}

// giveBack takes a connection that nobody uses any more: it is closed, lent to
// who is next, or kept.
func (s *pool) giveBack(ci uint32) {
	c := &s.conns[ci]
	now := s.net.Sim.Now()
	old := s.set.Age > 0 && now-c.opened > s.set.Age.Time()
	once := !s.set.Reuse && (c.state == connLent || c.guest == departed)
	if old || once || int(s.opened.Value()) > s.max {
		s.shut(ci)
		return
	}
	if g, ok := s.next(); ok {
		s.lend(g, ci)
		return
	}
	if s.idle.len() >= s.keep {
		s.shut(ci)
		return
	}
	c.used = now
	s.setState(ci, connIdle, anyone)
	s.idle.push(ci)
	s.armIdle()
}

// shut closes a connection and lets others be opened in its place.
func (s *pool) shut(ci uint32) {
	s.closed.Inc()
	s.drop(ci)
	s.serve()
}

// drop frees the record of a connection.
func (s *pool) drop(ci uint32) {
	s.setState(ci, connClosed, anyone)
	s.conns[ci].due = des.Never
	s.freeConns = append(s.freeConns, ci)
	s.opened.Add(-1)
}

// serve gives those who wait what has become free.
func (s *pool) serve() {
	for s.line.len() > 0 && (s.idle.len() > 0 || s.set.Opens == "caller" && s.may() > 0) {
		g, ok := s.next()
		switch {
		case !ok:
		case s.idle.len() > 0:
			s.lendIdle(g)
		default:
			s.connect(g)
		}
	}
	s.dialMore()
}

// isDead reports whether the other end has closed a connection.
func (s *pool) isDead(ci uint32) bool {
	return s.set.Dead > 0 && s.net.Sim.Now()-s.conns[ci].used >= s.set.Dead.Time()
}

// lendIdle gives the connection that was unused for the shortest time to a
// guest. Where that one is dead, so are the others.
func (s *pool) lendIdle(g uint32) {
	for s.idle.len() > 0 {
		ci := s.idle.pop()
		if !s.isDead(ci) {
			s.lend(g, ci)
			return
		}
		s.dead.Inc()
		s.closed.Inc()
		s.drop(ci)
		if !s.set.Test {
			s.leave(g, true, false)
			return
		}
	}
	s.connect(g) // in place of one that was dead
}

// armIdle schedules the end of the connection that was unused for the longest.
func (s *pool) armIdle() {
	if s.set.IdleFor == 0 || s.idleDue != des.Never || s.idle.len() == 0 {
		return
	}
	s.idleDue = s.conns[s.idle.bottom()].used + s.set.IdleFor.Time()
	s.net.Sim.At(s.idleDue, s.self, poolIdle, 0)
}

// expireIdle closes what was unused for long enough.
func (s *pool) expireIdle() {
	if s.idleDue != s.net.Sim.Now() {
		return
	}
	s.idleDue = des.Never
	for s.idle.len() > 0 {
		ci := s.idle.bottom()
		if s.conns[ci].used+s.set.IdleFor.Time() > s.net.Sim.Now() {
			break
		}
		s.idle.shift()
		s.closed.Inc()
		s.drop(ci)
	}
	s.armIdle()
}

// trim closes unused connections that are too many.
func (s *pool) trim() {
	for s.idle.len() > 0 && (int(s.opened.Value()) > s.max || s.idle.len() > s.keep) {
		ci := s.idle.shift()
		s.closed.Inc()
		s.drop(ci)
	}
}

// lose breaks a share of the open connections: calls that use one fail.
func (s *pool) lose(share float64) {
	if share <= 0 {
		return
	}
	var lost []uint32
	for n := s.idle.len(); n > 0; n-- {
		ci := s.idle.shift()
		if s.lots.Bool(share) {
			s.closed.Inc()
			s.drop(ci)
			continue
		}
		s.idle.push(ci)
	}
	for ci := range s.conns {
		if s.conns[ci].state == connLent && s.lots.Bool(share) {
			lost = append(lost, uint32(ci))
		}
	}
	// Those who fail may come back at once: not to the connections that break.
	for _, ci := range lost {
		if s.conns[ci].state != connLent {
			continue
		}
		g := s.conns[ci].guest
		gu := &s.guests[g]
		if gu.state == guestCalling {
			s.out.withdraw(gu.slot, g)
		}
		s.leave(g, false, false)
	}
	s.serve()
}

func (s *pool) connsConserved() error {
	began := s.connects.Total() + int64(s.set.Warm)
	ended := s.connectFailed.Total() + s.closed.Total()
	inside := s.lent.Value() + s.unused.Value() + s.opening.Value()
	if began != ended+inside || inside != s.opened.Value() {
		return fmt.Errorf("%d connections were opened, %d have ended, %d are there and %d are counted open",
			began, ended, inside, s.opened.Value())
	}
	return nil
}

// deque holds the unused connections: the last one that came back is lent
// first, and the one that was unused for the longest is closed first.
type deque struct {
	ids        []uint32 // a ring buffer whose length is a power of two
	head, tail uint64
}

func (d *deque) len() int { return int(d.tail - d.head) }

func (d *deque) at(i uint64) *uint32 { return &d.ids[i&uint64(len(d.ids)-1)] }

func (d *deque) push(ci uint32) {
	if d.len() == len(d.ids) {
		larger := deque{ids: make([]uint32, max(2*len(d.ids), 16))}
		for i := d.head; i < d.tail; i++ {
			*larger.at(larger.tail) = *d.at(i)
			larger.tail++
		}
		*d = larger
	}
	*d.at(d.tail) = ci
	d.tail++
}

func (d *deque) pop() uint32 {
	d.tail--
	return *d.at(d.tail)
}

func (d *deque) bottom() uint32 { return *d.at(d.head) }

func (d *deque) shift() uint32 {
	d.head++
	return *d.at(d.head - 1)
}
