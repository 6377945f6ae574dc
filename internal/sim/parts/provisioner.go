package parts

import (
	"fmt"

	"github.com/openprecedent/precedent/internal/sim/des"
)

// Work that is asked for again before it is done, by a manager that counts on an
// answer within a while, fills its own queue: each copy is worked for, and only
// the first that is done is of use. It is the workload amplification of retries
// (Huang et al., OSDI 2022) inside one part, where the first copy still counts.
var provisionerKind = Kind{
	Name: "provisioner",
	About: "Makes things one after the other at a rate: connections, addresses, volumes. An order that takes long is " +
		"issued again, and its copies stand in the same line; the first that is done answers the call.",
	New:      func() Config { return new(provisionerConfig) },
	Callable: true,
}

type provisionerConfig struct {
	Rate   Rate     `yaml:"rate" doc:"units of size made a second" required:"true"`
	Again  Duration `yaml:"reissue_after" doc:"an order that is not done after this is issued again; 0 never does"`
	Issues Count    `yaml:"issues" doc:"how often an order is issued at most, the first time included" default:"3"`
	Skip   bool     `yaml:"skip_done" doc:"copies of an order that is done, or that nobody waits for, are passed over"`
	Order  RowOrder `yaml:"order" doc:"which copy is next: fifo, lifo or random" default:"fifo"`
}

func (c *provisionerConfig) Ports() []Port { return nil }

func (c *provisionerConfig) Instant() bool { return false }

func (c *provisionerConfig) Check(r *Report) {
	if c.Rate == 0 {
		r.Add("rate", "nothing is made", "write a rate such as 750/s")
	}
	if c.Issues < 1 || c.Issues > maxIssues {
		r.Add("issues", fmt.Sprintf("an order is issued %d times", c.Issues), fmt.Sprintf("write 1 to %d", maxIssues))
	}
	if c.Issues == 1 && c.Again > 0 {
		r.Warn("reissue_after", "an order is issued once", "write 2 issues or more, or leave it out")
	}
}

// maxIssues bounds how often an order is issued.
const maxIssues = 1000

// provisioner makes orders, whose copies stand in a line.
type provisioner struct {
	noRequests
	net    *Net
	set    *provisionerConfig
	self   des.Target
	again  *des.Ring // nil without a second issue
	line   rowLine
	orders []order
	free   []uint32
	making uint32   // order of the copy that is being made
	busy   bool     // one is
	end    des.Time // of the making, at the current rate
	left   float64  // size that is left, while nothing is made
	rate   float64
	issues int

	arrived, done, withdrawn, reissued, wasted, skipped *des.Counter
	open, queue                                         *des.Gauge
	took                                                *des.Spans
}

// order is a call and its copies.
type order struct {
	call   CallID // noCall once it was answered, or nobody waits
	timer  des.Timer
	since  des.Time
	size   float64
	issued uint16
	inside uint16 // copies in line or being made
}

const (
	provisionMade uint16 = iota
	provisionAgain
)

func (c *provisionerConfig) Build(b *Builder) Part {
	s := &provisioner{
		net: b.Net, set: c, rate: float64(c.Rate), issues: int(c.Issues), line: newRowLine(b, c.Order), end: des.Never,
		arrived: b.Counter("arrived"), done: b.Counter("done"), withdrawn: b.Counter("withdrawn"),
		reissued: b.Counter("reissued"), wasted: b.Counter("wasted"), skipped: b.Counter("skipped"),
		open: b.Gauge("open", "orders"), queue: b.Gauge("queue", "copies"), took: b.Spans("time"),
	}
	s.self = b.Register(s)
	if c.Again > 0 && !b.Calm {
		s.again = b.Net.Sim.Ring(c.Again.Time(), s.self, provisionAgain)
		b.Slow(c.Again.Time())
	}
	name := b.Name()
	b.Knob(Knob{
		Name: "rate", Unit: "1/s", About: "units of size made a second",
		Get: func() float64 { return s.rate }, Set: s.setRate,
		Worst:    &Worst{Value: 0, About: named(name, "%s makes nothing", "%s의 생성이 멈춘다")},
		Remedies: []Remedy{{Value: 2, Times: true, About: named(name, "twice the rate of %s", "%s의 처리율을 두 배로"), Cost: 3}},
	})
	b.Knob(Knob{
		Name: "issues", Unit: "copies", About: "how often an order is issued at most, the first time included",
		Get:      func() float64 { return float64(s.issues) },
		Set:      func(x float64) { s.issues = int(min(max(x, 1), maxIssues)) },
		Remedies: []Remedy{{Value: 1, About: named(name, "%s issues no order twice", "%s의 주문을 다시 내지 않는다"), Cost: 1}},
	})
	b.Law("orders are conserved", s.conserved)
	return s
}

