package parts

import (
	"fmt"

	"github.com/openprecedent/precedent/internal/sim/des"
)

// What a process writes by the way, such as logs and traces, is buffered and sent
// in batches. What happens when the buffer is full decides whether an outage of
// the other side stays there: a blocking writer stops with it, a non-blocking one
// loses what it would have written.
var bufferKind = Kind{
	Name: "buffer",
	About: "A bounded buffer that takes what is written to it at once and sends it on in batches: a log driver, an agent, a " +
		"write-behind cache. When it is full, writers wait, or what they write is lost.",
	New:      func() Config { return new(bufferConfig) },
	Callable: true,
}

type bufferConfig struct {
	Room  Count    `yaml:"room" doc:"calls whose content is held at most, batches under way included" required:"true"`
	Full  WhenFull `yaml:"when_full" doc:"what happens to a call that finds no room: block, it waits until there is some, or lose, it succeeds and its content is lost" default:"block"`
	Batch Count    `yaml:"batch" doc:"calls whose content is sent together at most" default:"100"`
	Every Duration `yaml:"every" doc:"how long content waits for a full batch" default:"1s"`
	Lanes Count    `yaml:"lanes" doc:"batches under way at once" default:"1"`
	Keep  bool     `yaml:"keep" doc:"a batch that could not be sent is sent again after a while, else it is lost" default:"true"`
	Retry Backoff  `yaml:"retry" doc:"how long that is"`
	Call  Call     `yaml:"call" doc:"where batches are sent; their size is the number of calls in them" required:"true"`
}

// WhenFull says what happens to what is written to a full buffer.
type WhenFull string

// UnmarshalText reads what happens to what is written to a full buffer.
func (w *WhenFull) UnmarshalText(text []byte) error {
	return oneOf((*string)(w), string(text), w.Words()...)
}

// Words returns the words that may stand.
func (*WhenFull) Words() []string { return []string{"block", "lose"} }

func (c *bufferConfig) Ports() []Port { return []Port{{Name: "call", Call: &c.Call}} }

// Instant reports true: a call is answered, and a full batch sent, at once.
func (c *bufferConfig) Instant() bool { return true }

func (c *bufferConfig) Check(r *Report) {
	if c.Room < 1 {
		r.Add("room", "the buffer holds nothing", "write how many calls it holds, such as 10k")
	}
	if c.Batch < 1 || c.Batch > c.Room {
		r.Add("batch", fmt.Sprintf("batches of %d in a room of %d", c.Batch, c.Room), "write 1 or more, and no more than the room")
	}
	if c.Lanes < 1 || c.Lanes > maxLanes {
		r.Add("lanes", fmt.Sprintf("%d batches at once", c.Lanes), fmt.Sprintf("write 1 to %d", maxLanes))
	}
	if c.Every == 0 && c.Batch > 1 {
		r.Warn("every", "nothing waits for a full batch", "write a batch of 1, or how long content waits")
	}
	if c.Keep && c.Retry.First == 0 {
		r.Add("retry.first", "a batch that is refused would be sent again at once, without end", "write a wait such as 1s")
	}
	checkBackoff("retry", &c.Retry, r)
	c.Call.check("call", r)
}

const maxLanes = 10_000

// buffer holds what was written, as a number, and the writers that wait.
type buffer struct {
	net   *Net
	set   *bufferConfig
	self  des.Target
	out   *edge
	waits *des.Stream
	line  line // of blocked calls

	room    int64
	lose    bool
	ready   int64  // held and in no batch
	sending int64  // in batches
	timer   uint32 // number of the wait for a full batch: events of earlier ones are void
	timing  bool
	due     bool // what is ready has waited for long enough
	lanes   []lane
	idle    []uint32

	arrived, taken, lost, written, lostBatch, withdrawn *des.Counter
	held, blocked                                       *des.Gauge
	wait                                                *des.Spans
}

// lane is a batch under way.
type lane struct {
	n     int64
	tries int
}

const (
	bufferDue uint16 = iota
	bufferRetry
)

