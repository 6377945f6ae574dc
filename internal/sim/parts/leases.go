package parts

import (
	"fmt"

	"github.com/openprecedent/precedent/internal/sim/des"
)

// A lease is a right that lapses unless it is renewed (Gray and Cheriton, SOSP
// 1989): of a host to run what it runs, of a node to its place in a cluster.
// Renewing is cheap and establishing is not, so a fleet that has lost its leases
// asks for much more than one that holds them. The work that this takes is done
// by the part that is called, most often a server with a queue of its own.
var leasesKind = Kind{
	Name: "leases",
	About: "A manager of the leases of many hosts. Each lease is renewed from time to time by a cheap call, lapses some time " +
		"after the last one that succeeded, and is then established anew by a dear one.",
	New:      func() Config { return new(leasesConfig) },
	Source:   true,
	Callable: true,
}

type leasesConfig struct {
	Hosts     Count    `yaml:"hosts" doc:"how many there are, all with a lease at first" required:"true"`
	Period    Duration `yaml:"period" doc:"time between two renewals of a lease" required:"true"`
	Jitter    Share    `yaml:"jitter" doc:"each period is longer or shorter by up to this share, drawn at random" default:"10%"`
	Lapse     Spread   `yaml:"lapse" doc:"how long a lease holds after its last renewal, drawn once for each host" required:"true"`
	Renew     Amount   `yaml:"renew_size" doc:"size of the call that renews a lease" default:"1"`
	Establish Amount   `yaml:"establish_size" doc:"size of the call that establishes a lease" required:"true"`
	Retry     Backoff  `yaml:"retry" doc:"how long a host without a lease waits after a call that failed" required:"true"`
	Limit     Limit    `yaml:"limit" doc:"leases that are being established at once; further hosts wait their turn" default:"unlimited"`
	Order     RowOrder `yaml:"order" doc:"who of those is next: fifo, lifo or random" default:"fifo"`
	Serve     Serve    `yaml:"serve" doc:"how the hosts that hold a lease answer the calls of others"`
	Call      Call     `yaml:"call" doc:"what renews and establishes leases; its timeout is the deadline of an item" required:"true"`
}

func (c *leasesConfig) Ports() []Port { return c.Serve.ports(Port{Name: "call", Call: &c.Call}) }

// Instant reports true: calls to hosts pass through without time passing.
func (c *leasesConfig) Instant() bool { return true }

func (c *leasesConfig) Check(r *Report) {
	checkMembers("hosts", c.Hosts, r)
	if c.Period == 0 {
		r.Add("period", "leases are renewed without end", "write the time between two renewals, such as 4m")
	}
	if c.Lapse.Mean() == 0 {
		r.Add("lapse", "a lease lapses at once", "write for how long one holds, such as uniform 10m 160m")
	} else if c.Lapse.Mean() < float64(c.Period) {
		r.Warn("lapse", fmt.Sprintf("leases lapse before they are renewed after %v", c.Period), "renew sooner")
	}
	if c.Retry.First == 0 {
		r.Add("retry.first", "a host that is refused would try again at once, without end", "write a wait such as 60s")
	}
	if c.Limit < 1 {
		r.Warn("limit", "no lease is established until the limit is raised", "write 1 or more")
	}
	checkBackoff("retry", &c.Retry, r)
	c.Call.check("call", r)
	c.Serve.check(c.Hosts, r)
}

// leases holds its hosts as rows.
type leases struct {
	net  *Net
	set  *leasesConfig
	self des.Target
	out  *edge
	*front
	jitter, waits, renews, establishes *des.Stream

	rows   []lease
	period des.Time
	retry  Backoff
	limit  int
	line   rowLine // of hosts that wait to establish
	calm   bool

	renewed, established, lapsed, notRenewed, notEstablished *des.Counter
	leased, open, waiting                                    *des.Gauge
	without                                                  *des.Spans
}

// lease is one host. Its chance, drawn once, decides whether it is among a share
// of the hosts.
type lease struct {
	due     des.Time // of the next renewal or try; other events about it are void
	expires des.Time // of the lease
	lost    des.Time // when the lease lapsed
	lapse   des.Time // how long one holds
	chance  float32
	tries   uint16
	held    bool
	asking  bool
	dear    bool // the call under way establishes
	inLine  bool
}

const (
	leaseTurn uint16 = iota
	leaseLapse
)

