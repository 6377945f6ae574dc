package web

import (
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/library"
)

// public loads the real corpus once: it is read-only.
var public = sync.OnceValues(func() (*app.App, error) {
	lib, problems := library.Load(library.Layer{Name: "public", FS: os.DirFS("../../../corpus")})
	if lib == nil {
		return nil, problems.Errors()
	}
	return app.New(lib), nil
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
	return New(func() *app.App { return a }, Options{
		CaseFormat: docTexts(t, "case-format"), SystemFormat: docTexts(t, "system-format"),
	})
}

// docTexts reads a document of the folder doc in both languages.
func docTexts(t testing.TB, name string) bilingual.Text {
	t.Helper()
	var sides [2]string
	for i, suffix := range []string{".md", ".ko.md"} {
		src, err := os.ReadFile("../../../doc/" + name + suffix)
		if err != nil {
			t.Fatal(err)
		}
		sides[i] = string(src)
	}
	return bilingual.Text{En: sides[0], Ko: sides[1]}
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

// fixture returns the app of a library with a few cases of the real one.
func fixture(t testing.TB, ids ...string) *app.App {
	t.Helper()
	files := fstest.MapFS{}
	lists, err := fs.Glob(os.DirFS("../../../corpus"), "vocab/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	names := lists
	for _, id := range ids {
		names = append(names, "cases/"+id+".yaml")
	}
	for _, name := range names {
		src, err := os.ReadFile("../../../corpus/" + name)
		if err != nil {
			t.Fatal(err)
		}
		files[name] = &fstest.MapFile{Data: unrelated.ReplaceAll(src, nil)}
	}
	lib, problems := library.Load(library.Layer{Name: "public", FS: files})
	if lib == nil {
		t.Fatal(problems.Errors())
	}
	return app.New(lib)
}

// unrelated is what a case says of others, which a small library lacks.
var unrelated = regexp.MustCompile(`(?m)^(related|not_related):\n(  .*\n)+`)
