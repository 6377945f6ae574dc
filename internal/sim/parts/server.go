package parts

import (
	"fmt"
	"math"

	"github.com/openprecedent/precedent/internal/bilingual"
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
	b.Knob(Knob{
		Name: "workers", Unit: "workers", About: "calls that are worked on at once",
		Get:      func() float64 { return float64(s.workers) },
		Set:      func(x float64) { s.workers = int(min(max(x, 0), maxWorkers)); s.serve() },
		Remedies: []Remedy{{Value: 2, Times: true, About: named(b.Name(), "twice the workers of %s", "%s의 작업자를 두 배로"), Cost: 3}},
	})
	b.Knob(Knob{
		Name: "speed", Unit: "1", About: "how fast work is done, 1 as described, 0 not at all",
		Get: func() float64 { return s.speed }, Set: s.setSpeed,
		Worst: &Worst{Value: 0, About: named(b.Name(), "%s stands still", "%s이(가) 멈춘다")},
	})
	b.Knob(Knob{
		Name: "clear", Unit: "1", Pulse: true, About: "refuses all calls that wait for a worker",
		Get: func() float64 { return 0 },
		Set: func(x float64) {
			if x > 0 {
				s.clear()
			}
		},
		Remedies: []Remedy{{Value: 1, About: named(b.Name(), "the queue of %s cleared", "%s의 대기열을 비운다"), Cost: 2}},
	})
	b.Start(func() { s.roomKnob(b) })
	b.Knob(Knob{
		Name: "down", Unit: "1", About: "1 ends all work at once and refuses calls until it is 0 again",
		Get: func() float64 { return number(s.down) }, Set: s.setDown,
	})
	b.Law("calls are conserved", s.conserved)
	mean := c.Work.Mean() + c.After.Mean()
	b.Slow(des.FromNanoseconds(mean))
	if c.Room != Unlimited {
		b.Slow(des.FromNanoseconds(float64(mean*float64(c.Room)) / float64(c.Workers)))
	}
	return s
}

