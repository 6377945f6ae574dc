package app

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/openprecedent/precedent/internal/parallel"
	"github.com/openprecedent/precedent/internal/sim/des"
	"github.com/openprecedent/precedent/internal/sim/scenario"
)

// Runs are one or more runs of a scenario, side by side.
type Runs struct {
	Version int    `json:"wire_version"`
	Command string `json:"command,omitempty"` // that gives the same again
	Runs    []Run  `json:"runs"`
}

// Run is one run of a scenario.
type Run struct {
	Set   []Setting `json:"set,omitempty"`
	Marks []Mark    `json:"changes,omitempty"`
	*scenario.Result
}

// Mark is something that is done to a running system.
type Mark struct {
	At    float64 `json:"at"`            // seconds from the start
	For   float64 `json:"for,omitempty"` // seconds until it is taken back, 0 if it is not
	About string  `json:"about"`
}

// marks returns the changes of a file.
func marks(f *scenario.File) []Mark {
	var all []Mark
	for _, c := range f.Changes {
		about := c.About
		if about == "" {
			var turned []string
			for _, t := range c.Set {
				turned = append(turned, t.Knob)
			}
			about = strings.Join(turned, ", ")
		}
		all = append(all, Mark{At: c.At.Time().Seconds(), For: c.For.Time().Seconds(), About: about})
	}
	return all
}

// Broken returns the laws that did not hold, which is a fault of the simulator.
func (r *Runs) Broken() []string {
	var all []string
	for _, one := range r.Runs {
		all = append(all, one.Result.Broken...)
	}
	return all
}

// RunModels runs models, each with a seed: that of its file where it is 0. With
// an error that [Interrupted] knows, the answer holds what was reached.
func RunModels(ctx context.Context, models []*Model, seed uint64, progress func(SimProgress)) (*Runs, error) {
	for _, m := range models {
		if err := m.bounded(); err != nil {
			return nil, err
		}
	}
	out := &Runs{Version: WireVersion, Runs: make([]Run, len(models))}
	var mu sync.Mutex
	done, events := 0, uint64(0)
	errs := make([]error, len(models))
	parallel.Each(len(models), func(i int) {
		m := models[i]
		with := seed
		if with == 0 {
			with = uint64(m.File.Run.Seed)
		}
		r, err := m.File.Simulate(ctx, with, des.Budget{})
		out.Runs[i], errs[i] = Run{Set: m.Set, Marks: marks(m.File), Result: r}, err
		mu.Lock()
		defer mu.Unlock()
		done, events = done+1, events+r.Events
		if progress != nil {
			progress(SimProgress{Stage: "runs", Done: done, Total: len(models), Events: events})
		}
	})
	for _, err := range errs {
		if err != nil {
			return out, fmt.Errorf("running the scenario: %w", err)
		}
	}
	return out, nil
}

// Select keeps the series whose names match one of the patterns, in which *
// stands for anything but a slash. Without patterns it keeps all.
func (r *Runs) Select(patterns []string) error {
	if len(patterns) == 0 {
		return nil
	}
	found := false
	var names []string
	for i := range r.Runs {
		kept := slices.DeleteFunc(slices.Clone(r.Runs[i].Series), func(s des.Series) bool {
			names = append(names, s.Name)
			return !slices.ContainsFunc(patterns, func(p string) bool { return matches(p, s.Name) })
		})
		r.Runs[i].Series = kept
		found = found || len(kept) > 0
	}
	if !found {
		const most = 12
		return Invalidf("series", "some are "+strings.Join(names[:min(most, len(names))], ", "), "no series matches %s", strings.Join(patterns, ", ")).
			Korean("예를 들면 "+strings.Join(names[:min(most, len(names))], ", "), "맞는 계열이 없다: %s")
	}
	return nil
}

// matches reports whether a pattern matches a name. Brackets stand for
// themselves, since names of series have them.
func matches(pattern, name string) bool {
	ok, err := path.Match(strings.NewReplacer("[", `\[`, "]", `\]`).Replace(pattern), name)
	return ok && err == nil
}

// chosen are the series that tell most of a run: what comes back and what does
// not, what waits, who is busy, and what is tried again.
var chosen = []string{
	"*.offered", "*.good", "*.late", "*.failed", "*.queue", "*.busy", "*.retries", "*.refused", "*.timed_out", "*.latency.p99",
}

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
