package vocab

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/openprecedent/precedent/internal/nearest"
	"github.com/openprecedent/precedent/internal/strictyaml"
)

// Source is a library folder that vocabulary files are read from.
type Source struct {
	Name string // stands before the names of its files in problems; may be empty
	FS   fs.FS
	// Linted says that the lists were linted before they got here, so that only
	// what keeps a file from being read is reported.
	Linted bool
}

// Load reads the lists of several folders. A later folder adds terms to a list
// of the same id, replaces a term of the same id, and may add lists.
func Load(folders ...Source) (*Set, strictyaml.Problems) {
	l := loader{set: &Set{terms: map[string]map[string]*Term{}}, where: map[*Term]where{}}
	for _, folder := range folders {
		files, problems := strictyaml.ReadFolder(folder.FS, Dir, path.Join(folder.Name, Dir), folder.read)
		l.problems = append(l.problems, problems...)
		for _, f := range files {
			if f.list != nil {
				l.merge(f.list, f.doc)
			}
		}
	}
	slices.SortFunc(l.set.lists, func(a, b *List) int { return strings.Compare(a.ID, b.ID) })
	for _, list := range l.set.lists {
		l.relations(list)
	}
	return l.set, l.problems.Bound()
}

// loader builds a set. It remembers where each term stands, for what only
// shows once all lists are read.
type loader struct {
	set      *Set
	where    map[*Term]where
	problems strictyaml.Problems
}

// where is the place of a term: its file, and its number in that.
type where struct {
	doc   *strictyaml.Doc
	index int
}

// file is a vocabulary file that was read.
type file struct {
	list *List // nil where nothing of it could be read
	doc  *strictyaml.Doc
}

func (s Source) read(name string, src []byte) (file, strictyaml.Problems) {
	list := &List{}
	doc, problems := strictyaml.Decode(name, src, list)
	switch {
	case !doc.Has(""):
		return file{nil, doc}, problems
	case s.Linted:
		return file{list, doc}, problems
	}
	return file{list, doc}, append(problems, lint(doc, list)...)
}

// merge adds a list to the set, or its terms to the list of the same id.
func (l *loader) merge(list *List, doc *strictyaml.Doc) {
	known, ok := l.set.List(list.ID)
	if !ok {
		known = &List{ID: list.ID, Name: list.Name, Definition: list.Definition}
		l.set.lists = append(l.set.lists, known)
		l.set.terms[list.ID] = map[string]*Term{}
	}
	at := make(map[string]int, len(known.Terms)+len(list.Terms))
	places := make([]where, len(known.Terms), len(known.Terms)+len(list.Terms))
	for i := range known.Terms {
		t := &known.Terms[i]
		at[t.ID], places[i] = i, l.where[t]
	}
	for i, t := range list.Terms {
		place := where{doc, i}
		if k, ok := at[t.ID]; ok {
			known.Terms[k], places[k] = t, place
			continue
		}
		at[t.ID] = len(known.Terms)
		known.Terms, places = append(known.Terms, t), append(places, place)
	}
	for i := range known.Terms {
		t := &known.Terms[i]
		l.set.terms[list.ID][t.ID] = t
		l.where[t] = places[i]
	}
}

// relations reports parents and replacements that do not exist or that lead
// back to where they began, which would never end for who follows them.
func (l *loader) relations(list *List) {
	for _, link := range []struct {
		field string
		next  func(*Term) string
	}{
		{"parent", func(t *Term) string { return t.Parent }},
		{"replaced_by", func(t *Term) string { return t.ReplacedBy }},
	} {
		in, ids := l.circles(list, link.next), l.set.IDs(list.ID)
		for i := range list.Terms {
			t := &list.Terms[i]
			id := link.next(t)
			if id == "" {
				continue
			}
			if _, ok := l.set.Term(list.ID, id); !ok {
				help := "name a term of the list"
				if len(l.problems) > maxMeant {
					ids = nil // comparing all with all takes long, and so many are not shown
				}
				if near, ok := nearest.Of(id, ids); ok {
					help = fmt.Sprintf("did you mean %q?", near)
				}
				l.report(t, "dangling", link.field, fmt.Sprintf("the list has no term %q", id), help)
			} else if in[t] {
				l.report(t, "circular", link.field, fmt.Sprintf("%q leads back to %q", id, t.ID), "take one of the links out")
			}
		}
	}
}

// maxMeant is from how many problems on nothing is guessed.
const maxMeant = 200

// circles returns the terms that following next from them comes back to. Each
// term is followed once: a way that meets an earlier one ends there.
func (l *loader) circles(list *List, next func(*Term) string) map[*Term]bool {
	in := map[*Term]bool{}
	walk := make(map[*Term]int, len(list.Terms)) // on which way each term was met
	for i := range list.Terms {
		t, ok := &list.Terms[i], true
		for ok && walk[t] == 0 {
			walk[t] = i + 1
			t, ok = l.set.Term(list.ID, next(t))
		}
		if !ok || walk[t] != i+1 {
			continue
		}
		for !in[t] {
			in[t] = true
			t, _ = l.set.Term(list.ID, next(t))
		}
	}
	return in
}

func (l *loader) report(t *Term, rule, field, msg, help string) {
	at := l.where[t]
	l.problems = append(l.problems, at.doc.Problem(strictyaml.Error, rule, fmt.Sprintf("terms[%d].%s", at.index, field), msg, help))
}
