package api

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/library/casefile"
	vocabulary "github.com/openprecedent/precedent/internal/library/vocab"
	"github.com/openprecedent/precedent/internal/sim/des"
	"github.com/openprecedent/precedent/internal/sim/scenario"
	"github.com/openprecedent/precedent/internal/sim/study"
	"github.com/openprecedent/precedent/internal/sim/system"
	"github.com/openprecedent/precedent/internal/sim/verdict"
	"github.com/openprecedent/precedent/internal/strictyaml"
)

// object is a JSON object of the OpenAPI document.
type object = map[string]any

// components are the wire types that the document names. Each may refer to
// the others.
func components() map[string]reflect.Type {
	return map[string]reflect.Type{
		"Case": reflect.TypeFor[app.Case](), "Brief": reflect.TypeFor[app.Brief](), "Measured": reflect.TypeFor[app.Measured](),
		"Event": reflect.TypeFor[app.Event](), "SearchResult": reflect.TypeFor[app.SearchResult](), "Hit": reflect.TypeFor[app.Hit](),
		"Facet": reflect.TypeFor[app.Facet](), "Passage": reflect.TypeFor[app.Passage](), "ActionText": reflect.TypeFor[app.ActionText](),
		"SimilarResult": reflect.TypeFor[app.SimilarResult](), "SimilarCase": reflect.TypeFor[app.SimilarOne](),
		"Topic": reflect.TypeFor[app.Topic](), "TopicIndex": reflect.TypeFor[app.TopicIndex](), "TopicRemedy": reflect.TypeFor[app.Remedy](),
		"TopicList": reflect.TypeFor[app.TopicsOfOne](), "TopicCount": reflect.TypeFor[app.TopicCount](), "Occurrence": reflect.TypeFor[app.Occurrence](),
		"TermRef": reflect.TypeFor[app.TermRef](), "Vocab": reflect.TypeFor[app.Vocab](), "VocabList": reflect.TypeFor[app.VocabList](), "VocabTerm": reflect.TypeFor[app.VocabTerm](),
		"Replay": reflect.TypeFor[app.Replay](), "Scenario": reflect.TypeFor[app.Scenario](), "ScenarioIndex": reflect.TypeFor[app.ScenarioIndex](), "ScenarioPhase": reflect.TypeFor[app.ScenarioPhase](),
		"VariantRef": reflect.TypeFor[app.VariantRef](), "Slider": reflect.TypeFor[app.Slider](), "HomeMeasure": reflect.TypeFor[app.HomeMeasure](), "GivenValue": reflect.TypeFor[app.GivenValue](),
		"Check": reflect.TypeFor[app.CheckPage](), "CheckIndex": reflect.TypeFor[app.CheckIndex](), "CheckRef": reflect.TypeFor[app.CheckRef](),
		"CheckLink": reflect.TypeFor[app.CheckLink](), "CheckEvidence": reflect.TypeFor[app.CheckCase](), "CheckParameter": reflect.TypeFor[app.CheckParameter](),
		"Guide": reflect.TypeFor[app.Guide](), "GuideIndex": reflect.TypeFor[app.GuideIndex](), "GuideEdge": reflect.TypeFor[app.GuideEdge](), "GuideRemedy": reflect.TypeFor[app.GuideRemedy](),
		"Gain": reflect.TypeFor[app.Gain](), "ComparedBy": reflect.TypeFor[app.ComparedBy](), "EdgeFound": reflect.TypeFor[study.EdgeFound](), "Figures": reflect.TypeFor[scenario.Figures](),
		"Stats": reflect.TypeFor[app.Stats](), "Text": reflect.TypeFor[bilingual.Text](), "Org": reflect.TypeFor[casefile.Org](),
		"Source": reflect.TypeFor[casefile.Source](), "Instant": reflect.TypeFor[casefile.Instant](), "Term": reflect.TypeFor[vocabulary.Term](),
		"Problem": reflect.TypeFor[Problem](), "ProblemKind": reflect.TypeFor[ProblemKind](), "ProblemIndex": reflect.TypeFor[ProblemIndex](),
		"Run": reflect.TypeFor[app.Job](), "RunQuestion": reflect.TypeFor[study.Question](), "RunAnswer": reflect.TypeFor[study.Answer](), "Mark": reflect.TypeFor[study.Mark](),
		"RunSetting": reflect.TypeFor[study.Setting](), "SimulatedRun": reflect.TypeFor[study.Run](), "Goodput": reflect.TypeFor[scenario.Goodput](), "Series": reflect.TypeFor[des.Series](), "Judgment": reflect.TypeFor[study.Judgment](), "Bound": reflect.TypeFor[system.Bound](),
		"Baseline": reflect.TypeFor[verdict.Baseline](), "Trial": reflect.TypeFor[verdict.Trial](), "Trigger": reflect.TypeFor[verdict.Trigger](), "Interval": reflect.TypeFor[verdict.Interval](),
		"Edge": reflect.TypeFor[verdict.Edge](), "FrontierPoint": reflect.TypeFor[verdict.Point](), "RunRemedies": reflect.TypeFor[study.Remedies](), "TriedRemedy": reflect.TypeFor[verdict.Tried](),
		"Exploration": reflect.TypeFor[study.Exploration](), "Invariant": reflect.TypeFor[study.Invariant](), "TakenStep": reflect.TypeFor[study.TakenStep](),
		"PhaseMap": reflect.TypeFor[study.PhaseMap](), "Axis": reflect.TypeFor[verdict.Axis](), "Explanation": reflect.TypeFor[study.Explanation](),
		"PartLoad": reflect.TypeFor[study.PartLoad](), "CallLoad": reflect.TypeFor[study.CallLoad](), "FilledSetting": reflect.TypeFor[system.Filled](),
		"ParameterValue": reflect.TypeFor[study.ParameterValue](),
		"Finding":        reflect.TypeFor[strictyaml.Problem](),
	}
}

