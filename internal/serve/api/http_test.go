package api

import (
	"bytes"
	"compress/gzip"
	"crypto/tls"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/library"
	"github.com/openprecedent/precedent/internal/output"
)

// kinds are addresses of each kind of answer: kept, computed, and a file.
var kinds = []string{Root + "/cases/IL-0212", "/cases/IL-0212.md", Root + "/search?q=cache", "/feed.atom", "/all.zip"}

func TestRevalidation(t *testing.T) {
	h := testHandler(t)
	for _, target := range kinds {
		first := get(t, h, "GET", target)
		tag := first.Header().Get("ETag")
		if !strings.HasPrefix(tag, `"`) || !strings.HasSuffix(tag, `"`) || len(tag) < 10 {
			t.Errorf("GET %s: the ETag %s is not a strong one", target, tag)
		}
		for _, tt := range []struct {
			match string
			want  int
		}{
			{tag, 304}, {"W/" + tag, 304}, {`"other", ` + tag, 304}, {"*", 304},
			{`"other"`, 200}, {strings.Trim(tag, `"`), 200}, {tag[:len(tag)-2] + `"`, 200}, {"", 200},
		} {
			w := get(t, h, "GET", target, "If-None-Match", tt.match)
			if w.Code != tt.want {
				t.Errorf("GET %s with If-None-Match %s: status %d, want %d", target, tt.match, w.Code, tt.want)
			}
			if w.Code != http.StatusNotModified {
				continue
			}
			if w.Body.Len() != 0 || w.Header().Get("ETag") != tag || w.Header().Get("Cache-Control") != cacheControl || w.Header().Get("Vary") == "" {
				t.Errorf("GET %s: 304 with %d bytes and %v", target, w.Body.Len(), w.Header())
			}
		}
	}
}

// TestTagsDiffer holds that no two representations share an ETag, and that
// equal questions have the same one in whatever form they come.
func TestTagsDiffer(t *testing.T) {
	h := testHandler(t)
	seen := map[string]string{}
	for _, tt := range []struct{ target, accept, encoding string }{
		{"/cases/IL-0212", "application/json", ""}, {"/cases/IL-0212", "application/json", "gzip"},
		{"/cases/IL-0212", "text/markdown", ""}, {"/cases/IL-0212", "text/markdown", "gzip"},
		{"/ko/cases/IL-0212", "text/markdown", ""}, {"/cases/IL-0282", "application/json", ""},
		{"/search?q=cache", "application/json", ""}, {"/search?q=cache", "text/markdown", ""},
		{"/search?q=cache&lang=ko", "application/json", ""}, {"/search?q=cache&limit=3", "application/json", ""},
		{"/search?q=cache", "application/json", "gzip"}, {"/cases?limit=3", "application/json", ""},
	} {
		tag := get(t, h, "GET", tt.target, "Accept", tt.accept, "Accept-Encoding", tt.encoding).Header().Get("ETag")
		if other, again := seen[tag]; again || tag == "" {
			t.Errorf("%v has the ETag %s of %s", tt, tag, other)
		}
		seen[tag] = tt.target + " " + tt.accept + " " + tt.encoding
	}
	for _, same := range [][2]string{
		{"?mechanism=retry-storm,metastable-state", "?mechanism=metastable-state&mechanism=retry-storm"},
		{"?limit=3&year=2020-", "?year=2020-&limit=3"}, {"?facets=org,tag", "?facets=org&facets=tag"},
	} {
		a, b := get(t, h, "GET", Root+"/cases"+same[0]), get(t, h, "GET", Root+"/cases"+same[1])
		if a.Code != 200 || a.Header().Get("ETag") != b.Header().Get("ETag") {
			t.Errorf("%q and %q have the ETags %s and %s (status %d)", same[0], same[1], a.Header().Get("ETag"), b.Header().Get("ETag"), a.Code)
		}
	}
}

