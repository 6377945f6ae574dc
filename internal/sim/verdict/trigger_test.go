package verdict

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/openprecedent/precedent/internal/sim/scenario"
	"github.com/openprecedent/precedent/internal/strictyaml"
)

// namedChanges has changes without an end: two that undo each other, and one that
// stays.
const namedChanges = retryStorm + `
  - {name: slow, at: 20s, set: {db.speed: 0.05}}
  - {name: fast, at: 24s, set: {db.speed: 1}}
  - {name: more, at: 30s, set: {users.rate: 2x}}
  - {name: often, at: 30s, every: 1s, set: {db.speed: 1}}
`

// TestChosenTrigger takes one trigger of all, and changes by name as the file's own.
func TestChosenTrigger(t *testing.T) {
	f := decode(t, namedChanges)
	for _, tt := range []struct{ chosen, want, wrong string }{
		{"", "own users.rate db.speed", ""},
		{"own", "own", ""},
		{"db.speed", "db.speed", ""},
		{"slow,fast", "slow,fast users.rate db.speed", ""},
		{"slow", "", "leaves db.speed turned"},
		{"more", "", "leaves users.rate turned"},
		{"often", "", "goes on without an end"},
		{"slow,fats", "", "no such trigger; there are own, users.rate, db.speed, slow"},
	} {
		all, err := Triggers(f, tt.chosen)
		var ids []string
		for _, one := range all {
			ids = append(ids, one.ID)
		}
		if got := strings.Join(ids, " "); got != tt.want || tt.wrong == "" != (err == nil) || err != nil && !strings.Contains(err.Error(), tt.wrong) {
			t.Errorf("%q gives %q and %v, want %q and %q", tt.chosen, got, err, tt.want, tt.wrong)
		}
	}
	var unknown *UnknownTrigger
	if _, err := Triggers(f, "nothing"); !errors.As(err, &unknown) || !slices.Contains(unknown.Known, "fast") {
		t.Errorf("a trigger that is not there gives %v", err)
	}
	own, err := Triggers(f, "slow,fast")
	if err != nil || !own[0].Own || own[0].Span() != 4 {
		t.Errorf("the changes by name are %+v, want a trigger of 4 s: %v", own, err)
	}
}

// TestChosenTriggerTips judges by changes without an end what the file's own trigger
// of the same length tips too.
func TestChosenTriggerTips(t *testing.T) {
	for _, chosen := range []string{"own", "slow,fast"} {
		j, err := Judge(context.Background(), decode(t, namedChanges), Options{Seeds: 2, Trigger: chosen})
		if err != nil || j.Class != Metastable || j.Trials[0].Trigger.ID != chosen {
			t.Errorf("by %s it is %+v: %v", chosen, j, err)
		}
	}
}

// TestMapSaysWhatRan sees that each cell of a map was run or lies between others.
func TestMapSaysWhatRan(t *testing.T) {
	at := func(x, y string) (*scenario.File, error) {
		return decode(t, retryStorm, strictyaml.Setting{Path: "parameters.load.value", Value: x}, strictyaml.Setting{Path: "parameters.retries", Value: y}), nil
	}
	x := Axis{"load", []string{"2/s", "4/s", "6/s", "8/s", "10/s", "12/s"}}
	m, err := PhaseMap(context.Background(), x, Axis{"retries", []string{"0", "1"}}, at, Options{Seeds: 1})
	if err != nil {
		t.Fatal(err)
	}
	ran := 0
	for y, row := range m.Ran {
		for k, is := range row {
			if is {
				ran++
			}
			if m.Cells[y][k] == Unjudged {
				t.Errorf("cell %d %d has no class", k, y)
			}
		}
	}
	if ran != m.Judged || !m.Ran[0][0] || ran == 12 {
		t.Errorf("%d cells were run, and the map says %d: %v", ran, m.Judged, m.Ran)
	}
}

// TestFewVotes searches with as many runs a step as there are seeds.
func TestFewVotes(t *testing.T) {
	edges, err := Stress(context.Background(), decode(t, retryStorm), Options{Seeds: 1, Trigger: OwnTrigger})
	if err != nil || len(edges) != 1 || !edges[0].Tips || edges[0].ID != OwnTrigger || edges[0].Shortest <= 0 {
		t.Errorf("the smallest trigger is %+v: %v", edges, err)
	}
}

// TestMoment searches how strong a trigger must be where its length does not matter:
// one that does something once, and one that tips the system however short it is.
func TestMoment(t *testing.T) {
	const cold = `name: cold
parts:
  readers: {kind: source, rate: 200/s, keys: {distinct: 4000}, call: {to: cache, timeout: 1s, retries: 3}}
  cache: {kind: cache, nodes: 8, warm: 4000, call: {to: db, timeout: 1s}}
  db: {kind: server, work: 10ms, workers: 1}
`
	edges, err := Stress(context.Background(), decode(t, cold), Options{Seeds: 1, Trigger: "cache.flush"})
	if err != nil || len(edges) != 1 {
		t.Fatalf("the edges are %+v: %v", edges, err)
	}
	e := edges[0]
	if !e.Moment || e.Shortest != 0 || e.Tips && len(e.Frontier) != strengthSteps {
		t.Errorf("the edge is %+v, want a moment", e)
	}
	for i := 1; i < len(e.Frontier); i++ {
		if e.Frontier[i].Magnitude >= e.Frontier[i-1].Magnitude {
			t.Errorf("the strengths are %+v, want the strongest first", e.Frontier)
		}
	}
}
