package api

import (
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/openprecedent/precedent/internal/bilingual"
)

// Article is a text of the site: its Markdown in a language, with links to the
// server at an origin. It returns the language that the text is really in.
type Article = func(l bilingual.Lang, origin string) (string, bilingual.Lang)

// withArticles adds the articles to the documents, except where a document says
// the same and more already.
func withArticles(docs []*document, articles map[string]Article) []*document {
	for _, path := range slices.Sorted(maps.Keys(articles)) {
		if documentAt(docs, path+".md") != nil {
			continue
		}
		article := articles[path]
		docs = append(docs, &document{
			id: "article " + path, path: path + ".md", mediaType: markdownType, korean: true,
			doc: bilingual.Text{En: "The page " + path + " as Markdown", Ko: path + " 페이지의 마크다운"},
			make: func(s *site) ([]byte, error) {
				text, _ := article(s.lang, s.base)
				return []byte(text), nil
			},
			in: func(l bilingual.Lang) bilingual.Lang {
				_, in := article(l, "")
				return in
			},
		})
	}
	return docs
}

// documentAt returns the document at a path, or nil.
func documentAt(docs []*document, path string) *document {
	for _, doc := range docs {
		if doc.path == path {
			return doc
		}
	}
	return nil
}

// serveHome answers for the home page: as Markdown it is the guide for language
// models.
func (a *api) serveHome(w http.ResponseWriter, r *http.Request) {
	at, _ := r.Context().Value(addressKey{}).(address)
	a.serveArticle(w, r, at, "/index")
}

// serveDocs sends who cuts an address short to the first document, as the site
// does.
func (a *api) serveDocs(w http.ResponseWriter, r *http.Request) {
	at, _ := r.Context().Value(addressKey{}).(address)
	if at.suffix == formatJSON {
		a.serveRest(w, r)
		return
	}
	redirect(w, at.of("/docs/api", r.URL.RawQuery), true)
}

// serveRest answers where there is no data: with a text of the site, with a
// page that is nothing else, or not at all.
func (a *api) serveRest(w http.ResponseWriter, r *http.Request) {
	at, _ := r.Context().Value(addressKey{}).(address)
	if at.suffix == "" && !strings.HasPrefix(at.path, "/api/") {
		if documentAt(a.docs, at.path+".md") != nil {
			a.serveArticle(w, r, at, at.path)
			return
		}
		if a.opt.Rest != nil && a.pageOnly(w, r, at) {
			return
		}
	}
	refuse(w, r, http.StatusNotFound, bilingual.Text{En: "nothing stands at this address", Ko: "이 주소에는 아무것도 없다"},
		bilingual.Text{En: "see /openapi.json or /llms.txt for what there is", Ko: "있는 것: /openapi.json, /llms.txt"})
}

// pageOnly answers for an address that has a page at most, and reports whether
// it did. Somebody who would rather have data is told in that form that there
// is nothing.
func (a *api) pageOnly(w http.ResponseWriter, r *http.Request, at address) bool {
	run := strings.HasPrefix(at.path, "/simulator/runs/")
	offered := []format{formatHTML}
	if !run {
		offered = append(offered, formatJSON, formatMarkdown)
	}
	form, ok := chooseFormat(r, offered)
	switch {
	case form == formatHTML:
		a.opt.Rest.ServeHTTP(w, at.whole)
		return true
	case run && !ok:
		unacceptable(w, r, offered)
		return true
	}
	return false
}

// serveArticle answers for a text of the site, as a page or as the documents that
// stand at its path with a suffix.
func (a *api) serveArticle(w http.ResponseWriter, r *http.Request, at address, path string) {
	var offered []format
	if a.opt.Rest != nil {
		offered = append(offered, formatHTML)
	}
	for _, f := range []format{formatJSON, formatMarkdown} {
		if documentAt(a.docs, path+"."+string(f)) != nil {
			offered = append(offered, f)
		}
	}
	switch form, ok := chooseFormat(r, offered); {
	case !ok:
		unacceptable(w, r, offered)
	case form == formatHTML:
		a.opt.Rest.ServeHTTP(w, at.whole)
	default:
		w.Header().Set("Vary", "Accept")
		a.serveDocument(w, r, documentAt(a.docs, path+"."+string(form)))
	}
}

// unacceptable tells a client that accepts nothing of what is offered what
// that is.
func unacceptable(w http.ResponseWriter, r *http.Request, offered []format) {
	types := mediaTypes(offered)
	all := strings.Join(types, ", ")
	w.Header().Set("Vary", "Accept")
	w.Header().Add("Vary", "Accept-Language")
	p := problem(langOf(r), http.StatusNotAcceptable,
		bilingual.Text{En: "the header Accept takes nothing of what there is here", Ko: "여기에 있는 형식 가운데 헤더 Accept가 받는 것이 없다"},
		bilingual.Text{En: "ask for one of " + all, Ko: "다음 가운데 하나를 요청한다: " + all})
	p.Available = types
	p.write(w, r)
}
