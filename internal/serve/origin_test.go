package serve

import (
	"net/http"
	"slices"
	"testing"
)

func TestOrigins(t *testing.T) {
	faces := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Access-Control-Allow-Origin", "*")
	})
	for _, tt := range []struct {
		name, origin string
		origins      []string
		want         string
	}{
		{"a program", "", nil, ""},
		{"a program, open library", "", []string{"*"}, "*"},
		{"another site", "https://evil.example", nil, ""},
		{"another site, open library", "https://evil.example", []string{"*"}, "*"},
		{"a site that may", "https://console.example", []string{"https://console.example/"}, "https://console.example"},
		{"a site of the same name in part", "https://console.example.evil.example", []string{"https://console.example"}, ""},
		{"a page of this machine", "http://localhost:6274", nil, "http://localhost:6274"},
		{"a sandboxed page", "null", nil, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, addr := start(t, Options{Faces: faces, Origins: tt.origins})
			request := "GET /cases.json HTTP/1.1\r\nHost: localhost\r\n"
			if tt.origin != "" {
				request += "Origin: " + tt.origin + "\r\n"
			}
			_, header, _ := raw(t, addr, request+"\r\n")
			if got := header.Get("Access-Control-Allow-Origin"); got != tt.want {
				t.Errorf("origin %q may read: %q, want %q", tt.origin, got, tt.want)
			}
		})
	}
}

// TestCachesOfSomeOrigins holds shared caches off answers that not everybody
// may read; what is the same for everybody stays theirs.
func TestCachesOfSomeOrigins(t *testing.T) {
	faces := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Vary", "Accept")
		w.Header().Set("Cache-Control", "public, max-age=300")
	})
	for _, tt := range []struct {
		path    string
		origins []string
		cache   string
		vary    []string
	}{
		{"/cases.json", nil, "private, max-age=300", []string{"Accept", "Origin"}},
		{"/cases.json", []string{"https://console.example"}, "private, max-age=300", []string{"Accept", "Origin"}},
		{"/cases.json", []string{"*"}, "public, max-age=300", []string{"Accept"}},
		{"/static/site.css", nil, "public, max-age=300", []string{"Accept"}},
	} {
		_, addr := start(t, Options{Faces: faces, Origins: tt.origins})
		_, header, _ := raw(t, addr, "GET "+tt.path+" HTTP/1.1\r\nHost: localhost\r\n\r\n")
		if got := header.Get("Cache-Control"); got != tt.cache {
			t.Errorf("%s for %q: Cache-Control %q, want %q", tt.path, tt.origins, got, tt.cache)
		}
		if got := header.Values("Vary"); !slices.Equal(got, tt.vary) {
			t.Errorf("%s for %q: Vary %q, want %q", tt.path, tt.origins, got, tt.vary)
		}
	}
}
