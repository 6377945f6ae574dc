package study

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/parallel"
	"github.com/openprecedent/precedent/internal/sim/des"
	"github.com/openprecedent/precedent/internal/sim/parts"
	"github.com/openprecedent/precedent/internal/sim/scenario"
	"github.com/openprecedent/precedent/internal/sim/verdict"
	"github.com/openprecedent/precedent/internal/strictyaml"
)

// Run is one run of a system.
type Run struct {
	Set    []Setting        `json:"set,omitempty"`
	Marks  []Mark           `json:"changes,omitempty"` // what is done to the system, in the order of time
	Charts []scenario.Panel `json:"charts,omitempty" jsonschema:"what the file asks to be drawn"`
	*scenario.Result
	Expectations []scenario.Outcome `json:"expectations,omitempty" jsonschema:"whether what the file expects holds"`
	// Unchecked counts the expectations of the file where nobody can look at them.
	Unchecked int `json:"unchecked_expectations,omitempty" jsonschema:"expectations of the file that were not looked at"`
	// Figures are absent where nobody can compute them, too.
	Figures *scenario.Figures `json:"figures,omitempty" jsonschema:"what the page of a scenario asks of a run: the gain of its loop, and what its variants are compared by"`
}

// Mark is something that is done to the system while it runs.
type Mark struct {
	About bilingual.Text `json:"about"`
	At    float64        `json:"at"`              // seconds from the start
	Until float64        `json:"until,omitempty"` // when it is taken back; absent if it is not
}

// marks returns the changes that a run has made, in the order of time.
func marks(f *scenario.File, r *scenario.Result) []Mark {
	var all []Mark
	for _, made := range r.Made {
		all = append(all, Mark{
			About: f.Changes[made.Change].Label(), At: made.At.Seconds(), Until: made.Until.Seconds(),
		})
	}
	return all
}

// run runs all models, which differ by their settings.
func (s *Study) run(ctx context.Context, a *Answer, progress func(Progress)) error {
	a.Runs = make([]Run, len(s.models))
	seen := make([][][]scenario.Seen, len(s.models)) // of each model, for each seed
	var jobs [][2]int                                // model and seed
	for i, m := range s.models {
		seen[i] = make([][]scenario.Seen, s.seedsOf(m))
		for k := range seen[i] {
			jobs = append(jobs, [2]int{i, k})
		}
	}
	errs := make([]error, len(jobs))
	var mu sync.Mutex
	done, events := 0, uint64(0)
	one := func(job int) {
		i, k := jobs[job][0], jobs[job][1]
		r, found, err := s.seen(ctx, s.models[i], k)
		seen[i][k] = found
		mu.Lock()
		defer mu.Unlock()
		if errs[job] = err; k == 0 {
			a.Runs[i] = r
		}
		done, events = done+1, events+r.Events
		if progress != nil {
			progress(Progress{Stage: bilingual.Text{En: "runs", Ko: "실행"}, Done: done, Total: len(jobs), Events: events})
		}
	}
	if s.l.Workers == 1 {
		for job := range jobs {
			one(job)
		}
	} else {
		parallel.Each(len(jobs), one)
	}
	for i, m := range s.models {
		m.outcomes(&a.Runs[i], seen[i])
	}
	a.keep(s.q.Series)
	var missing []bilingual.Text
	for job, err := range errs {
		i, k := jobs[job][0], jobs[job][1]
		switch {
		case err == nil:
		case k > 0:
			missing = append(missing, bilingual.Text{
				En: fmt.Sprintf("what is expected of run %d with its seed %d", i+1, k+1),
				Ko: fmt.Sprintf("실행 %d에서 시드 %d에 기대하는 것", i+1, k+1),
			})
		case !a.Runs[i].End.Finished():
			from := parts.Duration(des.FromSeconds(a.Runs[i].Reached))
			missing = append(missing, bilingual.Text{
				En: fmt.Sprintf("the rest of run %d from %v on", i+1, from), Ko: fmt.Sprintf("실행 %d의 %v 이후", i+1, from),
			})
		}
	}
	if missing != nil {
		return fmt.Errorf("running the scenario: %w", &verdict.Interrupted{Err: ctx.Err(), Missing: missing})
	}
	return nil
}

// seed returns a seed, that of the file if it is 0.
func (m *model) seed(asked uint64) uint64 {
	if asked == 0 {
		return uint64(m.file.Run.Seed)
	}
	return asked
}

// run runs the scenario as it stands, for as long as its file says if until is 0.
func (m *model) run(ctx context.Context, seed uint64, until des.Time, l Limits) (Run, error) {
	r, err := m.file.Simulate(ctx, seed, des.Budget{Until: until, Events: l.Events, Pending: l.Pending})
	for i := range r.Series {
		if r.Series[i].Values == nil { // no window is complete
			r.Series[i].Values = []float64{}
		}
	}
	one := SoFar(m.file, r)
	one.Set = m.set
	return one, err
}

