package parts

import (
	"fmt"
	"math"

	"github.com/openprecedent/precedent/internal/sim/des"
)

var concurrencyKind = Kind{
	Name: "concurrency",
	About: "A limit of the calls that are under way to another part, fixed or found out from its answers. " +
		"Further calls are refused, or wait where there is room.",
	New:      func() Config { return new(concurrencyConfig) },
	Callable: true,
	Begins:   true,
}

var bulkheadKind = Kind{
	Name: "bulkhead",
	About: "A limit of the calls that are under way to another part for each class of requests or for each caller, " +
		"so that one of them cannot take all.",
	New:      func() Config { return new(bulkheadConfig) },
	Callable: true,
	Begins:   true,
}

type concurrencyConfig struct {
	Limit   Count   `yaml:"limit" doc:"calls that may be under way; where the limit adapts, at first" required:"true"`
	Adapt   *adapt  `yaml:"adapt" doc:"lets the limit follow the answers; without it, it is fixed"`
	Room    Limit   `yaml:"room" doc:"calls that may wait until they may pass" default:"0"`
	Order   Order   `yaml:"order" doc:"who passes next; class serves the lowest class first, adaptive-lifo the last one once more wait than are served at once" default:"fifo"`
	Expired Expired `yaml:"expired" doc:"what happens when its turn comes to a call whose caller has stopped waiting" default:"run"`
	Call    Call    `yaml:"call" doc:"what calls are passed on to" required:"true"`
}

type bulkheadConfig struct {
	By      Apart   `yaml:"by" doc:"what calls are kept apart by" default:"class"`
	Limit   Count   `yaml:"limit" doc:"calls of each that may be under way" required:"true"`
	Room    Limit   `yaml:"room" doc:"calls of each that may wait until they may pass" default:"0"`
	Order   Order   `yaml:"order" doc:"who passes next; class serves the lowest class first, adaptive-lifo the last one once more wait than are served at once" default:"fifo"`
	Expired Expired `yaml:"expired" doc:"what happens when its turn comes to a call whose caller has stopped waiting" default:"run"`
	Call    Call    `yaml:"call" doc:"what calls are passed on to" required:"true"`
}

// Apart says what calls are kept apart by.
type Apart string

// UnmarshalText reads what calls are kept apart by.
func (a *Apart) UnmarshalText(text []byte) error {
	return oneOf((*string)(a), string(text), a.Words()...)
}

// Words returns the words that may stand.
func (*Apart) Words() []string { return []string{"class", "caller"} }

// adapt says how a limit follows the answers. With aimd it rises by one for as
// many answers as it lets through, and falls by a share when a call fails or
// takes too long, as the window of TCP does. With gradient it follows the ratio
// of the usual time of calls to their present one, and leaves room for a line of
// the square root of the limit (Gradient2 of Netflix concurrency-limits).
type adapt struct {
	By      AdaptBy  `yaml:"by" doc:"how the limit follows the answers" default:"aimd"`
	Least   Count    `yaml:"least" doc:"lowest limit" default:"1"`
	Most    Count    `yaml:"most" doc:"highest limit" default:"1000"`
	TooLong Duration `yaml:"too_long" doc:"with aimd, an answer after this counts as a failure; 0 takes every answer"`
	Fall    Share    `yaml:"fall" doc:"with aimd, share of the limit that remains after a failure" default:"90%"`
	Slack   Factor   `yaml:"slack" doc:"with gradient, how much longer than usual calls may take before the limit falls" default:"1.5x"`
}

// AdaptBy is a way to adapt a limit.
type AdaptBy string

// UnmarshalText reads a way to adapt a limit.
func (a *AdaptBy) UnmarshalText(text []byte) error {
	return oneOf((*string)(a), string(text), a.Words()...)
}

// Words returns the words that may stand.
func (*AdaptBy) Words() []string { return []string{"aimd", "gradient"} }

func (c *concurrencyConfig) Ports() []Port { return []Port{{Name: "call", Call: &c.Call}} }
func (c *bulkheadConfig) Ports() []Port    { return []Port{{Name: "call", Call: &c.Call}} }

func (c *concurrencyConfig) Instant() bool { return true }
func (c *bulkheadConfig) Instant() bool    { return true }

func (c *concurrencyConfig) Check(r *Report) {
	checkLimit(c.Limit, r)
	if a := c.Adapt; a != nil {
		if a.Least < 1 || a.Least > a.Most || a.Most > maxWorkers {
			r.Add("adapt.least", fmt.Sprintf("a limit from %d to %d", a.Least, a.Most), fmt.Sprintf("write 1 to %d, the lower one first", maxWorkers))
		} else if c.Limit < a.Least || c.Limit > a.Most {
			r.Add("limit", fmt.Sprintf("%d is not from %d to %d", c.Limit, a.Least, a.Most), "begin between the bounds of adapt")
		}
		if a.Slack < 1 {
			r.Add("adapt.slack", fmt.Sprintf("with a slack of %v the limit falls while calls are as fast as usual", a.Slack), "write 1 or more")
		}
	}
	c.Call.check("call", r)
}

func (c *bulkheadConfig) Check(r *Report) {
	checkLimit(c.Limit, r)
	c.Call.check("call", r)
}

func checkLimit(n Count, r *Report) {
	if n < 1 || n > maxWorkers {
		r.Add("limit", fmt.Sprintf("%d calls under way", n), fmt.Sprintf("write 1 to %d", maxWorkers))
	}
}

// limiter limits the calls under way in each of its boxes: one, or one for each
// class or caller.
type limiter struct {
	passage
	noEvents
	boxes   []limitBox
	empty   limitBox
	room    int
	expired Expired
	box     func(c *call) uint32
	limit   float64
	adapt   *adapt

	usual  float64  // seconds that calls take, over many of them
	sum    float64  // seconds that calls took since the limit was last adapted to them
	count  int      // of those calls
	fell   des.Time // when the limit fell last
	limits *des.Gauge
}

