package web

import (
	"embed"
	"html/template"
	"strings"
	"sync"

	"github.com/openprecedent/precedent/internal/bilingual"
)

//go:embed content
var contentFS embed.FS

// prose holds the documents of the site by name and language, each rendered
// when it is first asked for.
type prose map[string]map[bilingual.Lang]func() doc

// doc is a rendered document with its title.
type doc struct {
	Title string
	Desc  string
	HTML  string
}

// docNames are the documents of the folder content, each in both languages.
var docNames = []string{"about", "api", "mcp"}

// loadProse reads the documents. It panics if one is missing.
func loadProse(opt Options) prose {
	all := prose{}
	for _, name := range docNames {
		all[name] = map[bilingual.Lang]func() doc{}
		for _, l := range bilingual.Langs {
			all[name][l] = newDoc(articleText(name, l))
		}
	}
	for name, src := range map[string]bilingual.Text{"format": opt.CaseFormat, "system": opt.SystemFormat} {
		if src.IsZero() {
			continue
		}
		all[name] = map[bilingual.Lang]func() doc{}
		for _, l := range bilingual.Langs {
			if text := src.In(l); text != "" {
				all[name][l] = newDoc(here(text, l))
			}
		}
	}
	return all
}

// siteAddresses are the pages of the site that the documents of the folder doc
// are, or that say the same.
var siteAddresses = [][2]string{
	{"case-format", "/docs/format"}, {"system-format", "/docs/system"},
	{"parts", "/simulator/parts"}, {"running-checks", "/checks"},
}

// here returns a document of the folder doc, in a language, with the links that
// it has on the site.
func here(src string, l bilingual.Lang) string {
	for _, a := range siteAddresses {
		to := "](" + localPath(l, a[1])
		src = strings.NewReplacer("]("+a[0]+".md", to, "]("+a[0]+"."+string(l)+".md", to).Replace(src)
	}
	return src
}

func newDoc(src string) func() doc {
	return sync.OnceValue(func() doc {
		title, rest, _ := strings.Cut(strings.TrimPrefix(src, "# "), "\n")
		desc, _, _ := strings.Cut(strings.TrimSpace(rest), "\n\n")
		desc = strings.NewReplacer("`", "", "**", "").Replace(strings.Join(strings.Fields(desc), " "))
		return doc{title, desc, string(docMarkdown(src))}
	})
}

// Articles returns the texts of the site by the paths of their pages: each as
// Markdown in a language, or in the other where there is none, with links to
// the server at an origin.
func Articles(opt Options) map[string]func(l bilingual.Lang, origin string) (string, bilingual.Lang) {
	articles := map[string]func(bilingual.Lang, string) (string, bilingual.Lang){}
	for path, src := range map[string]bilingual.Text{"/docs/format": opt.CaseFormat, "/docs/system": opt.SystemFormat} {
		if !src.IsZero() {
			articles[path] = func(l bilingual.Lang, _ string) (string, bilingual.Lang) {
				text, in := src.Read(l)
				return here(text, in), in
			}
		}
	}
	for path, name := range map[string]string{"/about": "about", "/docs/api": "api", "/docs/mcp": "mcp", "/simulator": "simulator"} {
		articles[path] = func(l bilingual.Lang, origin string) (string, bilingual.Lang) {
			return strings.ReplaceAll(articleText(name, l), placeholder, origin), l
		}
	}
	return articles
}

// articleText returns a document of the folder content. It panics if it is missing.
func articleText(name string, l bilingual.Lang) string {
	src, err := contentFS.ReadFile("content/" + name + "." + string(l) + ".md")
	if err != nil {
		panic("web: " + err.Error())
	}
	return string(src)
}

// docPage is a document.
type docPage struct {
	frame
	HTML    template.HTML
	DocLang bilingual.Lang
}

func (*docPage) template() string { return "doc" }

// Articles are the documents of the site.
func (p *docPage) Articles() []link {
	return []link{
		{p.U("/about"), p.W("nav-about")}, {p.U("/docs/api"), p.W("nav-api")},
		{p.U("/docs/mcp"), p.W("nav-mcp")}, {p.U("/docs/format"), p.W("nav-format")}, {p.U("/docs/system"), p.W("nav-system")},
	}
}

func (s *site) doc(r *request, name, path string) (*docPage, error) {
	read, ok := s.prose[name][r.lang]
	lang := r.lang
	if !ok {
		lang = lang.Other()
		if read, ok = s.prose[name][lang]; !ok {
			return nil, noPage(path)
		}
	}
	d := read()
	p := &docPage{frame: s.newFrame(r, path, d.Title), DocLang: lang}
	p.Nav, p.Kind, p.Desc, p.Article = "docs", "document", d.Desc, path
	p.HTML = template.HTML(d.HTML)
	return p, nil
}

// placeholder stands for the address of the server in the documents.
const placeholder = "https://ORIGIN"

// live is a document that shows the address of this server.
func (s *site) live(r *request, name, path string) (page, error) {
	p, err := s.doc(r, name, path)
	if err != nil {
		return nil, err
	}
	origin := s.origin(r.Request)
	if origin == "" {
		origin = "http://127.0.0.1:8080"
	}
	p.HTML = template.HTML(strings.ReplaceAll(string(p.HTML), placeholder, template.HTMLEscapeString(origin)))
	p.Desc = strings.ReplaceAll(p.Desc, placeholder, origin)
	return p, nil
}

// docs sends who cuts an address short to the first document.
func (s *site) docs(r *request) (page, error) { return nil, &moved{localPath(r.lang, "/docs/api")} }

func (s *site) docsAPI(r *request) (page, error) { return s.live(r, "api", "/docs/api") }
func (s *site) docsMCP(r *request) (page, error) { return s.live(r, "mcp", "/docs/mcp") }

func (s *site) docsFormat(r *request) (page, error) {
	return pageOr(s.doc(r, "format", "/docs/format"))
}

func (s *site) docsSystem(r *request) (page, error) {
	return pageOr(s.doc(r, "system", "/docs/system"))
}

// pageOr keeps a nil page from becoming an interface that is not nil.
func pageOr(p *docPage, err error) (page, error) {
	if err != nil {
		return nil, err
	}
	return p, nil
}

func (s *site) about(r *request) (page, error) {
	p, err := s.doc(r, "about", "/about")
	if err != nil {
		return nil, err
	}
	p.Nav = "about"
	return p, nil
}
