package app

import (
	"reflect"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/check/object"
	"github.com/openprecedent/precedent/internal/check/rule"
	"github.com/openprecedent/precedent/internal/library/casefile"
)

// CheckSchema returns the JSON Schema of check files, with the mechanisms of this
// library as the allowed terms, for editors to complete, explain and check them, in
// draft 07. Whether conditions compile, and examples turn out as they say, is left
// to `precedent lint`.
func (a *App) CheckSchema() *jsonschema.Schema {
	d := &systemDescriber{defs: map[string]*jsonschema.Schema{}, named: map[reflect.Type]string{}}
	d.special = d.checkValue
	s := d.structure(reflect.TypeFor[rule.File](), nil)
	s.Schema = "http://json-schema.org/draft-07/schema#"
	s.Title = "Check"
	s.Description = "A state that has led to incidents, as conditions in CEL over objects that are read: a file for precedent check."
	s.AnyOf = []*jsonschema.Schema{{Required: []string{"state"}}, {Required: []string{"exposed"}}}
	s.Properties["mechanisms"].Items = a.mechanisms()
	for _, name := range []string{"applies", "evidence", "examples", "mechanisms"} {
		s.Properties[name].MinItems = jsonschema.Ptr(1)
	}
	kinds := s.Properties["applies"].Items
	kinds.Description = "such as " + rule.Workload + ", " + rule.Cluster + ", Service, HTTPRoute or AWS/DBProxy"
	for _, name := range append([]string{rule.Workload, rule.Cluster}, object.WorkloadKinds()...) {
		kinds.Examples = append(kinds.Examples, name)
	}
	d.defs["evidence"].Properties["case"].Pattern = casefile.IDForm
	s.Definitions = d.defs
	return s
}

// mechanisms describes a term of the list mechanism.
func (a *App) mechanisms() *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "string"}
	l, _ := a.lib.Vocab.List("mechanism")
	var meanings []string
	for i := range l.Terms {
		if l.Terms[i].ReplacedBy == "" {
			s.Enum, meanings = append(s.Enum, l.Terms[i].ID), append(meanings, meaning(&l.Terms[i]))
		}
	}
	s.Extra = map[string]any{"enumDescriptions": meanings}
	return s
}

// checkValue describes the types of check files that are written in a way of their
// own, and returns nil for others.
func (d *systemDescriber) checkValue(t reflect.Type) *jsonschema.Schema {
	name := &jsonschema.Schema{Pattern: `^[a-z_][a-z0-9_]*$`}
	switch t {
	case reflect.TypeFor[bilingual.Text]():
		return &jsonschema.Schema{Type: "object", Required: []string{"en", "ko"}, AdditionalProperties: nothing(), Properties: map[string]*jsonschema.Schema{
			"en": {Type: "string", Description: "in English"}, "ko": {Type: "string", Description: "in Korean"}}}
	case reflect.TypeFor[rule.Parameters]():
		return &jsonschema.Schema{Type: "object", PropertyNames: name, AdditionalProperties: d.reference(reflect.TypeFor[rule.Setting]())}
	case reflect.TypeFor[rule.Lets]():
		return &jsonschema.Schema{Type: "object", PropertyNames: name, AdditionalProperties: &jsonschema.Schema{Type: "string", Description: "an expression in CEL"}}
	case reflect.TypeFor[rule.Outcome]():
		return words(rule.Outcomes())
	case reflect.TypeFor[rule.Severity]():
		return words(rule.SeverityLevels())
	}
	switch t.Kind() {
	case reflect.String:
		return &jsonschema.Schema{Type: "string"}
	case reflect.Float64:
		return &jsonschema.Schema{Type: "number"}
	}
	return nil
}

// words describes one of some words.
func words[T ~string](all []T) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "string"}
	for _, one := range all {
		s.Enum = append(s.Enum, string(one))
	}
	return s
}
