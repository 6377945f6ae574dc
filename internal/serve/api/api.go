// Package api is the JSON API of precedent: the answers of package app over
// HTTP, the same answers as data of the site's pages, and the files by which
// programs find and copy the library.
//
// One table of operations and one of documents feed the routes, the OpenAPI
// document, the reference and the tests. A handler decodes a question, asks
// package app and renders; it computes nothing of its own.
//
// Every answer has a strong ETag and says how it may be cached. Answers to the
// finite number of plain questions are made once for each library and kept,
// compressed as well; others carry an ETag of the question, so that both are
// revalidated without any work.
package api

import (
	"compress/gzip"
	"context"
	"log/slog"
	"net/http"
	"net/url"
	"path"
	"runtime/debug"
	"strings"
	"sync/atomic"

	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/bilingual"
)

// Options are what the one who runs the server decides.
type Options struct {
	// BaseURL is the address of the site, such as https://precedent.example,
	// for absolute links. Where it is empty they are made from the host that a
	// request names.
	BaseURL string
	// Build identifies the program, so that a new one's answers get new ETags.
	// While it is being worked on, let it differ from run to run.
	Build string
	// Rest answers what has no data but may have a page, where the client takes
	// HTML as well; nil means that there are no pages.
	Rest http.Handler
	// Articles are the texts of the site by the paths of their pages, which stand
	// as Markdown where the path ends in .md.
	Articles map[string]Article
	// Jobs runs simulations; nil means a runner of the API's own.
	Jobs *app.Jobs
	// Log receives what went wrong inside; nil means the default logger.
	Log *slog.Logger
}

// Bounds of a request.
const (
	maxURL      = 32 << 10 // bytes of path and query: the longest query, percent-encoded
	maxBody     = 16 << 10 // bytes of a body that is ignored
	maxWatching = 64       // streams of events at once
)

// api answers requests.
type api struct {
	current func() *app.App
	opt     Options
	ops     []*operation
	docs    []*document
	mux     *http.ServeMux
	cached  atomic.Pointer[cache]

	watching chan struct{} // a place for each stream of events

	quick    compressor // for answers that are sent once
	thorough compressor // for answers that are kept
}

// New returns the handler of the API. It asks current for the library at each
// request, so that a reloaded one shows at once.
func New(current func() *app.App, opt Options) http.Handler {
	opt.BaseURL = strings.TrimSuffix(opt.BaseURL, "/")
	if opt.Log == nil {
		opt.Log = slog.Default()
	}
	if opt.Jobs == nil {
		opt.Jobs = app.NewJobs(app.DefaultJobLimits(1), opt.Build, nil)
	}
	a := &api{current: current, opt: opt, ops: operations(), docs: withArticles(documents(), opt.Articles), mux: http.NewServeMux()}
	a.watching = make(chan struct{}, maxWatching)
	a.quick.level, a.thorough.level = gzip.BestSpeed, gzip.BestCompression
	for _, op := range a.ops {
		a.mux.HandleFunc(Root+op.path, func(w http.ResponseWriter, r *http.Request) { a.serveOperation(w, r, op) })
		if !op.apiOnly {
			a.mux.HandleFunc(op.path, func(w http.ResponseWriter, r *http.Request) { a.serveOperation(w, r, op) })
		}
	}
	for _, doc := range a.docs {
		a.mux.HandleFunc(doc.path, func(w http.ResponseWriter, r *http.Request) { a.serveDocument(w, r, doc) })
	}
	a.mux.HandleFunc("/{$}", a.serveHome)
	a.mux.HandleFunc("/docs", a.serveDocs)
	a.mux.HandleFunc("/", a.serveRest)
	return a
}

// Paths are the patterns, as of [http.ServeMux], of the addresses that have no
// page and are the API's even for a browser.
func Paths() []string {
	all := []string{"/api", "/api/", "/problems", "/problems/", "/ko/problems", "/ko/problems/"}
	for _, doc := range documents() {
		all = append(all, doc.path)
		if doc.korean {
			all = append(all, "/ko"+doc.path)
		}
	}
	return all
}

// address is what the path of a request says beside the thing it names.
type address struct {
	api    bool           // below Root
	korean bool           // below /ko
	suffix format         // of .json or .md
	path   string         // without all of these
	whole  *http.Request  // as it came
	lang   bilingual.Lang // of /ko; empty otherwise
}

type addressKey struct{}

