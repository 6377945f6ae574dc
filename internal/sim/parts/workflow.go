package parts

import (
	"fmt"

	"github.com/openprecedent/precedent/internal/sim/des"
)

var workflowKind = Kind{
	Name: "workflow",
	About: "Work of operators or of a control plane in several steps, such as adding capacity or failing over, that goes the way " +
		"requests go: a call for each step, one after the other. A run fails at the first step that does.",
	New:    func() Config { return new(workflowConfig) },
	Source: true,
}

type workflowConfig struct {
	Rate  Rate   `yaml:"rate" doc:"runs that begin by themselves, as a Poisson process; others begin by the knob start"`
	Steps Count  `yaml:"steps" doc:"calls that a run makes, one after the other" required:"true"`
	Think Spread `yaml:"think" doc:"time between a step and the next" default:"0s"`
	Size  Amount `yaml:"size" doc:"size of a call, for parts whose work grows with it" default:"1"`
	Kind  Count  `yaml:"class" doc:"class of the calls, from 0, for parts that treat classes apart" default:"0"`
	Call  Call   `yaml:"call" doc:"what each step calls, with a policy of its own" required:"true"`
}

func (c *workflowConfig) Ports() []Port { return []Port{{Name: "call", Call: &c.Call}} }

func (c *workflowConfig) Instant() bool { return false }

func (c *workflowConfig) Check(r *Report) {
	if c.Steps < 1 || c.Steps > maxSteps {
		r.Add("steps", fmt.Sprintf("%d steps", c.Steps), fmt.Sprintf("write 1 to %d", maxSteps))
	}
	if c.Kind > maxClass {
		r.Add("class", fmt.Sprintf("class %d", c.Kind), fmt.Sprintf("write 0 to %d", maxClass))
	}
	c.Call.check("call", r)
}

const maxSteps = 1_000_000

// workflow makes runs of steps.
type workflow struct {
	noCalls
	net   *Net
	set   *workflowConfig
	self  des.Target
	out   *edge
	come  arrivals
	think *des.Stream
	sizes *des.Stream
	runs  []workflowRun
	free  []uint32

	started, finished, failed, steps *des.Counter
	running                          *des.Gauge
	took                             *des.Spans
}

// workflowRun is one run that has not ended.
type workflowRun struct {
	left  uint32 // steps, the one under way included
	since des.Time
}

const (
	workflowStep  uint16 = iota // arg is the run
	workflowComes               // arg is the epoch of the arrivals
)

func (c *workflowConfig) Build(b *Builder) Part {
	w := &workflow{
		net: b.Net, set: c, come: arrivals{stream: b.Stream("arrivals")}, think: b.Stream("think"), sizes: b.Stream("sizes"),
		started: b.Counter("started"), finished: b.Counter("finished"), failed: b.Counter("failed"), steps: b.Counter("steps"),
		running: b.Gauge("running", "runs"), took: b.Spans("took"),
	}
	w.self = b.Register(w)
	w.out = b.Edge(w, 0, "call", &c.Call)
	b.Knob(Knob{
		Name: "start", Unit: "runs", Pulse: true, About: "begins so many runs at once",
		Get: func() float64 { return 0 },
		Set: func(x float64) {
			for range int(min(max(x, 0), MaxPopulation)) {
				w.begin()
			}
		},
	})
	if c.Rate > 0 {
		w.ownRuns(b)
	}
	b.Law("runs are conserved", w.conserved)
	return w
}

// ownRuns lets runs begin by themselves.
func (w *workflow) ownRuns(b *Builder) {
	set := func(perSecond float64) {
		if w.come.set(w.net.Sim.Now(), perSecond) {
			w.schedule()
		}
	}
	b.Knob(Knob{
		Name: "rate", Unit: "1/s", About: "runs that begin a second by themselves",
		Get: w.come.rate, Set: set,
		Worst: &Worst{Value: 3, Times: true, About: named(b.Name(), "%s begins three times as many runs", "%s의 실행이 세 배가 된다")},
		Remedies: []Remedy{
			{Value: 0.5, Times: true, About: named(b.Name(), "half of the runs of %s left out", "%s의 실행 절반을 하지 않는다"), Cost: 5},
		},
	})
	set(float64(w.set.Rate))
}

// schedule lets the next run begin when it is due.
func (w *workflow) schedule() {
	if gap, ok := w.come.gap(); ok {
		w.net.Sim.After(gap, w.self, workflowComes, w.come.epoch)
	}
}

func (w *workflow) brings() Load {
	return Load{
		Kind: Runs, Offered: w.started.Total(), Good: w.finished.Total(), Failed: w.failed.Total(),
		Waiting: w.running.Value(), Attempts: w.out.attempts.Total(),
	}
}

// begin begins a run with its first step.
func (w *workflow) begin() {
	var slot uint32
	if k := len(w.free); k > 0 {
		slot = w.free[k-1]
		w.free = w.free[:k-1]
	} else {
		w.runs = append(w.runs, workflowRun{})
		slot = uint32(len(w.runs) - 1)
	}
	w.runs[slot] = workflowRun{left: uint32(w.set.Steps), since: w.net.Sim.Now()}
	w.started.Inc()
	w.running.Add(1)
	w.step(slot)
}

func (w *workflow) step(slot uint32) {
	w.out.ask(want{token: slot, kind: uint8(w.set.Kind), size: float32(w.set.Size.Draw(w.sizes)), deadline: des.Never})
}

// Handle begins the next step of a run, or a run.
func (w *workflow) Handle(kind uint16, arg uint32) {
	switch {
	case kind == workflowStep:
		w.step(arg)
	case arg == w.come.epoch:
		w.come.next(w.net.Sim.Now())
		w.schedule()
		w.begin()
	}
}

// Ended takes the end of a step.
func (w *workflow) Ended(_ int, slot uint32, o Outcome) {
	r := &w.runs[slot]
	if o != OK {
		w.failed.Inc()
		w.end(slot)
		return
	}
	w.steps.Inc()
	if r.left--; r.left > 0 {
		w.net.Sim.After(w.set.Think.Span(w.think), w.self, workflowStep, slot)
		return
	}
	w.finished.Inc()
	w.took.Measure(w.net.Sim.Now() - r.since)
	w.end(slot)
}

func (w *workflow) end(slot uint32) {
	w.running.Add(-1)
	w.free = append(w.free, slot)
}

// conserved holds the counts against each other.
func (w *workflow) conserved() error {
	ended := w.finished.Total() + w.failed.Total()
	if under := w.running.Value(); w.started.Total() != ended+under {
		return fmt.Errorf("%d were started, %d have ended and %d are under way", w.started.Total(), ended, under)
	}
	if done := w.steps.Total() + w.failed.Total(); w.out.asked.Total() != done+w.out.open.Value() {
		return fmt.Errorf("%d steps were begun, %d have ended and %d are under way", w.out.asked.Total(), done, w.out.open.Value())
	}
	return nil
}
