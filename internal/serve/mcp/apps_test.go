package mcp

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/openprecedent/precedent/internal/app"
)

// appsCapability is what a client with the extension declares.
const appsCapability = `{"extensions":{"io.modelcontextprotocol/ui":{"mimeTypes":["text/html;profile=mcp-app"]}}}`

// connectApps returns a client of a server for clients with the extension.
func connectApps(t testing.TB) *sdk.ClientSession {
	t.Helper()
	a := public(t)
	s := New(func() *app.App { return a }, Options{})
	here, there := sdk.NewInMemoryTransports()
	if _, err := s.server(true).Connect(context.Background(), there, nil); err != nil {
		t.Fatalf("starting the server: %v", err)
	}
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil)
	session, err := client.Connect(context.Background(), here, nil)
	if err != nil {
		t.Fatalf("connecting: %v", err)
	}
	t.Cleanup(func() { _ = session.Close() })
	return session
}

// TestDeclares reads declarations of the extension.
func TestDeclares(t *testing.T) {
	initialize := func(c string) string {
		return `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":` + c + `}}`
	}
	for _, x := range []struct {
		message      string
		apps, begins bool
	}{
		{initialize(appsCapability), true, true},
		{initialize(`{"extensions":{"io.modelcontextprotocol/ui":{"mimeTypes":["text/html;profile=other"]}}}`), false, false},
		{initialize(`{"extensions":{"io.modelcontextprotocol/ui":{}}}`), false, false},
		{initialize(`{"extensions":["io.modelcontextprotocol/ui"]}`), false, false},
		{initialize(`{}`), false, false},
		{`{"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/clientCapabilities":` + appsCapability + `}}}`, true, false},
		{`{"method":"tools/list","params":{"capabilities":` + appsCapability + `}}`, false, false},
		{`{"method":"tools/call","params":{"name":"search_incidents","arguments":{"query":"io.modelcontextprotocol/ui"}}}`, false, false},
		{`io.modelcontextprotocol/ui`, false, false},
		{``, false, false},
	} {
		if apps, begins := declares([]byte(x.message)); apps != x.apps || begins != x.begins {
			t.Errorf("%.120s: declares %t, begins %t, want %t, %t", x.message, apps, begins, x.apps, x.begins)
		}
	}
}

