package verdict

import (
	"context"
	"math"

	"github.com/openprecedent/precedent/internal/sim/des"
	"github.com/openprecedent/precedent/internal/sim/parts"
)

// window is what a system did in one window of time.
type window struct {
	errors  float64 // of the load that did worst, the share without what it was there for
	of      int     // which load that is
	backlog int     // calls under way at its end, those that nobody waits for included, and members behind
}

// course is one run, watched window by window.
type course struct {
	net     *parts.Net
	p       *protocol
	looks   []look
	windows []window
	events  uint64
}

// begin starts a run of the scenario with a trigger, none if nil, at the end of
// its warm-up; without feedback if calm. Where the rates of the sources vary, the
// trigger of the scenario comes at its own time, and the others, as the middle of
// a watch without a trigger, when the sources send most.
func (p *protocol) begin(seed uint64, t *Trigger, calm bool) *course {
	f := *p.file
	f.Changes = nil
	f.Run.Window = parts.Duration(p.window)
	f.Begin = p.peak - p.warm - p.baselineLength()/2
	if t != nil {
		f.Begin = t.At - p.warm
		f.Changes = p.changes(*t, p.warm)
	}
	f.Changes = append(p.ongoing(f.Begin), f.Changes...)
	c := &course{net: f.Start(seed, calm), p: p}
	for _, by := range p.by {
		c.looks = append(c.looks, look{by: by})
	}
	return c
}

// run lets the system run for a number of windows.
func (c *course) run(ctx context.Context, windows int) error {
	for range windows {
		until := c.net.Sim.Now() + c.p.window
		end := c.net.Sim.Run(ctx, des.Budget{Until: until, Events: c.net.Sim.Handled() + windowEvents})
		c.events = c.net.Sim.Handled()
		if !end.Finished() {
			if err := ctx.Err(); err != nil {
				return err
			}
			return &Unfit{text("a run ended by %q at %v with %d calls under way; the system is too large to judge",
				"실행이 %[2]v에 끝났고(%[1]q) 그때 진행 중인 호출이 %[3]d개였다. 판정하기에는 시스템이 너무 크다",
				end, c.net.Sim.Now(), c.net.InUse())}
		}
		c.windows = append(c.windows, c.see())
	}
	return nil
}

// windowEvents bounds the events of one window: ten times what the fastest
// ordinary system has in an hour.
const windowEvents = 500_000_000

// fate is how a run ended after its trigger. What is exported is kept by a memo.
type fate struct {
	Tipped    bool
	Undecided bool             // it was neither healthy nor clearly tipped when the watch ended
	Took      des.Time         // from the end of the trigger to health, if it recovered
	During    float64          // error share while the trigger lasted
	After     float64          // error share at the end of the watch
	Of        int              // the load that did worst then
	Work      parts.WorkShares // after the trigger
	ran       ranOne
}

// strikesOut is how many looks in a row must find a system down for good, each
// over half as much time again as the one before: near the edge a backlog
// shrinks so slowly that noise hides it from a single look.
const strikesOut = 2

// calmWindows is how long a system without feedback is watched at least before
// it is called down: long enough to see the slope of a large backlog.
const calmWindows = 40

// watch runs a system through a trigger until it is healthy, or clearly is not:
// it must have been bad for at least the time given after the trigger, with a
// backlog that does not shrink.
func (p *protocol) watch(ctx context.Context, seed uint64, t Trigger, atLeast des.Time, calm bool) (fate, error) {
	if calm {
		atLeast = max(atLeast, calmWindows*p.window)
	}
	return p.follow(ctx, p.begin(seed, &t, calm), t, atLeast)
}

// follow watches a run that has begun.
func (p *protocol) follow(ctx context.Context, c *course, t Trigger, atLeast des.Time) (fate, error) {
	warm, lasts := windowsIn(p.warm, p.window), windowsIn(t.For, p.window)
	if err := c.run(ctx, warm+lasts); err != nil {
		return fate{}, err
	}
	f := fate{During: meanErrors(c.windows[warm:])}
	least := max(windowsIn(max(watchTaus*p.tau, atLeast), p.window), 2*healthyRun)
	most := max(windowsIn(longestTaus*p.tau, p.window), 3*least)
	before := c.net.Work()
	healthy, check, strikes := 0, least, 0
	for n := 1; n <= most && healthy < healthyRun && !f.Tipped; n++ {
		if err := c.run(ctx, 1); err != nil {
			return fate{}, err
		}
		healthy++
		if c.windows[len(c.windows)-1].errors > p.limit {
			healthy = 0
		}
		if n == check {
			last := c.windows[warm+lasts+n/2:]
			if !draining(last) && steadilyBad(last, p.limit) {
				strikes++
			} else {
				strikes = 0
			}
			f.Tipped = strikes == strikesOut
			check += (check + 1) / 2
		}
		f.Took = des.Time(n-healthyRun) * p.window
	}
	f.Undecided = !f.Tipped && healthy < healthyRun
	f.After = meanErrors(c.windows[len(c.windows)-healthyRun:])
	f.Of = p.worst(c.windows[len(c.windows)-healthyRun:])
	f.Work = c.net.Work().Since(before)
	f.ran = ranOne{c.events, c.net.Check()}
	return f, nil
}

// draining reports whether the backlog shrinks: whether its mean over the last
// third of the windows is a twentieth below that of the first, or the line
// through all of them falls by more than two of its standard errors.
func draining(ws []window) bool {
	third := max(len(ws)/3, 1)
	if meanBacklog(ws[len(ws)-third:]) < float64(0.95*meanBacklog(ws[:third])) {
		return true
	}
	slope, se := trend(ws)
	return slope < float64(-2*se)
}

// trend fits a line to the backlog over the windows, by least squares, and
// returns its slope and the standard error of that.
func trend(ws []window) (slope, se float64) {
	n := float64(len(ws))
	if n < 3 {
		return 0, 0
	}
	x, y := (n-1)/2, meanBacklog(ws)
	var xx, xy float64
	for i, w := range ws {
		xx += float64((float64(i) - x) * (float64(i) - x))
		xy += float64((float64(i) - x) * (float64(w.backlog) - y))
	}
	slope = xy / xx
	rest := 0.0
	for i, w := range ws {
		r := float64(w.backlog) - y - float64(slope*(float64(i)-x))
		rest += float64(r * r)
	}
	return slope, math.Sqrt(rest / float64((n-2)*xx))
}

func meanBacklog(ws []window) float64 {
	sum := 0.0
	for _, w := range ws {
		sum += float64(w.backlog)
	}
	return sum / float64(len(ws))
}

// steadilyBad reports whether the mean error share is above the limit, and the
// last third is not much better than the first one.
func steadilyBad(ws []window, limit float64) bool {
	third := max(len(ws)/3, 1)
	return meanErrors(ws) > limit && meanErrors(ws[len(ws)-third:]) >= float64(0.8*meanErrors(ws[:third]))
}

func meanErrors(ws []window) float64 {
	if len(ws) == 0 {
		return 0
	}
	sum := 0.0
	for _, w := range ws {
		sum += w.errors
	}
	return sum / float64(len(ws))
}

// windowsIn returns how many windows cover a span.
func windowsIn(span, window des.Time) int { return int((span + window - 1) / window) }
