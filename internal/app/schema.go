package app

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/lazyregexp"
	"github.com/openprecedent/precedent/internal/library/casefile"
	"github.com/openprecedent/precedent/internal/library/vocab"
	"github.com/openprecedent/precedent/internal/sim/scenario"
	"github.com/openprecedent/precedent/internal/sim/system"
)

// WireSchema returns the JSON Schema of a wire type. Types in named are
// described by the schemas given there, such as references to them. Other
// fields than the described ones are allowed, since new ones may come at any
// time.
func WireSchema(t reflect.Type, named map[reflect.Type]*jsonschema.Schema) (*jsonschema.Schema, error) {
	types := map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[casefile.Time]():     {Type: "string"},
		reflect.TypeFor[casefile.Duration](): {Type: "string"},
	}
	for t, s := range named {
		types[t] = s
	}
	// The texts of system files are the same on the wire as those of cases.
	text, err := jsonschema.ForType(reflect.TypeFor[bilingual.Text](), &jsonschema.ForOptions{TypeSchemas: named})
	if err != nil {
		return nil, fmt.Errorf("describing texts: %w", err)
	}
	types[reflect.TypeFor[system.Text]()] = text
	// A gap in a line is null.
	types[reflect.TypeFor[scenario.Values]()] = &jsonschema.Schema{Type: "array", Items: &jsonschema.Schema{Types: []string{"number", "null"}}}
	s, err := jsonschema.ForType(t, &jsonschema.ForOptions{TypeSchemas: types})
	if err != nil {
		return nil, fmt.Errorf("describing %s: %w", t, err)
	}
	walkSchema(s, "", func(_ string, s *jsonschema.Schema) {
		dropNull(s)
		if isFalse(s.AdditionalProperties) {
			s.AdditionalProperties = nil
		}
	})
	return s, nil
}

// Patterns of the times of a case file, whose forms package casefile reads by
// hand.
const (
	patternTime = `^\d{4}(-\d\d(-\d\d(T\d\d(:\d\d(:\d\d)?)?(Z|[+-]\d\d:\d\d))?)?)?$`
	patternLong = `^(\d{1,5}d)?(\d{1,5}h)?(\d{1,5}m)?(\d{1,6}s)?$`
)

// CaseSchema returns the JSON Schema of case files, with the terms of this
// library as the allowed codes, for editors to complete and check them. It is
// written in draft 07, which all editors understand.
func (a *App) CaseSchema() (*jsonschema.Schema, error) {
	s, err := jsonschema.For[casefile.Case](&jsonschema.ForOptions{TypeSchemas: map[reflect.Type]*jsonschema.Schema{
		// YAML reads a year that stands alone as a number.
		reflect.TypeFor[casefile.Time]():     {Types: []string{"string", "integer"}, Pattern: patternTime},
		reflect.TypeFor[casefile.Duration](): {Type: "string", Pattern: patternLong},
	}})
	if err != nil {
		return nil, fmt.Errorf("describing the case format: %w", err)
	}
	walkSchema(s, "", func(_ string, s *jsonschema.Schema) { dropNull(s) })
	walkSchema(s, "", a.constrain)
	s.Properties["id"].Pattern = casefile.IDForm
	s.Properties["superseded_by"].Pattern = casefile.IDForm
	s.Properties["org"].Properties["slug"].Pattern = casefile.SlugForm
	s.Schema = "http://json-schema.org/draft-07/schema#"
	s.Title = "Incident case"
	s.Description = "One incident as one file of a precedent library. Every fact rests on a source; what no source says is left out."
	finished := needs(s)
	for _, name := range []string{"causes", "components", "sources"} {
		finished.Properties[name].MinItems = jsonschema.Ptr(1)
	}
	finished.Properties["symptoms"].Properties = map[string]*jsonschema.Schema{"codes": {MinItems: jsonschema.Ptr(1)}}
	walkSchema(s, "", func(_ string, s *jsonschema.Schema) { s.Required = nil })
	s.Required = casefile.DraftFields()
	s.Properties["review"].Required = []string{"status"}
	var draft any = "draft"
	s.If = &jsonschema.Schema{Properties: map[string]*jsonschema.Schema{"state": {Const: &draft}}}
	s.Else = finished
	return s, nil
}

// constrain gives the allowed values to a field: those of its vocabulary list,
// which its description names, or those of a closed set.
func (a *App) constrain(path string, s *jsonschema.Schema) {
	if path == "schema" {
		s.Enum = []any{casefile.SchemaVersion}
	}
	allow := s
	if s.Items != nil && s.Items.Type == "string" {
		allow = s.Items
	}
	for _, value := range casefile.Choices(path) {
		allow.Enum = append(allow.Enum, value)
	}
	m := listNamed.FindStringSubmatch(s.Description)
	if m == nil {
		return
	}
	l, ok := a.lib.Vocab.List(m[1])
	if !ok {
		return
	}
	var meanings []string
	for i := range l.Terms {
		if l.Terms[i].ReplacedBy == "" {
			allow.Enum = append(allow.Enum, l.Terms[i].ID)
			meanings = append(meanings, meaning(&l.Terms[i]))
		}
	}
	allow.Extra = map[string]any{"enumDescriptions": meanings}
}

var listNamed = lazyregexp.New(`vocabulary list ([a-z-]+)`)

func meaning(t *vocab.Term) string {
	return strings.TrimSuffix(fmt.Sprintf("%s (%s): %s", t.Name.En, t.Name.Ko, t.Definition.En), ": ")
}

// needs returns the part of a schema that says which fields must be there, or
// nil where none must.
func needs(s *jsonschema.Schema) *jsonschema.Schema {
	out := &jsonschema.Schema{Required: s.Required}
	for name, field := range s.Properties {
		if n := needs(field); n != nil {
			if out.Properties == nil {
				out.Properties = map[string]*jsonschema.Schema{}
			}
			out.Properties[name] = n
		}
	}
	if s.Items != nil {
		out.Items = needs(s.Items)
	}
	if out.Required == nil && out.Properties == nil && out.Items == nil {
		return nil
	}
	return out
}

// walkSchema calls f for s and all schemas in it, with their paths, such as
// causes[].role.
func walkSchema(s *jsonschema.Schema, path string, f func(path string, s *jsonschema.Schema)) {
	f(path, s)
	for name, field := range s.Properties {
		walkSchema(field, strings.TrimPrefix(path+"."+name, "."), f)
	}
	if s.Items != nil {
		walkSchema(s.Items, path+"[]", f)
	}
	if s.AdditionalProperties != nil && !isFalse(s.AdditionalProperties) {
		walkSchema(s.AdditionalProperties, path+".*", f)
	}
}

// dropNull takes null out of the allowed types: what is not known is absent.
func dropNull(s *jsonschema.Schema) {
	s.Types = slices.DeleteFunc(slices.Clone(s.Types), func(t string) bool { return t == "null" })
	switch len(s.Types) {
	case 0:
		s.Types = nil
	case 1:
		s.Type, s.Types = s.Types[0], nil
	}
}

// isFalse reports whether s allows nothing.
func isFalse(s *jsonschema.Schema) bool {
	return s != nil && s.Not != nil && reflect.ValueOf(*s.Not).IsZero()
}
