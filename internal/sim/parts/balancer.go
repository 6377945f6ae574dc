package parts

import (
	"fmt"

	"github.com/openprecedent/precedent/internal/sim/des"
)

// balancerKind follows the terms of proxies in use: power of two choices
// (Mitzenmacher, IEEE TPDS 12(10), 2001), outlier detection with consecutive
// failures, ejection time and largest ejected share, and the panic threshold
// under which all targets get calls (Envoy's names for them).
var balancerKind = Kind{
	Name: "balancer",
	About: "A load balancer: spreads calls over targets and the copies of each. " +
		"It can set targets aside that fail, and look after their health.",
	New:      func() Config { return new(balancerConfig) },
	Callable: true,
}

type balancerConfig struct {
	Calls   []Call        `yaml:"calls" doc:"the targets; one that has copies is as many targets" required:"true"`
	Weights []Factor      `yaml:"weights" doc:"weight of each target in the order of the calls, that of each copy; all equal if left out"`
	Policy  Policy        `yaml:"policy" doc:"who gets a call: least_loaded has the fewest open calls for its weight, power_of_two fewer than others drawn at random, key is always the same for the same key, as shards and cells are" default:"round_robin"`
	Choices Count         `yaml:"choices" doc:"how many targets power_of_two draws" default:"2"`
	Retries Count         `yaml:"retries" doc:"further targets that are tried after a failure" default:"0"`
	Eject   *Ejection     `yaml:"eject" doc:"sets targets aside whose calls fail (outlier detection)"`
	Checks  *HealthChecks `yaml:"health_checks" doc:"asks each target regularly whether it is well"`
	Panic   Share         `yaml:"panic_below" doc:"when a smaller share of the targets is well, all get calls" default:"0%"`
}

// Policy is how a balancer chooses.
type Policy string

// UnmarshalText reads how a balancer chooses.
func (p *Policy) UnmarshalText(text []byte) error {
	return oneOf((*string)(p), string(text), p.Words()...)
}

// Words returns the words that may stand.
func (*Policy) Words() []string {
	return []string{"random", "round_robin", "least_loaded", "power_of_two", "key"}
}

// Ejection sets targets aside for a time because their calls fail.
type Ejection struct {
	InRow  Count    `yaml:"failures_in_row" doc:"failures one after another that eject a target; 0 does not count them" default:"5"`
	Share  Share    `yaml:"failure_share" doc:"share of failed calls of an interval that ejects a target; 0 does not look at it"`
	Every  Duration `yaml:"interval" doc:"how often the share is looked at" default:"10s"`
	Least  Count    `yaml:"least_calls" doc:"calls a target must have had in an interval for its share to count" default:"10"`
	For    Duration `yaml:"for" doc:"how long a target is set aside" default:"30s"`
	Longer bool     `yaml:"longer_each_time" doc:"the time is multiplied by how often the target was set aside"`
	Most   Share    `yaml:"most" doc:"largest share of the targets set aside at once, but always one" default:"10%"`
}

// HealthChecks are calls to each target that tell whether it is well.
type HealthChecks struct {
	Every     Duration `yaml:"every" doc:"time between two checks of a target" default:"10s"`
	Timeout   Duration `yaml:"timeout" doc:"how long a check waits for the answer" default:"1s"`
	Failures  Count    `yaml:"failures" doc:"failed checks in a row after which a target is unwell" default:"3"`
	Successes Count    `yaml:"successes" doc:"good checks in a row after which it is well again" default:"2"`
	Class     Count    `yaml:"class" doc:"class of the checks, for targets that treat classes apart" default:"0"`
}

func (c *balancerConfig) Ports() []Port {
	ports := make([]Port, len(c.Calls))
	for i := range c.Calls {
		ports[i] = Port{Name: fmt.Sprintf("calls[%d]", i), Call: &c.Calls[i], Spread: true}
	}
	return ports
}

// moreHandlers counts the calls of health checks.
func (c *balancerConfig) moreHandlers() int {
	if c.Checks == nil {
		return 0
	}
	return len(c.Calls) * (&Call{Timeout: c.Checks.Timeout}).handlers()
}

func (c *balancerConfig) Instant() bool { return true }

