package web

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/openprecedent/precedent/internal/app"
)

func TestHeaders(t *testing.T) {
	h := newSite(t)
	for _, path := range []string{"/", "/ko/cases/IL-0212", "/search?q=proxy", "/nowhere", loadAssets().url(styleFile)} {
		w := get(h, path)
		if got := w.Header().Get("Content-Security-Policy"); got != policy {
			t.Errorf("%s: Content-Security-Policy %q, want %q", path, got, policy)
		}
		if got := w.Header().Get("X-Content-Type-Options"); got != "nosniff" {
			t.Errorf("%s: X-Content-Type-Options %q", path, got)
		}
	}
	for _, path := range []string{"/simulator", "/ko/simulator", "/simulator/runs/none", loadAssets().url(workerFile)} {
		got := get(h, path).Header().Get("Content-Security-Policy")
		if got != simPolicy || !strings.Contains(got, "worker-src 'self'") || strings.Contains(got, "'unsafe") {
			t.Errorf("%s: Content-Security-Policy %q, want %q", path, got, simPolicy)
		}
	}
	if strings.Contains(policy, "unsafe") {
		t.Errorf("the policy %q is unsafe", policy)
	}
}

func TestIconAtItsOldAddress(t *testing.T) {
	h := newSite(t)
	w := get(h, "/favicon.ico")
	icon := get(h, w.Header().Get("Location"))
	if w.Code != http.StatusFound || icon.Code != http.StatusOK || icon.Header().Get("Content-Type") != "image/svg+xml" {
		t.Errorf("status %d to %q: status %d, %q", w.Code, w.Header().Get("Location"), icon.Code, icon.Header().Get("Content-Type"))
	}
}

func TestConditionalRequests(t *testing.T) {
	h := newSite(t)
	for _, path := range []string{"/", "/cases/IL-0212", "/search?q=proxy", "/docs/api", loadAssets().url(scriptFile), loadAssets().url(latinFont)} {
		first := get(h, path)
		tag := first.Header().Get("ETag")
		if !strings.HasPrefix(tag, `"`) {
			t.Errorf("%s: ETag %q is not strong", path, tag)
			continue
		}
		for _, header := range []string{tag, "W/" + tag, `"x", ` + tag, "*"} {
			w := get(h, path, "If-None-Match", header)
			if w.Code != http.StatusNotModified || w.Body.Len() != 0 {
				t.Errorf("%s with If-None-Match %s: status %d and %d bytes, want 304 and none", path, header, w.Code, w.Body.Len())
			}
		}
		if w := get(h, path, "If-None-Match", `"other"`); w.Code != http.StatusOK {
			t.Errorf("%s with another tag: status %d, want 200", path, w.Code)
		}
		head := httptest.NewRecorder()
		h.ServeHTTP(head, httptest.NewRequest(http.MethodHead, path, nil))
		if head.Code != http.StatusOK || head.Body.Len() != 0 || head.Header().Get("Content-Length") != first.Header().Get("Content-Length") {
			t.Errorf("HEAD %s: status %d, %d bytes, length %q; GET has length %q",
				path, head.Code, head.Body.Len(), head.Header().Get("Content-Length"), first.Header().Get("Content-Length"))
		}
	}
}

func TestGzip(t *testing.T) {
	h := newSite(t)
	plain := get(h, "/cases/IL-0212")
	for _, test := range []struct {
		accept string
		zipped bool
	}{{"gzip, deflate, br", true}, {"br;q=1, gzip;q=0.5", true}, {"gzip;q=0", false}, {"identity", false}, {"", false}, {"gzip;q=x", false}} {
		w := get(h, "/cases/IL-0212", "Accept-Encoding", test.accept)
		if got := w.Header().Get("Content-Encoding") == "gzip"; got != test.zipped {
			t.Errorf("Accept-Encoding %q: gzip %v, want %v", test.accept, got, test.zipped)
			continue
		}
		body := w.Body.Bytes()
		if test.zipped {
			z, err := gzip.NewReader(bytes.NewReader(body))
			if err != nil {
				t.Fatal(err)
			}
			body, _ = io.ReadAll(z)
			if w.Header().Get("ETag") == plain.Header().Get("ETag") {
				t.Error("the zipped page has the tag of the plain one")
			}
		}
		if !bytes.Equal(body, plain.Body.Bytes()) {
			t.Errorf("Accept-Encoding %q: another page", test.accept)
		}
	}
}

