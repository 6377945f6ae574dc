// Package vocab holds the controlled vocabularies: lists of terms, named and
// defined in both languages, that cases, checks and scenarios are coded with.
package vocab

import (
	"fmt"
	"slices"
	"strings"

	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/nearest"
)

// Dir is the folder of a library that holds its vocabulary files.
const Dir = "vocab"

// List is one controlled list, one file of the folder [Dir] named after it.
type List struct {
	ID         string         `yaml:"list" json:"id" jsonschema:"id of the list, the file's name"`
	Name       bilingual.Text `yaml:"name" json:"name" jsonschema:"its name"`
	Definition bilingual.Text `yaml:"definition" json:"definition" jsonschema:"what its terms say"`
	Terms      []Term         `yaml:"terms" json:"terms" jsonschema:"its terms"`
}

// Term is one entry of a list.
type Term struct {
	ID         string         `yaml:"id" json:"id" jsonschema:"lower case with hyphens, unique in the list"`
	Name       bilingual.Text `yaml:"name" json:"name" jsonschema:"its name"`
	Definition bilingual.Text `yaml:"definition" json:"definition" jsonschema:"what it means"`
	Synonyms   Synonyms       `yaml:"synonyms,omitempty" json:"synonyms,omitzero" jsonschema:"other words for it, which search understands"`
	Parent     string         `yaml:"parent,omitempty" json:"parent,omitempty" jsonschema:"id of the wider term"`
	ReplacedBy string         `yaml:"replaced_by,omitempty" json:"replaced_by,omitempty" jsonschema:"id of the term to use instead"`
}

// Synonyms are other words for a term.
type Synonyms struct {
	En []string `yaml:"en,omitempty" json:"en,omitempty" jsonschema:"in English, abbreviations and product names included"`
	Ko []string `yaml:"ko,omitempty" json:"ko,omitempty" jsonschema:"in Korean, transliterations included"`
}

// Set is all lists of a library. It is read-only once loaded.
type Set struct {
	lists []*List
	terms map[string]map[string]*Term
}

// Lists returns all lists by id.
func (s *Set) Lists() []*List { return s.lists }

// List returns the list with the given id.
func (s *Set) List(id string) (*List, bool) {
	for _, l := range s.lists {
		if l.ID == id {
			return l, true
		}
	}
	return nil, false
}

// Term returns a term of a list.
func (s *Set) Term(list, id string) (*Term, bool) {
	t, ok := s.terms[list][id]
	return t, ok
}

// Find returns the lists, in their order, that have a term with this id.
func (s *Set) Find(id string) []string {
	var in []string
	for _, l := range s.lists {
		if _, ok := s.terms[l.ID][id]; ok {
			in = append(in, l.ID)
		}
	}
	return in
}

// IDs returns the ids of a list's terms in their order.
func (s *Set) IDs(list string) []string {
	l, ok := s.List(list)
	if !ok {
		return nil
	}
	ids := make([]string, len(l.Terms))
	for i, t := range l.Terms {
		ids[i] = t.ID
	}
	return ids
}

// Name returns the name of a term in language l, or its id where the set does
// not know it.
func (s *Set) Name(list, id string, l bilingual.Lang) string {
	if t, ok := s.Term(list, id); ok {
		name, _ := t.Name.Read(l)
		return name
	}
	return id
}

// Check tells what is wrong with a code of a list and what to do about it.
// It reports false where the code may be used.
func (s *Set) Check(list, code string) (msg, help string, wrong bool) {
	if t, ok := s.Term(list, code); ok {
		if t.ReplacedBy == "" {
			return "", "", false
		}
		return fmt.Sprintf("the term %q was replaced", code), fmt.Sprintf("use %q", t.ReplacedBy), true
	}
	ids := s.IDs(list)
	msg = fmt.Sprintf("the list %s has no term %q", list, code)
	if near, ok := nearest.Of(code, ids); ok {
		return msg, fmt.Sprintf("did you mean %q?", near), true
	}
	if in := s.Find(code); len(in) > 0 {
		return msg, fmt.Sprintf("it is a term of the list %s", strings.Join(in, ", ")), true
	}
	if len(ids) > 16 {
		return msg, fmt.Sprintf("see `precedent vocab %s` for its %d terms", list, len(ids)), true
	}
	return msg, "use one of " + strings.Join(ids, ", "), true
}

// Phrases returns all words for t in both languages: its names and synonyms.
func (t *Term) Phrases() []string {
	var all []string
	for _, p := range slices.Concat([]string{t.Name.En, t.Name.Ko}, t.Synonyms.En, t.Synonyms.Ko) {
		if p != "" {
			all = append(all, p)
		}
	}
	return all
}
