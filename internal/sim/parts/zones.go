package parts

import (
	"fmt"

	"github.com/openprecedent/precedent/internal/sim/des"
)

var zonesKind = Kind{
	Name: "zones",
	About: "Several availability zones that each have their own servers. Calls arrive in a zone and mostly stay there; " +
		"when a zone is lost, they go to the others, as far as those have the capacity.",
	New:      func() Config { return new(zonesConfig) },
	Callable: true,
}

type zonesConfig struct {
	Zones   []Zone   `yaml:"zones" doc:"the zones" required:"true"`
	Local   Share    `yaml:"local" doc:"share of the calls that stay in the zone where they arrive; the others are spread over all zones by weight" default:"100%"`
	Cross   Duration `yaml:"cross" doc:"time that a call to another zone takes more, each way"`
	Stay    bool     `yaml:"no_failover" doc:"the calls of a lost zone do not go to the others by themselves"`
	Detect  Duration `yaml:"detect" doc:"time until a loss, or the end of one, is noticed" default:"30s"`
	MostOut Limit    `yaml:"most_out" doc:"zones that may be out at once; always one stays in" default:"unlimited"`
	Lost    WhenCut  `yaml:"when_lost" doc:"what happens to calls to a zone that is lost: drop leaves their callers to their timeouts" default:"drop"`
}

// Zone is one zone.
type Zone struct {
	Name   string `yaml:"name" doc:"name of the zone, for its knobs and series" required:"true"`
	Share  Share  `yaml:"share" doc:"share of the calls that arrive in the zone; what all leave over is spread evenly over those without one"`
	Weight Factor `yaml:"weight" doc:"capacity of the zone against the others, by which it gets calls of other zones" default:"1x"`
	Call   Call   `yaml:"call" doc:"what is called in the zone" required:"true"`
}

func (c *zonesConfig) Ports() []Port {
	ports := make([]Port, len(c.Zones))
	for i := range c.Zones {
		ports[i] = Port{Name: fmt.Sprintf("zones[%d].call", i), Call: &c.Zones[i].Call}
	}
	arrives, weights := c.arrives(), 0.0
	for i := range c.Zones {
		weights += float64(c.Zones[i].Weight)
	}
	for i := range ports {
		away := float64((1-float64(c.Local))*float64(c.Zones[i].Weight)) / max(weights, 1e-9)
		ports[i].Share = float64(float64(c.Local)*arrives[i]) + away
	}
	return ports
}

// arrives returns the share of the calls that arrive in each zone.
func (c *zonesConfig) arrives() []float64 {
	left, open := 1.0, 0.0
	for i := range c.Zones {
		left -= float64(c.Zones[i].Share)
		open += number(c.Zones[i].Share == 0)
	}
	shares := make([]float64, len(c.Zones))
	for i := range c.Zones {
		shares[i] = float64(c.Zones[i].Share)
		if shares[i] == 0 {
			shares[i] = max(left, 0) / open
		}
	}
	return shares
}

func (c *zonesConfig) Instant() bool { return true }

func (c *zonesConfig) Check(r *Report) {
	if len(c.Zones) < 2 || len(c.Zones) > maxTargets {
		r.Add("zones", fmt.Sprintf("%d zones", len(c.Zones)), fmt.Sprintf("write 2 to %d", maxTargets))
	}
	sum, open := 0.0, false
	names := map[string]bool{}
	for i := range c.Zones {
		z := &c.Zones[i]
		at := fmt.Sprintf("zones[%d]", i)
		z.Call.check(at+".call", r)
		if names[z.Name] {
			r.Add(at+".name", fmt.Sprintf("a second zone is named %q", z.Name), "give each its own name")
		}
		names[z.Name] = true
		if z.Weight == 0 {
			r.Add(at+".weight", "a zone without capacity", "write a weight above 0, or leave the zone out")
		}
		sum += float64(z.Share)
		open = open || z.Share == 0
	}
	if len(c.Zones) > 0 && (sum > 1+1e-9 || !open && sum < 1-1e-9) {
		r.Add("zones", fmt.Sprintf("the shares of the zones add up to %.4g%%", float64(100*sum)), "let them add up to 100%, or leave one out")
	}
	if c.MostOut < 1 {
		r.Warn("most_out", "no zone is ever taken out", "write no_failover: true if that is meant")
	}
}

