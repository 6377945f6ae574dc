package app

import (
	"cmp"
	"slices"

	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/library"
	"github.com/openprecedent/precedent/internal/library/casefile"
	"github.com/openprecedent/precedent/internal/nearest"
	"github.com/openprecedent/precedent/internal/sim/scenario"
	"github.com/openprecedent/precedent/internal/sim/study"
)

// Guide is a page of the field guide: how a loop keeps a failure going, where it
// begins to, and what each remedy does. It is all in the file of a scenario and in
// what running it gave.
type Guide struct {
	Version int `json:"wire_version"`
	ScenarioRef
	About    bilingual.Text    `json:"about"`
	Text     bilingual.Text    `json:"text" jsonschema:"Markdown"`
	Loop     []bilingual.Text  `json:"loop" jsonschema:"what feeds what; the last feeds the first"`
	Gain     *Gain             `json:"gain,omitempty"`
	Edges    []GuideEdge       `json:"edges" jsonschema:"where the system begins to tip"`
	Compared []ComparedBy      `json:"compared" jsonschema:"what the remedies are compared by"`
	Base     scenario.Values   `json:"base" jsonschema:"the numbers of the scenario as it is"`
	Remedies []GuideRemedy     `json:"remedies" jsonschema:"the cheapest first"`
	Yours    []HomeMeasure     `json:"yours" jsonschema:"what to measure at home, and the setting that takes it"`
	Cases    []Brief           `json:"cases" jsonschema:"cases that share a mechanism with it, those that share most first"`
	Count    int               `json:"count" jsonschema:"number of such cases"`
	Map      *ScenarioMap      `json:"map,omitempty"`
	Judged   *Judged           `json:"judged,omitempty" jsonschema:"what it was judged to be when the library was made"`
	Values   map[string]string `json:"values" jsonschema:"the parameters of the file"`

	scenario *Scenario
}

// Gain is how much of itself one turn of a loop brings about, as the simulator
// measured it.
type Gain struct {
	Counts bilingual.Text `json:"counts" jsonschema:"what is counted"`
	During *float64       `json:"during,omitempty" jsonschema:"while the failure lasts; above 1 it feeds itself"`
	Before *float64       `json:"before,omitempty" jsonschema:"before the trigger"`
}

// GuideEdge is a formula for an edge and where it comes from, with what was found.
type GuideEdge struct {
	Name    bilingual.Text   `json:"name"`
	Formula string           `json:"formula"`
	Source  bilingual.Text   `json:"source"`
	Found   *study.EdgeFound `json:"found,omitempty" jsonschema:"what the formula gives and where simulation found the edge; absent where that is not kept"`
}

// ComparedBy is a number that the variants of a scenario are compared by.
type ComparedBy struct {
	Name bilingual.Text `json:"name"`
	Unit scenario.Unit  `json:"unit" jsonschema:"count, rate, share or time"`
}

// GuideRemedy is a variant that is a remedy, with what it was found to do.
type GuideRemedy struct {
	VariantRef
	Cost     float64         `json:"cost" jsonschema:"against the other remedies"`
	Compared scenario.Values `json:"compared" jsonschema:"its numbers; null where there is none"`
	Gain     *float64        `json:"gain,omitempty" jsonschema:"gain of the loop where the scenario as it is fails"`
}

// GuideIndex lists the pages of the field guide.
type GuideIndex struct {
	Version int           `json:"wire_version"`
	Guides  []ScenarioRef `json:"guides"`
}

// Guides lists the pages of the field guide.
func (a *App) Guides() *GuideIndex {
	return &GuideIndex{Version: WireVersion, Guides: a.scenarios(func(s *library.Scenario) bool { return s.Guide })}
}

// guideCases is how many cases a page of the field guide names.
const guideCases = 8