// TestAppsOverHTTP asks as clients of both revisions do. Those without the
// extension see what a server without it shows.
func TestAppsOverHTTP(t *testing.T) {
	server := listenHTTP(t, Options{})
	post := func(body string, header map[string]string) (*http.Response, string) {
		t.Helper()
		res, text := send(t, server, http.MethodPost, body, header)
		if res.StatusCode != http.StatusOK {
			t.Fatalf("%.100s: %d %.300s", body, res.StatusCode, text)
		}
		return res, text
	}
	begin := strings.Replace(initialize, `"capabilities":{}`, `"capabilities":`+appsCapability, 1)
	res, text := post(begin, nil)
	session := res.Header.Get(sessionHeader)
	if !strings.HasPrefix(session, appsSession) || len(session) < 30 || !strings.Contains(text, appsExtension) {
		t.Errorf("a session with the extension has the id %q and begins with %s", session, text)
	}
	if again, _ := post(begin, nil); again.Header.Get(sessionHeader) == session {
		t.Error("two sessions have the same id")
	}
	res, text = post(initialize, nil)
	if id := res.Header.Get(sessionHeader); id != "" || strings.Contains(text, appsExtension) {
		t.Errorf("a session without the extension has the id %q and begins with %s", id, text)
	}

	const list = `{"jsonrpc":"2.0","id":2,"method":"tools/list"}`
	modern := func(method, capabilities string) string {
		return `{"jsonrpc":"2.0","id":2,"method":"` + method + `","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
			`"io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},"io.modelcontextprotocol/clientCapabilities":` + capabilities + `}}}`
	}
	earlier := map[string]string{"MCP-Protocol-Version": "2025-11-25", sessionHeader: session}
	now := map[string]string{"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/list"}
	for _, x := range []struct {
		name, body string
		header     map[string]string
		apps       bool
	}{
		{"with a session", list, earlier, true},
		{"without one", list, map[string]string{"MCP-Protocol-Version": "2025-11-25"}, false},
		{"with a session of another", list, map[string]string{"MCP-Protocol-Version": "2025-11-25", sessionHeader: "7f3a"}, false},
		{"with every request", modern("tools/list", appsCapability), now, true},
		{"with no request", modern("tools/list", "{}"), now, false},
	} {
		_, text := post(x.body, x.header)
		if got := strings.Contains(text, `"resourceUri":"ui://precedent/replay"`); got != x.apps || strings.Contains(text, "ui://") != x.apps {
			t.Errorf("%s: a page is named: %t, want %t", x.name, got, x.apps)
		}
	}
	discover := map[string]string{"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "server/discover"}
	if _, text = post(modern("server/discover", appsCapability), discover); !strings.Contains(text, appsExtension) {
		t.Errorf("a client with the extension discovers %s", text)
	}
	if _, text = post(modern("server/discover", "{}"), discover); strings.Contains(text, appsExtension) {
		t.Errorf("a client without the extension discovers %s", text)
	}
	_, text = post(`{"jsonrpc":"2.0","id":3,"method":"resources/read","params":{"uri":"ui://precedent/replay"}}`, earlier)
	if !strings.Contains(text, "precedentCourse") || !strings.Contains(text, `"mimeType":"text/html;profile=mcp-app"`) || !strings.Contains(text, `"connectDomains":[]`) {
		t.Errorf("the page is %.300s", text)
	}
}

// TestAppsChangeNothingElse compares what both kinds of clients see.
func TestAppsChangeNothingElse(t *testing.T) {
	plain, apps := connect(t), connectApps(t)
	list := func(c *sdk.ClientSession) (*sdk.ListToolsResult, []*sdk.Resource) {
		tools, err := c.ListTools(context.Background(), nil)
		if err != nil {
			t.Fatal(err)
		}
		var all []*sdk.Resource
		for r, err := range c.Resources(context.Background(), nil) {
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, r)
		}
		return tools, all
	}
	tools, resources := list(plain)
	more, moreResources := list(apps)
	if tools.CacheScope != "public" || more.CacheScope != "private" {
		t.Errorf("lists are kept as %q and %q, want public and private", tools.CacheScope, more.CacheScope)
	}
	const most = 11_400 // bytes; at 3.8 bytes a token 3,000 tokens
	if raw := mustJSON(t, more.Tools); len(raw) > most {
		t.Errorf("the definitions have %d bytes for a client with the extension, want at most %d", len(raw), most)
	}
	for i, d := range more.Tools {
		if view, ok := d.Meta["ui"].(map[string]any); ok != (d.Name == "replay_incident") || ok && view["resourceUri"] != viewURI {
			t.Errorf("%s has the meta %v", d.Name, d.Meta)
		}
		d.Meta = nil
		if !reflect.DeepEqual(d, tools.Tools[i]) {
			t.Errorf("%s differs for a client with the extension", d.Name)
		}
	}
	seen := 0
	for _, r := range moreResources {
		if strings.HasPrefix(r.URI, "ui://") {
			seen++
		}
	}
	if seen != 1 || len(moreResources) != len(resources)+1 {
		t.Errorf("%d resources, %d pages among them; without the extension %d", len(moreResources), seen, len(resources))
	}
	if _, err := plain.ReadResource(context.Background(), &sdk.ReadResourceParams{URI: viewURI}); err == nil {
		t.Error("a client without the extension can read the page")
	}
	for _, c := range []*sdk.ClientSession{plain, apps} {
		if got := structuredOf(t, call(t, c, "replay_incident", args{"id": "IL-0574"})); strings.Contains(got, `"course"`) != (c == apps) {
			t.Errorf("with the extension %t: %.200s", c == apps, got)
		}
	}
}

