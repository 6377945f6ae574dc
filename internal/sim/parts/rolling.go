package parts

import (
	"fmt"

	"github.com/openprecedent/precedent/internal/sim/des"
)

var rollingKind = Kind{
	Name: "rolling",
	About: "Goes through the copies of other parts, a batch at a time, as a rolling deployment or restart does: " +
		"takes each out, stops it, changes it, starts it again, and stops by itself when a guard says so.",
	New: func() Config { return new(rollingConfig) },
}

type rollingConfig struct {
	Of       []string     `yaml:"of" doc:"the parts whose copies are gone through" required:"true"`
	Start    Duration     `yaml:"start" doc:"when it begins; 0 leaves that to the knob start"`
	Order    RollingOrder `yaml:"order" doc:"which copies come first" default:"forward"`
	Batch    Count        `yaml:"batch" doc:"copies at once" default:"1"`
	Gap      Duration     `yaml:"gap" doc:"time between the end of a batch and the start of the next"`
	Drain    Duration     `yaml:"drain" doc:"time for which a copy gets no new calls from balancers before it stops"`
	Knob     string       `yaml:"knob" doc:"knob of a copy that is turned for the downtime" default:"down"`
	To       Level        `yaml:"to" doc:"what that knob is set to" default:"1"`
	Downtime Duration     `yaml:"downtime" doc:"how long each batch is stopped"`
	Change   []Turned     `yaml:"change" doc:"what is different about a copy afterwards, such as a version that is slower"`
	StopAt   Share        `yaml:"stop_at" doc:"share of the copies after which it stops" default:"100%"`
	Guard    *Guard       `yaml:"guard" doc:"what stops it"`
}

// Turned is a knob of each copy and the value it gets.
type Turned struct {
	Knob string `yaml:"knob" doc:"knob of a copy, such as speed" required:"true"`
	To   Level  `yaml:"to" doc:"what it is set to" required:"true"`
}

// Guard stops a rolling operation.
type Guard struct {
	Metric Metric   `yaml:"metric" doc:"what is looked at, such as users.failed / users.offered" required:"true"`
	Above  Level    `yaml:"above" doc:"value above which it acts" required:"true"`
	Window Duration `yaml:"window" doc:"time over which the metric is taken" default:"1m"`
	Then   OnGuard  `yaml:"then" doc:"what it does; roll_back also takes the changes back" default:"stop"`
}

// OnGuard is what a guard does.
type OnGuard string

// UnmarshalText reads what a guard does.
func (g *OnGuard) UnmarshalText(text []byte) error {
	return oneOf((*string)(g), string(text), g.Words()...)
}

// Words returns the words that may stand.
func (*OnGuard) Words() []string { return []string{"stop", "roll_back"} }

// RollingOrder is the order in which copies are gone through.
type RollingOrder string

// UnmarshalText reads an order of copies.
func (o *RollingOrder) UnmarshalText(text []byte) error {
	return oneOf((*string)(o), string(text), o.Words()...)
}

// Words returns the words that may stand.
func (*RollingOrder) Words() []string { return []string{"forward", "backward", "random"} }

func (c *rollingConfig) Ports() []Port { return nil }

func (c *rollingConfig) Instant() bool { return false }

func (c *rollingConfig) refers() []Ref {
	var all []Ref
	for i, of := range c.Of {
		all = append(all, Ref{Field: fmt.Sprintf("of[%d]", i), Name: of, To: ToPart})
		all = append(all, Ref{Field: "knob", Name: of + "." + c.Knob, To: ToKnob})
		for k, t := range c.Change {
			all = append(all, Ref{Field: fmt.Sprintf("change[%d].knob", k), Name: of + "." + t.Knob, To: ToKnob})
		}
	}
	if c.Guard != nil {
		all = append(all, c.Guard.Metric.references("guard.metric")...)
	}
	return all
}

func (c *rollingConfig) Check(r *Report) {
	if len(c.Of) == 0 || len(c.Of) > maxTargets {
		r.Add("of", fmt.Sprintf("%d parts", len(c.Of)), fmt.Sprintf("name 1 to %d", maxTargets))
	}
	if c.Batch < 1 {
		r.Add("batch", "no copy at once", "write 1 or more")
	}
	if c.Downtime == 0 && len(c.Change) == 0 {
		r.Add("downtime", "nothing happens to the copies", "write how long each is stopped, or a change")
	}
	if c.Downtime+c.Gap+c.Drain == 0 {
		r.Warn("gap", "all copies are changed at one instant", "write a gap")
	}
	if g := c.Guard; g != nil && g.Window < Duration(des.Millisecond) {
		r.Add("guard.window", fmt.Sprintf("a window of %v", g.Window), "write 1ms or more")
	}
}

// rolling goes through copies.
type rolling struct {
	noPorts
	net    *Net
	set    *rollingConfig
	self   des.Target
	random *des.Stream
	guard  *meter
	copies []rolled

	next    int // the first copy of the next batch
	end     int // where it stops
	from    int // the batch under way
	running bool
	stopped bool
	undone  bool // changes are taken back, also of the batch that is stopped

	done, down     *des.Gauge
	stops, changes *des.Counter
}

// rolled is a copy with the knobs that are turned.
type rolled struct {
	group   *group
	copy    int
	knob    Knob
	before  float64
	change  []Knob
	was     []float64 // of the changed knobs
	changed bool
}

const (
	rollingBatch uint16 = iota // is taken out
	rollingStop                // the batch stops
	rollingBack                // the batch is back
	rollingGuard
)

