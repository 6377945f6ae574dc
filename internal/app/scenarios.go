package app

import (
	"maps"
	"slices"

	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/library"
	"github.com/openprecedent/precedent/internal/nearest"
)

// hasList is the filter by what can be done with a case beside reading it.
const hasList = "has"

// The terms of [hasList]: cases whose mechanism can be run, and those that checks
// look for.
const (
	hasReplay = "replay"
	hasCheck  = "check"
)

var hasNames = map[string]bilingual.Text{hasReplay: {En: "Replay", Ko: "재현"}, hasCheck: {En: "Check", Ko: "점검"}}

// HasTerms returns the terms of the filter by what can be done with a case.
func HasTerms() []string { return slices.Sorted(maps.Keys(hasNames)) }

// ScenarioRef is a scenario in a list.
type ScenarioRef struct {
	ID         string         `json:"id"`
	Title      bilingual.Text `json:"title"`
	Case       string         `json:"case,omitempty" jsonschema:"id of the case that it replays; absent where it is a general one"`
	Mechanisms []TermRef      `json:"mechanisms"`
	HasGuide   bool           `json:"has_guide,omitempty" jsonschema:"it has a page in the field guide"`
	Library    string         `json:"library" jsonschema:"the library it comes from"`
}

// ScenarioIndex lists scenarios.
type ScenarioIndex struct {
	Version   int           `json:"wire_version"`
	Scenarios []ScenarioRef `json:"scenarios" jsonschema:"those that replay a case first"`
}

// Scenarios returns all scenarios in short.
func (a *App) Scenarios() *ScenarioIndex {
	return &ScenarioIndex{Version: WireVersion, Scenarios: a.scenarios(func(*library.Scenario) bool { return true })}
}

// scenarios returns the scenarios that are wanted. One of a case that is not
// shown is not shown either.
func (a *App) scenarios(wanted func(*library.Scenario) bool) []ScenarioRef {
	refs := []ScenarioRef{}
	for _, s := range a.lib.Scenarios() {
		if a.showsScenario(s) && wanted(s) {
			refs = append(refs, a.scenarioRef(s))
		}
	}
	return refs
}

func (a *App) showsScenario(s *library.Scenario) bool {
	e, ok := a.lib.Case(s.Case)
	return s.Case == "" || ok && a.shows(e)
}

func (a *App) scenarioRef(s *library.Scenario) ScenarioRef {
	ref := ScenarioRef{ID: s.ID, Title: s.Title, Case: s.Case, Mechanisms: []TermRef{}, HasGuide: s.Guide, Library: s.Layer}
	for _, id := range s.Mechanisms {
		ref.Mechanisms = append(ref.Mechanisms, a.termRef("mechanism", id))
	}
	return ref
}

// scenariosOf returns the scenarios that replay a case.
func (a *App) scenariosOf(id string) []ScenarioRef {
	return a.scenarios(func(s *library.Scenario) bool { return s.Case == id })
}

// scenariosUnder returns the scenarios of mechanisms.
func (a *App) scenariosUnder(list string, ids []string) []ScenarioRef {
	return a.scenarios(func(s *library.Scenario) bool {
		return list == "mechanism" && slices.ContainsFunc(s.Mechanisms, func(m string) bool { return slices.Contains(ids, m) })
	})
}

// scenario returns the scenario of an id, or the first one of the case of that
// id, or an error that offers a near one.
func (a *App) scenario(id string) (*library.Scenario, error) {
	if s, ok := a.lib.Scenario(id); ok && a.showsScenario(s) {
		return s, nil
	}
	var ids []string
	for _, s := range a.lib.Scenarios() {
		if e, ok := a.lib.Case(id); ok && s.Case == e.ID && a.showsScenario(s) {
			return s, nil
		}
		if a.showsScenario(s) {
			ids = append(ids, s.ID)
		}
	}
	e := NotFoundf("scenario", "see {call} for those that there are", "no scenario %q", Short(id)).
		Korean("있는 것: {call}", "그런 시나리오가 없다: %q").Calling(UseScenarios, "")
	if _, err := a.entry(id); err == nil {
		e = NotFoundf("scenario", "see {call} for those that there are", "the case %q has no scenario yet", Short(id)).
			Korean("있는 것: {call}", "아직 시나리오가 없는 사례다: %q").Calling(UseScenarios, "")
	}
	if near, ok := nearest.Of(id, ids); ok {
		return nil, e.offer(near)
	}
	return nil, e
}
