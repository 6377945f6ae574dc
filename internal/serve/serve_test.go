package serve

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/bilingual"
)

// text returns a figure as /metrics shows it.
func (m *metrics) text(t *testing.T, name, label string) string {
	t.Helper()
	rec := httptest.NewRecorder()
	m.handler().ServeHTTP(rec, httptest.NewRequest("GET", "/metrics", nil))
	for line := range strings.Lines(rec.Body.String()) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		if strings.HasPrefix(key, name) && strings.Contains(key, label) {
			return value
		}
	}
	return ""
}

func get(t *testing.T, addr, path string) (*http.Response, string) {
	t.Helper()
	resp, err := http.Get("http://" + addr + path)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp, string(body)
}

func TestRoutes(t *testing.T) {
	_, addr := start(t, Options{Metrics: true})
	for path, want := range map[string]string{
		"/": "page", "/cases/EX-0001": "page", "/ko/cases/EX-0001": "page", "/static/x.css": "page",
		"/cases/EX-0001.json": "data", "/api/v1/cases": "page", "/openapi.json": "data", "/feed.atom": "data",
		"/healthz": "ok\n", "/mcp": "GET 0 <nil>",
	} {
		if resp, got := get(t, addr, path); got != want || resp.StatusCode != 200 {
			t.Errorf("%s = %d %q, want %q", path, resp.StatusCode, got, want)
		}
	}
}

func TestHeaders(t *testing.T) {
	_, addr := start(t, Options{Faces: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Security-Policy", "default-src 'self'")
	})})
	resp, _ := get(t, addr, "/")
	for name, want := range map[string]string{
		"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer",
		"Content-Security-Policy": "default-src 'self'", "X-Frame-Options": "DENY",
		"Cross-Origin-Resource-Policy": "same-origin",
	} {
		if got := resp.Header.Get(name); got != want {
			t.Errorf("%s = %q, want %q", name, got, want)
		}
	}
	if got := resp.Header.Get("X-Request-Id"); len(got) != 16 {
		t.Errorf("X-Request-Id = %q, want 16 digits", got)
	}
	if got := resp.Header.Get("Server"); got != "" {
		t.Errorf("Server = %q, want nothing", got)
	}
}

func TestRequestID(t *testing.T) {
	loopback := []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
	for _, tt := range []struct {
		name, given string
		trust       []netip.Prefix
		taken       bool
	}{
		{"of a proxy", "abc-123.DEF_4", loopback, true},
		{"of a stranger", "abc-123.DEF_4", nil, false},
		{"malformed", "a b\tc<script>", loopback, false},
		{"too long", strings.Repeat("a", 65), loopback, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, addr := start(t, Options{TrustProxy: tt.trust})
			_, header, _ := raw(t, addr, "GET / HTTP/1.1\r\nHost: localhost\r\nX-Request-Id: "+tt.given+"\r\n\r\n")
			if got := header.Get("X-Request-Id"); (got == tt.given) != tt.taken {
				t.Errorf("id %q given, %q used, want it taken over: %v", tt.given, got, tt.taken)
			}
		})
	}
}

func TestHosts(t *testing.T) {
	base, err := url.Parse("https://precedent.example.org")
	if err != nil {
		t.Fatal(err)
	}
	_, addr := start(t, Options{BaseURL: base})
	for host, want := range map[string]int{
		"localhost": 200, "LOCALHOST:99": 200, "127.0.0.1": 200, "127.9.9.9:1": 200, "[::1]:8080": 200,
		"precedent.localhost": 200, "precedent.example.org": 200, "PRECEDENT.example.org.:443": 200,
		"evil.example": 421, "precedent.example.org.evil.example": 421, "10.0.0.1": 421, "0.0.0.0": 421,
	} {
		if status, _, body := raw(t, addr, "GET / HTTP/1.1\r\nHost: "+host+"\r\n\r\n"); status != want {
			t.Errorf("host %q = %d %q, want %d", host, status, body, want)
		}
	}
	if status, _, _ := raw(t, addr, "GET /healthz HTTP/1.1\r\nHost: 10.1.2.3\r\n\r\n"); status != 200 {
		t.Errorf("a probe that names a pod's address = %d, want 200", status)
	}
}