// TestAppsOverStdio lets the first message choose the server.
func TestAppsOverStdio(t *testing.T) {
	a := public(t)
	s := New(func() *app.App { return a }, Options{})
	for _, capabilities := range []string{"{}", appsCapability} {
		var out strings.Builder
		requests := "no message\n" + strings.Replace(initialize, `"capabilities":{}`, `"capabilities":`+capabilities, 1) + "\n" +
			`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n" + `{"jsonrpc":"2.0","id":2,"method":"tools/list"}` + "\n"
		if err := s.Run(context.Background(), io.NopCloser(strings.NewReader(requests)), keep{&out}); err != nil {
			t.Errorf("Run says %v", err)
		}
		if got := strings.Contains(out.String(), viewURI); got != (capabilities == appsCapability) || strings.Count(out.String(), `"result"`) != 2 {
			t.Errorf("after %s the page is named: %t, in %.300s", capabilities, got, out.String())
		}
	}
}

// TestDrawnWithinBudget finds the course of each recorded replay in an answer, or
// beside one that has no room for it. What the model reads stays as it is.
func TestDrawnWithinBudget(t *testing.T) {
	a, c := public(t), connectApps(t)
	inside, beside := 0, 0
	for _, ref := range a.Scenarios().Scenarios {
		sc, err := a.Scenario(ref.ID)
		if err != nil {
			t.Fatal(err)
		}
		for i, variant := range sc.RecordedVariants() {
			kept, _ := sc.Recorded(variant)
			if len(kept.Runs) == 0 || len(kept.Runs[0].Charts) == 0 {
				continue
			}
			name := ref.ID + " " + variant
			res := call(t, c, "replay_incident", args{"id": ref.ID, "variant": variant, "lang": []string{"en", "ko"}[i%2]})
			content, structured := contentOf(t, res), structuredOf(t, res)
			if res.IsError || utf8.RuneCountInString(content) >= budget || utf8.RuneCountInString(structured) >= budget {
				t.Errorf("%s: error %t, %d and %d characters", name, res.IsError, utf8.RuneCountInString(content), utf8.RuneCountInString(structured))
			}
			var found struct {
				Observed []any
				Course   json.RawMessage
			}
			if err := json.Unmarshal([]byte(structured), &found); err != nil {
				t.Fatal(err)
			}
			raw, where := []byte(found.Course), &inside
			if raw == nil {
				raw, where = mustJSON(t, res.Meta[courseMeta]), &beside
			}
			*where++
			checkDrawn(t, name, raw)
		}
	}
	t.Logf("%d courses are in their answer, %d beside it", inside, beside)
}

// checkDrawn looks whether a course can be drawn and read in both languages.
func checkDrawn(t *testing.T, name string, raw []byte) {
	t.Helper()
	var course struct {
		Window, End float64
		Panels      []struct {
			Title map[string]string
			Lines []struct{ Values []*float64 }
		}
	}
	if err := json.Unmarshal(raw, &course); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if len(course.Panels) == 0 || course.Window <= 0 || course.End <= 0 {
		t.Errorf("%s: the course is %.200s", name, raw)
	}
	for _, p := range course.Panels {
		if p.Title["en"] == "" || p.Title["ko"] == "" {
			t.Errorf("%s: a chart has the title %v", name, p.Title)
		}
		for _, l := range p.Lines {
			if len(l.Values) < 20 || len(l.Values) > viewValues {
				t.Errorf("%s: a line has %d values", name, len(l.Values))
			}
		}
	}
}

// TestDrawnRun draws a run with another setting.
func TestDrawnRun(t *testing.T) {
	res := call(t, connectApps(t), "replay_incident", args{"id": "api-retries", "set": []string{"run.for=90s"}})
	text, structured := contentOf(t, res), structuredOf(t, res)
	if res.IsError || !strings.Contains(structured, `"course"`) || strings.Contains(structured, `"charts"`) {
		t.Errorf("a run gives %.300s", structured)
	}
	if n := strings.Count(text, " s: "); n == 0 || n > courseSteps {
		t.Errorf("the text tells %d steps, want at most %d:\n%s", n, courseSteps, text)
	}
}

// TestNegotiatedBody passes on a body that was read before, and what follows.
func TestNegotiatedBody(t *testing.T) {
	for _, size := range []int{0, 10, maxBody, maxBody + 1, 2 * maxBody} {
		var got []byte
		h := negotiated(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { got, _ = io.ReadAll(r.Body) }))
		want := strings.Repeat("x", size)
		h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodPost, "/mcp", strings.NewReader(want)))
		if string(got) != want {
			t.Errorf("of %d bytes %d arrive", size, len(got))
		}
	}
}
