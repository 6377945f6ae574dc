package output

import (
	"bytes"
	"fmt"
	"html"
	"io"
	"strings"

	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/sim/study"
	"github.com/openprecedent/precedent/internal/sim/verdict"
)

// classLetters are the classes in a phase map: capitals are where a system does
// not come back.
var classLetters = map[verdict.Class]string{
	verdict.Unjudged:   "·", // the map was interrupted
	verdict.Overloaded: "O", verdict.Metastable: "M", verdict.Vulnerable: "V", verdict.Undecided: "u",
	verdict.Driven: "d", verdict.Stable: "s",
}

// phaseMap writes a phase map.
func (b *builder) phaseMap(a *study.Answer, l bilingual.Lang) {
	m := a.Map
	b.heading(1, titled(a, l))
	b.facts(
		[2]string{in(l, "Trigger", "촉발 요인"), Read(&m.Trigger, l)},
		[2]string{in(l, "Across", "가로"), m.X.Setting},
		[2]string{in(l, "Upwards", "세로"), m.Y.Setting},
	)
	b.code(grid(m))
	var legend []string
	for _, c := range study.Classes() {
		legend = append(legend, classLetters[c]+" "+className(c, l))
	}
	if len(a.Missing) > 0 {
		legend = append(legend, classLetters[verdict.Unjudged]+" "+className(verdict.Unjudged, l))
	}
	b.prose(strings.Join(legend, ", ") + ". " + in(l,
		"V is where some runs tip and most do not.", "V는 일부 실행만 무너지고 대부분은 무너지지 않는 곳이다."))
	b.prose(edgeLegend(m, l))
	run := in(l, "%d of %d cells were run, the others lie between equal ones; %s events.", "%[2]d칸 가운데 %[1]d칸을 실행했고 나머지는 같은 칸 사이에 있다. 이벤트 수 %[3]s.")
	if len(a.Missing) > 0 {
		run = in(l, "%d of %d cells were run; %s events.", "%[2]d칸 가운데 %[1]d칸을 실행했다. 이벤트 수 %[3]s.")
	}
	b.note(fmt.Sprintf(run, m.Judged, len(m.X.Values)*len(m.Y.Values), study.Magnitude(float64(m.Events), l)))
}

func edgeLegend(m *study.PhaseMap, l bilingual.Lang) string {
	exact := in(l, "a bound from the safe side", "안전한 쪽으로 잡은 한계")
	if m.Exact {
		exact = in(l, "exact here", "여기서는 정확한 값")
	}
	return fmt.Sprintf(in(l,
		"The lines are edges by formula (%s): | from where retries can keep a congestion going, ‖ from where the load alone is too much.",
		"선은 공식에 따른 경계다(%s). |부터는 재시도가 혼잡을 이어 갈 수 있고, ‖부터는 부하만으로도 넘친다."), exact)
}

// foretoldRank orders what formulas say from safe to worst.
var foretoldRank = map[study.Foretold]int{study.ForetoldSafe: 0, study.ForetoldRetries: 1, study.ForetoldLoad: 2}

// grid draws a phase map in letters, the largest value of y on top, with the
// edges that formulas foretell between the letters.
func grid(m *study.PhaseMap) string {
	width := 0
	for _, v := range m.Y.Values {
		width = max(width, terminal.StringWidth(v))
	}
	var b strings.Builder
	for y := len(m.Y.Values) - 1; y >= 0; y-- {
		v := m.Y.Values[y]
		b.WriteString(strings.Repeat(" ", width-terminal.StringWidth(v)) + v + " ")
		before := 0
		for x, class := range m.Cells[y] {
			rank := foretoldRank[m.Foretold[y][x]]
			switch {
			case rank == before:
				b.WriteByte(' ')
			case max(rank, before) == 2:
				b.WriteString("‖")
			default:
				b.WriteString("|")
			}
			before = rank
			b.WriteString(classLetters[class])
		}
		b.WriteByte('\n')
	}
	first, last := m.X.Values[0], m.X.Values[len(m.X.Values)-1]
	gap := 2*len(m.X.Values) - 1 - terminal.StringWidth(first) - terminal.StringWidth(last)
	b.WriteString(strings.Repeat(" ", width+2) + first + strings.Repeat(" ", max(gap, 1)) + last + "\n")
	return b.String()
}

// The measures of a drawn phase map, in pixels.
const (
	mapLeft, mapTop   = 120, 90
	mapRight, mapFoot = 150, 70
	mapWide, mapHigh  = 640, 420
)

const mapStyle = chartStyle + `.O{fill:var(--ink)}.M{fill:var(--failing)}.V{fill:var(--recovering)}.u{fill:var(--recovering);opacity:.55}.d{fill:var(--healthy);opacity:.55}.s{fill:var(--healthy)}
.unknown{fill:var(--rule)}.letter{fill:var(--paper);font-weight:600}.edge{stroke:var(--ink);stroke-width:2.5;fill:none}.load{stroke:var(--paper);stroke-dasharray:6 4}
`

