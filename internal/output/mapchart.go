package output

import (
	"bytes"
	"fmt"
	"html"
	"io"

	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/sim/study"
	"github.com/openprecedent/precedent/internal/sim/verdict"
)

// The measures of a drawn phase map, in pixels.
const (
	mapLeft, mapTop   = 120, 90
	mapRight, mapFoot = 150, 70
	mapWide, mapHigh  = 640, 420
)

const mapStyle = chartStyle + `.O{fill:var(--ink)}.M{fill:var(--failing)}.V{fill:var(--recovering)}.u{fill:var(--recovering);opacity:.35}.d{fill:var(--healthy);opacity:.35}.s{fill:var(--healthy)}
.unknown{fill:var(--rule)}.letter{fill:var(--paper);font-weight:600}.letter.on-u,.letter.on-d{fill:var(--ink)}.between{font-weight:400;opacity:.75}.edge{stroke:var(--ink);stroke-width:2.5;fill:none}.load{stroke:var(--paper);stroke-dasharray:6 4}
.theory{stroke:var(--ink);stroke-width:3.5;stroke-dasharray:1 6;stroke-linecap:round;fill:none}.theory-under{stroke:var(--paper);stroke-width:6;opacity:.85;fill:none}
`

// mapDrawing draws a phase map.
type mapDrawing struct {
	bytes.Buffer
	m      *study.PhaseMap
	l      bilingual.Lang
	dx, dy float64 // sides of a cell
	left   float64
	top    float64
}

func drawMap(m *study.PhaseMap, l bilingual.Lang, left, top float64) *mapDrawing {
	return &mapDrawing{m: m, l: l, left: left, top: top,
		dx: float64(mapWide) / float64(len(m.X.Values)), dy: float64(mapHigh) / float64(len(m.Y.Values))}
}

// at returns the corner of a cell with the least coordinates.
func (d *mapDrawing) at(x, y int) (float64, float64) {
	return d.left + float64(x)*d.dx, d.top + float64(len(d.m.Y.Values)-1-y)*d.dy
}

