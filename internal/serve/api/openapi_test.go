package api

import (
	"encoding/json"
	"fmt"
	"mime"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
)

// contract is the published document, ready to hold answers against.
type contract struct {
	doc   map[string]any
	paths map[string]*regexp.Regexp
	// loose is what is published; strict allows no field that is not described,
	// so that none is forgotten.
	loose, strict map[string]*jsonschema.Resolved
}

// theContract is read once for all tests.
var theContract struct {
	once sync.Once
	*contract
}

func testContract(t testing.TB, h http.Handler) *contract {
	t.Helper()
	theContract.once.Do(func() { theContract.contract = readContract(t, h) })
	return theContract.contract
}

func readContract(t testing.TB, h http.Handler) *contract {
	w := get(t, h, "GET", "/openapi.json")
	c := &contract{paths: map[string]*regexp.Regexp{}, loose: map[string]*jsonschema.Resolved{}, strict: map[string]*jsonschema.Resolved{}}
	if err := json.Unmarshal(w.Body.Bytes(), &c.doc); err != nil {
		t.Fatalf("reading /openapi.json: %v\n%s", err, w.Body)
	}
	for path := range c.at("paths") {
		c.paths[path] = regexp.MustCompile("^" + regexp.MustCompile(`\\\{[a-z]+\\\}`).ReplaceAllString(regexp.QuoteMeta(path), "[^/]+") + "$")
	}
	for name := range c.at("components", "schemas") {
		c.loose[name] = c.schema(t, name, false)
		c.strict[name] = c.schema(t, name, true)
	}
	return c
}

// at returns the object at a path of members.
func (c *contract) at(path ...string) map[string]any {
	v := c.doc
	for _, p := range path {
		next, ok := v[p].(map[string]any)
		if !ok {
			return nil
		}
		if ref, ok := next["$ref"].(string); ok {
			next = c.at(strings.Split(strings.TrimPrefix(ref, "#/"), "/")...)
		}
		v = next
	}
	return v
}

// schema resolves one component together with those that it refers to.
func (c *contract) schema(t testing.TB, name string, strict bool) *jsonschema.Resolved {
	t.Helper()
	raw, err := json.Marshal(map[string]any{"$ref": "#/$defs/" + name, "$defs": c.doc["components"].(map[string]any)["schemas"]})
	if err != nil {
		t.Fatal(err)
	}
	s := &jsonschema.Schema{}
	if err := json.Unmarshal([]byte(strings.ReplaceAll(string(raw), "#/components/schemas/", "#/$defs/")), s); err != nil {
		t.Fatalf("schema %s: %v", name, err)
	}
	if strict {
		closeSchema(s)
	}
	r, err := s.Resolve(nil)
	if err != nil {
		t.Fatalf("schema %s: %v", name, err)
	}
	return r
}

func closeSchema(s *jsonschema.Schema) {
	if s == nil {
		return
	}
	if s.Properties != nil && s.AdditionalProperties == nil {
		s.AdditionalProperties = &jsonschema.Schema{Not: &jsonschema.Schema{}}
	}
	for _, inner := range s.Properties {
		closeSchema(inner)
	}
	for _, inner := range s.Defs {
		closeSchema(inner)
	}
	closeSchema(s.Items)
	if s.AdditionalProperties != nil && s.AdditionalProperties.Not == nil {
		closeSchema(s.AdditionalProperties)
	}
}

// path returns the path of the document that a target is described under: data
// of a page is described under the API's path.
func (c *contract) path(target string) string {
	u, err := url.Parse(target)
	if err != nil {
		return ""
	}
	plain := u.EscapedPath()
	if p := c.match(plain); p != "" {
		return p
	}
	plain = strings.TrimPrefix(plain, "/ko")
	plain = strings.TrimSuffix(strings.TrimSuffix(plain, ".json"), ".md")
	return c.match(Root + plain)
}

