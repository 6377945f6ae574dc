package parts

import (
	"fmt"

	"github.com/openprecedent/precedent/internal/sim/des"
)

var pausesKind = Kind{
	Name: "pauses",
	About: "Stops another part for moments, as garbage collection does: longer and more often the more of its memory is in " +
		"use, so that what waits takes away from the capacity that would serve it.",
	New: func() Config { return new(pausesConfig) },
}

type pausesConfig struct {
	Knob    string   `yaml:"knob" doc:"what is turned during a pause, such as db.speed" required:"true"`
	To      Level    `yaml:"to" doc:"what the knob is multiplied by during a pause; 0 stops the work" default:"0"`
	Every   Spread   `yaml:"every" doc:"time from the end of a pause to the next when the metric is 0" required:"true"`
	Length  Spread   `yaml:"length" doc:"length of a pause when the metric is 0" required:"true"`
	Metric  Metric   `yaml:"metric" doc:"what stands for the memory in use, such as db.queue + db.busy"`
	Longer  Duration `yaml:"longer_by" doc:"time by which each unit of the metric makes a pause longer"`
	Sooner  Factor   `yaml:"sooner_by" doc:"by how much each unit of the metric speeds up the coming of the next pause: with 1% and a metric of 100 it comes twice as soon" default:"0x"`
	Longest Duration `yaml:"longest" doc:"longest pause; 0 sets no limit"`
}

func (c *pausesConfig) Ports() []Port { return nil }

func (c *pausesConfig) Instant() bool { return false }

func (c *pausesConfig) refers() []Ref {
	return append(c.Metric.references("metric"), Ref{Field: "knob", Name: c.Knob, To: ToKnob})
}

func (c *pausesConfig) Check(r *Report) {
	if c.Every.Mean() < float64(des.Millisecond) {
		r.Add("every", "pauses come without time between them", "write 1ms or more")
	}
	if c.Length.Mean() == 0 && c.Longer == 0 {
		r.Add("length", "pauses take no time", "write how long they are, or longer_by")
	}
	grows := c.Longer > 0 || c.Sooner > 0
	if grows && len(c.Metric.of) == 0 {
		r.Add("metric", "nothing says what the pauses grow with", "write what stands for the memory in use, such as db.queue + db.busy")
	}
	if !grows && len(c.Metric.of) > 0 {
		r.Warn("metric", "no pause depends on it", "write longer_by or sooner_by")
	}
	if c.To >= 1 {
		r.Add("to", fmt.Sprintf("a pause multiplies the knob by %v", c.To), "write less than 1")
	}
}

// pauses stops another part.
type pauses struct {
	noPorts
	sim     *des.Sim
	set     *pausesConfig
	self    des.Target
	every   *des.Stream
	lengths *des.Stream
	knob    Knob
	meter   *meter // nil if nothing is read

	paused bool
	before float64 // of the knob
	left   float64 // nanoseconds to the next pause at the pace of a metric of 0
	step   float64 // longest time without a look at the metric
	pace   float64
	at     des.Time // of the last look

	count *des.Counter
	on    *des.Gauge
	spans *des.Spans
}

const (
	pausesLook uint16 = iota
	pausesEnd
)

func (c *pausesConfig) Build(b *Builder) Part {
	p := &pauses{
		sim: b.Net.Sim, set: c, every: b.Stream("every"), lengths: b.Stream("length"), pace: 1,
		step:  c.Every.Mean() / 64,
		count: b.Counter("pauses"), on: b.Gauge("paused", "1"), spans: b.Spans("length"),
	}
	p.self = b.Register(p)
	b.Knob(Knob{
		Name: "pace", Unit: "1", About: "how often pauses come, against what is described; 0 for none",
		Get: func() float64 { return p.pace },
		Set: func(x float64) { p.pace = max(x, 0) },
	})
	b.Slow(des.FromNanoseconds(c.Every.Mean()))
	b.Ready(func() {
		p.knob, _ = b.Net.knob(c.Knob)
		if c.Longer > 0 || c.Sooner > 0 {
			p.meter = b.Net.meter(c.Metric)
		}
		p.draw()
	})
	return p
}

// draw begins the time to the next pause.
func (p *pauses) draw() {
	p.left = p.set.Every.Draw(p.every)
	p.at = p.sim.Now()
	if p.meter != nil {
		p.meter.since()
	}
	p.look()
}

// look schedules the next look at the metric, or the pause if that comes first.
func (p *pauses) look() {
	wait := p.step
	if p.set.Sooner == 0 && p.pace > 0 {
		wait = p.left / p.pace
	} else if speed := p.speed((*meter).level); speed > 0 {
		wait = min(wait, p.left/speed)
	}
	p.sim.After(max(des.FromNanoseconds(wait), 1), p.self, pausesLook, 0)
}

// ran takes the time since the last look off the time to the next pause.
func (p *pauses) ran() {
	now := p.sim.Now()
	span := float64(now - p.at)
	p.at = now
	p.left -= float64(span * p.speed((*meter).since))
}

// speed returns how fast the time to the next pause runs down.
func (p *pauses) speed(read func(*meter) float64) float64 {
	if p.set.Sooner == 0 {
		return p.pace
	}
	return float64(p.pace * (1 + float64(float64(p.set.Sooner)*read(p.meter))))
}

// Handle looks at the metric, or ends a pause.
func (p *pauses) Handle(kind uint16, _ uint32) {
	if kind == pausesEnd {
		p.paused = false
		p.on.Set(0)
		p.knob.Set(p.before)
		p.draw()
		return
	}
	p.ran()
	if p.left > 0.5 {
		p.look()
		return
	}
	length := p.set.Length.Draw(p.lengths)
	if p.set.Longer > 0 {
		length += float64(float64(p.set.Longer) * p.meter.level())
	}
	if most := float64(p.set.Longest); most > 0 {
		length = min(length, most)
	}
	span := des.FromNanoseconds(length)
	p.count.Inc()
	p.spans.Measure(span)
	p.paused, p.before = true, p.knob.Get()
	p.on.Set(1)
	p.knob.Set(float64(p.before * float64(p.set.To)))
	p.sim.After(span, p.self, pausesEnd, 0)
}
