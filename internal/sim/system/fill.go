package system

import (
	"bytes"
	"cmp"
	"encoding"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/openprecedent/precedent/internal/sim/parts"
	"github.com/openprecedent/precedent/internal/strictyaml"
)

// Origin says where the value of a setting comes from.
type Origin string

// The origins of a value.
const (
	FromFile      Origin = "file"
	FromDefault   Origin = "default"
	FromParameter Origin = "parameter"
	FromOutside   Origin = "set" // from the command line
)

// Filled is one setting with the value that it has in the end.
type Filled struct {
	Path      string `json:"path"`
	Value     string `json:"value"` // what is in force, parameters resolved
	Origin    Origin `json:"origin"`
	Parameter string `json:"parameter,omitempty"`
	Source    string `json:"source,omitempty"`  // of the parameter
	Assumed   string `json:"assumed,omitempty"` // why the parameter has this value
	Doc       string `json:"doc,omitempty"`
}

// Fill writes a document of the type that v points to with all that it leaves
// out: as YAML that reads the same, a comment telling where each value comes
// from, and as a list of its settings. The document must be free of errors with
// the values set from outside.
func Fill(src []byte, v any, set []strictyaml.Setting) ([]byte, []Filled, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal(src, &doc); err != nil {
		return nil, nil, fmt.Errorf("filling in the defaults: %w", err)
	}
	f := filler{set: set}
	if p := fieldNode(doc.Content[0], "parameters"); p != nil {
		f.parameters = f.readParameters(p)
	}
	root := f.structure(doc.Content[0], reflect.TypeOf(v).Elem(), "", nil)
	var out bytes.Buffer
	enc := yaml.NewEncoder(&out)
	enc.SetIndent(2)
	if err := enc.Encode(root); err != nil {
		return nil, nil, fmt.Errorf("writing the filled document: %w", err)
	}
	return out.Bytes(), f.all, nil
}

type filler struct {
	set        []strictyaml.Setting
	parameters []Parameter
	all        []Filled
}

func (f *filler) readParameters(n *yaml.Node) []Parameter {
	var all []Parameter
	for i := 0; i+1 < len(n.Content); i += 2 {
		p, value := Parameter{Name: n.Content[i].Value}, n.Content[i+1]
		if value.Kind == yaml.ScalarNode {
			p.Value = value.Value
		} else {
			if at := fieldNode(value, "value"); at != nil {
				p.Value = at.Value
			}
			p.Source, p.Assumed = Plain(english(fieldNode(value, "source"))), Plain(english(fieldNode(value, "assumed")))
		}
		if instead, ok := f.outside("parameters." + p.Name + ".value"); ok {
			p.Value = instead
		}
		all = append(all, p)
	}
	return all
}

// fieldNode returns the value of a field of a mapping, nil if it has none.
func fieldNode(n *yaml.Node, name string) *yaml.Node {
	if n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == name {
			return n.Content[i+1]
		}
	}
	return nil
}

// english returns a text as comments give it.
func english(n *yaml.Node) string {
	if n == nil {
		return ""
	}
	if n.Kind == yaml.ScalarNode {
		return n.Value
	}
	return cmp.Or(english(fieldNode(n, "en")), english(fieldNode(n, "ko")))
}

// outside returns what was set from outside for a path.
func (f *filler) outside(path string) (string, bool) {
	for _, s := range slices.Backward(f.set) {
		if s.Path == path {
			return s.Value, true
		}
	}
	return "", false
}

// inside reports whether something was set from outside under a path.
func (f *filler) inside(path string) bool {
	return slices.ContainsFunc(f.set, func(s strictyaml.Setting) bool { return strings.HasPrefix(s.Path, path+".") })
}

var (
	unmarshaler   = reflect.TypeFor[encoding.TextUnmarshaler]()
	customType    = reflect.TypeFor[strictyaml.Custom]()
	partsType     = reflect.TypeFor[Parts]()
	parameterType = reflect.TypeFor[Parameters]()
)

