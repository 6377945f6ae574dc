package library

import (
	"cmp"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/strictyaml"
)

// The folders of a library that hold scenario files and, as JSON under the same
// names, what running them gave and what they were judged to be.
const (
	ScenarioDir  = "scenarios"
	RecordingDir = "recordings"
	JudgmentDir  = "judgments"
)

// Scenario is a system that fails as a case did, or as cases of a mechanism
// do. What its file holds beside these fields is for the simulator to read.
type Scenario struct {
	ID         string         // name of the file, in lower or upper case as it is written
	Title      bilingual.Text // one line
	Case       string         // id of the case that it replays; empty where it is a general one
	Mechanisms []string       // terms of the list mechanism
	Guide      bool           // it has a page in the field guide
	Layer      string         // what to call the library that it comes from
	File       string         // path of the file in its layer
	Text       []byte         // the file
	Recording  []byte         // what its runs gave when the library was made, as JSON; empty if that is not kept
	Judgment   []byte         // what it was judged to be then, as JSON; empty if that is not kept

	doc *strictyaml.Doc // while loading
}

// DecodeYAML reads the fields that the library knows, and leaves the others to
// the simulator.
func (s *Scenario) DecodeYAML(v strictyaml.Value) {
	for _, f := range v.Fields("a scenario: a mapping with the fields name, title, parts and others") {
		switch f.Name {
		case "title":
			f.Value.Into(&s.Title)
		case "replays":
			f.Value.Into(&s.Case)
		case "mechanisms":
			f.Value.Into(&s.Mechanisms)
		case "page":
			f.Value.Into((*guided)(&s.Guide))
		}
	}
}

// guided is whether the page of a scenario holds one of the field guide.
type guided bool

// DecodeYAML looks for the text, and leaves it to the simulator.
func (g *guided) DecodeYAML(v strictyaml.Value) {
	for _, f := range v.Fields("what readers are shown: a mapping with the fields charts, loop, guide and others") {
		*g = *g || f.Name == "guide"
	}
}

// readScenarios reads the scenarios of a layer.
func readScenarios(layer Layer) ([]*Scenario, strictyaml.Problems) {
	return readFolder(layer, ScenarioDir, func(name string, src []byte) (s *Scenario, problems strictyaml.Problems) {
		s = &Scenario{ID: strings.TrimSuffix(path.Base(name), ".yaml"), File: name, Text: src}
		s.Recording, _ = fs.ReadFile(layer.FS, path.Join(RecordingDir, s.ID+".json")) // none is kept of most
		s.Judgment, _ = fs.ReadFile(layer.FS, path.Join(JudgmentDir, s.ID+".json"))
		s.doc, problems = strictyaml.Decode(name, src, s)
		return s, problems
	})
}

// ScenarioFiles returns the scenarios of the layer alone, also where a library
// cannot be made of it. What the library finds wrong with them, [Load] tells.
func (l Layer) ScenarioFiles() []*Scenario {
	all, _ := readScenarios(l)
	return all
}

// StrayRecordings returns the paths, as they are shown, of the recordings of the
// layer of which no scenario is there, and StrayJudgments those of the judgments.
func (l Layer) StrayRecordings() []string { return l.stray(RecordingDir) }

// StrayJudgments returns the paths of the judgments of no scenario.
func (l Layer) StrayJudgments() []string { return l.stray(JudgmentDir) }

func (l Layer) stray(dir string) []string {
	names, _ := fs.Glob(l.FS, path.Join(dir, "*.json")) // fails for malformed patterns only
	var stray []string
	for _, name := range names {
		id := strings.TrimSuffix(path.Base(name), ".json")
		if _, err := fs.Stat(l.FS, path.Join(ScenarioDir, id+".yaml")); err != nil {
			stray = append(stray, l.shown(name))
		}
	}
	return stray
}

// addScenarios adds the scenarios of one layer.
func (l *Library) addScenarios(layer Layer, title string) strictyaml.Problems {
	found, problems := readScenarios(layer)
	for _, s := range found {
		s.Layer = title
		l.scenarios = replace(l.scenarios, s, func(other *Scenario) bool { return strings.EqualFold(other.ID, s.ID) })
	}
	return problems
}

// checkScenarios reports what scenarios name and is not there.
func (l *Library) checkScenarios() strictyaml.Problems {
	var problems strictyaml.Problems
	for _, s := range l.scenarios {
		if s.Case != "" {
			problems = append(problems, l.danglingCase(s.doc, "replays", s.Case)...)
		}
		for i, m := range s.Mechanisms {
			problems = append(problems, l.danglingMechanism(s.doc, fmt.Sprintf("mechanisms[%d]", i), m)...)
		}
		if s.doc.Has("") && s.Title.IsZero() {
			problems = append(problems, s.doc.Problem(strictyaml.Error, "required", "title", "is missing",
				"write one line in both languages: what is simulated"))
		}
		s.doc = nil
	}
	slices.SortFunc(l.scenarios, func(a, b *Scenario) int {
		return cmp.Or(cmp.Compare(b.Case, a.Case), cmp.Compare(a.ID, b.ID)) // those of cases first
	})
	return problems
}

// Scenarios returns all scenarios: those that replay a case first.
func (l *Library) Scenarios() []*Scenario { return l.scenarios }

// Scenario returns the scenario with the given id, in upper or lower case
// letters.
func (l *Library) Scenario(id string) (*Scenario, bool) {
	for _, s := range l.scenarios {
		if strings.EqualFold(s.ID, id) {
			return s, true
		}
	}
	return nil, false
}
