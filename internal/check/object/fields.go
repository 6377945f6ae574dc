package object

import (
	"iter"
	"strconv"
	"strings"
)

// Fields are the fields of an object, or of a part of one. Values are fields again,
// lists, text, int64, float64 and bool. What somebody wrote is a [Tree]; of a
// cluster, which has many objects, it is [Packed].
type Fields interface {
	// At returns what stands at a path, nil where nothing does.
	At(path ...string) any
	// Sub returns the fields at a path, which may be none.
	Sub(path ...string) Fields
	// List returns the list at a path, which may be empty.
	List(path ...string) []any
	// Trees returns the members of the list at a path that are fields.
	Trees(path ...string) []Fields
	// Text returns the text at a path, which may be empty.
	Text(path ...string) string
	// Whole returns the whole number at a path, or another one where none stands.
	Whole(or int64, path ...string) int64
	// Texts returns the texts of the mapping at a path, such as labels.
	Texts(path ...string) map[string]string
	// Lookup returns what stands at a path such as spec.containers[0].image, nil
	// where nothing does.
	Lookup(path string) any
	// Len returns how many fields there are, and All yields them, in no order.
	Len() int
	All() iter.Seq2[string, any]
}

// Tree is the fields of an object as a map, in which those of its parts are maps too.
type Tree map[string]any

// At implements [Fields].
func (t Tree) At(path ...string) any { return at(map[string]any(t), path) }

// Sub implements [Fields].
func (t Tree) Sub(path ...string) Fields { return FieldsOf(t.At(path...)) }

// List implements [Fields].
func (t Tree) List(path ...string) []any { return asList(t.At(path...)) }

// Trees implements [Fields].
func (t Tree) Trees(path ...string) []Fields { return asTrees(t.At(path...)) }

// Text implements [Fields].
func (t Tree) Text(path ...string) string { return asText(t.At(path...)) }

// Whole implements [Fields].
func (t Tree) Whole(or int64, path ...string) int64 { return asWhole(t.At(path...), or) }

// Texts implements [Fields].
func (t Tree) Texts(path ...string) map[string]string { return asTexts(t.At(path...)) }

// Lookup implements [Fields].
func (t Tree) Lookup(path string) any { return lookup(map[string]any(t), path) }

// Len implements [Fields].
func (t Tree) Len() int { return len(t) }

// All implements [Fields].
func (t Tree) All() iter.Seq2[string, any] {
	return func(yield func(string, any) bool) {
		for name, v := range t {
			if !yield(name, v) {
				return
			}
		}
	}
}

// FieldsOf returns the fields that a value is, or none.
func FieldsOf(v any) Fields {
	f, _ := asFields(v)
	return f
}

func asFields(v any) (Fields, bool) {
	switch v := v.(type) {
	case map[string]any:
		return Tree(v), true
	case *Packed:
		return v, true
	}
	return Tree(nil), false
}

// step returns what stands in a field of a value.
func step(v any, name string) any {
	switch v := v.(type) {
	case map[string]any:
		return v[name]
	case *Packed:
		return v.Field(name)
	}
	return nil
}

func at(v any, path []string) any {
	for _, name := range path {
		v = step(v, name)
	}
	return v
}

func lookup(v any, path string) any {
	for _, name := range Steps(path) {
		l, isList := v.([]any)
		if !isList {
			v = step(v, name)
			continue
		}
		index, inList := strings.CutPrefix(name, "[")
		i, err := strconv.Atoi(index)
		if !inList || err != nil || i < 0 || i >= len(l) {
			return nil
		}
		v = l[i]
	}
	return v
}

func asList(v any) []any {
	l, _ := v.([]any)
	return l
}

func asTrees(v any) []Fields {
	var all []Fields
	for _, one := range asList(v) {
		if f, ok := asFields(one); ok {
			all = append(all, f)
		}
	}
	return all
}

func asText(v any) string {
	s, _ := v.(string)
	return s
}

func asWhole(v any, or int64) int64 {
	switch n := v.(type) {
	case int64:
		return n
	case float64:
		if n == float64(int64(n)) {
			return int64(n)
		}
	}
	return or
}

func asTexts(v any) map[string]string {
	f := FieldsOf(v)
	if f.Len() == 0 {
		return nil
	}
	all := make(map[string]string, f.Len())
	for k, v := range f.All() {
		if s, ok := v.(string); ok {
			all[k] = s
		}
	}
	return all
}

// Join returns the path of a field in a field.
func Join(path ...string) string { return strings.Join(path, ".") }
