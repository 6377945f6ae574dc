package parts

import (
	"fmt"

	"github.com/openprecedent/precedent/internal/sim/des"
)

// A refresher is what holds a copy of something that it must renew in time: a
// storage server its membership, a client its configuration, a node its
// certificate. The time for which a copy is good is known as a soft-state
// timeout or a lease (Clark, SIGCOMM 1988; Gray and Cheriton, SOSP 1989).
var refresherKind = Kind{
	Name: "refresher",
	About: "A fleet whose members each renew what they hold by a call from time to time: memberships, configurations, " +
		"tokens. A member that cannot leaves service until it can, or goes on with what it has.",
	New:      func() Config { return new(refresherConfig) },
	Source:   true,
	Callable: true,
}

type refresherConfig struct {
	Members Count    `yaml:"members" doc:"how many there are" required:"true"`
	Period  Duration `yaml:"period" doc:"time between two refreshes of a member" required:"true"`
	Jitter  Share    `yaml:"jitter" doc:"each period is longer or shorter by up to this share, drawn at random" default:"10%"`
	Size    Amount   `yaml:"size" doc:"size of what a member holds, drawn once for each" default:"1"`
	Grown   Share    `yaml:"grown" doc:"share of the members that hold more than others" default:"0%"`
	Growth  Factor   `yaml:"growth" doc:"by which these hold more" default:"1x"`
	Most    Limit    `yaml:"size_most" doc:"no member holds more than this" default:"unlimited"`
	Fails   OnFail   `yaml:"on_fail" doc:"what a member does that cannot refresh: leave service, or stay in it" default:"leave"`
	Stale   Duration `yaml:"stale_after" doc:"a member that stays leaves service after all when what it has is older than this; 0 never lets it" default:"0"`
	Retry   Backoff  `yaml:"retry" doc:"how long such a member waits before it tries again" required:"true"`
	Heal    Duration `yaml:"heal_within" doc:"members that were cut off refresh within this span after they are back" default:"1s"`
	Serve   Serve    `yaml:"serve" doc:"how the members answer the calls of others"`
	Call    Call     `yaml:"call" doc:"the refresh; its timeout is the deadline" required:"true"`
}

// OnFail says what a member does that cannot refresh.
type OnFail string

// UnmarshalText reads what a member does that cannot refresh.
func (f *OnFail) UnmarshalText(text []byte) error {
	return oneOf((*string)(f), string(text), f.Words()...)
}

// Words returns the words that may stand.
func (*OnFail) Words() []string { return []string{"leave", "stay"} }

func (c *refresherConfig) Ports() []Port { return c.Serve.ports(Port{Name: "call", Call: &c.Call}) }

// Instant reports true: calls to members pass through without time passing.
func (c *refresherConfig) Instant() bool { return true }

func (c *refresherConfig) Check(r *Report) {
	checkMembers("members", c.Members, r)
	if c.Period == 0 {
		r.Add("period", "members refresh without end", "write the time between two refreshes, such as 10m")
	}
	if c.Stale > 0 && c.Fails != "stay" {
		r.Add("stale_after", "members leave service as soon as a refresh fails", "let them stay on_fail, or leave it out")
	}
	if c.Stale > 0 && c.Stale <= c.Period {
		r.Add("stale_after", fmt.Sprintf("what a member has is older than %v before it is refreshed", c.Stale), "write more than the period")
	}
	if c.Retry.First == 0 {
		r.Add("retry.first", "a member that is refused would try again at once, without end", "write a wait such as 5s")
	}
	if c.Retry.Jitter == 1 {
		r.Warn("retry.jitter", "with all of the wait drawn, some members try again at once", "write 90% or less")
	}
	if c.Period > 0 && c.Retry.First > c.Period {
		r.Warn("retry.first", fmt.Sprintf("a member that failed comes back later than one that did not, which does after %v", c.Period), "")
	}
	checkBackoff("retry", &c.Retry, r)
	c.Call.check("call", r)
	c.Serve.check(c.Members, r)
}

// refresher holds its members as rows.
type refresher struct {
	net  *Net
	set  *refresherConfig
	self des.Target
	out  *edge
	*front
	waits, jitter *des.Stream

	rows   []refreshing
	period des.Time
	retry  Backoff
	growth float64
	share  float64 // of the members that are cut off
	paused float64 // share of the members that are not to refresh
	calm   bool    // members that fail come back with the next period

	refreshed, missed, left, returned *des.Counter
	inService, outOf, cutOff          *des.Gauge
	behind                            extent // members out, cut off, or with what could not be refreshed
	outage                            *des.Spans
}

