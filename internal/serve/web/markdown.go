package web

import (
	"bytes"
	"html/template"
	"strconv"
	"strings"
	"unicode"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	gmtext "github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/openprecedent/precedent/internal/lazyregexp"
)

// markdownOptions are for prose: raw HTML is left out, images become links, and
// no style attribute is written, so that what a case file holds cannot reach beyond
// its text.
var markdownOptions = []goldmark.Option{
	goldmark.WithExtensions(extension.NewTable(extension.WithTableCellAlignMethod(extension.TableCellAlignNone))),
}

// footnotes maps the ids of a case's sources to their numbers.
type footnotes struct {
	numbers map[string]int
	label   string // what a reader hears before the number
	used    []int
}

// caseMarkdown renders prose of a case: [^id] becomes the number of a source,
// and headings stand below those of the page.
func caseMarkdown(src string, notes *footnotes) template.HTML {
	if tangled(src) {
		return template.HTML("<pre>" + template.HTMLEscapeString(src) + "</pre>")
	}
	md := goldmark.New(append(markdownOptions[:len(markdownOptions):len(markdownOptions)],
		goldmark.WithParserOptions(parser.WithInlineParsers(util.Prioritized(notes, 150))),
		goldmark.WithRendererOptions(renderer.WithNodeRenderers(
			util.Prioritized(notes, 100), util.Prioritized(plainNodes{}, 100), util.Prioritized(lowHeadings{}, 100))),
	)...)
	return convert(md, src)
}

// Bounds on what the parser takes more than linear time or memory for. The
// longest text without a finding is a quarter of maxProse.
const (
	maxProse = 256 << 10 // bytes
	maxMarks = 64        // marks at the beginning of a line, each nests one deeper
	maxCells = 20_000    // of all tables; each row has as many as the widest
)

// tangled reports whether a text is not for a Markdown parser: a page of it
// would take minutes, or all memory.
func tangled(src string) bool {
	if len(src) > maxProse {
		return true
	}
	widest, lines := 1, 0
	for line := range strings.Lines(src) {
		if nesting(line) > maxMarks {
			return true
		}
		widest = max(widest, strings.Count(line, "|")+1)
		lines++
	}
	return widest > 1 && widest*lines > maxCells
}

// nesting counts the marks of quotations and lists that a line begins with.
func nesting(line string) int {
	n := 0
	for i, c := range line {
		ends := strings.HasPrefix(line[i+1:], " ") || strings.HasPrefix(line[i+1:], "\t")
		switch {
		case c == '>', strings.ContainsRune("-+*.)", c) && ends:
			n++
		case !strings.ContainsRune(" \t0123456789-+*.)", c):
			return n
		}
	}
	return n
}

// headingIDs gives headings the ids that readers of a repository see: the words
// of the heading in any language, in lower case and joined by hyphens.
type headingIDs map[string]bool

// Generate implements [parser.IDs].
func (h headingIDs) Generate(heading []byte, _ ast.NodeKind) []byte {
	id := strings.Map(func(c rune) rune {
		switch {
		case unicode.IsLetter(c), unicode.IsDigit(c), c == '-', c == '_':
			return unicode.ToLower(c)
		case unicode.IsSpace(c):
			return '-'
		}
		return -1
	}, strings.TrimSpace(string(heading)))
	for one, i := id, 1; h[id]; i++ {
		id = one + "-" + strconv.Itoa(i)
	}
	h.Put([]byte(id))
	return []byte(id)
}

// Put implements [parser.IDs].
func (h headingIDs) Put(id []byte) { h[string(id)] = true }

// docMarkdown renders a document: its headings have ids to link to.
func docMarkdown(src string) template.HTML {
	md := goldmark.New(append(markdownOptions[:len(markdownOptions):len(markdownOptions)],
		goldmark.WithParserOptions(parser.WithAutoHeadingID()),
		goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(plainNodes{}, 100))),
	)...)
	return convert(md, src, parser.WithContext(parser.NewContext(parser.WithIDs(headingIDs{}))))
}

