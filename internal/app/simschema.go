package app

import (
	"encoding"
	"fmt"
	"reflect"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/openprecedent/precedent/internal/sim/parts"
	"github.com/openprecedent/precedent/internal/sim/scenario"
	"github.com/openprecedent/precedent/internal/sim/system"
	"github.com/openprecedent/precedent/internal/strictyaml"
)

// The forms of values in system files. Where a value may be a plain number, the
// pattern holds for what YAML reads as text.
const (
	formName   = `[A-Za-z][A-Za-z0-9_-]{0,63}`
	formNumber = `([0-9][0-9_]*\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?`
	formSpan   = `(0|([0-9]*\.?[0-9]+(ns|us|µs|ms|s|m|h))+|[0-9]*\.?[0-9]+d)`
	formRate   = formNumber + `[kM]?\s*/\s*(s|sec|min|m|h|d)`
	formSeries = `[^\s+*/]+\.[^\s+*/]+(\s*\+\s*[^\s+*/]+\.[^\s+*/]+)*`
)

// form is how the values of a type are written.
type form struct {
	pattern string // of text, without the ends
	number  bool   // a plain number may stand too
	most    *float64
	example string
}

// forms are those of the types that have a unit.
func forms() map[reflect.Type]form {
	one, nothing := 1.0, 0.0
	spread := func(value string) string {
		return strings.ReplaceAll(`V|exp\s+V|uniform\s+V\s+V|erlang\s+[0-9]+\s+V|lognormal\s+V\s+p99\s+V|pareto\s+V\s+alpha\s+`+formNumber, "V", value)
	}
	turn := formNumber + `\s*(%|x|[kM])?|` + formRate + `|` + formSpan
	return map[reflect.Type]form{
		reflect.TypeFor[parts.Duration]():  {formSpan, true, &nothing, "250ms, 7s, 5m, 2h or 1d"},
		reflect.TypeFor[parts.Rate]():      {formRate, false, nil, "100/s, 4k/s or 6000/min"},
		reflect.TypeFor[parts.Share]():     {formNumber + `\s*%`, true, &one, "21% or 0.21"},
		reflect.TypeFor[parts.Factor]():    {formNumber + `\s*x?\s*%?`, true, nil, "1.5, 5x or 150%"},
		reflect.TypeFor[parts.Count]():     {formNumber + `[kM]?`, true, nil, "16, 3_360 or 4k"},
		reflect.TypeFor[parts.Limit]():     {formNumber + `[kM]?|unlimited`, true, nil, "100 or unlimited"},
		reflect.TypeFor[parts.Spread]():    {spread(formSpan), true, &nothing, "20ms, exp 20ms or lognormal 20ms p99 200ms"},
		reflect.TypeFor[parts.Amount]():    {spread(formNumber), true, nil, "1, exp 3 or uniform 1 5"},
		reflect.TypeFor[parts.Metric]():    {formSeries + `(\s*/\s*` + formSeries + `)?`, false, nil, "db.queue + db.busy or web.busy / web.workers"},
		reflect.TypeFor[parts.Level]():     {formNumber + `\s*%?|` + formRate + `|` + formSpan, true, nil, "60%, 250ms or 100/s"},
		reflect.TypeFor[scenario.Moment](): {`(T[-+])?` + formSpan, true, &nothing, "90s, 5m or T+5m"},
		reflect.TypeFor[scenario.Clock]():  {`\d{4}-\d\d-\d\dT\d\d:\d\d(Z|[-+]\d\d:\d\d)`, false, nil, "2015-09-20T02:19-07:00"},
		reflect.TypeFor[turned]():          {turn, true, nil, "20%, 3x, 100/s, 250ms or 5"},
	}
}

// turned is the value that a knob gets, which has no type of its own.
type turned struct{}