func TestHead(t *testing.T) {
	h := testHandler(t)
	for _, target := range append(kinds, Root+"/nothing") {
		full, head := get(t, h, "GET", target), get(t, h, "HEAD", target)
		if head.Code != full.Code || head.Body.Len() != 0 {
			t.Errorf("HEAD %s: status %d with %d bytes, want %d with none", target, head.Code, head.Body.Len(), full.Code)
		}
		for _, name := range []string{"ETag", "Content-Length", "Content-Type", "Vary", "Cache-Control"} {
			if got, want := head.Header().Get(name), full.Header().Get(name); got != want {
				t.Errorf("HEAD %s: %s is %q, GET has %q", target, name, got, want)
			}
		}
	}
}

func TestCompression(t *testing.T) {
	h := testHandler(t)
	for _, target := range kinds {
		plain, zipped := get(t, h, "GET", target), get(t, h, "GET", target, "Accept-Encoding", "br, gzip;q=0.5")
		if target == "/all.zip" {
			if zipped.Header().Get("Content-Encoding") != "" {
				t.Errorf("GET %s: an archive is compressed again", target)
			}
			continue
		}
		if zipped.Header().Get("Content-Encoding") != "gzip" || zipped.Body.Len() >= plain.Body.Len() {
			t.Errorf("GET %s: encoding %q, %d bytes of %d", target, zipped.Header().Get("Content-Encoding"), zipped.Body.Len(), plain.Body.Len())
			continue
		}
		zr, err := gzip.NewReader(zipped.Body)
		if err != nil {
			t.Fatal(err)
		}
		raw, err := io.ReadAll(zr)
		if err != nil || !bytes.Equal(raw, plain.Body.Bytes()) {
			t.Errorf("GET %s: the unpacked bytes differ (%v)", target, err)
		}
		if !strings.Contains(zipped.Header().Get("Vary"), "Accept-Encoding") {
			t.Errorf("GET %s: Vary is %q", target, zipped.Header().Get("Vary"))
		}
		if again := get(t, h, "GET", target, "Accept-Encoding", "gzip;q=0"); again.Header().Get("Content-Encoding") != "" {
			t.Errorf("GET %s: compressed against the client's wish", target)
		}
	}
}

func TestVary(t *testing.T) {
	h := testHandler(t)
	for _, tt := range []struct{ target, accept, want string }{
		{Root + "/cases/IL-0212", "application/json", "Accept, Accept-Encoding"},
		{Root + "/cases/IL-0212", "text/markdown", "Accept, Accept-Encoding, Accept-Language"},
		{Root + "/cases/IL-0212?lang=ko", "text/markdown", "Accept, Accept-Encoding"},
		{"/cases/IL-0212.json", "", "Accept-Encoding"},
		{"/cases/IL-0212.md", "", "Accept-Encoding, Accept-Language"},
		{"/ko/cases/IL-0212.md", "", "Accept-Encoding"},
		{Root + "/search?q=cache", "", "Accept, Accept-Encoding, Accept-Language"},
		{"/feed.json", "", "Accept-Encoding"},
	} {
		if got := get(t, h, "GET", tt.target, "Accept", tt.accept).Header().Get("Vary"); got != tt.want {
			t.Errorf("GET %s as %q: Vary is %q, want %q", tt.target, tt.accept, got, tt.want)
		}
	}
}