func TestRedirects(t *testing.T) {
	h := newSite(t)
	for _, test := range []struct{ path, to string }{
		{"/cases/il-0212", "/cases/IL-0212"},
		{"/ko/cases/il-0212/similar", "/ko/cases/IL-0212/similar"},
		{"/topics/retry-storm", "/topics/mechanism/retry-storm"},
		{"/ko/topics/재시도%20폭주", "/ko/topics/mechanism/retry-storm"},
		{"/topics/mechanism", "/topics#mechanism"},
		{"/ko", "/ko/"},
		{"/cases/", "/cases"},
		{"/search/?q=a+b&limit=2", "/search?q=a+b&limit=2"},
		{"/ko?q=a", "/ko/?q=a"},
		{"/KO", "/ko/"},
		{"/KO/", "/ko/"},
		{"/Ko/cases/IL-0212?a=b", "/ko/cases/IL-0212?a=b"},
		{"/a%3Fb%20c/", "/a%3Fb%20c"},
		{"/docs", "/docs/api"},
		{"/ko/docs", "/ko/docs/api"},
		{"/cases/../about", "/about"},
	} {
		w := get(h, test.path)
		if to := w.Header().Get("Location"); w.Code != http.StatusMovedPermanently && w.Code != http.StatusTemporaryRedirect && w.Code != http.StatusPermanentRedirect || to != test.to {
			t.Errorf("%s: status %d to %q, want %q", test.path, w.Code, to, test.to)
		}
	}
	if w := get(h, "/%2f%2fevil.example/"); strings.HasPrefix(w.Header().Get("Location"), "//") {
		t.Errorf("the redirect leads to another host: %q", w.Header().Get("Location"))
	}
	post := httptest.NewRecorder()
	h.ServeHTTP(post, httptest.NewRequest(http.MethodPost, "/search", strings.NewReader("q=a")))
	if post.Code != http.StatusMethodNotAllowed || post.Header().Get("Allow") == "" {
		t.Errorf("POST: status %d, Allow %q, want 405 with the methods", post.Code, post.Header().Get("Allow"))
	}
}

// TestOptions holds what pages say of methods to what they do.
func TestOptions(t *testing.T) {
	h := newSite(t)
	for method, status := range map[string]int{http.MethodOptions: http.StatusNoContent, http.MethodPut: http.StatusMethodNotAllowed} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(method, "/cases", nil))
		if got := w.Header().Get("Allow"); w.Code != status || got != "GET, HEAD, OPTIONS" {
			t.Errorf("%s: %d, Allow %q, want %d and all three methods", method, w.Code, got, status)
		}
	}
}

// TestReflection sends markup wherever an address is shown again.
func TestReflection(t *testing.T) {
	h := newSite(t)
	const attack = `"><script>alert(1)</script><img src=x onerror=alert(1)>'`
	escaped := "%22%3E%3Cscript%3Ealert(1)%3C%2Fscript%3E%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E%27"
	for _, path := range []string{
		"/search?q=" + escaped, "/search?part=results&q=" + escaped, "/search?q=" + escaped + "&component=database",
		"/search?q=" + strings.Repeat(escaped, 20), "/search?mechanism=" + escaped, "/search?" + escaped + "=1",
		"/search?year=" + escaped, "/search?longer_than=" + escaped, "/search?cursor=" + escaped,
		"/cases/" + escaped, "/topics/" + escaped, "/topics/mechanism/" + escaped, "/vocab/" + escaped, "/" + escaped,
		"/cases?cursor=" + escaped, "/ko/" + escaped,
	} {
		body := get(h, path).Body.String()
		if strings.Contains(body, "<script>alert") || strings.Contains(body, "<img src=x") || strings.Contains(body, attack) {
			t.Errorf("%s: the page repeats markup", path)
		}
	}
	r := httptest.NewRequest(http.MethodGet, "/docs/mcp", nil)
	r.Host = `evil"><script>alert(1)</script>`
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	if strings.Contains(w.Body.String(), "<script>alert") || !strings.Contains(w.Body.String(), "http://127.0.0.1:8080/mcp") {
		t.Error("/docs/mcp shows a host that is none")
	}
}

