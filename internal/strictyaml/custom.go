package strictyaml

import (
	"fmt"
	"reflect"

	"go.yaml.in/yaml/v3"
)

// Custom is implemented by types whose shape depends on what the document
// says: a mapping whose keys are names, or one whose fields depend on its kind.
type Custom interface {
	DecodeYAML(v Value)
}

var customType = reflect.TypeFor[Custom]()

// Value is a value of a document that a [Custom] type decodes.
type Value struct {
	d     *decoder
	n     *yaml.Node
	path  string
	depth int
}

// Path returns the path of the value, for example parts.db.workers.
func (v Value) Path() string { return v.path }

// IsMapping reports whether the value has fields.
func (v Value) IsMapping() bool { return v.n.Kind == yaml.MappingNode }

// Field is a field of a [Value] that is a mapping.
type Field struct {
	Name  string
	Value Value
	key   *yaml.Node
}

// Fields returns the fields of a mapping in the order of the document, without
// those that stand a second time. Whatever else v holds is reported as not
// being what was wanted.
func (v Value) Fields(want string) []Field {
	if v.n.Kind != yaml.MappingNode {
		v.d.kind(v.n, v.path, want)
		return nil
	}
	var fields []Field
	seen := map[string]int{}
	for i := 0; i+1 < len(v.n.Content); i += 2 {
		key, val := v.n.Content[i], v.n.Content[i+1]
		sub := join(v.path, key.Value)
		if key.Kind != yaml.ScalarNode || key.Value == "" {
			v.d.report(key, v.path, "wrong-kind", "a key is not a name", "write a name")
			continue
		}
		if line, again := seen[key.Value]; again {
			v.d.report(key, sub, "repeated-field", fmt.Sprintf("stands a second time, first on line %d", line), "keep one")
			continue
		}
		seen[key.Value] = key.Line
		v.d.at(key, sub)
		fields = append(fields, Field{key.Value, Value{v.d, val, sub, v.depth + 1}, key})
	}
	return fields
}

// Members returns the members of a list. Whatever else v holds is reported.
func (v Value) Members() []Value {
	if v.n.Kind != yaml.SequenceNode {
		v.d.kind(v.n, v.path, "a list")
		return nil
	}
	var all []Value
	for i, one := range v.n.Content {
		path := fmt.Sprintf("%s[%d]", v.path, i)
		v.d.at(one, path)
		all = append(all, Value{v.d, one, path, v.depth + 1})
	}
	return all
}

// Scalar returns the text of a single value, and reports false for others.
func (v Value) Scalar() (string, bool) {
	return v.n.Value, v.n.Kind == yaml.ScalarNode
}

// Into decodes the value strictly into what dst points to.
func (v Value) Into(dst any) {
	v.d.value(v.n, reflect.ValueOf(dst).Elem(), v.path, v.depth)
}

// Struct decodes the value strictly into the struct that dst points to. The
// fields named first belong to the caller and may stand there too.
func (v Value) Struct(dst any, besides ...string) {
	v.d.at(v.n, v.path)
	v.d.mapping(v.n, reflect.ValueOf(dst).Elem(), v.path, v.depth, besides...)
}

// Problem reports that something is wrong with the value.
func (v Value) Problem(rule, msg, help string) { v.d.report(v.n, v.path, rule, msg, help) }

// defaults gives the fields of a struct, and of the structs in it, the values of
// their default tags. It panics when a field cannot hold its own default.
func defaults(v reflect.Value) {
	t := v.Type()
	for i := range t.NumField() {
		field := t.Field(i)
		if !field.IsExported() {
			continue
		}
		text, ok := field.Tag.Lookup("default")
		if !ok {
			if f := v.Field(i); f.Kind() == reflect.Struct && !f.Addr().Type().Implements(textUnmarshaler) {
				defaults(f)
			}
			continue
		}
		d := newDecoder("default", 0)
		d.value(&yaml.Node{Kind: yaml.ScalarNode, Value: text}, v.Field(i), field.Name, 0)
		if len(d.problems) > 0 {
			panic(fmt.Sprintf("strictyaml: the default of %s.%s: %s", t, field.Name, d.problems[0].Msg))
		}
	}
}

// hasDefaults reports whether a struct, or one in it, has fields with defaults.
func hasDefaults(t reflect.Type) bool {
	for i := range t.NumField() {
		field := t.Field(i)
		if _, ok := field.Tag.Lookup("default"); ok {
			return true
		}
		if field.IsExported() && field.Type.Kind() == reflect.Struct &&
			!reflect.PointerTo(field.Type).Implements(textUnmarshaler) && hasDefaults(field.Type) {
			return true
		}
	}
	return false
}

// missing reports the fields with the tag required that a mapping lacks.
func (d *decoder) missing(n *yaml.Node, known *structType, path string, seen map[string]int) {
	for _, one := range known.required {
		if _, ok := seen[one.name]; !ok {
			help := "write it"
			if one.doc != "" {
				help += ": " + one.doc
			}
			d.report(n, join(path, one.name), "missing", "the field is missing", help)
		}
	}
}
