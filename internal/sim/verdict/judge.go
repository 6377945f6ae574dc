package verdict

import (
	"context"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"sync"

	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/sim/des"
	"github.com/openprecedent/precedent/internal/sim/scenario"
)

// Judgment is what a system was found to be, with the evidence.
type Judgment struct {
	Name     string         `json:"name"`
	Class    Class          `json:"class"`
	Why      bilingual.Text `json:"why"` // the finding in a sentence
	Tau      float64        `json:"tau"` // longest time constant of the system, in seconds
	Window   float64        `json:"window"`
	JudgedBy []JudgedBy     `json:"judged_by"`
	Limit    float64        `json:"limit"` // error share up to which a window is healthy
	Baseline Baseline       `json:"baseline"`
	Trials   []Trial        `json:"trials,omitempty"` // one a trigger
	Events   uint64         `json:"events"`
	Broken   []string       `json:"broken_laws,omitempty"` // laws that did not hold, which is a fault of the simulator
}

// Baseline is what the system does without a trigger.
type Baseline struct {
	Seeds     int      `json:"seeds"`
	Unhealthy Interval `json:"unhealthy"` // share of the runs with three unhealthy windows
	Errors    float64  `json:"errors"`    // mean error share
	// Where the system went down by itself in some runs: the mean time in seconds
	// it was watched until it did. 0 where it did in none; it is then longer than
	// what all runs together have watched.
	MeanTimeToCollapse float64 `json:"mean_time_to_collapse"`
	Watched            float64 `json:"watched"` // seconds over all runs

	Worst int `json:"worst,omitempty"` // place of the load that did worst, among those that the system is judged by
}

// Trial is what the system does after one trigger.
type Trial struct {
	Trigger  Trigger  `json:"trigger"`
	Lasts    float64  `json:"lasts"` // seconds
	Seeds    int      `json:"seeds"`
	Tip      Interval `json:"tip"`      // share of the runs that did not come back
	During   float64  `json:"during"`   // mean error share while the trigger lasted
	After    float64  `json:"after"`    // mean error share at the end of the runs that tipped
	Recovery float64  `json:"recovery"` // mean seconds to health in the runs that came back
	// Counterfactual is the longest time in seconds to health without feedback.
	// A run counts as tipped after three times as long at least.
	Counterfactual float64 `json:"counterfactual"`
	// CalmDown counts the runs without feedback that did not come back either, of
	// CalmRuns: what keeps the system down is then not its retries.
	CalmDown int `json:"calm_down,omitempty"`
	CalmRuns int `json:"calm_runs"`
	// Undecided runs were neither healthy nor clearly tipped when the watch ended.
	Undecided     int     `json:"undecided,omitempty"`
	Useful        float64 `json:"useful"`        // share of the work whose answer somebody waited for, in runs that tipped
	Amplification float64 `json:"amplification"` // calls for each request, in runs that tipped

	Worst int `json:"worst,omitempty"` // place of the load that did worst in them, among those that the system is judged by
}

// Judge runs the protocol. The error says why the system cannot be judged; with
// an [*Interrupted] the judgment, if there is one, holds the trials that had
// ended, and a class only if the others cannot change it.
func Judge(ctx context.Context, f *scenario.File, o Options) (*Judgment, error) {
	p, err := newProtocol(f, o.Limit)
	if err != nil {
		return nil, fmt.Errorf("judging %q: %w", f.Name, err)
	}
	if o.Seeds == 0 {
		o.Seeds = 10
	}
	r := newRunner(ctx, o)
	j := &Judgment{Name: f.Name, Tau: p.tau.Seconds(), Window: p.window.Seconds(), Limit: p.limit, JudgedBy: p.by}
	var lacks error
	if j.Baseline, err = p.baseline(r, o.Seeds); err != nil {
		return nil, fmt.Errorf("judging %q: %w", f.Name, err)
	}
	if j.Baseline.Unhealthy.Share < 0.5 {
		triggers := p.triggers()
		for i, t := range triggers {
			trial, err := p.try(r, t, o.Seeds)
			if ended(err) {
				lacks = &Interrupted{err, names(triggers[i:])}
				break
			}
			if err != nil {
				return nil, fmt.Errorf("judging %q: %s: %w", f.Name, t.Name.En, err)
			}
			j.Trials = append(j.Trials, trial)
		}
	}
	j.Class, j.Why = classify(j)
	if lacks != nil && j.Class != Metastable { // which nothing changes any more
		j.Class = Unjudged
		j.Why = text("the judgment was interrupted before every trigger had been tried", "모든 촉발 요인을 시험하기 전에 판정이 중단되었다")
	}
	j.Events, j.Broken = r.events, r.laws()
	return j, lacks
}

