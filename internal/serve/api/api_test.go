package api

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"sync"
	"testing"

	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/library"
)

// publicApp returns the app over the public library, loaded once for all
// tests.
var publicApp = sync.OnceValues(func() (*app.App, error) {
	lib, problems := library.Load(library.Layer{Name: "public", FS: os.DirFS("../../../corpus")})
	if lib == nil {
		return nil, problems
	}
	return app.New(lib), nil
})

func testApp(t testing.TB) *app.App {
	t.Helper()
	a, err := publicApp()
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func testHandler(t testing.TB) http.Handler {
	t.Helper()
	a := testApp(t)
	return New(func() *app.App { return a }, Options{Build: "test", Log: slog.New(slog.DiscardHandler)})
}

// get asks for a target with header lines "Name: value".
func get(t testing.TB, h http.Handler, method, target string, header ...string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequest(method, target, nil)
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func TestExamplesAnswer(t *testing.T) {
	h := testHandler(t)
	words := examples(testApp(t))
	for _, op := range operations() {
		for _, target := range op.targets(words) {
			want := http.StatusOK
			if op.id == "findTopic" {
				want = http.StatusTemporaryRedirect
			}
			if w := get(t, h, "GET", target); w.Code != want {
				t.Errorf("GET %s: status %d, want %d: %s", target, w.Code, want, w.Body)
			}
		}
	}
	for _, doc := range documents() {
		if w := get(t, h, "GET", doc.path); w.Code != http.StatusOK {
			t.Errorf("GET %s: status %d: %s", doc.path, w.Code, w.Body)
		}
	}
}
