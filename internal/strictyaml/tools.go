package strictyaml

import (
	"reflect"
	"sync"
)

// tools are what decoding one document leaves for the next: the memory of the
// nodes, which is most of what reading takes and which nobody wants once they
// are decoded, and what is known of the types.
type tools struct {
	plain   plainReader
	structs map[reflect.Type]*structType
}

// spareTools are those that no document uses now.
var spareTools = sync.Pool{New: func() any { return &tools{structs: map[reflect.Type]*structType{}} }}

func (t *tools) release() {
	t.plain.release()
	spareTools.Put(t)
}

// A structType is what decoding needs to know of a struct.
type structType struct {
	names    []string // of its fields, by index
	required []requiredField
	defaults bool // it has fields with defaults
}

// A requiredField has the tag required.
type requiredField struct{ name, doc string }

func (t *tools) structOf(typ reflect.Type) *structType {
	known, ok := t.structs[typ]
	if ok {
		return known
	}
	known = &structType{names: Fields(typ), defaults: hasDefaults(typ)}
	for i, name := range known.names {
		if tag := typ.Field(i).Tag; tag.Get("required") == "true" {
			known.required = append(known.required, requiredField{name, tag.Get("doc")})
		}
	}
	t.structs[typ] = known
	return known
}
