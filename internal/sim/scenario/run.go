package scenario

import (
	"context"

	"github.com/openprecedent/precedent/internal/sim/des"
	"github.com/openprecedent/precedent/internal/sim/parts"
)

// Result is what a run has shown.
type Result struct {
	Name    string       `json:"name"`
	Variant string       `json:"variant,omitempty"` // of the file
	Seed    uint64       `json:"seed"`
	End     des.End      `json:"end"`     // why the run ended
	Reached float64      `json:"reached"` // simulated time in seconds
	Window  float64      `json:"window"`  // width of a window in seconds
	Windows int          `json:"windows"`
	Events  uint64       `json:"events"` // events handled
	Sources []Goodput    `json:"sources"`
	Broken  []string     `json:"broken_laws,omitempty"` // laws that did not hold, which is a fault of the simulator
	Series  []des.Series `json:"series"`
	Unmade  []string     `json:"unmade,omitempty"` // changes whose condition did not come true

	Made []Made `json:"-"` // the changes in the order in which they were made
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
	net, _ := f.start(seed, calm)
	return net
}

func (f *File) start(seed uint64, calm bool) (*parts.Net, *director) {
	net := parts.Build(f.Parts.Build(), parts.Options{Seed: seed, Window: f.Run.Window.Time(), Calm: calm, Clock: f.Begin})
	return net, f.direct(net)
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
	net, changes := f.start(seed, false)
	end := net.Sim.Run(f.watched(ctx, net, changes), b)
	if end.Finished() {
		net.Rec.Finish()
	}
	r := &Result{
		Name: f.Name, Variant: f.Variant, Seed: seed, End: end, Reached: net.Sim.Now().Seconds(),
		Window: net.Rec.Width().Seconds(), Windows: net.Rec.Windows(), Events: net.Sim.Handled(),
		Series: net.Rec.Series(), Unmade: changes.unmade(), Made: changes.made,
	}
	for _, g := range net.Goodput() {
		r.Sources = append(r.Sources, Goodput(g))
	}
	for _, err := range net.Check() {
		r.Broken = append(r.Broken, err.Error())
	}
	return r, ctx.Err()
}
