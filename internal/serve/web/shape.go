package web

import (
	"html/template"
	"strconv"
	"strings"

	"github.com/openprecedent/precedent/internal/output"
)

// shapes are the marks of what actions did. The form says the same as the
// colour, for those who see no colours: a full disc, a half disc, a cross, a
// triangle that points down, a ring, and a bar for what was only seen. They
// are drawn around 0,0 with a radius of 5.
var shapes = map[string]template.HTML{
	"worked":   `<circle r="5"/>`,
	"partial":  `<circle r="4.25" class="ring"/><path d="M0-4.25a4.25 4.25 0 0 1 0 8.5z"/>`,
	"failed":   `<path class="ring" d="M-4-4 4 4M4-4-4 4"/>`,
	"worsened": `<path d="M-5.5-4h11L0 5.5z"/>`,
	"unknown":  `<circle r="3.75" class="ring"/>`,
	"observed": `<path class="ring" d="M0-5v10"/>`,
}

// shape returns the mark of an effect for a drawing.
func shape(id string) template.HTML { return shapes[id] }

// icon returns the mark of an effect to stand in a line of text, drawn once in
// a page by [marks]. The word stands beside it, or in the link around it, so
// it is hidden from screen readers.
func icon(id string) template.HTML {
	id = template.HTMLEscapeString(id)
	return template.HTML(`<svg class="icon ` + id + `" aria-hidden="true"><use href="#m-` + id + `"/></svg>`)
}

// marks returns the drawings that icons refer to.
func marks() template.HTML {
	var b strings.Builder
	b.WriteString(`<svg class="marks" aria-hidden="true">`)
	for _, id := range output.Effects() {
		b.WriteString(`<symbol id="m-` + id + `" viewBox="-7 -7 14 14">` + string(shapes[id]) + `</symbol>`)
	}
	b.WriteString("</svg>")
	return template.HTML(b.String())
}

// Cite returns the numbers of the sources that a fact rests on, as links.
func (f *frame) Cite(numbers []int) template.HTML {
	if len(numbers) == 0 {
		return ""
	}
	label := template.HTMLEscapeString(f.W("source"))
	var links []string
	for _, n := range numbers {
		i := strconv.Itoa(n)
		links = append(links, `<a href="#source-`+i+`" aria-label="`+label+" "+i+`">`+i+`</a>`)
	}
	return template.HTML(`<sup>` + strings.Join(links, " ") + `</sup>`)
}

// dots draws n dots.
func dots(n int) template.HTML { return template.HTML(strings.Repeat("<i></i>", n)) }
