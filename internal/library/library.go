// Package library holds what is known: the published cases and vocabularies
// of the embedded corpus and of the private folders layered over it.
package library

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/openprecedent/precedent/internal/library/casefile"
	"github.com/openprecedent/precedent/internal/library/vocab"
	"github.com/openprecedent/precedent/internal/strictyaml"
)

// Public is the name of the layer that holds the public library.
const Public = "public"

// Layer is one folder of case and vocabulary files.
type Layer struct {
	Name string // how to speak of it: [Public], or the folder's path
	FS   fs.FS
	// Linted says that the cases were linted before they got here, as those in
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

	doc *strictyaml.Doc
}

// Library is a loaded library. It is read-only and safe for concurrent use.
type Library struct {
	Vocab    *vocab.Set
	Excluded []Excluded
	Version  string // changes whenever any file of any layer does

	published []*Entry // newest first
	all       map[string]*Entry
}

// Load reads all layers; a case of a later layer replaces the one of the same
// id. The problems are those of every file of every layer. Where one of them
// is an error, the library is nil.
func Load(layers ...Layer) (*Library, strictyaml.Problems) {
	l := &Library{all: map[string]*Entry{}}
	folders := make([]vocab.Source, len(layers))
	for i, layer := range layers {
		folders[i] = vocab.Source{Name: layer.folder(), FS: layer.FS}
	}
	var problems strictyaml.Problems
	l.Vocab, problems = vocab.Load(folders...)
	for _, layer := range layers {
		problems = append(problems, l.read(layer)...)
		excluded, more := readExcluded(layer)
		l.Excluded = append(l.Excluded, excluded...)
		problems = append(problems, more...)
	}
	for _, e := range l.all {
		if e.State == "published" {
			l.published = append(l.published, e)
		}
	}
	slices.SortFunc(l.published, newestFirst)
	problems = append(problems, l.relations()...)
	problems.Sort()
	l.Version = version(layers)
	if len(problems.Errors()) > 0 {
		return nil, problems
	}
	return l, problems
}

func newestFirst(a, b *Entry) int {
	return cmp.Or(b.Date.Earliest().Compare(a.Date.Earliest()), cmp.Compare(a.ID, b.ID))
}

// read adds the cases of one layer, decoding them on all cores.
func (l *Library) read(layer Layer) strictyaml.Problems {
	names, unread := strictyaml.Files(layer.FS, casefile.Dir)
	entries := make([]*Entry, len(names))
	found := make([]strictyaml.Problems, len(names))
	var wait sync.WaitGroup
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i, name := range names {
		wait.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			entries[i], found[i] = l.readCase(layer, name)
		})
	}
	wait.Wait()
	config, problems := ReadConfig(layer)
	if unread != nil {
		problems = append(problems, strictyaml.Unreadable(layer.shown(casefile.Dir), unread))
	}
	problems = append(problems, slices.Concat(found...)...)
	entries = slices.DeleteFunc(entries, func(e *Entry) bool { return e == nil || e.ID == "" })
	for _, e := range entries {
		e.Layer = config.title(layer)
		if earlier, ok := l.all[e.ID]; ok {
			if slices.Contains(entries, earlier) {
				problems = append(problems, e.doc.Problem(strictyaml.Error, "duplicate-id", "id",
					fmt.Sprintf("%s is also the id of %s", e.ID, earlier.File), "give it the next free id"))
			}
			e.Overrides = earlier.Layer
		}
		l.all[e.ID] = e
	}
	return append(problems, config.prefixes(entries)...)
}

func (l *Library) readCase(layer Layer, name string) (*Entry, strictyaml.Problems) {
	shown := layer.shown(name)
	src, err := strictyaml.ReadFile(layer.FS, name)
	if err != nil {
		return nil, strictyaml.Problems{strictyaml.Unreadable(shown, err)}
	}
	check := casefile.Check
	if layer.Linted {
		check = func(file string, src []byte, _ *vocab.Set) (*casefile.Case, *strictyaml.Doc, strictyaml.Problems) {
			return casefile.Decode(file, src)
		}
	}
	c, doc, problems := check(shown, src, l.Vocab)
	return &Entry{Case: c, File: shown, doc: doc}, problems
}

// version is a hash over the names and contents of all files of all layers.
func version(layers []Layer) string {
	sum := sha256.New()
	for _, layer := range layers {
		names := []string{ConfigFile}
		for _, dir := range []string{casefile.Dir, vocab.Dir, ExcludedDir} {
			found, _ := fs.Glob(layer.FS, dir+"/*.yaml") // fails for malformed patterns only
			names = append(names, found...)
		}
		for _, name := range names {
			src, err := strictyaml.ReadFile(layer.FS, name)
			if err != nil {
				continue // reported while loading, or a library without a description
			}
			fmt.Fprintf(sum, "%s %s %d\n", layer.Name, name, len(src))
			sum.Write(src)
		}
	}
	return hex.EncodeToString(sum.Sum(nil))[:12]
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