// structure writes the fields of a struct behind those of first.
func (f *filler) structure(n *yaml.Node, t reflect.Type, path string, first []*yaml.Node) *yaml.Node {
	out := &yaml.Node{Kind: yaml.MappingNode, Content: first}
	for i := range t.NumField() {
		field := t.Field(i)
		name, _, _ := strings.Cut(field.Tag.Get("yaml"), ",")
		if name == "" || name == "-" {
			continue
		}
		sub := name
		if path != "" {
			sub = path + "." + name
		}
		if value := f.value(fieldNode(n, name), field.Type, sub, field.Tag); value != nil {
			out.Content = append(out.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: name}, value)
		}
	}
	return out
}

// value writes the value of a field, nil where there is nothing to write.
func (f *filler) value(n *yaml.Node, t reflect.Type, path string, tag reflect.StructTag) *yaml.Node {
	pointer := t.Kind() == reflect.Pointer
	if pointer {
		t = t.Elem()
	}
	switch {
	case t == partsType:
		return f.mapOf(n, path, f.part)
	case t == parameterType:
		return f.mapOf(n, path, f.parameter)
	case reflect.PointerTo(t).Implements(customType):
		return f.asWritten(n, path)
	case reflect.PointerTo(t).Implements(unmarshaler):
		if _, set := f.outside(path); pointer && n == nil && !set {
			return nil // it says nothing, which is no value
		}
		return f.scalar(n, t, path, tag)
	case t.Kind() == reflect.Struct:
		if n == nil && pointer && !f.inside(path) {
			return nil
		}
		if out := f.structure(n, t, path, nil); n != nil || len(out.Content) > 0 {
			return out
		}
		return nil
	case t.Kind() == reflect.Slice:
		return f.list(n, t.Elem(), path)
	}
	return f.scalar(n, t, path, tag)
}

// mapOf writes a mapping of names to what one writes.
func (f *filler) mapOf(n *yaml.Node, path string, one func(n *yaml.Node, path string) *yaml.Node) *yaml.Node {
	if n == nil {
		return nil
	}
	out := &yaml.Node{Kind: yaml.MappingNode}
	for i := 0; i+1 < len(n.Content); i += 2 {
		name := n.Content[i].Value
		out.Content = append(out.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: name}, one(n.Content[i+1], path+"."+name))
	}
	return out
}

// part writes one part with its kind.
func (f *filler) part(n *yaml.Node, path string) *yaml.Node {
	var first []*yaml.Node
	for _, name := range []string{"kind", "about"} {
		if at := fieldNode(n, name); at != nil {
			first = append(first, &yaml.Node{Kind: yaml.ScalarNode, Value: name}, text(at.Value))
		}
	}
	if at := fieldNode(n, "copies"); at != nil {
		copies := f.scalar(at, reflect.TypeFor[parts.Count](), path+".copies", "")
		first = append(first, &yaml.Node{Kind: yaml.ScalarNode, Value: "copies"}, copies)
	}
	var word string
	if at := fieldNode(n, "kind"); at != nil {
		word = at.Value
	}
	kind, _ := parts.KindNamed(word) // the document is free of errors
	return f.structure(n, reflect.TypeOf(kind.New()).Elem(), path, first)
}

// parameter writes one parameter at length, with its value from outside.
func (f *filler) parameter(n *yaml.Node, path string) *yaml.Node {
	name := strings.TrimPrefix(path, "parameters.")
	i := slices.IndexFunc(f.parameters, func(p Parameter) bool { return p.Name == name })
	p := f.parameters[i]
	value := &yaml.Node{Kind: yaml.ScalarNode, Value: p.Value}
	if _, ok := f.outside(path + ".value"); ok {
		value.LineComment = "# set from outside"
	}
	out := &yaml.Node{Kind: yaml.MappingNode, Content: []*yaml.Node{text("value"), value}}
	for _, field := range []string{"about", "source", "assumed"} {
		if at := fieldNode(n, field); at != nil {
			out.Content = append(out.Content, text(field), f.asWritten(at, path+"."+field))
		}
	}
	return out
}