// names returns the names of triggers.
func names(triggers []Trigger) []bilingual.Text {
	var all []bilingual.Text
	for _, t := range triggers {
		all = append(all, t.Name)
	}
	return all
}

// baselineLength returns for how long the system is watched without a trigger.
func (p *protocol) baselineLength() des.Time {
	return des.Time(max(windowsIn(baselineTaus*p.tau, p.window), 3*healthyRun)) * p.window
}

// baseline runs the system without a trigger.
func (p *protocol) baseline(r *runner, seeds int) (Baseline, error) {
	return once(r, fmt.Sprintf("baseline of %d", seeds), func() (Baseline, error) {
		return p.runBaseline(r, text("without a trigger", "촉발 요인 없이"), seeds, nil)
	})
}

func (p *protocol) runBaseline(r *runner, stage bilingual.Text, seeds int, ms []remedy) (Baseline, error) {
	type outcome struct {
		errors    float64
		of        int
		unhealthy bool
		collapsed des.Time
		watched   des.Time
	}
	results := make([]outcome, seeds)
	windows := int(p.baselineLength() / p.window)
	err := r.each(stage, seeds, func(ctx context.Context, i int) (uint64, error) {
		c := p.begin(uint64(i+1), nil, false)
		for _, m := range ms {
			c.turn(m.turns)
		}
		warm := windowsIn(p.warm, p.window)
		if err := c.run(ctx, warm+windows); err != nil {
			return c.events, err
		}
		watched := c.windows[warm:]
		out := outcome{errors: meanErrors(watched), of: p.worst(watched), watched: des.Time(windows) * p.window}
		bad := 0
		for n, w := range watched {
			if w.errors > p.limit {
				bad++
			}
			if bad == healthyRun && !out.unhealthy {
				out.unhealthy = true
				out.collapsed = des.Time(n+1) * p.window
			}
		}
		results[i] = out
		r.law(c.net.Check())
		return c.events, nil
	})
	if err != nil {
		return Baseline{}, err
	}
	b := Baseline{Seeds: seeds}
	unhealthy := 0
	for _, out := range results {
		b.Errors += out.errors / float64(seeds)
		if out.unhealthy {
			unhealthy++
			b.Worst = out.of
			b.Watched += out.collapsed.Seconds()
		} else {
			b.Watched += out.watched.Seconds()
		}
	}
	b.Unhealthy = Wilson(unhealthy, seeds)
	if unhealthy > 0 {
		b.MeanTimeToCollapse = b.Watched / float64(unhealthy)
	}
	return b, nil
}

// try runs the system through one trigger, and first without feedback, which
// tells how long a mere backlog takes.
func (p *protocol) try(r *runner, t Trigger, seeds int) (Trial, error) {
	trial, err := once(r, fmt.Sprintf("trial of %d: %s", seeds, t.Name.En), func() (Trial, error) { return p.runTrial(r, t, seeds) })
	trial.Trigger = t
	return trial, err
}

