package strictyaml

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/openprecedent/precedent/internal/nearest"
)

// Setting is a value that is set from outside the document.
type Setting struct{ Path, Value string }

// SetFile stands for the file in problems of values that were set from outside.
const SetFile = "--set"

// Name gives values names: a scalar $name in the rest of the document stands
// for the value of that name.
func (v Value) Name(values map[string]string) { v.d.named = values }

// Setting returns what was set from outside for a field that v would have if it
// were written at length.
func (v Value) Setting(field string) (string, bool) {
	for i, s := range v.d.set {
		if s.Path == join(v.path, field) {
			v.d.used[i] = true
			return s.Value, true
		}
	}
	return "", false
}

// instead returns what stands for n: what was set from outside, or the value of
// the name that n holds.
func (d *decoder) instead(n *yaml.Node, path string) *yaml.Node {
	for i, s := range d.set {
		if s.Path == path && n.Kind == yaml.ScalarNode {
			d.used[i] = true
			n = &yaml.Node{Kind: yaml.ScalarNode, Value: s.Value}
		}
	}
	if n.Kind != yaml.ScalarNode || !strings.HasPrefix(n.Value, "$") || d.named == nil {
		return n
	}
	name := n.Value[1:]
	value, ok := d.named[name]
	if !ok {
		names := slices.Sorted(maps.Keys(d.named))
		help := "name it under parameters"
		if near, ok := nearest.Of(name, names); ok {
			help = fmt.Sprintf("did you mean %q?", "$"+near)
		}
		d.report(n, path, "unknown-parameter", fmt.Sprintf("no parameter %q exists", name), help)
		return n
	}
	return &yaml.Node{Kind: yaml.ScalarNode, Value: value, Line: n.Line, Column: n.Column}
}

// add decodes values from outside for fields that the document leaves out.
func (d *decoder) add(v reflect.Value, fields []string, path string, depth int, seen map[string]int) {
	for i, name := range fields {
		if _, ok := seen[name]; ok {
			continue
		}
		sub := join(path, name)
		for k, s := range d.set {
			switch {
			case s.Path == sub:
				d.used[k] = true
				seen[name] = 0
				d.value(&yaml.Node{Kind: yaml.ScalarNode, Value: s.Value}, v.Field(i), sub, depth+1)
			case strings.HasPrefix(s.Path, sub+".") && !d.used[k]:
				d.inner(v.Field(i), sub, depth+1)
				seen[name] = 0
			}
		}
	}
}

// inner decodes values from outside into a struct that the document leaves out.
func (d *decoder) inner(v reflect.Value, path string, depth int) {
	if v.Kind() == reflect.Pointer {
		v.Set(reflect.New(v.Type().Elem()))
		v = v.Elem()
	}
	if v.Kind() == reflect.Struct && !v.Addr().Type().Implements(textUnmarshaler) {
		d.mapping(&yaml.Node{Kind: yaml.MappingNode}, v, path, depth)
	}
}

// unused reports the values from outside that no field took.
func (d *decoder) unused() {
	for i, s := range d.set {
		if d.used[i] {
			continue
		}
		help := "write part.field=value with a field of the file"
		if near, ok := d.meant(s.Path); ok {
			help = fmt.Sprintf("did you mean %q?", near)
		}
		d.report(&yaml.Node{}, s.Path, "unknown-field", "no such field exists", help)
	}
}

// meant returns the path that is nearest to one that leads to no field: among
// those that stand beside it, or else with its first word that is not there
// replaced.
func (d *decoder) meant(path string) (string, bool) {
	words := strings.Split(path, ".")
	parent := strings.Join(words[:max(len(words)-1, 1)], ".")
	if near, ok := nearest.Of(path, d.below(parent)); ok {
		return near, true
	}
	for k := len(words) - 1; k > 0; k-- {
		parent := strings.Join(words[:k], ".")
		var there []string
		for _, one := range d.below(parent) {
			word, _, _ := strings.Cut(one[len(parent)+1:], ".")
			there = append(there, word)
		}
		if len(there) > 0 {
			near, ok := nearest.Of(words[k], slices.Compact(there))
			words[k] = near
			return strings.Join(words, "."), ok
		}
	}
	return "", false
}

// below returns the paths of the fields that stand under a path.
func (d *decoder) below(path string) []string {
	var paths []string
	for _, f := range d.doc.fields {
		if strings.HasPrefix(f.path, path+".") {
			paths = append(paths, f.path)
		}
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}
