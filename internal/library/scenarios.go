package library

import (
	"cmp"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/nearest"
	"github.com/openprecedent/precedent/internal/strictyaml"
)

// The folders of a library that hold scenario files and, as JSON under the same
// names, what running them gave.
const (
	ScenarioDir  = "scenarios"
	RecordingDir = "recordings"
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

// scenarioFile is a scenario while it is read.
type scenarioFile struct {
	*Scenario
	problems strictyaml.Problems
}

// scenarioFiles reads the scenarios of a layer, and tells which files cannot be
// read.
func (l Layer) scenarioFiles() ([]scenarioFile, strictyaml.Problems) {
	return strictyaml.ReadFolder(l.FS, ScenarioDir, l.shown(ScenarioDir), func(name string, src []byte) scenarioFile {
		s := &Scenario{ID: strings.TrimSuffix(path.Base(name), ".yaml"), File: name, Text: src}
		s.Recording, _ = fs.ReadFile(l.FS, path.Join(RecordingDir, s.ID+".json")) // none is kept of most
		var found strictyaml.Problems
		s.doc, found = strictyaml.Decode(name, src, s)
		return scenarioFile{s, found}
	})
}

// ScenarioFiles returns the scenarios of the layer alone, also where a library
// cannot be made of it. What the library finds wrong with them, [Load] tells.
func (l Layer) ScenarioFiles() []*Scenario {
	files, _ := l.scenarioFiles()
	var all []*Scenario
	for _, f := range files {
		all = append(all, f.Scenario)
	}
	return all
}

// StrayRecordings returns the paths, as they are shown, of the recordings of the
// layer of which no scenario is there.
func (l Layer) StrayRecordings() []string {
	names, _ := fs.Glob(l.FS, path.Join(RecordingDir, "*.json")) // fails for malformed patterns only
	var stray []string
	for _, name := range names {
		id := strings.TrimSuffix(path.Base(name), ".json")
		if _, err := fs.Stat(l.FS, path.Join(ScenarioDir, id+".yaml")); err != nil {
			stray = append(stray, l.shown(name))
		}
	}
	return stray
}

// readScenarios adds the scenarios of one layer.
func (l *Library) readScenarios(layer Layer) strictyaml.Problems {
	files, problems := layer.scenarioFiles()
	config, _ := ReadConfig(layer) // its problems are reported with the cases
	for _, f := range files {
		problems = append(problems, f.problems...)
		f.Layer = config.title(layer)
		if at := slices.IndexFunc(l.scenarios, func(s *Scenario) bool { return strings.EqualFold(s.ID, f.ID) }); at >= 0 {
			l.scenarios[at] = f.Scenario
			continue
		}
		l.scenarios = append(l.scenarios, f.Scenario)
	}
	return problems
}

// checkScenarios reports what scenarios name and is not there.
func (l *Library) checkScenarios() strictyaml.Problems {
	var problems strictyaml.Problems
	for _, s := range l.scenarios {
		missing := func(field, msg, asked string, known []string) {
			help := "add it first, or leave it out"
			if near, ok := nearest.Of(asked, known); ok {
				help = fmt.Sprintf("did you mean %q?", near)
			}
			problems = append(problems, s.doc.Problem(strictyaml.Error, "dangling", field, fmt.Sprintf(msg, asked), help))
		}
		if _, ok := l.all[s.Case]; !ok && s.Case != "" {
			missing("replays", "no case %q", s.Case, l.IDs())
		}
		for i, m := range s.Mechanisms {
			if _, ok := l.Vocab.Term("mechanism", m); !ok {
				missing(fmt.Sprintf("mechanisms[%d]", i), "no mechanism %q", m, l.Vocab.IDs("mechanism"))
			}
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
