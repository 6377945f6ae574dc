package parts

import (
	"fmt"

	"github.com/openprecedent/precedent/internal/sim/des"
)

// Health checks with thresholds for both directions (rise and fall, as load
// balancers name them) decide who is in DNS, and a zone whose checks come late is
// taken out as a whole (DNS failover). Both act on what the checkers see, which
// is not always what is.
var healthcheckKind = Kind{
	Name: "healthcheck",
	About: "Load balancers whose targets in several zones are checked from time to time by a few checkers in each zone. A " +
		"target that fails leaves DNS, as does a zone whose checks come late; what is left carries the load.",
	New:      func() Config { return new(healthcheckConfig) },
	Source:   true,
	Callable: true,
}

type healthcheckConfig struct {
	Balancers Count    `yaml:"balancers" doc:"how many there are" required:"true"`
	Zones     Count    `yaml:"zones" doc:"that each balancer has targets in" default:"3"`
	Targets   Count    `yaml:"targets" doc:"of a balancer in each zone" required:"true"`
	Load      Amount   `yaml:"load" doc:"load of a balancer against what all of its targets carry, drawn once for each" default:"uniform 0.2 0.8"`
	Interval  Duration `yaml:"interval" doc:"time between two checks of a target" default:"10s"`
	Fail      Count    `yaml:"fall" doc:"failed checks in a row after which a target is out" default:"1"`
	OK        Count    `yaml:"rise" doc:"passed checks in a row after which it is in again" default:"1"`
	Checkers  Count    `yaml:"checkers" doc:"in each zone, each of which makes one check at a time" required:"true"`
	Cost      Duration `yaml:"check" doc:"time a checker takes for a check" default:"20ms"`
	Change    Duration `yaml:"change" doc:"time added when the check changes the state of the target"`
	Late      Duration `yaml:"late" doc:"a zone whose checks are later than this counts as failed" default:"5s"`
	Failover  bool     `yaml:"failover" doc:"such a zone leaves DNS by itself" default:"true"`
	Most      Count    `yaml:"most_zones" doc:"zones of a balancer that leave DNS so at most; never the last one" default:"2"`
	Bad       Share    `yaml:"bad" doc:"share of the checks that fail whatever the target does, as from checkers without network" default:"0%"`
	Open      bool     `yaml:"fail_open" doc:"a balancer all of whose targets are out has all of them in DNS" default:"true"`
	Serve     Serve    `yaml:"serve" doc:"how the balancers answer the calls of others"`

	Fleet *checkerFleet `yaml:"fleet" doc:"lets the checkers be machines that are replaced from time to time; without it they always work"`
}

func (c *healthcheckConfig) Ports() []Port {
	if c.Fleet != nil {
		return c.Serve.ports(c.Fleet.ports()...)
	}
	return c.Serve.ports()
}

// Instant reports true: calls to balancers pass through without time passing.
func (c *healthcheckConfig) Instant() bool { return true }

func (c *healthcheckConfig) Check(r *Report) {
	checkMembers("balancers", c.Balancers, r)
	if c.Zones < 1 || c.Zones > maxZones {
		r.Add("zones", fmt.Sprintf("%d zones", c.Zones), fmt.Sprintf("write 1 to %d", maxZones))
	}
	if n := c.Balancers * c.Zones * max(c.Targets, 1); c.Targets < 1 || n > maxMembers {
		r.Add("targets", fmt.Sprintf("%d targets in all", c.Balancers*c.Zones*c.Targets),
			fmt.Sprintf("write 1 or more, %d in all at most", maxMembers))
	}
	if c.Interval == 0 {
		r.Add("interval", "targets are checked without end", "write the time between two checks, such as 10s")
	}
	if c.Fail < 1 || c.Fail > maxStreak {
		r.Add("fall", fmt.Sprintf("a target is out after %d failed checks", c.Fail), fmt.Sprintf("write 1 to %d", maxStreak))
	}
	if c.OK < 1 || c.OK > maxStreak {
		r.Add("rise", fmt.Sprintf("a target is in after %d passed checks", c.OK), fmt.Sprintf("write 1 to %d", maxStreak))
	}
	if c.Checkers < 1 || c.Checkers > maxWorkers {
		r.Add("checkers", fmt.Sprintf("%d checkers", c.Checkers), fmt.Sprintf("write 1 to %d", maxWorkers))
	}
	if c.Cost == 0 {
		r.Add("check", "checks take no time", "write the time a checker takes, such as 20ms")
	}
	need := float64(float64(c.Balancers*c.Targets) * float64(c.Cost))
	busy := need / max(float64(float64(c.Interval)*float64(c.Checkers)), 1)
	if busy > 1 {
		r.Warn("checkers", fmt.Sprintf("the checks of a zone need %.1f times as many", busy), "write more, or check less often")
	}
	if c.Fleet != nil {
		c.Fleet.check(r)
	}
	c.Serve.check(c.Balancers, r)
}

