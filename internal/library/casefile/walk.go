package casefile

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// Code is one use of a vocabulary term in a case.
type Code struct {
	Path string // field that holds it, for example causes[0].code
	List string // vocabulary list
	ID   string // id of the term
}

// Codes returns all codes of the case in the order of its fields.
func (c *Case) Codes() []Code {
	var codes []Code
	add := func(list, id, path string, index ...any) {
		if id != "" {
			codes = append(codes, Code{fmt.Sprintf(path, index...), list, id})
		}
	}
	for i, id := range c.Impact.Kinds {
		add("impact", id, "impact.kinds[%d]", i)
	}
	add("data-loss", c.Impact.DataLoss, "impact.data_loss")
	for i, id := range c.Tags {
		add("tag", id, "tags[%d]", i)
	}
	for i, id := range c.Symptoms.Codes {
		add("symptom", id, "symptoms.codes[%d]", i)
	}
	if c.Trigger != nil {
		add("trigger", c.Trigger.Kind, "trigger.kind")
	}
	for i, cause := range c.Causes {
		add("cause", cause.Code, "causes[%d].code", i)
	}
	for i, m := range c.Mechanisms {
		add("mechanism", m.Code, "mechanisms[%d].code", i)
	}
	for i, m := range c.Components {
		add("component", m.Code, "components[%d].code", i)
	}
	if c.Detection != nil {
		add("detection", c.Detection.How, "detection.how")
	}
	for i, a := range c.Actions {
		add("remedy", a.Kind, "actions[%d].kind", i)
		add("effect", a.Effect, "actions[%d].effect", i)
	}
	for i, f := range c.Followups {
		add("remedy", f.Kind, "followups[%d].kind", i)
		add("aim", f.Aim, "followups[%d].aim", i)
		add("followup-status", f.Status, "followups[%d].status", i)
	}
	for i, s := range c.Sources {
		add("source-kind", s.Kind, "sources[%d].kind", i)
	}
	for i, r := range c.Related {
		add("relation", r.Relation, "related[%d].relation", i)
	}
	return codes
}

// Terms returns the ids of the case's terms by list, each once, in the order
// of its fields.
func (c *Case) Terms() map[string][]string {
	by := map[string][]string{}
	for _, code := range c.Codes() {
		if !slices.Contains(by[code.List], code.ID) {
			by[code.List] = append(by[code.List], code.ID)
		}
	}
	return by
}

// TextAt is one text of a case with the path of its field.
type TextAt struct {
	Path string
	Text
}

// Texts returns all texts of the case in the order of its fields.
func (c *Case) Texts() []TextAt {
	var texts []TextAt
	walk(reflect.ValueOf(c).Elem(), "", func(path string, v reflect.Value) bool {
		t, ok := v.Interface().(Text)
		if ok {
			texts = append(texts, TextAt{path, t})
		}
		return !ok
	})
	return texts
}

// sourceRefs returns the ids of sources that facts name, by path.
func (c *Case) sourceRefs() map[string][]string {
	refs := map[string][]string{}
	walk(reflect.ValueOf(c).Elem(), "", func(path string, v reflect.Value) bool {
		ids, ok := v.Interface().([]string)
		if ok && strings.HasSuffix(path, ".sources") {
			refs[path] = ids
		}
		return !ok
	})
	return refs
}

// walk visits every field that is present, in order, with its path; visit
// tells whether to look inside.
func walk(v reflect.Value, path string, visit func(string, reflect.Value) bool) {
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return
		}
		v = v.Elem()
	}
	if path != "" && (v.IsZero() || !visit(path, v)) {
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			name, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("yaml"), ",")
			if name == "" {
				continue // the inside of a time or a duration
			}
			walk(v.Field(i), strings.TrimPrefix(path+"."+name, "."), visit)
		}
	case reflect.Slice:
		for i := range v.Len() {
			walk(v.Index(i), fmt.Sprintf("%s[%d]", path, i), visit)
		}
	}
}