// scrollers are the blocks that may be wider than a phone. A keyboard must
// reach them to scroll.
var scrollers = strings.NewReplacer("<pre>", `<pre tabindex="0">`, "<table>", `<div class="scroll" tabindex="0"><table>`, "</table>", "</table></div>")

func convert(md goldmark.Markdown, src string, opts ...parser.ParseOption) template.HTML {
	var b bytes.Buffer
	if err := md.Convert([]byte(src), &b, opts...); err != nil {
		return template.HTML(template.HTMLEscapeString(src)) // a bytes.Buffer takes everything
	}
	return template.HTML(scrollers.Replace(omitted.ReplaceAllString(b.String(), "")))
}

// omitted is what goldmark leaves where it left raw HTML out.
var omitted = lazyregexp.New(`<!-- raw HTML omitted -->\n?`)

// A sourceNote is a reference to a source in prose.
type sourceNote struct {
	ast.BaseInline
	number int
}

var kindSourceNote = ast.NewNodeKind("SourceNote")

func (n *sourceNote) Kind() ast.NodeKind         { return kindSourceNote }
func (n *sourceNote) Dump(src []byte, level int) { ast.DumpHelper(n, src, level, nil, nil) }

// Trigger implements [parser.InlineParser].
func (f *footnotes) Trigger() []byte { return []byte{'['} }

var noteForm = lazyregexp.New(`^\[\^([^\]\s]{1,64})\]`)

// Parse implements [parser.InlineParser]: it reads [^id]. An id that no source
// has stays as it is written.
func (f *footnotes) Parse(_ ast.Node, block gmtext.Reader, _ parser.Context) ast.Node {
	line, _ := block.PeekLine()
	m := noteForm.FindSubmatch(line)
	if m == nil {
		return nil
	}
	n, ok := f.numbers[string(m[1])]
	if !ok {
		return nil
	}
	block.Advance(len(m[0]))
	f.used = append(f.used, n)
	return &sourceNote{number: n}
}

// RegisterFuncs implements [renderer.NodeRenderer].
func (f *footnotes) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(kindSourceNote, func(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			i := strconv.Itoa(n.(*sourceNote).number)
			w.WriteString(`<sup><a href="#source-` + i + `" aria-label="` + template.HTMLEscapeString(f.label) + " " + i + `">` + i + `</a></sup>`)
		}
		return ast.WalkContinue, nil
	})
}

// plainNodes renders images as links to them: a page loads nothing from other
// hosts. Links lead to web pages only, since others start programs.
type plainNodes struct{}

// webAddress matches what a link may lead to: a web page, or a place of this
// site.
var webAddress = lazyregexp.New(`^(?i:https?://|[/#?]|[^:]*$)`)

func openLink(w util.BufWriter, to []byte) {
	if !webAddress.Match(to) {
		to = nil
	}
	w.WriteString(`<a href="`)
	w.Write(util.EscapeHTML(util.URLEscape(to, true)))
	w.WriteString(`">`)
}

func (plainNodes) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(ast.KindImage, func(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			w.WriteString("</a>")
			return ast.WalkContinue, nil
		}
		openLink(w, n.(*ast.Image).Destination)
		return ast.WalkContinue, nil
	})
	r.Register(ast.KindLink, func(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			w.WriteString("</a>")
			return ast.WalkContinue, nil
		}
		openLink(w, n.(*ast.Link).Destination)
		return ast.WalkContinue, nil
	})
}

// lowHeadings writes every heading of a case's prose at the third level.
type lowHeadings struct{}

func (lowHeadings) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(ast.KindHeading, func(w util.BufWriter, _ []byte, _ ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			w.WriteString("<h3>")
		} else {
			w.WriteString("</h3>\n")
		}
		return ast.WalkContinue, nil
	})
}
