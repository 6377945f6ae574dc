package parts

import (
	"fmt"

	"github.com/openprecedent/precedent/internal/sim/des"
)

// What could not be done for a while is mostly still wanted afterwards, on top
// of what is always wanted. How long the backlog then takes follows from the
// fluid model of a queue: it drains at the rate less the demand.
var propagatorKind = Kind{
	Name: "propagator",
	About: "Spreads changes one after the other at a rate, such as the network state of new hosts. What is turned away " +
		"while it is blocked comes back later, as far as it is still wanted, and may be let in by the length of the line.",
	New:      func() Config { return new(propagatorConfig) },
	Callable: true,
}

type propagatorConfig struct {
	Rate    Rate     `yaml:"rate" doc:"changes spread a second" required:"true"`
	Order   RowOrder `yaml:"order" doc:"which change is next: fifo, lifo (newest first) or random" default:"fifo"`
	Pent    Share    `yaml:"pent_up" doc:"share of the changes turned away that is still wanted later" default:"100%"`
	Release Rate     `yaml:"release" doc:"rate at which those come back; 0 lets all come at once" required:"true"`
	Subject Count    `yaml:"subjects" doc:"things that changes are about, each about one drawn at random; a change is superseded by the next about the same thing while it waits, and one of them is spread; 0 takes all changes for different ones"`
	Gate    Limit    `yaml:"gate" doc:"changes in line from which on further ones are turned away" default:"unlimited"`
	Late    Duration `yaml:"late" doc:"changes that take longer count as late" default:"2m"`
}

func (c *propagatorConfig) Ports() []Port { return nil }

func (c *propagatorConfig) Instant() bool { return false }

func (c *propagatorConfig) Check(r *Report) {
	if c.Rate == 0 {
		r.Add("rate", "no change is spread", "write a rate such as 100/s")
	}
	if c.Subject > maxMembers {
		r.Add("subjects", fmt.Sprintf("%d things", c.Subject), fmt.Sprintf("write at most %d", maxMembers))
	}
	if c.Gate < 1 {
		r.Add("gate", "no change is let in", "write 1 or more, or unlimited")
	}
}

// propagator spreads changes in the order of a line.
type propagator struct {
	noRequests
	net     *Net
	set     *propagatorConfig
	self    des.Target
	wanted  *des.Stream
	about   *des.Stream
	waiting []bool // of each subject: a change about it is in line
	line    rowLine
	changes []change
	free    []uint32
	rate    float64
	release float64
	gate    int
	blocked bool
	coming  bool // an event for the next of the pent-up changes is under way
	busy    bool
	doing   uint32
	end     des.Time
	left    float64 // share of the change that is left, while nothing is spread
	epoch   uint32  // of the release: events of an earlier rate are void

	arrived, refused, back, flooded, spread, late, withdrawn *des.Counter
	superseded                                               *des.Counter
	pent, backlog                                            *des.Gauge
	delay                                                    *des.Spans
}

// change is one change in line; nobody waits for one that has come back.
type change struct {
	call    CallID
	subject uint32
	since   des.Time
}

const (
	propagatorDone uint16 = iota
	propagatorBack
)

func (c *propagatorConfig) Build(b *Builder) Part {
	s := &propagator{
		net: b.Net, set: c, wanted: b.Stream("pent_up"), about: b.Stream("subject"), waiting: make([]bool, c.Subject), line: newRowLine(b, c.Order), rate: float64(c.Rate),
		release: float64(c.Release), gate: int(c.Gate), end: des.Never,
		arrived: b.Counter("arrived"), refused: b.Counter("turned_away"), back: b.Counter("came_back"),
		flooded: b.Counter("flooded"), spread: b.Counter("spread"), late: b.Counter("late"),
		withdrawn: b.Counter("withdrawn"), superseded: b.Counter("superseded"), pent: b.Gauge("pent_up", "changes"), backlog: b.Gauge("backlog", "changes"),
		delay: b.Spans("delay"),
	}
	s.self = b.Register(s)
	s.knobs(b)
	b.Law("changes are conserved", s.conserved)
	return s
}

func (s *propagator) knobs(b *Builder) {
	name := b.Name()
	b.Knob(Knob{
		Name: "blocked", Unit: "1", About: "1 turns all changes away, 0 lets them in again",
		Get: func() float64 {
			if s.blocked {
				return 1
			}
			return 0
		},
		Set:   func(x float64) { s.blocked = x > 0; s.letBack() },
		Worst: &Worst{Value: 1, About: named(name, "%s is blocked", "%s 막힘")},
	})
	b.Knob(Knob{
		Name: "rate", Unit: "1/s", About: "changes spread a second",
		Get: func() float64 { return s.rate }, Set: s.setRate,
		Remedies: []Remedy{{Value: 2, Times: true, About: named(name, "twice the rate of %s", "%s의 처리율을 두 배로"), Cost: 3}},
	})
	b.Knob(Knob{
		Name: "release", Unit: "1/s", About: "rate at which changes come back that were turned away; 0 lets all come at once",
		Get: func() float64 { return s.release },
		Set: func(x float64) { s.release = max(x, 0); s.epoch++; s.coming = false; s.letBack() },
	})
	b.Knob(Knob{
		Name: "gate", Unit: "changes", About: "changes in line from which on further ones are turned away",
		Get: func() float64 { return float64(s.gate) },
		Set: func(x float64) { s.gate = int(min(max(x, 0), float64(Unlimited))); s.letBack() },
	})
	b.Knob(Knob{
		Name: "flood", Unit: "changes", Pulse: true, About: "adds changes to the line at once",
		Get: func() float64 { return 0 },
		Set: func(x float64) {
			for range int(min(max(x, 0), maxMembers)) {
				s.flooded.Inc()
				s.enter(noCall)
			}
		},
	})
}

