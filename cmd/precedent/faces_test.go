package main

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// answer is what a face tells: the cases in their order, and how many there
// are.
type answer struct {
	IDs   []string
	Total int
}

// questions are asked of every face; all must tell the same.
var questions = []struct {
	name string
	cli  []string
	path string // of the page, and under /api/v1 of the API
	tool string
	args map[string]any
}{
	{
		"search in English", []string{"search", "-n", "8", "overload after a cache restart"},
		"/search?q=overload+after+a+cache+restart&limit=8",
		"search_incidents", map[string]any{"query": "overload after a cache restart", "limit": 8},
	},
	{
		"search in Korean", []string{"--lang", "ko", "search", "-n", "8", "프록시로 바꾼 뒤 writer CPU 100%"},
		"/search?q=" + url.QueryEscape("프록시로 바꾼 뒤 writer CPU 100%") + "&limit=8&lang=ko",
		"search_incidents", map[string]any{"query": "프록시로 바꾼 뒤 writer CPU 100%", "limit": 8, "lang": "ko"},
	},
	{
		"search with a filter", []string{"search", "-n", "5", "timeout", "--mechanism", "retry-storm", "--year", "2019-"},
		"/search?q=timeout&mechanism=retry-storm&year=2019-&limit=5",
		"search_incidents", map[string]any{"query": "timeout", "terms": []string{"mechanism/retry-storm"}, "years": "2019-", "limit": 5},
	},
	{
		"list by organisation", []string{"list", "--org", "github", "-n", "5"},
		"/cases?org=github&limit=5", "list_incidents", map[string]any{"terms": []string{"org/github"}, "limit": 5},
	},
}

func TestFacesGiveTheSameAnswer(t *testing.T) {
	base := startServer(t)
	session := connect(t, base+"/mcp")
	for _, q := range questions {
		t.Run(q.name, func(t *testing.T) {
			want := askCommand(t, q.cli)
			if len(want.IDs) == 0 {
				t.Fatal("the command found nothing, so nothing is compared")
			}
			for face, got := range map[string]answer{
				"the API":   askAPI(t, base+"/api/v1"+q.path),
				"MCP":       askTool(t, session, q.tool, q.args),
				"page data": askAPI(t, base+strings.Replace(q.path, "?", ".json?", 1)),
				"the page":  {askPage(t, base+q.path, len(want.IDs)), want.Total},
			} {
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("%s differs from the command (-command +face):\n%s", face, diff)
				}
			}
		})
	}
}

// TestFacesShowTheSameCase compares whole records: what the command prints is,
// byte for byte in canonical JSON, what the API returns.
func TestFacesShowTheSameCase(t *testing.T) {
	base := startServer(t)
	for cli, path := range map[string]string{
		"show IL-0282": "/cases/IL-0282", "similar IL-0212": "/cases/IL-0212/similar",
		"topic mechanism/retry-storm": "/topics/mechanism/retry-storm", "vocab mechanism": "/vocab/mechanism",
	} {
		want := canonicalJSON(t, command(t, append(strings.Fields(cli), "--json")))
		for _, address := range []string{"/api/v1" + path, path + ".json"} {
			if diff := cmp.Diff(want, canonicalJSON(t, get(t, base+address))); diff != "" {
				t.Errorf("%s differs from `precedent %s --json` (-command +face):\n%s", address, cli, diff)
			}
		}
	}
}

// startServer runs `precedent serve` inside the test and returns its address.
func startServer(t *testing.T) string {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	r, w := io.Pipe()
	done := make(chan int, 1)
	go func() {
		done <- run(ctx, &process{
			args: []string{"serve", "--addr", "127.0.0.1:0", "--rate", "0", "--log-level", "error"},
			env:  func(string) string { return "" }, in: strings.NewReader(""), out: io.Discard, err: w,
		})
	}()
	t.Cleanup(func() {
		cancel()
		select {
		case code := <-done:
			if code != exitOK {
				t.Errorf("serve ended with code %d", code)
			}
		case <-time.After(30 * time.Second):
			t.Error("serve did not stop")
		}
	})
	greeting := make(chan string)
	go func() {
		var seen strings.Builder
		found := false
		buf := make([]byte, 4096)
		for {
			n, err := r.Read(buf)
			seen.Write(buf[:n])
			if m := regexp.MustCompile(`site  (http://\S+)/\n`).FindStringSubmatch(seen.String()); m != nil && !found {
				found = true
				greeting <- m[1]
			}
			if err != nil {
				return
			}
		}
	}()
	select {
	case base := <-greeting:
		return base
	case <-time.After(60 * time.Second):
		t.Fatal("serve did not say where it listens")
		return ""
	}
}

func command(t *testing.T, args []string) []byte {
	t.Helper()
	out, code := commandCode(t, args...)
	if code != exitOK {
		t.Fatalf("precedent %s: code %d", strings.Join(args, " "), code)
	}
	return out
}

// commandCode runs a command and returns its output and its exit code.
func commandCode(t *testing.T, args ...string) ([]byte, int) {
	t.Helper()
	var out, errs buffer
	code := run(t.Context(), &process{args: args, env: func(string) string { return "" }, in: strings.NewReader(""), out: &out, err: &errs})
	if code != exitOK {
		t.Logf("precedent %s: %s", strings.Join(args, " "), errs.String())
	}
	return out.Bytes(), code
}

func askCommand(t *testing.T, args []string) answer {
	t.Helper()
	return decode(t, command(t, append(slices.Clone(args), "--json")))
}

func get(t *testing.T, address string) []byte {
	t.Helper()
	resp, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Fatalf("GET %s: %v, %v: %.300s", address, resp.Status, err, body)
	}
	return body
}

func askAPI(t *testing.T, address string) answer {
	t.Helper()
	return decode(t, get(t, address))
}

func decode(t *testing.T, body []byte) answer {
	t.Helper()
	var result struct {
		Total int
		Hits  []struct{ ID string }
		Cases []struct{ ID string } // of a list
	}
	if err := json.Unmarshal(body, &result); err != nil {
		t.Fatalf("%v in %.300s", err, body)
	}
	a := answer{Total: result.Total}
	for _, h := range slices.Concat(result.Hits, result.Cases) {
		a.IDs = append(a.IDs, h.ID)
	}
	return a
}

var hitLink = regexp.MustCompile(`href="(?:/ko)?/cases/([A-Z]+-\d+)"`)

// askPage returns the first n cases that a page links to, which are its
// results.
func askPage(t *testing.T, address string, n int) []string {
	t.Helper()
	var ids []string
	for _, m := range hitLink.FindAllStringSubmatch(string(get(t, address)), -1) {
		if !slices.Contains(ids, m[1]) && len(ids) < n {
			ids = append(ids, m[1])
		}
	}
	return ids
}

func connect(t *testing.T, endpoint string) *sdk.ClientSession {
	t.Helper()
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil)
	session, err := client.Connect(t.Context(), &sdk.StreamableClientTransport{Endpoint: endpoint}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { session.Close() })
	return session
}

func askTool(t *testing.T, session *sdk.ClientSession, tool string, args map[string]any) answer {
	t.Helper()
	result, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		t.Fatal(err)
	}
	body, err := json.Marshal(result.StructuredContent)
	if err != nil || result.IsError {
		t.Fatalf("%s: %v, %v", tool, err, result.Content)
	}
	return decode(t, body)
}

func canonicalJSON(t *testing.T, body []byte) string {
	t.Helper()
	var v any
	if err := json.Unmarshal(body, &v); err != nil {
		t.Fatalf("%v in %.300s", err, body)
	}
	out, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}