// componentSchemas returns the schemas of the components.
func componentSchemas() (map[string]*jsonschema.Schema, error) {
	types := components()
	refs := map[reflect.Type]*jsonschema.Schema{}
	for name, t := range types {
		refs[t] = &jsonschema.Schema{Ref: "#/components/schemas/" + name}
	}
	out := map[string]*jsonschema.Schema{}
	for name, t := range types {
		others := map[reflect.Type]*jsonschema.Schema{}
		for other, ref := range refs {
			if other != t && !embeds(t, other) {
				others[other] = ref
			}
		}
		s, err := app.WireSchema(t, others)
		if err != nil {
			return nil, err
		}
		out[name] = s
	}
	return out, nil
}

// embeds reports whether t takes the fields of other for its own.
func embeds(t, other reflect.Type) bool {
	for i := range t.NumField() {
		if f := t.Field(i); f.Anonymous && (f.Type == other || f.Type == reflect.PointerTo(other)) {
			return true
		}
	}
	return false
}

// openAPI describes the API in OpenAPI 3.1.
func openAPI(s *site) ([]byte, error) {
	schemas, err := componentSchemas()
	if err != nil {
		return nil, err
	}
	b := &describer{site: s, words: examples(s.app), paths: object{}}
	for _, op := range s.ops {
		b.operation(op)
	}
	for _, op := range runOperations() {
		b.run(op)
	}
	for _, d := range s.docs {
		b.document(d)
	}
	raw, err := json.Marshal(ordered{
		{"openapi", "3.1.0"},
		{"info", object{
			"title": "precedent", "version": fmt.Sprintf("1.%d", app.WireVersion),
			"summary":     "An incident library: published outages as structured cases",
			"description": introduction(),
			"license":     object{"name": "Code: Apache-2.0. Public library: CC-BY-4.0", "url": "https://creativecommons.org/licenses/by/4.0/"},
		}},
		{"servers", []object{{"url": s.base}}},
		{"security", []object{}},
		{"externalDocs", object{"url": s.base + "/docs/api", "description": "The reference"}},
		{"tags", []object{
			{"name": "library", "description": "Questions and answers. Every path below " + Root + " is also the data of a page of the site."},
			{"name": "simulations", "description": "What would happen: a system file is run, judged, stressed, or tried with remedies"},
			{"name": "files", "description": "Files at fixed addresses"},
		}},
		{"paths", b.paths},
		{"components", object{"schemas": schemas, "responses": problemResponses(), "headers": sharedHeaders()}},
	})
	return append(raw, '\n'), err
}

func introduction() string {
	var parts []string
	for _, c := range chapters {
		parts = append(parts, "## "+c.title.En, c.text.En)
	}
	return strings.Join(parts, "\n\n")
}

// describer collects the paths of the document.
type describer struct {
	*site
	words map[string]string
	paths object
}

func (b *describer) operation(op *operation) {
	content := object{"application/json": object{
		"schema": object{"$ref": "#/components/schemas/" + componentName(op.answer)}, "examples": b.examples(op),
	}}
	if len(op.formats()) > 1 {
		content["text/markdown"] = object{"schema": object{"type": "string"}}
	}
	responses := object{
		"200": object{"description": op.doc.En, "headers": headerRefs("ETag", "Cache-Control", "Link", "Vary"), "content": content},
		"304": object{"description": "The client has this answer already", "headers": headerRefs("ETag")},
	}
	statuses := []string{"400", "405", "406", "413", "414", "421", "429", "500", "503"}
	if slices.ContainsFunc(op.params, func(p *param) bool { return p.in == "path" }) {
		statuses = append(statuses, "404")
		if strings.HasPrefix(op.path, "/cases/") {
			statuses = append(statuses, "410")
		}
		responses["307"] = object{"description": "The thing has another address", "headers": headerRefs("Location")}
		responses["308"] = object{"description": "The thing has another address for good", "headers": headerRefs("Location")}
	}
	if op.id == "findTopic" {
		delete(responses, "200")
		delete(responses, "304")
		delete(responses, "308")
	}
	for _, status := range statuses {
		responses[status] = object{"$ref": "#/components/responses/" + status}
	}
	get := object{
		"operationId": op.id, "summary": op.doc.En, "tags": []string{"library"}, "responses": responses,
		"parameters": b.parameters(op),
	}
	if op.more.En != "" {
		get["description"] = op.more.En
	}
	b.paths[Root+op.path] = object{"get": get}
}

