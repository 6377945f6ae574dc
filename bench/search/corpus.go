package main

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/library"
	"github.com/openprecedent/precedent/internal/library/search"
)

// A corpus is what all engines index.
type corpus struct {
	docs  []search.Document
	terms []search.Term
	dir   string
	lib   *library.Library // the same as cases, nil if the documents are none
}

// weights of the fields, for the engines that have any.
var weights = map[string]float64{
	"title": 4, "org": 3, "product": 3, "summary": 2.5, "trigger": 1.6, "cause": 1.6,
	"mechanism": 1.6, "symptom": 1.6, "component": 1.5, "condition": 1.2, "lesson": 1.2,
	"action": 1.1, "narrative": 1, "detection": 1, "impact": 1, "observed": 0.8, "followup": 0.6,
}

// loadCorpus reads the cases and the vocabulary below dir.
func loadCorpus(dir string) (*corpus, error) {
	c := &corpus{dir: dir}
	vocab, err := filepath.Glob(filepath.Join(dir, "vocab", "*.yaml"))
	if err != nil {
		return nil, err
	}
	for _, path := range vocab {
		if err := c.addList(path); err != nil {
			return nil, fmt.Errorf("reading vocabulary %q: %w", path, err)
		}
	}
	cases, err := filepath.Glob(filepath.Join(dir, "cases", "*.yaml"))
	if err != nil {
		return nil, err
	}
	if len(cases) == 0 {
		return nil, fmt.Errorf("no cases in %q", filepath.Join(dir, "cases"))
	}
	for _, path := range cases {
		if err := c.addCase(path); err != nil {
			return nil, fmt.Errorf("reading case %q: %w", path, err)
		}
	}
	c.lib, err = loadLibrary(dir)
	return c, err
}

// loadLibrary reads the cases as the program does.
func loadLibrary(dir string) (*library.Library, error) {
	lib, problems := library.Load(library.Layer{Name: "corpus", FS: os.DirFS(dir), Linted: true})
	if lib == nil || len(lib.Cases()) == 0 {
		return nil, fmt.Errorf("loading the library %q: no cases, %d problems; see precedent lint", dir, len(problems))
	}
	return lib, nil
}

// without returns the corpus without the texts in one language. What has no
// language, as names of products and terms, stays.
func (c *corpus) without(lang string) (*corpus, error) {
	half := &corpus{dir: c.dir, terms: c.terms}
	for _, d := range c.docs {
		var fields []search.Field
		for _, f := range d.Fields {
			if f.Lang != lang {
				fields = append(fields, f)
			}
		}
		d.Fields = fields
		half.docs = append(half.docs, d)
	}
	lib, err := loadLibrary(c.dir)
	if err != nil {
		return nil, err
	}
	for _, e := range lib.Cases() {
		blank(reflect.ValueOf(e.Case).Elem(), lang)
	}
	half.lib = lib
	return half, nil
}

// blank empties one side of every text in v.
func blank(v reflect.Value, lang string) {
	if v.CanAddr() {
		if t, ok := v.Addr().Interface().(*bilingual.Text); ok {
			if lang == "en" {
				t.En = ""
			} else {
				t.Ko = ""
			}
			return
		}
	}
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			blank(v.Elem(), lang)
		}
	case reflect.Slice:
		for i := range v.Len() {
			blank(v.Index(i), lang)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				blank(v.Field(i), lang)
			}
		}
	}
}

// lists whose terms mean something in a text; the others are grades and kinds.
var namedLists = []string{"mechanism", "cause", "symptom", "component", "remedy", "trigger", "tag"}

func (c *corpus) addList(path string) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var list struct {
		List  string
		Terms []struct {
			ID       string
			Name     map[string]string
			Synonyms map[string][]string
		}
	}
	if err := yaml.Unmarshal(data, &list); err != nil {
		return err
	}
	if !slices.Contains(namedLists, list.List) {
		return nil
	}
	for _, t := range list.Terms {
		term := search.Term{List: list.List, ID: t.ID}
		for _, lang := range []string{"en", "ko"} {
			term.Phrases = append(term.Phrases, t.Name[lang])
			term.Phrases = append(term.Phrases, t.Synonyms[lang]...)
		}
		c.terms = append(c.terms, term)
	}
	return nil
}

