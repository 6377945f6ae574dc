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
// an [*Interrupted] the judgment holds what the runs that had ended show, and a
// class only if the others cannot change it.
func Judge(ctx context.Context, f *scenario.File, o Options) (*Judgment, error) {
	p, err := newProtocol(f, o)
	if err != nil {
		return nil, fmt.Errorf("judging %q: %w", f.Name, err)
	}
	if o.Seeds == 0 {
		o.Seeds = 10
	}
	r := newRunner(ctx, o)
	j := &Judgment{Name: f.Name, Tau: p.tau.Seconds(), Window: p.window.Seconds(), Limit: p.limit, JudgedBy: p.by}
	triggers := p.triggers()
	j.Baseline, err = p.baseline(r, o.Seeds)
	if ended(err) {
		j.Why = j.Baseline.soFar(o.Seeds)
		j.Events, j.Broken = r.events, r.laws()
		return j, early(err, j.Baseline, o.Seeds, names(triggers))
	}
	if err != nil {
		return nil, fmt.Errorf("judging %q: %w", f.Name, err)
	}
	var lacks error
	var part []Trial // of which some runs had ended
	if j.Baseline.Unhealthy.Share < 0.5 {
		for i, t := range triggers {
			trial, err := p.try(r, t, o.Seeds)
			if ended(err) {
				missing := names(triggers[i:])
				if trial.Seeds > 0 {
					part, missing[0] = []Trial{trial}, lacking(o.Seeds-trial.Seeds, o.Seeds, t.Name)
				}
				lacks = &Interrupted{err, missing}
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
	j.Trials = append(j.Trials, part...)
	j.Events, j.Broken = r.events, r.laws()
	return j, lacks
}

// noTrigger names the runs without a trigger.
func noTrigger() bilingual.Text { return text("without a trigger", "촉발 요인 없이") }

// lacking names runs that an answer lacks, of all that it takes.
func lacking(n, of int, what bilingual.Text) bilingual.Text {
	return text("%d of %d runs: %s", "실행 %[2]d번 가운데 %[1]d번: %[3]s", n, of, what)
}

// soFar says what the runs without a trigger show that had ended when a judgment
// was interrupted.
func (b *Baseline) soFar(seeds int) bilingual.Text {
	if b.Seeds == 0 {
		return text("the judgment was interrupted before the first run without a trigger had ended", "촉발 요인 없는 첫 실행이 끝나기 전에 판정이 중단되었다")
	}
	return text("the judgment was interrupted when %d of %d runs without a trigger had ended, of which %d were unhealthy",
		"촉발 요인 없는 실행 %[2]d번 가운데 %[1]d번이 끝났을 때 판정이 중단되었다. 그 가운데 %[3]d번이 비정상이었다", b.Seeds, seeds, hits(b.Unhealthy, b.Seeds))
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
	return p.runBaseline(r, "baseline", noTrigger(), seeds, nil)
}

// quiet is what a run without a trigger showed. A memo keeps it.
type quiet struct {
	Errors    float64
	Of        int
	Unhealthy bool
	Watched   des.Time // until it was unhealthy, or in all
}

// runBaseline runs the system without a trigger and with remedies. With an error of
// the context it returns what the runs show that had ended.
func (p *protocol) runBaseline(r *runner, key string, stage bilingual.Text, seeds int, ms []remedy) (Baseline, error) {
	windows := int(p.baselineLength() / p.window)
	results, has, err := gather(r, key, stage, seeds, func(ctx context.Context, i int) (quiet, ranOne, error) {
		c := p.begin(uint64(i+1), nil, false)
		for _, m := range ms {
			c.turn(m.turns)
		}
		warm := windowsIn(p.warm, p.window)
		if err := c.run(ctx, warm+windows); err != nil {
			return quiet{}, ranOne{events: c.events}, err
		}
		return p.quiet(c.windows[warm:]), ranOne{c.events, c.net.Check()}, nil
	})
	if err != nil && !ended(err) {
		return Baseline{}, err
	}
	b := Baseline{Seeds: count(has)}
	unhealthy := 0
	for i, out := range results {
		if !has[i] {
			continue
		}
		b.Errors += out.Errors / float64(b.Seeds)
		b.Watched += out.Watched.Seconds()
		if out.Unhealthy {
			unhealthy++
			b.Worst = out.Of
		}
	}
	b.Unhealthy = Wilson(unhealthy, b.Seeds)
	if unhealthy > 0 {
		b.MeanTimeToCollapse = b.Watched / float64(unhealthy)
	}
	return b, err
}

// quiet says what the windows of a run without a trigger show.
func (p *protocol) quiet(watched []window) quiet {
	out := quiet{Errors: meanErrors(watched), Of: p.worst(watched), Watched: des.Time(len(watched)) * p.window}
	bad := 0
	for n, w := range watched {
		if w.errors > p.limit {
			bad++
		}
		if bad == healthyRun {
			out.Unhealthy, out.Watched = true, des.Time(n+1)*p.window
			break
		}
	}
	return out
}

// try runs the system through one trigger, and first without feedback, which
// tells how long a mere backlog takes. With an error of the context it returns what
// the runs show that had ended.
func (p *protocol) try(r *runner, t Trigger, seeds int) (Trial, error) {
	const counterfactuals = 2 // the drain of a backlog hardly depends on the draws
	out := Trial{Trigger: t, Lasts: t.Span(), CalmRuns: min(counterfactuals, seeds)}
	calm, _, err := gather(r, "without feedback: "+t.Name.En, text("without feedback: %s", "되먹임 없이: %s", t.Name), out.CalmRuns,
		func(ctx context.Context, i int) (fate, ranOne, error) {
			f, err := p.watch(ctx, uint64(i+1), t, 0, true)
			return f, ranOne{events: f.ran.events}, err
		})
	if err != nil {
		return out, err
	}
	drain := des.Time(0)
	for _, f := range calm {
		if f.Tipped || f.Undecided {
			out.CalmDown++
			continue
		}
		drain = max(drain, f.Took)
	}
	out.Counterfactual = drain.Seconds()
	fates, has, err := gather(r, "trial: "+t.Name.En, t.Name, seeds, func(ctx context.Context, i int) (fate, ranOne, error) {
		f, err := p.watch(ctx, uint64(i+1), t, 3*drain, false)
		return f, f.ran, err
	})
	if err != nil && !ended(err) {
		return out, err
	}
	out.fill(fates, has)
	return out, err
}

// fill sums up the runs that have ended.
func (out *Trial) fill(fates []fate, has []bool) {
	out.Seeds = count(has)
	tipped, recovered := 0, 0
	for i, f := range fates {
		if !has[i] {
			continue
		}
		out.During += f.During / float64(out.Seeds)
		switch {
		case f.Tipped:
			tipped++
			out.After += f.After
			out.Worst = f.Of
			out.Useful += f.Work.Useful()
			out.Amplification += f.Work.Amplification()
		case f.Undecided:
			out.Undecided++
		default:
			recovered++
			out.Recovery += f.Took.Seconds()
		}
	}
	out.Tip = Wilson(tipped, out.Seeds)
	if tipped > 0 {
		out.After /= float64(tipped)
		out.Useful /= float64(tipped)
		out.Amplification /= float64(tipped)
	}
	if recovered > 0 {
		out.Recovery /= float64(recovered)
	}
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

// laid keeps laws that were broken in a run which a memo has kept.
func (r *runner) laid(broken []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, law := range broken {
		r.broken[law] = true
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
