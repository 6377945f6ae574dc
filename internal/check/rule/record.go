package rule

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"

	"github.com/openprecedent/precedent/internal/check/object"
)

// record is a value of one of our kinds.
type record struct {
	kind string
	v    any
}

// ConvertToNative implements [ref.Val].
func (r record) ConvertToNative(want reflect.Type) (any, error) {
	if reflect.TypeOf(r.v).AssignableTo(want) {
		return r.v, nil
	}
	return nil, fmt.Errorf("a %s is no %s", r.kind, want)
}

// ConvertToType implements [ref.Val].
func (r record) ConvertToType(want ref.Type) ref.Val {
	switch want.TypeName() {
	case r.kind:
		return r
	case types.TypeType.TypeName():
		return typeOf(r.kind)
	}
	return types.NewErr("a %s is no %s", r.kind, want.TypeName())
}

// recordOf returns the record that a value is: those of a list are pointers.
func recordOf(v any) (record, bool) {
	switch v := v.(type) {
	case *record:
		return *v, true
	case record:
		return v, true
	}
	return record{}, false
}

// Equal implements [ref.Val]: a record equals itself.
func (r record) Equal(other ref.Val) ref.Val {
	o, ok := recordOf(other)
	return types.Bool(ok && o.kind == r.kind && reflect.TypeOf(r.v).Comparable() && o.v == r.v)
}

// Type implements [ref.Val].
func (r record) Type() ref.Type { return typeOf(r.kind) }

// Value implements [ref.Val].
func (r record) Value() any { return r.v }

// provider knows our kinds beside those of CEL.
type provider struct {
	*types.Registry
	kinds map[string]kind
}

func newProvider() (*provider, error) {
	registry, err := types.NewRegistry()
	if err != nil {
		return nil, err
	}
	p := &provider{registry, map[string]kind{}}
	for _, k := range kinds() {
		p.kinds[k.name] = k
	}
	return p, nil
}

// NativeToValue implements [types.Adapter].
func (p *provider) NativeToValue(v any) ref.Val {
	switch v.(type) {
	case *object.Packed, []any, map[string]any:
		return plainValues{}.NativeToValue(v)
	}
	return p.Registry.NativeToValue(v)
}

// FindStructType implements [types.Provider].
func (p *provider) FindStructType(name string) (*types.Type, bool) {
	if _, ok := p.kinds[name]; ok {
		return types.NewTypeTypeWithParam(typeOf(name)), true
	}
	return p.Registry.FindStructType(name)
}

// FindStructFieldNames implements [types.Provider].
func (p *provider) FindStructFieldNames(name string) ([]string, bool) {
	k, ok := p.kinds[name]
	if !ok {
		return p.Registry.FindStructFieldNames(name)
	}
	var names []string
	for _, f := range k.fields {
		names = append(names, f.name)
	}
	return names, true
}

// FindStructFieldType implements [types.Provider].
func (p *provider) FindStructFieldType(name, wanted string) (*types.FieldType, bool) {
	k, ok := p.kinds[name]
	if !ok {
		return p.Registry.FindStructFieldType(name, wanted)
	}
	at := slices.IndexFunc(k.fields, func(f field) bool { return f.name == wanted })
	if at < 0 {
		return nil, false
	}
	f := k.fields[at]
	return &types.FieldType{
		Type:  f.gives,
		IsSet: func(any) bool { return true },
		GetFrom: func(v any) (any, error) {
			if r, ok := recordOf(v); ok {
				v = r.v
			}
			return f.get(v)
		},
	}, true
}