func (c *leasesConfig) Build(b *Builder) Part {
	s := &leases{
		net: b.Net, set: c, period: c.Period.Time(), retry: c.Retry, limit: int(c.Limit), calm: b.Calm,
		jitter: b.Stream("jitter"), waits: b.Stream("retry"), renews: b.Stream("renew"), establishes: b.Stream("establish"),
		rows: make([]lease, c.Hosts), line: newRowLine(b, c.Order),
		renewed: b.Counter("renewed"), established: b.Counter("established"), lapsed: b.Counter("lapsed"),
		notRenewed: b.Counter("not_renewed"), notEstablished: b.Counter("not_established"),
		leased: b.Gauge("leased", "hosts"), open: b.Gauge("establishing", "hosts"), waiting: b.Gauge("waiting", "hosts"),
		without: b.Spans("without_lease"),
	}
	s.self = b.Register(s)
	call := c.Call
	if b.Calm {
		call.Timeout = 0 // what comes late counts, so nothing is asked for twice
	}
	s.out = b.Edge(s, 0, "call", &call)
	s.front = newFront(b, s, 1, &c.Serve, len(s.rows), func(i int) bool { return s.rows[i].held })
	chance, lapse := b.Stream("chance"), b.Stream("lapse")
	for i := range s.rows {
		s.rows[i] = lease{held: true, due: des.Never, lapse: c.Lapse.Span(lapse), chance: float32(chance.Float64())}
	}
	s.leased.Set(int64(len(s.rows)))
	s.knobs(b)
	b.Law("leases are conserved", s.leasesConserved)
	b.Slow(s.period)
	b.Slow(des.FromNanoseconds(c.Lapse.Mean()))
	b.Start(s.start)
	return s
}

func (s *leases) knobs(b *Builder) {
	name := b.Name()
	b.Knob(Knob{
		Name: "revoke", Unit: "1", Pulse: true, About: "ends the leases of a share of the hosts at once",
		Get: func() float64 { return 0 }, Set: func(x float64) { s.revoke(x) },
		Worst: &Worst{Value: 1, About: named(name, "all leases of %s are lost", "%s의 리스를 모두 잃는다")},
	})
	b.Knob(Knob{
		Name: "limit", Unit: "hosts", About: "leases that are being established at once",
		Get: func() float64 { return float64(s.limit) },
		Set: func(x float64) { s.limit = int(min(max(x, 0), float64(Unlimited))); s.admit() },
		Remedies: []Remedy{
			{Value: max(float64(len(s.rows)/100), 1), About: named(name, "leases of %s established for 1 %% of the hosts at a time", "%s의 리스를 한 번에 호스트 1%%씩 맺는다"), Cost: 1},
		},
	})
	b.Knob(Knob{
		Name: "period", Unit: "s", About: "time between two renewals of a lease",
		Get: func() float64 { return s.period.Seconds() },
		Set: func(x float64) { s.period = max(des.FromSeconds(x), des.Millisecond) },
	})
	b.Knob(Knob{
		Name: "retry", Unit: "s", About: "first wait of a host without a lease after a call that failed",
		Get: func() float64 { return s.retry.First.Time().Seconds() },
		Set: func(x float64) {
			s.retry.First = Duration(max(des.FromSeconds(x), des.Millisecond))
			s.retry.Most = max(s.retry.Most, s.retry.First)
		},
	})
}

func (s *leases) start() {
	for i := range s.rows {
		next := firstTurn(s.period, s.set.Jitter, s.jitter)
		s.wake(uint32(i), next)
		// The last renewal was about a period before the next one.
		s.hold(uint32(i), max(s.rows[i].lapse-max(s.period-next, 0), 0))
		s.net.Sim.At(s.rows[i].expires, s.self, leaseLapse, uint32(i))
	}
}

func (s *leases) hold(i uint32, span des.Time) { s.rows[i].expires = s.net.Sim.Now() + span }

// wake gives a host its turn a span from now.
func (s *leases) wake(i uint32, in des.Time) {
	s.rows[i].due = s.net.Sim.Now() + in
	s.net.Sim.After(in, s.self, leaseTurn, i)
}

// Handle lets a host renew or establish its lease, or ends it.
func (s *leases) Handle(kind uint16, i uint32) {
	row, now := &s.rows[i], s.net.Sim.Now()
	if kind == leaseLapse {
		switch {
		case !row.held: // the next lease has its own end
		case row.expires > now: // it was renewed meanwhile
			s.net.Sim.At(row.expires, s.self, leaseLapse, i)
		default:
			s.end(i)
		}
		return
	}
	if row.due != now {
		return
	}
	row.due = des.Never
	if row.held {
		s.ask(i, false)
		return
	}
	row.inLine = true
	s.line.push(i)
	s.waiting.Add(1)
	s.admit()
}