// match returns the described path for a target; one without variables first.
func (c *contract) match(target string) string {
	found := ""
	for path, form := range c.paths {
		if form.MatchString(target) && (found == "" || strings.Count(path, "{") < strings.Count(found, "{")) {
			found = path
		}
	}
	return found
}

// check holds an answer against the document.
func (c *contract) check(t testing.TB, target string, w *httptest.ResponseRecorder) {
	t.Helper()
	c.checkMethod(t, "get", target, w)
}

// checkMethod holds the answer to a method against the document.
func (c *contract) checkMethod(t testing.TB, method, target string, w *httptest.ResponseRecorder) {
	t.Helper()
	path := c.path(target)
	if path == "" {
		if w.Code != http.StatusNotFound {
			t.Errorf("%s: status %d, and its address is not described", target, w.Code)
		}
		c.checkBody(t, target, "Problem", w.Body.Bytes())
		return
	}
	response := c.at("paths", path, method, "responses", fmt.Sprint(w.Code))
	if response == nil {
		t.Errorf("%s: the status %d is not described", target, w.Code)
		return
	}
	for name := range c.at("paths", path, method, "responses", fmt.Sprint(w.Code), "headers") {
		if w.Header().Get(name) == "" && name != "Link" {
			t.Errorf("%s: the header %s is missing", target, name)
		}
	}
	if w.Body.Len() == 0 {
		return
	}
	mediaType, _, err := mime.ParseMediaType(w.Header().Get("Content-Type"))
	if err != nil {
		t.Errorf("%s: %v", target, err)
	}
	content, ok := response["content"].(map[string]any)[mediaType].(map[string]any)
	if !ok {
		t.Errorf("%s: the type %q is not described", target, mediaType)
		return
	}
	if ref, ok := content["schema"].(map[string]any)["$ref"].(string); ok {
		c.checkBody(t, target, ref[strings.LastIndex(ref, "/")+1:], w.Body.Bytes())
	}
}

func (c *contract) checkBody(t testing.TB, target, schema string, raw []byte) {
	t.Helper()
	var v any
	if err := json.Unmarshal(raw, &v); err != nil {
		t.Errorf("%s: %v", target, err)
		return
	}
	if err := c.loose[schema].Validate(v); err != nil {
		t.Errorf("%s: %v", target, err)
	}
	if err := c.strict[schema].Validate(v); err != nil {
		t.Errorf("%s has a field that the document lacks: %v", target, err)
	}
}

// asPages are the forms in which a page's data can be asked for.
func asPages(target string) []string {
	path, query, _ := strings.Cut(strings.TrimPrefix(target, Root), "?")
	if query != "" {
		query = "?" + query
	}
	return []string{path + query, path + ".json" + query, path + ".md" + query, "/ko" + path + ".md" + query, "/ko" + path + query}
}

func TestAnswersKeepTheContract(t *testing.T) {
	h := testHandler(t)
	c := testContract(t, h)
	words := examples(testApp(t))
	for _, op := range operations() {
		t.Run(op.id, func(t *testing.T) {
			for _, target := range op.targets(words) {
				targets := []string{target}
				if !op.apiOnly {
					targets = append(targets, asPages(target)...)
				}
				for _, target := range targets {
					w := get(t, h, "GET", target)
					if w.Code >= 400 {
						t.Errorf("GET %s: status %d: %s", target, w.Code, w.Body)
					}
					c.check(t, target, w)
				}
			}
		})
	}
	for _, doc := range documents() {
		c.check(t, doc.path, get(t, h, "GET", doc.path))
		if doc.korean {
			c.check(t, "/ko"+doc.path, get(t, h, "GET", "/ko"+doc.path))
		}
	}
}

func TestEveryCaseKeepsTheContract(t *testing.T) {
	h := testHandler(t)
	c := testContract(t, h)
	for _, b := range testApp(t).All() {
		c.check(t, "/cases/"+b.ID, get(t, h, "GET", Root+"/cases/"+b.ID))
	}
	for _, list := range testApp(t).Topics().Lists {
		for _, topic := range list.Topics[:min(3, len(list.Topics))] {
			target := Root + "/topics/" + topic.List + "/" + topic.ID
			c.check(t, target, get(t, h, "GET", target))
		}
	}
}

