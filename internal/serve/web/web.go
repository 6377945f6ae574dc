// Package web shows the library as a web site, in English and in Korean
// (under /ko).
//
// Handlers decode a request, ask the app and render a template; nothing is
// computed here that another face would have to compute again. Every page is
// whole without JavaScript, and everything that a page loads is embedded, so
// that no request leaves the reader's machine for another host.
package web

import (
	"errors"
	"html/template"
	"log/slog"
	"net/http"
	"net/url"
	"path"
	"strings"

	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/bilingual"
)

// Options are what the site needs to know beside the library.
type Options struct {
	// Origin is the public address of the site, for example
	// https://incidents.example.com. Where it is empty, links for machines are
	// relative and the documentation shows the address of the request.
	Origin string
	// CaseFormat is the description of the case format, as Markdown, for
	// /docs/format. Where it is empty, there is no such page; where it is in one
	// language, the page says so to readers of the other.
	CaseFormat bilingual.Text
	// SystemFormat is the description of system files, for /docs/system, likewise.
	SystemFormat bilingual.Text
	// Jobs runs simulations; nil means a runner of the site's own.
	Jobs *app.Jobs
	// Log receives errors that are ours; nil means the default logger.
	Log *slog.Logger
}

// New returns the handler of the site. It asks current for the app at every
// request, so that a reloaded library shows at once. It panics if an embedded
// template cannot be read, which is a mistake of ours.
func New(current func() *app.App, opt Options) http.Handler {
	if opt.Log == nil {
		opt.Log = slog.Default()
	}
	if opt.Jobs == nil {
		opt.Jobs = app.NewJobs(app.DefaultJobLimits(1), "", nil)
	}
	s := &site{current: current, opt: opt, assets: loadAssets(), prose: loadProse(opt), cache: newCache(cacheBytes)}
	s.templates = parseTemplates()
	mux := http.NewServeMux()
	for _, r := range routes {
		for _, lang := range bilingual.Langs {
			mux.Handle("GET "+localPath(lang, r.pattern), s.handler(lang, r))
		}
	}
	s.simulators(mux)
	mux.Handle("GET /static/{name...}", s.assets)
	mux.HandleFunc("GET /favicon.ico", s.assets.serveIcon)
	mux.HandleFunc("/", s.elsewhere)
	return harden(mux)
}

type site struct {
	current   func() *app.App
	opt       Options
	assets    *assets
	prose     prose
	templates map[string]func() *template.Template
	cache     *cache
}

// A route is a kind of page. Pages of a fixed route depend on their path
// alone, so they are rendered once for each version of the library.
type route struct {
	pattern string
	fixed   bool
	build   func(*site, *request) (page, error)
}

var routes = []route{
	{"/{$}", true, (*site).home},
	{"/about", true, (*site).about},
	{"/cases", false, (*site).cases},
	{"/cases/{id}", true, (*site).casePage},
	{"/cases/{id}/similar", true, (*site).similar},
	{"/checks", true, (*site).checks},
	{"/checks/{id}", true, (*site).check},
	{"/docs", false, (*site).docs},
	{"/docs/api", false, (*site).docsAPI},
	{"/docs/format", true, (*site).docsFormat},
	{"/docs/system", true, (*site).docsSystem},
	{"/docs/mcp", false, (*site).docsMCP},
	{"/guide", true, (*site).guides},
	{"/guide/{id}", true, (*site).guide},
	{"/scenarios", true, (*site).scenarios},
	{"/search", false, (*site).search},
	{"/simulator", false, (*site).simulator},
	{"/simulator/parts", true, (*site).simParts},
	{"/topics", true, (*site).topics},
	{"/topics/{term}", false, (*site).findTopic},
	{"/topics/{list}/{term}", true, (*site).topic},
	{"/vocab", true, (*site).vocab},
	{"/vocab/{list}", true, (*site).vocab},
}

// A request is what a page is built from.
type request struct {
	*http.Request
	app  *app.App
	lang bilingual.Lang
}

// A page is a typed struct that its template is executed against.
type page interface {
	template() string
}

// moved is the error of a page that has another address.
type moved struct{ to string }

func (m *moved) Error() string { return "moved to " + m.to }

func (s *site) handler(lang bilingual.Lang, r route) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, hr *http.Request) {
		req := &request{hr, s.current(), lang}
		key := ""
		if r.fixed {
			key = hr.URL.Path
			if doc, ok := s.cache.get(req.app.Version(), key); ok {
				doc.serve(w, hr)
				return
			}
		}
		p, err := r.build(s, req)
		var to *moved
		switch {
		case errors.As(err, &to):
			http.Redirect(w, hr, to.to, http.StatusMovedPermanently)
			return
		case err != nil:
			s.fail(w, req, err)
			return
		}
		body, err := s.render(req, p)
		if err != nil {
			s.fail(w, req, err)
			return
		}
		doc := newDocument(body)
		if r.fixed {
			s.cache.put(req.app.Version(), key, doc)
		}
		doc.serve(w, hr)
	})
}

// elsewhere answers what no route does: another method, a trailing slash, or
// a page that does not exist.
func (s *site) elsewhere(w http.ResponseWriter, r *http.Request) {
	lang := bilingual.English
	if r.URL.Path == "/ko" || strings.HasPrefix(r.URL.Path, "/ko/") {
		lang = bilingual.Korean
	}
	switch clean := path.Clean(r.URL.Path); {
	case r.Method == http.MethodOptions:
		w.Header().Set("Allow", "GET, HEAD, OPTIONS")
		w.WriteHeader(http.StatusNoContent)
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		w.Header().Set("Allow", "GET, HEAD, OPTIONS")
		s.failWith(w, &request{r, s.current(), lang}, http.StatusMethodNotAllowed, errMethod())
	case r.URL.Path == "/ko":
		s.move(w, r, "/ko/")
	case strings.EqualFold(clean, "/ko"), len(clean) > 4 && strings.EqualFold(clean[:4], "/ko/") && clean[:4] != "/ko/":
		s.move(w, r, "/ko/"+strings.TrimPrefix(clean[3:], "/"))
	case clean != "/" && clean != r.URL.Path && !strings.HasPrefix(clean, "//") && clean != "/ko":
		s.move(w, r, clean)
	default:
		s.fail(w, &request{r, s.current(), lang}, noPage(r.URL.Path))
	}
}

// move sends a client to another path with the same query.
func (s *site) move(w http.ResponseWriter, r *http.Request, to string) {
	// A path may hold a question mark, which must not begin a query.
	http.Redirect(w, r, (&url.URL{Path: to, RawQuery: r.URL.RawQuery}).String(), http.StatusMovedPermanently)
}

// localPath returns a path of the site in a language.
func localPath(lang bilingual.Lang, path string) string {
	if lang == bilingual.Korean {
		return "/ko" + path
	}
	return path
}

// policy lets a page load what this server embeds and nothing else.
const policy = "default-src 'none'; style-src 'self'; script-src 'self'; font-src 'self'; img-src 'self'; " +
	"connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// policyOf returns the policy of a page.
func policyOf(path string) string {
	path = strings.TrimPrefix(path, "/ko")
	if path == "/simulator" || strings.HasPrefix(path, "/simulator/runs/") || strings.HasPrefix(path, "/scenarios/") {
		return simPolicy
	}
	return policy
}

func harden(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policyOf(r.URL.Path))
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "same-origin")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		next.ServeHTTP(w, r)
	})
}