// ServeHTTP implements [http.Handler].
func (a *api) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	defer a.recovered(w, r)
	switch {
	case len(r.URL.EscapedPath())+len(r.URL.RawQuery) > maxURL:
		refuse(w, r, http.StatusRequestURITooLong, bilingual.Text{}, bilingual.Text{En: "shorten the query", Ko: "질의를 줄인다"})
		return
	case isRun(r.URL.Path):
		a.serveRuns(w, r)
		return
	case r.Method == http.MethodOptions:
		preflight(w, allowed)
		return
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		w.Header().Set("Allow", allowed)
		refuse(w, r, http.StatusMethodNotAllowed, bilingual.Text{}, bilingual.Text{En: "use GET", Ko: "GET을 쓴다"})
		return
	case r.ContentLength > maxBody:
		refuse(w, r, http.StatusRequestEntityTooLarge, bilingual.Text{}, bilingual.Text{
			En: "send the query in the address", Ko: "질의를 주소에 적어 보낸다"})
		return
	}
	if p := strings.TrimSuffix(r.URL.Path, "/"); p == Root || p == path.Dir(Root) {
		a.serveRoot(w, r)
		return
	}
	at := a.address(r.URL)
	at.whole = r
	if clean := path.Clean(at.path); strings.HasPrefix(r.URL.Path, "/") && clean != at.path {
		to := url.URL{Path: at.head() + clean + at.tail(), RawQuery: r.URL.RawQuery}
		redirect(w, to.String(), true)
		return
	}
	inner := *r
	inner.URL = &url.URL{Path: at.path, RawQuery: r.URL.RawQuery}
	if raw := r.URL.RawPath; raw != "" { // an escaped slash in a name does not separate
		inner.URL.RawPath = strings.TrimSuffix(strings.TrimPrefix(raw, at.head()), at.tail())
	}
	a.mux.ServeHTTP(w, inner.WithContext(context.WithValue(r.Context(), addressKey{}, at)))
}

// address takes the parts of a path apart. The addresses of documents are
// taken as they are.
func (a *api) address(u *url.URL) address {
	at := address{path: u.Path}
	if rest, ok := strings.CutPrefix(u.Path, "/ko/"); ok {
		at.korean, at.lang, at.path = true, bilingual.Korean, "/"+rest
	}
	for _, doc := range a.docs {
		switch {
		case at.path != doc.path:
		case at.korean && !doc.korean:
			return address{path: u.Path} // where nothing stands
		default:
			return at
		}
	}
	if at.korean && strings.HasPrefix(at.path, Root) {
		return address{path: u.Path}
	}
	if strings.HasPrefix(at.path, Root+"/") {
		at.api = true
		return at
	}
	for _, f := range []format{formatJSON, formatMarkdown} {
		if rest, ok := strings.CutSuffix(at.path, "."+string(f)); ok && !strings.HasSuffix(rest, "/") {
			at.suffix, at.path = f, rest
		}
	}
	return at
}

// head and tail are what stood before and after the path.
func (at address) head() string {
	if at.korean {
		return "/ko"
	}
	return ""
}

func (at address) tail() string {
	if at.suffix != "" {
		return "." + string(at.suffix)
	}
	return ""
}

// serveRoot sends who asks for the API itself to its guide: a browser to the
// page, a program to the reference.
func (a *api) serveRoot(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Vary", "Accept")
	if form, _ := chooseFormat(r, []format{formatMarkdown, formatHTML}); a.opt.Rest != nil && form == formatHTML {
		redirect(w, "/docs/api", false)
		return
	}
	redirect(w, "/docs/api.md", false)
}

// recovered answers for a handler that panicked and says nothing of the reason.
func (a *api) recovered(w http.ResponseWriter, r *http.Request) {
	v := recover()
	if v == nil {
		return
	}
	if v == http.ErrAbortHandler {
		panic(v)
	}
	a.opt.Log.ErrorContext(r.Context(), "request failed", "path", r.URL.Path, "panic", v, "stack", string(debug.Stack()))
	fail(w, r, http.StatusInternalServerError)
}

// allowed are the methods that there are.
const allowed = "GET, HEAD, OPTIONS"

// common sets what every answer says: that any page may read it, and that its
// type is what it is said to be.
func common(h http.Header) {
	h.Set("Access-Control-Allow-Origin", "*")
	h.Set("Access-Control-Expose-Headers", "ETag, Link, Retry-After, RateLimit, RateLimit-Policy, Content-Language")
	h.Set("X-Content-Type-Options", "nosniff")
}

func preflight(w http.ResponseWriter, allowed string) {
	h := w.Header()
	common(h)
	h.Set("Allow", allowed)
	h.Set("Access-Control-Allow-Methods", allowed)
	h.Set("Access-Control-Allow-Headers", "Accept, Accept-Language, If-None-Match, Content-Type")
	h.Set("Access-Control-Max-Age", "86400")
	w.WriteHeader(http.StatusNoContent)
}

// redirect sends a client to another address of this site.
func redirect(w http.ResponseWriter, to string, forGood bool) {
	h := w.Header()
	common(h)
	h.Set("Location", to)
	h.Set("Cache-Control", "public, max-age=300")
	h.Set("Content-Length", "0")
	status := http.StatusTemporaryRedirect
	if forGood {
		status = http.StatusPermanentRedirect
	}
	w.WriteHeader(status)
}
