package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"
	"testing/fstest"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/openprecedent/precedent/corpus"
	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/library"
)

func TestResources(t *testing.T) {
	c := connect(t)
	for _, x := range []struct{ uri, kind, want string }{
		{"precedent://cases/IL-0574", markdownType, "# IL-0574 Minutes after"},
		{"precedent://cases/IL-0574?lang=ko", markdownType, "## 요약"},
		{"precedent://cases/IL-0574.json", jsonType, `"wire_version":1`},
		{"precedent://topics/mechanism/retry-storm", markdownType, "# Retry storm"},
		{"precedent://topics/mechanism/retry-storm?lang=ko", markdownType, "## 교훈"},
		{"precedent://topics/mechanism/retry-storm.json", jsonType, `"list":"mechanism"`},
	} {
		res, err := c.ReadResource(context.Background(), &sdk.ReadResourceParams{URI: x.uri})
		if err != nil {
			t.Errorf("%s: %v", x.uri, err)
			continue
		}
		got := res.Contents[0]
		if got.URI != x.uri || got.MIMEType != x.kind || !strings.Contains(got.Text, x.want) {
			t.Errorf("%s: %s of type %s, want %q in %.200q", x.uri, got.URI, got.MIMEType, x.want, got.Text)
		}
		if x.kind == jsonType && !json.Valid([]byte(got.Text)) {
			t.Errorf("%s is no JSON", x.uri)
		}
	}
	for _, uri := range []string{
		"precedent://cases/IL-9999", "precedent://cases/", "precedent://cases/..%2f", "precedent://topics/mechanism",
		"precedent://topics/mechanism/nothing", "precedent://topics/effect/worked", "precedent://cases/IL-0574?lang=fr", "precedent://x/y", "file:///etc/passwd",
	} {
		_, err := c.ReadResource(context.Background(), &sdk.ReadResourceParams{URI: uri})
		var wire *jsonrpc.Error
		if !errors.As(err, &wire) || wire.Code != jsonrpc.CodeInvalidParams {
			t.Errorf("%s: %v, want not found", uri, err)
		}
	}
}

