package web

import (
	"fmt"
	"net/url"
	"strings"

	"golang.org/x/text/language"
	"golang.org/x/text/language/display"

	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/output"
)

// caption states what the drawing of the timeline shows.
func (b *caseBuilder) caption() string {
	known := map[string]string{}
	for _, m := range b.c.Measured {
		known[m.Name] = about(output.Duration(m.Value, b.l), m.About, b.l)
	}
	var parts []string
	add := func(key string, values ...any) { parts = append(parts, fmt.Sprintf(word(key, b.l), values...)) }
	switch m, r := known["mitigate"], known["resolve"]; {
	case m != "" && r != "" && m != r:
		add("caption-both", m, r)
	case r != "":
		add("caption-resolve", r)
	case m != "":
		add("caption-mitigate", m)
	}
	if d := known["detect"]; d != "" {
		add("caption-detect", d)
	}
	if b.Drawing != nil && b.Drawing.Undrawn > 0 {
		add("caption-undrawn", b.Drawing.Undrawn, len(b.c.Actions))
	}
	return strings.Join(parts, " ")
}

// hostOf returns the host of an address, for a reader who wants to know where
// a link goes.
func hostOf(raw string) string {
	u, err := url.Parse(raw)
	if err != nil || u.Host == "" {
		return raw
	}
	return strings.TrimPrefix(u.Host, "www.")
}

// languageName returns the name of a language in language l.
func languageName(tag string, l bilingual.Lang) string {
	t, err := language.Parse(tag)
	if err != nil {
		return tag
	}
	in := language.English
	if l == bilingual.Korean {
		in = language.Korean
	}
	if name := display.Languages(in).Name(t); name != "" {
		return name
	}
	return tag
}

// caseLD describes a case and its place in the site for search engines, in the
// words of schema.org.
func caseLD(p *casePage) any {
	crumbs := []any{}
	for i, c := range []link{{p.Origin + p.U("/"), "precedent"}, {p.Origin + p.U("/cases"), word("nav-cases", p.Lang)}, {p.Abs(p.Lang), p.Case.ID}} {
		crumbs = append(crumbs, map[string]any{"@type": "ListItem", "position": i + 1, "name": c.Text, "item": c.Href})
	}
	article := map[string]any{
		"@type": "TechArticle", "headline": p.Heading.S, "identifier": p.Case.ID, "inLanguage": string(p.Lang),
		"description": p.Desc, "url": p.Abs(p.Lang), "about": p.Case.Org.Name,
		"license":          "https://creativecommons.org/licenses/by/4.0/",
		"isBasedOn":        sourceURLs(p.Sources),
		"temporalCoverage": p.Case.Date.String(),
	}
	return map[string]any{"@context": "https://schema.org", "@graph": []any{
		article, map[string]any{"@type": "BreadcrumbList", "itemListElement": crumbs},
	}}
}

func sourceURLs(sources []source) []string {
	urls := []string{}
	for _, s := range sources {
		urls = append(urls, s.URL)
	}
	return urls
}
