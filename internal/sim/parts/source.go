package parts

import (
	"fmt"

	"github.com/openprecedent/precedent/internal/sim/des"
)

var sourceKind = Kind{
	Name:   "source",
	About:  "Users or clients whose requests the system is there for. Its answers in time are the goodput.",
	New:    func() Config { return new(sourceConfig) },
	Source: true,
}

type sourceConfig struct {
	Rate       Rate           `yaml:"rate" doc:"requests that arrive, whatever becomes of them (open loop)"`
	Arrivals   Arrivals       `yaml:"arrivals" doc:"how requests are spread over time" default:"poisson"`
	Profile    []ProfilePoint `yaml:"profile" doc:"how the rate varies: its share at some times"`
	Every      Duration       `yaml:"profile_every" doc:"period in which the profile repeats; 0 keeps the last share"`
	Population Count          `yaml:"population" doc:"instead of a rate: users of whom each waits for an answer, thinks, and asks again (closed loop)"`
	Overflow   Count          `yaml:"overflow" doc:"users who come besides while requests of a population fail, one for each failure, as pools overflow; each leaves after an answer. Fewer in proportion where the population was lowered"`
	Think      Spread         `yaml:"think" doc:"how long a user of a population thinks" default:"exp 1s"`
	Leave      Leave          `yaml:"leave" doc:"when users leave who are too many for a population that was lowered: after an answer, or at once, as those of a process that ends; what they wait for is then withdrawn" default:"answered"`
	InTime     Duration       `yaml:"in_time" doc:"an answer after this is of no use; 0 takes every answer that the call accepts"`
	Size       Amount         `yaml:"size" doc:"size of a request, for parts whose work grows with it" default:"1"`
	Kind       Count          `yaml:"class" doc:"class of the requests, from 0, for parts that treat classes apart" default:"0"`
	Keys       *Keys          `yaml:"keys" doc:"what the requests ask for, for caches"`
	Call       Call           `yaml:"call" doc:"what is called" required:"true"`
}

// Arrivals is how requests are spread over time.
type Arrivals string

// UnmarshalText reads how requests are spread over time.
func (a *Arrivals) UnmarshalText(text []byte) error {
	return oneOf((*string)(a), string(text), a.Words()...)
}

// Words returns the words that may stand.
func (*Arrivals) Words() []string { return []string{"poisson", "regular"} }

// Leave says when users leave who are too many.
type Leave string

// UnmarshalText reads when users leave.
func (l *Leave) UnmarshalText(text []byte) error {
	return oneOf((*string)(l), string(text), l.Words()...)
}

// Words returns the words that may stand.
func (*Leave) Words() []string { return []string{"answered", "at_once"} }

// Keys is what requests ask for.
type Keys struct {
	Distinct Count  `yaml:"distinct" doc:"number of keys" required:"true"`
	Zipf     Factor `yaml:"zipf" doc:"how uneven the demand is: key k is asked for in proportion to 1/k^zipf; 0 is even" default:"0"`
}

func (c *sourceConfig) Ports() []Port { return []Port{{Name: "call", Call: &c.Call}} }

func (c *sourceConfig) Instant() bool { return false }

func (c *sourceConfig) Check(r *Report) {
	switch {
	case c.Rate == 0 && c.Population == 0:
		r.Add("rate", "nothing arrives", "write a rate such as 100/s, or a population")
	case c.Population > 0 && len(c.Profile) > 0:
		r.Add("profile", "the users of a population ask when they have thought, and no rate can vary", "write a rate instead, or leave it out")
	case c.Rate > 0 && c.Population > 0:
		r.Add("population", "a source has a rate or a population", "leave one of them out")
	case c.Population > MaxPopulation:
		r.Add("population", fmt.Sprintf("%d users", c.Population), fmt.Sprintf("write at most %d", MaxPopulation))
	case c.Overflow > 0 && (c.Population == 0 || c.Population+c.Overflow > MaxPopulation):
		r.Add("overflow", fmt.Sprintf("%d users besides a population of %d", c.Overflow, c.Population),
			fmt.Sprintf("write at most %d in all, and how large the population is", MaxPopulation))
	case c.Population > 0 && c.Think.Mean() == 0:
		r.Add("think", "users who do not think ask without end", "write how long they think, such as exp 2s")
	}
	if c.Kind > maxClass {
		r.Add("class", fmt.Sprintf("class %d", c.Kind), fmt.Sprintf("write 0 to %d", maxClass))
	}
	if k := c.Keys; k != nil && (k.Distinct < 1 || k.Distinct > MaxKeys) {
		r.Add("keys.distinct", fmt.Sprintf("%d keys", k.Distinct), fmt.Sprintf("write 1 to %d", MaxKeys))
	}
	if k := c.Keys; k != nil && k.Zipf > 3 {
		r.Add("keys.zipf", fmt.Sprintf("an exponent of %v leaves a handful of keys", k.Zipf), "write 0 to 3")
	}
	if c.Leave == "at_once" && c.Population == 0 {
		r.Add("leave", "requests that come at a rate have no users who could leave", "leave it out, or write a population")
	}
	if c.InTime > 0 && c.Call.GiveUp > 0 && c.InTime > c.Call.GiveUp+c.Call.Timeout {
		r.Warn("in_time", "the call gives up before an answer could be late", "")
	}
	checkProfile(c.Profile, c.Every, r)
	c.Call.check("call", r)
}

