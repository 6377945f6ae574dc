package parts

import (
	"fmt"

	"github.com/openprecedent/precedent/internal/sim/des"
)

// pool lends connections. Its guests are the calls inside.
type pool struct {
	net  *Net
	set  *poolConfig
	self des.Target
	out  *edge
	open *edge // calls to open connections, nil if there are none
	line line

	borrows                 *des.Ring // nil without a borrow timeout
	dial, life, pause, lots *des.Stream

	max, keep int
	pauses    float64 // by which those of sessions are longer than described
	guests    []guest
	free      []uint32
	conns     []conn
	freeConns []uint32
	idle      deque
	idleDue   des.Time
	dialling  int // connections that are being opened for anyone

	arrived, done, failed, refused, timedOut, dropped, expired, withdrawn *des.Counter
	connects, connectFailed, aborted, closed, dead                        *des.Counter
	inside, queue, opened, opening, lent, unused                          *des.Gauge
	wait                                                                  *des.Spans
}

// guest is a call inside.
type guest struct {
	call  CallID
	conn  uint32   // it has, or has opened for it
	slot  uint32   // of its request
	since des.Time // it waits for a connection
	ends  des.Time // of its session
	due   des.Time // of the end of its pause
	timer des.Timer
	turn  uint32 // changes with each use of the record
	state guestState
	begun bool
}

type guestState uint8

const (
	guestGone guestState = iota
	guestInLine
	guestDialling
	guestCalling
	guestPausing
)

func (c *poolConfig) Build(b *Builder) Part {
	s := &pool{
		net: b.Net, set: c, max: int(c.Max), keep: int(c.Idle), idleDue: des.Never, pauses: 1,
		dial: b.Stream("connect_time"), life: b.Stream("life"), pause: b.Stream("pause"), lots: b.Stream("lose"),
		arrived: b.Counter("arrived"), done: b.Counter("done"), failed: b.Counter("failed"),
		refused: b.Counter("refused"), timedOut: b.Counter("borrow_timed_out"), dropped: b.Counter("dropped"),
		expired: b.Counter("expired"), withdrawn: b.Counter("withdrawn"),
		connects: b.Counter("connects"), connectFailed: b.Counter("connects_failed"),
		aborted: b.Counter("aborted"), closed: b.Counter("closed"), dead: b.Counter("dead"),
		inside: b.Gauge("calls", "calls"), queue: b.Gauge("queue", "calls"), opened: b.Gauge("open", "connections"),
		opening: b.Gauge("opening", "connections"), lent: b.Gauge("lent", "connections"),
		unused: b.Gauge("idle", "connections"), wait: b.Spans("wait"),
	}
	s.line = newLine(b, c.Order)
	s.line.many = int(c.Max)
	s.self = b.Register(s)
	s.out = b.Edge(s, poolCall, "call", &c.Call)
	if c.Connect != nil {
		s.open = b.Edge(s, poolConnect, "connect", c.Connect)
	}
	if c.Borrow > 0 {
		s.borrows = b.Net.Sim.Ring(c.Borrow.Time(), s.self, poolBorrowed)
	}
	s.addKnobs(b)
	b.Law("calls are conserved", s.conserved)
	b.Law("connections are conserved", s.connsConserved)
	b.Slow(max(c.Borrow.Time(), c.IdleFor.Time()))
	if c.Session != nil {
		b.Slow(des.FromNanoseconds(c.Session.Life.Mean()))
	}
	b.Start(func() {
		for range c.Warm {
			s.giveBack(s.newConn())
		}
	})
	return s
}

// Arrive takes a call in.
func (s *pool) Arrive(c CallID) {
	s.arrived.Inc()
	s.inside.Add(1)
	var g uint32
	if k := len(s.free); k > 0 {
		g = s.free[k-1]
		s.free = s.free[:k-1]
	} else {
		s.guests = append(s.guests, guest{})
		g = uint32(len(s.guests) - 1)
	}
	s.guests[g] = guest{call: c, conn: noConn, turn: s.guests[g].turn + 1}
	s.net.call(c).local = g
	s.acquire(g)
}

// acquire gets a guest a connection: an unused one, a new one, or one to wait
// for.
func (s *pool) acquire(g uint32) {
	s.guests[g].since = s.net.Sim.Now()
	if s.line.len() == 0 {
		if s.idle.len() > 0 {
			s.lendIdle(g)
			return
		}
		if s.set.Opens == "caller" && int(s.opened.Value()) < s.max {
			s.connect(g)
			return
		}
	}
	// With connections that are opened for anyone, who waits for one of them
	// needs no room.
	coming := 0
	if s.set.Opens == "anyone" {
		coming = s.dialling + s.may()
	}
	if s.line.len()-coming >= int(s.set.Room) {
		s.turnAway(g)
		return
	}
	gu := &s.guests[g]
	gu.state = guestInLine
	s.line.push(s.net, gu.call)
	s.queue.Set(int64(s.line.len()))
	if s.borrows != nil {
		gu.timer = s.borrows.Start(g)
	}
	s.dialMore()
}

// turnAway ends a guest that finds no room.
func (s *pool) turnAway(g uint32) {
	if s.set.Full == "drop" {
		s.dropped.Inc()
		s.net.Drop(s.forget(g))
		return
	}
	s.refused.Inc()
	s.net.Reply(s.forget(g), Refused)
}

// forget frees the record of a guest and returns its call.
func (s *pool) forget(g uint32) CallID {
	s.inside.Add(-1)
	s.guests[g].state = guestGone
	s.free = append(s.free, g)
	return s.guests[g].call
}

// leaveLine takes a guest out of the line.
func (s *pool) leaveLine(g uint32) {
	gu := &s.guests[g]
	s.line.remove(s.net, gu.call)
	s.leftLine(gu)
}

