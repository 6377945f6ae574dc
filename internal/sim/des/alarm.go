package des

// Alarms are timers of any span that can be cancelled. A [Ring] is cheaper
// where all run for the same span.
type Alarms struct {
	sim   *Sim
	self  Target
	to    Target
	kind  uint16
	slots []alarm
	free  []uint32
}

// Alarm names a timer; the zero Alarm names none. A name must not be used after
// its timer has ended.
type Alarm uint32

type alarm struct {
	arg  uint32
	live bool
}

// Alarms returns timers that send kind to a target, with the argument of each.
func (s *Sim) Alarms(to Target, kind uint16) *Alarms {
	a := &Alarms{sim: s, to: to, kind: kind}
	a.self = s.Register(a)
	return a
}

// Start begins a timer that ends after d.
func (a *Alarms) Start(d Time, arg uint32) Alarm {
	var slot uint32
	if k := len(a.free); k > 0 {
		slot = a.free[k-1]
		a.free = a.free[:k-1]
	} else {
		a.slots = append(a.slots, alarm{})
		slot = uint32(len(a.slots) - 1)
	}
	a.slots[slot] = alarm{arg: arg, live: true}
	a.sim.After(d, a.self, 0, slot)
	return Alarm(slot + 1)
}

// Cancel ends a timer before its time; its slot is used again once that time
// has come.
func (a *Alarms) Cancel(t Alarm) {
	if t != 0 {
		a.slots[t-1].live = false
	}
}

// Handle ends a timer.
func (a *Alarms) Handle(_ uint16, slot uint32) {
	t := a.slots[slot]
	a.free = append(a.free, slot)
	if t.live {
		a.sim.handlers[a.to].Handle(a.kind, t.arg)
	}
}
