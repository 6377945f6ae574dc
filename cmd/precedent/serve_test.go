package main

import (
	"context"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
)

// lines collects output that another goroutine reads meanwhile.
type lines struct {
	mu sync.Mutex
	b  strings.Builder
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// await returns the first match of a pattern in the output.
func (l *lines) await(t *testing.T, pattern string) []string {
	t.Helper()
	re := regexp.MustCompile(pattern)
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		if m := re.FindStringSubmatch(l.String()); m != nil {
			return m
		}
	}
	t.Fatalf("no %q in the output:\n%s", pattern, l.String())
	return nil
}

// serveTest runs `precedent serve` until the test ends.
func serveTest(t *testing.T, args ...string) (site string, out *lines) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	out = &lines{}
	p := &process{
		args: append([]string{"serve", "--addr", "127.0.0.1:0"}, args...),
		env:  func(string) string { return "" }, out: out, err: out, in: strings.NewReader(""),
	}
	done := make(chan int)
	go func() { done <- run(ctx, p) }()
	t.Cleanup(func() {
		cancel()
		if code := <-done; code != exitOK {
			t.Errorf("exit code %d after an interrupt, want %d:\n%s", code, exitOK, out)
		}
	})
	return out.await(t, `site +(http://\S+)/\n`)[1], out
}

func fetch(t *testing.T, address string) (status int, body string) {
	t.Helper()
	resp, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(b)
}

func TestServe(t *testing.T) {
	site, _ := serveTest(t)
	for path, want := range map[string]string{
		"/readyz": `"status":"ready"`, "/metrics": "precedent_library_cases", "/openapi.json": `"openapi"`,
		"/api/v1/cases/IL-0574": "IL-0574", "/cases/IL-0574.md": "# ", "/search.json?q=retry": `"hits"`,
	} {
		if status, body := fetch(t, site+path); status != http.StatusOK || !strings.Contains(body, want) {
			t.Errorf("%s = %d without %s", path, status, want)
		}
	}
	resp, err := http.Post(site+"/mcp", "application/json", strings.NewReader("{"))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode < 400 || resp.StatusCode == http.StatusNotFound {
		t.Errorf("half a message to /mcp = %d, want a complaint of MCP", resp.StatusCode)
	}
}

func TestServePrivateLibrary(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "cases"), 0o755); err != nil {
		t.Fatal(err)
	}
	site, out := serveTest(t, "--library", dir)

	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, site+"/api/v1/cases", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Origin", "https://elsewhere.example")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if got := resp.Header.Get("Access-Control-Allow-Origin"); got != "" {
		t.Errorf("pages of other sites may read a private library: %q", got)
	}

	if err := os.WriteFile(filepath.Join(dir, "cases", "EX-0001.yaml"), []byte("id: ["), 0o644); err != nil {
		t.Fatal(err)
	}
	out.await(t, "EX-0001.yaml:1:")
	if status, body := fetch(t, site+"/readyz"); status != http.StatusOK || !strings.Contains(body, "reload_failed") {
		t.Errorf("with a broken file, /readyz = %d %s", status, body)
	}
}

func TestServeMetricsElsewhere(t *testing.T) {
	site, out := serveTest(t, "--metrics-addr", "127.0.0.1:0", "--log", "json")
	metrics := out.await(t, `"address":"(http://[^"]+)"`)[1]
	if _, body := fetch(t, metrics); !strings.Contains(body, "precedent_library_cases") {
		t.Errorf("metrics = %q", body)
	}
	if status, _ := fetch(t, site+"/metrics"); status != http.StatusNotFound {
		t.Errorf("/metrics of the site = %d beside --metrics-addr, want 404", status)
	}
}

func TestServeMistakes(t *testing.T) {
	site, _ := serveTest(t)
	addr := strings.TrimPrefix(site, "http://")
	for _, tt := range []struct {
		args []string
		want []string
	}{
		{[]string{"--addr", addr}, []string{"is taken", "--addr 127.0.0.1:0"}},
		{[]string{"--addr", "nowhere"}, []string{`listening on "nowhere"`, "host:port"}},
		{[]string{"--log", "xml"}, []string{`"xml"`, "text or json"}},
		{[]string{"--log-level", "loud"}, []string{`"loud"`, "debug"}},
		{[]string{"--base-url", "example.org"}, []string{`"example.org"`, "https://"}},
		{[]string{"--base-url", "https://example.org/path"}, []string{"/path"}},
		{[]string{"--trust-proxy", "proxy"}, []string{`"proxy"`, "10.0.0.0/8"}},
		{[]string{"--rate", "-1"}, []string{"negative"}},
		{[]string{"--library", filepath.Join(t.TempDir(), "none")}, []string{"not a folder"}},
	} {
		out := &lines{}
		args := append([]string{"serve", "--addr", "127.0.0.1:0"}, tt.args...)
		code := run(t.Context(), &process{args: args, env: func(string) string { return "" }, out: out, err: out})
		if code != exitUsage {
			t.Errorf("%q: exit code %d, want %d", tt.args, code, exitUsage)
		}
		for _, want := range tt.want {
			if !strings.Contains(out.String(), want) {
				t.Errorf("%q: no %q in %q", tt.args, want, out.String())
			}
		}
	}
}
