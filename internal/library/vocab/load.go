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
}

// Load reads the lists of several folders. A later folder adds terms to a list
// of the same id, replaces a term of the same id, and may add lists.
func Load(folders ...Source) (*Set, strictyaml.Problems) {
	l := loader{set: &Set{terms: map[string]map[string]*Term{}}, where: map[*Term]where{}}
	for _, folder := range folders {
		found, unread := strictyaml.ReadFolder(folder.FS, Dir, path.Join(folder.Name, Dir), read)
		l.problems = append(l.problems, unread...)
		for _, one := range found {
			l.problems = append(l.problems, one.problems...)
			if one.list != nil {
				l.merge(one.list, one.doc)
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

// where is the place of a term: its file, and its path in it.
type where struct {
	doc  *strictyaml.Doc
	path string
}

// file is a vocabulary file that was read.
type file struct {
	list     *List // nil where nothing of it could be read
	doc      *strictyaml.Doc
	problems strictyaml.Problems
}

func read(name string, src []byte) file {
	list := &List{}
	doc, problems := strictyaml.Decode(name, src, list)
	if !doc.Has("") {
		return file{nil, doc, problems}
	}
	return file{list, doc, append(problems, lint(doc, list)...)}
}

// merge adds a list to the set, or its terms to the list of the same id.
func (l *loader) merge(list *List, doc *strictyaml.Doc) {
	known, ok := l.set.List(list.ID)
	if !ok {
		known = &List{ID: list.ID, Name: list.Name, Definition: list.Definition}
		l.set.lists = append(l.set.lists, known)
		l.set.terms[list.ID] = map[string]*Term{}
	}
	places := map[string]where{}
	for _, t := range known.Terms {
		places[t.ID] = l.where[l.set.terms[list.ID][t.ID]]
	}
	for i, t := range list.Terms {
		places[t.ID] = where{doc, fmt.Sprintf("terms[%d]", i)}
		if at := slices.IndexFunc(known.Terms, func(k Term) bool { return k.ID == t.ID }); at >= 0 {
			known.Terms[at] = t
		} else {
			known.Terms = append(known.Terms, t)
		}
	}
	for i := range known.Terms {
		t := &known.Terms[i]
		l.set.terms[list.ID][t.ID] = t
		l.where[t] = places[t.ID]
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
		for i := range list.Terms {
			t := &list.Terms[i]
			id := link.next(t)
			if id == "" {
				continue
			}
			if _, ok := l.set.Term(list.ID, id); !ok {
				help := "name a term of the list"
				if near, ok := nearest.Of(id, l.set.IDs(list.ID)); ok {
					help = fmt.Sprintf("did you mean %q?", near)
				}
				l.report(t, "dangling", link.field, fmt.Sprintf("the list has no term %q", id), help)
			} else if l.circular(list.ID, t, link.next) {
				l.report(t, "circular", link.field, fmt.Sprintf("%q leads back to %q", id, t.ID), "take one of the links out")
			}
		}
	}
}

// circular reports whether following next from t comes back to t.
func (l *loader) circular(list string, t *Term, next func(*Term) string) bool {
	seen := map[string]bool{}
	for at, ok := l.set.Term(list, next(t)); ok && !seen[at.ID]; at, ok = l.set.Term(list, next(at)) {
		if at.ID == t.ID {
			return true
		}
		seen[at.ID] = true
	}
	return false
}

func (l *loader) report(t *Term, rule, field, msg, help string) {
	at := l.where[t]
	l.problems = append(l.problems, at.doc.Problem(strictyaml.Error, rule, at.path+"."+field, msg, help))
}
