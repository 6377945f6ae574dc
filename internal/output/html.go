package output

import (
	"bytes"
	"html"
	"io"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/util"

	"github.com/openprecedent/precedent/internal/bilingual"
)

const reportStyle = `:root{color-scheme:light dark;--rule:#8884}body{font:16px/1.5 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem}
h1{font-size:1.5rem;line-height:1.25}h2{border-top:1px solid var(--rule);padding-top:1rem;margin-top:2rem}code,pre{font-family:ui-monospace,monospace;font-size:.9em}
pre{overflow-x:auto}table{border-collapse:collapse}td,th{padding:.2rem .6rem;border-bottom:1px solid var(--rule);text-align:left}li{overflow-wrap:anywhere}`

// HTML writes a page as one document that needs nothing else: no script, no font,
// no request to anywhere. What stands in the page as HTML is shown, not obeyed:
// a name in angle brackets is a name.
func HTML(w io.Writer, page Page, l bilingual.Lang) error {
	var md, body bytes.Buffer
	if err := Markdown(&md, page); err != nil {
		return err
	}
	convert := goldmark.New(goldmark.WithExtensions(extension.Table),
		goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(tagsAsText{}, 100))))
	if err := convert.Convert(md.Bytes(), &body); err != nil {
		return err
	}
	title := "precedent"
	if len(page) > 0 && page[0].Kind == Heading {
		title = page[0].Text
	}
	_, err := io.WriteString(w, "<!doctype html>\n<html lang=\""+string(l)+"\">\n<head>\n<meta charset=\"utf-8\">\n"+
		"<meta name=\"viewport\" content=\"width=device-width\">\n<title>"+html.EscapeString(title)+"</title>\n<style>"+reportStyle+"</style>\n</head>\n<body>\n"+
		body.String()+"</body>\n</html>\n")
	return err
}

// tagsAsText renders HTML in Markdown as text, which goldmark leaves out.
type tagsAsText struct{}

func (tagsAsText) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(ast.KindRawHTML, func(w util.BufWriter, src []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkSkipChildren, nil
		}
		_, err := w.WriteString(html.EscapeString(string(n.(*ast.RawHTML).Segments.Value(src))))
		return ast.WalkSkipChildren, err
	})
	r.Register(ast.KindHTMLBlock, func(w util.BufWriter, src []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		block := n.(*ast.HTMLBlock)
		text := string(block.Lines().Value(src))
		if block.HasClosure() {
			text += string(block.ClosureLine.Value(src))
		}
		_, err := w.WriteString("<p>" + html.EscapeString(text) + "</p>\n")
		return ast.WalkContinue, err
	})
}