const (
	maxZones  = 16
	maxStreak = 100
)

// healthcheck holds its targets as rows: those of a balancer together, and of
// these those of a zone.
type healthcheck struct {
	net  *Net
	set  *healthcheckConfig
	self des.Target
	*front
	results, answers *des.Stream

	rows      []checked
	cells     []checkCell // of each zone
	sites     []site      // zones of each balancer
	loads     []float32   // of each balancer, in targets
	zones     int
	targets   int
	fall      int
	rise      int
	change    des.Time
	failover  bool
	most      int
	downShare float64
	fleet     *crew // nil where the checkers always work
	frontPort int

	checks, lateChecks, failedChecks, changes, failovers *des.Counter
	out, inDNS, zonesOut, busy, over                     *des.Gauge
	lateness                                             *des.Spans
}

// checked is one target.
type checked struct {
	due    des.Time // of the check that waits or is next: an interval after the one before began
	chance float32  // whether it is among a share of the targets
	by     uint32   // checker of the check under way, of a fleet
	streak uint8    // checks in a row against its state
	in     bool     // as the checks have it
	down   bool     // as it is
	pass   bool     // result of the check under way
}

// checkCell is the checkers of a zone.
type checkCell struct {
	line     rowLine
	busy     int
	checkers int
	bad      float64
}

// site is the targets of a balancer in a zone.
type site struct {
	in      int32 // targets that the checks have in
	up      int32 // of these, those that are up
	stale   bool
	removed bool
}

const (
	checkDue uint16 = iota
	checkDone
)

func (c *healthcheckConfig) Build(b *Builder) Part {
	lbs, zones, targets := int(c.Balancers), int(c.Zones), int(c.Targets)
	s := &healthcheck{
		net: b.Net, set: c, results: b.Stream("results"), answers: b.Stream("answers"),
		rows: make([]checked, lbs*zones*targets), cells: make([]checkCell, zones), sites: make([]site, lbs*zones),
		loads: make([]float32, lbs), zones: zones, targets: targets, fall: int(c.Fail), rise: int(c.OK),
		change: c.Change.Time(), failover: c.Failover, most: int(c.Most),
		checks: b.Counter("checks"), lateChecks: b.Counter("late_checks"), failedChecks: b.Counter("failed_checks"),
		changes: b.Counter("state_changes"), failovers: b.Counter("failovers"), out: b.Gauge("out", "targets"),
		inDNS: b.Gauge("in_dns", "targets"), zonesOut: b.Gauge("zones_out", "zones"), busy: b.Gauge("busy", "checkers"),
		over:     b.Gauge("overloaded", "balancers"),
		lateness: b.Spans("late"),
	}
	s.self = b.Register(s)
	if c.Fleet != nil {
		s.frontPort = len(c.Fleet.ports())
		s.fleet = newCrew(b, s)
	}
	s.front = newFront(b, s, s.frontPort, &c.Serve, lbs, s.carries)
	chance, load := b.Stream("chance"), b.Stream("load")
	for i := range s.rows {
		s.rows[i] = checked{in: true, chance: float32(chance.Float64())}
	}
	for i := range s.sites {
		s.sites[i] = site{in: int32(targets), up: int32(targets)}
	}
	for i := range s.loads {
		s.loads[i] = float32(float64(c.Load.Draw(load) * float64(zones*targets)))
	}
	for z := range s.cells {
		s.cells[z] = checkCell{line: newRowLine(b, "fifo"), checkers: int(c.Checkers), bad: float64(c.Bad)}
	}
	s.inDNS.Set(int64(len(s.rows)))
	for lb := range s.loads {
		s.over.Add(s.overload(lb, s.dns(lb)))
	}
	s.knobs(b)
	b.Law("targets are conserved", s.targetsConserved)
	b.Slow(c.Interval.Time() * des.Time(max(c.Fail, c.OK)))
	b.Start(s.start)
	return s
}

// start spreads the checks over an interval.
func (s *healthcheck) start() {
	phase := s.results
	for i := range s.rows {
		s.plan(uint32(i), des.FromNanoseconds(float64(float64(s.set.Interval)*phase.Float64())))
	}
}

