package app

import (
	"encoding/json"
	"io/fs"
	"os"
	"path"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"go.yaml.in/yaml/v3"

	"github.com/openprecedent/precedent/internal/library"
	"github.com/openprecedent/precedent/internal/library/casefile"
)

var public = os.DirFS("../../corpus")

func publicApp(t *testing.T) *App {
	t.Helper()
	lib, problems := library.Load(library.Layer{Name: "public", FS: public})
	if lib == nil {
		t.Fatal(problems)
	}
	return New(lib)
}

// asEditor reads YAML as an editor does that follows YAML 1.2: dates are
// strings.
func asEditor(t *testing.T, src []byte) any {
	t.Helper()
	var doc yaml.Node
	if err := yaml.Unmarshal(src, &doc); err != nil {
		t.Fatal(err)
	}
	var strings func(n *yaml.Node)
	strings = func(n *yaml.Node) {
		if n.Tag == "!!timestamp" {
			n.Tag = "!!str"
		}
		for _, c := range n.Content {
			strings(c)
		}
	}
	strings(&doc)
	var v any
	if err := doc.Decode(&v); err != nil {
		t.Fatal(err)
	}
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var out any
	if err := json.Unmarshal(raw, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

func resolved(t *testing.T, a *App) *jsonschema.Resolved {
	t.Helper()
	s, err := a.CaseSchema()
	if err != nil {
		t.Fatal(err)
	}
	raw, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	read := &jsonschema.Schema{}
	if err := json.Unmarshal(raw, read); err != nil {
		t.Fatal(err)
	}
	r, err := read.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestCaseSchemaAcceptsTheCorpus(t *testing.T) {
	schema := resolved(t, publicApp(t))
	names, err := fs.Glob(public, casefile.Dir+"/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		t.Run(path.Base(name), func(t *testing.T) {
			src, err := fs.ReadFile(public, name)
			if err != nil {
				t.Fatal(err)
			}
			if err := schema.Validate(asEditor(t, src)); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestCaseSchemaRefuses(t *testing.T) {
	schema := resolved(t, publicApp(t))
	src, err := fs.ReadFile(public, "cases/IL-0282.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name string
		edit func(c map[string]any)
		ok   bool
	}{
		{"nothing changed", func(map[string]any) {}, true},
		{"unknown field", func(c map[string]any) { c["nonsense"] = 1 }, false},
		{"missing title", func(c map[string]any) { delete(c, "title") }, false},
		{"missing summary", func(c map[string]any) { delete(c, "summary") }, false},
		{"missing summary of a draft", func(c map[string]any) { delete(c, "summary"); c["state"] = "draft" }, true},
		{"draft without review status", func(c map[string]any) { c["state"], c["review"] = "draft", map[string]any{} }, false},
		{"no sources", func(c map[string]any) { c["sources"] = []any{} }, false},
		{"no symptom codes", func(c map[string]any) { c["symptoms"].(map[string]any)["codes"] = []any{} }, false},
		{"unknown tag", func(c map[string]any) { c["tags"] = []any{"nonsense"} }, false},
		{"year alone", func(c map[string]any) { c["date"] = 2015.0 }, true},
		{"clock without zone", func(c map[string]any) { c["date"] = "2015-09-20T02:19" }, false},
		{"bad id", func(c map[string]any) { c["id"] = "il-1" }, false},
		{"action without effect", func(c map[string]any) { delete(c["actions"].([]any)[0].(map[string]any), "effect") }, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := asEditor(t, src).(map[string]any)
			tt.edit(c)
			if err := schema.Validate(c); (err == nil) != tt.ok {
				t.Errorf("got %v, want valid: %t", err, tt.ok)
			}
		})
	}
}

// TestCaseSchemaKnowsTheClosedFields writes nonsense into every field that
// holds a string: what lint calls a bad choice or an unknown term must have
// its allowed values in the schema, and nothing else may.
func TestCaseSchemaKnowsTheClosedFields(t *testing.T) {
	a := publicApp(t)
	s, err := a.CaseSchema()
	if err != nil {
		t.Fatal(err)
	}
	src, err := fs.ReadFile(public, "cases/IL-0282.yaml")
	if err != nil {
		t.Fatal(err)
	}
	walkSchema(s, "", func(at string, field *jsonschema.Schema) {
		if field.Type != "string" {
			return
		}
		c := asEditor(t, src).(map[string]any)
		for _, point := range []string{"detected", "identified", "published"} {
			set(c, []string{"times", point, "at"}, "2015-09-20")
		}
		set(c, strings.Split(strings.ReplaceAll(at, "[]", ".[]"), "."), "nonsense")
		edited, err := yaml.Marshal(c)
		if err != nil {
			t.Fatal(err)
		}
		_, _, problems := casefile.Check("IL-0282.yaml", edited, a.lib.Vocab)
		closed := false
		for _, p := range problems {
			closed = closed || (p.Rule == "bad-choice" || p.Rule == "unknown-term") && strings.Contains(p.Msg, "nonsense")
		}
		if closed != (field.Enum != nil) {
			t.Errorf("%s: lint has a closed set: %t, the schema: %t", at, closed, field.Enum != nil)
		}
		for _, value := range field.Enum[:min(len(field.Enum), 2)] {
			set(c, strings.Split(strings.ReplaceAll(at, "[]", ".[]"), "."), value)
			edited, err := yaml.Marshal(c)
			if err != nil {
				t.Fatal(err)
			}
			_, _, problems := casefile.Check("IL-0282.yaml", edited, a.lib.Vocab)
			for _, p := range problems {
				if p.Rule == "bad-choice" || p.Rule == "unknown-term" {
					t.Errorf("%s: the schema allows %q, lint says %s", at, value, p)
				}
			}
		}
	})
}

// set writes value at a path; [] is the first element of a list.
func set(v map[string]any, at []string, value any) {
	switch {
	case len(at) == 1:
		v[at[0]] = value
	case at[1] == "[]" && len(at) == 2:
		v[at[0]] = []any{value}
	case at[1] == "[]":
		one := map[string]any{}
		if list, ok := v[at[0]].([]any); ok && len(list) > 0 {
			one = list[0].(map[string]any)
		}
		set(one, at[2:], value)
		v[at[0]] = []any{one}
	default:
		one, ok := v[at[0]].(map[string]any)
		if !ok {
			one = map[string]any{}
		}
		set(one, at[1:], value)
		v[at[0]] = one
	}
}

// TestCaseNamesAgree holds that a field has one name: the schema is made of
// the JSON names, and editors apply it to YAML.
func TestCaseNamesAgree(t *testing.T) {
	seen := map[reflect.Type]bool{}
	var check func(t2 reflect.Type)
	check = func(typ reflect.Type) {
		for typ.Kind() == reflect.Pointer || typ.Kind() == reflect.Slice {
			typ = typ.Elem()
		}
		if typ.Kind() != reflect.Struct || seen[typ] {
			return
		}
		seen[typ] = true
		for i := range typ.NumField() {
			f := typ.Field(i)
			if !f.IsExported() {
				continue
			}
			y, _, _ := strings.Cut(f.Tag.Get("yaml"), ",")
			j, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			if y != j {
				t.Errorf("%s.%s is %q in YAML and %q in JSON", typ, f.Name, y, j)
			}
			check(f.Type)
		}
	}
	check(reflect.TypeFor[casefile.Case]())
}

func TestParseYears(t *testing.T) {
	for _, tt := range []struct {
		in       string
		from, to int
		ok       bool
	}{
		{"2021", 2021, 2021, true}, {"2019-2022", 2019, 2022, true}, {"2019-", 2019, 0, true}, {"-2022", 0, 2022, true},
		{"", 0, 0, false}, {"-", 0, 0, false}, {"20192022", 0, 0, false}, {"21", 0, 0, false}, {"2021-22", 0, 0, false},
		{"0000", 0, 0, false}, {"0000-2021", 0, 0, false},
	} {
		from, to, err := ParseYears(tt.in)
		if from != tt.from || to != tt.to || (err == nil) != tt.ok {
			t.Errorf("ParseYears(%q) = %d, %d, %v; want %d, %d, ok %t", tt.in, from, to, err, tt.from, tt.to, tt.ok)
		}
	}
}

func TestSearchCountsTheFacetsAskedFor(t *testing.T) {
	a := publicApp(t)
	all := slices.DeleteFunc(FilterLists(), func(list string) bool { return list == hasList && len(a.Scenarios().Scenarios) == 0 })
	for _, tt := range []struct {
		facets []string
		want   []string
	}{{nil, all}, {[]string{}, nil}, {[]string{"tag", "org"}, []string{"tag", "org"}}} {
		r, err := a.Search(SearchQuery{Facets: tt.facets})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range r.Facets {
			got = append(got, f.List)
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("facets %v gives the lists %v, want %v", tt.facets, got, tt.want)
		}
	}
}