func (c *corpus) addCase(path string) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	m := map[string]any{}
	if err := yaml.Unmarshal(data, &m); err != nil {
		return err
	}
	id, _ := m["id"].(string)
	if m["state"] != "published" {
		return nil
	}
	c.docs = append(c.docs, documentOf(id, m))
	return nil
}

// documentOf lays a case out as fields and facets.
func documentOf(id string, m map[string]any) search.Document {
	d := search.Document{ID: id, Facets: map[string][]string{}}
	both := func(name string, v any) {
		t, _ := v.(map[string]any)
		for _, lang := range []string{"en", "ko"} {
			if s, ok := t[lang].(string); ok && s != "" {
				d.Fields = append(d.Fields, search.Field{Name: name, Lang: lang, Text: s})
			}
		}
	}
	plain := func(name string, v any) {
		if s, ok := v.(string); ok && s != "" {
			d.Fields = append(d.Fields, search.Field{Name: name, Text: s})
		}
	}
	facet := func(list string, v any) {
		if s, ok := v.(string); ok && !slices.Contains(d.Facets[list], s) {
			d.Facets[list] = append(d.Facets[list], s)
		}
	}
	both("title", m["title"])
	org, _ := m["org"].(map[string]any)
	plain("org", org["name"])
	facet("org", org["slug"])
	plain("product", m["product"])
	for _, s := range items(m["also_affected"]) {
		plain("product", s)
	}
	both("summary", m["summary"])
	both("narrative", m["narrative"])
	symptoms, _ := m["symptoms"].(map[string]any)
	both("symptom", symptoms["text"])
	for _, s := range items(symptoms["codes"]) {
		facet("symptom", s)
	}
	trigger, _ := m["trigger"].(map[string]any)
	both("trigger", trigger["text"])
	facet("trigger", trigger["kind"])
	for _, part := range []struct{ key, field, list, code string }{
		{"causes", "cause", "cause", "code"},
		{"mechanisms", "mechanism", "mechanism", "code"},
		{"actions", "action", "remedy", "kind"},
		{"followups", "followup", "", ""},
		{"observed", "observed", "", ""},
	} {
		for _, v := range items(m[part.key]) {
			item, _ := v.(map[string]any)
			both(part.field, item["text"])
			facet(part.list, item[part.code])
		}
	}
	for _, v := range items(m["components"]) {
		item, _ := v.(map[string]any)
		plain("component", item["product"])
		facet("component", item["code"])
	}
	detection, _ := m["detection"].(map[string]any)
	both("detection", detection["text"])
	both("detection", detection["gap"])
	impact, _ := m["impact"].(map[string]any)
	both("impact", impact["scope"])
	both("impact", impact["users"])
	for _, v := range items(m["lessons"]) {
		both("lesson", v)
	}
	for _, v := range items(m["conditions"]) {
		item, _ := v.(map[string]any)
		both("condition", item["statement"])
	}
	for _, v := range items(m["tags"]) {
		facet("tag", v)
	}
	d.Year, _ = strconv.Atoi(fmt.Sprint(m["date"])[:4])
	return d
}

func items(v any) []any {
	list, _ := v.([]any)
	return list
}

// frequentWords returns the words of the texts, the most frequent first.
func (c *corpus) frequentWords() (english, korean []string) {
	counts := map[string]int{}
	for _, d := range c.docs {
		for _, f := range d.Fields {
			for _, w := range strings.FieldsFunc(strings.ToLower(f.Text), func(r rune) bool {
				return !(r >= 'a' && r <= 'z' || r >= 0xAC00 && r <= 0xD7A3)
			}) {
				counts[w]++
			}
		}
	}
	var words []string
	for w := range counts {
		if len(w) >= 4 {
			words = append(words, w)
		}
	}
	slices.SortFunc(words, func(a, b string) int {
		if counts[a] != counts[b] {
			return counts[b] - counts[a]
		}
		return strings.Compare(a, b)
	})
	for _, w := range words {
		if w[0] < 0x80 {
			english = append(english, w)
		} else {
			korean = append(korean, w)
		}
	}
	n := min(4000, len(english), len(korean))
	return english[:n], korean[:n]
}
