package parts

import (
	"fmt"

	"github.com/openprecedent/precedent/internal/sim/des"
)

var serverKind = Kind{
	Name: "server",
	About: "A pool of workers with a waiting room: a service, its threads, a database. " +
		"A call takes a worker, works, makes its own calls, and is answered.",
	New:      func() Config { return new(serverConfig) },
	Callable: true,
	Begins:   true,
}

type serverConfig struct {
	Workers  Count    `yaml:"workers" doc:"calls that are worked on at once" default:"1"`
	Room     Limit    `yaml:"room" doc:"calls that may wait for a worker" default:"unlimited"`
	Order    Order    `yaml:"order" doc:"who is served next; class serves the lowest class first, adaptive-lifo the last one once more wait than are served at once" default:"fifo"`
	Full     Full     `yaml:"when_full" doc:"what happens to a call that finds no room: drop gives no answer" default:"refuse"`
	MaxWait  Spread   `yaml:"max_wait" doc:"how long a call waits for a worker before it is refused; 0 sets no limit" default:"0"`
	Codel    *codel   `yaml:"codel" doc:"refuses calls that have waited for long (controlled delay)"`
	Expired  Expired  `yaml:"expired" doc:"what happens when its turn comes to a call whose caller has stopped waiting" default:"run"`
	Hopeless Expired  `yaml:"hopeless" doc:"what happens when its turn comes to a call whose work would end after its caller has stopped waiting" default:"run"`
	Work     Spread   `yaml:"work" doc:"time a worker takes for a call, waiting for others apart" required:"true"`
	PerSize  Duration `yaml:"work_per_size" doc:"time added for each unit of a call's size"`
	Calls    []Call   `yaml:"calls" doc:"what is called after the work"`
	Together bool     `yaml:"together" doc:"the calls are made all at once, not one after the other"`
	After    Spread   `yaml:"work_after" doc:"time a worker takes after the calls" default:"0"`
	Release  bool     `yaml:"release" doc:"a worker does not wait for the calls but serves others meanwhile"`
}

func (c *serverConfig) Ports() []Port {
	ports := make([]Port, len(c.Calls))
	for i := range c.Calls {
		ports[i] = Port{Name: fmt.Sprintf("calls[%d]", i), Call: &c.Calls[i]}
	}
	return ports
}

func (c *serverConfig) Instant() bool { return c.Work.Mean() == 0 && c.PerSize == 0 }

func (c *serverConfig) Check(r *Report) {
	if c.Workers < 1 || c.Workers > maxWorkers {
		r.Add("workers", fmt.Sprintf("%d workers", c.Workers), fmt.Sprintf("write 1 to %d", maxWorkers))
	}
	if len(c.Calls) > maxCalls {
		r.Add("calls", fmt.Sprintf("%d calls", len(c.Calls)), fmt.Sprintf("write at most %d", maxCalls))
	}
	if c.Codel != nil {
		c.Codel.check(c.Order, r)
	}
	for i := range c.Calls {
		c.Calls[i].check(fmt.Sprintf("calls[%d]", i), r)
	}
	if c.Release && len(c.Calls) == 0 {
		r.Warn("release", "there are no calls to wait for", "leave it out")
	}
}

const (
	maxWorkers = 1_000_000
	maxCalls   = 32
)

// server serves calls with a limited number of workers.
type server struct {
	net     *Net
	set     *serverConfig
	self    des.Target
	outs    []*edge
	line    line
	emptied des.Time    // when the line was empty last
	limit   *des.Alarms // ends of waits, nil where they have none
	work    *des.Stream
	after   *des.Stream
	waits   *des.Stream

	name    string
	room    int
	workers int
	busy    int // may exceed workers after some were taken away
	speed   float64
	down    bool
	jobs    []job
	slots   []uint32 // of the requests: one for each call of each job
	free    []uint32

	arrived, done, refused, dropped, expired, withdrawn *des.Counter
	failed                                              *des.Counter
	queue, inWork, waiting                              *des.Gauge
	wasted                                              *des.Counter // answers that nobody waited for
	wait                                                *des.Spans
}

// job is a call that has had a worker.
type job struct {
	call   CallID
	end    des.Time // of the work under way, at the current speed
	left   float64  // nanoseconds of work at full speed, while stalled
	stage  stage
	next   int8 // the call to make next
	open   int8 // calls that were not answered yet
	failed bool
}

// The events of a server.
const (
	serverWorked uint16 = iota // arg is the job
	serverWaited               // arg is the call
)

type stage uint8

const (
	idle stage = iota
	working
	calling
	finishing
)