func (c *rollingConfig) Build(b *Builder) Part {
	p := &rolling{
		net: b.Net, set: c, random: b.Stream("order"),
		done: b.Gauge("done", "copies"), down: b.Gauge("down", "copies"),
		stops: b.Counter("stopped"), changes: b.Counter("rolled_back"),
	}
	p.self = b.Register(p)
	b.Knob(Knob{
		Name: "start", Unit: "1", Pulse: true, About: "1 begins the operation, or goes on with one that was stopped",
		Get: func() float64 { return number(p.running) },
		Set: func(x float64) {
			if x > 0 {
				p.start()
			}
		},
	})
	b.Knob(Knob{
		Name: "stop", Unit: "1", Pulse: true, About: "1 lets no further batch begin",
		Get: func() float64 { return number(p.stopped) },
		Set: func(x float64) {
			if x > 0 {
				p.stop()
			}
		},
		Remedies: []Remedy{{Value: 1, About: named(b.Name(), "%s stopped", "%s 중단"), Cost: 1}},
	})
	b.Ready(p.ready)
	return p
}

// ready finds the copies and their knobs.
func (p *rolling) ready() {
	for _, of := range p.set.Of {
		g := p.net.group(of)
		for i := range g.copies {
			r := rolled{group: g, copy: i}
			r.knob, _ = p.net.knob(g.copyName(i) + "." + p.set.Knob)
			for _, t := range p.set.Change {
				k, _ := p.net.knob(g.copyName(i) + "." + t.Knob)
				r.change = append(r.change, k)
			}
			r.was = make([]float64, len(r.change))
			p.copies = append(p.copies, r)
		}
	}
	n := len(p.copies)
	switch p.set.Order {
	case "backward":
		for i := range n / 2 {
			p.copies[i], p.copies[n-1-i] = p.copies[n-1-i], p.copies[i]
		}
	case "random":
		for i := n - 1; i > 0; i-- {
			k := p.random.IntN(i + 1)
			p.copies[i], p.copies[k] = p.copies[k], p.copies[i]
		}
	}
	p.end = int(float64(float64(p.set.StopAt)*float64(n)) + 0.5)
	if p.set.Guard != nil {
		p.guard = p.net.meter(p.set.Guard.Metric)
		p.net.Sim.After(p.set.Guard.Window.Time(), p.self, rollingGuard, 0)
	}
	if p.set.Start > 0 {
		p.net.Sim.After(p.set.Start.Time(), p.self, rollingBatch, 0)
		p.running = true
	}
}

func (p *rolling) start() {
	p.stopped, p.undone = false, false
	if !p.running && p.next < p.end {
		p.running = true
		p.net.Sim.After(0, p.self, rollingBatch, 0)
	}
}

func (p *rolling) stop() {
	if p.running && !p.stopped {
		p.stopped = true
		p.stops.Inc()
	}
}

// Handle carries on with the operation.
func (p *rolling) Handle(kind uint16, _ uint32) {
	switch kind {
	case rollingBatch:
		p.begin()
	case rollingStop:
		for i := p.from; i < p.next; i++ {
			r := &p.copies[i]
			r.before = r.knob.Get()
			if p.set.Downtime > 0 {
				r.knob.Set(float64(p.set.To))
			}
		}
		p.down.Set(int64(p.next - p.from))
		p.net.Sim.After(p.set.Downtime.Time(), p.self, rollingBack, 0)
	case rollingBack:
		p.back()
	case rollingGuard:
		p.net.Sim.After(p.set.Guard.Window.Time(), p.self, rollingGuard, 0)
		if p.guard.since() > float64(p.set.Guard.Above) && (p.running || p.set.Guard.Then == "roll_back") {
			p.stop()
			if p.set.Guard.Then == "roll_back" {
				p.rollBack()
			}
		}
	}
}

// begin takes the next batch out.
func (p *rolling) begin() {
	if p.stopped || p.next >= p.end {
		p.running = false
		return
	}
	p.from, p.next = p.next, min(p.next+int(p.set.Batch), p.end)
	if p.set.Drain > 0 {
		for i := p.from; i < p.next; i++ {
			p.copies[i].group.takeOut(p.copies[i].copy, true)
		}
	}
	p.net.Sim.After(p.set.Drain.Time(), p.self, rollingStop, 0)
}

// back starts a batch again, changed.
func (p *rolling) back() {
	for i := p.from; i < p.next; i++ {
		r := &p.copies[i]
		if p.set.Downtime > 0 {
			r.knob.Set(r.before)
		}
		r.changed = !p.undone
		for k := range r.change {
			r.was[k] = r.change[k].Get()
			if r.changed {
				r.change[k].Set(float64(p.set.Change[k].To))
			}
		}
		r.group.takeOut(r.copy, false)
	}
	if !p.undone {
		p.done.Add(int64(p.next - p.from))
	}
	p.down.Set(0)
	if p.next >= p.end {
		p.running = false
		return
	}
	p.net.Sim.After(p.set.Gap.Time(), p.self, rollingBatch, 0)
}

// rollBack takes the changes back from all copies that have them.
func (p *rolling) rollBack() {
	p.undone = true
	for i := range p.copies {
		r := &p.copies[i]
		if !r.changed {
			continue
		}
		for k := range r.change {
			r.change[k].Set(r.was[k])
		}
		r.changed = false
		p.changes.Inc()
		p.done.Add(-1)
	}
}
