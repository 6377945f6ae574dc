package object

import (
	"fmt"
	"iter"
	"slices"
	"strings"
)

// Packed is fields in little memory: the values alone, beside a list of their names
// that all have in common whose fields have the same names. It is never changed, so
// that parts that are equal in many objects may be one.
type Packed struct {
	names  []string // in order
	values []any
}

// Packer makes [Packed] fields. It is for one goroutine at a time.
type Packer struct {
	names map[string][]string // by their names, joined
	key   []byte
	order []int
}

// NewPacker returns a packer that knows no names yet.
func NewPacker() *Packer { return &Packer{names: map[string][]string{}} }

// Pack returns fields of some names, each with the value of the same index. It keeps
// neither list.
func (p *Packer) Pack(names []string, values []any) *Packed {
	p.order, p.key = p.order[:0], p.key[:0]
	for i := range names {
		p.order = append(p.order, i)
	}
	slices.SortFunc(p.order, func(a, b int) int { return strings.Compare(names[a], names[b]) })
	packed := &Packed{values: make([]any, len(values))}
	for i, from := range p.order {
		packed.values[i] = values[from]
		p.key = append(append(p.key, names[from]...), 0)
	}
	known, ok := p.names[string(p.key)]
	if !ok {
		for _, from := range p.order {
			known = append(known, names[from])
		}
		p.names[string(p.key)] = known
	}
	packed.names = known
	return packed
}

// Field returns what stands in a field, nil where nothing does.
func (p *Packed) Field(name string) any {
	for i, one := range p.names {
		if one == name {
			return p.values[i]
		}
	}
	return nil
}

// With returns the same fields but for the value of one that is among them.
func (p *Packed) With(name string, v any) *Packed {
	with := &Packed{p.names, slices.Clone(p.values)}
	if at := slices.Index(p.names, name); at >= 0 {
		with.values[at] = v
	}
	return with
}

// At implements [Fields].
func (p *Packed) At(path ...string) any { return at(p, path) }

// Sub implements [Fields].
func (p *Packed) Sub(path ...string) Fields { return FieldsOf(p.At(path...)) }

// List implements [Fields].
func (p *Packed) List(path ...string) []any { return asList(p.At(path...)) }

// Trees implements [Fields].
func (p *Packed) Trees(path ...string) []Fields { return asTrees(p.At(path...)) }

// Text implements [Fields].
func (p *Packed) Text(path ...string) string { return asText(p.At(path...)) }

// Whole implements [Fields].
func (p *Packed) Whole(or int64, path ...string) int64 { return asWhole(p.At(path...), or) }

// Texts implements [Fields].
func (p *Packed) Texts(path ...string) map[string]string { return asTexts(p.At(path...)) }

// Lookup implements [Fields].
func (p *Packed) Lookup(path string) any { return lookup(p, path) }

// Len implements [Fields].
func (p *Packed) Len() int { return len(p.names) }

// All implements [Fields]; it yields the fields in the order of their names.
func (p *Packed) All() iter.Seq2[string, any] {
	return func(yield func(string, any) bool) {
		for i, name := range p.names {
			if !yield(name, p.values[i]) {
				return
			}
		}
	}
}

// Tree returns the same fields as a map.
func (p *Packed) Tree() Tree {
	return unpacked(p).(map[string]any)
}

// String writes the fields as a map is written.
func (p *Packed) String() string { return fmt.Sprint(map[string]any(p.Tree())) }

// unpacked returns a value with maps in the place of packed fields.
func unpacked(v any) any {
	switch v := v.(type) {
	case *Packed:
		t := make(map[string]any, len(v.names))
		for name, one := range v.All() {
			t[name] = unpacked(one)
		}
		return t
	case []any:
		l := make([]any, len(v))
		for i, one := range v {
			l[i] = unpacked(one)
		}
		return l
	}
	return v
}