func TestRepresentations(t *testing.T) {
	h := testHandler(t)
	const json, md = "application/json", "text/markdown; charset=utf-8"
	for _, tt := range []struct {
		target, accept, accepted string
		code                     int
		mediaType, lang          string
	}{
		{"/cases/IL-0212", "", "", 200, json, ""},
		{"/cases/IL-0212", "*/*", "", 200, json, ""},
		{"/cases/IL-0212", "text/markdown, application/json;q=0.5", "", 200, md, "en"},
		{"/cases/IL-0212", "text/markdown", "ko-KR,ko;q=0.9,en;q=0.8", 200, md, "ko"},
		{"/cases/IL-0212?lang=en", "text/markdown", "ko", 200, md, "en"},
		{"/ko/cases/IL-0212", "text/markdown", "en", 200, md, "ko"},
		{"/cases/IL-0212.md", "application/json", "", 200, md, "en"},
		{"/cases/IL-0212.json", "text/html", "", 200, json, ""},
		{"/cases/IL-0212", "text/html", "", 406, "application/problem+json", "en"},
		{"/cases/IL-0212", "application/json;q=0", "", 406, "application/problem+json", "en"},
		{Root + "/stats", "text/markdown", "", 406, "application/problem+json", "en"},
		{"/ko" + Root + "/stats", "", "", 404, "application/problem+json", "ko"},
		{"/stats", "", "", 404, "application/problem+json", "en"},
		{Root + "/cases/IL-0212.json", "", "", 404, "application/problem+json", "en"},
		{"/ko/feed.atom", "", "", 200, "application/atom+xml; charset=utf-8", "ko"},
		{"/", "text/markdown, text/html, */*", "", 200, md, "en"},
		{"/ko/", "text/markdown", "", 200, md, "ko"},
		{"/", "application/json", "", 406, "application/problem+json", "en"},
		{"/ko/openapi.json", "", "", 404, "application/problem+json", "ko"},
	} {
		w := get(t, h, "GET", tt.target, "Accept", tt.accept, "Accept-Language", tt.accepted)
		if w.Code != tt.code || w.Header().Get("Content-Type") != tt.mediaType || w.Header().Get("Content-Language") != tt.lang {
			t.Errorf("GET %s as %q in %q: %d %q %q, want %d %q %q", tt.target, tt.accept, tt.accepted,
				w.Code, w.Header().Get("Content-Type"), w.Header().Get("Content-Language"), tt.code, tt.mediaType, tt.lang)
		}
	}
}

func TestRestIsPages(t *testing.T) {
	a := testApp(t)
	h := New(func() *app.App { return a }, Options{Rest: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, "page "+r.URL.Path)
	}), Articles: map[string]Article{
		"/about": func(l bilingual.Lang, origin string) (string, bilingual.Lang) {
			return "# About " + origin + " in " + string(l), l
		},
		"/docs/mcp": func(bilingual.Lang, string) (string, bilingual.Lang) { return "# MCP", bilingual.English },
	}})
	for _, tt := range []struct{ target, accept, want string }{
		{"/about", "text/markdown, text/html, */*", "# About http://example.com in en"},
		{"/about", "text/html, text/markdown", "page /about"},
		{"/ko/about", "", "page /ko/about"},
		{"/ko/about.md", "", "# About http://example.com in ko"},
		{"/about", "application/json", `"status": 406`},
		{"/elsewhere", "text/markdown", `"status": 404`},
		{"/elsewhere", "text/html, */*;q=0.5", "page /elsewhere"},
		{"/simulator/runs/x", "text/markdown", `"status": 406`},
		{"/docs/mcp", "application/json", `"status": 406`},
		{"/ko/docs/api", "image/png", `"status": 406`},
		{"/docs/api", "text/markdown", "# The precedent API"},
		{"/about.json", "*/*", "problem"},
		{"/api/v2/cases", "*/*", "problem"},
		{"/cases/IL-0212", "*/*", "IL-0212"},
	} {
		if w := get(t, h, "GET", tt.target, "Accept", tt.accept); !strings.Contains(w.Body.String(), tt.want) {
			t.Errorf("GET %s as %q: no %q in %.200s", tt.target, tt.accept, tt.want, w.Body)
		}
	}
}

func TestRedirects(t *testing.T) {
	h := testHandler(t)
	for _, tt := range []struct {
		target string
		code   int
		to     string
	}{
		{"/cases/il-0212.json", 308, "/cases/IL-0212.json"},
		{"/ko/cases/il-0212/similar.md?limit=3", 308, "/ko/cases/IL-0212/similar.md?limit=3"},
		{Root + "/cases/Il-0212/similar", 308, Root + "/cases/IL-0212/similar"},
		{Root + "/topics/retry-storm", 307, Root + "/topics/mechanism/retry-storm"},
		{"/topics/Retry%20storm.md", 307, "/topics/mechanism/retry-storm.md"},
		{"/topics/" + "%EC%9E%AC%EC%8B%9C%EB%8F%84%20%ED%8F%AD%EC%A3%BC", 307, "/topics/mechanism/retry-storm"},
		{"/topics/cause/retry-storm", 307, "/topics/mechanism/retry-storm"},
		{Root + "/cases/", 308, Root + "/cases"},
		{"/docs.md", 308, "/docs/api.md"},
		{"/ko/docs", 308, "/ko/docs/api"},
		{Root + "/", 307, "/docs/api.md"},
		{Root, 307, "/docs/api.md"},
		{"/api/", 307, "/docs/api.md"},
		{"/api", 307, "/docs/api.md"},
		{"//evil.example/cases", 308, "/evil.example/cases"},
		{"/cases/../topics.json", 308, "/topics.json"},
	} {
		w := get(t, h, "GET", tt.target)
		if w.Code != tt.code || w.Header().Get("Location") != tt.to {
			t.Errorf("GET %s: %d to %q, want %d to %q", tt.target, w.Code, w.Header().Get("Location"), tt.code, tt.to)
		}
	}
}