// TestEveryParameterAnswers asks with the example of each parameter alone.
func TestEveryParameterAnswers(t *testing.T) {
	h := testHandler(t)
	c := testContract(t, h)
	words := examples(testApp(t))
	for _, op := range operations() {
		base, _, _ := strings.Cut(op.targets(words)[0], "?")
		for _, p := range op.params {
			if p.in != "query" {
				continue
			}
			if p.example == "" {
				if p.name != "cursor" {
					t.Errorf("%s: the parameter %s has no example", op.id, p.name)
				}
				continue
			}
			target := base + "?" + p.name + "=" + url.QueryEscape(fill(p.example, words))
			w := get(t, h, "GET", target)
			if w.Code >= 400 {
				t.Errorf("GET %s: status %d: %s", target, w.Code, w.Body)
			}
			c.check(t, target, w)
		}
	}
}

func TestDocumentIsWhole(t *testing.T) {
	h := testHandler(t)
	c := testContract(t, h)
	if got := c.doc["openapi"]; got != "3.1.0" {
		t.Errorf("openapi is %v", got)
	}
	seen := map[string]bool{}
	for path := range c.at("paths") {
		for method := range c.at("paths", path) {
			documentIsWhole(t, c, path, method, seen)
		}
	}
	everyReferenceLeads(t, c)
}

func documentIsWhole(t *testing.T, c *contract, path, method string, seen map[string]bool) {
	t.Helper()
	op := c.at("paths", path, method)
	id, _ := op["operationId"].(string)
	if id == "" || seen[id] {
		t.Errorf("%s: the operationId %q is empty or used twice", path, id)
	}
	seen[id] = true
	if op["summary"] == "" || len(c.at("paths", path, method, "responses")) == 0 {
		t.Errorf("%s: summary or responses are missing", path)
	}
	var named []string
	params, _ := op["parameters"].([]any)
	for _, p := range params {
		p := p.(map[string]any)
		if p["in"] == "path" {
			named = append(named, "{"+p["name"].(string)+"}")
		}
		if p["description"] == "" || p["schema"] == nil {
			t.Errorf("%s: the parameter %v lacks description or schema", path, p["name"])
		}
	}
	if got := placeholder.FindAllString(path, -1); !slices.Equal(got, named) {
		t.Errorf("%s: path parameters %v, described %v", path, got, named)
	}
}

func everyReferenceLeads(t *testing.T, c *contract) {
	t.Helper()
	// Every reference leads somewhere.
	raw, err := json.Marshal(c.doc)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile(`"\$ref":"#/([^"]+)"`).FindAllStringSubmatch(string(raw), -1) {
		if c.at(strings.Split(m[1], "/")...) == nil {
			t.Errorf("nothing stands at %s", m[1])
		}
	}
	if strings.Contains(string(raw), `{case}`) || strings.Contains(string(raw), `{mechanism}`) {
		t.Error("an example still holds a placeholder")
	}
}

// TestExamplesAreReal follows every link of the document's examples.
func TestExamplesAreReal(t *testing.T) {
	h := testHandler(t)
	raw := get(t, h, "GET", "/openapi.json").Body.String()
	for _, m := range regexp.MustCompile(`"externalValue":"http://example.com([^"]+)"`).FindAllStringSubmatch(raw, -1) {
		var target string
		if err := json.Unmarshal([]byte(`"`+m[1]+`"`), &target); err != nil {
			t.Fatal(err)
		}
		if w := get(t, h, "GET", target); w.Code != http.StatusOK && w.Code != http.StatusTemporaryRedirect {
			t.Errorf("the example %s has status %d", target, w.Code)
		}
	}
}
