package api

import (
	"bytes"
	"net/http"

	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/lazyregexp"
	"github.com/openprecedent/precedent/internal/output"
	"github.com/openprecedent/precedent/internal/sim/parts"
)

// documents is the table of the files at fixed addresses, by path.
func documents() []*document {
	return []*document{
		{
			id: "archive", path: "/all.zip", mediaType: "application/zip", make: archive, filename: "precedent.zip",
			doc: bilingual.Text{En: "The whole library: one JSON file a case, an index, the vocabulary and the licence. The same library gives the same bytes.",
				Ko: "라이브러리 전체. 사례마다 JSON 파일 하나, 색인, 용어 목록, 라이선스. 라이브러리가 같으면 바이트도 같다."},
		},
		{
			id: "reference", path: "/docs/api.md", mediaType: markdownType, make: reference, korean: true,
			doc: bilingual.Text{En: "The reference of this API", Ko: "이 API의 설명서"},
		},
		{
			id: "atom", path: "/feed.atom", mediaType: "application/atom+xml; charset=utf-8", make: atomFeed, korean: true,
			doc: bilingual.Text{En: "The newest cases as an Atom feed", Ko: "새 사례의 Atom 피드"},
		},
		{
			id: "jsonFeed", path: "/feed.json", mediaType: "application/feed+json", make: jsonFeed, korean: true,
			doc: bilingual.Text{En: "The newest cases as a JSON Feed", Ko: "새 사례의 JSON Feed"},
		},
		{
			id: "home", path: "/index.md", mediaType: markdownType, make: llms, korean: true,
			doc: bilingual.Text{En: "The home page as Markdown, the same as /llms.txt", Ko: "첫 페이지의 마크다운. /llms.txt와 같다"},
		},
		{
			id: "llms", path: "/llms.txt", mediaType: markdownType, make: llms, korean: true,
			doc: bilingual.Text{En: "What a language model should know to use this site", Ko: "언어 모델이 이 사이트를 쓰는 데 알아야 할 것"},
		},
		{
			id: "modified", path: "/modified.csv", mediaType: "text/csv; charset=utf-8; header=present", make: modified,
			doc: bilingual.Text{En: "Each case with its date and the hash of its JSON, newest incident first, to see which ones changed since the last copy. The record has no date of change, so none is given: compare the hashes.",
				Ko: "사례마다 날짜와 JSON의 해시, 새 사고부터. 지난번 사본에서 바뀐 사례를 찾는 데 쓴다. 기록에 바뀐 날짜가 없으므로 적지 않는다. 해시를 견준다."},
		},
		{
			id: "openapi", path: "/openapi.json", mediaType: "application/json", make: openAPI,
			doc: bilingual.Text{En: "This API described in OpenAPI 3.1", Ko: "이 API의 OpenAPI 3.1 문서"},
		},
		{
			id: "robots", path: "/robots.txt", mediaType: "text/plain; charset=utf-8", make: robots,
			doc: bilingual.Text{En: "What crawlers and agents may do: everything", Ko: "크롤러와 에이전트가 해도 되는 일: 전부"},
		},
		{
			id: "caseSchema", path: "/schema/case.json", mediaType: "application/schema+json", make: caseSchema,
			doc: bilingual.Text{En: "The JSON Schema of case files, for editors", Ko: "사례 파일의 JSON Schema, 편집기용"},
		},
		{
			id: "checkSchema", path: "/schema/check.json", mediaType: "application/schema+json", make: checkSchema,
			doc: bilingual.Text{En: "The JSON Schema of check files, for editors", Ko: "점검 파일의 JSON Schema, 편집기용"},
		},
		{
			id: "systemSchema", path: "/schema/system.json", mediaType: "application/schema+json", make: systemSchema,
			doc: bilingual.Text{En: "The JSON Schema of system and scenario files, for editors", Ko: "시스템과 시나리오 파일의 JSON Schema, 편집기용"},
		},
		{
			id: "partsData", path: "/simulator/parts.json", mediaType: "application/json", make: partsData,
			doc: bilingual.Text{En: "The kinds of parts that a system is made of, with their settings", Ko: "시스템을 이루는 부품의 종류와 설정"},
		},
		{
			id: "parts", path: "/simulator/parts.md", mediaType: markdownType, make: partsPage, korean: true,
			doc: bilingual.Text{En: "The same as Markdown", Ko: "같은 내용의 마크다운"},
		},
		{
			id: "sitemap", path: "/sitemap.xml", mediaType: "application/xml; charset=utf-8", make: sitemap,
			doc: bilingual.Text{En: "All pages, in both languages", Ko: "두 언어의 모든 페이지"},
		},
	}
}