// open reports whether changes are let in.
func (s *propagator) open() bool { return !s.blocked && s.line.n < s.gate }

// Arrive takes a change.
func (s *propagator) Arrive(c CallID) {
	s.arrived.Inc()
	if s.open() {
		s.enter(c)
		return
	}
	s.refused.Inc()
	if s.wanted.Bool(float64(s.set.Pent)) {
		s.pent.Add(1)
	}
	s.net.Reply(c, Refused)
	s.letBack()
}

// enter puts a change in line, unless one about the same thing waits there, with
// which it will be done.
func (s *propagator) enter(c CallID) {
	subject := uint32(0)
	if n := len(s.waiting); n > 0 {
		subject = uint32(s.about.IntN(n))
		if s.waiting[subject] {
			s.superseded.Inc()
			if c != noCall {
				s.net.Reply(c, OK)
			}
			return
		}
		s.waiting[subject] = true
	}
	var j uint32
	if k := len(s.free); k > 0 {
		j = s.free[k-1]
		s.free = s.free[:k-1]
	} else {
		s.changes = append(s.changes, change{})
		j = uint32(len(s.changes) - 1)
	}
	s.changes[j] = change{call: c, subject: subject, since: s.net.Sim.Now()}
	if c != noCall {
		s.net.call(c).local = j
	}
	s.line.push(j)
	s.next()
	s.measure()
}

// measure notes how many changes are inside.
func (s *propagator) measure() { s.backlog.Set(s.inside()) }

func (s *propagator) inside() int64 {
	if s.busy {
		return int64(s.line.n) + 1
	}
	return int64(s.line.n)
}

// next begins with the next change if none is being spread.
func (s *propagator) next() {
	if s.busy || s.line.n == 0 {
		return
	}
	s.doing, s.busy = s.line.pop(), true
	if len(s.waiting) > 0 {
		s.waiting[s.changes[s.doing].subject] = false
	}
	s.begin(1)
}

// begin spreads what is left of a change.
func (s *propagator) begin(left float64) {
	s.left, s.end = left, des.Never
	if s.rate > 0 {
		s.end = s.net.Sim.Now() + des.FromSeconds(left/s.rate)
		s.net.Sim.At(s.end, s.self, propagatorDone, 0)
	}
}

func (s *propagator) setRate(x float64) {
	old := s.rate
	s.rate = max(x, 0)
	if !s.busy {
		return
	}
	left := s.left
	if old > 0 {
		left = float64((s.end - s.net.Sim.Now()).Seconds() * old)
	}
	s.begin(left)
}

// letBack lets changes come back that were turned away: all at once, or one
// after the other.
func (s *propagator) letBack() {
	if s.release == 0 {
		for s.pent.Value() > 0 && s.open() {
			s.comeBack()
		}
		return
	}
	if !s.coming && s.pent.Value() > 0 && s.open() {
		s.coming = true
		s.net.Sim.After(des.FromSeconds(1/s.release), s.self, propagatorBack, s.epoch)
	}
}

func (s *propagator) comeBack() {
	s.pent.Add(-1)
	s.back.Inc()
	s.enter(noCall)
}

// Handle receives the end of a change, unless the rate has changed meanwhile,
// and the turn of one that comes back.
func (s *propagator) Handle(kind uint16, arg uint32) {
	if kind == propagatorBack {
		if arg == s.epoch {
			s.coming = false
			if s.pent.Value() > 0 && s.open() {
				s.comeBack()
			}
			s.letBack()
		}
		return
	}
	if !s.busy || s.end != s.net.Sim.Now() {
		return
	}
	ch := s.changes[s.doing]
	s.free = append(s.free, s.doing)
	s.busy, s.end = false, des.Never
	s.spread.Inc()
	took := s.net.Sim.Now() - ch.since
	s.delay.Measure(took)
	if took > s.set.Late.Time() {
		s.late.Inc()
	}
	s.next()
	s.measure()
	s.letBack()
	if ch.call != noCall {
		s.net.Reply(ch.call, OK)
	}
}

// Withdraw lets nobody wait for a change, which is spread all the same.
func (s *propagator) Withdraw(c CallID) {
	s.withdrawn.Inc()
	s.changes[s.net.call(c).local].call = noCall
	s.net.Drop(c)
}

func (s *propagator) conserved() error {
	in := s.arrived.Total() - s.refused.Total() + s.back.Total() + s.flooded.Total()
	if in != s.spread.Total()+s.superseded.Total()+s.inside() {
		return fmt.Errorf("%d changes were let in, %d are spread, %d superseded and %d inside",
			in, s.spread.Total(), s.superseded.Total(), s.inside())
	}
	return nil
}
