package strictyaml

import (
	"encoding"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/openprecedent/precedent/internal/nearest"
)

var textUnmarshaler = reflect.TypeFor[encoding.TextUnmarshaler]()

// value decodes a node of any kind into v, or reports why it cannot.
func (d *decoder) value(n *yaml.Node, v reflect.Value, path string, depth int) {
	if n.Line > 0 {
		d.at(n, path)
	}
	n = d.instead(n, path)
	switch {
	case depth > maxDepth:
		d.report(n, path, "too-deep", "nested too deeply", fmt.Sprintf("keep it under %d levels", maxDepth))
		return
	case n.Kind == yaml.AliasNode || n.Anchor != "":
		d.report(n, path, "no-alias", "anchors and aliases are not allowed", "write the value out")
		return
	case empty(n) && depth > 0:
		d.report(n, path, "empty", "the value is empty", "leave the field out where it is not known")
		return
	}
	if v.Kind() == reflect.Pointer {
		v.Set(reflect.New(v.Type().Elem()))
		v = v.Elem()
	}
	if v.CanAddr() && v.Addr().Type().Implements(customType) {
		v.Addr().Interface().(Custom).DecodeYAML(Value{d, n, path, depth})
		return
	}
	if v.CanAddr() && v.Addr().Type().Implements(textUnmarshaler) {
		d.text(n, v, path)
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		d.mapping(n, v, path, depth)
	case reflect.Slice:
		d.sequence(n, v, path, depth)
	default:
		d.scalar(n, v, path)
	}
}

// empty reports whether n says nothing: no value, an empty string, or a mapping
// without fields. A list without entries says that there are none.
func empty(n *yaml.Node) bool {
	switch n.Kind {
	case yaml.ScalarNode:
		return n.Value == "" || n.Tag == "!!null" || n.Tag == "" && n.Style == 0 && isNull(n.Value)
	case yaml.MappingNode:
		return len(n.Content) == 0
	}
	return false
}

// isNull reports whether a scalar without quotes stands for no value.
func isNull(s string) bool {
	return s == "~" || s == "null" || s == "Null" || s == "NULL"
}

func (d *decoder) text(n *yaml.Node, v reflect.Value, path string) {
	if n.Kind != yaml.ScalarNode {
		d.kind(n, path, "a single value")
		return
	}
	if err := v.Addr().Interface().(encoding.TextUnmarshaler).UnmarshalText([]byte(n.Value)); err != nil {
		msg, help, _ := strings.Cut(err.Error(), "; ")
		d.report(n, path, "bad-value", msg, help)
	}
}

func (d *decoder) kind(n *yaml.Node, path, want string) {
	kinds := map[yaml.Kind]string{
		yaml.MappingNode: "a mapping", yaml.SequenceNode: "a list", yaml.ScalarNode: "a single value",
	}
	d.report(n, path, "wrong-kind", "holds "+kinds[n.Kind], "write "+want)
}

// mapping decodes the fields of a struct. The fields named besides belong to
// the type that asked for it.
func (d *decoder) mapping(n *yaml.Node, v reflect.Value, path string, depth int, besides ...string) {
	known := d.structOf(v.Type())
	fields := known.names
	if known.defaults {
		defaults(v)
	}
	if n.Kind != yaml.MappingNode {
		d.kind(n, path, "a mapping with the fields "+strings.Join(visible(fields), ", "))
		return
	}
	seen := make(map[string]int, len(n.Content)/2)
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, val := n.Content[i], n.Content[i+1]
		sub := join(path, key.Value)
		index := slices.Index(fields, key.Value)
		if line, again := seen[key.Value]; again {
			d.report(key, sub, "repeated-field", fmt.Sprintf("stands a second time, first on line %d", line), "keep one")
			continue
		}
		seen[key.Value] = key.Line
		if slices.Contains(besides, key.Value) {
			continue
		}
		if key.Kind != yaml.ScalarNode || index < 0 || key.Value == hiddenField {
			d.unknown(key, sub, fields)
			continue
		}
		d.value(val, v.Field(index), sub, depth+1)
	}
	if len(d.set) > 0 {
		d.add(v, fields, path, depth, seen)
	}
	d.missing(n, known, path, seen)
}

// hiddenField is the tag of a field that no document holds.
const hiddenField = "-"

func visible(fields []string) []string {
	return slices.DeleteFunc(slices.Clone(fields), func(f string) bool { return f == hiddenField })
}

func (d *decoder) unknown(key *yaml.Node, path string, fields []string) {
	fields = visible(fields)
	help := nearest.Help(key.Value, fields, "the fields here are "+strings.Join(fields, ", "))
	d.report(key, path, "unknown-field", fmt.Sprintf("no field %q exists here", key.Value), help)
}

func (d *decoder) sequence(n *yaml.Node, v reflect.Value, path string, depth int) {
	if n.Kind != yaml.SequenceNode {
		d.kind(n, path, "a list")
		return
	}
	v.Set(reflect.MakeSlice(v.Type(), len(n.Content), len(n.Content)))
	for i, item := range n.Content {
		d.value(item, v.Index(i), path+"["+strconv.Itoa(i)+"]", depth+1)
	}
}

func (d *decoder) scalar(n *yaml.Node, v reflect.Value, path string) {
	if n.Kind != yaml.ScalarNode {
		d.kind(n, path, "a single value")
		return
	}
	quoted := n.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) != 0
	bad := func(want string) {
		d.report(n, path, "bad-value", fmt.Sprintf("%q is not %s", n.Value, want), "write "+want)
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(n.Value)
		if d.unseen {
			return // it is reported already
		}
		if at, r := hiddenAt(n.Value); at >= 0 { // an escape, since the file itself shows none
			d.report(n, path, "hidden-character", nameOf(r)+" cannot be seen",
				"delete it, or write what is meant in visible characters")
		}
	case reflect.Bool:
		if b, err := strconv.ParseBool(n.Value); err != nil || quoted {
			bad("true or false")
		} else {
			v.SetBool(b)
		}
	case reflect.Int, reflect.Int64:
		if i, err := strconv.ParseInt(n.Value, 10, 64); err != nil || quoted {
			bad("a whole number")
		} else {
			v.SetInt(i)
		}
	case reflect.Float64:
		f, err := strconv.ParseFloat(n.Value, 64)
		if err != nil || quoted || math.IsNaN(f) || math.IsInf(f, 0) {
			bad("a finite number")
		} else {
			v.SetFloat(f)
		}
	default:
		panic(fmt.Sprintf("strictyaml: cannot decode into %s", v.Type()))
	}
}
