package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
)

// A baseline is what our engine reached when it was written.
type baseline struct {
	Note    string           `json:"note"`
	Scores  map[string]score `json:"scores"`
	HeldOut map[string]score `json:"held_out"`
	Pairs   float64          `json:"pairs"`
}

// slack is how far a figure may fall below the baseline, since a library
// that grows changes the competition a little.
const slack = 0.05

func writeBaseline(path string, o, held *outcome, pairs float64) error {
	b := baseline{
		Note:   "written by: go run ./search -update; a test fails if a figure falls by more than 0.05",
		Scores: o.rounded(), HeldOut: held.rounded(), Pairs: round(pairs),
	}
	data, err := json.MarshalIndent(b, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(data, '\n'), 0o644)
}

// rounded returns the scores of the kinds that have queries.
func (o *outcome) rounded() map[string]score {
	all := map[string]score{}
	for k, s := range o.scores {
		if s.Queries > 0 {
			all[k] = score{
				Queries: s.Queries, Recall5: round(s.Recall5), Recall10: round(s.Recall10), MRR: round(s.MRR),
			}
		}
	}
	return all
}

func round(v float64) float64 { return float64(int(v*1000+0.5)) / 1000 }

func readBaseline(path string) (*baseline, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var b baseline
	return &b, json.Unmarshal(data, &b)
}

// regressions lists what fell below the baseline.
func (b *baseline) regressions(o, held *outcome, pairs float64) []string {
	found := fallen("", b.Scores, o)
	found = append(found, fallen("held-out ", b.HeldOut, held)...)
	if pairs < b.Pairs-slack {
		found = append(found, fmt.Sprintf("pairs fell from %.3f to %.3f", b.Pairs, pairs))
	}
	return found
}

// fallen lists the figures of an outcome that fell below those wanted.
func fallen(prefix string, wanted map[string]score, o *outcome) []string {
	var found []string
	check := func(name string, want, got float64) {
		if got < want-slack {
			found = append(found, fmt.Sprintf("%s%s fell from %.3f to %.3f", prefix, name, want, got))
		}
	}
	for _, k := range slices.Sorted(maps.Keys(wanted)) {
		want, got := wanted[k], o.scores[k]
		if got == nil || got.Queries == 0 {
			found = append(found, prefix+"no queries of kind "+k)
			continue
		}
		check(k+" recall@5", want.Recall5, got.Recall5)
		check(k+" recall@10", want.Recall10, got.Recall10)
		check(k+" MRR@10", want.MRR, got.MRR)
	}
	return found
}