// SoFar returns a run of a file with what it has done and shown, which may be a
// part of it.
func SoFar(f *scenario.File, r *scenario.Result) Run {
	one := Run{Marks: marks(f, r), Result: r}
	if len(f.Page.Charts) > 0 {
		one.Charts = f.Panels(r)
	}
	return one
}

// keep drops the series whose names match none of the patterns, in which *
// stands for anything but a slash. Without patterns it keeps all.
func (a *Answer) keep(patterns []string) {
	if len(patterns) == 0 {
		return
	}
	for i := range a.Runs {
		a.Runs[i].Series = slices.DeleteFunc(slices.Clone(a.Runs[i].Series), func(s des.Series) bool { return !matchesOne(patterns, s.Name) })
	}
}

func matchesOne(patterns []string, name string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool { return matches(p, name) })
}

// unmatched refuses patterns of series of which none matches, before anything runs.
func (s *Study) unmatched() error {
	if len(s.q.Series) == 0 || s.q.Kind != KindRun && !s.q.Course {
		return nil
	}
	var names []string
	for _, m := range s.models {
		for _, one := range m.file.Start(1, false).Rec.Series() {
			if matchesOne(s.q.Series, one.Name) {
				return nil
			}
			names = append(names, one.Name)
		}
	}
	const most = 12
	some := strings.Join(names[:min(most, len(names))], ", ")
	return refuse("series", bilingual.Text{En: "no series matches %.200s", Ko: "맞는 계열이 없다: %.200s"},
		bilingual.Text{En: "some are " + some, Ko: "예를 들면 " + some}, strings.Join(s.q.Series, ", "))
}

// DropSeries leaves the series out of an answer that is too large to send, and
// reports whether there were any.
func (a *Answer) DropSeries() bool {
	dropped := false
	for i, r := range a.Runs {
		if len(r.Series) == 0 {
			continue
		}
		short := *r.Result
		short.Series = short.Series[:0:0]
		a.Runs[i].Result, dropped = &short, true
	}
	if dropped {
		a.Warnings = append(slices.Clone(a.Warnings), strictyaml.Problem{
			File: FileName, Line: 1, Col: 1, Field: "run.window", Rule: "series-left-out", Level: strictyaml.Warning,
			Msg: "the series are left out, since they are too large to send", Help: "make the windows wider, or ask for fewer series",
		})
	}
	return dropped
}

// Short returns the answer without series, and with charts of at most so many
// values a line: what a picture of it and its findings need.
func (a *Answer) Short(values int) *Answer {
	short := *a
	short.Runs = slices.Clone(a.Runs)
	for i := range short.Runs {
		r := &short.Runs[i]
		result := *r.Result
		result.Series = []des.Series{}
		r.Result, r.Charts = &result, slices.Clone(r.Charts)
		for k := range r.Charts {
			r.Charts[k] = r.Charts[k].Thin(values)
		}
	}
	return &short
}

// matches reports whether a pattern matches a name. Brackets stand for
// themselves, since names of series have them.
func matches(pattern, name string) bool {
	ok, err := path.Match(strings.NewReplacer("[", `\[`, "]", `\]`).Replace(pattern), name)
	return ok && err == nil
}

// Fleet are the series that tell what the members of fleets have, and what they
// lack.
var Fleet = []string{"*.in_dns", "*.leased", "*.in_service", "*.healthy", "*.out", "*.zones_out", "*.empty", "*.without_host"}

// chosen are the series that tell most of a run: what comes back and what does
// not, what members have, what waits, who is busy, and what is tried again.
var chosen = slices.Concat([]string{"*.offered", "*.good", "*.late", "*.failed"}, Fleet, []string{
	"*.queue", "*.backlog", "*.oldest", "*.busy", "*.retries", "*.refused", "*.timed_out", "*.breaker_opened", "*.dead", "*.dropped", "*.latency.p99",
})

// Chosen returns the series of a run that tell most, without those in which
// nothing happens.
func (r *Run) Chosen() []des.Series {
	var all []des.Series
	for _, pattern := range chosen {
		for _, s := range r.Series {
			if matches(pattern, s.Name) && slices.ContainsFunc(s.Values, func(v float64) bool { return v != 0 }) {
				all = append(all, s)
			}
		}
	}
	return all
}

// Broken returns the laws that did not hold, which is a fault of the simulator.
func (a *Answer) Broken() []string {
	var all []string
	for _, one := range a.Runs {
		all = append(all, one.Result.Broken...)
	}
	if a.Judgment != nil {
		all = append(all, a.Judgment.Broken...)
	}
	return all
}
