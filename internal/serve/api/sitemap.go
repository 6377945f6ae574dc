package api

import (
	"encoding/xml"
	"slices"
)

// maxSitemap is the number of addresses that a sitemap may have.
const maxSitemap = 50_000

type sitemapLink struct {
	Rel  string `xml:"rel,attr"`
	Lang string `xml:"hreflang,attr"`
	Href string `xml:"href,attr"`
}

type sitemapURL struct {
	Loc   string        `xml:"loc"`
	Links []sitemapLink `xml:"xhtml:link"`
}

type sitemapSet struct {
	XMLName xml.Name     `xml:"http://www.sitemaps.org/schemas/sitemap/0.9 urlset"`
	XHTML   string       `xml:"xmlns:xhtml,attr"`
	URLs    []sitemapURL `xml:"url"`
}

// sitemap lists all pages in both languages. It names no dates of change,
// since none are known.
func sitemap(s *site) ([]byte, error) {
	set := sitemapSet{XHTML: "http://www.w3.org/1999/xhtml"}
	for _, path := range s.pages() {
		if len(set.URLs)+2 > maxSitemap {
			break
		}
		en, ko := s.base+path, s.base+"/ko"+path
		links := []sitemapLink{{"alternate", "en", en}, {"alternate", "ko", ko}, {"alternate", "x-default", en}}
		set.URLs = append(set.URLs, sitemapURL{en, links}, sitemapURL{ko, links})
	}
	raw, err := xml.MarshalIndent(set, "", "")
	return slices.Concat([]byte(xml.Header), raw, []byte("\n")), err
}

// pages returns the paths of the site's pages without the language.
func (s *site) pages() []string {
	paths := []string{"/", "/cases", "/topics", "/vocab", "/scenarios", "/checks", "/guide", "/simulator", "/simulator/parts", "/about", "/docs/api", "/docs/mcp", "/docs/format", "/docs/system"}
	for _, b := range s.app.All() {
		paths = append(paths, "/cases/"+b.ID)
	}
	for _, c := range s.app.CheckIDs() {
		paths = append(paths, "/checks/"+c)
	}
	for _, sc := range s.app.Scenarios().Scenarios {
		if paths = append(paths, "/scenarios/"+sc.ID); sc.HasGuide {
			paths = append(paths, "/guide/"+sc.ID)
		}
	}
	for _, list := range s.app.Topics().Lists {
		for _, t := range list.Topics {
			paths = append(paths, "/topics/"+t.List+"/"+t.ID)
		}
	}
	if v, err := s.app.Vocab(""); err == nil {
		for _, l := range v.Lists {
			paths = append(paths, "/vocab/"+l.ID)
		}
	}
	return paths
}