func (c *serverConfig) Build(b *Builder) Part {
	s := &server{
		net: b.Net, name: b.Name(), set: c, room: int(c.Room), workers: int(c.Workers), speed: 1,
		work: b.Stream("work"), after: b.Stream("work_after"),
		arrived: b.Counter("arrived"), done: b.Counter("done"), failed: b.Counter("failed"), refused: b.Counter("refused"),
		dropped: b.Counter("dropped"), expired: b.Counter("expired"), withdrawn: b.Counter("withdrawn"),
		wasted: b.Counter("wasted"),
		queue:  b.Gauge("queue", "calls"), inWork: b.Gauge("busy", "workers"), waiting: b.Gauge("calling", "calls"),
		wait: b.Spans("wait"),
	}
	s.line = newLine(b, c.Order)
	s.line.many = int(c.Workers)
	s.self = b.Register(s)
	if c.MaxWait.Mean() > 0 {
		s.limit, s.waits = b.Net.Sim.Alarms(s.self, serverWaited), b.Stream("max_wait")
	}
	for i := range c.Calls {
		s.outs = append(s.outs, b.Edge(s, i, fmt.Sprintf("calls[%d]", i), &c.Calls[i]))
	}
	s.addKnobs(b)
	b.Law("calls are conserved", s.conserved)
	mean := c.Work.Mean() + c.After.Mean()
	b.Slow(des.FromNanoseconds(mean))
	if c.Room != Unlimited {
		b.Slow(des.FromNanoseconds(float64(mean*float64(c.Room)) / float64(c.Workers)))
	}
	return s
}

// Arrive takes a call: to a free worker, to the waiting room, or not at all.
func (s *server) Arrive(c CallID) {
	s.arrived.Inc()
	if s.down {
		s.refused.Inc()
		s.net.Reply(c, Refused)
		return
	}
	s.net.call(c).local = inLine
	if s.busy < s.workers && s.line.len() == 0 {
		if span := s.span(c); s.hopeful(c, span) {
			s.wait.Measure(0)
			s.take(c, span)
		}
		return
	}
	s.shed()
	if s.line.len() >= s.room {
		if s.set.Full == "drop" {
			s.dropped.Inc()
			s.net.Drop(c)
			return
		}
		s.refused.Inc()
		s.net.Reply(c, Refused)
		return
	}
	if s.line.len() == 0 {
		s.emptied = s.net.Sim.Now()
	}
	s.line.push(s.net, c)
	if s.limit != nil {
		s.net.call(c).alarm = s.limit.Start(s.set.MaxWait.Span(s.waits), uint32(c))
	}
	s.queue.Set(int64(s.line.len()))
}

// next takes who is next from the line.
func (s *server) next() CallID {
	c := s.line.pop(s.net)
	s.left(c)
	return c
}

// left keeps the books of a call that has left the line.
func (s *server) left(c CallID) {
	if s.limit != nil {
		s.limit.Cancel(s.net.call(c).alarm)
	}
	if s.line.len() == 0 {
		s.emptied = s.net.Sim.Now()
	}
	s.queue.Set(int64(s.line.len()))
}

// inLine marks a call that waits for a worker; another one has its job there.
const inLine = ^uint32(0)

// serve gives free workers to those who wait.
func (s *server) serve() {
	s.shed()
	for s.busy < s.workers && s.line.len() > 0 {
		c := s.next()
		call := s.net.call(c)
		if s.set.Expired == "drop" && (call.abandon || call.deadline < s.net.Sim.Now()) {
			s.expired.Inc()
			s.net.Drop(c)
			continue
		}
		if span := s.span(c); s.hopeful(c, span) {
			s.wait.Measure(s.net.Sim.Now() - s.net.call(c).since)
			s.take(c, span)
		}
	}
}

func (s *server) setBusy(n int) {
	s.busy += n
	s.inWork.Set(int64(s.busy))
}

// Handle receives the end of a call's wait, or of a job's work. An event of work whose time is not that of
// the job is from before a change of speed, or of a job that was withdrawn.
func (s *server) Handle(kind uint16, j uint32) {
	if kind == serverWaited {
		c := CallID(j)
		s.line.remove(s.net, c)
		s.queue.Set(int64(s.line.len()))
		s.refused.Inc()
		s.net.Reply(c, Refused)
		return
	}
	jb := &s.jobs[j]
	if jb.end != s.net.Sim.Now() {
		return
	}
	switch jb.stage {
	case working:
		s.callOut(j)
	case finishing:
		s.answer(j)
	}
}

// Withdraw stops what is done for a call.
func (s *server) Withdraw(c CallID) {
	call := s.net.call(c)
	s.withdrawn.Inc()
	if call.local == inLine {
		s.line.remove(s.net, c)
		s.left(c)
		s.net.Drop(c)
		return
	}
	holds := s.stop(call.local)
	s.net.Drop(c)
	if holds {
		s.serve()
	}
}

func (s *server) conserved() error {
	out := s.done.Total() + s.failed.Total() + s.refused.Total() + s.dropped.Total() + s.expired.Total() + s.withdrawn.Total()
	inside := int64(s.line.len()) + s.inWork.Value()
	if s.set.Release {
		inside += s.waiting.Value()
	}
	if s.arrived.Total() != out+inside {
		return fmt.Errorf("%d arrived, %d have left and %d are inside", s.arrived.Total(), out, inside)
	}
	return nil
}
