package des

// Ring holds timers that all run for the same span, such as the timeouts of
// one client. They end in the order in which they began, so a ring needs one
// pending event for all of them, and a timer that is cancelled costs no work in
// the queue: it is passed over when its turn comes. What a ring sends comes
// exactly when events scheduled at the same moments would.
type Ring struct {
	sim    *Sim
	self   Target
	span   Time
	to     Target
	kind   uint16
	timers []timer // a ring buffer whose length is a power of two
	head   uint64  // number of the first timer that is still kept
	tail   uint64  // number of the next timer
	live   int
	armed  bool // an event is pending for the first timer
}

// Timer names a timer of one ring. The zero Timer names none.
type Timer uint64

type timer struct {
	at   Time
	seq  uint64 // its place among the events of the same instant
	arg  uint32
	live bool
}

// Ring returns a ring of timers that run for span and then send kind to a
// target, with the argument of each timer.
func (s *Sim) Ring(span Time, to Target, kind uint16) *Ring {
	r := &Ring{sim: s, span: max(span, 0), kind: kind, to: to, timers: make([]timer, 16)}
	r.self = s.Register(r)
	s.rings = append(s.rings, r)
	return r
}

// Start begins a timer.
func (r *Ring) Start(arg uint32) Timer {
	if r.tail-r.head == uint64(len(r.timers)) {
		r.grow()
	}
	t := r.at(r.tail)
	r.sim.seq++
	*t = timer{at: r.sim.in(r.span), seq: r.sim.seq, arg: arg, live: true}
	r.tail++
	r.live++
	if !r.armed {
		r.arm()
	}
	return Timer(r.tail) // numbers from 1
}

// Cancel ends a timer before its time. One that has ended already, and the
// zero Timer, are left alone.
func (r *Ring) Cancel(t Timer) {
	number := uint64(t) - 1
	if t == 0 || number < r.head || number >= r.tail {
		return
	}
	if e := r.at(number); e.live {
		e.live = false
		r.live--
	}
}

// Len returns how many timers run.
func (r *Ring) Len() int { return r.live }

// kept returns how many timers take memory and have no event of their own, those
// that were cancelled and whose turn has not come included.
func (r *Ring) kept() int {
	n := int(r.tail - r.head)
	if r.armed {
		n--
	}
	return n
}

func (r *Ring) at(number uint64) *timer { return &r.timers[number&uint64(len(r.timers)-1)] }

func (r *Ring) grow() {
	larger := make([]timer, 2*len(r.timers))
	for n := r.head; n < r.tail; n++ {
		larger[n&uint64(len(larger)-1)] = *r.at(n)
	}
	r.timers = larger
}

// arm schedules the event of the first timer that runs.
func (r *Ring) arm() {
	for ; r.head < r.tail; r.head++ {
		if t := r.at(r.head); t.live {
			if r.armed = true; t.at < Never {
				r.sim.queue.push(event{at: t.at, seq: t.seq, what: whatOf(r.self, 0, 0)})
			}
			return
		}
	}
}

// Handle ends the first timer, unless it was cancelled after its event was
// scheduled.
func (r *Ring) Handle(uint16, uint32) {
	t := *r.at(r.head)
	r.head++
	r.armed = false
	r.arm()
	if t.live {
		r.live--
		r.sim.handlers[r.to].Handle(r.kind, t.arg)
	}
}