func (s *healthcheck) plan(i uint32, at des.Time) {
	s.rows[i].due = at
	s.net.Sim.At(max(at, s.net.Sim.Now()), s.self, checkDue, i)
}

func (s *healthcheck) zoneOf(i uint32) int { return int(i) / s.targets % s.zones }

// Handle receives the turn of a check and its end.
func (s *healthcheck) Handle(kind uint16, i uint32) {
	z := s.zoneOf(i)
	c := &s.cells[z]
	if kind == checkDue {
		c.line.push(i)
		s.serve(z)
		return
	}
	c.busy--
	s.busy.Add(-1)
	if s.fleet != nil {
		s.fleet.give(s.rows[i].by)
	}
	s.result(i)
	s.plan(i, s.rows[i].due)
	s.serve(z)
}

// serve gives free checkers to the checks that wait.
func (s *healthcheck) serve(z int) {
	c := &s.cells[z]
	for c.busy < c.checkers && c.line.n > 0 {
		i := c.line.pop()
		row := &s.rows[i]
		late := s.net.Sim.Now() - row.due
		s.lateness.Measure(late)
		if late > s.set.Late.Time() {
			s.lateChecks.Inc()
		}
		s.checks.Inc()
		s.noteLate(int(i)/s.targets, late > s.set.Late.Time())
		row.due = s.net.Sim.Now() + s.set.Interval.Time()
		row.pass = !row.down && !s.results.Bool(c.bad)
		if s.fleet != nil {
			row.by = s.fleet.take(z)
			row.pass = row.pass && !s.fleet.rows[row.by].blind
		}
		span := s.set.Cost.Time()
		if row.pass != row.in && int(row.streak)+1 >= s.needed(row) {
			span += s.change
		}
		c.busy++
		s.busy.Add(1)
		s.net.Sim.After(span, s.self, checkDone, i)
	}
}

// needed is how many checks in a row change the state of a target.
func (s *healthcheck) needed(row *checked) int {
	if row.in {
		return s.fall
	}
	return s.rise
}

// result takes the result of a check.
func (s *healthcheck) result(i uint32) {
	row := &s.rows[i]
	if !row.pass {
		s.failedChecks.Inc()
	}
	if row.pass == row.in {
		row.streak = 0
		return
	}
	if row.streak++; int(row.streak) < s.needed(row) {
		return
	}
	row.streak = 0
	s.changes.Inc()
	at := int(i) / s.targets
	s.reckon(at, func(site *site) {
		step := int32(1)
		if row.in {
			step = -1
		}
		site.in += step
		if !row.down {
			site.up += step
		}
		row.in = !row.in
		s.out.Add(int64(-step))
	})
	s.decide(at)
}

// reckon changes a site and keeps the gauges of what is in DNS and what that
// does not suffice for.
func (s *healthcheck) reckon(at int, change func(*site)) {
	lb := at / s.zones
	before := s.dns(lb)
	change(&s.sites[at])
	after := s.dns(lb)
	s.inDNS.Add(after - before)
	s.over.Add(s.overload(lb, after) - s.overload(lb, before))
}

// overload returns 1 for a balancer whose load is more than the targets carry
// that are in DNS.
func (s *healthcheck) overload(lb int, in int64) int64 {
	if float64(s.loads[lb]) > float64(in) {
		return 1
	}
	return 0
}

// dns returns how many targets of a balancer are in DNS.
func (s *healthcheck) dns(lb int) int64 {
	in := int64(0)
	for _, x := range s.sitesOf(lb) {
		if !x.removed {
			in += int64(x.in)
		}
	}
	if in == 0 && s.set.Open {
		return int64(s.zones * s.targets)
	}
	return in
}

func (s *healthcheck) sitesOf(lb int) []site { return s.sites[lb*s.zones : (lb+1)*s.zones] }

func (s *healthcheck) brings() Load {
	all := int64(len(s.rows))
	in := s.inDNS.Area()
	return fleet(len(s.rows), all-s.inDNS.Value(), float64(float64(all)*float64(s.net.Sim.Now()))-in)
}

// Arrive takes a call to a balancer.
func (s *healthcheck) Arrive(c CallID) { s.front.arrive(c) }

// Withdraw ends a call to a balancer that was passed on.
func (s *healthcheck) Withdraw(c CallID) { s.front.withdraw(c) }

// Ended takes the end of a call that was passed on, or made for a checker.
func (s *healthcheck) Ended(port int, j uint32, o Outcome) {
	if port != s.frontPort {
		s.fleet.ended(port, j, o)
		return
	}
	s.front.ended(j, o)
}
