package draft

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// image keeps the description of an image; its address is only reported.
func (w *walker) image(n *html.Node, style run) {
	alt := strings.TrimSpace(clean(attr(n, "alt")))
	src := strings.TrimSpace(clean(attr(n, "src")))
	if strings.HasPrefix(src, "data:") {
		src = "embedded"
	}
	if src != "" {
		w.c.leave("image "+src, "")
	}
	if alt != "" {
		style.code = false
		w.in.add("["+alt+"]", style)
	}
}

// items returns the entries of a list. What stands between them counts as
// entries, so that nothing is lost.
func (c *converter) items(n *html.Node) []item {
	var items []item
	var between walker
	between.c = c
	take := func() {
		between.flush()
		if len(between.out) > 0 {
			items = append(items, item{blocks: between.out})
			between.out = nil
		}
	}
	for child := n.FirstChild; child != nil; child = child.NextSibling {
		if child.Type != html.ElementNode || child.DataAtom != atom.Li || c.noise(child) != "" {
			between.node(child, run{})
			continue
		}
		take()
		one := item{task: taskMark(child), blocks: c.blocks(child)}
		if len(one.blocks) > 0 {
			items = append(items, one)
		}
	}
	take()
	return items
}

// taskMark is "x" or " " where the entry begins with a checkbox.
func taskMark(li *html.Node) string {
	for n := li.FirstChild; n != nil; n = n.NextSibling {
		switch {
		case n.Type == html.TextNode && strings.TrimSpace(n.Data) == "":
			continue
		case n.DataAtom == atom.P && n.FirstChild != nil:
			return taskMark(n)
		case n.DataAtom != atom.Input || attr(n, "type") != "checkbox":
			return ""
		}
		if hasAttr(n, "checked") {
			return "x"
		}
		return " "
	}
	return ""
}

// definitions returns a definition list as rows of term and definition.
func (c *converter) definitions(n *html.Node) [][][]run {
	var rows [][][]run
	for child := n.FirstChild; child != nil; child = child.NextSibling {
		if child.Type == html.ElementNode && child.DataAtom == atom.Div && c.noise(child) == "" {
			rows = append(rows, c.definitions(child)...)
			continue
		}
		w := walker{c: c, flat: true}
		w.node(child, run{})
		runs := w.in.take()
		switch last := len(rows) - 1; {
		case len(runs) == 0:
		case child.DataAtom == atom.Dt || last < 0:
			rows = append(rows, [][]run{runs})
		default:
			rows[last] = append(rows[last], runs)
		}
	}
	return rows
}

// table adds a table; its caption becomes a paragraph above it.
func (w *walker) table(n *html.Node) {
	w.flush()
	b := block{kind: table}
	var visit func(n *html.Node)
	visit = func(n *html.Node) {
		for child := n.FirstChild; child != nil; child = child.NextSibling {
			switch {
			case child.Type == html.ElementNode && w.c.noise(child) != "":
				w.node(child, run{})
			case child.DataAtom == atom.Tr:
				cells, head := w.c.cells(child)
				if len(cells) == 0 {
					continue
				}
				b.header = b.header || head && len(b.rows) == 0
				b.rows = append(b.rows, cells)
			case child.DataAtom == atom.Thead || child.DataAtom == atom.Tbody || child.DataAtom == atom.Tfoot:
				visit(child)
			default:
				w.node(child, run{})
				w.flush()
			}
		}
	}
	visit(n)
	w.add(b, n)
}

// cells returns the cells of a row, and whether all of them are headers.
func (c *converter) cells(tr *html.Node) (cells [][]run, head bool) {
	head = true
	words := false
	for child := tr.FirstChild; child != nil; child = child.NextSibling {
		w := walker{c: c, flat: true}
		w.node(child, run{})
		runs := w.in.take()
		cell := child.DataAtom == atom.Td || child.DataAtom == atom.Th
		if !cell && len(runs) == 0 {
			continue
		}
		head = head && child.DataAtom == atom.Th
		words = words || len(runs) > 0
		cells = append(cells, runs)
	}
	if !words {
		return nil, false
	}
	return cells, head
}

func codeText(n *html.Node) string {
	var b strings.Builder
	var visit func(*html.Node)
	visit = func(n *html.Node) {
		if n.Type == html.TextNode {
			b.WriteString(n.Data)
		}
		if n.DataAtom == atom.Br {
			b.WriteByte('\n')
		}
		for child := n.FirstChild; child != nil; child = child.NextSibling {
			visit(child)
		}
	}
	visit(n)
	text := strings.ReplaceAll(strings.ReplaceAll(b.String(), "\r\n", "\n"), "\t", "    ")
	lines := strings.Split(clean(text), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Trim(strings.Join(lines, "\n"), "\n")
}