func (c *balancerConfig) Check(r *Report) {
	if len(c.Calls) == 0 || len(c.Calls) > maxTargets {
		r.Add("calls", fmt.Sprintf("%d targets", len(c.Calls)), fmt.Sprintf("write 1 to %d, or one with copies", maxTargets))
	}
	for i := range c.Calls {
		at := fmt.Sprintf("calls[%d]", i)
		c.Calls[i].check(at, r)
		if c.Calls[i].Retries > 0 {
			r.Add(at+".retries", "a retry of a target goes to the same target", "write retries at the balancer or at its caller")
		}
		if c.Calls[i].Hedge > 0 {
			r.Add(at+".hedge", "a hedge of a target goes to the same target", "hedge where the balancer is called")
		}
	}
	if len(c.Weights) > 0 && len(c.Weights) != len(c.Calls) {
		r.Add("weights", fmt.Sprintf("%d weights for %d calls", len(c.Weights), len(c.Calls)), "write one for each call")
	}
	if c.Choices < 1 || c.Choices > 100 {
		r.Add("choices", fmt.Sprintf("%d choices", c.Choices), "write 1 to 100")
	}
	if c.Retries > maxRetries {
		r.Add("retries", fmt.Sprintf("%d retries are more than %d", c.Retries, maxRetries), "write fewer")
	}
	if e := c.Eject; e != nil {
		e.check(r)
	}
	if h := c.Checks; h != nil && (h.Every == 0 || h.Timeout == 0 || h.Failures < 1 || h.Successes < 1 || h.Class > maxClass) {
		r.Add("health_checks", "checks need a time between them, a timeout, and counts of 1 or more",
			fmt.Sprintf("write every, timeout, failures and successes, and a class of at most %d", maxClass))
	}
}

func (e *Ejection) check(r *Report) {
	if e.InRow == 0 && e.Share == 0 {
		r.Add("eject", "nothing ejects a target", "write failures_in_row or failure_share")
	}
	if e.Share > 0 && e.Every == 0 {
		r.Add("eject.interval", "a share of no time", "write how often it is looked at, such as 10s")
	}
	if e.For == 0 {
		r.Add("eject.for", "a target is set aside for no time", "write how long, such as 30s")
	}
}

const maxTargets = 64

// balancer passes calls on to one of its targets.
type balancer struct {
	relay
	set     *balancerConfig
	self    des.Target
	checks  []*edge // by entry
	random  *des.Stream
	targets []target
	active  []int // copies in use, by entry

	choice
	setAside int // targets that are ejected

	arrived, ok, failed, refused, withdrawn *des.Counter
	retriesMost                             int // 0 without feedback
	retries, ejected                        *des.Counter
	available, aside                        *des.Gauge
}

// target is one target of a balancer.
type target struct {
	entry  int32
	copy   uint16
	group  *group
	weight float64

	open      int32
	inRow     int32 // failures one after another
	calls     int32 // of the interval
	failures  int32
	ejections int32
	ejected   bool
	sick      bool
	asking    bool  // a check is under way
	checked   int32 // checks in a row that say otherwise than sick does
}

const (
	balancerBack     uint16 = iota // of a target that was ejected
	balancerInterval               // the shares are looked at
	balancerCheck                  // of a target
)

func (c *balancerConfig) Build(b *Builder) Part {
	l := &balancer{
		set: c, random: b.Stream("choice"),
		arrived: b.Counter("arrived"), ok: b.Counter("ok"), failed: b.Counter("failed"),
		refused: b.Counter("refused"), withdrawn: b.Counter("withdrawn"), retries: b.Counter("retries"),
		ejected: b.Counter("ejected"), available: b.Gauge("available", "targets"), aside: b.Gauge("set_aside", "targets"),
	}
	l.net = b.Net
	if !b.Calm {
		l.retriesMost = int(c.Retries)
	}
	l.choice.init(c, l.random)
	l.self = b.Register(l)
	for i := range c.Calls {
		l.outs = append(l.outs, b.Edge(l, i, fmt.Sprintf("calls[%d]", i), &c.Calls[i]))
		l.addTargets(b, i)
	}
	l.refresh()
	b.Law("calls are conserved", l.conserved)
	b.Start(l.start)
	return l
}

// addTargets makes a target of each copy of an entry.
func (l *balancer) addTargets(b *Builder, entry int) {
	g := l.net.group(l.set.Calls[entry].To)
	weight := 1.0
	if len(l.set.Weights) > 0 {
		weight = float64(l.set.Weights[entry])
	}
	l.active = append(l.active, g.copies)
	first := len(l.targets)
	for i := range g.copies {
		l.targets = append(l.targets, target{entry: int32(entry), copy: uint16(i), group: g, weight: weight})
	}
	mine := l.targets[first:]
	g.watches = append(g.watches, func(int) { l.refresh() })
	b.Knob(Knob{
		Name: fmt.Sprintf("calls[%d].weight", entry), Unit: "1", About: "weight of the target, of each copy",
		Get: func() float64 { return l.targets[first].weight },
		Set: func(x float64) {
			for i := range mine {
				l.targets[first+i].weight = max(x, 0)
			}
			l.refresh()
		},
	})
	if g.copies > 1 {
		b.Knob(Knob{
			Name: fmt.Sprintf("calls[%d].copies", entry), Unit: "copies", About: "how many of the copies get calls",
			Get: func() float64 { return float64(l.active[entry]) },
			Set: func(x float64) { l.active[entry] = min(max(int(x), 0), g.copies); l.refresh() },
		})
	}
	if h := l.set.Checks; h != nil {
		call := &Call{To: l.set.Calls[entry].To, Timeout: h.Timeout, Cancel: l.set.Calls[entry].Cancel}
		l.checks = append(l.checks, b.Edge(l, len(l.set.Calls)+entry, fmt.Sprintf("checks[%d]", entry), call))
	}
}

