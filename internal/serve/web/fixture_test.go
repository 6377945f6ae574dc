package web

import (
	"net/http"
	"net/http/httptest"
	"os"
	"sync"
	"testing"

	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/library"
)

// public loads the real corpus once: it is read-only.
var public = sync.OnceValues(func() (*app.App, error) {
	lib, problems := library.Load(library.Layer{Name: "public", FS: os.DirFS("../../../corpus")})
	if lib == nil {
		return nil, problems.Errors()
	}
	return app.New(lib)
})

// open returns the app of the real corpus.
func open(t testing.TB) *app.App {
	t.Helper()
	a, err := public()
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// newSite returns the handler of a site with the real corpus.
func newSite(t testing.TB) http.Handler {
	t.Helper()
	a := open(t)
	format, err := os.ReadFile("../../../doc/case-format.md")
	if err != nil {
		t.Fatal(err)
	}
	return New(func() *app.App { return a }, Options{CaseFormat: format})
}

// get asks the site for a path.
func get(h http.Handler, path string, header ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodGet, path, nil)
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}
