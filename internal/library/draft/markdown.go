package draft

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/util"
	"go.yaml.in/yaml/v3"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/openprecedent/precedent/internal/lazyregexp"
)

// maxMarks bounds how many quotation and list marks one line of Markdown may
// begin with, since each of them nests the text one level deeper.
const maxMarks = 60

// readMarkdown converts Markdown by way of HTML, so that tables, tags in the
// text and pages all take the same path.
func readMarkdown(src []byte) (*document, error) {
	doc := &document{}
	body := breakFacts(doc.takeData(doc.takeFront(src)))
	if err := checkMarks(body); err != nil {
		return nil, err
	}
	tags := &rawTags{doc: doc}
	md := goldmark.New(
		goldmark.WithExtensions(extension.GFM, extension.Footnote, extension.DefinitionList),
		goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(tags, 100))),
	)
	var out bytes.Buffer
	if err := md.Convert(body, &out); err != nil {
		return nil, fmt.Errorf("reading Markdown: %w", err)
	}
	tree, err := parseTree(out.String())
	if err != nil {
		return nil, fmt.Errorf("reading Markdown: %w", err)
	}
	c := &converter{doc: doc, noise: func(n *html.Node) string {
		if n.DataAtom == atom.Input {
			return "form control"
		}
		return ""
	}}
	if notes := takeFootnotes(tree); notes != nil {
		doc.notes = c.blocks(notes)
	}
	doc.blocks = c.blocks(tree)
	return doc, nil
}

var (
	strongKey = lazyregexp.New(`^(?:\*\*|__)([^*_\n:：]{1,40})(?:[:：](?:\*\*|__)|(?:\*\*|__) ?[:：])`)
	plainKey  = lazyregexp.New(`^([^\s*_#>|\x60-][^*_\n:：]{0,39})[:：]\s+\S`)
)

// breakFacts keeps lines such as "Start: ..." and "End: ..." in a row apart, as
// the sites on which reports are written in Markdown show them. The key of one
// of two lines must be a usual one, since other lines are prose.
func breakFacts(src []byte) []byte {
	lines := bytes.Split(src, []byte("\n"))
	fenced, before := false, ""
	for i, line := range lines {
		if bytes.HasPrefix(line, []byte("```")) || bytes.HasPrefix(line, []byte("~~~")) {
			fenced = !fenced
		}
		key := ""
		if !fenced {
			key = factKey(line)
		}
		if key != "" && before != "" && (usualKey(key) || usualKey(before)) {
			lines[i-1] = append(bytes.TrimRight(lines[i-1], " \\"), ' ', ' ')
		}
		before = key
	}
	return bytes.Join(lines, []byte("\n"))
}

func factKey(line []byte) string {
	for _, pattern := range []*lazyregexp.Regexp{strongKey, plainKey} {
		if m := pattern.FindSubmatch(line); m != nil {
			return string(m[1])
		}
	}
	return ""
}

func usualKey(name string) bool {
	f := fact{name: name}
	f.classify()
	return f.known()
}

// Bounds on what the parser takes more than linear time for.
const (
	maxParagraph = 128 << 10 // bytes of a paragraph
	maxOpenLinks = 500       // links in a paragraph that are begun and not ended
	maxCells     = 200_000   // of a table, each row of which has as many as the widest
)