// MapChart writes a phase map as an SVG picture.
func MapChart(w io.Writer, m *study.PhaseMap, l bilingual.Lang) error {
	var b bytes.Buffer
	nx, ny := len(m.X.Values), len(m.Y.Values)
	dx, dy := float64(mapWide)/float64(nx), float64(mapHigh)/float64(ny)
	width, height := mapLeft+mapWide+mapRight, mapTop+mapHigh+mapFoot
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="img">`+"\n", width, height, width, height)
	fmt.Fprintf(&b, "<title>%s</title>\n<style>%s</style>\n", html.EscapeString(m.Name), mapStyle)
	fmt.Fprintf(&b, `<rect width="100%%" height="100%%" fill="var(--paper)"/><text class="title" x="%d" y="30">%s</text><text class="quiet" x="%d" y="52">%s</text>`+"\n",
		mapLeft, html.EscapeString(m.Name), mapLeft, html.EscapeString(Read(&m.Trigger, l)))
	at := func(x, y int) (float64, float64) { return mapLeft + float64(x)*dx, mapTop + float64(ny-1-y)*dy }
	for y, row := range m.Cells {
		for x, class := range row {
			px, py := at(x, y)
			letter := classLetters[class]
			style := letter
			if class == verdict.Unjudged {
				style = "unknown"
			}
			fmt.Fprintf(&b, `<rect class="%s" x="%.2f" y="%.2f" width="%.2f" height="%.2f"/>`, style, px, py, dx+0.3, dy+0.3)
			if dx >= 14 && dy >= 14 {
				fmt.Fprintf(&b, `<text class="letter" text-anchor="middle" x="%.1f" y="%.1f">%s</text>`, px+dx/2, py+dy/2+5, letter)
			}
			b.WriteByte('\n')
		}
	}
	mapEdges(&b, m, at, dx, dy)
	mapAxes(&b, m, dx, dy)
	for i, c := range study.Classes() {
		y := mapTop + 16 + 24*i
		fmt.Fprintf(&b, `<rect class="%s" x="%d" y="%d" width="14" height="14"/><text x="%d" y="%d">%s %s</text>`+"\n",
			classLetters[c], mapLeft+mapWide+16, y-11, mapLeft+mapWide+36, y, classLetters[c], html.EscapeString(className(c, l)))
	}
	b.WriteString("</svg>\n")
	_, err := w.Write(b.Bytes())
	return err
}

// mapEdges draws the edges that formulas foretell along the sides of cells.
func mapEdges(b *bytes.Buffer, m *study.PhaseMap, at func(x, y int) (float64, float64), dx, dy float64) {
	line := func(worse int, x1, y1, x2, y2 float64) {
		class := "edge"
		if worse == 2 {
			class = "edge load"
		}
		fmt.Fprintf(b, `<path class="%s" d="M%.1f %.1fL%.1f %.1f"/>`+"\n", class, x1, y1, x2, y2)
	}
	for y, row := range m.Foretold {
		for x, here := range row {
			px, py := at(x, y)
			rank := foretoldRank[here]
			if x+1 < len(row) {
				if next := foretoldRank[row[x+1]]; next != rank {
					line(max(rank, next), px+dx, py, px+dx, py+dy)
				}
			}
			if y+1 < len(m.Foretold) {
				if next := foretoldRank[m.Foretold[y+1][x]]; next != rank {
					line(max(rank, next), px, py, px+dx, py)
				}
			}
		}
	}
}

// mapAxes writes the values, as many as there is room for.
func mapAxes(b *bytes.Buffer, m *study.PhaseMap, dx, dy float64) {
	every := func(side, room float64) int { return int(room/side) + 1 }
	for x := 0; x < len(m.X.Values); x += every(dx, 60) {
		fmt.Fprintf(b, `<text class="quiet" text-anchor="middle" x="%.1f" y="%d">%s</text>`+"\n", mapLeft+(float64(x)+0.5)*dx, mapTop+mapHigh+18, html.EscapeString(m.X.Values[x]))
	}
	ny := len(m.Y.Values)
	for y := 0; y < ny; y += every(dy, 16) {
		fmt.Fprintf(b, `<text class="quiet" text-anchor="end" x="%d" y="%.1f">%s</text>`+"\n", mapLeft-8, mapTop+(float64(ny-1-y)+0.5)*dy+4, html.EscapeString(m.Y.Values[y]))
	}
	fmt.Fprintf(b, `<text text-anchor="middle" x="%d" y="%d">%s</text><text x="16" y="%d">%s</text>`+"\n",
		mapLeft+mapWide/2, mapTop+mapHigh+44, html.EscapeString(m.X.Setting), mapTop-12, html.EscapeString(m.Y.Setting))
}
