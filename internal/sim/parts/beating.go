package parts

import "github.com/openprecedent/precedent/internal/sim/des"

// heartbeats holds its hosts as rows, and the hosts of its heavy items.
type heartbeats struct {
	net     *Net
	set     *heartbeatsConfig
	self    des.Target
	out     *edge
	connect *edge // nil where connections cost nothing
	*front
	jitter, chance, place *des.Stream

	rows      []beating
	home      []uint32 // of each heavy item
	traffic   []int64  // of each heavy item, in units
	perLight  int64    // traffic of a light item, in units
	unhealthy des.Time
	period    des.Time
	// What all hosts hold together.
	allTraffic, allItems float64
	lightShare           float64 // of the light items of the start that there are
	// Items that have no host.
	looseHeavy, looseLight int64

	share     float64 // of the hosts that are down
	next      int     // host of the rollout
	rolling   bool
	round     uint32 // of the rollout: events of an earlier one are void
	linked    []link
	freeLinks []uint32
	calm      bool
	takenOut  int      // hosts within the window
	windowEnd des.Time // of the cap

	taken, lost, failures, wrong, returned, moved *des.Counter
	healthy, most, mostTraffic, connecting, loose *des.Gauge
	behind                                        extent // hosts down, out, or whose last report was lost
}

// beating is one host.
type beating struct {
	due     des.Time // of the next report; other events about it are void
	seen    des.Time // when its last report was taken
	renew   des.Time // when its connection ends; other events about that are void
	light   int64
	heavy   int64
	traffic int64   // of its items, in units
	got     int64   // light items in the move under way
	gained  float64 // size of the connections of the items in the move under way
	pending float64 // size of the connections that its items wait for
	turn    uint32  // how often it was taken out
	chance  float32 // whether it is among a share of the hosts
	in      bool    // counts as healthy and holds items
	down    bool
	mute    bool // waits for a connection before it reports again
	unheard bool // its last report was lost
	behind  bool
}

const (
	beatReport uint16 = iota
	beatCheck
	beatRoll
	beatBack
	beatRenew
)

const (
	beatCallPort = iota
	beatConnectPort
	beatThenPort
)

func (c *heartbeatsConfig) Build(b *Builder) Part {
	s := &heartbeats{
		net: b.Net, set: c, period: c.Period.Time(), unhealthy: c.Unhealthy.Time(), calm: b.Calm,
		jitter: b.Stream("jitter"), chance: b.Stream("connected"), place: b.Stream("place"), rows: make([]beating, c.Hosts),
		home: make([]uint32, c.Hosts*c.Heavy), taken: b.Counter("reports"), lost: b.Counter("reports_lost"),
		failures: b.Counter("taken_out"), wrong: b.Counter("taken_out_alive"), returned: b.Counter("returned"),
		moved: b.Counter("items_moved"), healthy: b.Gauge("healthy", "hosts"), most: b.Gauge("most_items", "items"),
		mostTraffic: b.Gauge("most_traffic", "% of the mean"),
		connecting:  b.Gauge("connecting", "calls"), loose: b.Gauge("without_host", "items"),
	}
	s.self, s.behind.sim = b.Register(s), b.Net.Sim
	s.out = b.Edge(s, beatCallPort, "call", &c.Call)
	if c.Connect != nil {
		s.connect = b.Edge(s, beatConnectPort, "connect", c.Connect)
	}
	s.front = newFront(b, s, beatThenPort, &c.Serve, len(s.home), s.answers)
	chance := b.Stream("chance")
	for i := range s.rows {
		s.rows[i] = beating{in: true, due: des.Never, light: int64(c.Light), heavy: int64(c.Heavy), chance: float32(chance.Float64())}
	}
	s.fill(b.Stream("traffic"))
	s.healthy.Set(int64(len(s.rows)))
	s.measureMost()
	s.knobs(b)
	b.Law("items are conserved", s.itemsConserved)
	b.Slow(s.unhealthy)
	b.Start(s.start)
	return s
}

// trafficUnit is the traffic that is counted in whole numbers, so that what goes
// from host to host adds up to what there was.
const trafficUnit = 1e-9