// Limits of what a file may ask for.
const (
	MaxPopulation = 1_000_000
	MaxKeys       = 10_000_000
	maxClass      = 7
)

// source makes requests.
type source struct {
	noCalls
	name    string
	net     *Net
	set     *sourceConfig
	self    des.Target
	out     *edge
	come    arrivals
	think   *des.Stream
	leaves  *des.Stream
	sizes   *des.Stream
	keys    *keyStream
	users   int // of a population, those besides included
	wanted  int // users of the population
	besides int // users who came because requests failed
	asked   []asking
	free    []uint32

	offered, good, late, failed *des.Counter
	left                        *des.Counter // requests of users who left at once, nil if none do
	inside                      *des.Gauge
	present                     *des.Gauge // users of a population
	latency                     *des.Spans
}

// asking is a request that was not answered yet.
type asking struct {
	since   des.Time
	request uint32 // of the edge
	open    bool
}

const (
	sourceArrival uint16 = iota // arg is the epoch
	sourceThought               // of a user of a population
)

func (c *sourceConfig) Build(b *Builder) Part {
	s := &source{
		name: b.Name(), net: b.Net, set: c,
		come:  arrivals{stream: b.Stream("arrivals"), regular: c.Arrivals == "regular", profile: newProfile(c.Profile, c.Every, b.Clock), due: 1},
		think: b.Stream("think"), sizes: b.Stream("sizes"), leaves: b.Stream("leave"),
		offered: b.Counter("offered"), good: b.Counter("good"), late: b.Counter("late"), failed: b.Counter("failed"),
		inside: b.Gauge("waiting", "requests"), latency: b.Spans("latency"),
	}
	s.self = b.Register(s)
	s.out = b.Edge(s, 0, "call", &c.Call)
	if c.Keys != nil {
		s.keys = newKeyStream(b.Stream("keys"), c.Keys)
	}
	s.setRate(float64(c.Rate))
	b.Knob(Knob{
		Name: "rate", Unit: "1/s", About: "requests that arrive a second",
		Get: s.come.rate, Set: s.setRate,
		Worst: &Worst{Value: 3, Times: true, About: named(s.name, "%s sends three times as much", "%s의 요청이 세 배가 된다")},
		Remedies: []Remedy{
			{Value: 0.5, Times: true, About: named(s.name, "half of the requests of %s turned away", "%s의 요청 절반을 돌려보낸다"), Cost: 5},
			{Value: 0, About: named(s.name, "all requests of %s turned away", "%s의 요청을 모두 돌려보낸다"), Cost: 10},
		},
	})
	if c.Population > 0 {
		s.wanted, s.present = int(c.Population), b.Gauge("users", "users")
		b.Knob(Knob{
			Name: "population", Unit: "users", About: "users who ask, think, and ask again; those who are too many leave once they have an answer",
			Get: func() float64 { return float64(s.wanted) },
			Set: s.setPopulation,
		})
	}
	if c.Leave == "at_once" {
		s.left = b.Counter("left")
	}
	b.Law("requests are conserved", s.conserved)
	b.Start(s.fill)
	return s
}

// fill lets the users come who are wanted and not there.
func (s *source) fill() {
	for s.users < s.wanted+s.besides {
		s.setUsers(1)
		s.net.Sim.After(s.set.Think.Span(s.think), s.self, sourceThought, 0)
	}
}

func (s *source) setUsers(n int) {
	s.users += n
	s.present.Set(int64(s.users))
}

// setPopulation changes how many users are wanted.
func (s *source) setPopulation(x float64) {
	s.wanted = int(min(max(x, 0), MaxPopulation))
	s.besides = min(s.besides, s.mostBesides())
	s.fill()
	s.leave()
}

// mostBesides is how many users may come because requests fail.
func (s *source) mostBesides() int {
	return int(int64(s.set.Overflow) * int64(s.wanted) / int64(s.set.Population))
}

// goOn lets a user think after an answer, or leave where there are too many. A
// failure may bring one more.
func (s *source) goOn(o Outcome) {
	switch {
	case o == OK && s.besides > 0:
		s.besides--
	case o != OK && s.besides < s.mostBesides() && s.users <= s.wanted+s.besides:
		s.besides++
		s.fill()
	}
	if s.users > s.wanted+s.besides {
		s.setUsers(-1)
		return
	}
	s.net.Sim.After(s.set.Think.Span(s.think), s.self, sourceThought, 0)
}

