package serve

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

// sink is a connection that forgets what is written to it.
type sink struct{ header http.Header }

func (s *sink) Header() http.Header         { return s.header }
func (s *sink) WriteHeader(int)             {}
func (s *sink) Write(p []byte) (int, error) { return len(p), nil }

// BenchmarkServer measures what the server adds to an answer, and what it
// costs to turn a request away: the less, the more capacity an overload leaves.
func BenchmarkServer(b *testing.B) {
	dir := b.TempDir()
	writeLibrary(b, dir)
	l, err := OpenLibrary(loader(dir))
	if err != nil {
		b.Fatal(err)
	}
	for _, bb := range []struct {
		name string
		full bool
	}{{"answer", false}, {"shed", true}} {
		b.Run(bb.name, func(b *testing.B) {
			s := New(Options{Library: l, Faces: say("answer"), Rate: 1e6, Log: quiet()})
			if bb.full {
				s.gate.queue = 0
				for range s.gate.slots {
					if _, err := s.gate.lines["search"].enter(b.Context()); err != nil {
						b.Fatal(err)
					}
				}
			}
			r := httptest.NewRequest(http.MethodGet, "http://localhost/search?q=a", nil)
			r.Header.Set("Accept", "text/html,*/*;q=0.8")
			b.ReportAllocs()
			for b.Loop() {
				s.ServeHTTP(&sink{http.Header{}}, r)
			}
		})
	}
}
