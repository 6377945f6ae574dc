package web

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/serve/negotiate"
)

// errorPage says what is wrong and what to do about it.
type errorPage struct {
	frame
	Status  int
	Heading string
	Message string
	Hint    note
	Note    text // what the library says about it
	Near    link
	Lists   link   // where the allowed values are
	Asked   string // the words of the address
	Hidden  []param
	Hits    []brief
}

func (*errorPage) template() string { return "error" }

// statuses maps kinds of error to HTTP statuses.
var statuses = map[app.Kind]int{
	app.Invalid: http.StatusBadRequest, app.NotFound: http.StatusNotFound, app.Gone: http.StatusGone,
	app.Internal: http.StatusInternalServerError, app.Findings: http.StatusInternalServerError,
}

// errMethod is a request that would write.
func errMethod() error {
	return app.Invalidf("", "", "only GET and HEAD are answered here").Korean("", "GET과 HEAD에만 답한다")
}

// errTooLong is a system that is too long.
func errTooLong() error {
	return app.Invalidf("system", "leave out what the question does not need", "a system may have %d bytes", app.MaxSystem).
		Korean("질문에 필요 없는 것을 뺀다", "시스템 파일은 %d바이트까지다")
}

// noPage is a page that does not exist.
func noPage(path string) error {
	return app.NotFoundf("page", "", "no page %q", app.Short(path)).Korean("", "그런 페이지가 없다: %q")
}

func (s *site) fail(w http.ResponseWriter, r *request, err error) {
	status := statuses[app.KindOf(err)]
	if status == http.StatusInternalServerError {
		s.opt.Log.Error("web: building a page", "path", r.URL.Path, "error", err)
		err = errors.New("")
	}
	s.failWith(w, r, status, err)
}

func (s *site) failWith(w http.ResponseWriter, r *request, status int, err error) {
	p := &errorPage{Status: status, Heading: word(fmt.Sprintf("error-%d", status), r.lang)}
	p.frame = s.newFrame(r, "/", p.Heading)
	p.Kind, p.NoIndex, p.Focus = "error", true, true
	if status != http.StatusInternalServerError {
		p.Message, p.Hint = app.Message(err, r.lang), p.nextStep(err)
	}
	if note := app.NoteOf(err); note != nil {
		p.Note = read(note, r.lang)
	}
	p.offer(r, err)
	body, renderErr := s.render(r, p)
	if renderErr != nil {
		s.opt.Log.Error("web: rendering an error page", "error", renderErr)
		http.Error(w, http.StatusText(status), status)
		return
	}
	h := w.Header()
	h.Add("Vary", "Accept-Encoding")
	h.Set("Cache-Control", "no-store")
	newDocument(body).write(w, r.Request, status, negotiate.Encoding(r.Request.Header, "gzip"))
}

// nextStep returns what the reader can do, with a link where that is a question
// to the library.
func (p *errorPage) nextStep(err error) note {
	before, call, after := app.NextStep(err, p.Lang)
	step := note{Before: before, After: after}
	switch call.Use {
	case app.UseSearch, app.UseCases, app.UseScenarios, app.UseChecks, app.UseGuide:
		path := "/" + string(call.Use)
		step.Link = link{p.U(path), p.W("nav-" + string(call.Use))}
	case app.UseVocab:
		step.Link = link{p.U(strings.TrimSuffix("/vocab/"+call.Arg, "/")), p.W("nav-vocab")}
	}
	return step
}

// offer adds the nearest value, the list of allowed ones, and cases that the
// words of the address find.
func (p *errorPage) offer(r *request, err error) {
	var e *app.Error
	if !errors.As(err, &e) {
		return
	}
	switch near := e.Near; {
	case near == "":
	case e.Field == "id":
		p.Near = link{p.U("/cases/" + near), near}
	case e.Field == "scenario":
		p.Near = link{p.U("/scenarios/" + near), near}
	case e.Field == "topic":
		list, id, ok := strings.Cut(near, "/")
		if !ok {
			list, id = "", near
		}
		if list == "" {
			list = r.PathValue("list")
		}
		if slices.Contains(app.TopicLists(), list) {
			p.Near = link{p.U("/topics/" + list + "/" + id), near}
		}
	case slices.Contains(app.FilterLists(), e.Field):
		if q, bad := decodeQuery(r.URL.RawQuery); bad == nil {
			delete(q.Terms, e.Field)
			p.Near = link{p.U("/search?" + q.with(e.Field, near, true).Encode()), near}
		}
	}
	if _, wrong := r.app.Vocab(e.Field); wrong == nil && e.Field != "" {
		p.Lists = link{p.U("/vocab/" + e.Field), p.W("allowed-values")}
	}
	if e.Kind == app.NotFound || e.Kind == app.Gone && e.Near == "" {
		p.suggest(r)
	}
}

// suggest searches for the words of the address.
func (p *errorPage) suggest(r *request) {
	words := strings.NewReplacer("/", " ", "-", " ", "_", " ", "+", " ").Replace(r.PathValue("id") + r.PathValue("term"))
	p.Asked = short(cut(words), 80)
	if p.Asked == "" {
		return
	}
	found, err := r.app.Search(app.SearchQuery{Text: p.Asked, Lang: r.lang, Limit: 3, Facets: []string{}})
	if err != nil {
		return
	}
	for _, h := range found.Hits {
		p.Hits = append(p.Hits, newBrief(h.Brief, r.lang))
	}
}
