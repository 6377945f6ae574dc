package main

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// states writes a library with a draft and withdrawn cases, and returns its
// folder.
func states(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "cases")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for id, state := range map[string]string{
		"SHOP-0001": "draft\nsummary: {en: Unchecked rumours., ko: 확인하지 않은 소문.}",
		"SHOP-0002": "withdrawn\nsuperseded_by: SHOP-0003\nwithdrawn_reason: {en: It was a planned stop., ko: 계획된 중단이었다.}\n" +
			"summary: {en: Unchecked rumours., ko: 확인하지 않은 소문.}",
		"SHOP-0003": "merged\nsuperseded_by: IL-0282",
		"SHOP-0004": "withdrawn\nsuperseded_by: SHOP-0001\nwithdrawn_reason: {en: It was a drill., ko: 훈련이었다.}",
	} {
		src := "schema: 1\nid: " + id + "\ntitle: {en: A title, ko: 제목}\nreview: {status: unreviewed}\nstate: " + state + "\n"
		if strings.HasPrefix(state, "merged") {
			src += "org: {slug: shop, name: Shop}\nsummary: {en: It stopped., ko: 멈췄다.}\ndate: 2024-01-01\ndate_kind: occurred\n" +
				"symptoms: {text: {en: Silence., ko: 조용했다.}, codes: [timeout]}\ncauses: [{code: config-error, role: root}]\n" +
				"components: [{code: database, role: origin}]\nsources: [{id: a, url: https://example.com, kind: official-postmortem}]\n"
		}
		if err := os.WriteFile(filepath.Join(dir, id+".yaml"), []byte(src), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Dir(dir)
}

// ask returns the status and the body of a page.
func ask(t *testing.T, address, accept string) (int, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Accept", accept)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(body)
}

// told returns what each face tells of a case that it does not show.
func told(t *testing.T, base, id string, status int) map[string]string {
	t.Helper()
	all := map[string]string{}
	for path, accept := range map[string]string{
		"/cases/" + id: "text/html", "/ko/cases/" + id: "text/html", "/cases/" + strings.ToLower(id): "text/html",
		"/cases/" + id + "/similar": "text/html", "/cases/" + id + ".md": "*/*", "/cases/" + id + ".json": "*/*",
		"/api/v1/cases/" + id: "*/*", "/api/v1/cases/" + id + "/similar": "*/*",
	} {
		got, body := ask(t, base+path, accept)
		if got != status {
			t.Errorf("%s: status %d, want %d", path, got, status)
		}
		all[path] = body
	}
	session := connect(t, base+"/mcp")
	res, err := session.CallTool(context.Background(), &sdk.CallToolParams{Name: "get_incident", Arguments: map[string]any{"id": id}})
	if err != nil || !res.IsError {
		t.Errorf("get_incident: %v, %v; want a mistake", res, err)
	} else {
		all["get_incident"] = res.Content[0].(*sdk.TextContent).Text
	}
	_, err = session.ReadResource(context.Background(), &sdk.ReadResourceParams{URI: "precedent://cases/" + id})
	if err == nil {
		t.Fatal("the resource of the case is there")
	}
	all["resource"] = err.Error()
	return all
}

func TestDraftsAreNotServed(t *testing.T) {
	dir := states(t)
	site, _ := serveTest(t, "--library", dir, "--rate", "0", "--log-level", "error")
	for face, text := range told(t, site, "SHOP-0001", http.StatusNotFound) {
		want := "is a draft, and drafts are not shown here"
		if strings.HasPrefix(face, "/ko/") {
			want = "초안은 여기에 보이지 않는다"
		}
		if !strings.Contains(text, want) || strings.Contains(text, "rumours") {
			t.Errorf("%s tells: %s", face, text)
		}
	}
	for _, path := range []string{"/cases/SHOP-0011", "/sitemap.xml", "/feed.xml", "/cases", "/search?q=rumours"} {
		if _, body := ask(t, site+path, "text/html"); strings.Contains(body, "SHOP-0001") {
			t.Errorf("%s names the draft", path)
		}
	}
	site, _ = serveTest(t, "--library", dir, "--rate", "0", "--log-level", "error", "--drafts")
	for path, accept := range map[string]string{"/cases/SHOP-0001": "text/html", "/api/v1/cases/SHOP-0001": "*/*"} {
		if status, body := ask(t, site+path, accept); status != http.StatusOK || !strings.Contains(body, "rumours") {
			t.Errorf("with --drafts, %s: status %d, want the draft", path, status)
		}
	}
	res, err := connect(t, site+"/mcp").CallTool(context.Background(),
		&sdk.CallToolParams{Name: "get_incident", Arguments: map[string]any{"id": "SHOP-0001"}})
	if err != nil || res.IsError || !strings.Contains(res.Content[0].(*sdk.TextContent).Text, "This case is a draft.") {
		t.Errorf("with --drafts, get_incident: %v, %v", res, err)
	}
}

func TestWithdrawnCasesTellWhy(t *testing.T) {
	dir := states(t)
	site, _ := serveTest(t, "--library", dir, "--rate", "0", "--log-level", "error", "--drafts")
	for face, text := range told(t, site, "SHOP-0002", http.StatusGone) {
		reason := "It was a planned stop."
		if strings.HasPrefix(face, "/ko/") {
			reason = "계획된 중단이었다."
		}
		if !strings.Contains(text, reason) || !strings.Contains(text, "SHOP-0003") || strings.Contains(text, "rumours") {
			t.Errorf("%s tells: %s", face, text)
		}
	}
	// A successor that is not shown is not named.
	site, _ = serveTest(t, "--library", dir, "--rate", "0", "--log-level", "error")
	for face, text := range told(t, site, "SHOP-0004", http.StatusGone) {
		if strings.Contains(text, "SHOP-0001") {
			t.Errorf("%s names the draft: %s", face, text)
		}
	}
}

// The command line shows drafts to their author, and of a withdrawn case what
// the other faces show.
func TestStatesOnTheCommandLine(t *testing.T) {
	dir := states(t)
	do := func(args ...string) (int, string) {
		var out bytes.Buffer
		code := run(t.Context(), &process{
			args: append([]string{"--library", dir}, args...), env: func(string) string { return "" },
			in: strings.NewReader(""), out: &out, err: &out,
		})
		return code, out.String()
	}
	if code, out := do("show", "SHOP-0001"); code != exitOK || !strings.Contains(out, "This case is a draft.") {
		t.Errorf("a draft: code %d, %s", code, out)
	}
	if code, out := do("similar", "SHOP-0001"); code != exitOK {
		t.Errorf("cases like a draft: code %d, %s", code, out)
	}
	for lang, want := range map[string]string{
		"en": "precedent: the case \"SHOP-0002\" was withdrawn\n  It was a planned stop.\n  read SHOP-0003 instead\n",
		"ko": "precedent: 철회된 사례다: \"SHOP-0002\"\n  계획된 중단이었다.\n  대신 SHOP-0003 사례를 읽는다\n",
	} {
		if code, out := do("--lang", lang, "show", "SHOP-0002"); code != exitUsage || out != want {
			t.Errorf("a withdrawn case: code %d, %q, want %q", code, out, want)
		}
	}
	if code, out := do("list", "--json"); code != exitOK || strings.Contains(out, "SHOP-") {
		t.Errorf("list: code %d, names %v", code, strings.Contains(out, "SHOP-"))
	}
}
