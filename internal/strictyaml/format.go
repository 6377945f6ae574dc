package strictyaml

import (
	"bytes"
	"cmp"
	"reflect"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// lineWidth is the line length, in columns, that [Format] keeps where it can. A
// Hangul syllable takes two columns.
const lineWidth = 100

// Format returns the canonical formatting of src, a document of the type that
// v points to: fields in the order of the struct, two spaces a level, short
// mappings and lists on one line, long prose folded. Comments stay with the
// field they stand at. Values are not changed, except that long lines of
// multi-line prose are broken at a space. src must be free of syntax problems.
func Format(file string, src []byte, v any) ([]byte, Problems) {
	// The reader attaches a comment to a field by the lines around it, so a
	// comment may settle only once the fields stand in their order.
	for range 4 {
		once, problems := format(file, src, reflect.TypeOf(v).Elem())
		if problems != nil {
			return nil, problems
		}
		if bytes.Equal(once, src) {
			break
		}
		src = once
	}
	return src, nil
}

func format(file string, src []byte, t reflect.Type) ([]byte, Problems) {
	d := newDecoder(file, len(src))
	root := d.parse(src)
	if root != nil {
		d.value(root, reflect.New(t).Elem(), "", 0)
	}
	for _, p := range d.problems {
		switch p.Rule {
		case "syntax", "too-large", "too-deep", "no-alias", "repeated-field", "wrong-kind", "hidden-character":
			return nil, d.problems
		}
	}
	f := formatter{}
	head, foot := documentComments(d.top, root)
	f.comment(head, 0)
	if len(root.Content) == 0 {
		f.out.WriteString("{}\n")
	}
	f.mapping(root, t, 0)
	f.comment(foot, 0)
	return f.out.Bytes(), nil
}

// documentComments returns the comments before and after all fields.
func documentComments(doc, root *yaml.Node) (head, foot string) {
	return cmp.Or(doc.HeadComment, root.HeadComment), cmp.Or(doc.FootComment, root.FootComment)
}

type formatter struct{ out bytes.Buffer }

func (f *formatter) indent(level int) { f.out.WriteString(strings.Repeat("  ", level)) }

func (f *formatter) comment(text string, level int) {
	if text == "" {
		return
	}
	for line := range strings.SplitSeq(text, "\n") {
		if line != "" {
			f.indent(level)
		}
		f.out.WriteString(line + "\n")
	}
}

type field struct {
	key, value *yaml.Node
	typ        reflect.Type
	order      int
	kept       bool // text of several lines keeps them
}

// Keyed is implemented by types whose fields are named by the document. Member
// returns a value of the type that each of them has.
type Keyed interface{ Member() any }

var keyedType = reflect.TypeFor[Keyed]()

// fieldsOf returns the fields of a mapping in the order of the struct;
// unknown ones come last, in their own order.
func fieldsOf(n *yaml.Node, t reflect.Type) []field {
	var names []string
	var member reflect.Type
	if t.Implements(keyedType) {
		member = reflect.TypeOf(reflect.Zero(t).Interface().(Keyed).Member())
	} else {
		names = Fields(t)
	}
	var fields []field
	for i := 0; i+1 < len(n.Content); i += 2 {
		one := field{key: n.Content[i], value: n.Content[i+1], order: len(names), typ: member, kept: member != nil}
		if at := slices.Index(names, one.key.Value); at >= 0 {
			one.order, one.typ = at, elem(t.Field(at).Type)
			one.kept = t.Field(at).Tag.Get("lines") == "kept"
		}
		fields = append(fields, one)
	}
	slices.SortStableFunc(fields, func(a, b field) int { return cmp.Compare(a.order, b.order) })
	return fields
}

func elem(t reflect.Type) reflect.Type {
	if t.Kind() == reflect.Pointer {
		return t.Elem()
	}
	return t
}

func (f *formatter) mapping(n *yaml.Node, t reflect.Type, level int) {
	for i, one := range fieldsOf(n, structOf(t)) {
		if i > 0 || level == 0 {
			f.comment(one.key.HeadComment, level)
			f.indent(level)
		}
		f.out.WriteString(one.key.Value + ":")
		if one.kept && keepable(one.value) {
			f.keep(one.value, level+1, lineComment(one))
			continue
		}
		f.entry(one.value, one.typ, level, len(one.key.Value)+1+2*level, lineComment(one))
		f.comment(one.key.FootComment, level)
		f.comment(one.value.FootComment, level)
	}
}

// keepable reports whether text stands in a block whose lines can be kept.
func keepable(n *yaml.Node) bool {
	text := strings.TrimSuffix(n.Value, "\n")
	return n.Style&yaml.LiteralStyle != 0 && blockable(text)
}

// keep writes text of several lines as they are.
func (f *formatter) keep(n *yaml.Node, level int, comment string) {
	text, ends := strings.CutSuffix(n.Value, "\n")
	f.out.WriteString(" |")
	if !ends {
		f.out.WriteString("-")
	}
	if comment != "" {
		f.out.WriteString(" " + comment)
	}
	f.out.WriteString("\n")
	for line := range strings.SplitSeq(text, "\n") {
		if line != "" {
			f.indent(level)
		}
		f.out.WriteString(line + "\n")
	}
}

func lineComment(one field) string {
	return cmp.Or(one.value.LineComment, one.key.LineComment)
}

// entry writes the value behind a colon or a dash that ends in column col.
func (f *formatter) entry(n *yaml.Node, t reflect.Type, level, col int, comment string) {
	if comment != "" {
		comment = " " + comment
	}
	if line, ok := flow(n, t); ok && !hasComments(n) && col+1+columns(line)+columns(comment) <= lineWidth {
		f.out.WriteString(" " + line + comment + "\n")
		return
	}
	switch n.Kind {
	case yaml.MappingNode:
		f.out.WriteString(comment + "\n")
		f.comment(firstComment(n, t), level+1)
		f.indent(level + 1)
		f.mapping(n, t, level+1)
	case yaml.SequenceNode:
		f.out.WriteString(comment + "\n")
		if _, ok := flow(n, t); ok && !hasComments(n) {
			f.fill(scalars(n, t), level+1)
			return
		}
		f.sequence(n, t, level+1)
	default:
		f.out.WriteString(" ")
		f.block(n, t, level+1, col+1, comment)
	}
}

// fill writes a list of scalars that is too long for one line over several.
func (f *formatter) fill(items []string, level int) {
	f.indent(level)
	col := 2 * level
	for i, item := range items {
		if i == 0 {
			item = "[" + item
		}
		if i+1 < len(items) {
			item += ", "
		} else {
			item += "]"
		}
		if w := columns(strings.TrimSpace(item)); col+w > lineWidth && col > 2*level {
			f.out.Truncate(f.out.Len() - 1) // the space behind the comma
			f.out.WriteString("\n")
			f.indent(level)
			f.out.WriteString(" ")
			col = 2*level + 1
		}
		f.out.WriteString(item)
		col += columns(item)
	}
	f.out.WriteString("\n")
}

// firstComment is the comment above a mapping's first key, which the loop of
// mapping leaves to its caller, since a dash may stand before that key.
func firstComment(n *yaml.Node, t reflect.Type) string {
	fields := fieldsOf(n, structOf(t))
	if len(fields) == 0 {
		return ""
	}
	return fields[0].key.HeadComment
}

func (f *formatter) sequence(n *yaml.Node, t reflect.Type, level int) {
	var item reflect.Type
	if t != nil && t.Kind() == reflect.Slice {
		item = elem(t.Elem())
	}
	for _, one := range n.Content {
		f.comment(one.HeadComment, level)
		if one.Kind == yaml.MappingNode {
			f.comment(firstComment(one, item), level)
		}
		f.indent(level)
		f.out.WriteString("-")
		line, ok := flow(one, item)
		if one.Kind == yaml.MappingNode && (!ok || hasComments(one) || 2*level+2+columns(line) > lineWidth) {
			f.out.WriteString(" ")
			f.mapping(one, item, level+1)
		} else {
			f.entry(one, item, level, 2*level+1, one.LineComment)
		}
		f.comment(one.FootComment, level)
	}
}

// hasComments reports whether a comment stands inside n, which then cannot be
// written on one line.
func hasComments(n *yaml.Node) bool {
	return slices.ContainsFunc(n.Content, func(c *yaml.Node) bool {
		return c.HeadComment != "" || c.LineComment != "" || c.FootComment != "" || hasComments(c)
	})
}

// flow returns n on one line, and whether it may stand so: scalars, and
// mappings and lists that hold scalars only. Prose that would need quotes is
// better off on lines of its own.
func flow(n *yaml.Node, t reflect.Type) (string, bool) {
	switch n.Kind {
	case yaml.ScalarNode:
		return scalar(n, t, false)
	case yaml.MappingNode:
		var parts []string
		for _, one := range fieldsOf(n, structOf(t)) {
			s, ok := scalar(one.value, one.typ, true)
			if !ok || one.value.Kind != yaml.ScalarNode || prose(one.value) && s[0] == '"' {
				return "", false
			}
			parts = append(parts, one.key.Value+": "+s)
		}
		return "{" + strings.Join(parts, ", ") + "}", true
	case yaml.SequenceNode:
		parts := scalars(n, t)
		return "[" + strings.Join(parts, ", ") + "]", len(parts) == len(n.Content)
	}
	return "", false
}

// scalars returns the items of a list, up to the first that may not stand on
// one line.
func scalars(n *yaml.Node, t reflect.Type) []string {
	var item reflect.Type
	if t != nil && t.Kind() == reflect.Slice {
		item = elem(t.Elem())
	}
	var parts []string
	for _, one := range n.Content {
		s, ok := scalar(one, item, true)
		if !ok || one.Kind != yaml.ScalarNode {
			break
		}
		parts = append(parts, s)
	}
	return parts
}

// structOf is t where its fields are known, and a struct without fields elsewhere.
func structOf(t reflect.Type) reflect.Type {
	if t != nil && t.Implements(keyedType) {
		return t
	}
	if t == nil || t.Kind() != reflect.Struct {
		return reflect.TypeFor[struct{}]()
	}
	return t
}

func prose(n *yaml.Node) bool { return strings.Contains(n.Value, " ") }