// MapChart writes a phase map as an SVG picture.
func MapChart(w io.Writer, m *study.PhaseMap, l bilingual.Lang) error {
	b := drawMap(m, l, mapLeft, mapTop)
	width, height := mapLeft+mapWide+mapRight, mapTop+mapHigh+mapFoot
	fmt.Fprintf(b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="img">`+"\n", width, height, width, height)
	fmt.Fprintf(b, "<title>%s</title>\n<style>%s</style>\n", html.EscapeString(m.Name), mapStyle)
	fmt.Fprintf(b, `<rect width="100%%" height="100%%" fill="var(--paper)"/><text class="title" x="%d" y="30">%s</text><text class="quiet" x="%d" y="52">%s</text>`+"\n",
		mapLeft, html.EscapeString(m.Name), mapLeft, html.EscapeString(Read(&m.Trigger, l)))
	b.cells()
	b.edges()
	b.theory()
	b.axes()
	for i, c := range study.Classes() {
		y := mapTop + 16 + 24*i
		fmt.Fprintf(b, `<rect class="%s" x="%d" y="%d" width="14" height="14"/><text x="%d" y="%d">%s %s</text>`+"\n",
			classLetters[c], mapLeft+mapWide+16, y-11, mapLeft+mapWide+36, y, classLetters[c], html.EscapeString(className(c, l)))
	}
	if len(m.Edges) > 0 {
		y := mapTop + 16 + 24*len(study.Classes())
		fmt.Fprintf(b, `<path class="theory" d="M%d %dh26"/><text x="%d" y="%d">%s</text>`+"\n",
			mapLeft+mapWide+16, y-4, mapLeft+mapWide+50, y, in(l, "formula", "공식"))
	}
	b.WriteString("</svg>\n")
	_, err := w.Write(b.Bytes())
	return err
}

// MapFigure returns a phase map as SVG to stand in a page, which has the colours,
// the legend and the words beside it.
func MapFigure(m *study.PhaseMap, l bilingual.Lang) string {
	const left, top, right, foot = 80, 26, 10, 50
	b := drawMap(m, l, left, top)
	fmt.Fprintf(b, `<svg class="map-figure" viewBox="0 0 %d %d" role="img" aria-label="%s">`+"\n", left+mapWide+right, top+mapHigh+foot,
		html.EscapeString(MapAlt(m, l)))
	b.cells()
	b.edges()
	b.theory()
	b.axes()
	b.WriteString("</svg>\n")
	return b.String()
}

// cells draws the cells: those that lie between others and were not run have thin
// letters.
func (d *mapDrawing) cells() {
	for y, row := range d.m.Cells {
		for x, class := range row {
			px, py := d.at(x, y)
			letter := classLetters[class]
			style, between := letter, ""
			if class == verdict.Unjudged {
				style = "unknown"
			}
			if !ranAt(d.m, x, y) {
				between = " between"
			}
			fmt.Fprintf(d, `<rect class="%s" x="%.2f" y="%.2f" width="%.2f" height="%.2f"/>`, style, px, py, d.dx+0.3, d.dy+0.3)
			if d.dx >= 14 && d.dy >= 14 {
				fmt.Fprintf(d, `<text class="letter on-%s%s" text-anchor="middle" x="%.1f" y="%.1f">%s</text>`, style, between, px+d.dx/2, py+d.dy/2+5, letter)
			}
			d.WriteByte('\n')
		}
	}
}

// ranAt reports whether a cell was run.
func ranAt(m *study.PhaseMap, x, y int) bool {
	return y < len(m.Ran) && x < len(m.Ran[y]) && m.Ran[y][x]
}

// edges draws the edges that formulas foretell along the sides of cells.
func (d *mapDrawing) edges() {
	line := func(worse int, x1, y1, x2, y2 float64) {
		class := "edge"
		if worse == 2 {
			class = "edge load"
		}
		fmt.Fprintf(d, `<path class="%s" d="M%.1f %.1fL%.1f %.1f"/>`+"\n", class, x1, y1, x2, y2)
	}
	for y, row := range d.m.Foretold {
		for x, here := range row {
			px, py := d.at(x, y)
			rank := foretoldRank[here]
			if x+1 < len(row) {
				if next := foretoldRank[row[x+1]]; next != rank {
					line(max(rank, next), px+d.dx, py, px+d.dx, py+d.dy)
				}
			}
			if y+1 < len(d.m.Foretold) {
				if next := foretoldRank[d.m.Foretold[y+1][x]]; next != rank {
					line(max(rank, next), px, py, px+d.dx, py)
				}
			}
		}
	}
}

// theory draws the edges that formulas of the file give, each through the cells of
// a row or a column at its place.
func (d *mapDrawing) theory() {
	for _, e := range d.m.Edges {
		last := float64(len(d.m.X.Values))
		if e.Along == "y" {
			last = float64(len(d.m.Y.Values))
		}
		path, pen := "", "M"
		for i, place := range e.Places {
			if place < 0 || place >= last {
				pen = "M"
				continue
			}
			x1, y1, x2, y2 := d.left+(place+0.5)*d.dx, 0.0, 0.0, 0.0
			if e.Along == "y" {
				x1 = d.left + float64(i)*d.dx
				y1 = d.top + (float64(len(d.m.Y.Values))-0.5-place)*d.dy
				x2, y2 = x1+d.dx, y1
			} else {
				_, y2 = d.at(0, i)
				x2, y1 = x1, y2+d.dy
			}
			path += fmt.Sprintf("%s%.1f %.1fL%.1f %.1f", pen, x1, y1, x2, y2)
			pen = "L"
		}
		if path != "" {
			fmt.Fprintf(d, `<path class="theory-under" d="%s"/><path class="theory" d="%s"/>`+"\n", path, path)
		}
	}
}

// axes writes the values, as many as there is room for.
func (d *mapDrawing) axes() {
	every := func(side, room float64) int { return int(room/side) + 1 }
	for x := 0; x < len(d.m.X.Values); x += every(d.dx, 60) {
		fmt.Fprintf(d, `<text class="quiet" text-anchor="middle" x="%.1f" y="%.0f">%s</text>`+"\n", d.left+(float64(x)+0.5)*d.dx, d.top+mapHigh+18, html.EscapeString(d.m.X.Values[x]))
	}
	ny := len(d.m.Y.Values)
	for y := 0; y < ny; y += every(d.dy, 16) {
		fmt.Fprintf(d, `<text class="quiet" text-anchor="end" x="%.0f" y="%.1f">%s</text>`+"\n", d.left-8, d.top+(float64(ny-1-y)+0.5)*d.dy+4, html.EscapeString(d.m.Y.Values[y]))
	}
	fmt.Fprintf(d, `<text text-anchor="middle" x="%.0f" y="%.0f">%s →</text><text x="16" y="%.0f">↑ %s</text>`+"\n",
		d.left+mapWide/2, d.top+mapHigh+44, html.EscapeString(d.m.X.Setting), d.top-12, html.EscapeString(d.m.Y.Setting))
}