// zones spreads calls over zones.
type zones struct {
	relay
	set    *zonesConfig
	self   des.Target
	luck   *des.Stream
	zones  []zoneState
	auto   bool
	cross  des.Time
	usable float64 // weight of the zones that are in

	arrived, ok, failed, refused, dropped, withdrawn *des.Counter
	crossed                                          *des.Counter
	out                                              *des.Gauge
}

// zoneState is a running zone.
type zoneState struct {
	upTo   float64 // share of the calls that arrive in it or in an earlier one
	weight float64
	lost   bool
	seen   bool // lost, as far as has been noticed
	taken  bool // out, by an operator
	out    bool

	served *des.Counter
}

const (
	zonesThere  uint16 = iota // a job has reached the zone
	zonesBack                 // an answer has come back; the outcome is added
	zonesDetect = zonesBack + uint16(outcomes)
)

func (c *zonesConfig) Build(b *Builder) Part {
	z := &zones{
		set: c, luck: b.Stream("zone"), auto: !c.Stay, cross: c.Cross.Time(),
		arrived: b.Counter("arrived"), ok: b.Counter("ok"), failed: b.Counter("failed"), refused: b.Counter("refused"),
		dropped: b.Counter("dropped"), withdrawn: b.Counter("withdrawn"), crossed: b.Counter("crossed"),
		out: b.Gauge("out", "zones"),
	}
	z.net = b.Net
	z.self = b.Register(z)
	arrives, upTo := c.arrives(), 0.0
	for i := range c.Zones {
		set := &c.Zones[i]
		z.outs = append(z.outs, b.Edge(z, i, set.Name, &set.Call))
		upTo += arrives[i]
		z.zones = append(z.zones, zoneState{upTo: upTo, weight: float64(set.Weight), served: b.Counter(set.Name + ".served")})
		z.zoneKnobs(b, i)
	}
	z.decide()
	b.Knob(Knob{
		Name: "failover", Unit: "1", About: "1 takes zones out by themselves when they are lost, 0 puts all in again but those taken out by hand",
		Get: func() float64 { return number(z.auto) }, Set: func(x float64) { z.auto = x > 0; z.decide() },
	})
	b.Slow(c.Detect.Time())
	b.Law("calls are conserved", z.conserved)
	return z
}

func (z *zones) zoneKnobs(b *Builder, i int) {
	name := z.set.Zones[i].Name
	b.Knob(Knob{
		Name: name + ".lost", Unit: "1", About: "1 cuts the zone off: nothing reaches it",
		Get: func() float64 { return number(z.zones[i].lost) },
		Set: func(x float64) {
			z.zones[i].lost = x > 0
			z.net.Sim.After(z.set.Detect.Time(), z.self, zonesDetect, uint32(i))
		},
		Worst: &Worst{Value: 1, About: named(b.Name(), "zone "+name+" of %s is lost", "%s의 영역 "+name+" 상실")},
	})
	b.Knob(Knob{
		Name: name + ".out", Unit: "1", About: "1 takes the zone out: its calls go to the others",
		Get:      func() float64 { return number(z.zones[i].taken) },
		Set:      func(x float64) { z.zones[i].taken = x > 0; z.decide() },
		Remedies: []Remedy{{Value: 1, About: named(b.Name(), "zone "+name+" of %s taken out", "%s의 영역 "+name+" 제외"), Cost: 2}},
	})
}