func (c *bufferConfig) Build(b *Builder) Part {
	s := &buffer{
		net: b.Net, set: c, waits: b.Stream("retry"), line: newLine(b, "fifo"), room: int64(c.Room), lose: c.Full == "lose",
		lanes:   make([]lane, c.Lanes),
		arrived: b.Counter("arrived"), taken: b.Counter("taken"), lost: b.Counter("lost"), written: b.Counter("written"),
		lostBatch: b.Counter("lost_sent"), withdrawn: b.Counter("withdrawn"),
		held: b.Gauge("held", "calls"), blocked: b.Gauge("blocked", "calls"), wait: b.Spans("wait"),
	}
	for i := range s.lanes {
		s.idle = append(s.idle, uint32(len(s.lanes)-1-i))
	}
	s.self = b.Register(s)
	s.out = b.Edge(s, 0, "call", &c.Call)
	name := b.Name()
	b.Knob(Knob{
		Name: "lose", Unit: "1", About: "1 loses what finds no room, 0 lets it wait",
		Get:      func() float64 { return number(s.lose) },
		Set:      func(x float64) { s.lose = x > 0; s.admit() },
		Remedies: []Remedy{{Value: 1, About: named(name, "%s loses what it cannot hold", "%s에 담지 못하는 것을 버린다"), Cost: 2}},
	})
	b.Knob(Knob{
		Name: "room", Unit: "calls", About: "calls whose content is held at most",
		Get: func() float64 { return float64(s.room) },
		Set: func(x float64) { s.room = int64(min(max(x, 0), float64(Unlimited))); s.admit() },
	})
	b.Law("calls are conserved", s.conserved)
	b.Slow(c.Every.Time())
	return s
}

// Arrive takes what is written, lets it wait, or loses it.
func (s *buffer) Arrive(c CallID) {
	s.arrived.Inc()
	switch {
	case s.full() && s.lose:
		s.lost.Inc()
		s.net.Reply(c, OK)
		return
	case s.full() || s.line.len() > 0:
		s.line.push(s.net, c)
		s.blocked.Set(int64(s.line.len()))
		return
	}
	s.take(c)
	s.flush()
}

func (s *buffer) full() bool { return s.ready+s.sending >= s.room }

// take holds the content of a call, which is answered.
func (s *buffer) take(c CallID) {
	s.ready++
	s.taken.Inc()
	s.measure()
	s.wait.Measure(s.net.Sim.Now() - s.net.call(c).since)
	s.net.Reply(c, OK)
}

func (s *buffer) measure() { s.held.Set(s.ready + s.sending) }

// admit lets those who wait write as far as there is room, or lose what they
// have.
func (s *buffer) admit() {
	for s.line.len() > 0 && (s.lose || !s.full()) {
		c := s.line.pop(s.net)
		s.blocked.Set(int64(s.line.len()))
		if s.full() {
			s.lost.Inc()
			s.net.Reply(c, OK)
			continue
		}
		s.take(c)
	}
	s.flush()
}

// flush sends full batches, and what has waited for long enough.
func (s *buffer) flush() {
	for len(s.idle) > 0 && s.ready > 0 && (s.ready >= int64(s.set.Batch) || s.due || s.set.Every == 0) {
		i := s.idle[len(s.idle)-1]
		s.idle = s.idle[:len(s.idle)-1]
		n := min(s.ready, int64(s.set.Batch))
		s.ready -= n
		s.sending += n
		s.due, s.timing = false, false
		s.lanes[i] = lane{n: n}
		s.send(i)
	}
	if s.ready > 0 && !s.timing && !s.due {
		s.timing = true
		s.timer++
		s.net.Sim.After(s.set.Every.Time(), s.self, bufferDue, s.timer)
	}
}

func (s *buffer) send(i uint32) {
	s.out.ask(want{token: i, size: float32(s.lanes[i].n), deadline: des.Never})
}

// Handle receives the end of the wait for a full batch, and the time to send one
// again.
func (s *buffer) Handle(kind uint16, arg uint32) {
	if kind == bufferRetry {
		s.send(arg)
		return
	}
	if s.timing && arg == s.timer {
		s.timing, s.due = false, true
		s.flush()
	}
}

// Ended takes the end of a batch.
func (s *buffer) Ended(_ int, i uint32, o Outcome) {
	l := &s.lanes[i]
	if o != OK && s.set.Keep {
		l.tries = min(l.tries+1, maxRetries)
		s.net.Sim.After(max(s.set.Retry.wait(l.tries, s.waits), des.Microsecond), s.self, bufferRetry, i)
		return
	}
	if o == OK {
		s.written.Add(int(l.n))
	} else {
		s.lostBatch.Add(int(l.n))
	}
	s.sending -= l.n
	l.n = 0
	s.idle = append(s.idle, i)
	s.measure()
	s.admit()
}

// Withdraw lets a writer that waits go.
func (s *buffer) Withdraw(c CallID) {
	s.withdrawn.Inc()
	s.line.remove(s.net, c)
	s.blocked.Set(int64(s.line.len()))
	s.net.Drop(c)
}

func (s *buffer) conserved() error {
	if out := s.taken.Total() + s.lost.Total() + s.withdrawn.Total(); s.arrived.Total() != out+s.blocked.Value() {
		return fmt.Errorf("%d calls came, %d were taken, lost or withdrawn and %d wait", s.arrived.Total(), out, s.blocked.Value())
	}
	if out := s.written.Total() + s.lostBatch.Total(); s.taken.Total() != out+s.held.Value() {
		return fmt.Errorf("%d calls were taken, %d are sent or lost and %d held", s.taken.Total(), out, s.held.Value())
	}
	return nil
}