// fill gives the hosts their items.
func (s *heartbeats) fill(r *des.Stream) {
	c := s.set
	s.traffic = make([]int64, len(s.home))
	s.perLight = int64(float64(c.Weight)/trafficUnit + 0.5)
	for k := range s.home {
		i := uint32(k) / uint32(c.Heavy)
		s.home[k] = i
		s.traffic[k] = int64(min(c.Traffic.Draw(r), 1e6)/trafficUnit + 0.5)
		s.rows[i].traffic += s.traffic[k]
	}
	for i := range s.rows {
		s.rows[i].traffic += s.perLight * int64(c.Light)
		s.allTraffic += float64(s.rows[i].traffic)
	}
	s.allItems = float64(c.Hosts * (c.Heavy + c.Light))
	s.lightShare = 1
}

func (s *heartbeats) knobs(b *Builder) {
	name := b.Name()
	b.Knob(Knob{
		Name: "down", Unit: "1", About: "share of the hosts that are down",
		Get: func() float64 { return s.share }, Set: func(x float64) { s.takeDown(min(max(x, 0), 1)) },
		Worst: &Worst{Value: 0.5, About: named(name, "half of the hosts of %s are down", "%s의 호스트 절반이 내려간다")},
	})
	b.Knob(Knob{
		Name: "rollout", Unit: "1", About: "1 lets the rollout go on with the next host, 0 stops it",
		Get: func() float64 {
			if s.rolling {
				return 1
			}
			return 0
		},
		Set: func(x float64) { s.roll(x > 0) },
	})
	b.Knob(Knob{
		Name: "unhealthy_after", Unit: "s", About: "after how long without a report a host counts as failed",
		Get:      func() float64 { return s.unhealthy.Seconds() },
		Set:      func(x float64) { s.unhealthy = des.FromSeconds(x) },
		Remedies: []Remedy{{Value: 2, Times: true, About: named(name, "hosts of %s count as failed after twice the time", "%s의 호스트를 지금의 두 배가 지나야 고장으로 본다"), Cost: 1}},
	})
	b.Knob(Knob{
		Name: "light", Unit: "1", About: "share of the light items that there are: fewer leave every host alike, and come back as items of a lost host do",
		Get: func() float64 { return s.lightShare }, Set: func(x float64) { s.setLight(min(max(x, 0), 1)) },
		Remedies: []Remedy{{Value: 0.5, About: named(name, "half of the light items of %s go", "%s의 가벼운 항목 절반이 떠난다"), Cost: 2}},
	})
	b.Knob(Knob{
		Name: "period", Unit: "s", About: "time between two reports of a host",
		Get: func() float64 { return s.period.Seconds() },
		Set: func(x float64) { s.period = max(des.FromSeconds(x), des.Millisecond) },
	})
}

func (s *heartbeats) start() {
	for i := range s.rows {
		s.wake(uint32(i), firstTurn(s.period, s.set.Jitter, s.jitter))
		s.net.Sim.After(s.unhealthy, s.self, beatCheck, uint32(i))
		if s.set.Renew > 0 {
			s.renewIn(uint32(i), firstTurn(s.set.Renew.Time(), s.set.Jitter, s.jitter))
		}
	}
}

// renewIn lets the connection of a host end after a while.
func (s *heartbeats) renewIn(i uint32, in des.Time) {
	s.rows[i].renew = s.net.Sim.Now() + in
	s.net.Sim.After(in, s.self, beatRenew, i)
}

func (s *heartbeats) wake(i uint32, in des.Time) {
	s.rows[i].due = s.net.Sim.Now() + in
	s.net.Sim.After(in, s.self, beatReport, i)
}

// answers reports whether a heavy item can be asked: its host is up, and the
// item is not among those that wait for a connection.
func (s *heartbeats) answers(item int) bool {
	if s.home[item] == noHost {
		return false
	}
	row := &s.rows[s.home[item]]
	if row.down || row.pending == 0 {
		return !row.down
	}
	return float64(s.chance.Float64()*max(s.connections(row), row.pending)) >= row.pending
}

// Handle receives the events of hosts and of the rollout.
func (s *heartbeats) Handle(kind uint16, arg uint32) {
	switch kind {
	case beatReport:
		if row := &s.rows[arg]; row.due == s.net.Sim.Now() {
			row.due = des.Never
			s.report(arg)
		}
	case beatCheck:
		s.check(arg)
	case beatRoll:
		if arg == s.round {
			s.rollNext()
		}
	case beatBack:
		s.comeBack(arg)
	case beatRenew:
		if row := &s.rows[arg]; row.renew == s.net.Sim.Now() && !row.mute && !row.down {
			s.linkUp(arg)
		}
	}
}

