package simview

import (
	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/sim/study"
	"github.com/openprecedent/precedent/internal/sim/verdict"
)

// phaseMap shows the class of a system over two settings, the largest value of
// the second one on top.
func (v *view) phaseMap(m *study.PhaseMap) {
	v.f(`<section><h2>%s</h2><p class="sub">%s</p>`, v.w("map"), v.w("map-of", v.read(m.Trigger)))
	v.mapTable(m)
	v.WriteString("<p class=\"sub\">")
	for i, c := range study.Classes() {
		if i > 0 {
			v.WriteString(", ")
		}
		v.f("<b>%s</b> %s", mapLetter(c), v.w(string(c)))
	}
	exact := "bound"
	if m.Exact {
		exact = "exact"
	}
	v.f(". %s</p></section>\n", v.w("map-edge", v.w(exact)))
}

// MapTable shows the cells of a phase map as a table.
func MapTable(m *study.PhaseMap, l bilingual.Lang) string {
	v := &view{l: l}
	v.mapTable(m)
	return v.String()
}

// mapTable writes the cells, a row for each value of the second setting.
func (v *view) mapTable(m *study.PhaseMap) {
	v.f(`<div class="sim-table"><table class="sim-map"><caption>↑ %s</caption><tbody>`, m.Y.Setting)
	for y := len(m.Y.Values) - 1; y >= 0; y-- {
		v.f(`<tr><th scope="row">%s</th>`, m.Y.Values[y])
		for x, class := range m.Cells[y] {
			edge := ""
			if x > 0 && m.Foretold[y][x] != m.Foretold[y][x-1] {
				edge = " edge"
			}
			v.f(`<td class="%s%s" title="%s">%s</td>`, signal(class), edge, v.w(className(class)), mapLetter(class))
		}
		v.WriteString("</tr>")
	}
	v.WriteString("</tbody><tfoot><tr><td></td>")
	for _, x := range m.X.Values {
		v.f(`<th scope="col">%s</th>`, x)
	}
	v.f("</tr></tfoot></table></div><p class=\"sub\">%s →</p>", m.X.Setting)
}

// mapLetter is a class in a map: a capital where the system does not come back.
func mapLetter(c verdict.Class) string {
	switch c {
	case verdict.Overloaded:
		return "O"
	case verdict.Metastable:
		return "M"
	case verdict.Vulnerable:
		return "V"
	case verdict.Undecided:
		return "u"
	case verdict.Driven:
		return "d"
	case verdict.Stable:
		return "s"
	}
	return "·"
}