func (s *pool) leftLine(gu *guest) {
	s.queue.Set(int64(s.line.len()))
	if s.borrows != nil {
		s.borrows.Cancel(gu.timer)
		gu.timer = 0
	}
}

// next takes the next guest out of the line whose turn is not in vain, and
// reports whether there was one.
func (s *pool) next() (uint32, bool) {
	for s.line.len() > 0 {
		g := s.net.call(s.line.pop(s.net)).local
		s.leftLine(&s.guests[g])
		if !s.inVain(g) {
			return g, true
		}
		s.expired.Inc()
		s.net.Drop(s.forget(g))
	}
	return 0, false
}

// inVain reports whether nobody waits for a guest and the pool cares.
func (s *pool) inVain(g uint32) bool {
	call := s.net.call(s.guests[g].call)
	return s.set.Expired == "drop" && (call.abandon || call.deadline < s.net.Sim.Now())
}

// lend gives a connection to a guest, who uses it.
func (s *pool) lend(g, ci uint32) {
	gu := &s.guests[g]
	now := s.net.Sim.Now()
	gu.conn = ci
	s.wait.Measure(now - gu.since)
	if !gu.begun {
		gu.begun = true
		s.net.Begin(gu.call)
		if s.set.Session != nil {
			gu.ends = now + s.set.Session.Life.Span(s.life)
		}
	}
	s.setState(ci, connLent, g)
	s.use(g)
}

// use makes a call with the connection of a guest.
func (s *pool) use(g uint32) {
	gu := &s.guests[g]
	gu.state = guestCalling
	call := s.net.call(gu.call)
	turn := gu.turn
	slot := s.out.ask(want{token: g, kind: call.kind, key: call.key, size: call.size, deadline: call.deadline})
	if gu = &s.guests[g]; gu.turn == turn && gu.state == guestCalling {
		gu.slot = slot
	}
}

// Ended takes the end of a call that a guest made, or that opens a connection.
func (s *pool) Ended(port int, token uint32, o Outcome) {
	if port == poolConnect {
		s.connected(token, o)
		return
	}
	g := token
	gu := &s.guests[g]
	now := s.net.Sim.Now()
	ci := gu.conn
	s.conns[ci].used = now
	switch {
	case o == TimedOut: // nobody knows what still comes over this connection
		s.leave(g, false, s.set.Call.Optional)
	case o != OK && !s.set.Call.Optional:
		s.leave(g, true, false)
	case s.set.Session == nil || now >= gu.ends:
		s.leave(g, true, true)
	default:
		gu.state = guestPausing
		pause := des.FromNanoseconds(float64(s.set.Session.Pause.Draw(s.pause) * s.pauses))
		gu.due = min(now+max(pause, 1), gu.ends)
		s.net.Sim.At(gu.due, s.self, poolPaused, g)
		if s.set.Session.Multiplex {
			gu.conn = noConn
			s.giveBack(ci)
		}
	}
}

// leave ends a guest and gives its connection back or closes it.
func (s *pool) leave(g uint32, whole, ok bool) {
	ci := s.guests[g].conn
	c := s.forget(g)
	switch {
	case ci == noConn:
	case whole:
		s.giveBack(ci)
	default:
		s.shut(ci)
	}
	if ok {
		s.done.Inc()
		s.net.Reply(c, OK)
	} else {
		s.failed.Inc()
		s.net.Reply(c, Failed)
	}
}

// Handle receives the events of the pool.
func (s *pool) Handle(kind uint16, arg uint32) {
	switch kind {
	case poolBorrowed:
		s.guests[arg].timer = 0
		s.leaveLine(arg)
		s.timedOut.Inc()
		s.net.Reply(s.forget(arg), Refused)
	case poolPaused:
		s.goOn(arg)
	case poolDialled:
		if c := &s.conns[arg]; c.state == connOpening && c.due == s.net.Sim.Now() {
			c.due = des.Never
			s.call(arg)
		}
	case poolIdle:
		s.expireIdle()
	}
}

// goOn makes the next call of a session, or ends it. An event whose time is not
// that of the guest is of a session that has ended.
func (s *pool) goOn(g uint32) {
	gu := &s.guests[g]
	now := s.net.Sim.Now()
	if gu.state != guestPausing || gu.due != now {
		return
	}
	switch {
	case now >= gu.ends:
		s.leave(g, true, true)
	case gu.conn == noConn:
		s.acquire(g)
	case s.isDead(gu.conn):
		s.dead.Inc()
		s.leave(g, false, false)
	default:
		s.use(g)
	}
}

// Withdraw ends what is done for a call.
func (s *pool) Withdraw(c CallID) {
	s.withdrawn.Inc()
	g := s.net.call(c).local
	gu := &s.guests[g]
	state, ci := gu.state, gu.conn
	switch state {
	case guestInLine:
		s.leaveLine(g)
	case guestCalling:
		s.out.withdraw(gu.slot, g)
	}
	s.forget(g)
	s.net.Drop(c)
	switch {
	case ci == noConn:
	case state == guestDialling:
		s.abandon(ci)
	case state == guestCalling: // an answer may still come over it
		s.shut(ci)
	default:
		s.giveBack(ci)
	}
}

func (s *pool) conserved() error {
	out := s.done.Total() + s.failed.Total() + s.refused.Total() + s.timedOut.Total() +
		s.dropped.Total() + s.expired.Total() + s.withdrawn.Total()
	if s.arrived.Total() != out+s.inside.Value() {
		return fmt.Errorf("%d arrived, %d have left and %d are inside", s.arrived.Total(), out, s.inside.Value())
	}
	return nil
}
