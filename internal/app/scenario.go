package app

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/library"
	"github.com/openprecedent/precedent/internal/nearest"
	"github.com/openprecedent/precedent/internal/sim/scenario"
	"github.com/openprecedent/precedent/internal/sim/study"
)

// Scenario is a scenario with what a reader is told of it beside its runs.
type Scenario struct {
	Version int `json:"wire_version"`
	ScenarioRef
	About    bilingual.Text      `json:"about"`
	Clock    string              `json:"clock,omitempty" jsonschema:"what T+0 is on the published clock"`
	Zero     float64             `json:"zero" jsonschema:"seconds from the start of a run to T+0"`
	Phases   []ScenarioPhase     `json:"phases" jsonschema:"periods of the course, each up to the next"`
	Loop     []bilingual.Text    `json:"loop" jsonschema:"what feeds what, so that the failure goes on; the last feeds the first"`
	Variants []VariantRef        `json:"variants" jsonschema:"the same with something else done from the start"`
	Sliders  []Slider            `json:"sliders" jsonschema:"the settings that matter, with values to try"`
	Yours    []HomeMeasure       `json:"yours" jsonschema:"what to measure at home to fit it to a system of one's own"`
	Given    []GivenValue        `json:"parameters" jsonschema:"values with their origin"`
	Misfits  []bilingual.Text    `json:"misfits" jsonschema:"what was published and does not come out"`
	Map      *ScenarioMap        `json:"map,omitempty" jsonschema:"the two settings of its phase map"`
	Orders   []study.Exploration `json:"orders,omitempty" jsonschema:"what every order of the steps of its protocols leads to"`
	Guide    bilingual.Text      `json:"guide,omitzero" jsonschema:"the text of its page in the field guide, in Markdown"`
	Gain     *Gain               `json:"gain,omitempty" jsonschema:"how much of itself one turn of the loop brings about"`
	Edges    []GuideEdge         `json:"edges" jsonschema:"where it begins to tip"`
	Judged   *Judged             `json:"judged,omitempty" jsonschema:"what it was judged to be when the library was made"`
	System   string              `json:"system" jsonschema:"the file, YAML"`

	file     *scenario.File
	recorded map[string]*study.Answer // by variant
	asked    Asked                    // what its judgment asked, also where that is of another state of the file
}

// ScenarioPhase is a period of the course.
type ScenarioPhase struct {
	At   float64        `json:"at" jsonschema:"seconds from T+0"`
	Name bilingual.Text `json:"name"`
}

// VariantRef is a variant of a scenario.
type VariantRef struct {
	Name    string          `json:"name"`
	About   bilingual.Text  `json:"about"`
	Set     []study.Setting `json:"set" jsonschema:"settings that differ"`
	Without []string        `json:"without" jsonschema:"changes that are not made"`
}

// Slider is a setting for readers to try.
type Slider struct {
	Set    string         `json:"set" jsonschema:"the setting"`
	Name   bilingual.Text `json:"name"`
	Values []string       `json:"values" jsonschema:"values to try, in order; those that the variants set are among them"`
	Own    string         `json:"own" jsonschema:"the value of the file"`
}

// HomeMeasure is something that one measures at home.
type HomeMeasure struct {
	Parameter string         `json:"parameter" jsonschema:"the setting that takes it"`
	How       bilingual.Text `json:"how"`
}

// GivenValue is a parameter of a scenario with where its value is from.
type GivenValue struct {
	Name    string         `json:"name"`
	Value   string         `json:"value"`
	About   bilingual.Text `json:"about,omitzero"`
	Source  bilingual.Text `json:"source,omitzero" jsonschema:"where it was published"`
	Assumed bilingual.Text `json:"assumed,omitzero" jsonschema:"why it was taken, where it was not published"`
}

// ScenarioMap names the two settings of a phase map with their values.
type ScenarioMap struct {
	X string `json:"x"`
	Y string `json:"y"`
}

// Scenario returns the scenario of an id, or that of the case of that id. It is
// shared, and to be read only.
func (a *App) Scenario(id string) (*Scenario, error) {
	s, err := a.scenario(id)
	if err != nil {
		return nil, err
	}
	return a.read[s]()
}