// checkMarks refuses text that would nest too deeply or take too long.
func checkMarks(src []byte) error {
	number, size, open, fenced := 0, 0, 0, false
	width, rows := 0, 0 // of a table, if the lines are one
	for line := range bytes.SplitSeq(src, []byte("\n")) {
		number++
		trimmed := bytes.TrimLeft(line, " \t>")
		if bytes.HasPrefix(trimmed, []byte("```")) || bytes.HasPrefix(trimmed, []byte("~~~")) {
			fenced = !fenced
		}
		if len(trimmed) == 0 || bytes.IndexByte([]byte("-+*|#"), trimmed[0]) >= 0 {
			size, open = 0, 0
		}
		if !fenced {
			size += len(line)
			open += max(0, bytes.Count(line, []byte("]("))-bytes.Count(line, []byte(")")))
		}
		if len(trimmed) == 0 || fenced {
			width, rows = 0, 0
		} else if width, rows = max(width, bytes.Count(line, []byte("|"))), rows+1; width*rows > maxCells {
			return fmt.Errorf("reading Markdown: the table at line %d has more than %d cells; divide it", number, maxCells)
		}
		switch marks := nestingMarks(line); {
		case marks > maxMarks:
			return fmt.Errorf("reading Markdown: line %d nests more than %d levels; simplify it", number, maxMarks)
		case size > maxParagraph:
			return fmt.Errorf("reading Markdown: the paragraph at line %d has more than %d bytes; divide it", number, maxParagraph)
		case open > maxOpenLinks:
			return fmt.Errorf("reading Markdown: line %d has links without an end; mend or remove them", number)
		}
	}
	return nil
}

// nestingMarks counts the marks of quotations and lists that line begins with.
func nestingMarks(line []byte) int {
	marks := 0
	for i := 0; i < len(line) && marks <= maxMarks; i++ {
		from := i
		for i < len(line) && isDigit(line[i]) {
			i++
		}
		switch {
		case i >= len(line):
			return marks
		case i > from && line[i] != '.' && line[i] != ')':
			return marks
		case i > from:
			marks++
		case line[i] == ' ' || line[i] == '\t':
		case line[i] == '>':
			marks++
		case strings.IndexByte("-+*", line[i]) >= 0 && i+1 < len(line) && (line[i+1] == ' ' || line[i+1] == '\t'):
			marks++
		default:
			return marks
		}
	}
	return marks
}

var dataURL = lazyregexp.New(`data:[a-z]+/[-+.a-z0-9]+;base64,[A-Za-z0-9+/=%]*`)

// takeData removes embedded images, which are long and hold no words.
func (doc *document) takeData(src []byte) []byte {
	return dataURL.ReplaceAllFunc(src, func(found []byte) []byte {
		doc.left = append(doc.left, leftOut{what: "embedded data", chars: len(found)})
		return []byte("data:")
	})
}

// takeFootnotes removes the footnotes from the tree and returns them.
func takeFootnotes(tree *html.Node) *html.Node {
	n := find(tree, func(n *html.Node) bool { return attr(n, "class") == "footnotes" })
	if n == nil || attr(n, "role") != "doc-endnotes" {
		return nil
	}
	n.Parent.RemoveChild(n)
	var backs []*html.Node
	each(n, func(a *html.Node) {
		if attr(a, "class") == "footnote-backref" {
			backs = append(backs, a)
		}
	})
	for _, a := range backs {
		a.Parent.RemoveChild(a)
	}
	return n
}

// takeFront reads the front matter, YAML between two lines of ---, and
// returns the text behind it.
func (doc *document) takeFront(src []byte) []byte {
	src = bytes.TrimPrefix(src, []byte("\ufeff"))
	src = bytes.ReplaceAll(src, []byte("\r\n"), []byte("\n"))
	after, ok := bytes.CutPrefix(src, []byte("---\n"))
	if !ok {
		return src
	}
	front, body, ok := bytes.Cut(after, []byte("\n---\n"))
	if !ok {
		if front, ok = bytes.CutSuffix(after, []byte("\n---")); !ok {
			return src
		}
		body = nil
	}
	var root yaml.Node
	if yaml.Unmarshal(front, &root) != nil || len(root.Content) == 0 || root.Content[0].Kind != yaml.MappingNode {
		return src // a thematic break and a heading look the same
	}
	lines := strings.Split(clean(string(front)), "\n")
	content := root.Content[0].Content
	from := 0
	for i := 0; i+1 < len(content); i += 2 {
		to := len(lines)
		if i+2 < len(content) {
			to = max(from, content[i+2].Line-1)
		}
		field := frontField{key: clean(content[i].Value), raw: strings.Join(lines[from:to], "\n")}
		if content[i+1].Kind == yaml.ScalarNode {
			field.value = strings.TrimSpace(clean(content[i+1].Value))
		}
		doc.front = append(doc.front, field)
		from = to
	}
	return body
}