func TestPanic(t *testing.T) {
	var log logBuffer
	s, addr := start(t, Options{
		Log: slog.New(slog.NewTextHandler(&log, nil)),
		Faces: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Cache-Control", "public, max-age=300")
			_, _ = io.WriteString(w, "half a pa")
			switch r.URL.Path {
			case "/large":
				_, _ = w.Write(make([]byte, maxHeld))
			case "/abort":
				panic(http.ErrAbortHandler)
			}
			panic("the inside")
		}),
	})
	for range 2 * runtime.GOMAXPROCS(0) { // a panic gives its slot back
		resp, body := get(t, addr, "/")
		if resp.StatusCode != 500 || strings.Contains(body, "inside") || strings.Contains(body, "half") {
			t.Errorf("a panic came out as %d %q", resp.StatusCode, body)
		}
		if resp.Header.Get("Cache-Control") != "no-store" || resp.Header.Get("X-Request-Id") == "" ||
			resp.Header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("a panic came with %v", resp.Header)
		}
	}
	for _, path := range []string{"/large", "/abort"} {
		resp, err := http.Get("http://" + addr + path)
		if err != nil {
			continue
		}
		if _, err = io.ReadAll(resp.Body); err == nil {
			t.Errorf("%s: an answer that broke in the middle looks whole", path)
		}
		resp.Body.Close()
	}
	if !strings.Contains(log.String(), "the inside") || !strings.Contains(log.String(), "serve_test.go") {
		t.Errorf("the log has no stack:\n%s", log.String())
	}
	// An abort is meant. One more than the small ones: the large one.
	if got, want := s.metrics.text(t, "precedent_panics_total", ""), fmt.Sprint(2*runtime.GOMAXPROCS(0)+1); got != want {
		t.Errorf("%s panics counted, want %s", got, want)
	}
}

func TestReadiness(t *testing.T) {
	l, dir := openTest(t)
	_, addr := start(t, Options{Library: l})
	ready := func() (r readiness) {
		t.Helper()
		_, body := get(t, addr, "/readyz")
		if err := json.Unmarshal([]byte(body), &r); err != nil {
			t.Fatalf("/readyz = %q: %v", body, err)
		}
		return r
	}
	if got := ready(); got.Status != "ready" || got.Cases != 1 || got.ReloadFailed != "" {
		t.Errorf("/readyz = %+v", got)
	}
	if err := os.RemoveAll(filepath.Join(dir, "cases")); err != nil {
		t.Fatal(err)
	}
	_, _ = l.Reload(quiet())
	if got := ready(); got.Cases != 0 || got.CasesBefore != 1 {
		t.Errorf("without the folder of cases, /readyz = %+v, want 0 cases and 1 before", got)
	}
	writeCase(t, dir, "EX-0001", "The database stopped")
	_, _ = l.Reload(quiet())
	if got := ready(); got.Cases != 1 || got.CasesBefore != 0 {
		t.Errorf("with the folder again, /readyz = %+v, want 1 case and none missing", got)
	}
	write(t, filepath.Join(dir, "cases", "EX-0002.yaml"), "id: [")
	_, _ = l.Reload(quiet())
	if got := ready(); got.Status != "ready" || got.ReloadFailed == "" {
		t.Errorf("with a broken file, /readyz = %+v, want ready and when the reload failed", got)
	}
}

func TestMetrics(t *testing.T) {
	s, addr := start(t, Options{Metrics: true})
	get(t, addr, "/")
	get(t, addr, "/search?q=secret")
	_, body := get(t, addr, "/metrics")
	for _, want := range []string{
		`precedent_requests_total{class="page",status="200"} 1`,
		`precedent_requests_total{class="search",status="200"} 1`,
		`precedent_request_duration_seconds_count{class="search"} 1`,
		`precedent_library_info{version="` + s.opt.Library.State().Version + `"} 1`,
		`precedent_library_cases 1`, `precedent_library_reload_failing 0`,
		`precedent_library_reloads_total{result="failed"} 0`,
		`precedent_shed_total{line="search"} 0`, `precedent_connections 1`, `precedent_requests_in_flight 1`,
		"process_resident_memory_bytes", "go_goroutines",
	} {
		if !strings.Contains(body, want) {
			t.Errorf("/metrics has no %s", want)
		}
	}
	if strings.Contains(body, "secret") {
		t.Error("/metrics shows queries")
	}
	_, hidden := start(t, Options{})
	if resp, _ := get(t, hidden, "/metrics"); resp.StatusCode != 404 {
		t.Errorf("/metrics without leave = %d, want 404", resp.StatusCode)
	}
}

