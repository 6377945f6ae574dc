package manifest

import (
	"maps"
	"slices"
	"strings"

	"github.com/openprecedent/precedent/internal/check/object"
)

// SystemErrors returns what is wrong with a system file, if it is so that nothing may
// be concluded from it. Lines are those of the text that is given.
type SystemErrors func(source string, src []byte) []Problem

// Checked is [Document.Content] for what may hold system files: one with errors is
// not read, which the content says as well as the problems.
func (d Document) Checked(find SystemErrors) (Content, []Problem, bool) {
	m, _ := d.Value.(map[string]any)
	if isSystem(m) {
		problems := find(d.Source, d.src)
		for i := range problems {
			problems[i].Line += d.first - 1
		}
		if len(problems) > 0 {
			return Content{Torn: []Torn{{object.PartOfSystem, "a system file has errors"}}}, problems, true
		}
	}
	c, ok := d.Content()
	return c, nil, ok
}

// isSystem reports whether a document is a system file: it has parts by name that say
// of what kind they are. A replay of an incident is none of one's own.
func isSystem(t object.Tree) bool {
	if t["apiVersion"] != nil || t["replays"] != nil {
		return false
	}
	for _, part := range t.Sub("parts").All() {
		if m, ok := part.(map[string]any); ok && object.Tree(m).Text("kind") != "" {
			return true
		}
	}
	return false
}

// system returns the parts of a system file, with the values of its parameters where
// these are named.
func (d Document) system(t object.Tree) (Content, bool) {
	if !isSystem(t) {
		return Content{}, false
	}
	values := map[string]any{}
	for name, v := range t.Sub("parameters").All() {
		if m, ok := v.(map[string]any); ok {
			v = m["value"]
		}
		values[name] = v
	}
	c := Content{Whole: []string{object.PartOfSystem}}
	parts, _ := t["parts"].(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(parts)) {
		m, ok := withValues(parts[name], values).(map[string]any)
		if !ok {
			continue
		}
		o := d.setting(object.Tree(m), `parts["`+name+`"]`, object.PartOfSystem, name)
		o.Namespace = t.Text("name")
		c.Objects = append(c.Objects, o)
	}
	return c, true
}

// withValues puts values in the place of their names, such as $load.
func withValues(v any, values map[string]any) any {
	switch v := v.(type) {
	case map[string]any:
		m := make(map[string]any, len(v))
		for name, one := range v {
			m[name] = withValues(one, values)
		}
		return m
	case []any:
		list := make([]any, len(v))
		for i, one := range v {
			list[i] = withValues(one, values)
		}
		return list
	case string:
		if name, ok := strings.CutPrefix(v, "$"); ok && values[name] != nil {
			return values[name]
		}
	}
	return v
}
