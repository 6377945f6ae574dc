package study

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/openprecedent/precedent/internal/sim/expect"
)

func TestRefusedTrigger(t *testing.T) {
	for _, tt := range []struct {
		kind          Kind
		trigger, want string
	}{
		{KindJudge, "db.speed", ""},
		{KindJudge, "db.sped", `no trigger "db.sped"`},
		{KindRun, "own", "a question of kind run has no trigger"},
	} {
		_, err := Read(Question{System: simulated, Kind: tt.kind, Trigger: tt.trigger}, Limits{})
		if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("%s with the trigger %s gives %v, want %q", tt.kind, tt.trigger, err, tt.want)
		}
		refusals, _ := Refused(err)
		if tt.want != "" && (len(refusals) != 1 || refusals[0].Param != "trigger" || refusals[0].Text.Ko == "") {
			t.Errorf("%s with the trigger %s is refused as %+v", tt.kind, tt.trigger, refusals)
		}
	}
	if got := (Question{Kind: KindStress, Trigger: "own"}).Command(); got != "precedent stress system.yaml --trigger own" {
		t.Errorf("the command is %s", got)
	}
}

func TestPlace(t *testing.T) {
	for _, tt := range []struct {
		x      float64
		values string
		want   float64
	}{
		{15, "10/s 20/s 30/s", 0.5}, {20, "10/s 20/s", 1}, {5, "10/s 20/s", -1}, {25, "10/s 20/s", 2}, {1.5, "1s 2s", 0.5},
	} {
		if got := place(tt.x, strings.Fields(tt.values)); got != tt.want {
			t.Errorf("%v lies at %v of %s, want %v", tt.x, got, tt.values, tt.want)
		}
	}
	if rising([]string{"3", "2"}) || rising([]string{"exp 1s", "exp 2s"}) || !rising([]string{"1", "2"}) {
		t.Error("rising does not tell values that rise")
	}
}

// TestPageEdges draws what the formulas of the page give over the other axis.
func TestPageEdges(t *testing.T) {
	const paged = `name: line
parameters: {load: 50/s, workers: 1}
parts:
  users: {kind: source, rate: $load, call: {to: db, timeout: 1s}}
  db: {kind: server, work: exp 10ms, workers: $workers}
run: {for: 10s}
page:
  edges:
    - {name: {en: full, ko: 가득}, along: "load=10/s..300/s", tips: "true", formula: 'param("workers") * 100', shown: load = workers / work, source: {en: a, ko: 가}}
`
	q := Question{System: paged, Kind: KindMap, X: "load=50/s,150/s", Y: "workers=1,2", Seeds: 1, Trigger: "db.speed"}
	a, err := Ask(context.Background(), q, Limits{Prepare: expect.Prepare}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(a.Map.Edges) != 1 {
		t.Fatalf("the edges are %+v", a.Map.Edges)
	}
	e := a.Map.Edges[0]
	if e.Along != "x" || !slices.Equal(e.At, []string{"100/s", "200/s"}) || !slices.Equal(e.Places, []float64{0.5, 2}) {
		t.Errorf("the edge is %+v", e)
	}
	if a, err := Ask(context.Background(), q, Limits{}, nil); err != nil || a.Map.Edges != nil {
		t.Errorf("without formulas the edges are %+v: %v", a.Map.Edges, err)
	}
}
