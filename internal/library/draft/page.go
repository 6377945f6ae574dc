package draft

import (
	"encoding/json"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/openprecedent/precedent/internal/lazyregexp"
)

// readPage converts a saved web page: its main content becomes blocks, the
// rest is reported as left out.
func readPage(src string) (*document, error) {
	tree, err := parseTree(src)
	if err != nil {
		return nil, err
	}
	doc := &document{page: pageOf(tree, src)}
	sizes := map[*html.Node]int{}
	root := mainOf(tree, sizes)
	title := titleNode(tree, root)
	keep := map[*html.Node]bool{root: true}
	for n := title; n != nil && n != root; n = n.Parent {
		keep[n] = true
	}
	c := &converter{doc: doc, noise: func(n *html.Node) string {
		what := pageNoise(n)
		if keep[n] || what != "" && classNoise(n) == what && len(textOf(n))*5 > sizes[root]*2 {
			return "" // most of the text is no side matter, whatever it is called
		}
		return what
	}}
	if title != nil && !contains(root, title) {
		doc.blocks = append(doc.blocks, block{kind: heading, level: 1, runs: c.runs(title)})
	}
	doc.blocks = append(doc.blocks, c.blocks(root)...)
	c.leaveAround(tree, root, title)
	return doc, nil
}

// leaveAround reports everything outside the main content.
func (c *converter) leaveAround(n, root, title *html.Node) {
	for child := n.FirstChild; child != nil; child = child.NextSibling {
		switch {
		case child == root || child == title || child.DataAtom == atom.Head:
		case contains(child, root) || title != nil && contains(child, title):
			c.leaveAround(child, root, title)
		case child.Type == html.TextNode:
			c.leave("text outside the main content", child.Data)
		case child.Type == html.ElementNode:
			what := pageNoise(child)
			if what == "" {
				what = "text outside the main content"
			}
			c.leave(what, textOf(child))
		}
	}
}

func contains(outer, n *html.Node) bool {
	for ; n != nil; n = n.Parent {
		if n == outer {
			return true
		}
	}
	return false
}

// mainOf returns the element that holds the report: the largest article, main
// or marked content, if it has most of the words that are no noise; the body
// elsewhere.
func mainOf(tree *html.Node, sizes map[*html.Node]int) *html.Node {
	body := find(tree, func(n *html.Node) bool { return n.DataAtom == atom.Body })
	if body == nil {
		return tree
	}
	contentSize(body, sizes)
	best := body
	for {
		var next *html.Node
		each(best, func(n *html.Node) {
			if n != best && isMain(n) && (next == nil || sizes[n] > sizes[next]) {
				next = n
			}
		})
		if next == nil || sizes[next]*10 < sizes[best]*6 {
			return best
		}
		best = next
	}
}

func isMain(n *html.Node) bool {
	if n.DataAtom == atom.Main || n.DataAtom == atom.Article || attr(n, "role") == "main" {
		return true
	}
	switch attr(n, "itemprop") {
	case "articleBody":
		return true
	}
	return attr(n, "id") == "content" || attr(n, "id") == "main-content"
}

// contentSize counts the bytes below n that are no noise, for each element.
func contentSize(n *html.Node, sizes map[*html.Node]int) int {
	if n.Type == html.TextNode {
		return len(strings.Join(strings.Fields(n.Data), " "))
	}
	size := 0
	for child := n.FirstChild; child != nil; child = child.NextSibling {
		if child.Type != html.ElementNode || pageNoise(child) == "" {
			size += contentSize(child, sizes)
		}
	}
	sizes[n] = size
	return size
}

// titleNode returns the page's only first-level heading, or the first one in
// the main content.
func titleNode(tree, root *html.Node) *html.Node {
	isTitle := func(n *html.Node) bool {
		return n.DataAtom == atom.H1 && strings.TrimSpace(textOf(n)) != "" && !hidden(n)
	}
	if n := find(root, isTitle); n != nil {
		return n
	}
	var all []*html.Node
	each(tree, func(n *html.Node) {
		if isTitle(n) {
			all = append(all, n)
		}
	})
	if len(all) == 1 {
		return all[0]
	}
	return nil
}

func each(n *html.Node, visit func(*html.Node)) {
	if n.Type == html.ElementNode {
		visit(n)
	}
	for child := n.FirstChild; child != nil; child = child.NextSibling {
		each(child, visit)
	}
}

func find(n *html.Node, is func(*html.Node) bool) *html.Node {
	if n.Type == html.ElementNode && is(n) {
		return n
	}
	for child := n.FirstChild; child != nil; child = child.NextSibling {
		if found := find(child, is); found != nil {
			return found
		}
	}
	return nil
}

var savedFrom = lazyregexp.New(`<!--\s*(?:saved from url=\(\d+\)|Page saved with SingleFile\s+url:\s*)(https?://[^\s>]+)`)

// pageOf reads the head of a page.
func pageOf(tree *html.Node, src string) page {
	var p page
	set := func(field *string, value string) {
		if value = strings.TrimSpace(clean(value)); *field == "" && value != "" {
			*field = value
		}
	}
	var ogURL, ogTitle, docTitle string
	each(tree, func(n *html.Node) {
		switch n.DataAtom {
		case atom.Html:
			set(&p.lang, attr(n, "lang"))
		case atom.Title:
			set(&docTitle, strings.Join(strings.Fields(textOf(n)), " "))
		case atom.Link:
			if strings.EqualFold(attr(n, "rel"), "canonical") {
				set(&p.url, attr(n, "href"))
			}
		case atom.Meta:
			switch content := attr(n, "content"); strings.ToLower(attr(n, "property") + attr(n, "name") + attr(n, "itemprop")) {
			case "og:url":
				set(&ogURL, content)
			case "og:title":
				set(&ogTitle, content)
			case "og:site_name":
				set(&p.site, content)
			case "article:published_time", "datepublished", "dc.date", "date":
				set(&p.published, content)
			}
		case atom.Script:
			if attr(n, "type") == "application/ld+json" {
				set(&p.published, linkedDate(textOf(n)))
			}
		}
	})
	set(&p.url, ogURL)
	if m := savedFrom.FindStringSubmatch(src[:min(len(src), 4096)]); m != nil {
		set(&p.url, m[1])
	}
	set(&p.title, ogTitle)
	set(&p.title, docTitle)
	return p
}

// linkedDate returns datePublished of a JSON-LD description.
func linkedDate(text string) string {
	var v any
	if json.Unmarshal([]byte(text), &v) != nil {
		return ""
	}
	return dateIn(v, 0)
}

func dateIn(v any, depth int) string {
	if depth > 4 {
		return ""
	}
	switch v := v.(type) {
	case []any:
		for _, one := range v {
			if s := dateIn(one, depth+1); s != "" {
				return s
			}
		}
	case map[string]any:
		if s, ok := v["datePublished"].(string); ok {
			return s
		}
		return dateIn(v["@graph"], depth+1)
	}
	return ""
}