// examples points at the real answers; they are too long to repeat.
func (b *describer) examples(op *operation) object {
	all := object{}
	for i, target := range op.targets(b.words) {
		all[fmt.Sprintf("example%d", i+1)] = object{"summary": "GET " + target, "externalValue": b.base + target}
	}
	return all
}

func (b *describer) parameters(op *operation) []object {
	list := []object{}
	for _, p := range op.params {
		schema := object{"type": "string"}
		switch p.kind {
		case kindInteger:
			schema = object{"type": "integer", "minimum": p.min, "maximum": p.max}
		case kindFlag:
			schema = object{"type": "boolean"}
		case kindChoice:
			schema["enum"] = p.allowed
		case kindList:
			items := object{"type": "string"}
			if p.allowed != nil {
				items["enum"] = p.allowed
			}
			schema = object{"type": "array", "items": items, "maxItems": maxValues}
		}
		if p.def != nil {
			schema["default"] = p.def
		}
		one := object{"name": p.name, "in": p.in, "description": p.doc.En, "required": p.in == "path", "schema": schema}
		if p.kind == kindList {
			// Commas are understood as well; the generated clients need one form.
			one["style"], one["explode"] = "form", true
		}
		if v := p.exampleValue(b.words); v != nil {
			one["example"] = v
		}
		list = append(list, one)
	}
	return list
}

// exampleValue returns the example of a parameter in the type of its schema.
func (p *param) exampleValue(words map[string]string) any {
	example := fill(p.example, words)
	switch {
	case example == "" || placeholder.MatchString(example):
		return nil
	case p.kind == kindList:
		return strings.Split(example, ",")
	case p.kind == kindInteger || p.kind == kindFlag:
		return json.RawMessage(example)
	}
	return example
}

func (b *describer) document(d *document) {
	mediaType, _, _ := strings.Cut(d.mediaType, ";")
	schema := object{"type": "string"}
	switch {
	case strings.HasSuffix(mediaType, "json"):
		schema = object{"type": "object"}
	case mediaType == "application/zip":
		schema = object{}
	}
	responses := object{
		"200": object{"description": d.doc.En, "headers": headerRefs("ETag", "Cache-Control", "Vary"), "content": object{mediaType: object{"schema": schema}}},
		"304": object{"description": "The client has this file already", "headers": headerRefs("ETag")},
	}
	for _, status := range []string{"400", "405", "413", "414", "421", "429", "500", "503"} {
		responses[status] = object{"$ref": "#/components/responses/" + status}
	}
	b.paths[d.path] = object{"get": object{"operationId": d.id, "summary": d.doc.En, "tags": []string{"files"}, "responses": responses}}
	if d.korean {
		b.paths["/ko"+d.path] = object{"get": object{"operationId": d.id + "Korean", "summary": d.doc.En + ", in Korean", "tags": []string{"files"}, "responses": responses}}
	}
}

func componentName(t reflect.Type) string {
	for name, other := range components() {
		if other == t {
			return name
		}
	}
	panic("api: no component for " + t.String()) // a mistake in the table
}

// problemResponses are the error answers by status.
func problemResponses() object {
	all := object{}
	for _, k := range problemKinds {
		if all[fmt.Sprint(k.status)] != nil {
			continue
		}
		one := object{
			"description": k.title.En + ". " + k.doc.En,
			"content": object{"application/problem+json": object{
				"schema":  object{"$ref": "#/components/schemas/Problem"},
				"example": problem(bilingual.English, k.status, bilingual.Text{}, bilingual.Text{}),
			}},
		}
		switch k.status {
		case 405:
			one["headers"] = headerRefs("Allow")
		case 429, 503:
			one["headers"] = headerRefs("Retry-After")
		}
		all[fmt.Sprint(k.status)] = one
	}
	return all
}

func headerRefs(names ...string) object {
	all := object{}
	for _, n := range names {
		all[n] = object{"$ref": "#/components/headers/" + n}
	}
	return all
}

func sharedHeaders() object {
	one := func(description string) object {
		return object{"description": description, "schema": object{"type": "string"}}
	}
	return object{
		"Allow":         one("The methods that there are"),
		"Cache-Control": one("How long the answer may be used without asking"),
		"ETag":          one("Strong; changes with any byte, and differs by format and encoding"),
		"Link":          one("The next page, the other formats and the other language"),
		"Location":      one("Where the thing is"),
		"Retry-After":   one("Seconds to wait"),
		"Vary":          one("The request headers that the choice of this answer depended on"),
	}
}

// ordered is an object whose members keep their order.
type ordered []member

type member struct {
	name  string
	value any
}

// MarshalJSON implements [json.Marshaler].
func (o ordered) MarshalJSON() ([]byte, error) {
	var b strings.Builder
	for i, m := range o {
		value, err := json.Marshal(m.value)
		if err != nil {
			return nil, err
		}
		b.WriteString(string("{,"[min(i, 1)]) + `"` + m.name + `":` + string(value))
	}
	return []byte(b.String() + "}"), nil
}