// decide finds which zones are out. Not more than allowed are, and never all:
// the first ones in the order of the file go out first, those of an operator
// before.
func (z *zones) decide() {
	most := min(int64(z.set.MostOut), int64(len(z.zones)-1))
	out := int64(0)
	for i := range z.zones {
		z.zones[i].out = z.zones[i].taken && out < int64(len(z.zones)-1)
		out += int64(number(z.zones[i].out))
	}
	for i := range z.zones {
		s := &z.zones[i]
		if z.auto && s.seen && !s.out && out < most {
			s.out = true
			out++
		}
	}
	z.out.Set(out)
	z.usable = 0
	for i := range z.zones {
		if !z.zones[i].out {
			z.usable += z.zones[i].weight
		}
	}
}

// Arrive finds the zone that serves a call.
func (z *zones) Arrive(c CallID) {
	z.arrived.Inc()
	home := len(z.zones) - 1
	for at, i := z.luck.Float64(), 0; i < home; i++ {
		if at < z.zones[i].upTo {
			home = i
		}
	}
	serves := home
	if z.zones[home].out || z.set.Local < 1 && !z.luck.Bool(float64(z.set.Local)) {
		serves = z.any()
	}
	if z.zones[serves].lost {
		if z.set.Lost == "refuse" {
			z.refused.Inc()
			z.net.Reply(c, Refused)
			return
		}
		z.dropped.Inc()
		z.net.Drop(c)
		return
	}
	z.zones[serves].served.Inc()
	job := z.take(c)
	z.jobs[job].target = int32(serves)
	if serves == home {
		z.send(job, serves, 0)
		return
	}
	z.crossed.Inc()
	z.jobs[job].tries = 1 // it comes back over the same way
	if z.cross == 0 {
		z.send(job, serves, 0)
		return
	}
	z.net.Sim.After(z.cross, z.self, zonesThere, job)
}

// any draws a zone that is in by its weight.
func (z *zones) any() int {
	at := float64(z.luck.Float64() * z.usable)
	last := 0
	for i := range z.zones {
		if z.zones[i].out {
			continue
		}
		last = i
		if at < z.zones[i].weight {
			break
		}
		at -= z.zones[i].weight
	}
	return last
}

// Ended takes the answer of a zone.
func (z *zones) Ended(_ int, job uint32, o Outcome) {
	j := &z.jobs[job]
	j.sent = false
	if j.tries > 0 && z.cross > 0 {
		z.net.Sim.After(z.cross, z.self, zonesBack+uint16(o), job)
		return
	}
	z.answer(job, o)
}

func (z *zones) answer(job uint32, o Outcome) {
	if o == OK {
		z.ok.Inc()
	} else {
		z.failed.Inc()
		if o == TimedOut {
			o = Failed
		}
	}
	z.net.Reply(z.end(job), o)
}

// Withdraw stops a call on its way.
func (z *zones) Withdraw(c CallID) {
	z.withdrawn.Inc()
	job := z.net.call(c).local
	if z.jobs[job].sent {
		z.withdraw(job)
		z.net.Drop(z.end(job))
		return
	}
	z.jobs[job].busy = false // its event frees the job
	z.inside--
	z.net.Drop(c)
}

// Handle receives the events of the zones.
func (z *zones) Handle(kind uint16, arg uint32) {
	if kind == zonesDetect {
		z.zones[arg].seen = z.zones[arg].lost
		z.decide()
		return
	}
	if !z.jobs[arg].busy { // withdrawn meanwhile
		z.free = append(z.free, arg)
		return
	}
	if kind == zonesThere {
		z.send(arg, int(z.jobs[arg].target), 0)
		return
	}
	z.answer(arg, Outcome(kind-zonesBack))
}

func (z *zones) conserved() error {
	out := z.ok.Total() + z.failed.Total() + z.refused.Total() + z.dropped.Total() + z.withdrawn.Total()
	if z.arrived.Total() != out+z.inside {
		return fmt.Errorf("%d arrived, %d have left and %d are inside", z.arrived.Total(), out, z.inside)
	}
	return nil
}