func (p *protocol) runTrial(r *runner, t Trigger, seeds int) (Trial, error) {
	out := Trial{Trigger: t, Lasts: t.Span(), Seeds: seeds}
	const counterfactuals = 2 // the drain of a backlog hardly depends on the draws
	calm := make([]fate, min(counterfactuals, seeds))
	err := r.each(text("without feedback: %s", "되먹임 없이: %s", t.Name), len(calm), func(ctx context.Context, i int) (uint64, error) {
		var err error
		calm[i], err = p.watch(ctx, uint64(i+1), t, 0, true)
		return calm[i].events, err
	})
	if err != nil {
		return out, err
	}
	drain := des.Time(0)
	out.CalmRuns = len(calm)
	for _, f := range calm {
		if f.tipped || f.undecided {
			out.CalmDown++
			continue
		}
		drain = max(drain, f.took)
	}
	out.Counterfactual = drain.Seconds()
	fates := make([]fate, seeds)
	err = r.each(t.Name, seeds, func(ctx context.Context, i int) (uint64, error) {
		var err error
		fates[i], err = p.watch(ctx, uint64(i+1), t, 3*drain, false)
		r.law(fates[i].broken)
		return fates[i].events, err
	})
	if err != nil {
		return out, err
	}
	tipped, recovered := 0, 0
	for _, f := range fates {
		out.During += f.during / float64(seeds)
		switch {
		case f.tipped:
			tipped++
			out.After += f.after
			out.Worst = f.of
			out.Useful += f.work.Useful()
			out.Amplification += f.work.Amplification()
		case f.undecided:
			out.Undecided++
		default:
			recovered++
			out.Recovery += f.took.Seconds()
		}
	}
	out.Tip = Wilson(tipped, seeds)
	if tipped > 0 {
		out.After /= float64(tipped)
		out.Useful /= float64(tipped)
		out.Amplification /= float64(tipped)
	}
	if recovered > 0 {
		out.Recovery /= float64(recovered)
	}
	return out, nil
}

// runner runs independent runs on all processors and tells of its progress.
type runner struct {
	ctx      context.Context
	workers  int
	progress func(Progress)
	memo     Memo

	mu     sync.Mutex
	done   int
	events uint64
	broken map[string]bool
}

// Fault is an error of the simulator, and not of what it was asked.
type Fault struct{ Err error }

// Error says what went wrong.
func (f *Fault) Error() string { return f.Err.Error() }

// guard calls one and makes an error of a panic: a fault of one run must not end
// who asked for it.
func (r *runner) guard(ctx context.Context, i int, one func(context.Context, int) (uint64, error)) (events uint64, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &Fault{fmt.Errorf("the simulator failed: %v", p)}
		}
	}()
	return one(ctx, i)
}

func newRunner(ctx context.Context, o Options) *runner {
	r := &runner{ctx: ctx, workers: o.Workers, progress: o.Progress, memo: o.Memo, broken: map[string]bool{}}
	if r.workers == 0 {
		r.workers = runtime.GOMAXPROCS(0)
	}
	return r
}

// each calls one for 0 to n-1. The results must not depend on the order of the
// calls: they go into a place of their own, so that a judgment is the same
// whatever the number of workers.
func (r *runner) each(stage bilingual.Text, n int, one func(ctx context.Context, i int) (uint64, error)) error {
	ctx, cancel := context.WithCancel(r.ctx)
	defer cancel()
	errs := make([]error, n)
	next := make(chan int)
	var wg sync.WaitGroup
	for range min(r.workers, n) {
		wg.Go(func() {
			for i := range next {
				events, err := r.guard(ctx, i, one)
				if errs[i] = err; err != nil {
					cancel()
				}
				r.ended(stage, events)
			}
		})
	}
	for i := range n {
		if ctx.Err() != nil {
			break
		}
		next <- i
	}
	close(next)
	wg.Wait()
	if err := r.ctx.Err(); err != nil {
		return err
	}
	for _, err := range errs {
		if err != nil && err != context.Canceled {
			return err
		}
	}
	return nil
}

func (r *runner) ended(stage bilingual.Text, events uint64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.done++
	r.events += events
	if r.progress != nil {
		r.progress(Progress{Stage: stage, Done: r.done, Events: r.events})
	}
}

// law keeps the laws that a run has broken.
func (r *runner) law(broken []error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, err := range broken {
		r.broken[err.Error()] = true
	}
}

// laws returns the laws that were broken, the same whatever the order of the
// runs; ten at most.
func (r *runner) laws() []string {
	all := slices.Sorted(maps.Keys(r.broken))
	return all[:min(len(all), 10)]
}

// fault returns an error if a law was broken.
func (r *runner) fault() error {
	if len(r.broken) == 0 {
		return nil
	}
	return &Fault{fmt.Errorf("a law of the simulator does not hold, which is its fault: %s", r.laws()[0])}
}