// leave lets users go who are too many and wait for an answer, where they leave
// at once: any of them. Those who think leave when they would ask.
func (s *source) leave() {
	for s.left != nil && s.users > s.wanted+s.besides && s.inside.Value() > 0 {
		slot := s.leaves.IntN(len(s.asked))
		for !s.asked[slot].open {
			slot = (slot + 1) % len(s.asked)
		}
		s.asked[slot].open = false
		s.inside.Add(-1)
		s.left.Inc()
		s.setUsers(-1)
		s.out.withdraw(s.asked[slot].request, uint32(slot))
		s.free = append(s.free, uint32(slot))
	}
}

// offeredRate is the rate at a time of the profile, or for a population the most
// that it can offer.
func (s *source) offeredRate(t des.Time) float64 {
	if s.set.Population > 0 {
		return float64(float64(s.set.Population)*1e9) / s.set.Think.Mean()
	}
	rate := s.come.rate()
	if p := s.come.profile; p != nil {
		at, _ := p.place(t - p.clock)
		rate = float64(rate * p.shareAt(at))
	}
	return rate
}

// setRate changes how many requests come.
func (s *source) setRate(perSecond float64) {
	if s.set.Population > 0 {
		perSecond = 0
	}
	if s.come.set(s.net.Sim.Now(), perSecond) {
		s.schedule()
	}
}

// schedule lets the next request come when it is due.
func (s *source) schedule() {
	if gap, ok := s.come.gap(); ok {
		s.net.Sim.After(gap, s.self, sourceArrival, s.come.epoch)
	}
}

// Handle receives the events of the source.
func (s *source) Handle(kind uint16, arg uint32) {
	if kind == sourceArrival {
		if arg != s.come.epoch {
			return
		}
		s.come.next(s.net.Sim.Now())
		s.schedule()
	}
	if s.left != nil && s.users > s.wanted+s.besides {
		s.setUsers(-1)
		return
	}
	s.ask()
}

func (s *source) ask() {
	var slot uint32
	if k := len(s.free); k > 0 {
		slot = s.free[k-1]
		s.free = s.free[:k-1]
	} else {
		s.asked = append(s.asked, asking{})
		slot = uint32(len(s.asked) - 1)
	}
	now := s.net.Sim.Now()
	s.asked[slot] = asking{since: now, open: true}
	s.offered.Inc()
	s.inside.Add(1)
	w := want{token: slot, kind: uint8(s.set.Kind), size: float32(s.set.Size.Draw(s.sizes)), deadline: des.Never}
	if s.set.InTime > 0 {
		w.deadline = now + s.set.InTime.Time()
	}
	if s.keys != nil {
		w.key = s.keys.next()
	}
	request := s.out.ask(w)
	s.asked[slot].request = request
}

// Ended takes the end of a request.
func (s *source) Ended(_ int, slot uint32, o Outcome) {
	took := s.net.Sim.Now() - s.asked[slot].since
	s.asked[slot].open = false
	s.free = append(s.free, slot)
	s.inside.Add(-1)
	switch {
	case o != OK:
		s.failed.Inc()
	case s.set.InTime > 0 && took > s.set.InTime.Time():
		s.late.Inc()
	default:
		s.good.Inc()
		s.latency.Measure(took)
	}
	if s.set.Population > 0 {
		s.goOn(o)
	}
}

func (s *source) conserved() error {
	ended := s.good.Total() + s.late.Total() + s.failed.Total()
	if s.left != nil {
		ended += s.left.Total()
	}
	if inside := s.inside.Value(); s.offered.Total() != ended+inside {
		return fmt.Errorf("%d were offered, %d have ended and %d wait", s.offered.Total(), ended, inside)
	}
	return nil
}

func (s *source) brings() Load {
	l := Load{
		Kind: Requests, Offered: s.offered.Total(), Good: s.good.Total(), Late: s.late.Total(),
		Failed: s.failed.Total(), Waiting: s.inside.Value(), Attempts: s.out.attempts.Total(),
	}
	if s.left != nil {
		l.Failed += s.left.Total()
	}
	return l
}

// Goodput sums up the requests of one source since the start of a run.
type Goodput struct {
	Source                               string
	Offered, Good, Late, Failed, Waiting int64
	Mean, P99                            float64 // latency of good answers in seconds
}

// Goodput returns the sums of all sources in the order of the parts.
func (n *Net) Goodput() []Goodput {
	var all []Goodput
	for _, p := range n.parts {
		if s, ok := p.(*source); ok {
			all = append(all, Goodput{
				Source: s.name, Offered: s.offered.Total(), Good: s.good.Total(), Late: s.late.Total(),
				Failed: s.failed.Total(), Waiting: s.inside.Value(),
				Mean: s.latency.Mean(), P99: s.latency.Quantile(0.99),
			})
		}
	}
	return all
}
