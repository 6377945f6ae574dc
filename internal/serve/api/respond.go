package api

import (
	"bytes"
	"fmt"
	"net/http"
	"net/url"

	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/output"
	"github.com/openprecedent/precedent/internal/serve/negotiate"
)

// call is one request for an operation.
type call struct {
	*api
	w     http.ResponseWriter
	r     *http.Request
	op    *operation
	at    address
	q     *question
	cache *cache
	form  format
}

// serveOperation answers a request for an operation.
func (a *api) serveOperation(w http.ResponseWriter, r *http.Request, op *operation) {
	at, _ := r.Context().Value(addressKey{}).(address)
	c := &call{api: a, w: w, r: r, op: op, at: at, q: &question{Path: map[string]string{}}, cache: a.cache()}
	for _, p := range op.params {
		if p.in == "path" {
			c.q.Path[p.name] = r.PathValue(p.name)
		}
	}
	if wrong := op.decode(r.URL.RawQuery, c.q); len(wrong) > 0 {
		w.Header().Add("Vary", "Accept-Language")
		invalid(c.problemLang(), wrong).write(w, r)
		return
	}
	common(w.Header())
	if !c.represent() {
		unacceptable(w, r, c.forms())
		return
	}
	if op.computed {
		c.compute()
	} else {
		c.fetch()
	}
}

// problemLang is the language of a problem.
func (c *call) problemLang() bilingual.Lang {
	if c.q.Lang != "" {
		return c.q.Lang
	}
	return langOf(c.r)
}

// compute answers a question of which there are too many to keep the answers.
// Its ETag is one of the question, since the answer depends on nothing else.
func (c *call) compute() {
	tag := tagOf(c.opt.Build, c.cache.app.Version(), c.op.id, string(c.form), c.q.key())
	if fresh(c.w, c.r, tag) {
		return
	}
	if b := c.answer(); b != nil {
		b.tag = tag
		b.write(c.w, c.r, &c.quick)
	}
}

// fetch answers a question from the cache, and puts the answer there first
// where it is not.
func (c *call) fetch() {
	key := fmt.Sprintf("%s %s %s %t %s", c.op.id, c.form, c.at.head(), c.at.api, c.q.key())
	b := c.cache.get(key)
	if b == nil {
		if b = c.answer(); b == nil {
			return
		}
		b.tag = tagOf(string(c.form), string(b.plain))
		c.cache.put(key, b)
	}
	b.write(c.w, c.r, &c.thorough)
}

// represent chooses the format and the language of the answer and says in the
// header what the choice depended on. The language stays in the question only
// where the answer differs by it. It reports false where the client accepts
// none of the formats.
func (c *call) represent() bool {
	vary := "Accept-Encoding"
	defer func() { c.w.Header().Set("Vary", vary) }()
	c.form = c.at.suffix
	offered := c.op.formats()
	if c.form == "" {
		vary = "Accept, " + vary
		var ok bool
		if c.form, ok = chooseFormat(c.r, offered); !ok {
			return false
		}
	}
	if c.form == formatJSON && !c.op.speaks {
		c.q.Lang = ""
		return true
	}
	if c.q.Lang == "" {
		c.q.Lang = c.at.lang
	}
	if c.q.Lang == "" {
		vary += ", Accept-Language"
		c.q.Lang = negotiate.Language(c.r.Header)
	}
	return c.form == formatJSON || len(offered) > 1
}

// forms are all formats in which there is what stands at the address.
func (c *call) forms() []format {
	if c.opt.Rest != nil && !c.at.api && !c.op.apiOnly && c.at.suffix == "" {
		return append([]format{formatHTML}, c.op.formats()...)
	}
	return c.op.formats()
}

// formats are the formats of an operation's answers, the first one where the
// client has no wish.
func (op *operation) formats() []format {
	if op.param("query", "lang") == nil {
		return []format{formatJSON}
	}
	return []format{formatJSON, formatMarkdown}
}

// answer asks the operation and returns the representation of what it said. A
// redirect or a problem it writes itself and returns nil.
func (c *call) answer() *body {
	if c.r.Context().Err() != nil {
		return nil // nobody waits for it any more
	}
	found, err := c.op.do(c.cache.app, c.q)
	if err != nil {
		p := asProblem(c.problemLang(), err, c.op)
		if p.Status == http.StatusInternalServerError {
			c.opt.Log.ErrorContext(c.r.Context(), "answering", "operation", c.op.id, "error", err)
		}
		p.write(c.w, c.r)
		return nil
	}
	if found.moved != "" {
		redirect(c.w, c.at.of(found.moved, c.r.URL.RawQuery), found.forGood)
		return nil
	}
	b := &body{mediaType: "application/json", links: c.links(found.next)}
	var buf bytes.Buffer
	if c.form == formatMarkdown {
		b.mediaType, b.lang = markdownType, c.q.Lang
		page := found.page(c.q.Lang)
		if found.next != "" { // not all who read Markdown see the header
			page = page.Onward(found.shown, found.all, "<"+c.onward(found.next)+">", c.q.Lang)
		}
		err = output.Markdown(&buf, page)
	} else {
		err = output.JSON(&buf, found.value)
	}
	if err != nil {
		c.opt.Log.ErrorContext(c.r.Context(), "rendering", "operation", c.op.id, "error", err)
		fail(c.w, c.r, http.StatusInternalServerError)
		return nil
	}
	b.plain = buf.Bytes()
	return b
}

// of returns the address of another thing, of the same kind as at.
func (at address) of(path, query string) string {
	if at.api {
		path = Root + path
	}
	to := url.URL{Path: at.head() + path + at.tail(), RawQuery: query}
	return to.String()
}

// links are the Link headers of an answer: its next page, the same thing in
// other formats and in the other language, and the description of the API.
func (c *call) links(next string) []string {
	query := c.r.URL.Query()
	var links []string
	add := func(path string, query url.Values, attributes string) {
		to := url.URL{Path: path, RawQuery: query.Encode()}
		links = append(links, "<"+to.String()+">; "+attributes)
	}
	if next != "" {
		links = append(links, "<"+c.onward(next)+`>; rel="next"`)
	}
	if page := c.page(); page != "" {
		query.Del("lang")
		query.Del("cursor")
		query.Del("facets")
		head := c.at.head()
		if head == "" && c.q.Lang == bilingual.Korean {
			head = "/ko"
		}
		if c.form != formatJSON {
			add(head+page+".json", query, `rel="alternate"; type="application/json"`)
		}
		if c.form != formatMarkdown {
			add(head+page+".md", query, `rel="alternate"; type="text/markdown"`)
		}
		add(page, query, `rel="alternate"; type="text/html"; hreflang="en"`)
		add("/ko"+page, query, `rel="alternate"; type="text/html"; hreflang="ko"`)
	}
	return append(links, `</openapi.json>; rel="service-desc"; type="application/json"`)
}

// onward returns the address of the next page.
func (c *call) onward(next string) string {
	query := c.r.URL.Query()
	query.Set("cursor", next)
	to := url.URL{Path: c.at.head() + c.at.path + c.at.tail(), RawQuery: query.Encode()}
	return to.String()
}

// page returns the path of the page of which the answer is the data, or
// nothing where there is none.
func (c *call) page() string {
	path := c.at.path
	if c.at.api {
		path = path[len(Root):]
	}
	if c.op.apiOnly {
		return ""
	}
	return path
}