// SystemSchema returns the JSON Schema of system and scenario files, for editors
// to complete, explain and check them, in draft 07, which all of them
// understand. What needs more than a look at one value (names of parts, knobs,
// units of parameters) is left to `precedent explain`.
func SystemSchema() *jsonschema.Schema {
	d := &systemDescriber{forms: forms(), defs: map[string]*jsonschema.Schema{}, named: map[reflect.Type]string{}}
	s := d.structure(reflect.TypeFor[scenario.File](), nil)
	s.Schema = "http://json-schema.org/draft-07/schema#"
	s.Title = "System"
	s.Description = "Services and what flows between them, what is done to them, and what might help: a file for precedent run, judge, stress, remedies, map and explain."
	s.Definitions = d.defs
	return s
}

// systemDescriber describes the types of system files.
type systemDescriber struct {
	special func(t reflect.Type) *jsonschema.Schema // of types that another format adds; may be nil
	forms   map[reflect.Type]form
	defs    map[string]*jsonschema.Schema
	named   map[reflect.Type]string // definitions by the type that they describe
}

var (
	wordsType = reflect.TypeFor[interface{ Words() []string }]()
	textType  = reflect.TypeFor[encoding.TextUnmarshaler]()

	customType = reflect.TypeFor[strictyaml.Custom]()
)

// anything is a single value of any form.
func anything() *jsonschema.Schema {
	return &jsonschema.Schema{Types: []string{"string", "number", "boolean"}}
}

// structure describes a mapping with fixed fields; more names fields that it has
// beside those of the type.
func (d *systemDescriber) structure(t reflect.Type, more map[string]*jsonschema.Schema) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{}, AdditionalProperties: nothing()}
	for name, field := range more {
		s.Properties[name] = field
	}
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("yaml"), ",")
		if name == "" || name == "-" {
			continue
		}
		field := d.value(f.Type)
		field.Description = described(f.Tag, field.Description)
		s.Properties[name] = field
		s.PropertyOrder = append(s.PropertyOrder, name)
		if f.Tag.Get("required") == "true" {
			s.Required = append(s.Required, name)
		}
	}
	return s
}

// described joins what a tag says of a field with the form of its values.
func described(tag reflect.StructTag, form string) string {
	var all []string
	for _, one := range []string{tag.Get("doc"), form} {
		if one != "" {
			all = append(all, one)
		}
	}
	if def := tag.Get("default"); def != "" {
		all = append(all, "default "+def)
	}
	return strings.Join(all, "; ")
}

// value describes what may stand for a type.
func (d *systemDescriber) value(t reflect.Type) *jsonschema.Schema {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if d.special != nil {
		if s := d.special(t); s != nil {
			return s
		}
	}
	switch t {
	case reflect.TypeFor[system.Parameters]():
		return d.mapping(d.parameter())
	case reflect.TypeFor[system.Parts]():
		return d.mapping(d.part())
	case reflect.TypeFor[scenario.Turns]():
		return &jsonschema.Schema{Type: "object", AdditionalProperties: d.formed(reflect.TypeFor[turned]())}
	case reflect.TypeFor[scenario.Settings]():
		return &jsonschema.Schema{Type: "object", AdditionalProperties: anything()}
	case reflect.TypeFor[scenario.Text]():
		return &jsonschema.Schema{Types: []string{"string", "object"}, AdditionalProperties: nothing(), Properties: map[string]*jsonschema.Schema{
			"en": {Type: "string", Description: "in English"}, "ko": {Type: "string", Description: "in Korean"}}}
	}
	_, formed := d.forms[t]
	switch {
	case formed:
		return d.formed(t)
	case reflect.PointerTo(t).Implements(customType):
		return &jsonschema.Schema{} // read in its own way, which nobody has described yet
	case reflect.PointerTo(t).Implements(wordsType):
		s := &jsonschema.Schema{Type: "string"}
		for _, w := range reflect.New(t).Interface().(interface{ Words() []string }).Words() {
			s.Enum = append(s.Enum, w)
		}
		return orParameter(s)
	case reflect.PointerTo(t).Implements(textType):
		return anything()
	}
	switch t.Kind() {
	case reflect.Slice:
		return &jsonschema.Schema{Type: "array", Items: d.value(t.Elem())}
	case reflect.Struct:
		return d.reference(t)
	case reflect.Bool:
		return &jsonschema.Schema{Types: []string{"boolean", "string"}, Pattern: `^\$` + formName + `$`}
	case reflect.String:
		return anything()
	}
	return &jsonschema.Schema{Types: []string{"number", "string"}, Pattern: `^(-?` + formNumber + `|\$` + formName + `)$`}
}

