package scenario

import (
	"context"
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/openprecedent/precedent/internal/sim/des"
	"github.com/openprecedent/precedent/internal/sim/parts"
	"github.com/openprecedent/precedent/internal/strictyaml"
)

const pageFile = `
name: page
title: {en: A page, ko: 쪽}
replays: PR-0001
mechanisms: [retry-storm]
parameters: {width: 1}
parts:
  users: {kind: source, rate: 10/s, call: {to: web}}
  web: {kind: server, work: 10ms, workers: $width}
run: {for: 10m, zero: 2m}
page:
  clock: 2015-09-20T02:19-07:00
  phases:
    - {from: T-1m, name: before}
    - {from: T+0s, name: {en: trouble, ko: 문제}}
  charts:
    - {title: errors, unit: share, lines: [{name: failed, of: users.failed / users.offered}]}
  loop: {steps: [a feeds b, b feeds a], gain: "1.0"}
  misfits: [{en: nothing, ko: 없음}]
  edges: [{name: too many, variant: wide, along: "width=1..9:9", tips: "true", formula: "1.0", shown: width, source: ours}]
  sliders: [{set: width, name: workers, values: ["1", "2"]}]
  yours: [{parameter: web.work, how: look}]
  map: {x: users.rate=10/s..100/s, y: web.workers=1..4}
variants: [{name: wide, set: {width: 2}}]
`

// TestPhasesOfShortRuns: a variant, or a run that is cut short, need not come to
// all phases.
func TestPhasesOfShortRuns(t *testing.T) {
	src := strings.Replace(pageFile, "T+0s, name", "T+5m, name", 1)
	src = strings.Replace(src, "variants: [", "variants: [{name: short, set: {run.for: 3m}}, ", 1)
	for _, set := range [][]strictyaml.Setting{nil, {{Path: "run.for", Value: "4m"}}} {
		if _, problems := Decode("test.yaml", []byte(src), set); len(problems) > 0 {
			t.Errorf("with %v: %v", set, problems)
		}
	}
}

func TestPanels(t *testing.T) {
	f, problems := Decode("test.yaml", []byte(pageFile+`
changes: [{at: T+1m, for: 1m, set: {users.rate: 0}}, {at: T+4m, set: {web.down: 1}}]
`), nil)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	f.Page.Charts[0].Lines = append(f.Page.Charts[0].Lines, Line{Name: Text{}, Of: metric(t, "users.offered")}, Line{Of: metric(t, "gone.offered")})
	r, err := f.Simulate(context.Background(), 1, des.Budget{})
	if err != nil {
		t.Fatal(err)
	}
	lines := f.Panels(r)[0].Lines
	if len(lines) != 2 || len(lines[0].Values) != r.Windows {
		t.Fatalf("the lines are %+v", lines)
	}
	share, rate := lines[0].Values, lines[1].Values
	if share[60] != 0 || !math.IsNaN(share[200]) || share[500] < 0.99 {
		t.Errorf("the share of failures is %v, then %v, then %v; want 0, none and 1", share[60], share[200], share[500])
	}
	total := 0.0
	for _, x := range rate {
		total += x * r.Window
	}
	if offered := float64(r.Sources[0].Offered); math.Abs(total-offered) > 1e-6 {
		t.Errorf("the rate is of %v requests, and %v were made", total, offered)
	}
	raw, err := json.Marshal(Values{0.123456, math.NaN(), 0, 98765.4})
	if err != nil || string(raw) != "[0.1235,null,0,98770]" {
		t.Errorf("the values are written as %s: %v", raw, err)
	}
}

func metric(t *testing.T, text string) (m parts.Metric) {
	t.Helper()
	if err := m.UnmarshalText([]byte(text)); err != nil {
		t.Fatal(err)
	}
	return m
}

func TestPage(t *testing.T) {
	f, problems := Decode("test.yaml", []byte(pageFile), nil)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	p := f.Page
	if f.Title.Ko != "쪽" || p.Phases[0].Name.Ko != "before" || p.Phases[1].Name.Ko != "문제" {
		t.Errorf("the texts are %+v, %+v", f.Title, p.Phases)
	}
	if at := p.Phases[0].From.Time().Seconds(); at != 60 {
		t.Errorf("the first phase begins at %v s, want 60", at)
	}
	for _, tt := range []struct{ from, to, want string }{
		{"T-1m, name", "T+9m, name", "outside of the run"},
		{"T-1m, name", "T+1m, name", "in their order"},
		{"zero: 2m", "seed: 2", "when T+0 is"},
		{"-07:00", "", "with its offset"},
		{"variant: wide", "variant: wid", `did you mean "wide"?`},
		{"unit: share", "unit: shard", `did you mean "share"`},
		{`["1", "2"]`, `["1"]`, "nothing to choose"},
		{`["1", "2"]`, `["2", "3"]`, "not among them"},
		{`set: width`, `set: widht`, "no parameter is named"},
		{"steps: [a feeds b, b feeds a], ", "", "steps"},
	} {
		refusedText(t, strings.Replace(pageFile, tt.from, tt.to, 1), tt.want)
	}
}