func TestServeMetrics(t *testing.T) {
	s, _ := start(t, Options{})
	l, err := Listen(t.Context(), "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- s.ServeMetrics(ctx, l) }()
	if _, body := get(t, l.Addr().String(), "/metrics"); !strings.Contains(body, "precedent_library_cases 1") {
		t.Errorf("/metrics on its own address = %q", body)
	}
	if resp, _ := get(t, l.Addr().String(), "/"); resp.StatusCode != 404 {
		t.Errorf("/ on the address of the metrics = %d, want 404", resp.StatusCode)
	}
	cancel()
	if err := <-done; err != nil {
		t.Errorf("ServeMetrics = %v, want nil after a stop", err)
	}
}

// TestOverload keeps all slots busy: what waits is turned away in time, other
// classes are served, and all is well when the load is gone.
func TestOverload(t *testing.T) {
	block := make(chan struct{})
	s, addr := start(t, Options{Faces: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/search") {
			<-block
		}
	})})
	var busyOnes sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		busyOnes.Go(func() { get(t, addr, "/search.json") })
	}
	eventually(t, "filling the slots", func() bool {
		busy, _ := s.gate.lines["search"].counts()
		return busy == runtime.GOMAXPROCS(0)
	})
	began := time.Now()
	resp, body := get(t, addr, "/search.json")
	if took := time.Since(began); resp.StatusCode != 503 || took > 5*patience {
		t.Errorf("a search too many = %d after %v, want 503 after %v", resp.StatusCode, took, patience)
	}
	if retry := resp.Header.Get("Retry-After"); retry < "1" || retry > "3" || len(retry) != 1 {
		t.Errorf("Retry-After = %q, want 1 to 3", retry)
	}
	var p problem
	if err := json.Unmarshal([]byte(body), &p); err != nil || p.Type != "/problems/overloaded" || p.Status != 503 {
		t.Errorf("body %q, want a problem", body)
	}
	if resp, _ := get(t, addr, "/cases/EX-0001"); resp.StatusCode != 200 {
		t.Errorf("a page beside busy searches = %d, want 200", resp.StatusCode)
	}
	if got := s.metrics.text(t, "precedent_shed_total", "search"); got != "1" {
		t.Errorf("%s counted as shed, want 1", got)
	}
	close(block)
	busyOnes.Wait()
	if resp, _ := get(t, addr, "/search.json"); resp.StatusCode != 200 {
		t.Errorf("a search after the overload = %d, want 200", resp.StatusCode)
	}
}

func TestUnlimited(t *testing.T) {
	s, addr := start(t, Options{Unlimited: true, Rate: 1})
	if s.buckets != nil || s.gate != nil {
		t.Errorf("an unlimited server has buckets %v and gate %v", s.buckets, s.gate)
	}
	if resp, _ := get(t, addr, "/search"); resp.StatusCode != 200 {
		t.Errorf("/search = %d, want 200", resp.StatusCode)
	}
}

func TestStop(t *testing.T) {
	enter, leave := make(chan struct{}), make(chan struct{})
	l, _ := openTest(t)
	s := New(Options{Library: l, Log: quiet(), StopDelay: 200 * time.Millisecond,
		Faces: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/" {
				close(enter)
				<-leave
			}
			_, _ = io.WriteString(w, "finished")
		})})
	listener, err := Listen(t.Context(), "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := listener.Addr().String()
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- s.Serve(ctx, listener) }()
	answered := make(chan string)
	go func() { _, body := get(t, addr, "/"); answered <- body }()
	<-enter
	stop()
	eventually(t, "telling balancers", func() bool {
		resp, body := get(t, addr, "/readyz")
		return resp.StatusCode == 503 && strings.Contains(body, "stopping")
	})
	if resp, _ := get(t, addr, "/cases.json"); resp.StatusCode != 200 {
		t.Errorf("a request during the delay = %d, want 200", resp.StatusCode)
	}
	eventually(t, "closing the port", func() bool {
		conn, err := net.Dial("tcp", addr)
		if err == nil {
			conn.Close()
		}
		return err != nil
	})
	close(leave)
	if got := <-answered; got != "finished" {
		t.Errorf("the answer under way = %q, want it finished", got)
	}
	if err := <-done; err != nil {
		t.Errorf("Serve = %v, want nil", err)
	}
}

func TestListen(t *testing.T) {
	l, err := Listen(t.Context(), "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	_, err = Listen(t.Context(), l.Addr().String())
	if app.KindOf(err) != app.Invalid || !strings.Contains(err.Error(), "taken") || app.Hint(err, bilingual.English, nil) == "" {
		t.Errorf("Listen on a taken port = %v with hint %q", err, app.Hint(err, bilingual.English, nil))
	}
	var e *app.Error
	if _, err = Listen(t.Context(), "nonsense"); !errors.As(err, &e) || e.Field != "addr" {
		t.Errorf("Listen on nonsense = %v, want an error about addr", err)
	}
}

func TestStreamOutlivesDeadlines(t *testing.T) {
	var s *Server
	s, addr := start(t, Options{MCP: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for end := time.Now().Add(s.timeouts.write + time.Second); time.Now().Before(end); {
			_, _ = io.WriteString(w, "data: x\n\n")
			if err := http.NewResponseController(w).Flush(); err != nil {
				t.Errorf("flush: %v", err)
				return
			}
			select {
			case <-r.Context().Done():
				t.Errorf("the stream was cancelled: %v", r.Context().Err())
				return
			case <-time.After(s.timeouts.write / 4):
			}
		}
		_, _ = io.WriteString(w, "data: end\n\n")
	})})
	resp, err := http.Post("http://"+addr+"/mcp", "application/json", strings.NewReader("{}"))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if body, err := io.ReadAll(resp.Body); err != nil || !strings.HasSuffix(string(body), "data: end\n\n") {
		t.Errorf("the stream ended as %q, %v", body, err)
	}
}
