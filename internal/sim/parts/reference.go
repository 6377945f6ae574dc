package parts

import (
	"encoding"
	"reflect"
	"strings"
)

// KindDoc describes a kind of part.
type KindDoc struct {
	Name     string     `json:"name"`
	About    string     `json:"about"`
	Source   bool       `json:"source"`   // it makes requests by itself
	Callable bool       `json:"callable"` // others can call it
	Fields   []FieldDoc `json:"fields"`
}

// FieldDoc describes a setting.
type FieldDoc struct {
	Name     string     `json:"name"`
	About    string     `json:"about"`
	Value    string     `json:"value"` // what stands there, in words
	Words    []string   `json:"words,omitempty"`
	Default  string     `json:"default,omitempty"`
	Required bool       `json:"required,omitempty"`
	List     bool       `json:"list,omitempty"`   // of values, or of Fields
	Fields   []FieldDoc `json:"fields,omitempty"` // of a mapping
}

// Reference describes all kinds of parts, from what stands beside their code.
func Reference() []KindDoc {
	var all []KindDoc
	for _, k := range Kinds() {
		all = append(all, KindDoc{
			Name: k.Name, About: k.About, Source: k.Source, Callable: k.Callable,
			Fields: Fields(reflect.TypeOf(k.New()).Elem()),
		})
	}
	return all
}

// worded is implemented by settings that hold one of some words.
type worded interface{ Words() []string }

var (
	wordedType = reflect.TypeFor[worded]()
	textType   = reflect.TypeFor[encoding.TextUnmarshaler]()
)

// units says in words what stands in a field of each type.
var units = map[reflect.Type]string{
	reflect.TypeFor[Duration](): "time, such as 250ms",
	reflect.TypeFor[Rate]():     "rate, such as 100/s",
	reflect.TypeFor[Share]():    "share, such as 20%",
	reflect.TypeFor[Factor]():   "factor, such as 2x",
	reflect.TypeFor[Count]():    "count, such as 16 or 4k",
	reflect.TypeFor[Limit]():    "count, or unlimited",
	reflect.TypeFor[Spread]():   "times, such as 20ms or exp 20ms",
	reflect.TypeFor[Metric]():   "what is read, such as db.queue + db.busy or web.busy / web.workers",
	reflect.TypeFor[Level]():    "number, share, time or rate, such as 60%",
	reflect.TypeFor[Amount]():   "sizes, such as 1 or exp 3",
}

// Fields describes the fields of a struct that is decoded from a file.
func Fields(t reflect.Type) []FieldDoc {
	var all []FieldDoc
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("yaml"), ",")
		if name == "" || name == "-" {
			continue
		}
		d := FieldDoc{Name: name, About: f.Tag.Get("doc"), Default: f.Tag.Get("default"), Required: f.Tag.Get("required") == "true"}
		ft := f.Type
		if ft.Kind() == reflect.Slice {
			d.List, ft = true, ft.Elem()
		}
		if ft.Kind() == reflect.Pointer {
			ft = ft.Elem()
		}
		d.describe(ft)
		all = append(all, d)
	}
	return all
}

// describe says what stands in a field of type t.
func (d *FieldDoc) describe(t reflect.Type) {
	unit, known := units[t]
	switch {
	case known:
		d.Value = unit
	case reflect.PointerTo(t).Implements(wordedType):
		d.Words = reflect.New(t).Interface().(worded).Words()
		d.Value = strings.Join(d.Words, ", ")
	case reflect.PointerTo(t).Implements(textType), t.Kind() == reflect.String:
		d.Value = "text"
	case t.Kind() == reflect.Struct:
		d.Value, d.Fields = "mapping", Fields(t)
	case t.Kind() == reflect.Bool:
		d.Value = "true or false"
	default:
		d.Value = "number"
	}
	if d.Default == "" && d.Fields == nil && !d.Required {
		d.Default = map[string]string{"true or false": "false", "text": ""}[d.Value]
		if known {
			d.Default = "0"
		}
	}
}
