package parts

import (
	"fmt"

	"github.com/openprecedent/precedent/internal/sim/des"
)

var gateKind = Kind{
	Name: "gate",
	About: "Stands between a caller and its target and lets calls through as they come, until its knobs cut, delay or hold " +
		"a share of them: a network that is broken or slow for some, traffic that operators stop and let in again.",
	New:      func() Config { return new(gateConfig) },
	Callable: true,
}

type gateConfig struct {
	Call    Call     `yaml:"call" doc:"what is called through the gate" required:"true"`
	Cut     Share    `yaml:"cut" doc:"share of the calls that do not get through" default:"0%"`
	When    WhenCut  `yaml:"when_cut" doc:"what happens to those: drop leaves their callers to their timeouts" default:"drop"`
	By      CutBy    `yaml:"by" doc:"who makes up the share: any calls, or always the same keys, as callers behind one switch are" default:"call"`
	Classes []Count  `yaml:"classes" doc:"classes of the calls that cut, delay and hold are for; all if left out"`
	Delay   Spread   `yaml:"delay" doc:"time by which a share of the calls is delayed, each on its way there" default:"0"`
	Delayed Share    `yaml:"delayed" doc:"share of the calls that is delayed" default:"100%"`
	Hold    bool     `yaml:"hold" doc:"the gate is shut when the run begins: calls wait before it"`
	Room    Limit    `yaml:"room" doc:"calls that may wait before a gate that is shut; others are refused" default:"unlimited"`
	Release Duration `yaml:"release_over" doc:"time over which calls that waited are let through, evenly, after the gate opens; 0 lets all through at once"`
	Reopen  Duration `yaml:"reopen_over" doc:"time over which the cut goes back, evenly, when it is lowered; 0 is at once"`
	Refetch bool     `yaml:"refetch" doc:"what was cut is asked for again, once for each key where calls have keys, as soon as the cut is 0"`
	Spread  Duration `yaml:"refetch_over" doc:"time over which that is asked for, evenly"`
}

// WhenCut says what happens to a call that does not get through.
type WhenCut string

// UnmarshalText reads what happens to a call that does not get through.
func (w *WhenCut) UnmarshalText(text []byte) error {
	return oneOf((*string)(w), string(text), w.Words()...)
}

// Words returns the words that may stand.
func (*WhenCut) Words() []string { return []string{"drop", "refuse"} }

// CutBy says who makes up a share of calls.
type CutBy string

// UnmarshalText reads who makes up a share of calls.
func (c *CutBy) UnmarshalText(text []byte) error {
	return oneOf((*string)(c), string(text), c.Words()...)
}

// Words returns the words that may stand.
func (*CutBy) Words() []string { return []string{"call", "key"} }

func (c *gateConfig) Ports() []Port { return []Port{{Name: "call", Call: &c.Call}} }

func (c *gateConfig) Instant() bool { return true }

func (c *gateConfig) Check(r *Report) {
	c.Call.check("call", r)
	for i, class := range c.Classes {
		if class > maxClass {
			r.Add(fmt.Sprintf("classes[%d]", i), fmt.Sprintf("class %d", class), fmt.Sprintf("write 0 to %d", maxClass))
		}
	}
	if c.Spread > 0 && !c.Refetch {
		r.Warn("refetch_over", "nothing is asked for again", "write refetch: true, or leave it out")
	}
}

// gate lets calls through.
type gate struct {
	relay
	set    *gateConfig
	self   des.Target
	line   line // before a gate that is shut
	luck   *des.Stream
	delays *des.Stream

	classes [maxClass + 1]bool
	cut     float64
	goal    float64 // of the cut
	epoch   uint32  // of the way there
	delayed float64
	shut    bool
	opening uint32  // epoch of the release
	between float64 // nanoseconds between two that are released
	fall    float64 // of the cut, a step
	lost    []lostCall
	apart   float64 // nanoseconds between two that are asked for again

	arrived, passed, refused, dropped, withdrawn *des.Counter
	ok, failed, refetched                        *des.Counter
	waiting                                      *des.Gauge
}

// lostCall is a call that did not get through.
type lostCall struct {
	key  uint32
	kind uint8
	size float32
}

// maxLost bounds the calls that are asked for again.
const maxLost = 2_000_000

const (
	gateArrived uint16 = iota // a delayed job
	gateRelease               // the next of those that wait
	gateReopen                // a step of the cut
	gateRefetch               // the next of those lost
)

// refetchToken is the token of what the gate asks for by itself.
const refetchToken = ^uint32(0)

func (c *gateConfig) Build(b *Builder) Part {
	set := *c
	set.Refetch = c.Refetch && !b.Calm
	g := &gate{
		set: &set, luck: b.Stream("share"), delays: b.Stream("delay"),
		cut: float64(c.Cut), goal: float64(c.Cut), delayed: float64(c.Delayed), shut: c.Hold,
		arrived: b.Counter("arrived"), passed: b.Counter("passed"), ok: b.Counter("ok"), failed: b.Counter("failed"),
		refused: b.Counter("refused"), dropped: b.Counter("dropped"), withdrawn: b.Counter("withdrawn"),
		refetched: b.Counter("refetched"), waiting: b.Gauge("waiting", "calls"),
	}
	g.net = b.Net
	g.line = newLine(b, "fifo")
	g.self = b.Register(g)
	g.outs = []*edge{b.Edge(g, 0, "call", &c.Call)}
	for _, class := range c.Classes {
		g.classes[class] = true
	}
	b.Slow(c.Release.Time())
	b.Slow(c.Reopen.Time())
	g.knobs(b)
	b.Law("calls are conserved", g.conserved)
	return g
}

