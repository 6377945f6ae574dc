package web

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"strings"
	"sync"

	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/lazyregexp"
	"github.com/openprecedent/precedent/internal/output"
)

//go:embed templates
var templateFS embed.FS

// frame is what every page has around its content. Templates use its methods.
type frame struct {
	Lang    bilingual.Lang
	Title   string // of the document
	Desc    string // one sentence for search engines and previews
	Path    string // of the page, without the language
	Query   string // raw query that the other language keeps
	Nav     string // part of the site that the page belongs to
	Kind    string // kind of page, a class of the body
	NoIndex bool   // not for search engines
	Data    string // path of the page's data form without suffix, if it has one
	Article string // path of the page's Markdown without suffix, if it has that and no data
	Focus   bool   // the page's own field has the focus; no field in the header
	Charted bool   // it shows a run of the simulator
	Crumbs  []link
	LD      any // structured data, if any
	Stats   *app.Stats
	Origin  string
	assets  *assets
}

// W returns a word of the site in the page's language.
func (f *frame) W(key string) string { return word(key, f.Lang) }

// U returns the address of a page of the site in the page's language.
func (f *frame) U(path string) string { return localPath(f.Lang, path) }

// Asset returns the address of an embedded file.
func (f *frame) Asset(name string) string { return f.assets.url(name) }

// Other is the language that the page can be switched to.
func (f *frame) Other() bilingual.Lang { return f.Lang.Other() }

// In returns the address of this page in a language.
func (f *frame) In(l bilingual.Lang) string {
	u := localPath(l, f.Path)
	if f.Query != "" {
		u += "?" + f.Query
	}
	return u
}

// Abs returns the address of this page in a language for machines: absolute
// where the site knows its public address. The address of a request must not
// stand in here, since these pages are kept and shown to others.
func (f *frame) Abs(l bilingual.Lang) string { return f.Origin + localPath(l, f.Path) }

// PageLang is the language as a plain string.
func (f *frame) PageLang() string { return string(f.Lang) }

// Langs are the languages of the site.
func (f *frame) Langs() []bilingual.Lang { return bilingual.Langs[:] }

// Here reports whether the page belongs to a part of the site.
func (f *frame) Here(nav string) bool { return f.Nav == nav }

// T returns a text as the page's reader can be shown it.
func (f *frame) T(t bilingual.Text) text { return read(&t, f.Lang) }

// link is an address with its words.
type link struct {
	Href string
	Text string
}

// text is prose for a reader. Where the reader's language is missing, the
// other one stands in, with a mark that says so.
type text struct {
	S       string
	Lang    bilingual.Lang
	Foreign bool
	Mark    string
}

// Empty reports whether there is nothing to show.
func (t text) Empty() bool { return t.S == "" }

func read(t *bilingual.Text, l bilingual.Lang) text {
	if t == nil || t.IsZero() {
		return text{Lang: l}
	}
	s, in := t.Read(l)
	out := text{S: s, Lang: in, Foreign: in != l}
	if out.Foreign {
		out.Mark = output.Word("other-language", l)
	}
	return out
}

// newFrame returns the frame of a page with a title.
func (s *site) newFrame(r *request, path, title string) frame {
	return frame{
		Lang: r.lang, Title: title, Path: path, Stats: r.app.Stats(), Origin: strings.TrimSuffix(s.opt.Origin, "/"), assets: s.assets,
	}
}

var plainHost = lazyregexp.New(`^([A-Za-z0-9.-]+|\[[0-9a-fA-F:]+\])(:[0-9]{1,5})?$`)

// origin returns the public address of the site: the configured one, or the
// one that the request came to.
func (s *site) origin(r *http.Request) string {
	if s.opt.Origin != "" {
		return strings.TrimSuffix(s.opt.Origin, "/")
	}
	if !plainHost.MatchString(r.Host) {
		return ""
	}
	u := url.URL{Scheme: "http", Host: r.Host}
	if r.TLS != nil {
		u.Scheme = "https"
	}
	return u.String()
}

// pageNames are the templates of whole pages, each in a file of its name.
var pageNames = []string{"case", "cases", "check", "checks", "doc", "error", "guide", "guides", "home", "parts-reference", "replay", "scenarios", "search", "similar", "simulator", "topic", "topics", "vocab", "vocablist"}

// parseTemplates reads the embedded templates; it panics on a malformed one.
func parseTemplates() map[string]func() *template.Template {
	shared := sync.OnceValue(func() *template.Template {
		funcs := template.FuncMap{"icon": icon, "shape": shape, "dots": dots, "marks": marks, "printf": fmt.Sprintf}
		return template.Must(template.New("").Funcs(funcs).ParseFS(templateFS, "templates/frame.html", "templates/parts.html"))
	})
	all := map[string]func() *template.Template{}
	for _, name := range pageNames {
		all[name] = sync.OnceValue(func() *template.Template {
			t := template.Must(shared().Clone())
			return template.Must(t.ParseFS(templateFS, "templates/"+name+".html"))
		})
	}
	return all
}

// render executes the template of a page.
func (s *site) render(r *request, p page) ([]byte, error) {
	var b bytes.Buffer
	entry := "frame"
	if part, ok := p.(fragment); ok && part.fragment() {
		entry = "fragment"
	}
	if err := s.templates[p.template()]().ExecuteTemplate(&b, entry, p); err != nil {
		return nil, fmt.Errorf("rendering %s: %w", r.URL.Path, err)
	}
	return b.Bytes(), nil
}

// A fragment is a page of which only a part may be asked for.
type fragment interface{ fragment() bool }
