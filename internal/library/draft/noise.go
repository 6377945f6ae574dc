package draft

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// pageNoise names what an element of a web page is where it is no content of
// the report, and returns "" for content.
func pageNoise(n *html.Node) string {
	switch n.DataAtom {
	case atom.Script, atom.Noscript, atom.Template:
		return "script"
	case atom.Style:
		return "style sheet"
	case atom.Nav:
		return "navigation"
	case atom.Footer:
		return "page footer"
	case atom.Aside:
		return "side text"
	case atom.Iframe, atom.Object, atom.Embed, atom.Video, atom.Audio, atom.Canvas, atom.Svg, atom.Math:
		return "embedded object"
	case atom.Button, atom.Select, atom.Textarea, atom.Input, atom.Datalist:
		return "form control"
	case atom.Dialog:
		return "dialog"
	}
	if hidden(n) {
		return "hidden text"
	}
	if what := roles[attr(n, "role")]; what != "" {
		return what
	}
	if n.DataAtom == atom.Body || n.DataAtom == atom.Main || n.DataAtom == atom.Article || n.DataAtom == atom.Html {
		return ""
	}
	return classNoise(n)
}

var roles = map[string]string{
	"navigation": "navigation", "search": "search box", "contentinfo": "page footer",
	"complementary": "side text", "dialog": "dialog", "alertdialog": "dialog", "banner": "page header",
}

func hidden(n *html.Node) bool {
	if hasAttr(n, "hidden") || attr(n, "aria-hidden") == "true" {
		return true
	}
	style := strings.ReplaceAll(strings.ToLower(attr(n, "style")), " ", "")
	return strings.Contains(style, "display:none") || strings.Contains(style, "visibility:hidden")
}

var noisyNames = map[string]string{
	"nav": "navigation", "navbar": "navigation", "menu": "navigation", "breadcrumb": "navigation",
	"breadcrumbs": "navigation", "pagination": "navigation", "toc": "table of contents",
	"sidebar": "side text", "share": "sharing links", "sharing": "sharing links", "social": "sharing links",
	"comments": "comments of readers", "disqus": "comments of readers", "newsletter": "subscription form",
	"subscribe": "subscription form", "signup": "subscription form", "cookie": "cookie notice",
	"cookies": "cookie notice", "consent": "cookie notice", "related": "related articles",
	"recommended": "related articles", "advert": "advertising", "ads": "advertising", "promo": "advertising",
	"footer": "page footer", "masthead": "page header", "skip": "navigation", "modal": "dialog",
}

// classNoise judges an element by its id and classes. Only the first or last
// word of a name counts: "share-buttons" and "post-share" are noise,
// "market-share-loss" is not.
func classNoise(n *html.Node) string {
	for _, name := range append(strings.Fields(attr(n, "class")), attr(n, "id")) {
		words := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return r == '-' || r == '_' })
		if len(words) == 0 || len(words) > 3 {
			continue
		}
		for _, word := range []string{words[0], words[len(words)-1]} {
			if what := noisyNames[word]; what != "" {
				return what
			}
		}
	}
	return ""
}
