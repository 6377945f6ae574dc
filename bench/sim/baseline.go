package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
)

const baselineFile = "sim/baseline.json"

// A baseline holds the ratios that were reached when it was written.
type baseline struct {
	Note   string             `json:"note"`
	Ratios map[string]float64 `json:"ratios"`
}

// slack is how many times the ratio of the baseline a ratio may be.
const slack = 1.25

func writeBaseline(path string, ratios map[string]float64) error {
	b := baseline{
		Note:   "written by: go run ./sim -update; time an event of a row in times of another of the same run",
		Ratios: map[string]float64{},
	}
	for name, r := range ratios {
		b.Ratios[name] = float64(int(r*10000+0.5)) / 10000
	}
	data, err := json.MarshalIndent(b, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(data, '\n'), 0o644)
}

func readBaseline(path string) (*baseline, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("reading the baseline: %w; run it in the folder bench, or with -update first", err)
	}
	var b baseline
	return &b, json.Unmarshal(data, &b)
}

// regressions lists what takes longer than at the time of the baseline.
func (b *baseline) regressions(ratios map[string]float64) []string {
	var found []string
	for _, name := range slices.Sorted(maps.Keys(ratios)) {
		if want, ok := b.Ratios[name]; ok && ratios[name] > slack*want {
			found = append(found, fmt.Sprintf("%s rose from %.4f to %.4f", name, want, ratios[name]))
		}
	}
	return found
}
