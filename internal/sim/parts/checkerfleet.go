package parts

import (
	"fmt"

	"github.com/openprecedent/precedent/internal/sim/des"
)

// checkerFleet lets the checkers be machines that others make: each is replaced
// when it is old, and the new one may be in service before it can reach anybody.
type checkerFleet struct {
	Life   Duration `yaml:"life" doc:"how long a checker is in service before a new one is to take its place" required:"true"`
	Jitter Share    `yaml:"jitter" doc:"each life is longer or shorter by up to this share, drawn at random" default:"10%"`
	Launch *Call    `yaml:"launch" doc:"what makes the new one; until this has succeeded the old one stays"`
	Ready  Call     `yaml:"ready" doc:"what a new one needs, such as its network; until this has succeeded all of its checks fail" required:"true"`
	Wait   bool     `yaml:"wait" doc:"a new one takes the place of the old one only when it has what it needs"`
}

func (c *checkerFleet) ports() []Port {
	ports := []Port{{Name: "fleet.ready", Call: &c.Ready}}
	if c.Launch != nil {
		ports = append(ports, Port{Name: "fleet.launch", Call: c.Launch})
	}
	return ports
}

func (c *checkerFleet) check(r *Report) {
	if c.Life == 0 {
		r.Add("fleet.life", "checkers are replaced without end", "write how long one lives, such as 4h")
	}
	c.Ready.check("fleet.ready", r)
	if c.Launch != nil {
		c.Launch.check("fleet.launch", r)
	}
}

// crew is the checkers of all zones as rows, those of a zone together.
type crew struct {
	s      *healthcheck
	set    *checkerFleet
	self   des.Target
	rows   []checker
	idle   [][]uint32 // of each zone
	picks  *des.Stream
	lives  *des.Stream
	ready  *edge
	launch *edge // nil where new ones come at once
	wait   bool

	replaced, notReplaced *des.Counter
	unready, overdue      *des.Gauge
}

// checker is one machine of a fleet.
type checker struct {
	zone    uint16
	blind   bool // it is in service without what it needs
	overdue bool // it is to be replaced
}

// Ports of a fleet.
const (
	fleetReady = iota
	fleetLaunch
)

// Events of a fleet.
const (
	fleetTurn   uint16 = iota // a checker is old, or its replacement is tried again
	fleetSettle               // what a new one needs is asked for again
)

func newCrew(b *Builder, s *healthcheck) *crew {
	c := s.set.Fleet
	f := &crew{
		s: s, set: c, wait: c.Wait, picks: b.Stream("checker"), lives: b.Stream("life"),
		idle: make([][]uint32, s.zones), ready: b.Edge(s, fleetReady, "fleet.ready", &c.Ready),
		replaced: b.Counter("replaced"), notReplaced: b.Counter("not_replaced"),
		unready: b.Gauge("blind", "checkers"), overdue: b.Gauge("overdue", "checkers"),
	}
	if c.Launch != nil {
		f.launch = b.Edge(s, fleetLaunch, "fleet.launch", c.Launch)
	}
	f.self = b.Register(f)
	b.Slow(c.Life.Time())
	b.Knob(Knob{
		Name: "wait", Unit: "1", About: "1 puts new checkers into service when they have what they need, 0 at once",
		Get: func() float64 { return number(f.wait) }, Set: func(x float64) { f.wait = x > 0 },
		Remedies: []Remedy{{Value: 1, About: named(b.Name(), "checkers of %s go into service when they are ready", "%s의 체커를 준비된 뒤에만 투입한다"), Cost: 1}},
	})
	b.Law("checkers are conserved", f.conserved)
	b.Start(func() {
		for z := range f.idle {
			f.grow(z, int(s.set.Checkers))
		}
	})
	return f
}

// grow adds checkers to a zone until it has as many as are wanted; they are in
// service and have what they need.
func (f *crew) grow(z, wanted int) {
	have := 0
	for i := range f.rows {
		if int(f.rows[i].zone) == z {
			have++
		}
	}
	for ; have < wanted; have++ {
		f.rows = append(f.rows, checker{zone: uint16(z)})
		f.idle[z] = append(f.idle[z], uint32(len(f.rows)-1))
		f.s.net.Sim.After(firstTurn(f.set.Life.Time(), f.set.Jitter, f.lives), f.self, fleetTurn, uint32(len(f.rows)-1))
	}
}

// take gives a check to one of the checkers of a zone that have nothing to do.
func (f *crew) take(z int) uint32 {
	idle := f.idle[z]
	k := f.picks.IntN(len(idle))
	by := idle[k]
	idle[k] = idle[len(idle)-1]
	f.idle[z] = idle[:len(idle)-1]
	return by
}

// give takes a checker back.
func (f *crew) give(by uint32) {
	z := f.rows[by].zone
	f.idle[z] = append(f.idle[z], by)
}

// Handle receives that a checker is old, and the time to ask again.
func (f *crew) Handle(kind uint16, i uint32) {
	if kind == fleetSettle {
		f.ask(f.ready, i)
		return
	}
	if !f.rows[i].overdue {
		f.rows[i].overdue = true
		f.overdue.Add(1)
	}
	if f.launch != nil {
		f.ask(f.launch, i)
		return
	}
	f.made(i)
}

func (f *crew) ask(e *edge, i uint32) { e.ask(want{token: i, key: i, size: 1, deadline: des.Never}) }

// made goes on with a new machine.
func (f *crew) made(i uint32) {
	if !f.wait {
		f.replace(i)
		f.rows[i].blind = true
		f.unready.Add(1)
	}
	f.ask(f.ready, i)
}

// replace puts the new machine into the place of the old one.
func (f *crew) replace(i uint32) {
	f.rows[i].overdue = false
	f.overdue.Add(-1)
	f.replaced.Inc()
}

// ended takes the end of what was asked for a checker. What has failed is asked
// for again when it would have made its next check.
func (f *crew) ended(port int, i uint32, o Outcome) {
	row := &f.rows[i]
	again := fleetTurn
	if port == fleetReady {
		again = fleetSettle
	}
	switch {
	case o != OK:
		f.notReplaced.Inc()
		f.s.net.Sim.After(f.s.set.Interval.Time(), f.self, again, i)
		return
	case port == fleetLaunch:
		f.made(i)
		return
	case row.blind:
		row.blind = false
		f.unready.Add(-1)
	default:
		f.replace(i)
	}
	f.s.net.Sim.After(nextTurn(f.set.Life.Time(), f.set.Jitter, f.lives), f.self, fleetTurn, i)
}

func (f *crew) conserved() error {
	blind, overdue, idle := int64(0), int64(0), int64(0)
	for i := range f.rows {
		if f.rows[i].blind {
			blind++
		}
		if f.rows[i].overdue {
			overdue++
		}
	}
	for z := range f.idle {
		idle += int64(len(f.idle[z]))
	}
	if blind != f.unready.Value() || overdue != f.overdue.Value() {
		return fmt.Errorf("%d checkers blind and %d overdue; the gauges show %d and %d",
			blind, overdue, f.unready.Value(), f.overdue.Value())
	}
	if n := int64(len(f.rows)); idle+f.s.busy.Value() != n {
		return fmt.Errorf("%d checkers, %d idle and %d busy", n, idle, f.s.busy.Value())
	}
	return nil
}
