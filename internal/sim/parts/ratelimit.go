package parts

import (
	"fmt"
	"math"

	"github.com/openprecedent/precedent/internal/sim/des"
)

var ratelimitKind = Kind{
	Name: "ratelimit",
	About: "A limit of the rate of calls by a token bucket: tokens come at a rate up to a burst, and a call takes one. " +
		"Without a token it is refused, or waits where there is room.",
	New:      func() Config { return new(ratelimitConfig) },
	Callable: true,
	Begins:   true,
}

type ratelimitConfig struct {
	Rate    Rate    `yaml:"rate" doc:"calls that pass on average, at most" required:"true"`
	Burst   Count   `yaml:"burst" doc:"calls that pass at once after a quiet time" default:"1"`
	Room    Limit   `yaml:"room" doc:"calls that may wait for a token" default:"0"`
	Order   Order   `yaml:"order" doc:"who gets the next token; class serves the lowest class first, adaptive-lifo the last one once more wait than are served at once" default:"fifo"`
	Expired Expired `yaml:"expired" doc:"what happens when its turn comes to a call whose caller has stopped waiting" default:"run"`
	Call    Call    `yaml:"call" doc:"what calls are passed on to" required:"true"`
}

func (c *ratelimitConfig) Ports() []Port { return []Port{{Name: "call", Call: &c.Call}} }

func (c *ratelimitConfig) Instant() bool { return true }

func (c *ratelimitConfig) Check(r *Report) {
	if c.Rate == 0 {
		r.Add("rate", "nothing passes", "write a rate such as 100/s; a change can set it to 0 for a time")
	}
	if c.Burst < 1 || c.Burst > MaxCount {
		r.Add("burst", fmt.Sprintf("a burst of %d", c.Burst), "write 1 or more")
	}
	c.Call.check("call", r)
}

// ratelimit is a token bucket.
type ratelimit struct {
	passage
	set    *ratelimitConfig
	self   des.Target
	line   line
	rate   float64 // tokens a second
	tokens float64
	asOf   des.Time // when the tokens were counted
	due    des.Time // of the event for the next token, des.Never if there is none
}

func (c *ratelimitConfig) Build(b *Builder) Part {
	s := &ratelimit{
		passage: newPassage(b), set: c, rate: float64(c.Rate), tokens: float64(c.Burst), due: des.Never,
		line: newLine(b, c.Order),
	}
	s.line.many = int(c.Burst)
	s.self = b.Register(s)
	s.join(b, s, &c.Call)
	b.Knob(Knob{
		Name: "rate", Unit: "1/s", About: "calls that pass on average, at most; 0 lets none pass",
		Get: func() float64 { return s.rate },
		Set: func(x float64) { s.count(); s.rate = max(x, 0); s.serve() },
	})
	return s
}

// count adds the tokens that have come.
func (s *ratelimit) count() {
	now := s.net.Sim.Now()
	s.tokens = min(s.tokens+float64((now-s.asOf).Seconds()*s.rate), float64(s.set.Burst))
	s.asOf = now
}

// whole is a token, but for what rounding to nanoseconds may lack.
const whole = 1 - 1e-6

// Arrive lets a call pass, wait, or go away.
func (s *ratelimit) Arrive(c CallID) {
	v := s.take(c)
	s.count()
	switch {
	case s.line.len() == 0 && s.tokens >= whole:
		s.tokens--
		s.pass(v)
	case s.line.len() < int(s.set.Room):
		s.line.push(s.net, c)
		s.queue.Set(int64(s.line.len()))
		s.arm()
	default:
		s.refuse(v)
	}
}

// arm schedules the next token for those who wait.
func (s *ratelimit) arm() {
	if s.line.len() == 0 || s.rate == 0 {
		return
	}
	lacking := float64(1e9*(1-s.tokens)) / s.rate
	at := s.asOf + des.FromNanoseconds(math.Ceil(lacking))
	if s.due > at || s.due < s.asOf {
		s.due = at
		s.net.Sim.At(at, s.self, 0, 0)
	}
}

// Handle gives a token that has come to who is next.
func (s *ratelimit) Handle(uint16, uint32) {
	if s.due == s.net.Sim.Now() {
		s.due = des.Never
		s.count()
		s.serve()
	}
}

func (s *ratelimit) serve() {
	for s.line.len() > 0 && s.tokens >= whole {
		v := s.net.call(s.line.pop(s.net)).local
		s.queue.Set(int64(s.line.len()))
		if !s.inVain(v, s.set.Expired) {
			s.tokens--
			s.pass(v)
		}
	}
	s.arm()
}

// Ended gives back an answer.
func (s *ratelimit) Ended(_ int, v uint32, o Outcome) { s.answer(v, o) }

// Withdraw ends a call.
func (s *ratelimit) Withdraw(c CallID) {
	v := s.net.call(c).local
	if s.rows[v].state == passWaiting {
		s.line.remove(s.net, c)
		s.queue.Set(int64(s.line.len()))
	}
	s.withdraw(v)
}
