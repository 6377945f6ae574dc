package draft

import (
	"fmt"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// A converter turns an HTML tree into blocks.
type converter struct {
	doc *document
	// noise names what an element is where it is no content, "" elsewhere.
	noise func(*html.Node) string
}

// blocks returns the content of n as blocks.
func (c *converter) blocks(n *html.Node) []block {
	w := walker{c: c}
	w.children(n, run{})
	w.flush()
	return w.out
}

// runs returns the content of n as one text; blocks in it become lines.
func (c *converter) runs(n *html.Node) []run {
	w := walker{c: c, flat: true}
	w.children(n, run{})
	return w.in.take()
}

// A walker collects the blocks of one element.
type walker struct {
	c    *converter
	out  []block
	in   inline
	flat bool // everything becomes one text
}

func (w *walker) flush() {
	if w.flat {
		w.in.lineBreak()
		return
	}
	if runs := w.in.take(); len(runs) > 0 {
		w.out = append(w.out, block{kind: paragraph, runs: runs})
	}
}

func (w *walker) children(n *html.Node, style run) {
	for child := n.FirstChild; child != nil; child = child.NextSibling {
		w.node(child, style)
	}
}

func (w *walker) node(n *html.Node, style run) {
	switch n.Type {
	case html.TextNode:
		w.in.add(clean(n.Data), style)
	case html.ElementNode:
		if what := w.c.noise(n); what != "" {
			w.c.leave(what, textOf(n))
			return
		}
		w.element(n, style)
	}
}

func (w *walker) element(n *html.Node, style run) {
	switch n.DataAtom {
	case atom.Br:
		w.in.lineBreak()
	case atom.Hr:
		w.flush()
	case atom.Code, atom.Kbd, atom.Samp, atom.Tt:
		style.code = true
		w.children(n, style)
	case atom.Strong, atom.B:
		style.strong = true
		w.children(n, style)
	case atom.Time:
		style.stamp = attr(n, "datetime")
		w.children(n, style)
	case atom.Sup:
		if len(w.in.runs) > 0 && !w.in.space {
			w.in.add("^", style)
		}
		w.children(n, style)
	case atom.A:
		w.c.link(n)
		w.children(n, style)
	case atom.Img:
		w.image(n, style)
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		w.heading(n)
	default:
		w.container(n, style)
	}
}

// container handles elements that hold blocks.
func (w *walker) container(n *html.Node, style run) {
	switch n.DataAtom {
	case atom.Ul, atom.Ol, atom.Menu:
		w.add(block{kind: list, ordered: n.DataAtom == atom.Ol, items: w.c.items(n)}, n)
	case atom.Dl:
		w.add(block{kind: table, rows: w.c.definitions(n)}, n)
	case atom.Table:
		w.table(n)
	case atom.Pre:
		w.add(block{kind: code, text: codeText(n)}, n)
	case atom.Blockquote:
		w.add(block{kind: quote, blocks: w.c.blocks(n)}, n)
	case atom.P, atom.Div, atom.Section, atom.Article, atom.Main, atom.Header, atom.Footer, atom.Aside,
		atom.Nav, atom.Details, atom.Summary, atom.Figure, atom.Figcaption, atom.Address, atom.Center,
		atom.Fieldset, atom.Legend, atom.Form, atom.Body, atom.Html, atom.Hgroup, atom.Li, atom.Dt, atom.Dd,
		atom.Tr, atom.Caption:
		w.flush()
		w.children(n, style)
		w.flush()
	default:
		w.children(n, style)
	}
}

// add appends a block, or its text where only text may stand.
func (w *walker) add(b block, n *html.Node) {
	w.flush()
	if w.flat {
		for _, line := range strings.Split(markdown([]block{b}), "\n") {
			w.in.add(line, run{})
			w.in.lineBreak()
		}
		return
	}
	if len(b.items)+len(b.rows)+len(b.blocks) > 0 || strings.TrimSpace(b.text) != "" {
		w.out = append(w.out, b)
	}
}

func (w *walker) heading(n *html.Node) {
	w.flush()
	runs := w.c.runs(n)
	for i := range runs {
		runs[i].text = strings.ReplaceAll(runs[i].text, "\n", " ")
	}
	if len(runs) == 0 {
		return
	}
	if w.flat {
		w.in.put(runs)
		w.in.lineBreak()
		return
	}
	w.out = append(w.out, block{kind: heading, level: int(n.Data[1] - '0'), runs: runs})
}

// leave reports text that is not taken over.
func (c *converter) leave(what, text string) {
	text = strings.Join(strings.Fields(clean(text)), " ")
	n := len([]rune(text))
	if n == 0 && !strings.HasPrefix(what, "image ") {
		return
	}
	for i := range c.doc.left {
		if c.doc.left[i].what == what {
			c.doc.left[i].chars += n
			return
		}
	}
	c.doc.left = append(c.doc.left, leftOut{what: what, chars: n, sample: text})
}

func (c *converter) link(n *html.Node) {
	url := strings.TrimSpace(clean(attr(n, "href")))
	if url == "" || strings.HasPrefix(url, "#") {
		return
	}
	text := strings.Join(strings.Fields(clean(textOf(n))), " ")
	c.doc.links = append(c.doc.links, link{url: url, text: text})
}

func attr(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key && a.Namespace == "" {
			return a.Val
		}
	}
	return ""
}

func hasAttr(n *html.Node, key string) bool {
	for _, a := range n.Attr {
		if a.Key == key {
			return true
		}
	}
	return false
}

// textOf returns all text below n.
func textOf(n *html.Node) string {
	var b strings.Builder
	var visit func(*html.Node)
	visit = func(n *html.Node) {
		if n.Type == html.TextNode {
			b.WriteString(n.Data)
			b.WriteByte(' ')
		}
		for child := n.FirstChild; child != nil; child = child.NextSibling {
			visit(child)
		}
	}
	visit(n)
	return b.String()
}

// parseTree parses HTML text and refuses what is nested too deeply.
func parseTree(src string) (*html.Node, error) {
	root, err := html.Parse(strings.NewReader(src))
	if err != nil {
		return nil, fmt.Errorf("reading HTML: %w", err)
	}
	return root, nil
}
