package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/openprecedent/precedent/internal/sim/scenario"
	"github.com/openprecedent/precedent/internal/sim/verdict"
	"github.com/openprecedent/precedent/internal/strictyaml"
)

// The phase map of the retrying clients: 30 loads by 30 timeouts, 20 seeds.
const (
	mapSide    = 30
	mapSeeds   = 20
	mapSeconds = 60.0 // of the processor, at most
	mapAgree   = 0.99 // of the cells must have the class of the full grid
)

// phaseMap prints what the adaptive map costs, and if full, in how many cells it
// agrees with a map whose every cell was run.
func phaseMap(out io.Writer, full bool) error {
	const file = "sim/storm.yaml"
	src, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("reading the system: %w", err)
	}
	at := func(load, timeout string) (*scenario.File, error) {
		f, problems := scenario.Decode(file, src, []strictyaml.Setting{{Path: "load", Value: load}, {Path: "timeout", Value: timeout}})
		if len(problems.Errors()) > 0 {
			return nil, problems
		}
		return f, nil
	}
	x, y := verdict.Axis{Setting: "load"}, verdict.Axis{Setting: "timeout"}
	for i := range mapSide {
		x.Values = append(x.Values, fmt.Sprintf("%.2f/s", 10+float64(i)*90/mapSide))
		y.Values = append(y.Values, fmt.Sprintf("%dms", 20+i*20))
	}
	o := verdict.Options{Seeds: mapSeeds}
	start := cpuTime()
	m, err := verdict.PhaseMap(context.Background(), x, y, at, o)
	if err != nil {
		return err
	}
	took := (cpuTime() - start).Seconds()
	fmt.Fprintf(out, "phase map of %d by %d cells, %d seeds: %.1f s of the processor, %.1f M events, %d cells run\n",
		mapSide, mapSide, mapSeeds, took, float64(m.Events)/1e6, m.Judged)
	if full {
		same := 0
		for j, timeout := range y.Values {
			for i, load := range x.Values {
				one, err := verdict.PhaseMap(context.Background(), verdict.Axis{Setting: "load", Values: []string{load}},
					verdict.Axis{Setting: "timeout", Values: []string{timeout}}, at, o)
				if err != nil {
					return err
				}
				if one.Cells[0][0] == m.Cells[j][i] {
					same++
				}
			}
		}
		share := float64(same) / (mapSide * mapSide)
		fmt.Fprintf(out, "it agrees with the full grid in %.1f %% of the cells\n", 100*share)
		if share < mapAgree {
			return fmt.Errorf("the map agrees with the full grid in %.3f of the cells, the target is %.2f", share, mapAgree)
		}
	}
	if took > mapSeconds {
		return fmt.Errorf("the map takes %.1f s of the processor, the target is %.0f", took, mapSeconds)
	}
	return nil
}