const markdownType = "text/markdown; charset=utf-8"

// site is what a document is made of.
type site struct {
	app  *app.App
	base string         // scheme and host, for absolute links
	lang bilingual.Lang // of the document
	ops  []*operation
	docs []*document
}

// url returns the absolute address of a path in the site's language.
func (s *site) url(path string) string {
	if s.lang == bilingual.Korean {
		return s.base + "/ko" + path
	}
	return s.base + path
}

// serveDocument answers a request for a document.
func (a *api) serveDocument(w http.ResponseWriter, r *http.Request, doc *document) {
	at, _ := r.Context().Value(addressKey{}).(address)
	common(w.Header())
	if r.URL.RawQuery != "" {
		refuse(w, r, http.StatusBadRequest,
			bilingual.Text{En: "there are no parameters here", Ko: "여기에는 매개변수가 없다"},
			bilingual.Text{En: "leave out what follows the question mark", Ko: "물음표 뒤를 뺀다"})
		return
	}
	cache := a.cache()
	s := &site{app: cache.app, base: a.base(r), lang: bilingual.English, ops: a.ops, docs: a.docs}
	if at.korean {
		s.lang = bilingual.Korean
	}
	key := doc.id + " " + s.url("")
	b := cache.get(key)
	if b == nil {
		raw, err := doc.make(s)
		if err != nil {
			a.opt.Log.ErrorContext(r.Context(), "making a document", "path", doc.path, "error", err)
			fail(w, r, http.StatusInternalServerError)
			return
		}
		b = &body{mediaType: doc.mediaType, plain: raw, tag: tagOf(doc.mediaType, string(raw))}
		if doc.korean {
			b.lang = s.lang
			if doc.in != nil {
				b.lang = doc.in(s.lang)
			}
		}
		if cache.keeps(s.base) {
			cache.put(key, b)
		}
	}
	w.Header().Add("Vary", "Accept-Encoding")
	if doc.filename != "" {
		w.Header().Set("Content-Disposition", `attachment; filename="`+doc.filename+`"`)
	}
	b.write(w, r, &a.thorough)
}

// hostForm is what a host may look like to be repeated in a link.
var hostForm = lazyregexp.New(`^([A-Za-z0-9]([A-Za-z0-9._-]{0,251}[A-Za-z0-9])?|\[[0-9A-Fa-f:.]{2,45}\])(:[0-9]{1,5})?$`)

// base returns the scheme and host for absolute links: those of the options,
// or else those by which the client speaks to this server. A host that does
// not look like one is not repeated.
func (a *api) base(r *http.Request) string {
	if a.opt.BaseURL != "" {
		return a.opt.BaseURL
	}
	scheme, host := "http://", r.Host
	if r.TLS != nil {
		scheme = "https://"
	}
	if !hostForm.MatchString(host) {
		host = "localhost"
	}
	return scheme + host
}

func caseSchema(s *site) ([]byte, error) {
	schema, err := s.app.CaseSchema()
	if err != nil {
		return nil, err
	}
	return asJSON(schema)
}

func partsData(*site) ([]byte, error) { return asJSON(parts.Reference()) }

func partsPage(s *site) ([]byte, error) {
	return asMarkdown(output.PartsPage(parts.Reference(), s.lang))
}

func checkSchema(s *site) ([]byte, error) { return asJSON(s.app.CheckSchema()) }

func systemSchema(*site) ([]byte, error) { return asJSON(app.SystemSchema()) }

// asJSON renders in the wire form.
func asJSON(v any) ([]byte, error) {
	var buf bytes.Buffer
	err := output.JSON(&buf, v)
	return buf.Bytes(), err
}

// asMarkdown renders a page.
func asMarkdown(page output.Page) ([]byte, error) {
	var buf bytes.Buffer
	err := output.Markdown(&buf, page)
	return buf.Bytes(), err
}