// asWritten copies a value whose form depends on what it says.
func (f *filler) asWritten(n *yaml.Node, path string) *yaml.Node {
	if n == nil {
		return nil
	}
	out := &yaml.Node{Kind: n.Kind, Value: n.Value, Tag: n.Tag}
	for i, inner := range n.Content {
		switch {
		case n.Kind == yaml.MappingNode && i%2 == 0:
			out.Content = append(out.Content, text(inner.Value))
		case n.Kind == yaml.MappingNode:
			out.Content = append(out.Content, f.asWritten(inner, path+"."+n.Content[i-1].Value))
		default:
			out.Content = append(out.Content, f.asWritten(inner, fmt.Sprintf("%s[%d]", path, i)))
		}
	}
	if n.Kind == yaml.ScalarNode {
		f.note(out, Filled{Path: path, Value: n.Value, Origin: FromFile})
	}
	return out
}

func (f *filler) list(n *yaml.Node, t reflect.Type, path string) *yaml.Node {
	if n == nil {
		return nil
	}
	out := &yaml.Node{Kind: yaml.SequenceNode}
	for i, item := range n.Content {
		out.Content = append(out.Content, f.value(item, t, fmt.Sprintf("%s[%d]", path, i), ""))
	}
	return out
}

// scalar writes a single value: what was set from outside, what the file says,
// or what holds where it says nothing.
func (f *filler) scalar(n *yaml.Node, t reflect.Type, path string, tag reflect.StructTag) *yaml.Node {
	one := Filled{Path: path, Doc: tag.Get("doc")}
	if value, ok := f.outside(path); ok {
		one.Value, one.Origin = value, FromOutside
	} else if n != nil {
		one.Value, one.Origin = n.Value, FromFile
	} else {
		value, ok := unsaid(t, tag)
		if !ok {
			return nil
		}
		one.Value, one.Origin = value, FromDefault
	}
	out := &yaml.Node{Kind: yaml.ScalarNode, Value: one.Value}
	if t.Kind() == reflect.String && !reflect.PointerTo(t).Implements(unmarshaler) {
		out = text(one.Value)
	}
	f.note(out, one)
	return out
}

// unsaid returns what a setting is where the file says nothing about it: its
// default, or the zero value if that can be written.
func unsaid(t reflect.Type, tag reflect.StructTag) (string, bool) {
	if value, ok := tag.Lookup("default"); ok {
		return value, true
	}
	zero := reflect.New(t)
	switch t.Kind() {
	case reflect.Bool:
		return "false", true
	case reflect.Int, reflect.Int64, reflect.Float64:
	default:
		return "", false
	}
	if u, ok := zero.Interface().(encoding.TextUnmarshaler); ok && (u.UnmarshalText([]byte("0")) != nil || !zero.Elem().IsZero()) {
		value := fmt.Sprint(reflect.Zero(t).Interface()) // a rate, with its unit
		return value, u.UnmarshalText([]byte(value)) == nil && zero.Elem().IsZero()
	}
	return "0", true
}

// note lists a setting and says beside it where its value comes from. What the
// file says itself needs no remark.
func (f *filler) note(out *yaml.Node, one Filled) {
	if name, ok := strings.CutPrefix(one.Value, "$"); ok {
		if i := slices.IndexFunc(f.parameters, func(p Parameter) bool { return p.Name == name }); i >= 0 {
			p := f.parameters[i]
			one.Origin, one.Parameter, one.Value = FromParameter, name, p.Value
			one.Source, one.Assumed = p.Source.En, p.Assumed.En
		}
	}
	f.all = append(f.all, one)
	switch {
	case one.Source != "":
		out.LineComment = fmt.Sprintf("# %s, from %s", one.Value, oneLine(one.Source))
	case one.Assumed != "":
		out.LineComment = fmt.Sprintf("# %s, assumed: %s", one.Value, oneLine(one.Assumed))
	case one.Parameter != "":
		out.LineComment = "# " + one.Value
	case one.Origin == FromDefault:
		out.LineComment = "# default"
	case one.Origin == FromOutside:
		out.LineComment = "# set from outside"
	}
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// text is a node that reads as a string, whatever it says.
func text(s string) *yaml.Node { return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: s} }
