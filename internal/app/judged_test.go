package app

import (
	"context"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/library"
	"github.com/openprecedent/precedent/internal/sim/expect"
	"github.com/openprecedent/precedent/internal/sim/study"
	"github.com/openprecedent/precedent/internal/sim/verdict"
)

// stormFile is a scenario that a short pause tips.
const stormFile = `name: storm
title: {en: A storm, ko: 폭주}
parameters: {load: 50/s, retries: 3}
parts:
  users: {kind: source, rate: $load, call: {to: db, timeout: 300ms, retries: $retries}}
  db: {kind: server, work: exp 10ms}
run: {for: 1m}
changes: [{name: pause, about: {en: the database pauses, ko: 데이터베이스가 멈춘다}, at: 10s, for: 4s, set: {db.speed: 0}}]
page: {map: {x: "load=10/s..60/s:3", y: "retries=0,3"}}
`

// storm returns the scenario, with a judgment where one is given.
func storm(t *testing.T, file string, judgment []byte) *Scenario {
	t.Helper()
	s := &library.Scenario{ID: "storm", File: "scenarios/storm.yaml", Text: []byte(file), Judgment: judgment}
	out, err := (&App{terms: &terms{}}).readScenario(s)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

var judgeLimits = study.Limits{Prepare: expect.Prepare}

// TestJudge judges a scenario, keeps it, and asks the same again.
func TestJudge(t *testing.T) {
	s := storm(t, stormFile, nil)
	asked := s.ToAsk(Asked{Seeds: 2})
	if asked.X != "load=10/s..60/s:3" || asked.Seeds != 2 {
		t.Errorf("it asks %+v", asked)
	}
	j, err := s.Judge(context.Background(), asked, judgeLimits, nil)
	if err != nil {
		t.Fatal(err)
	}
	if j.Class != verdict.Metastable || !j.Tips() || j.Smallest.ID != verdict.OwnTrigger || j.Asked.Trigger != verdict.OwnTrigger {
		t.Errorf("it is judged %s by %+v, smallest %+v", j.Class, j.Asked, j.Smallest)
	}
	if cells := j.Map.Cells; cells[1][2] != verdict.Metastable || cells[0][0] != verdict.Driven {
		t.Errorf("the map is %v", cells)
	}
	if want := "precedent map storm.yaml --x load=10/s..60/s:3 --y retries=0,3 --seeds 2 --trigger own"; !slices.Contains(j.Commands, want) {
		t.Errorf("the commands are %q, want %q among them", j.Commands, want)
	}
	raw, err := json.Marshal(j)
	if err != nil {
		t.Fatal(err)
	}
	kept := storm(t, stormFile, raw)
	if kept.Judged == nil || kept.Judged.Class != verdict.Metastable {
		t.Fatalf("what is kept is %+v", kept.Judged)
	}
	if got := kept.ToAsk(Asked{}); got.Seeds != 2 || got.Trigger != verdict.OwnTrigger {
		t.Errorf("what is kept asks %+v", got)
	}
	again, err := kept.Judge(context.Background(), kept.ToAsk(Asked{}), judgeLimits, nil)
	if err != nil {
		t.Fatal(err)
	}
	if other, _ := json.Marshal(again); string(other) != string(raw) {
		t.Errorf("the same again gives\n%s, want\n%s", other, raw)
	}
	sampled, err := kept.Sample(context.Background(), 2, judgeLimits)
	if err != nil || len(sampled) != 2 || sampled[0].Kept != sampled[0].Found || sampled[1].Kept != sampled[1].Found {
		t.Errorf("the sample is %+v: %v", sampled, err)
	}
	changed := storm(t, strings.Replace(stormFile, "300ms", "301ms", 1), raw)
	if changed.Judged != nil || changed.ToAsk(Asked{}).Seeds != 2 {
		t.Errorf("of another file it says %+v and asks %+v", changed.Judged, changed.ToAsk(Asked{}))
	}
}

// TestJudgeTellsWhyNot keeps why a scenario cannot be judged.
func TestJudgeTellsWhyNot(t *testing.T) {
	j, why := &Judging{}, bilingual.Text{En: "nothing arrives", Ko: "아무것도 들어오지 않는다"}
	if err := j.unjudged(&study.Refusal{Text: why}); err != nil || j.Class != verdict.Unjudged || j.Why != why {
		t.Errorf("it is judged %+v: %v", j, err)
	}
	if err := j.unjudged(&study.Refusal{Param: "set", Text: why}); err == nil {
		t.Error("a question that is wrong is a judgment")
	}
	for _, bad := range []Asked{{Seeds: 1, Own: "nothing"}, {Seeds: 1, Set: []string{"db.sped=1"}}} {
		if _, err := storm(t, stormFile, nil).Judge(context.Background(), bad, judgeLimits, nil); err == nil {
			t.Errorf("%+v is no error", bad)
		}
	}
}

// TestLintJudgments tells judgments that are not of their files.
func TestLintJudgments(t *testing.T) {
	kept, err := os.ReadFile("../../corpus/judgments/api-retries.json")
	if err != nil {
		t.Fatal(err)
	}
	src, err := os.ReadFile("../../corpus/scenarios/api-retries.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name         string
		judgment, of []byte
		rule, says   string
	}{
		{"as it is", kept, src, "", ""},
		{"another state", kept, append([]byte("# a remark\n"), src...), "stale-judgment", "another state"},
		{"no judgment", []byte("{"), src, "stale-judgment", "no JSON"},
		{"another version", []byte("{}"), src, "stale-judgment", "another version"},
	} {
		all := LintScenarios(library.Layer{Name: "inc", FS: fstest.MapFS{
			"scenarios/api-retries.yaml": {Data: tt.of}, "judgments/api-retries.json": {Data: tt.judgment},
		}})
		if tt.rule == "" && len(all) > 0 || tt.rule != "" && (len(all) != 1 || all[0].Rule != tt.rule || !strings.Contains(all[0].Msg, tt.says)) {
			t.Errorf("%s: %v", tt.name, all)
		}
	}
	stray := LintScenarios(library.Layer{Name: "inc", FS: fstest.MapFS{"judgments/x.json": {Data: kept}}})
	if len(stray) != 1 || stray[0].Rule != "stray-judgment" || stray[0].File != "inc/judgments/x.json" {
		t.Errorf("a judgment without a scenario: %v", stray)
	}
}