func TestOtherSites(t *testing.T) {
	h := testHandler(t)
	for _, target := range append(kinds, Root+"/nothing", Root+"/cases?x=1", "/cases/il-0212") {
		for _, method := range []string{"GET", "OPTIONS", "POST"} {
			w := get(t, h, method, target, "Origin", "https://elsewhere.example")
			if w.Header().Get("Access-Control-Allow-Origin") != "*" || w.Header().Get("Access-Control-Allow-Credentials") != "" {
				t.Errorf("%s %s: %v", method, target, w.Header())
			}
			if method != "OPTIONS" && !strings.Contains(w.Header().Get("Access-Control-Expose-Headers"), "ETag, Link, Retry-After") {
				t.Errorf("%s %s exposes %q", method, target, w.Header().Get("Access-Control-Expose-Headers"))
			}
		}
	}
	w := get(t, h, "OPTIONS", Root+"/search", "Access-Control-Request-Method", "GET", "Access-Control-Request-Headers", "if-none-match")
	if w.Code != 204 || w.Header().Get("Access-Control-Allow-Methods") != allowed || !strings.Contains(w.Header().Get("Access-Control-Allow-Headers"), "If-None-Match") {
		t.Errorf("preflight: %d %v", w.Code, w.Header())
	}
}

func TestBounds(t *testing.T) {
	h := testHandler(t)
	c := testContract(t, h)
	for _, tt := range []struct {
		name, method, target string
		body                 string
		code                 int
	}{
		{"long address", "GET", Root + "/search?q=" + strings.Repeat("a", maxURL), "", 414},
		{"long text", "GET", Root + "/search?q=" + strings.Repeat("a+", maxURL/2-100), "", 200},
		{"body", "GET", Root + "/search?q=a", strings.Repeat("x", maxBody+1), 413},
		{"method", "DELETE", Root + "/search?q=a", "", 405},
		{"many values", "GET", Root + "/cases?tag=" + strings.Repeat("aws,", maxValues+1), "", 400},
		{"half an escape", "GET", Root + "/search?q=%zz", "", 400},
		{"semicolon", "GET", Root + "/search?q=a;b", "", 400},
		{"repeated", "GET", Root + "/search?q=a&q=b", "", 400},
		{"limit", "GET", Root + "/cases?limit=101", "", 400},
		{"limit zero", "GET", Root + "/cases?limit=0", "", 400},
		{"cursor", "GET", Root + "/cases?cursor=nonsense", "", 400},
		{"reversed years", "GET", Root + "/cases?year=2022-2019", "", 400},
		{"no duration", "GET", Root + "/cases?longer_than=soon", "", 400},
		{"reversed durations", "GET", Root + "/cases?longer_than=2d&shorter_than=1h", "", 400},
		{"unknown term", "GET", Root + "/cases?mechanism=retry-strom", "", 400},
		{"unknown organisation", "GET", Root + "/cases?org=nobody", "", 400},
		{"unknown case", "GET", Root + "/cases/IL-9999", "", 404},
		{"unknown topic", "GET", Root + "/topics/mechanism/retry-strom", "", 404},
		{"unknown list", "GET", Root + "/vocab/nonsense", "", 404},
		{"unknown problem", "GET", "/problems/nonsense", "", 404},
		{"parameter of a file", "GET", "/feed.atom?x=1", "", 400},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := httptest.NewRequest(tt.method, tt.target, strings.NewReader(tt.body))
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			if w.Code != tt.code {
				t.Fatalf("status %d, want %d: %s", w.Code, tt.code, w.Body)
			}
			if tt.code >= 400 {
				if got := w.Header().Get("Content-Type"); got != "application/problem+json" {
					t.Errorf("the problem is of the type %q", got)
				}
				if w.Header().Get("Cache-Control") != "no-store" || w.Header().Get("ETag") != "" {
					t.Errorf("a problem may be kept: %v", w.Header())
				}
				c.check(t, tt.target, w)
			}
			if tt.code == 405 && w.Header().Get("Allow") != allowed {
				t.Errorf("Allow is %q", w.Header().Get("Allow"))
			}
		})
	}
}

