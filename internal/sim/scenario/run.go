package scenario

import (
	"context"
	"slices"

	"github.com/openprecedent/precedent/internal/sim/des"
	"github.com/openprecedent/precedent/internal/sim/parts"
)

// Result is what a run has shown.
type Result struct {
	Name    string       `json:"name"`
	Seed    uint64       `json:"seed"`
	End     des.End      `json:"end"`     // why the run ended
	Reached float64      `json:"reached"` // simulated time in seconds
	Window  float64      `json:"window"`  // width of a window in seconds
	Windows int          `json:"windows"`
	Events  uint64       `json:"events"` // events handled
	Sources []Goodput    `json:"sources"`
	Broken  []string     `json:"broken_laws,omitempty"` // laws that did not hold, which is a fault of the simulator
	Series  []des.Series `json:"series"`
}

// Goodput sums up the requests of one source over a run.
type Goodput struct {
	Source  string  `json:"source"`
	Offered int64   `json:"offered"`
	Good    int64   `json:"good"`   // answered in time
	Late    int64   `json:"late"`   // answered when the answer was of no use any more
	Failed  int64   `json:"failed"` // refused, failed or timed out
	Waiting int64   `json:"waiting"`
	Mean    float64 `json:"mean_latency"` // of good answers, in seconds
	P99     float64 `json:"p99_latency"`  // of good answers, in seconds
}

// Start makes the running system of a file with its changes scheduled; without
// feedback if calm, see [parts.Options].
func (f *File) Start(seed uint64, calm bool) *parts.Net {
	net := parts.Build(f.Parts.Build(), parts.Options{Seed: seed, Window: f.Run.Window.Time(), Calm: calm})
	d := &director{net: net, changes: f.Changes, knobs: map[string]parts.Knob{}, turned: map[string]*turned{}}
	for _, k := range net.Knobs() {
		d.knobs[k.Name] = k
	}
	self := net.Sim.Register(d)
	for i, c := range f.Changes {
		net.Sim.At(c.At.Time(), self, directorTurn, uint32(i))
		if c.For > 0 {
			net.Sim.At(c.At.Time()+c.For.Time(), self, directorBack, uint32(i))
		}
	}
	return net
}

// Simulate runs a file with a seed. A zero budget means the length of the file's run
// and [MaxEvents]. The error is that of the context; the result shows how far
// the run came.
func (f *File) Simulate(ctx context.Context, seed uint64, b des.Budget) (*Result, error) {
	if b.Until == 0 {
		b.Until = f.Run.For.Time()
	}
	if b.Events == 0 {
		b.Events = MaxEvents
	}
	net := f.Start(seed, false)
	end := net.Sim.Run(ctx, b)
	if end.Finished() {
		net.Rec.Finish()
	}
	r := &Result{
		Name: f.Name, Seed: seed, End: end, Reached: net.Sim.Now().Seconds(),
		Window: net.Rec.Width().Seconds(), Windows: net.Rec.Windows(), Events: net.Sim.Handled(),
		Series: net.Rec.Series(),
	}
	for _, g := range net.Goodput() {
		r.Sources = append(r.Sources, Goodput(g))
	}
	for _, err := range net.Check() {
		r.Broken = append(r.Broken, err.Error())
	}
	return r, ctx.Err()
}

// director turns the knobs of a running system. Changes of one knob may overlap:
// the one that began last holds, and when the last of them has ended, the knob is
// as it was before the first.
type director struct {
	net     *parts.Net
	changes []Change
	knobs   map[string]parts.Knob
	turned  map[string]*turned
}

// turned is a knob that changes hold.
type turned struct {
	back func() // puts it back to how it was before all of them
	by   []hold // in the order in which they began
}

// hold is a turn of a change that has begun and not ended.
type hold struct {
	change, turn int
	value        float64
}

const (
	directorTurn uint16 = iota
	directorBack
)

// Handle begins a change, or ends it.
func (d *director) Handle(kind uint16, arg uint32) {
	for i, t := range d.changes[arg].Set {
		if kind == directorTurn {
			d.begin(int(arg), i, t)
		} else {
			d.end(int(arg), i, t)
		}
	}
}

func (d *director) begin(change, turn int, t Turn) {
	k := d.knobs[t.Knob]
	held := d.turned[t.Knob]
	if held == nil {
		held = &turned{back: k.Save()}
		d.turned[t.Knob] = held
	}
	to := t.Value
	if t.Times {
		to = float64(to * k.Get())
	}
	held.by = append(held.by, hold{change, turn, to})
	k.Set(to)
}

func (d *director) end(change, turn int, t Turn) {
	held := d.turned[t.Knob]
	held.by = slices.DeleteFunc(held.by, func(h hold) bool { return h.change == change && h.turn == turn })
	if n := len(held.by); n > 0 {
		d.knobs[t.Knob].Set(held.by[n-1].value)
		return
	}
	held.back()
	delete(d.turned, t.Knob)
}