type limitBox struct {
	busy int
	line line
}

// noEvents is embedded by parts that schedule none.
type noEvents struct{}

// Handle panics: such a part schedules no events.
func (noEvents) Handle(uint16, uint32) { panic("parts: an event has come that nobody scheduled") }

func (c *concurrencyConfig) Build(b *Builder) Part {
	s := newLimiter(b, c.Limit, c.Room, c.Order, c.Expired)
	s.adapt = c.Adapt
	s.box = func(*call) uint32 { return 0 }
	s.join(b, s, &c.Call)
	return s
}

func (c *bulkheadConfig) Build(b *Builder) Part {
	s := newLimiter(b, c.Limit, c.Room, c.Order, c.Expired)
	s.box = func(c *call) uint32 { return uint32(min(c.kind, maxClass)) }
	if c.By == "caller" {
		s.box = func(c *call) uint32 { return uint32(c.edge) }
	}
	s.join(b, s, &c.Call)
	return s
}

func newLimiter(b *Builder, limit Count, room Limit, order Order, expired Expired) *limiter {
	s := &limiter{
		passage: newPassage(b), limit: float64(limit), room: int(room), expired: expired,
		empty: limitBox{line: newLine(b, order)}, fell: -1, limits: b.Gauge("limit", "calls"),
	}
	s.empty.line.many = int(limit)
	s.limits.Set(int64(limit))
	b.Knob(Knob{
		Name: "limit", Unit: "calls", About: "calls that may be under way",
		Get: func() float64 { return s.limit },
		Set: func(x float64) {
			s.setLimit(min(max(x, 0), maxWorkers))
			for box := range s.boxes {
				s.serve(uint32(box))
			}
		},
	})
	return s
}

func (s *limiter) setLimit(x float64) {
	s.limit = x
	s.limits.Set(int64(x))
}

// Arrive lets a call pass, wait, or go away.
func (s *limiter) Arrive(c CallID) {
	v := s.take(c)
	box := s.box(s.net.call(c))
	for int(box) >= len(s.boxes) {
		s.boxes = append(s.boxes, s.empty)
	}
	s.rows[v].box = box
	x := &s.boxes[box]
	switch {
	case x.line.len() == 0 && x.busy < int(s.limit):
		x.busy++
		s.pass(v)
	case x.line.len() < s.room:
		x.line.push(s.net, c)
		s.queue.Add(1)
	default:
		s.refuse(v)
	}
}

// Ended gives back an answer and lets others pass.
func (s *limiter) Ended(_ int, v uint32, o Outcome) {
	box := s.rows[v].box
	if s.adapt != nil {
		s.learn(o, s.rows[v].since)
	}
	s.boxes[box].busy--
	s.answer(v, o)
	s.serve(box)
}

func (s *limiter) serve(box uint32) {
	for s.boxes[box].line.len() > 0 && s.boxes[box].busy < int(s.limit) {
		v := s.net.call(s.boxes[box].line.pop(s.net)).local
		s.queue.Add(-1)
		if !s.inVain(v, s.expired) {
			s.boxes[box].busy++
			s.pass(v)
		}
	}
}

// Withdraw ends a call.
func (s *limiter) Withdraw(c CallID) {
	v := s.net.call(c).local
	box := s.rows[v].box
	if s.rows[v].state == passWaiting {
		s.boxes[box].line.remove(s.net, c)
		s.queue.Add(-1)
		s.withdraw(v)
		return
	}
	s.boxes[box].busy--
	s.withdraw(v)
	s.serve(box)
}

// learn adapts the limit to the answer to a call that was passed on at an
// instant.
func (s *limiter) learn(o Outcome, since des.Time) {
	now := s.net.Sim.Now()
	took := (now - since).Seconds()
	busy := float64(2*s.boxes[0].busy) >= s.limit // else the limit is not what holds calls back
	a := s.adapt
	if a.By == "gradient" {
		if o == OK {
			s.sum += took
			s.count++
		}
		if s.count >= max(gradientLeast, int(s.limit)) && s.sum > 0 {
			s.gradient(s.sum/float64(s.count), busy)
			s.sum, s.count = 0, 0
		}
		return
	}
	if o != OK || a.TooLong > 0 && now-since > a.TooLong.Time() {
		if since > s.fell { // calls that were under way at the last fall tell nothing new
			s.fell = now
			s.setLimit(max(float64(s.limit*float64(a.Fall)), float64(a.Least)))
		}
		return
	}
	if busy {
		s.setLimit(min(s.limit+1/s.limit, float64(a.Most)))
	}
}

// Constants of Gradient2: over how many answers a time is averaged at least, over
// how many of those averages the usual time is, and what a new limit weighs
// against the old one.
const (
	gradientLeast  = 10
	gradientOver   = 600
	gradientWeight = 0.2
)

func (s *limiter) gradient(took float64, busy bool) {
	if s.usual == 0 {
		s.usual = took
	}
	s.usual += (took - s.usual) / gradientOver
	if s.usual > float64(2*took) { // it was learned in a time of overload
		s.usual = float64(0.95 * s.usual)
	}
	if !busy {
		return
	}
	ratio := max(0.5, min(1, float64(float64(s.adapt.Slack)*s.usual)/took))
	next := float64(s.limit*ratio) + math.Sqrt(s.limit)
	next = float64(s.limit*(1-gradientWeight)) + float64(next*gradientWeight)
	s.setLimit(min(max(next, float64(s.adapt.Least)), float64(s.adapt.Most)))
}