func TestHosts(t *testing.T) {
	a := testApp(t)
	derived := testHandler(t)
	fixed := New(func() *app.App { return a }, Options{BaseURL: "https://library.example/"})
	for _, tt := range []struct {
		h         http.Handler
		host      string
		tls       bool
		wantStart string
	}{
		{derived, "precedent.example:8080", false, "http://precedent.example:8080/ko/cases"},
		{derived, "precedent.example", true, "https://precedent.example/ko/cases"},
		{derived, "[::1]:8080", false, "http://[::1]:8080/ko/cases"},
		{derived, `evil.example"><script>`, false, "http://localhost/ko/cases"},
		{derived, "a.example/path", false, "http://localhost/ko/cases"},
		{derived, "user@evil.example", false, "http://localhost/ko/cases"},
		{derived, "", false, "http://localhost/ko/cases"},
		{fixed, "evil.example", false, "https://library.example/ko/cases"},
	} {
		r := httptest.NewRequest("GET", "/ko/feed.json", nil)
		r.Host = tt.host
		if tt.tls {
			r.TLS = &tls.ConnectionState{}
		}
		w := httptest.NewRecorder()
		tt.h.ServeHTTP(w, r)
		if want := `"home_page_url": "` + tt.wantStart + `"`; !strings.Contains(w.Body.String(), want) {
			t.Errorf("host %q: no %s in %.200s", tt.host, want, w.Body)
		}
	}
}

// TestManyHostsAreNotKept holds that a client cannot fill the memory by naming
// hosts.
func TestManyHostsAreNotKept(t *testing.T) {
	a := testApp(t)
	h := New(func() *app.App { return a }, Options{}).(*api)
	for i := range 3 * maxHosts {
		r := httptest.NewRequest("GET", "/robots.txt", nil)
		r.Host = strings.Repeat("a", i+1) + ".example"
		h.ServeHTTP(httptest.NewRecorder(), r)
	}
	if n := len(h.cache().bodies); n != maxHosts {
		t.Errorf("%d documents are kept, want %d", n, maxHosts)
	}
}

func TestShelfIsBounded(t *testing.T) {
	s := &cache{bodies: map[string]*body{}}
	for _, key := range []string{"a", "b", "c"} {
		s.put(key, &body{plain: make([]byte, maxCache/3)})
	}
	if s.get("c") == nil || s.get("a") != nil {
		t.Errorf("a full cache keeps %d, want the last one only", len(s.bodies))
	}
}

