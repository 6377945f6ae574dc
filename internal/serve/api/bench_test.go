package api

import (
	"net/http/httptest"
	"testing"
)

// BenchmarkAnswers measures each kind of answer in process.
func BenchmarkAnswers(b *testing.B) {
	h := testHandler(b)
	for _, bb := range []struct{ name, target, encoding, match string }{
		{"case", Root + "/cases/IL-0212", "", ""},
		{"case-gzip", Root + "/cases/IL-0212", "gzip", ""},
		{"case-304", Root + "/cases/IL-0212", "", "*"},
		{"case-markdown", "/cases/IL-0212.md", "", ""},
		{"similar", Root + "/cases/IL-0212/similar", "", ""},
		{"list", Root + "/cases", "", ""},
		{"list-gzip", Root + "/cases", "gzip", ""},
		{"list-304", Root + "/cases", "", "*"},
		{"search", Root + "/search?q=connection+pool+exhausted+after+deploy", "", ""},
	} {
		b.Run(bb.name, func(b *testing.B) {
			r := httptest.NewRequest("GET", bb.target, nil)
			r.Header.Set("Accept-Encoding", bb.encoding)
			r.Header.Set("If-None-Match", bb.match)
			b.ReportAllocs()
			for b.Loop() {
				h.ServeHTTP(httptest.NewRecorder(), r)
			}
		})
	}
}