// refreshing is one member. Its chance, drawn once, decides whether it is among
// a share of the members: larger shares hold all members of smaller ones.
type refreshing struct {
	due    des.Time // of its next refresh; other events about it are void
	fresh  des.Time // when it last refreshed
	left   des.Time // when it left service
	slot   uint32   // of the refresh that is under way
	chance float32
	size   float32
	tries  uint16 // since the last refresh that succeeded
	grown  bool
	in     bool
	cut    bool
	asking bool
	held   bool // it will refresh when it is allowed to
	failed bool // the last refresh
	behind bool
}

func (c *refresherConfig) Build(b *Builder) Part {
	s := &refresher{
		net: b.Net, set: c, period: c.Period.Time(), retry: c.Retry, growth: float64(c.Growth), calm: b.Calm,
		waits: b.Stream("retry"), jitter: b.Stream("jitter"), rows: make([]refreshing, c.Members),
		refreshed: b.Counter("refreshed"), missed: b.Counter("missed"), left: b.Counter("left"),
		returned: b.Counter("returned"), inService: b.Gauge("in_service", "members"),
		outOf: b.Gauge("out", "members"), cutOff: b.Gauge("cut_off", "members"), outage: b.Spans("outage"),
	}
	s.self, s.behind.sim = b.Register(s), b.Net.Sim
	s.out = b.Edge(s, 0, "call", &c.Call)
	s.front = newFront(b, s, 1, &c.Serve, len(s.rows), func(i int) bool { return s.rows[i].in && !s.rows[i].cut })
	sizes, grown, chance := b.Stream("size"), b.Stream("grown"), b.Stream("chance")
	for i := range s.rows {
		s.rows[i] = refreshing{
			in: true, due: des.Never, size: float32(c.Size.Draw(sizes)),
			grown: grown.Bool(float64(c.Grown)), chance: float32(chance.Float64()),
		}
	}
	s.inService.Set(int64(len(s.rows)))
	s.knobs(b)
	b.Law("members are conserved", s.membersConserved)
	b.Slow(s.period)
	b.Start(s.start)
	return s
}

func (s *refresher) knobs(b *Builder) {
	name := b.Name()
	b.Knob(Knob{
		Name: "cut", Unit: "1", About: "share of the members that are cut off from the network",
		Get: func() float64 { return s.share }, Set: func(x float64) { s.cutShare(min(max(x, 0), 1)) },
		Worst: &Worst{Value: 1, About: named(name, "all of %s are cut off from the network", "%s 전체가 네트워크에서 끊긴다")},
	})
	s.pauseKnob(b)
	b.Knob(Knob{
		Name: "restart", Unit: "1", Pulse: true, About: "restarts a share of the members: they are out of service until they have refreshed",
		Get: func() float64 { return 0 }, Set: func(x float64) { s.restart(min(max(x, 0), 1)) },
	})
	b.Knob(Knob{
		Name: "period", Unit: "s", About: "time between two refreshes of a member",
		Get: func() float64 { return s.period.Seconds() },
		Set: func(x float64) { s.period = max(des.FromSeconds(x), des.Millisecond) },
	})
	b.Knob(Knob{
		Name: "retry", Unit: "s", About: "first wait of a member that could not refresh",
		Get: func() float64 { return s.retry.First.Time().Seconds() },
		Set: func(x float64) {
			s.retry.First = Duration(max(des.FromSeconds(x), des.Millisecond))
			s.retry.Most = max(s.retry.Most, s.retry.First)
		},
		Remedies: []Remedy{{Value: s.period.Seconds() / 2, About: named(name, "members of %s that fail wait half a period", "갱신하지 못한 %s의 구성원이 주기의 절반만 기다린다"), Cost: 1}},
	})
	b.Knob(Knob{
		Name: "growth", Unit: "1", About: "how much more the members hold that hold more",
		Get: func() float64 { return s.growth }, Set: func(x float64) { s.growth = max(x, 0) },
	})
}

// start lets the members refresh as if they had done so for ever.
func (s *refresher) start() {
	for i := range s.rows {
		s.wake(i, firstTurn(s.period, s.set.Jitter, s.jitter))
	}
}

// wake lets a member refresh a span from now.
func (s *refresher) wake(i int, in des.Time) {
	s.rows[i].due = s.net.Sim.Now() + in
	s.net.Sim.After(in, s.self, 0, uint32(i))
}

// Handle lets a member refresh.
func (s *refresher) Handle(_ uint16, i uint32) {
	row := &s.rows[i]
	if row.due != s.net.Sim.Now() {
		return
	}
	row.due = des.Never
	row.held = float64(row.chance) < s.paused
	if row.cut || row.held {
		s.fall(int(i)) // it will refresh when it is back
		if row.in && s.set.Stale > 0 {
			s.wake(int(i), row.fresh+s.set.Stale.Time()-s.net.Sim.Now())
		}
		return
	}
	size := float64(row.size)
	if row.grown {
		size = float64(size * s.growth)
	}
	size = min(size, float64(s.set.Most))
	row.asking = true
	slot := s.out.ask(want{token: i, key: i, size: float32(size), deadline: des.Never})
	if s.rows[i].asking {
		s.rows[i].slot = slot
	}
}