// orParameter lets the name of a parameter stand where one of some words may.
func orParameter(s *jsonschema.Schema) *jsonschema.Schema {
	return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{s, {Type: "string", Pattern: `^\$` + formName + `$`}}}
}

// formed describes the values of a type that has a form.
func (d *systemDescriber) formed(t reflect.Type) *jsonschema.Schema {
	f := d.forms[t]
	s := &jsonschema.Schema{Type: "string", Pattern: `^\s*(` + f.pattern + `|\$` + formName + `)\s*$`, Description: "such as " + f.example}
	if f.number {
		s.Type, s.Types = "", []string{"string", "number"}
		s.Minimum, s.Maximum = jsonschema.Ptr(0.0), f.most
	}
	return s
}

// mapping describes a mapping of names to what is given.
func (d *systemDescriber) mapping(of *jsonschema.Schema) *jsonschema.Schema {
	return &jsonschema.Schema{Type: "object", PropertyNames: &jsonschema.Schema{Pattern: `^` + formName + `$`}, AdditionalProperties: of}
}

// parameter describes a value that stands alone or with its origin.
func (d *systemDescriber) parameter() *jsonschema.Schema {
	s := d.structure(reflect.TypeFor[system.Parameter](), nil)
	s.Type, s.Types = "", []string{"string", "number", "boolean", "object"}
	return s
}

// reference describes a mapping once, and refers to it.
func (d *systemDescriber) reference(t reflect.Type) *jsonschema.Schema {
	name, ok := d.named[t]
	if !ok {
		name = strings.ToLower(t.Name())
		for n := 2; d.defs[name] != nil; n++ {
			name = fmt.Sprintf("%s-%d", strings.ToLower(t.Name()), n)
		}
		d.named[t] = name
		d.defs[name] = &jsonschema.Schema{} // holds the name while it is described
		d.defs[name] = d.structure(t, nil)
	}
	return &jsonschema.Schema{AllOf: []*jsonschema.Schema{{Ref: "#/definitions/" + name}}}
}

// part describes a part: its kind chooses the settings that it may have.
func (d *systemDescriber) part() *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "object", Required: []string{"kind"}, Properties: map[string]*jsonschema.Schema{}}
	kind := &jsonschema.Schema{Type: "string", Description: "what the part is"}
	var meanings []string
	for _, k := range parts.Kinds() {
		kind.Enum = append(kind.Enum, k.Name)
		meanings = append(meanings, k.About)
		copies := d.formed(reflect.TypeFor[parts.Count]())
		copies.Description = "how many of it there are, each by itself; default 1"
		config := d.structure(reflect.TypeOf(k.New()).Elem(), map[string]*jsonschema.Schema{
			"kind": {}, "about": {Type: "string", Description: "what it stands for"}, "copies": copies,
		})
		config.Description = k.About
		name := "kind-" + k.Name
		d.defs[name] = config
		var is any = k.Name
		s.AllOf = append(s.AllOf, &jsonschema.Schema{
			If:   &jsonschema.Schema{Properties: map[string]*jsonschema.Schema{"kind": {Const: &is}}, Required: []string{"kind"}},
			Then: &jsonschema.Schema{Ref: "#/definitions/" + name},
		})
	}
	kind.Extra = map[string]any{"enumDescriptions": meanings}
	s.Properties["kind"] = kind
	return s
}

// nothing is the schema that allows nothing.
func nothing() *jsonschema.Schema { return &jsonschema.Schema{Not: &jsonschema.Schema{}} }