// readScenario reads a scenario with its recording.
func (a *App) readScenario(s *library.Scenario) (*Scenario, error) {
	f, problems := scenario.Decode(s.File, s.Text, nil)
	if len(problems.Errors()) > 0 {
		return nil, fmt.Errorf("reading the scenario %s: %w", s.ID, problems.Errors())
	}
	out := &Scenario{
		Version: WireVersion, ScenarioRef: a.scenarioRef(s), About: f.About.Text, Zero: f.Run.Zero.Time().Seconds(),
		Phases: []ScenarioPhase{}, Loop: []bilingual.Text{}, Variants: []VariantRef{}, Sliders: []Slider{}, Yours: []HomeMeasure{},
		Given: []GivenValue{}, Misfits: texts(f.Page.Misfits), Guide: f.Page.Guide.Text, System: string(s.Text),
		file: f,
	}
	out.Judged, out.asked = judged(s)
	kept := recorded(s)
	out.recorded = kept.Answers
	out.fill(&f.Page)
	if err := out.explore(); err != nil {
		return nil, fmt.Errorf("reading the scenario %s: %w", s.ID, err)
	}
	out.measure(kept.Edges)
	for _, v := range f.Variants {
		ref := VariantRef{Name: v.Name, About: v.About.Text, Set: []study.Setting{}, Without: append([]string{}, v.Without...)}
		for _, set := range v.Set {
			ref.Set = append(ref.Set, study.Setting(set))
		}
		out.Variants = append(out.Variants, ref)
	}
	for _, p := range f.Parameters {
		out.Given = append(out.Given, GivenValue{p.Name, p.Value, p.About.Text, p.Source.Text, p.Assumed.Text})
	}
	return out, nil
}

// maxOrders bounds the states of the protocols that the page of a scenario tells
// of, so that it takes a moment to read one.
const maxOrders = 100_000

// explore looks at every order of the steps of the protocols that the file names.
func (s *Scenario) explore() error {
	if s.file.Explore == nil {
		return nil
	}
	q := s.Question("", nil)
	q.Kind = study.KindExplore
	// The answer is kept for all, so that no single request may end it; maxOrders bounds it.
	answer, err := study.Ask(context.Background(), q, study.Limits{States: maxOrders}, nil)
	if err != nil {
		return err
	}
	s.Orders = answer.Explorations
	return nil
}

// fill tells what the page of a file holds.
func (s *Scenario) fill(p *scenario.Page) {
	if !p.Clock.IsZero() {
		s.Clock = p.Clock.String()
	}
	for _, one := range p.Phases {
		s.Phases = append(s.Phases, ScenarioPhase{one.From.Time().Seconds() - s.Zero, one.Name.Text})
	}
	if p.Loop != nil {
		s.Loop = texts(p.Loop.Steps)
	}
	s.Sliders = s.sliders(p)
	for _, one := range p.Yours {
		s.Yours = append(s.Yours, HomeMeasure{one.Parameter, one.How.Text})
	}
	if p.Map != nil {
		s.Map = &ScenarioMap{p.Map.X, p.Map.Y}
	}
}

// own returns the value that the file gives a parameter.
func (s *Scenario) own(parameter string) string {
	for _, p := range s.file.Parameters {
		if p.Name == parameter {
			return p.Value
		}
	}
	return ""
}

func texts(all []scenario.Text) []bilingual.Text {
	out := []bilingual.Text{}
	for _, t := range all {
		out = append(out, t.Text)
	}
	return out
}

// Starter returns the scenario as a system file to begin one's own with, in one
// language and without what only a library shows of it.
func (s *Scenario) Starter(l bilingual.Lang) (string, error) {
	text, problems := scenario.Starter(s.ID+".yaml", []byte(s.System), string(l))
	if len(problems.Errors()) > 0 {
		return "", fmt.Errorf("shortening the scenario %s: %w", s.ID, problems.Errors())
	}
	return string(text), nil
}