// Guide returns the page of the field guide of a scenario.
func (a *App) Guide(id string) (*Guide, error) {
	s, err := a.Scenario(id)
	if err != nil {
		return nil, err
	}
	if !s.HasGuide {
		e := NotFoundf("guide", "see {call} for its pages", "the scenario %s has no page in the field guide", s.ID).
			Korean("있는 것: {call}", "시나리오 %s에는 안내가 없다").Calling(UseGuide, "")
		var ids []string
		for _, g := range a.Guides().Guides {
			ids = append(ids, g.ID)
		}
		if near, ok := nearest.Of(id, ids); ok {
			return nil, e.offer(near)
		}
		return nil, e
	}
	g := &Guide{
		Version: WireVersion, ScenarioRef: s.ScenarioRef, About: s.About, Text: s.Guide, Loop: s.Loop, Gain: s.Gain, Edges: s.Edges,
		Compared: []ComparedBy{}, Base: scenario.Values{}, Remedies: []GuideRemedy{}, Yours: s.Yours, Cases: []Brief{}, Map: s.Map, Judged: s.Judged, scenario: s,
		Values: map[string]string{},
	}
	for _, v := range s.Given {
		g.Values[v.Name] = v.Value
	}
	for _, c := range s.file.Page.Compare {
		g.Compared = append(g.Compared, ComparedBy{c.Name.Text, c.Unit})
	}
	if f := s.figures(""); f != nil {
		g.Base = f.Compared
	}
	g.remedies(s)
	g.cases(a)
	return g, nil
}

// Scenario returns the scenario of the page.
func (g *Guide) Scenario() *Scenario { return g.scenario }

// remedies lists the variants that are remedies, the cheapest first.
func (g *Guide) remedies(s *Scenario) {
	for i, v := range s.file.Variants {
		if v.Cost == 0 {
			continue
		}
		one := GuideRemedy{VariantRef: s.Variants[i], Cost: float64(v.Cost), Compared: scenario.Values{}}
		if f := s.figures(v.Name); f != nil {
			one.Compared, one.Gain = f.Compared, f.Gain
		}
		g.Remedies = append(g.Remedies, one)
	}
	slices.SortStableFunc(g.Remedies, func(a, b GuideRemedy) int { return cmp.Compare(a.Cost, b.Cost) })
}

// cases finds the cases that share mechanisms with the guide.
func (g *Guide) cases(a *App) {
	shared := map[string]int{}
	var all []*library.Entry
	for _, m := range g.Mechanisms {
		for _, e := range a.terms.cases[termKey{"mechanism", m.ID}] {
			if shared[e.ID]++; shared[e.ID] == 1 {
				all = append(all, e)
			}
		}
	}
	slices.SortStableFunc(all, func(x, y *library.Entry) int {
		return cmp.Or(cmp.Compare(shared[y.ID], shared[x.ID]), cmp.Compare(y.Date.String(), x.Date.String()), cmp.Compare(x.ID, y.ID))
	})
	g.Count = len(all)
	for _, e := range all[:min(len(all), guideCases)] {
		g.Cases = append(g.Cases, brief(e))
	}
}

// figures returns the numbers that a variant was found to have, nil where they are
// not kept.
func (s *Scenario) figures(variant string) *scenario.Figures {
	if a, ok := s.Recorded(variant); ok && len(a.Runs) > 0 {
		return a.Runs[0].Figures
	}
	return nil
}

// measure tells the gain of the loop and the edges, as far as they are kept.
func (s *Scenario) measure(found []study.EdgeFound) {
	s.Edges = []GuideEdge{}
	for i, e := range s.file.Page.Edges {
		one := GuideEdge{Name: e.Name.Text, Formula: e.Shown, Source: e.Source.Text}
		if i < len(found) {
			one.Found = &found[i]
		}
		s.Edges = append(s.Edges, one)
	}
	l := s.file.Page.Loop
	if l == nil || l.Gain == "" {
		return
	}
	s.Gain = &Gain{Counts: l.Counts.Text}
	if f := s.figures(""); f != nil {
		s.Gain.During, s.Gain.Before = f.Gain, f.Before
	}
}

// guidesOf returns the pages of the field guide about mechanisms of a case, those
// that share most with it first.
func (a *App) guidesOf(c *casefile.Case) []ScenarioRef {
	shared := func(s ScenarioRef) int {
		n := 0
		for _, m := range c.Mechanisms {
			if slices.ContainsFunc(s.Mechanisms, func(t TermRef) bool { return t.ID == m.Code }) {
				n++
			}
		}
		return n
	}
	refs := slices.DeleteFunc(a.Guides().Guides, func(s ScenarioRef) bool { return shared(s) == 0 })
	slices.SortStableFunc(refs, func(x, y ScenarioRef) int { return cmp.Compare(shared(y), shared(x)) })
	return refs
}