// maxTag bounds the length of a tag in Markdown; what is longer is text.
const maxTag = 4096

// allowedTags are the HTML tags that Markdown may use for layout. Others are
// kept as text: "<pod-name>" is a word of the report, no tag.
var allowedTags = map[string]bool{
	"a": true, "abbr": true, "b": true, "blockquote": true, "br": true, "caption": true, "center": true,
	"cite": true, "code": true, "dd": true, "del": true, "details": true, "div": true, "dl": true, "dt": true,
	"em": true, "figcaption": true, "figure": true, "font": true, "h1": true, "h2": true, "h3": true, "h4": true,
	"h5": true, "h6": true, "hr": true, "i": true, "img": true, "ins": true, "kbd": true, "li": true, "mark": true,
	"ol": true, "p": true, "pre": true, "s": true, "samp": true, "section": true, "small": true, "span": true,
	"strong": true, "sub": true, "summary": true, "sup": true, "table": true, "tbody": true, "td": true,
	"tfoot": true, "th": true, "thead": true, "time": true, "tr": true, "u": true, "ul": true,
}

// rawTags renders the HTML inside Markdown.
type rawTags struct{ doc *document }

// RegisterFuncs implements [renderer.NodeRenderer].
func (t *rawTags) RegisterFuncs(reg renderer.NodeRendererFuncRegisterer) {
	reg.Register(ast.KindHTMLBlock, t.block)
	reg.Register(ast.KindRawHTML, t.raw)
}

func (t *rawTags) block(w util.BufWriter, src []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	b := n.(*ast.HTMLBlock)
	var text []byte
	for i := range b.Lines().Len() {
		line := b.Lines().At(i)
		text = append(text, line.Value(src)...)
	}
	if b.HasClosure() {
		text = append(text, b.ClosureLine.Value(src)...)
	}
	t.write(w, text)
	return ast.WalkContinue, nil
}

func (t *rawTags) raw(w util.BufWriter, src []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		var text []byte
		raw := n.(*ast.RawHTML)
		for i := range raw.Segments.Len() {
			part := raw.Segments.At(i)
			text = append(text, part.Value(src)...)
		}
		t.write(w, text)
	}
	return ast.WalkSkipChildren, nil
}

// write passes allowed tags on, keeps others as text, and reports comments.
func (t *rawTags) write(w util.BufWriter, text []byte) {
	for len(text) > 0 {
		open := bytes.IndexByte(text, '<')
		if open < 0 {
			open = len(text)
		}
		_, _ = w.Write(text[:open])
		text = text[open:]
		if bytes.HasPrefix(text, []byte("<!--")) {
			end := bytes.Index(text, []byte("-->"))
			if end < 0 {
				end = len(text)
			}
			c := converter{doc: t.doc}
			c.leave("HTML comment", string(text[4:max(4, end)]))
			text = text[min(len(text), end+3):]
			continue
		}
		if n := tagLength(text); n > 0 {
			_, _ = w.Write(text[:n])
			text = text[n:]
		} else if len(text) > 0 {
			_, _ = w.WriteString("&lt;")
			text = text[1:]
		}
	}
}

// tagLength is the length of the allowed tag that text begins with, or 0.
func tagLength(text []byte) int {
	end := bytes.IndexByte(text[:min(len(text), maxTag)], '>')
	if end < 0 {
		return 0
	}
	name := bytes.TrimPrefix(text[1:end], []byte("/"))
	n := 0
	for n < len(name) && (isLetter(name[n]) || isDigit(name[n])) {
		n++
	}
	if n < len(name) && strings.IndexByte(" \t\n/", name[n]) < 0 || !allowedTags[strings.ToLower(string(name[:n]))] {
		return 0
	}
	return end + 1
}
