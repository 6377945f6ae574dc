package api

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/openprecedent/precedent/internal/bilingual"
)

// FuzzQuery holds that a query is decoded without panic, that what is wrong
// with it is told in words, and that the address of the next page is the same
// question.
func FuzzQuery(f *testing.F) {
	for _, op := range operations() {
		for _, e := range op.examples {
			f.Add(e)
		}
	}
	f.Add("q=%zz")
	f.Add("q=a;b&x")
	f.Add("mechanism=a,b,,c&mechanism=&year=-&limit=%31")
	f.Add("q=%ff%fe&literal&partial=0&cursor=" + strings.Repeat("A", 2000))
	ops := operations()
	f.Fuzz(func(t *testing.T, raw string) {
		for _, op := range ops {
			q := &question{}
			wrong := op.decode(raw, q)
			if len(wrong) > 0 {
				for _, e := range invalid(bilingual.Korean, wrong).Errors {
					if e.Detail == "" || len(e.Parameter) > 400 {
						t.Errorf("%+v", e)
					}
				}
				continue
			}
			values, err := url.ParseQuery(raw)
			if err != nil {
				t.Fatalf("%q was decoded although it cannot be parsed", raw)
			}
			again := &question{}
			if wrong := op.decode(values.Encode(), again); len(wrong) > 0 || again.key() != q.key() {
				t.Errorf("%q and %q are two questions: %s, %s", raw, values.Encode(), q.key(), again.key())
			}
		}
	})
}

// FuzzAddress holds that every address gets an answer that is either data or a
// problem, and that a redirect stays on this site.
func FuzzAddress(f *testing.F) {
	for _, s := range append(kinds, "/", "//a", "/ko/", "/ko/ko/cases", "/cases/.json", "/.md", "/topics/a%2Fb", "/cases/%2e%2e/x", "/%5C%5Cevil.example/", "/cases/il-0212.md?lang=ko") {
		f.Add(s)
	}
	h := testHandler(f)
	f.Fuzz(func(t *testing.T, target string) {
		u, err := url.ParseRequestURI(target)
		if err != nil || u.Host != "" || !strings.HasPrefix(u.Path, "/") || u.Path == "/all.zip" {
			return
		}
		r := httptest.NewRequest("GET", "/", nil)
		r.URL = u
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		switch {
		case w.Code >= 500:
			t.Errorf("GET %q: status %d: %s", target, w.Code, w.Body)
		case w.Code >= 400:
			var p Problem
			if err := json.Unmarshal(w.Body.Bytes(), &p); err != nil || p.Status != w.Code {
				t.Errorf("GET %q: no problem in %s", target, w.Body)
			}
		case w.Code == http.StatusPermanentRedirect || w.Code == http.StatusTemporaryRedirect:
			to, err := url.Parse(w.Header().Get("Location"))
			if err != nil || to.Host != "" || !strings.HasPrefix(to.Path, "/") {
				t.Errorf("GET %q leads to %q", target, w.Header().Get("Location"))
			}
		}
	})
}
