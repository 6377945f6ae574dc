package parts

import (
	"fmt"
	"math"

	"github.com/openprecedent/precedent/internal/sim/des"
)

// autoscalerKind knows both rules in use: target tracking, which orders capacity
// in proportion to the metric (desired = capacity in place * metric / target, as
// the Kubernetes horizontal pod autoscaler does), and step scaling.
var autoscalerKind = Kind{
	Name: "autoscaler",
	About: "Turns a knob of another part by what it reads of it, as an autoscaler adds and removes capacity: " +
		"late, with a delay until ordered capacity is there, and with cooldowns.",
	New: func() Config { return new(autoscalerConfig) },
}

type autoscalerConfig struct {
	Knob      string   `yaml:"knob" doc:"what is turned, such as web.workers or lb.calls[0].copies" required:"true"`
	Metric    Metric   `yaml:"metric" doc:"what is read; a mean over the window" required:"true"`
	Window    Duration `yaml:"window" doc:"how long the metric is read for a decision; there is one at the end of each" default:"1m"`
	Agree     Count    `yaml:"in_row" doc:"windows in a row that must ask for more, or for less, before anything is done" default:"1"`
	Target    Level    `yaml:"target" doc:"value at which the metric is kept by ordering capacity in proportion; 0 uses the steps"`
	Tolerance Share    `yaml:"tolerance" doc:"how far the metric may be from the target before anything is done" default:"10%"`
	Steps     []Step   `yaml:"steps" doc:"thresholds and what is added; the first that the metric is beyond is taken"`
	Delay     Duration `yaml:"delay" doc:"time until ordered capacity is there"`
	UpCool    Duration `yaml:"cooldown" doc:"time after an order in which no more is ordered"`
	DownCool  Duration `yaml:"down_cooldown" doc:"time after any change in which nothing is taken away" default:"5m"`
	Min       Count    `yaml:"min" doc:"least capacity" default:"1"`
	Max       Count    `yaml:"max" doc:"most capacity" required:"true"`
	Most      Count    `yaml:"most_at_once" doc:"most that one decision adds or takes away; 0 sets no limit"`
}

// Step is a threshold of an autoscaler.
type Step struct {
	Above Level `yaml:"above" doc:"the metric must be above this; 0 looks at below"`
	Below Level `yaml:"below" doc:"the metric must be below this; 0 looks at above"`
	Add   int64 `yaml:"add" doc:"what is added; a negative number takes away" required:"true"`
}

func (c *autoscalerConfig) Ports() []Port { return nil }

func (c *autoscalerConfig) Instant() bool { return false }

func (c *autoscalerConfig) refers() []Ref {
	return append(c.Metric.references("metric"), Ref{Field: "knob", Name: c.Knob, To: ToKnob})
}

func (c *autoscalerConfig) Check(r *Report) {
	switch {
	case c.Target > 0 && len(c.Steps) > 0:
		r.Add("steps", "an autoscaler has a target or steps", "leave one of them out")
	case c.Target == 0 && len(c.Steps) == 0:
		r.Add("target", "nothing says when capacity is added", "write a target such as 60%, or steps")
	}
	for i, s := range c.Steps {
		at := fmt.Sprintf("steps[%d]", i)
		if (s.Above > 0) == (s.Below > 0) {
			r.Add(at, "a step is above or below one value", "write one of above and below, greater than 0")
		}
		if s.Add == 0 || s.Add > MaxCount || s.Add < -MaxCount {
			r.Add(at+".add", fmt.Sprintf("a step adds %d", s.Add), "write how much, such as 2 or -1")
		}
		if (s.Above > 0 && s.Add < 0) || (s.Below > 0 && s.Add > 0) {
			r.Warn(at+".add", "capacity is taken away as the metric grows, or added as it falls", "")
		}
	}
	if c.Window < Duration(des.Millisecond) {
		r.Add("window", fmt.Sprintf("a window of %v", c.Window), "write 1ms or more")
	}
	if c.Min > c.Max {
		r.Add("min", fmt.Sprintf("at least %d and at most %d", c.Min, c.Max), "let min be at most max")
	}
	if c.Agree < 1 {
		r.Add("in_row", "no window must agree", "write 1 or more")
	}
}

