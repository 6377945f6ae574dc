package mcp

import (
	"encoding"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/library/casefile"
)

// inputSchema returns the JSON Schema of a tool's arguments. It is written by
// hand, with the shortest form that all clients understand: definitions are
// part of every conversation.
func inputSchema(params []param) json.RawMessage {
	var properties, required []string
	for _, p := range params {
		properties = append(properties, quote(p.name)+":"+p.schema())
		if p.required {
			required = append(required, quote(p.name))
		}
	}
	s := `{"type":"object","properties":{` + strings.Join(properties, ",") + `}`
	if len(required) > 0 {
		s += `,"required":[` + strings.Join(required, ",") + `]`
	}
	return json.RawMessage(s + `,"additionalProperties":false}`)
}

func (p param) schema() string {
	doc := ""
	if p.doc != "" {
		doc = `,"description":` + quote(p.doc)
	}
	choice := ""
	if p.enum != nil {
		var values []string
		for _, v := range p.enum {
			values = append(values, quote(v))
		}
		choice = `,"enum":[` + strings.Join(values, ",") + `]`
	}
	switch p.kind {
	case number:
		return fmt.Sprintf(`{"type":"integer","minimum":%d,"maximum":%d%s}`, p.min, p.max, doc)
	case words:
		return `{"type":"array","items":{"type":"string"` + choice + `}` + doc + `}`
	}
	return `{"type":"string"` + choice + doc + `}`
}

func quote(s string) string {
	raw, err := marshal(s)
	if err != nil {
		panic(err) // strings can always be written
	}
	return string(raw)
}

// outputSchema returns the JSON Schema of structured content: the fields of
// the answer and, with a depth of two, of the entries of its lists. What lies
// deeper is left open, and other fields are allowed everywhere, since new ones
// may come at any time.
func outputSchema(t reflect.Type, depth int) json.RawMessage {
	s := fields(t, depth)
	return json.RawMessage(s[:len(s)-len("}}")] + `,"note":{"type":"string"}}}`)
}

var recordType = reflect.TypeFor[casefile.Case]()

// textual are the types that are strings in JSON.
var textual = reflect.TypeFor[encoding.TextMarshaler]()

func fields(t reflect.Type, depth int) string {
	var parts []string
	eachField(t, func(name string, f reflect.StructField) {
		parts = append(parts, quote(name)+":"+schemaOf(f.Type, depth))
	})
	return `{"type":"object","properties":{` + strings.Join(parts, ",") + `}}`
}

// eachField calls f for the fields that a struct has in JSON, but for those of
// the case record that no section shows.
func eachField(t reflect.Type, f func(name string, field reflect.StructField)) {
	for i := range t.NumField() {
		field := t.Field(i)
		tag := field.Tag.Get("json")
		name, _, _ := strings.Cut(tag, ",")
		switch {
		case name == "-" || !field.IsExported() || t == recordType && !sectioned(name):
		case field.Anonymous && name == "":
			inner := field.Type
			if inner.Kind() == reflect.Pointer {
				inner = inner.Elem()
			}
			eachField(inner, f)
		case name == "":
			f(field.Name, field)
		default:
			f(name, field)
		}
	}
}

func schemaOf(t reflect.Type, depth int) string {
	switch t.Kind() {
	case reflect.Pointer:
		return schemaOf(t.Elem(), depth)
	case reflect.String:
		return `{"type":"string"}`
	case reflect.Bool:
		return `{"type":"boolean"}`
	case reflect.Int, reflect.Int64:
		return `{"type":"integer"}`
	case reflect.Float64:
		return `{"type":"number"}`
	case reflect.Slice:
		if depth <= 1 {
			return `{"type":"array"}`
		}
		return `{"type":"array","items":` + schemaOf(t.Elem(), depth) + `}`
	case reflect.Struct:
		if t.Implements(textual) {
			return `{"type":"string"}`
		}
		if depth <= 1 || t == textType {
			return `{"type":"object"}`
		}
		return fields(t, depth-1)
	}
	return `{"type":"object"}`
}

// listsOf names the lists of filters, for descriptions.
func listsOf() string { return strings.Join(app.FilterLists(), ", ") }
