package rule

import (
	"reflect"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"

	"github.com/openprecedent/precedent/internal/check/object"
)

// fieldsValue returns fields as what CEL knows how to look into.
func fieldsValue(f object.Fields) any {
	if t, ok := f.(object.Tree); ok {
		return map[string]any(t)
	}
	return f
}

// plainValues makes values of CEL of what fields hold.
type plainValues struct{}

// NativeToValue implements [types.Adapter].
func (a plainValues) NativeToValue(v any) ref.Val {
	switch v := v.(type) {
	case ref.Val:
		return v
	case *object.Packed:
		return packed{v}
	case []any:
		return types.NewDynamicList(a, v)
	case map[string]any:
		return types.NewStringInterfaceMap(a, v)
	}
	return types.DefaultTypeAdapter.NativeToValue(v)
}

// packed is a map of CEL with packed fields. It implements [traits.Mapper]. It holds
// nothing but a pointer, so that no memory is needed to make one.
type packed struct{ *object.Packed }

// plain returns the same as CEL's own map, for what is seldom asked for.
func (p packed) plain() ref.Val {
	return types.NewStringInterfaceMap(plainValues{}, p.Tree())
}

// ConvertToNative implements [ref.Val].
func (p packed) ConvertToNative(want reflect.Type) (any, error) {
	return p.plain().ConvertToNative(want)
}

// ConvertToType implements [ref.Val].
func (p packed) ConvertToType(want ref.Type) ref.Val {
	if want == types.MapType {
		return p
	}
	return p.plain().ConvertToType(want)
}

// Equal implements [ref.Val].
func (p packed) Equal(other ref.Val) ref.Val {
	if o, ok := other.(packed); ok && o.Packed == p.Packed {
		return types.True
	}
	return p.plain().Equal(other)
}

// Type implements [ref.Val].
func (p packed) Type() ref.Type { return types.MapType }

// Value implements [ref.Val].
func (p packed) Value() any { return p.Packed }

// Contains implements [traits.Container].
func (p packed) Contains(name ref.Val) ref.Val {
	_, found := p.Find(name)
	return types.Bool(found)
}

// Find implements [traits.Mapper].
func (p packed) Find(name ref.Val) (ref.Val, bool) {
	s, ok := name.(types.String)
	if !ok {
		return nil, false
	}
	v := p.Field(string(s))
	if v == nil {
		return nil, false
	}
	return plainValues{}.NativeToValue(v), true
}

// Get implements [traits.Indexer].
func (p packed) Get(name ref.Val) ref.Val {
	if v, ok := p.Find(name); ok {
		return v
	}
	return types.NewErr("no such key: %v", name)
}

// Iterator implements [traits.Iterable].
func (p packed) Iterator() traits.Iterator {
	names := make([]string, 0, p.Len())
	for name := range p.All() {
		names = append(names, name)
	}
	return types.NewStringList(plainValues{}, names).Iterator()
}

// Size implements [traits.Sizer].
func (p packed) Size() ref.Val { return types.Int(p.Len()) }
