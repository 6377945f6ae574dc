package serve

import (
	"net/http"
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
		{"a program", "", nil, "*"},
		{"another site", "https://evil.example", nil, ""},
		{"another site, open library", "https://evil.example", []string{"*"}, "*"},
		{"a site that may", "https://console.example", []string{"https://console.example/"}, "*"},
		{"a site of the same name in part", "https://console.example.evil.example", []string{"https://console.example"}, ""},
		{"a page of this machine", "http://localhost:6274", nil, "*"},
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