// report sends what a host has to say.
func (s *heartbeats) report(i uint32) {
	row := &s.rows[i]
	s.wake(i, nextTurn(s.period, s.set.Jitter, s.jitter))
	if row.down || row.mute {
		return
	}
	for left := row.light + row.heavy; ; {
		n := min(left, int64(s.set.Part))
		size := float64(n)
		if s.set.Knee > 0 {
			size = float64(size * (1 + size/float64(s.set.Knee)))
		}
		s.out.ask(want{token: i, key: i, size: float32(size), deadline: des.Never})
		if left -= n; left <= 0 {
			return
		}
	}
}

// Ended takes the end of a report, of a call for connections, or of a call that
// was passed on.
func (s *heartbeats) Ended(port int, token uint32, o Outcome) {
	switch port {
	case beatThenPort:
		s.front.ended(token, o)
	case beatConnectPort:
		s.connected(token)
	default:
		row := &s.rows[token]
		row.unheard = o != OK
		if o != OK {
			s.lost.Inc()
			s.note(row)
			return
		}
		s.taken.Inc()
		row.seen = s.net.Sim.Now()
		if !row.in && !row.down {
			row.in = true
			s.returned.Inc()
			s.healthy.Add(1)
			s.placeLoose()
			s.net.Sim.After(s.unhealthy, s.self, beatCheck, token)
		}
		s.note(row)
	}
}

// note counts a host among those that are behind, or not.
func (s *heartbeats) note(row *beating) {
	row.behind = s.behind.note(row.behind, !row.in || row.down || row.unheard)
}

func (s *heartbeats) brings() Load { return fleet(len(s.rows), s.behind.n, s.behind.sum(), s.out) }

// check takes a host out of which no report was taken for long.
func (s *heartbeats) check(i uint32) {
	row, now := &s.rows[i], s.net.Sim.Now()
	switch {
	case !row.in:
		return
	case row.seen+s.unhealthy > now:
		s.net.Sim.At(row.seen+s.unhealthy, s.self, beatCheck, i)
		return
	case s.calm && !row.down || !s.mayTakeOut():
		s.net.Sim.After(s.period, s.self, beatCheck, i)
		return
	}
	s.takenOut++
	s.failures.Inc()
	if !row.down {
		s.wrong.Inc()
	}
	s.takeOut(i)
	if s.connect != nil && !row.down {
		s.linkUp(i)
	}
}

// mayTakeOut reports whether the cap leaves room for one more host.
func (s *heartbeats) mayTakeOut() bool {
	now := s.net.Sim.Now()
	if now >= s.windowEnd {
		s.windowEnd, s.takenOut = now+s.set.Place.Per.Time(), 0
	}
	return s.takenOut < int(s.set.Place.Most) && s.healthy.Value() > 1
}

// takeDown takes hosts down or lets them come back.
func (s *heartbeats) takeDown(share float64) {
	s.share = share
	for i := range s.rows {
		row := &s.rows[i]
		down := float64(row.chance) < share
		switch {
		case down && !row.down:
			row.down = true
			s.note(row)
		case !down && row.down:
			s.comeBack(uint32(i))
		}
	}
}

// comeBack lets a host report again.
func (s *heartbeats) comeBack(i uint32) {
	row := &s.rows[i]
	row.down = false
	s.note(row)
	if s.connect != nil {
		s.linkUp(i)
	}
}

// roll begins the rollout, or stops it.
func (s *heartbeats) roll(on bool) {
	if on == s.rolling {
		return
	}
	s.rolling = on
	s.round++
	if on {
		s.net.Sim.After(0, s.self, beatRoll, s.round)
	}
}

// rollNext takes the next host out for the rollout, after its items have moved.
func (s *heartbeats) rollNext() {
	if s.next >= len(s.rows) {
		s.rolling = false
		return
	}
	i := uint32(s.next)
	s.next++
	row := &s.rows[i]
	if row.in {
		s.takeOut(i)
	}
	row.down = true
	s.note(row)
	s.net.Sim.After(s.set.Rollout.Down.Time(), s.self, beatBack, i)
	s.net.Sim.After(s.set.Rollout.Gap.Time(), s.self, beatRoll, s.round)
}

// Arrive takes a call to items.
func (s *heartbeats) Arrive(c CallID) { s.front.arrive(c) }

// Withdraw ends a call to items that was passed on.
func (s *heartbeats) Withdraw(c CallID) { s.front.withdraw(c) }