func TestReload(t *testing.T) {
	src, err := os.ReadFile("../../../corpus/cases/IL-0212.yaml")
	if err != nil {
		t.Fatal(err)
	}
	private := func(title string) *app.App {
		changed := bytes.Replace(src, []byte("id: IL-0212"), []byte("id: MY-0001"), 1)
		lib, problems := library.Load(
			library.Layer{Name: "public", FS: os.DirFS("../../../corpus")},
			library.Layer{Name: "mine", FS: fstest.MapFS{"cases/MY-0001.yaml": {Data: append(changed, []byte("# "+title+"\n")...)}}})
		if lib == nil {
			t.Fatal(problems.Errors())
		}
		return app.New(lib)
	}
	current := private("one")
	h := New(func() *app.App { return current }, Options{Log: slog.New(slog.DiscardHandler)})
	before := get(t, h, "GET", Root+"/search?q=cache").Header().Get("ETag")
	cursor := get(t, h, "GET", Root+"/cases?limit=1").Header().Get("Link")
	if w := get(t, h, "GET", "/robots.txt"); !strings.Contains(w.Body.String(), "Disallow: /\n") {
		t.Errorf("a private library invites crawlers: %s", w.Body)
	}
	current = private("two")
	if after := get(t, h, "GET", Root+"/search?q=cache", "If-None-Match", before); after.Code != 200 {
		t.Errorf("another library, and the old answer is still fresh: status %d", after.Code)
	}
	next := strings.TrimPrefix(strings.SplitN(cursor, ">", 2)[0], "<")
	if w := get(t, h, "GET", next); w.Code != 400 || !strings.Contains(w.Body.String(), "changed") {
		t.Errorf("GET %s after a change of the library: %d %s", next, w.Code, w.Body)
	}
}

func TestPanicSaysNothing(t *testing.T) {
	var log bytes.Buffer
	h := New(func() *app.App { panic("secret") }, Options{Log: slog.New(slog.NewTextHandler(&log, nil))})
	w := get(t, h, "GET", Root+"/stats")
	if w.Code != 500 || strings.Contains(w.Body.String(), "secret") || !strings.Contains(log.String(), "secret") {
		t.Errorf("status %d, answer %s, log %s", w.Code, w.Body, log.String())
	}
}

// TestSameAnswerAsTheCommandLine holds that the API answers with the bytes
// that --json prints.
func TestSameAnswerAsTheCommandLine(t *testing.T) {
	h, a := testHandler(t), testApp(t)
	must := func(v any, err error) any {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	for _, tt := range []struct {
		target string
		want   any
	}{
		{"/cases/IL-0212", must(a.Case("IL-0212"))},
		{"/cases/IL-0212/similar?limit=4", must(a.Similar("IL-0212", 4))},
		{"/topics/mechanism/retry-storm", must(a.Topic("retry-storm"))},
		{"/topics", a.Topics()}, {"/stats", a.Stats()}, {"/vocab/remedy", must(a.Vocab("remedy"))},
		{"/search?q=dns+timeout&limit=10&lang=ko&year=2015-", must(a.Search(app.SearchQuery{Text: "dns timeout", Lang: "ko", Limit: 10, Filter: app.Filter{YearFrom: 2015}}))},
		{"/cases?limit=7&mechanism=retry-storm&longer_than=2h", must(a.Search(app.SearchQuery{Lang: "en", Limit: 7, Filter: app.Filter{
			Terms: map[string][]string{"mechanism": {"retry-storm"}}, MinDuration: 2 * time.Hour}}))},
	} {
		var want bytes.Buffer
		if err := output.JSON(&want, tt.want); err != nil {
			t.Fatal(err)
		}
		if got := get(t, h, "GET", Root+tt.target); got.Body.String() != want.String() {
			t.Errorf("GET %s: %.300s\nwant %.300s", tt.target, got.Body, want.String())
		}
	}
}

func TestPagesOfAList(t *testing.T) {
	h, a := testHandler(t), testApp(t)
	var ids []string
	for target := Root + "/cases?limit=7&facets=none&component=database"; target != ""; {
		w := get(t, h, "GET", target)
		if w.Code != 200 {
			t.Fatalf("GET %s: %d %s", target, w.Code, w.Body)
		}
		for _, m := range caseID.FindAllStringSubmatch(w.Body.String(), -1) {
			ids = append(ids, m[1])
		}
		target = nextLink(w.Header())
	}
	all, err := a.Search(app.SearchQuery{Limit: 100, Filter: app.Filter{Terms: map[string][]string{"component": {"database"}}}})
	if err != nil {
		t.Fatal(err)
	}
	if len(ids) != all.Total || len(ids) < 8 {
		t.Fatalf("%d cases on all pages, want %d", len(ids), all.Total)
	}
	for i, hit := range all.Hits {
		if ids[i] != hit.ID {
			t.Errorf("case %d is %s, want %s", i, ids[i], hit.ID)
		}
	}
}
