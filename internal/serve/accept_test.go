package serve

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func say(what string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, what) })
}

func TestNegotiate(t *testing.T) {
	h := Negotiate(say("html"), say("data"))
	for _, tt := range []struct{ name, path, accept, want string }{
		{"no header", "/cases/IL-0282", "", "html"},
		{"curl", "/cases/IL-0282", "*/*", "html"},
		{"browser", "/", "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8", "html"},
		{"json", "/cases/IL-0282", "application/json", "data"},
		{"markdown", "/cases/IL-0282", "text/markdown", "data"},
		{"agent that lists markdown first", "/cases/IL-0282", "text/markdown, text/html, */*", "data"},
		{"agent that lists html first", "/cases/IL-0282", "text/html, text/markdown, */*", "html"},
		{"library that lists json and anything", "/search", "application/json, text/plain, */*", "data"},
		{"quality", "/search", "text/html;q=0.5, application/json;q=0.6", "data"},
		{"quality the other way", "/search", "application/json;q=0.5, text/html", "html"},
		{"quality of a range", "/search", "text/*;q=0.3, application/json;q=0.2", "html"},
		{"html refused", "/search", "text/html;q=0, */*", "data"},
		{"json refused", "/search", "application/json;q=0, */*", "html"},
		{"neither", "/search", "image/png", "data"},
		{"bad quality", "/search", "application/json;q=nan, text/html;q=0.1", "html"},
		{"capitals", "/search", "Application/JSON", "data"},
		{"parameters", "/search", `application/json; profile="a"; q=0.9`, "data"},
		{"suffix wins", "/cases/IL-0282.json", "text/html", "data"},
		{"markdown suffix", "/cases/IL-0282.md", "text/html", "data"},
		{"suffix of a feed", "/feed.atom", "text/html", "data"},
		{"file of the site", "/static/site.0a1b.css", "text/css,*/*;q=0.1", "html"},
		{"dot in a name", "/topics/tag/v1.2", "text/html", "html"},
		{"hundreds of ranges", "/search", strings.Repeat("a/b,", 300) + "application/json", "data"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := httptest.NewRequest(http.MethodGet, tt.path, nil)
			if tt.accept != "" {
				r.Header.Set("Accept", tt.accept)
			}
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			if got := w.Body.String(); got != tt.want {
				t.Errorf("%s with Accept %q = %s, want %s", tt.path, tt.accept, got, tt.want)
			}
			if varies := w.Header().Get("Vary") == "Accept"; varies == strings.Contains(tt.name, "suffix") {
				t.Errorf("Vary = %q", w.Header().Get("Vary"))
			}
		})
	}
}