func TestResourceList(t *testing.T) {
	c, n := connect(t), 0
	for r, err := range c.Resources(context.Background(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		n++
		if r.Title == "" || r.Description == "" || r.MIMEType != markdownType {
			t.Errorf("resource %+v lacks something", r)
		}
	}
	if want := len(public(t).All()); n != want {
		t.Errorf("%d resources are listed, want %d", n, want)
	}
	templates, err := c.ListResourceTemplates(context.Background(), nil)
	if err != nil || len(templates.ResourceTemplates) != 4 {
		t.Errorf("%v templates, error %v", templates, err)
	}
	if templates.TTLMs != 300_000 || templates.CacheScope != "public" {
		t.Errorf("caching is %+v", templates.Cacheable)
	}
}

func TestCompletions(t *testing.T) {
	c := connect(t)
	for _, x := range []struct {
		ref      sdk.CompleteReference
		name     string
		value    string
		context  map[string]string
		want     string
		atMost   int
		wantNone bool
	}{
		{ref: sdk.CompleteReference{Type: "ref/resource", URI: caseTemplate}, name: "id", value: "il-05", want: "IL-0574", atMost: 20},
		{ref: sdk.CompleteReference{Type: "ref/resource", URI: caseJSONTemplate}, name: "id", value: "safie", want: "IL-0574", atMost: 5},
		{ref: sdk.CompleteReference{Type: "ref/resource", URI: caseTemplate}, name: "id", want: "IL-0064", atMost: 100},
		{ref: sdk.CompleteReference{Type: "ref/resource", URI: topicTemplate}, name: "list", value: "mech", want: "mechanism", atMost: 1},
		{ref: sdk.CompleteReference{Type: "ref/resource", URI: topicTemplate}, name: "term", value: "retry", context: map[string]string{"list": "mechanism"}, want: "retry-storm", atMost: 5},
		{ref: sdk.CompleteReference{Type: "ref/resource", URI: topicTemplate}, name: "term", value: "ret", context: map[string]string{"list": "nothing"}, wantNone: true},
		{ref: sdk.CompleteReference{Type: "ref/resource", URI: caseTemplate}, name: "lang", want: "ko", atMost: 2},
		{ref: sdk.CompleteReference{Type: "ref/prompt", Name: seenPrompt}, name: "lang", value: "k", want: "ko", atMost: 1},
		{ref: sdk.CompleteReference{Type: "ref/prompt", Name: seenPrompt}, name: "symptoms", value: "k", wantNone: true},
	} {
		p := &sdk.CompleteParams{Ref: &x.ref, Argument: sdk.CompleteParamsArgument{Name: x.name, Value: x.value}}
		if x.context != nil {
			p.Context = &sdk.CompleteContext{Arguments: x.context}
		}
		res, err := c.Complete(context.Background(), p)
		if err != nil {
			t.Errorf("completing %s %q: %v", x.name, x.value, err)
			continue
		}
		got := res.Completion.Values
		if x.wantNone != (len(got) == 0) || !x.wantNone && (len(got) > x.atMost || !strings.Contains(strings.Join(got, " "), x.want)) {
			t.Errorf("completing %s %q gives %v, want %q among at most %d", x.name, x.value, got, x.want, x.atMost)
		}
	}
}

func TestPrompt(t *testing.T) {
	c := connect(t)
	res, err := c.GetPrompt(context.Background(), &sdk.GetPromptParams{Name: seenPrompt, Arguments: map[string]string{"symptoms": "프록시로 바꾼 뒤 writer CPU 100%"}})
	if err != nil {
		t.Fatal(err)
	}
	text := res.Messages[0].Content.(*sdk.TextContent).Text
	if !strings.Contains(text, "IL-0574") || !strings.Contains(text, "장애가 났다") {
		t.Errorf("the prompt is %.300q", text)
	}
	if _, err := c.GetPrompt(context.Background(), &sdk.GetPromptParams{Name: seenPrompt}); err == nil {
		t.Error("a prompt without symptoms is answered")
	}
}

// TestInstructions keeps the text within what clients show.
func TestInstructions(t *testing.T) {
	s := instructions(public(t))
	t.Logf("%d characters", utf8.RuneCountInString(s))
	if n := utf8.RuneCountInString(s); n >= 2000 {
		t.Errorf("the instructions have %d characters, want less than 2000", n)
	}
	for _, tool := range tools {
		if !strings.Contains(s, tool.name) {
			t.Errorf("the instructions do not name %s", tool.name)
		}
	}
}

// TestRegistry holds the registry entry in step with the program.
func TestRegistry(t *testing.T) {
	raw, err := os.ReadFile("../../../server.json")
	if err != nil {
		t.Fatal(err)
	}
	var entry struct {
		Schema      string `json:"$schema"`
		Name        string
		Title       string
		Description string
		Version     string
		Remotes     []struct{ Type, URL string }
	}
	if err := json.Unmarshal(raw, &entry); err != nil {
		t.Fatal(err)
	}
	info := connect(t).InitializeResult().ServerInfo
	if entry.Version != info.Version || entry.Title != info.Title {
		t.Errorf("server.json is of %s %s, the server of %s %s", entry.Title, entry.Version, info.Title, info.Version)
	}
	if n := utf8.RuneCountInString(entry.Description); n == 0 || n > 100 {
		t.Errorf("the description has %d characters, want 1 to 100", n)
	}
	if !strings.HasSuffix(entry.Schema, "/2025-12-11/server.schema.json") || strings.Count(entry.Name, "/") != 1 {
		t.Errorf("schema %q, name %q", entry.Schema, entry.Name)
	}
	if len(entry.Remotes) != 1 || entry.Remotes[0].Type != "streamable-http" || !strings.HasPrefix(entry.Remotes[0].URL, "https://") {
		t.Errorf("remotes are %+v", entry.Remotes)
	}
}

// huge returns the public library with a private one over it whose texts and
// lists are far longer than any published ones.
func huge(t *testing.T) *app.App {
	t.Helper()
	src, err := corpus.FS.ReadFile("cases/PR-0003.yaml")
	if err != nil {
		t.Fatal(err)
	}
	long := strings.Repeat("The certificate of KIAM expired & nobody <noticed>. ", 1200)
	text := string(src)
	for _, field := range []string{"summary:\n  en: >-\n    ", "narrative:\n  en: |-\n    ", "  ko: >-\n    ", "  ko: |-\n    "} {
		text = strings.Replace(text, field, field+long+"\n    ", 1)
	}
	text = strings.Replace(text, "lessons:\n", "lessons:\n"+strings.Repeat("  - en: "+long[:400]+"\n    ko: 인증서 만료를 알린다.\n", 300), 1)
	lib, problems := library.Load(
		library.Layer{Name: "public", FS: corpus.FS},
		library.Layer{Name: "ours", FS: fstest.MapFS{"cases/OUR-0001.yaml": {Data: []byte(strings.Replace(text, "id: PR-0003", "id: OUR-0001", 1))}}},
	)
	if lib == nil {
		t.Fatalf("loading: %v", problems.Errors())
	}
	return app.New(lib)
}

func TestBudgetOfHugeCase(t *testing.T) {
	a := huge(t)
	for _, x := range []oneCall{
		{"get_incident", args{"id": "OUR-0001"}},
		{"get_incident", args{"id": "OUR-0001", "sections": "narrative"}},
		{"get_incident", args{"id": "OUR-0001", "sections": "all", "lang": "ko"}},
		{"get_incident", args{"id": "OUR-0001", "sections": "lessons"}},
		{"get_topic", args{"topic": "symptom/expired-certificate"}},
		{"search_incidents", args{"query": "KIAM certificate nobody noticed", "detail": "full", "limit": 100}},
	} {
		if _, err := a.Topic("symptom/expired-certificate"); err != nil && x.name == "get_topic" {
			x.args["topic"] = "tag/security"
		}
		res, err := toolNamed(t, x.name).handler(a)(context.Background(), &sdk.CallToolRequest{Params: &sdk.CallToolParamsRaw{Arguments: mustJSON(t, x.args)}})
		if err != nil {
			t.Fatal(err)
		}
		content, structured := contentOf(t, res), string(res.StructuredContent.(json.RawMessage))
		n, m := utf8.RuneCountInString(content), utf8.RuneCountInString(structured)
		t.Logf("%s %v: %d and %d characters", x.name, x.args, n, m)
		if res.IsError || n >= budget || m >= budget || n < 300 {
			t.Errorf("%s %v: error %t, %d and %d characters", x.name, x.args, res.IsError, n, m)
		}
	}
}

// TestReload serves the new library once there is one, and calls a private one
// private.
func TestReload(t *testing.T) {
	current := public(t)
	s := New(func() *app.App { return current }, Options{})
	first := s.server(false)
	if s.server(false) != first {
		t.Error("the same library makes another server")
	}
	current = huge(t)
	if s.server(false) == first {
		t.Error("another library makes no other server")
	}
	if got := cacheScope(current, false); got != "private" {
		t.Errorf("answers of a private library are %s", got)
	}
}
