package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/openprecedent/precedent/internal/sim/des"
	"github.com/openprecedent/precedent/internal/sim/scenario"
	"github.com/openprecedent/precedent/internal/strictyaml"
)

// scenarios is where the scenarios of the library are, from the folder of this
// module.
const scenarios = "../corpus/scenarios"

// replays runs each scenario of the library once, as it stands and at its full
// size, and prints what its events cost.
func replays(out io.Writer) error {
	files, err := filepath.Glob(filepath.Join(scenarios, "*.yaml"))
	if err != nil || len(files) == 0 {
		return fmt.Errorf("finding scenarios in %q: none is there, %v", scenarios, err)
	}
	printHead(out)
	for _, file := range files {
		r, seconds, err := runReplay(file, scenario.Base, nil)
		if err != nil {
			return err
		}
		printReplay(out, strings.TrimSuffix(filepath.Base(file), ".yaml"), r, seconds)
	}
	return nil
}

const (
	replayHead = "%-24s %11s %11s %11s\n"
	replayRow  = "%-24s %11.2f %11.2f %11.2f\n"
)

func printHead(out io.Writer) {
	fmt.Fprintf(out, replayHead, "scenario", "M events", "seconds", "M events/s")
}

// printReplay prints the row of a run that took seconds of a processor.
func printReplay(out io.Writer, name string, r *scenario.Result, seconds float64) {
	millions := float64(r.Events) / 1e6
	fmt.Fprintf(out, replayRow, name, millions, seconds, millions/seconds)
}

// runReplay returns a run of a variant of a file and the processor seconds that it took.
func runReplay(file, variant string, set []strictyaml.Setting) (*scenario.Result, float64, error) {
	src, err := os.ReadFile(file)
	if err != nil {
		return nil, 0, fmt.Errorf("reading the scenario: %w", err)
	}
	start := cpuTime()
	f, problems := scenario.DecodeVariant(file, src, variant, scenario.Absolute(set))
	if len(problems.Errors()) > 0 {
		return nil, 0, problems
	}
	r, err := f.Simulate(context.Background(), uint64(f.Run.Seed), des.Budget{})
	if err != nil {
		return nil, 0, fmt.Errorf("running %q: %w", file, err)
	}
	if len(r.Broken) > 0 {
		return nil, 0, fmt.Errorf("a law did not hold in %q: %s", file, r.Broken[0])
	}
	return r, (cpuTime() - start).Seconds(), nil
}

// The replay of IL-0282 with a hundred thousand storage servers, and workers and
// room in proportion, where nobody does anything.
const largeServers = 100_000

var largeSettings = []strictyaml.Setting{
	{Path: "servers", Value: fmt.Sprint(largeServers)}, {Path: "left", Value: "200"},
	{Path: "workers", Value: "280"}, {Path: "room", Value: "560"}, {Path: "run.for", Value: "190m"},
}

// large shows that the plateau does not depend on the size, and what a system of
// that size takes.
func large(out io.Writer) error {
	file := filepath.Join(scenarios, "IL-0282.yaml")
	printHead(out)
	r, seconds, err := runReplay(file, "no-action", largeSettings)
	if err != nil {
		return err
	}
	printReplay(out, "IL-0282, 100,000 servers", r, seconds)
	for _, s := range r.Series {
		if s.Name == "servers.out" {
			fmt.Fprintf(out, "share of the servers out, an hour and more after the disruption: %.4f\n", lastHour(s.Values)/largeServers)
		}
	}
	mb, err := peakMemory()
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "peak memory: %.0f MB\n", mb)
	return err
}

// lastHour is the mean of the last sixty windows, which are minutes.
func lastHour(values []float64) float64 {
	values = values[max(len(values)-60, 0):]
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(max(len(values), 1))
}