// HasVariant reports whether the scenario has a variant of a name; no name is
// the scenario as it is.
func (s *Scenario) HasVariant(name string) bool {
	return name == "" || slices.ContainsFunc(s.Variants, func(v VariantRef) bool { return v.Name == name })
}

// Question returns what a replay asks: one run of a variant with some settings,
// each as path=value.
func (s *Scenario) Question(variant string, set []string) study.Question {
	return study.Question{
		File: s.ID + ".yaml", System: s.System, Kind: study.KindRun, Variant: variant, Set: set,
	}
}

// drawnValues is how many values a line of a recording has at most.
const drawnValues = 160

// Recorded returns what a variant without further settings was found to do when
// the library was made, if that is still what the scenario says.
func (s *Scenario) Recorded(variant string) (*study.Answer, bool) {
	r, ok := s.recorded[variant]
	return r, ok
}

// RecordedVariants returns the names of the variants that are recorded; that of
// the file as it is is empty.
func (s *Scenario) RecordedVariants() []string {
	names := []string{}
	for name := range s.recorded {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Recording is the file that keeps what the variants of a scenario do, so that
// nobody has to wait for it. It is made by `precedent replay --record`, and not by
// hand.
type Recording struct {
	Version  int                      `json:"wire_version"`
	Scenario string                   `json:"scenario" jsonschema:"SHA-256 of the file that was run"`
	Answers  map[string]*study.Answer `json:"answers" jsonschema:"by variant; that of the file as it is is base"`
	Edges    []study.EdgeFound        `json:"edges,omitempty" jsonschema:"where simulation found the edges of the page, in its order"`
}

// recorded returns the recording of a scenario, with that of the file as it is
// under no name. One of another file, or of a program whose answers read
// otherwise, is of no use.
func recorded(s *library.Scenario) Recording {
	var r Recording
	if len(s.Recording) == 0 || json.Unmarshal(s.Recording, &r) != nil || r.Version != study.WireVersion || r.Scenario != sumOf(s.Text) {
		return Recording{}
	}
	if base, ok := r.Answers[scenario.Base]; ok {
		r.Answers[""] = base
		delete(r.Answers, scenario.Base)
	}
	return r
}

func sumOf(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// NewRecording returns an empty recording of a scenario.
func (s *Scenario) NewRecording() *Recording {
	return &Recording{Version: study.WireVersion, Scenario: sumOf([]byte(s.System)), Answers: map[string]*study.Answer{}}
}

// Add adds the answer of a variant, without the series: a recording is for charts
// and expectations.
func (r *Recording) Add(variant string, a *study.Answer) {
	if variant == "" {
		variant = scenario.Base
	}
	r.Answers[variant] = a.Short(drawnValues)
}

// Replay is a scenario with what one of its variants was found to do.
type Replay struct {
	Version  int           `json:"wire_version"`
	Scenario *Scenario     `json:"scenario"`
	Variant  string        `json:"variant,omitempty" jsonschema:"absent for the scenario as it is"`
	Answer   *study.Answer `json:"answer,omitempty" jsonschema:"the run with its charts and expectations; absent where it is not kept and was not asked to be run"`
}

// Replay returns what a variant of a scenario was found to do, as it is kept with
// the library.
func (a *App) Replay(id, variant string) (*Replay, error) {
	s, err := a.Scenario(id)
	if err != nil {
		return nil, err
	}
	if variant == scenario.Base {
		variant = ""
	}
	if !s.HasVariant(variant) {
		var names []string
		for _, v := range s.Variants {
			names = append(names, v.Name)
		}
		e := Invalidf("variant", "the variants are "+strings.Join(names, ", "), "the scenario %s has no variant %q", s.ID, Short(variant)).
			Korean("변형: "+strings.Join(names, ", "), "시나리오 %s에 그런 변형이 없다: %q")
		if near, ok := nearest.Of(variant, names); ok {
			e.offer(near)
		}
		return nil, e
	}
	answer, _ := s.Recorded(variant)
	return &Replay{Version: WireVersion, Scenario: s, Variant: variant, Answer: answer}, nil
}