func TestDocsShowTheAddress(t *testing.T) {
	a := open(t)
	w := get(newSite(t), "/docs/mcp")
	if !strings.Contains(w.Body.String(), "claude mcp add --transport http precedent http://example.com/mcp") {
		t.Error("/docs/mcp does not show the address of the request")
	}
	configured := New(func() *app.App { return a }, Options{Origin: "https://incidents.example.org/"})
	for path, want := range map[string]string{
		"/docs/mcp":         "precedent https://incidents.example.org/mcp",
		"/ko/docs/api":      "https://incidents.example.org/api/v1/cases/IL-0212",
		"/ko/cases/IL-0212": `hreflang="en" href="https://incidents.example.org/cases/IL-0212"`,
	} {
		if body := get(configured, path).Body.String(); !strings.Contains(body, want) || strings.Contains(body, "ORIGIN") {
			t.Errorf("%s: want %q in it, and no placeholder", path, want)
		}
	}
	if w := get(configured, "/docs/format"); w.Code != http.StatusNotFound {
		t.Errorf("/docs/format without the document: status %d, want 404", w.Code)
	}
}

// TestCacheFollowsTheLibrary swaps the library under a site.
func TestCacheFollowsTheLibrary(t *testing.T) {
	a := open(t)
	small := fixture(t, "PR-0001")
	now := a
	h := New(func() *app.App { return now }, Options{})
	if w := get(h, "/cases/IL-0212"); w.Code != http.StatusOK {
		t.Fatalf("status %d", w.Code)
	}
	now = small
	if w := get(h, "/cases/IL-0212"); w.Code != http.StatusNotFound {
		t.Errorf("a case of the old library: status %d, want 404", w.Code)
	}
	now = a
	if w := get(h, "/cases/IL-0212"); w.Code != http.StatusOK {
		t.Errorf("back again: status %d", w.Code)
	}
}

func TestCacheIsBounded(t *testing.T) {
	c := newCache(1000)
	for i := range 100 {
		c.put("v1", strings.Repeat("k", i+1), newDocument(bytes.Repeat([]byte{byte(i)}, 100)))
		if c.bytes > 1000 {
			t.Fatalf("the cache holds %d bytes, at most 1000", c.bytes)
		}
	}
	if _, ok := c.get("v2", "k"); ok {
		t.Error("a page of another version is found")
	}
}

func TestSmallLibraries(t *testing.T) {
	for _, ids := range [][]string{nil, {"PR-0001"}} {
		a := fixture(t, ids...)
		h := New(func() *app.App { return a }, Options{})
		for _, path := range []string{"/", "/ko/", "/cases", "/search", "/search?q=nothing", "/topics", "/vocab", "/about", "/ko/cases/PR-0001"} {
			w := get(h, path)
			want := http.StatusOK
			if strings.HasSuffix(path, "PR-0001") && len(ids) == 0 {
				want = http.StatusNotFound
			}
			if w.Code != want {
				t.Errorf("%d cases, %s: status %d, want %d", len(ids), path, w.Code, want)
			}
		}
	}
}

// TestDocumentsLeadToPages holds the links of the documents that are files of
// the repository too to the pages that they have here, in the same language.
func TestDocumentsLeadToPages(t *testing.T) {
	h := newSite(t)
	for _, path := range []string{"/docs/format", "/docs/system", "/ko/docs/format", "/ko/docs/system"} {
		body := get(h, path).Body.String()
		_, article, ok := strings.Cut(body, "<article")
		article, _, closed := strings.Cut(article, "</article>")
		if !ok || !closed {
			t.Fatalf("%s has no article", path)
		}
		for _, m := range regexp.MustCompile(`href="([^"#][^"]*)"`).FindAllStringSubmatch(article, -1) {
			to, _, _ := strings.Cut(m[1], "#")
			if strings.HasPrefix(to, "https://") {
				continue
			}
			if strings.HasPrefix(path, "/ko/") != strings.HasPrefix(to, "/ko/") {
				t.Errorf("%s: a link leads to the other language: %s", path, to)
			}
			if w := get(h, to); w.Code != http.StatusOK {
				t.Errorf("%s: a link leads to %s, status %d", path, to, w.Code)
			}
		}
		if korean := strings.Contains(article, "이다."); korean != strings.HasPrefix(path, "/ko/") {
			t.Errorf("%s is in the other language", path)
		}
	}
}
