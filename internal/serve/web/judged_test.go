package web

import (
	"strings"
	"testing"
)

// TestJudged shows the verdict, the smallest trigger and the phase map of a scenario
// on its page and on that of the field guide, in both languages and as a table too.
func TestJudged(t *testing.T) {
	h := newSite(t)
	for path, want := range map[string][]string{
		"/scenarios/api-retries":    {"Verdict: metastable", "Smallest trigger: the database stands still tips", "The same as a table"},
		"/guide/api-retries":        {"Verdict: metastable", "Phase map", "Dotted line: "},
		"/ko/scenarios/api-retries": {"판정: 준안정", "가장 작은 촉발 요인", "같은 내용의 표"},
		"/ko/guide/api-retries":     {"판정: 준안정", "상태 지도", "점선: "},
	} {
		body := get(h, path).Body.String()
		for _, w := range append(want, `<svg class="map-figure"`, `role="img" aria-label=`, `<table class="sim-map">`, "precedent map api-retries.yaml") {
			if !strings.Contains(body, w) {
				t.Errorf("%s does not say %q", path, w)
			}
		}
	}
}
