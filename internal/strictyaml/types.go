package strictyaml

import "reflect"

// A structType is what decoding needs to know of a struct.
type structType struct {
	names    []string // of its fields, by index
	required []requiredField
	defaults bool // it has fields with defaults
}

// A requiredField has the tag required.
type requiredField struct{ name, doc string }

// structOf returns what is known of a type; a document has many structs of few
// types.
func (d *decoder) structOf(typ reflect.Type) *structType {
	known, ok := d.structs[typ]
	if ok {
		return known
	}
	known = &structType{names: Fields(typ), defaults: hasDefaults(typ)}
	for i, name := range known.names {
		if tag := typ.Field(i).Tag; tag.Get("required") == "true" {
			known.required = append(known.required, requiredField{name, tag.Get("doc")})
		}
	}
	d.structs[typ] = known
	return known
}