// autoscaler turns a knob.
type autoscaler struct {
	noPorts
	sim   *des.Sim
	set   *autoscalerConfig
	self  des.Target
	knob  Knob
	meter *meter

	ordered  float64 // what the knob is to have when all orders are there
	asked    int     // windows in a row that ask for more (positive) or less
	pending  int     // orders that are not there yet
	upAt     des.Time
	changeAt des.Time
	off      bool

	ups, downs *des.Counter
	want       *des.Gauge
}

const (
	autoscalerWindow uint16 = iota
	autoscalerThere         // arg is the capacity that was ordered
)

func (c *autoscalerConfig) Build(b *Builder) Part {
	a := &autoscaler{
		sim: b.Net.Sim, set: c, upAt: -des.Never / 2, changeAt: -des.Never / 2,
		ups: b.Counter("up"), downs: b.Counter("down"), want: b.Gauge("ordered", "capacity"),
	}
	a.self = b.Register(a)
	b.Knob(Knob{
		Name: "off", Unit: "1", About: "1 leaves the capacity as it is",
		Get: func() float64 { return number(a.off) }, Set: func(x float64) { a.off = x > 0 },
	})
	b.Slow(c.Window.Time()*des.Time(min(c.Agree, 1000)) + c.Delay.Time())
	b.Slow(c.DownCool.Time())
	b.Ready(func() {
		a.knob, _ = b.Net.knob(c.Knob)
		a.meter = b.Net.meter(c.Metric)
		a.ordered = a.knob.Get()
		a.want.Set(int64(a.ordered))
		a.sim.After(c.Window.Time(), a.self, autoscalerWindow, 0)
	})
	return a
}

// Handle ends a window, or brings capacity that was ordered.
func (a *autoscaler) Handle(kind uint16, arg uint32) {
	if kind == autoscalerThere {
		a.pending--
		if there := min(float64(arg), a.ordered); there > a.knob.Get() {
			a.knob.Set(there)
		}
		return
	}
	a.sim.After(a.set.Window.Time(), a.self, autoscalerWindow, 0)
	value := a.meter.since()
	if a.pending == 0 && a.knob.Get() != a.ordered { // somebody else has turned it
		a.ordered = a.knob.Get()
		a.want.Set(int64(a.ordered))
	}
	if !a.off {
		a.decide(a.desired(value))
	}
}

// desired returns the capacity that a value of the metric asks for.
func (a *autoscaler) desired(value float64) float64 {
	to := a.ordered
	if a.set.Target > 0 {
		ratio := value / float64(a.set.Target)
		if math.Abs(ratio-1) > float64(a.set.Tolerance) {
			to = math.Ceil(float64(a.knob.Get()*ratio) - 1e-9)
		}
		if ratio > 1 { // what is on its way is not ordered again, nor sent back
			to = max(to, a.ordered)
		}
	} else {
		for _, s := range a.set.Steps {
			if s.Above > 0 && value > float64(s.Above) || s.Below > 0 && value < float64(s.Below) {
				to += float64(s.Add)
				break
			}
		}
	}
	if most := float64(a.set.Most); most > 0 {
		to = min(max(to, a.ordered-most), a.ordered+most)
	}
	return min(max(to, float64(a.set.Min)), float64(a.set.Max))
}

// decide orders capacity or takes it away, if enough windows agree and the
// cooldowns are over.
func (a *autoscaler) decide(to float64) {
	switch {
	case to > a.ordered:
		a.asked = max(a.asked, 0) + 1
	case to < a.ordered:
		a.asked = min(a.asked, 0) - 1
	default:
		a.asked = 0
		return
	}
	if max(a.asked, -a.asked) < int(a.set.Agree) {
		return
	}
	now := a.sim.Now()
	switch {
	case a.asked > 0 && now-a.upAt >= a.set.UpCool.Time():
		a.upAt, a.changeAt = now, now
		a.ups.Inc()
		a.order(to)
		a.pending++
		a.sim.After(a.set.Delay.Time(), a.self, autoscalerThere, uint32(to))
	case a.asked < 0 && now-a.changeAt >= a.set.DownCool.Time():
		a.changeAt = now
		a.downs.Inc()
		a.order(to)
		if to < a.knob.Get() {
			a.knob.Set(to)
		}
	}
}

func (a *autoscaler) order(to float64) {
	a.ordered, a.asked = to, 0
	a.want.Set(int64(to))
}