// roomKnob lets operators bound the waiting room. The remedy is a room that is
// served in half of the time for which the least patient caller waits, where that
// is known: what the calls of a server take is not.
func (s *server) roomKnob(b *Builder) {
	k := Knob{
		Name: "room", Unit: "calls", About: "calls that may wait for a worker",
		Get: func() float64 { return float64(s.room) },
		Set: func(x float64) { s.room = int(min(max(x, 0), float64(Unlimited))) },
	}
	patience := des.Never
	for _, e := range b.Net.edges {
		if b.Net.parts[e.target] == Part(s) && e.policy.Timeout > 0 {
			patience = min(patience, e.policy.Timeout.Time())
		}
	}
	if mean := s.set.Work.Mean(); patience != des.Never && mean > 0 && len(s.set.Calls) == 0 {
		room := math.Floor(float64(float64(patience)*float64(s.workers)) / float64(2*mean))
		if room < float64(s.room) {
			k.Remedies = []Remedy{{Value: room, About: bilingual.Text{
				En: fmt.Sprintf("a waiting room of %.0f at %s", room, s.name), Ko: fmt.Sprintf("%[2]s의 대기실을 %.0[1]f자리로", room, s.name),
			}, Cost: 1}}
		}
	}
	b.As(s.name).Knob(k)
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

// take gives a worker to a call whose work takes a span.
func (s *server) take(c CallID, span float64) {
	var j uint32
	if k := len(s.free); k > 0 {
		j = s.free[k-1]
		s.free = s.free[:k-1]
	} else {
		s.jobs = append(s.jobs, job{})
		j = uint32(len(s.jobs) - 1)
		for range s.outs {
			s.slots = append(s.slots, 0)
		}
	}
	s.setBusy(1)
	s.net.Begin(c)
	call := s.net.call(c)
	call.local = j
	jb := &s.jobs[j]
	jb.call, jb.next, jb.open, jb.failed = c, 0, 0, false
	s.begin(j, working, span)
}

func (s *server) setBusy(n int) {
	s.busy += n
	s.inWork.Set(int64(s.busy))
}

// begin starts work of a length in nanoseconds at full speed.
func (s *server) begin(j uint32, st stage, span float64) {
	jb := &s.jobs[j]
	jb.stage = st
	if s.speed == 0 {
		jb.left, jb.end = span, des.Never
		return
	}
	d := des.FromNanoseconds(span / s.speed)
	jb.end = s.net.Sim.Now() + d
	s.net.Sim.After(d, s.self, serverWorked, j)
}

// setSpeed changes how fast work is done, that under way included.
func (s *server) setSpeed(x float64) {
	now, old := s.net.Sim.Now(), s.speed
	s.speed = x
	for j := range s.jobs {
		jb := &s.jobs[j]
		if jb.stage != working && jb.stage != finishing {
			continue
		}
		left := jb.left
		if old > 0 {
			left = float64(float64(jb.end-now) * old)
		}
		s.begin(uint32(j), jb.stage, left)
	}
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

// callOut makes the calls of a job: the next one, or all.
func (s *server) callOut(j uint32) {
	jb := &s.jobs[j]
	if jb.stage != calling {
		jb.stage = calling
		s.waiting.Add(1)
		if s.set.Release {
			s.setBusy(-1)
			defer s.serve()
		}
	}
	if len(s.outs) == 0 {
		s.called(j)
		return
	}
	call := *s.net.call(jb.call)
	w := want{token: j, kind: call.kind, key: call.key, size: call.size, deadline: call.deadline}
	last := int(jb.next) + 1
	if s.set.Together {
		last = len(s.outs)
	}
	first := int(jb.next)
	jb.next = int8(last)
	jb.open = int8(last - first)
	for i := first; i < last; i++ {
		slot := s.outs[i].ask(w)
		s.slots[int(j)*len(s.outs)+i] = slot
	}
}

// Ended takes the end of a call that a job made.
func (s *server) Ended(port int, j uint32, o Outcome) {
	jb := &s.jobs[j]
	jb.open--
	if o != OK && !s.set.Calls[port].Optional {
		jb.failed = true
	}
	if jb.open > 0 {
		return
	}
	if !jb.failed && int(jb.next) < len(s.outs) {
		s.callOut(j)
		return
	}
	s.called(j)
}

// called goes on with a job whose calls have ended.
func (s *server) called(j uint32) {
	s.waiting.Add(-1)
	if s.set.Release {
		s.setBusy(1) // it may wait for nobody: the work after the calls is short
	}
	jb := &s.jobs[j]
	if jb.failed || s.set.After.Mean() == 0 {
		s.answer(j)
		return
	}
	s.begin(j, finishing, s.set.After.Draw(s.after))
}

// answer ends a job.
func (s *server) answer(j uint32) {
	jb := &s.jobs[j]
	c, failed := jb.call, jb.failed
	jb.stage, jb.end = idle, des.Never
	s.free = append(s.free, j)
	s.setBusy(-1)
	if !s.net.Waited(c) {
		s.wasted.Inc()
	}
	if failed {
		s.failed.Inc()
		s.net.Reply(c, Failed)
	} else {
		s.done.Inc()
		s.net.Reply(c, OK)
	}
	s.serve()
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

// stop ends the work of a job without an answer and reports whether it held a
// worker.
func (s *server) stop(j uint32) (held bool) {
	jb := &s.jobs[j]
	held = true
	if jb.stage == calling {
		s.waiting.Add(-1)
		held = !s.set.Release
		for i := range int(jb.next) {
			s.outs[i].withdraw(s.slots[int(j)*len(s.outs)+i], j)
		}
	}
	jb.stage, jb.end = idle, des.Never
	s.free = append(s.free, j)
	if held {
		s.setBusy(-1)
	}
	return held
}

// setDown stops the server, as a crash does, or starts it with nothing to do.
func (s *server) setDown(x float64) {
	was := s.down
	s.down = x > 0
	if was || !s.down {
		return
	}
	s.clear()
	for j := range s.jobs {
		if s.jobs[j].stage == idle {
			continue
		}
		c := s.jobs[j].call
		s.stop(uint32(j))
		s.failed.Inc()
		s.net.Reply(c, Failed)
	}
}

// clear refuses all who wait.
func (s *server) clear() {
	for s.line.len() > 0 {
		c := s.next()
		s.refused.Inc()
		s.net.Reply(c, Refused)
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
