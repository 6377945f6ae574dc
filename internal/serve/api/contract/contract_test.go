// Package contract holds the published OpenAPI document and real answers
// against an independent validator. It is a module of its own, so that the
// validator's dependencies stay out of the program's.
package contract

import (
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/pb33f/libopenapi"
	validator "github.com/pb33f/libopenapi-validator"

	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/library"
	"github.com/openprecedent/precedent/internal/serve/api"
)

func handler(t *testing.T) http.Handler {
	t.Helper()
	lib, problems := library.Load(library.Layer{Name: "public", FS: os.DirFS("../../../../corpus")})
	if lib == nil {
		t.Fatal(problems)
	}
	a := app.New(lib)
	return api.New(func() *app.App { return a }, api.Options{BaseURL: "http://example.com", Log: slog.New(slog.DiscardHandler)})
}

func ask(h http.Handler, target string, header http.Header) (*http.Request, *httptest.ResponseRecorder) {
	r := httptest.NewRequest(http.MethodGet, "http://example.com"+target, nil)
	for name, values := range header {
		r.Header[name] = values
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return r, w
}

func TestContract(t *testing.T) {
	h := handler(t)
	_, w := ask(h, "/openapi.json", nil)
	raw := w.Body.Bytes()
	doc, err := libopenapi.NewDocument(raw)
	if err != nil {
		t.Fatalf("reading /openapi.json: %v", err)
	}
	v, errs := validator.NewValidator(doc)
	if len(errs) > 0 {
		t.Fatalf("preparing the validator: %v", errs)
	}
	if ok, wrong := v.ValidateDocument(); !ok {
		for _, e := range wrong {
			t.Errorf("the document: %s: %s (%v)", e.Message, e.Reason, e.SchemaValidationErrors)
		}
	}
	targets := []string{
		"/all.zip", "/feed.json", "/ko/feed.json", "/schema/case.json", "/openapi.json",
		api.Root + "/cases/IL-9999", api.Root + "/cases/il-0212", api.Root + "/vocab/nothing", "/feed.json?x=1",
	}
	for _, m := range regexp.MustCompile(`"externalValue":("http://example.com[^"]+")`).FindAllSubmatch(raw, -1) {
		var target string
		if err := json.Unmarshal(m[1], &target); err != nil {
			t.Fatal(err)
		}
		targets = append(targets, strings.TrimPrefix(target, "http://example.com"))
	}
	for _, target := range targets {
		t.Run(target, func(t *testing.T) {
			r, w := ask(h, target, nil)
			if ok, wrong := v.ValidateHttpResponse(r, w.Result()); !ok {
				for _, e := range wrong {
					t.Errorf("status %d: %s: %s (%v)", w.Code, e.Message, e.Reason, e.SchemaValidationErrors)
				}
			}
			if w.Code >= 400 {
				return
			}
			if ok, wrong := v.ValidateHttpRequest(r); !ok {
				for _, e := range wrong {
					t.Errorf("the request: %s: %s", e.Message, e.Reason)
				}
			}
		})
	}
}