func (l *balancer) start() {
	if e := l.set.Eject; e != nil && e.Share > 0 {
		l.net.Sim.After(e.Every.Time(), l.self, balancerInterval, 0)
	}
	if h := l.set.Checks; h != nil {
		for i := range l.targets {
			phase := float64(float64(h.Every)*float64(i)) / float64(len(l.targets))
			l.net.Sim.After(des.FromNanoseconds(phase), l.self, balancerCheck, uint32(i))
		}
	}
}

// Arrive passes a call on.
func (l *balancer) Arrive(c CallID) {
	l.arrived.Inc()
	t, ok := l.pick(l.targets, -1, l.net.call(c).key)
	if !ok {
		l.refused.Inc()
		l.net.Reply(c, Refused)
		return
	}
	l.try(l.take(c), t)
}

// try sends the call of a job to a target.
func (l *balancer) try(job uint32, t int) {
	j := &l.jobs[job]
	j.target = int32(t)
	j.tries++
	l.targets[t].open++
	l.loaded(l.targets, t)
	l.send(job, int(l.targets[t].entry), l.targets[t].copy)
}

// Ended takes the end of a call to a target, or of a check.
func (l *balancer) Ended(port int, token uint32, o Outcome) {
	if port >= len(l.set.Calls) {
		l.sawCheck(int(token), o == OK)
		return
	}
	j := &l.jobs[token]
	j.sent = false
	t := int(j.target)
	l.targets[t].open--
	l.loaded(l.targets, t)
	l.saw(t, o == OK)
	if o != OK && int(j.tries) <= l.retriesMost {
		if next, ok := l.pick(l.targets, t, l.net.call(j.call).key); ok {
			l.retries.Inc()
			l.try(token, next)
			return
		}
	}
	if o == OK {
		l.ok.Inc()
	} else {
		l.failed.Inc()
		if o != Refused {
			o = Failed
		}
	}
	l.net.Reply(l.end(token), o)
}

// Withdraw stops a call on its way.
func (l *balancer) Withdraw(c CallID) {
	job := l.net.call(c).local
	l.withdraw(job)
	t := int(l.jobs[job].target)
	l.targets[t].open--
	l.loaded(l.targets, t)
	l.withdrawn.Inc()
	l.net.Drop(l.end(job))
}

// Handle receives the events of the balancer.
func (l *balancer) Handle(kind uint16, arg uint32) {
	switch kind {
	case balancerBack:
		l.targets[arg].ejected, l.targets[arg].inRow = false, 0
		l.setAside--
		l.aside.Add(-1)
		l.refresh()
	case balancerInterval:
		l.net.Sim.After(l.set.Eject.Every.Time(), l.self, balancerInterval, 0)
		l.interval()
	case balancerCheck:
		l.net.Sim.After(l.set.Checks.Every.Time(), l.self, balancerCheck, arg)
		l.check(int(arg))
	}
}

// refresh finds anew who may get calls.
func (l *balancer) refresh() {
	usable, well := 0, 0
	for i := range l.targets {
		t := &l.targets[i]
		if l.usable(t) {
			usable++
			if !t.ejected && !t.sick {
				well++
			}
		}
	}
	all := float64(well) < float64(float64(l.set.Panic)*float64(usable))
	l.reset()
	for i := range l.targets {
		t := &l.targets[i]
		if l.usable(t) && (all || !t.ejected && !t.sick) {
			l.offer(l.targets, i)
		}
	}
	l.available.Set(int64(len(l.offered)))
}

func (l *balancer) usable(t *target) bool {
	return t.weight > 0 && int(t.copy) < l.active[t.entry] && !t.group.out[t.copy]
}

func (l *balancer) conserved() error {
	out := l.ok.Total() + l.failed.Total() + l.refused.Total() + l.withdrawn.Total()
	if l.arrived.Total() != out+l.inside {
		return fmt.Errorf("%d arrived, %d have left and %d are inside", l.arrived.Total(), out, l.inside)
	}
	open := int64(0)
	for i := range l.targets {
		open += int64(l.targets[i].open)
	}
	if open != l.inside {
		return fmt.Errorf("%d calls are inside, and the targets have %d", l.inside, open)
	}
	return nil
}
