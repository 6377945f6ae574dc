package serve

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// answer lets h answer a request through a response and counts when its slot
// was given back.
func answer(t *testing.T, h func(w http.ResponseWriter, held func() bool)) *httptest.ResponseRecorder {
	t.Helper()
	rec := httptest.NewRecorder()
	released := 0
	w := &response{to: rec, ready: func() { released++ }}
	h(w, func() bool { return released == 0 })
	w.release()
	if err := w.end(http.MethodGet); err != nil {
		t.Fatal(err)
	}
	if released != 1 {
		t.Errorf("the slot was given back %d times, want once", released)
	}
	return rec
}

func TestResponseHoldsBack(t *testing.T) {
	rec := answer(t, func(w http.ResponseWriter, held func() bool) {
		w.Header().Set("ETag", `"x"`)
		w.WriteHeader(http.StatusTeapot)
		w.WriteHeader(http.StatusOK) // too late
		_, _ = w.Write([]byte("all of it"))
		if !held() {
			t.Error("the slot was given back before the answer was complete")
		}
	})
	if rec.Code != http.StatusTeapot || rec.Body.String() != "all of it" || rec.Header().Get("Content-Length") != "9" {
		t.Errorf("got %d %q with %v", rec.Code, rec.Body, rec.Header())
	}
}

func TestResponseOfMuch(t *testing.T) {
	part := bytes.Repeat([]byte("x"), maxHeld/2)
	rec := answer(t, func(w http.ResponseWriter, held func() bool) {
		for i := range 5 {
			_, _ = w.Write(part)
			if want := i < 2; held() != want {
				t.Errorf("after part %d: slot held is %v, want %v", i, held(), want)
			}
		}
	})
	if rec.Body.Len() != 5*len(part) || rec.Header().Get("Content-Length") != "" {
		t.Errorf("got %d bytes with %v, want %d and no length", rec.Body.Len(), rec.Header(), 5*len(part))
	}
}

func TestResponseFlush(t *testing.T) {
	rec := answer(t, func(w http.ResponseWriter, held func() bool) {
		_, _ = w.Write([]byte("data: 1\n\n"))
		if err := http.NewResponseController(w).Flush(); err != nil {
			t.Fatal(err)
		}
		if held() {
			t.Error("a flushed stream still holds its slot")
		}
		_, _ = w.Write([]byte("data: 2\n\n"))
	})
	if got := rec.Body.String(); got != "data: 1\n\ndata: 2\n\n" || !rec.Flushed {
		t.Errorf("got %q, flushed %v", got, rec.Flushed)
	}
}

func TestResponseWithoutBody(t *testing.T) {
	rec := answer(t, func(w http.ResponseWriter, _ func() bool) { w.WriteHeader(http.StatusNotModified) })
	if rec.Code != http.StatusNotModified || rec.Header().Get("Content-Length") != "" {
		t.Errorf("304 came as %d with %v, want no length", rec.Code, rec.Header())
	}
	rec = answer(t, func(http.ResponseWriter, func() bool) {})
	if rec.Code != http.StatusOK || rec.Header().Get("Content-Length") != "0" {
		t.Errorf("an empty answer came as %d with %v", rec.Code, rec.Header())
	}
}

func TestRefuse(t *testing.T) {
	f := &refusal{status: http.StatusServiceUnavailable, detail: both("a <b> detail", "<b> 사정"), remedy: both("wait", "기다린다"), retry: 3}
	for _, tt := range []struct{ path, accept, kind string }{
		{"/search", "text/html,*/*;q=0.8", "text/html; charset=utf-8"},
		{"/search", "*/*", "application/problem+json"},
		{"/search", "", "application/problem+json"},
		{"/search.json", "text/html", "application/problem+json"},
		{"/mcp", "text/html", "application/problem+json"},
	} {
		r := httptest.NewRequest(http.MethodGet, tt.path+"?q=secret", nil)
		r.Header.Set("Accept", tt.accept)
		rec := httptest.NewRecorder()
		refuse(rec, r, f)
		h := rec.Header()
		if h.Get("Content-Type") != tt.kind || h.Get("Retry-After") != "3" || h.Get("Cache-Control") != "no-store" {
			t.Errorf("%s with Accept %q: header %v", tt.path, tt.accept, h)
		}
		if body := rec.Body.String(); strings.Contains(body, "secret") || strings.Contains(body, "<b>") {
			t.Errorf("%s repeats the request or raw markup: %s", tt.path, body)
		}
	}
}

func TestRefuseInTheLanguageAskedFor(t *testing.T) {
	const browser = "text/html,*/*;q=0.8"
	for _, tt := range []struct{ target, accept, languages, want string }{
		{"/search?q=dns", browser, "ko", "en"}, // the page itself would be in English
		{"/ko/search?q=dns", browser, "en", "ko"},
		{"/ko", browser, "", "ko"},
		{"/korea", browser, "", "en"},
		{"/ko/cases/IL-0212.json", "", "en", "ko"},
		{"/api/v1/cases", "", "", "en"},
		{"/api/v1/cases", "", "ko-KR,ko;q=0.9,en;q=0.8", "ko"},
		{"/api/v1/cases", "", "en;q=0.5, ko;q=0.4", "en"},
		{"/api/v1/cases", "", "fr, *;q=0.5, ko;q=0.1", "en"},
		{"/api/v1/cases", "", "ko;q=0", "en"},
		{"/api/v1/cases?lang=ko", "", "en", "ko"},
		{"/api/v1/search?q=a&lang=en", "", "ko", "en"},
		{"/mcp", "", "ko", "ko"},
		{"/metrics", "*/*", "ko", "ko"},
	} {
		for _, status := range []int{400, 403, 404, 405, 413, 414, 421, 429, 500, 503} {
			r := httptest.NewRequest(http.MethodGet, tt.target, nil)
			r.Header.Set("Accept", tt.accept)
			r.Header.Set("Accept-Language", tt.languages)
			rec := httptest.NewRecorder()
			refuse(rec, r, &refusal{status: status, detail: both("it is so", "그렇다"), remedy: both("wait", "기다린다")})
			body := rec.Body.String()
			korean := strings.Contains(body, "그렇다") && strings.Contains(body, "기다린다")
			_, title := kind(status)
			if got := map[bool]string{false: "en", true: "ko"}[korean]; got != tt.want ||
				!strings.Contains(body, title.Ko) == (tt.want == "ko") {
				t.Errorf("%d of %s for %q: want %s, got %s", status, tt.target, tt.languages, tt.want, body)
			}
			if tt.accept != browser && rec.Header().Get("Content-Language") != tt.want {
				t.Errorf("%s for %q: Content-Language %q", tt.target, tt.languages, rec.Header().Get("Content-Language"))
			}
			if tt.accept == browser && !strings.Contains(body, `<html lang="`+tt.want+`">`) {
				t.Errorf("%s is marked as another language: %s", tt.target, body)
			}
		}
	}
}