func (g *gate) knobs(b *Builder) {
	b.Knob(Knob{
		Name: "cut", Unit: "1", About: "share of the calls that do not get through",
		Get: func() float64 { return g.goal }, Set: g.setCut,
		Worst: &Worst{Value: 1, About: named(b.Name(), "nothing gets through %s", "%s의 호출이 모두 막힌다")},
	})
	b.Knob(Knob{
		Name: "delay", Unit: "s", About: "time by which calls are delayed, always the same",
		Get: func() float64 { return g.set.Delay.Mean() / 1e9 },
		Set: func(x float64) {
			set := *g.set
			set.Delay = Spread{Dist: des.Constant(float64(des.FromSeconds(x)))}
			g.set = &set
		},
	})
	b.Knob(Knob{
		Name: "delayed", Unit: "1", About: "share of the calls that is delayed",
		Get: func() float64 { return g.delayed }, Set: func(x float64) { g.delayed = min(max(x, 0), 1) },
	})
	b.Knob(Knob{
		Name: "hold", Unit: "1", About: "1 shuts the gate: calls wait before it until it is 0 again",
		Get: func() float64 { return number(g.shut) }, Set: func(x float64) { g.setHold(x > 0) },
	})
}

// applies reports whether the gate does anything to calls of a class.
func (g *gate) applies(kind uint8) bool {
	return len(g.set.Classes) == 0 || g.classes[min(kind, maxClass)]
}

// Arrive lets a call through, or not.
func (g *gate) Arrive(c CallID) {
	g.arrived.Inc()
	r := g.net.call(c)
	switch {
	case !g.applies(r.kind):
		g.pass(g.take(c))
	case g.cut > 0 && g.hit(r):
		g.lose(c, r)
	case g.shut:
		g.hold(c, r)
	default:
		g.through(c)
	}
}

// hit reports whether a call belongs to the share that is cut.
func (g *gate) hit(r *call) bool {
	if g.set.By == "key" {
		return keyPlace(r.key) < g.cut
	}
	return g.luck.Bool(g.cut)
}

func (g *gate) lose(c CallID, r *call) {
	if g.set.Refetch && len(g.lost) < maxLost {
		g.lost = append(g.lost, lostCall{r.key, r.kind, r.size})
	}
	if g.set.When == "refuse" {
		g.refused.Inc()
		g.net.Reply(c, Refused)
		return
	}
	g.dropped.Inc()
	g.net.Drop(c)
}

func (g *gate) hold(c CallID, r *call) {
	if g.line.len() >= int(g.set.Room) {
		g.refused.Inc()
		g.net.Reply(c, Refused)
		return
	}
	r.local = inLine
	g.line.push(g.net, c)
	g.waiting.Add(1)
}

// through sends a call on, after its delay if it has one.
func (g *gate) through(c CallID) {
	job := g.take(c)
	if g.set.Delay.Mean() > 0 && (g.delayed == 1 || g.luck.Bool(g.delayed)) {
		g.net.Sim.After(g.set.Delay.Span(g.delays), g.self, gateArrived, job)
		return
	}
	g.pass(job)
}

func (g *gate) pass(job uint32) {
	g.passed.Inc()
	g.send(job, 0, 0)
}

// Ended takes the end of a call, or of what the gate has asked for.
func (g *gate) Ended(_ int, job uint32, o Outcome) {
	if job == refetchToken {
		return
	}
	if o == OK {
		g.ok.Inc()
	} else {
		g.failed.Inc()
		if o == TimedOut {
			o = Failed
		}
	}
	g.net.Reply(g.end(job), o)
}

// Withdraw stops a call that waits or is on its way.
func (g *gate) Withdraw(c CallID) {
	g.withdrawn.Inc()
	job := g.net.call(c).local
	if job == inLine {
		g.line.remove(g.net, c)
		g.waiting.Add(-1)
		g.net.Drop(c)
		return
	}
	if g.jobs[job].sent {
		g.withdraw(job)
		g.net.Drop(g.end(job))
		return
	}
	g.jobs[job].busy = false // its event frees the job
	g.inside--
	g.net.Drop(c)
}

// Handle receives the events of the gate.
func (g *gate) Handle(kind uint16, arg uint32) {
	switch kind {
	case gateArrived:
		if !g.jobs[arg].busy { // withdrawn meanwhile
			g.free = append(g.free, arg)
			return
		}
		g.pass(arg)
	case gateRelease:
		if arg == g.opening {
			g.release()
		}
	case gateReopen:
		if arg == g.epoch {
			g.step()
		}
	case gateRefetch:
		if k := len(g.lost); k > 0 && arg == g.epoch {
			g.refetch()
		}
	}
}

func (g *gate) conserved() error {
	out := g.ok.Total() + g.failed.Total() + g.refused.Total() + g.dropped.Total() + g.withdrawn.Total()
	if in := g.inside + int64(g.line.len()); g.arrived.Total() != out+in {
		return fmt.Errorf("%d arrived, %d have left and %d are inside", g.arrived.Total(), out, in)
	}
	return nil
}
