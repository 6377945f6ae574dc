package study_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/openprecedent/precedent/internal/sim/study"
	"github.com/openprecedent/precedent/internal/strictyaml"
)

// planned is an automation whose file says what every order of its steps leads to.
const planned = `name: planned
parameters: {write: check-once}
parts:
  users: {kind: source, rate: 1/s, call: {to: dns}}
  dns: {kind: planner, period: 30s, endpoints: 100, appliers: 3, step: exp 100ms, write: $write}
variants:
  - {name: swap, about: each write compares, set: {write: compare-and-swap}}
explore:
  set: {dns.endpoints: 1, dns.keep: 1, dns.appliers: 2}
  of:
    - {breaks: [records-exist, never-older]}
    - {variant: swap, keeps: [records-exist, never-older]}
    - {variant: swap, set: {dns.appliers: 3}, keeps: [newest-in-reach]}
`

func exploring(t *testing.T, q study.Question, l study.Limits) *study.Answer {
	t.Helper()
	q.Kind = study.KindExplore
	a, err := study.Ask(context.Background(), q, l, nil)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestExplore(t *testing.T) {
	t.Parallel()
	a := exploring(t, study.Question{System: planned}, study.Limits{})
	want := []struct {
		label  string
		states int
		broken string
	}{
		{"base", 384, "records-exist active-kept never-older newest-in-reach"},
		{"swap", 202, ""},
		{"swap, dns.appliers=3", 3888, ""},
	}
	if len(a.Explorations) != len(want) {
		t.Fatalf("%d explorations, want %d", len(a.Explorations), len(want))
	}
	for i, x := range a.Explorations {
		var broken []string
		for _, inv := range x.Invariants {
			if inv.Broken {
				broken = append(broken, inv.Name)
			}
			if inv.Broken != (len(inv.Path) > 0) {
				t.Errorf("%s, %s: broken is %t and there are %d steps", x.Label(), inv.Name, inv.Broken, len(inv.Path))
			}
		}
		if got := strings.Join(broken, " "); x.Label() != want[i].label || x.States != want[i].states || got != want[i].broken || !x.Whole {
			t.Errorf("%s: %d states, whole: %t, broken: %s; want %v", x.Label(), x.States, x.Whole, got, want[i])
		}
	}
	if a.Explorations[1].About.En != "each write compares" {
		t.Errorf("the exploration of the variant is about %q", a.Explorations[1].About.En)
	}
	if all := a.Unexpected(); len(all) > 0 {
		t.Errorf("unexpected: %v", all)
	}
	if a.Command != "precedent explore system.yaml" {
		t.Errorf("the command is %q", a.Command)
	}
	told := study.ToldPaths(a.Explorations)
	if len(told) != 2 || len(told[0].Breaks) != 3 || len(told[0].Path()) != 8 || len(told[1].Path()) != 6 || !slices.Equal(told[0].Acting(), []int{0, 1, 2}) {
		t.Errorf("the orders that are told are %v", told)
	}
}

// TestExploreAsked: a question for a variant, with settings of its own.
func TestExploreAsked(t *testing.T) {
	t.Parallel()
	a := exploring(t, study.Question{System: planned, Variant: "swap", Set: []string{"dns.endpoints=2"}}, study.Limits{})
	if len(a.Explorations) != 1 || a.Explorations[0].States != 490 || a.Explorations[0].Label() != "swap, dns.endpoints=2" {
		t.Errorf("the explorations are %v", a.Explorations)
	}
	few := exploring(t, study.Question{System: planned, Variant: "base"}, study.Limits{States: 50})
	if x := few.Explorations[0]; x.Whole || x.States != 50 {
		t.Errorf("with a bound of 50 there are %d states, whole: %t", x.States, x.Whole)
	}
	unmet := exploring(t, study.Question{System: strings.Replace(planned, "breaks: [records-exist", "keeps: [records-exist", 1)}, study.Limits{})
	if got := unmet.Unexpected(); len(got) != 2 || got[0] != "base: records-exist" {
		t.Errorf("unexpected are %v", got)
	}
	// What was not looked at whole is not known to hold.
	if got := exploring(t, study.Question{System: planned}, study.Limits{States: 50}).Unexpected(); !slices.Contains(got, "swap: records-exist") {
		t.Errorf("unexpected with few states are %v", got)
	}
}

func TestExploreRefused(t *testing.T) {
	t.Parallel()
	large, _, _ := strings.Cut(planned, "explore:")
	for _, c := range []struct{ system, want, help string }{
		{large, "dns: 100 endpoints", "--set dns.endpoints=1"},
		{"name: a\nparts:\n  users: {kind: source, rate: 1/s, call: {to: web}}\n  web: {kind: server, workers: 1, work: 1ms}\n", "no part", "planner"},
	} {
		_, err := study.Read(study.Question{System: c.system, Kind: study.KindExplore}, study.Limits{})
		var refused *study.Refusal
		if !errors.As(err, &refused) || !strings.Contains(refused.Text.En, c.want) || !strings.Contains(refused.Help.En, c.help) || refused.Text.Ko == "" || refused.Help.Ko == "" {
			t.Errorf("the error is %v, want one with %q and %q", err, c.want, c.help)
		}
	}
	_, err := study.Read(study.Question{System: strings.Replace(planned, "dns.appliers: 3}", "dns.appliers: none}", 1), Kind: study.KindExplore}, study.Limits{})
	var problems strictyaml.Problems
	if !errors.As(err, &problems) {
		t.Errorf("a setting that cannot be read gives the error %v", err)
	}
}