// end takes the lease of a host, which goes to establish another.
func (s *leases) end(i uint32) {
	row := &s.rows[i]
	row.held, row.lost, row.tries = false, s.net.Sim.Now(), 0
	s.lapsed.Inc()
	s.leased.Add(-1)
	if !row.asking {
		s.wake(i, 0)
	}
}

// revoke ends the leases of a share of the hosts.
func (s *leases) revoke(share float64) {
	for i := range s.rows {
		if s.rows[i].held && float64(s.rows[i].chance) < share {
			s.end(uint32(i))
		}
	}
}

// admit lets hosts establish leases as far as the limit allows.
func (s *leases) admit() {
	for s.line.n > 0 && s.open.Value() < int64(s.limit) {
		i := s.line.pop()
		s.rows[i].inLine = false
		s.waiting.Add(-1)
		s.open.Add(1)
		s.ask(i, true)
	}
}

// ask makes the call of a host.
func (s *leases) ask(i uint32, dear bool) {
	row := &s.rows[i]
	row.asking, row.dear = true, dear
	size := 0.0
	if dear {
		size = s.set.Establish.Draw(s.establishes)
	} else {
		size = s.set.Renew.Draw(s.renews)
	}
	kind := uint8(0)
	if dear {
		kind = 1 // a server that serves by class renews first
	}
	s.out.ask(want{token: i, key: i, kind: kind, size: float32(size), deadline: des.Never})
}

// Ended takes the end of a renewal or an establishment, or of a call that was
// passed on.
func (s *leases) Ended(port int, i uint32, o Outcome) {
	if port != 0 {
		s.front.ended(i, o)
		return
	}
	row := &s.rows[i]
	row.asking = false
	if row.dear {
		s.openedEnds(i, o)
		return
	}
	if o == OK {
		s.renewed.Inc()
	} else {
		s.notRenewed.Inc()
	}
	switch {
	case !row.held: // it lapsed meanwhile
		s.wake(i, 0)
		return
	case o == OK:
		s.hold(i, row.lapse)
	}
	s.wake(i, nextTurn(s.period, s.set.Jitter, s.jitter))
}

// openedEnds takes the end of an establishment.
func (s *leases) openedEnds(i uint32, o Outcome) {
	row := &s.rows[i]
	s.open.Add(-1)
	if o == OK {
		s.established.Inc()
		s.leased.Add(1)
		s.without.Measure(s.net.Sim.Now() - row.lost)
		row.held, row.tries = true, 0
		s.hold(i, row.lapse)
		s.net.Sim.At(row.expires, s.self, leaseLapse, i)
		s.wake(i, nextTurn(s.period, s.set.Jitter, s.jitter))
	} else {
		s.notEstablished.Inc()
		row.tries = min(row.tries+1, maxRetries)
		s.wake(i, max(s.retry.wait(int(row.tries), s.waits), des.Microsecond))
	}
	s.admit()
}

func (s *leases) brings() Load {
	all := int64(len(s.rows))
	held := s.leased.Area()
	return fleet(len(s.rows), all-s.leased.Value(), float64(float64(all)*float64(s.net.Sim.Now()))-held, s.out)
}

// Arrive takes a call to hosts.
func (s *leases) Arrive(c CallID) { s.front.arrive(c) }

// Withdraw ends a call to hosts that was passed on.
func (s *leases) Withdraw(c CallID) { s.front.withdraw(c) }

func (s *leases) leasesConserved() error {
	held, open, waiting := int64(0), int64(0), int64(0)
	for i := range s.rows {
		row := &s.rows[i]
		if row.held {
			held++
		}
		if row.asking && row.dear {
			open++
		}
		if row.inLine {
			waiting++
		}
	}
	if held != s.leased.Value() || open != s.open.Value() || waiting != s.waiting.Value() {
		return fmt.Errorf("%d leases, %d being established and %d hosts in line; the gauges show %d, %d and %d",
			held, open, waiting, s.leased.Value(), s.open.Value(), s.waiting.Value())
	}
	if want := int64(len(s.rows)) + s.established.Total() - s.lapsed.Total(); held != want {
		return fmt.Errorf("of %d leases and %d new ones %d have lapsed, but %d are held",
			len(s.rows), s.established.Total(), s.lapsed.Total(), held)
	}
	return nil
}