// Ended takes the end of a refresh, or of a call that was passed on.
func (s *refresher) Ended(port int, i uint32, o Outcome) {
	if port != 0 {
		s.front.ended(i, o)
		return
	}
	row := &s.rows[i]
	row.asking = false
	if o == OK {
		s.refreshed.Inc()
		row.tries, row.fresh, row.failed = 0, s.net.Sim.Now(), false
		s.rise(int(i))
		s.wake(int(i), nextTurn(s.period, s.set.Jitter, s.jitter))
		return
	}
	s.missed.Inc()
	row.failed = true
	s.fall(int(i))
	s.note(row)
	if s.calm {
		// Spread out, so that members which failed together do not stay together.
		s.wake(int(i), nextTurn(s.period, 0.5, s.waits))
		return
	}
	row.tries = min(row.tries+1, maxRetries)
	s.wake(int(i), max(s.retry.wait(int(row.tries), s.waits), des.Microsecond))
}

// fall takes a member out of service if that is what it does.
func (s *refresher) fall(i int) {
	row := &s.rows[i]
	good := s.set.Stale == 0 || s.net.Sim.Now() < row.fresh+s.set.Stale.Time()
	if !row.in || s.set.Fails == "stay" && good {
		return
	}
	s.leaveService(row)
}

// note counts a member among those that are behind, or not.
func (s *refresher) note(row *refreshing) {
	row.behind = s.behind.note(row.behind, !row.in || row.cut || row.failed)
}

func (s *refresher) brings() Load { return fleet(len(s.rows), s.behind.n, s.behind.sum(), s.out) }

func (s *refresher) leaveService(row *refreshing) {
	row.in, row.left = false, s.net.Sim.Now()
	s.note(row)
	s.left.Inc()
	s.outOf.Add(1)
	if !row.cut {
		s.inService.Add(-1)
	}
}

// rise brings a member back into service. Only one that is reached can refresh.
func (s *refresher) rise(i int) {
	row := &s.rows[i]
	if row.in {
		s.note(row)
		return
	}
	row.in = true
	s.note(row)
	s.returned.Inc()
	s.outOf.Add(-1)
	s.inService.Add(1)
	s.outage.Measure(s.net.Sim.Now() - row.left)
}

// cutShare cuts members off from the network or lets them back, where they
// refresh at once.
func (s *refresher) cutShare(x float64) {
	s.share = x
	for i := range s.rows {
		row := &s.rows[i]
		cut := float64(row.chance) < x
		if cut == row.cut {
			continue
		}
		row.cut = cut
		s.note(row)
		step := int64(1)
		if cut {
			if row.asking { // no answer will come
				s.giveUp(i)
				s.wake(i, s.out.policy.Timeout.Time())
			}
		} else {
			step = -1
			s.fetch(i)
		}
		s.cutOff.Add(step)
		if row.in {
			s.inService.Add(-step)
		}
	}
}

// giveUp ends a refresh that is under way, whose answer will not come.
func (s *refresher) giveUp(i int) {
	row := &s.rows[i]
	if row.asking {
		row.asking = false
		s.out.withdraw(row.slot, uint32(i))
	}
}

// fetch lets a member refresh soon, in place of what it had in mind.
func (s *refresher) fetch(i int) {
	s.giveUp(i)
	s.rows[i].tries = 0
	s.wake(i, des.FromNanoseconds(float64(float64(s.set.Heal)*s.jitter.Float64())))
}

// restart takes a share of the members out of service until they have
// refreshed.
func (s *refresher) restart(x float64) {
	for i := range s.rows {
		row := &s.rows[i]
		if float64(row.chance) >= x {
			continue
		}
		if row.in {
			s.leaveService(row)
		}
		if !row.cut {
			s.fetch(i)
		}
	}
}

// Arrive takes a call to members.
func (s *refresher) Arrive(c CallID) { s.front.arrive(c) }

// Withdraw ends a call to members that was passed on.
func (s *refresher) Withdraw(c CallID) { s.front.withdraw(c) }

func (s *refresher) membersConserved() error {
	in, out, cut := int64(0), int64(0), int64(0)
	for i := range s.rows {
		row := &s.rows[i]
		switch {
		case !row.in:
			out++
		case !row.cut:
			in++
		}
		if row.cut {
			cut++
		}
	}
	if in != s.inService.Value() || out != s.outOf.Value() || cut != s.cutOff.Value() {
		return fmt.Errorf("%d in service, %d out and %d cut off; the gauges show %d, %d and %d",
			in, out, cut, s.inService.Value(), s.outOf.Value(), s.cutOff.Value())
	}
	if out != s.left.Total()-s.returned.Total() {
		return fmt.Errorf("%d have left and %d have returned, but %d are out", s.left.Total(), s.returned.Total(), out)
	}
	return nil
}