// Arrive takes an order.
func (s *provisioner) Arrive(c CallID) {
	s.arrived.Inc()
	var j uint32
	if k := len(s.free); k > 0 {
		j = s.free[k-1]
		s.free = s.free[:k-1]
	} else {
		s.orders = append(s.orders, order{})
		j = uint32(len(s.orders) - 1)
	}
	call := s.net.call(c)
	call.local = j
	s.orders[j] = order{call: c, since: s.net.Sim.Now(), size: float64(call.size)}
	s.open.Add(1)
	s.issue(j)
}

// issue puts a copy of an order in line.
func (s *provisioner) issue(j uint32) {
	o := &s.orders[j]
	o.issued++
	o.inside++
	s.line.push(j)
	if s.again != nil && int(o.issued) < s.issues {
		o.timer = s.again.Start(j)
	}
	s.next()
	s.queue.Set(int64(s.line.n))
}

// next begins to make the next copy if nothing is being made.
func (s *provisioner) next() {
	for !s.busy && s.line.n > 0 {
		j := s.line.pop()
		o := &s.orders[j]
		if s.set.Skip && o.call == noCall {
			s.skipped.Inc()
			s.out(j)
			continue
		}
		s.busy, s.making = true, j
		s.make(o.size)
	}
}

// make makes what is left of a copy.
func (s *provisioner) make(size float64) {
	s.left = size
	if s.rate == 0 {
		s.end = des.Never
		return
	}
	d := des.FromSeconds(size / s.rate)
	s.end = s.net.Sim.Now() + d
	s.net.Sim.At(s.end, s.self, provisionMade, s.making)
}

// setRate changes the rate, also for the copy that is being made.
func (s *provisioner) setRate(x float64) {
	old := s.rate
	s.rate = max(x, 0)
	if !s.busy {
		return
	}
	left := s.left
	if old > 0 {
		left = float64((s.end - s.net.Sim.Now()).Seconds() * old)
	}
	s.make(left)
}

// Handle receives the end of a copy, unless the rate has changed meanwhile, and
// the time to issue an order again.
func (s *provisioner) Handle(kind uint16, j uint32) {
	if kind == provisionAgain {
		if s.orders[j].call != noCall && int(s.orders[j].issued) < s.issues {
			s.reissued.Inc()
			s.issue(j)
		}
		return
	}
	if !s.busy || s.end != s.net.Sim.Now() {
		return
	}
	s.busy, s.end = false, des.Never
	o := &s.orders[j]
	c := o.call
	if c == noCall {
		s.wasted.Inc()
	} else {
		s.done.Inc()
		s.took.Measure(s.net.Sim.Now() - o.since)
		s.settle(o)
	}
	s.out(j)
	s.next()
	s.queue.Set(int64(s.line.n))
	if c != noCall {
		s.net.Reply(c, OK)
	}
}

// settle ends what is open about an order; its copies stay where they are.
func (s *provisioner) settle(o *order) {
	o.call = noCall
	s.open.Add(-1)
	if s.again != nil {
		s.again.Cancel(o.timer)
	}
}

// out takes a copy out, and with the last one the order.
func (s *provisioner) out(j uint32) {
	o := &s.orders[j]
	o.inside--
	if o.inside == 0 && o.call == noCall {
		s.free = append(s.free, j)
	}
}

// Withdraw lets nobody wait for an order. What is in line is made all the same
// unless copies that nobody waits for are passed over.
func (s *provisioner) Withdraw(c CallID) {
	s.withdrawn.Inc()
	s.settle(&s.orders[s.net.call(c).local])
	s.net.Drop(c)
}

func (s *provisioner) conserved() error {
	if a, out := s.arrived.Total(), s.done.Total()+s.withdrawn.Total(); a != out+s.open.Value() {
		return fmt.Errorf("%d orders came, %d are done or withdrawn and %d are open", a, out, s.open.Value())
	}
	inside := int64(s.line.n)
	if s.busy {
		inside++
	}
	made := s.done.Total() + s.wasted.Total() + s.skipped.Total()
	if issued := s.arrived.Total() + s.reissued.Total(); issued != made+inside {
		return fmt.Errorf("%d copies were issued, %d are made or skipped and %d are inside", issued, made, inside)
	}
	return nil
}
