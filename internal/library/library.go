// Package library holds what is known: the published cases, vocabularies,
// scenarios and checks of the embedded corpus and of the private folders layered over it.
package library

import (
	"cmp"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/openprecedent/precedent/internal/library/casefile"
	"github.com/openprecedent/precedent/internal/library/vocab"
	"github.com/openprecedent/precedent/internal/parallel"
	"github.com/openprecedent/precedent/internal/strictyaml"
)

// Public is the name of the layer that holds the public library.
const Public = "public"

// Layer is one folder of case and vocabulary files.
type Layer struct {
	Name string // how to speak of it: [Public], or the folder's path
	FS   fs.FS
	// Linted says that the files were linted before they got here, as those in
	// the program were. Then only what keeps a file from being read is reported,
	// which makes loading twice as fast.
	Linted bool
}

// folder stands before the names of a layer's files in problems.
func (l Layer) folder() string {
	if l.Name == Public {
		return ""
	}
	return l.Name
}

// shown is how problems call a file of the layer.
func (l Layer) shown(name string) string { return path.Join(l.folder(), name) }

// Entry is one case with where it came from.
type Entry struct {
	*casefile.Case
	Layer     string // what to call the library it comes from; no path, since a server shows it
	File      string // path of the file in its layer
	Overrides string // name of the layer whose case of this id it replaces, if any

	doc   *strictyaml.Doc // while loading
	terms map[string][]string
}

// Terms returns the ids of the case's terms by list, each once, in the order
// of its fields. They are to be read only.
func (e *Entry) Terms() map[string][]string { return e.terms }

// Library is a loaded library. It is read-only and safe for concurrent use.
type Library struct {
	Vocab    *vocab.Set
	Excluded []Excluded
	Version  string // changes whenever any file of any layer does

	published []*Entry // newest first
	all       map[string]*Entry
	scenarios []*Scenario
	checks    []*Check
}

// Load reads all layers; a case of a later layer replaces the one of the same
// id. The problems are those of every file of every layer. Where one of them
// is an error, the library is nil.
func Load(layers ...Layer) (*Library, strictyaml.Problems) {
	l := &Library{all: map[string]*Entry{}}
	layers = slices.Clone(layers)
	folders := make([]vocab.Source, len(layers))
	sums := make([]*summedFS, len(layers))
	for i := range layers {
		layer := &layers[i]
		sums[i] = &summedFS{files: layer.FS}
		layer.FS = sums[i]
		folders[i] = vocab.Source{Name: layer.folder(), FS: layer.FS, Linted: layer.Linted}
	}
	var problems strictyaml.Problems
	l.Vocab, problems = vocab.Load(folders...)
	for _, layer := range layers {
		problems = append(problems, l.readLayer(layer)...)
	}
	for _, e := range l.all {
		if e.State == "published" {
			l.published = append(l.published, e)
		}
	}
	slices.SortFunc(l.published, newestFirst)
	problems = append(problems, l.relations()...)
	problems = append(problems, l.checkScenarios()...)
	problems = append(problems, l.checkChecks()...)
	problems.Sort()
	l.Version = version(layers, sums)
	for _, e := range l.all {
		e.doc = nil // it is larger than the case
	}
	if len(problems.Errors()) > 0 {
		return nil, problems
	}
	return l, problems
}

func newestFirst(a, b *Entry) int {
	return cmp.Or(b.Date.Earliest().Compare(a.Date.Earliest()), cmp.Compare(a.ID, b.ID))
}

// readLayer adds all that one layer holds. Its folders are read at the same
// time, since a single long file at the end of one would keep the cores waiting.
func (l *Library) readLayer(layer Layer) strictyaml.Problems {
	config, problems := ReadConfig(layer)
	title := config.title(layer)
	var cases, excluded, scenarios, checks strictyaml.Problems
	parallel.Do(
		func() { cases = l.addCases(layer, config) },
		func() { excluded = l.addExcluded(layer) },
		func() { scenarios = l.addScenarios(layer, title) },
		func() { checks = l.addChecks(layer, title) },
	)
	return slices.Concat(problems, cases, excluded, scenarios, checks)
}

// readFolder decodes the files of one of the layer's folders.
func readFolder[T any](layer Layer, dir string, decode func(name string, src []byte) (T, strictyaml.Problems)) ([]T, strictyaml.Problems) {
	return strictyaml.ReadFolder(layer.FS, dir, layer.shown(dir), decode)
}

// replace puts one in the place of the first of all that it replaces, or else at
// the end: what a later layer holds stands for what an earlier one does.
func replace[T any](all []T, one T, replaces func(other T) bool) []T {
	if at := slices.IndexFunc(all, replaces); at >= 0 {
		all[at] = one
		return all
	}
	return append(all, one)
}

// addCases adds the cases of one layer.
func (l *Library) addCases(layer Layer, config Config) strictyaml.Problems {
	found, problems := readFolder(layer, casefile.Dir, func(name string, src []byte) (*Entry, strictyaml.Problems) {
		return l.decode(layer, name, src)
	})
	var entries []*Entry
	for _, e := range found {
		if e.ID == "" {
			continue
		}
		e.Layer = config.title(layer)
		if earlier, ok := l.all[e.ID]; ok {
			if slices.Contains(entries, earlier) {
				problems = append(problems, e.doc.Problem(strictyaml.Error, "duplicate-id", "id",
					fmt.Sprintf("%s is also the id of %s", e.ID, earlier.File), "give it the next free id"))
			}
			e.Overrides = earlier.Layer
			if earlier.State == "published" && e.State != "published" && !slices.Contains(entries, earlier) {
				problems = append(problems, e.doc.Problem(strictyaml.Warning, "hidden-case", "state",
					fmt.Sprintf("%s is published in the library %q and %s here, so that the published case stays", e.ID, earlier.Layer, e.State),
					"publish this one, or give it an id of its own"))
				problems = append(problems, l.links(e)...)
				entries = append(entries, e)
				continue
			}
		}
		l.all[e.ID] = e
		entries = append(entries, e)
	}
	return append(problems, config.prefixes(entries)...)
}

// decode reads a case.
func (l *Library) decode(layer Layer, name string, src []byte) (*Entry, strictyaml.Problems) {
	e := &Entry{File: name}
	var problems strictyaml.Problems
	if layer.Linted {
		e.Case, e.doc, problems = casefile.Decode(name, src)
	} else {
		e.Case, e.doc, problems = casefile.Check(name, src, l.Vocab)
	}
	e.terms = e.Case.Terms()
	return e, problems
}

// Cases returns the published cases, newest first.
func (l *Library) Cases() []*Entry { return l.published }

// Case returns the case with the given id, in any state, in upper or lower
// case letters.
func (l *Library) Case(id string) (*Entry, bool) {
	e, ok := l.all[strings.ToUpper(id)]
	return e, ok
}

// IDs returns the ids of all cases in any state, in order.
func (l *Library) IDs() []string {
	ids := make([]string, 0, len(l.all))
	for id := range l.all {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids
}
