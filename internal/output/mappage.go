package output

import (
	"fmt"
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
	b.mapBody(m, len(a.Missing) > 0, l)
}

// mapBody writes the map in letters, what they mean, and where its edges are by
// formula.
func (b *builder) mapBody(m *study.PhaseMap, missing bool, l bilingual.Lang) {
	b.code(grid(m))
	var legend []string
	for _, c := range ClassLegend(l) {
		legend = append(legend, c.Letter+" "+c.Name)
	}
	if missing {
		legend = append(legend, classLetters[verdict.Unjudged]+" "+className(verdict.Unjudged, l))
	}
	b.prose(strings.Join(legend, ", ") + ". " + in(l,
		"V is where some runs tip and most do not.", "V는 일부 실행만 무너지고 대부분은 무너지지 않는 곳이다."))
	b.prose(edgeLegend(m, l))
	for _, t := range MapEdges(m, l) {
		b.prose(t)
	}
	b.note(MapRuns(m, missing, l))
}

// MapRuns says how many cells of a map were run.
func MapRuns(m *study.PhaseMap, missing bool, l bilingual.Lang) string {
	run := in(l, "%d of %d cells were run, the others lie between equal ones; %s events.", "%[2]d칸 가운데 %[1]d칸을 실행했고 나머지는 같은 칸 사이에 있다. 이벤트 수 %[3]s.")
	if missing {
		run = in(l, "%d of %d cells were run; %s events.", "%[2]d칸 가운데 %[1]d칸을 실행했다. 이벤트 수 %[3]s.")
	}
	return fmt.Sprintf(run, m.Judged, len(m.X.Values)*len(m.Y.Values), study.Magnitude(float64(m.Events), l))
}

// MapEdges says what the formulas of the file give over a map, a line for each.
func MapEdges(m *study.PhaseMap, l bilingual.Lang) []string {
	var all []string
	for _, e := range m.Edges {
		along, other := m.X.Setting, m.Y
		if e.Along == "y" {
			along, other = m.Y.Setting, m.X
		}
		var at []string
		for i := range other.Values {
			if i == 0 || e.At[i] != e.At[i-1] {
				at = append(at, fmt.Sprintf(in(l, "%s from %s = %s on", "%[2]s = %[3]s부터 %[1]s"), e.At[i], other.Setting, other.Values[i]))
			}
		}
		if len(at) == 1 {
			at = []string{e.At[0]}
		}
		all = append(all, fmt.Sprintf(in(l, "%s, by the formula `%s`: %s = %s.", "%s. 공식 `%s`: %s = %s."), Read(&e.Name, l), e.Formula, along, strings.Join(at, ", ")))
	}
	return all
}

// MapAlt says what a map shows to who does not see it.
func MapAlt(m *study.PhaseMap, l bilingual.Lang) string {
	count := map[verdict.Class]int{}
	n := 0
	for _, row := range m.Cells {
		for _, c := range row {
			count[c]++
			n++
		}
	}
	var parts []string
	for _, c := range study.Classes() {
		if count[c] > 0 {
			parts = append(parts, fmt.Sprintf("%s %d", className(c, l), count[c]))
		}
	}
	return fmt.Sprintf(in(l, "Phase map of %d cells, %s across and %s upwards: %s. The table beside it has each.", "상태 지도 %d칸, 가로 %s, 세로 %s: %s. 칸마다의 판정은 옆의 표에 있다."),
		n, m.X.Setting, m.Y.Setting, strings.Join(parts, ", "))
}

// ClassName is a class with its letter in a map and its name.
type ClassName struct {
	Class        verdict.Class
	Letter, Name string
}

// ClassLegend returns the classes from the worst to the best.
func ClassLegend(l bilingual.Lang) []ClassName {
	var all []ClassName
	for _, c := range study.Classes() {
		all = append(all, ClassName{c, classLetters[c], className(c, l)})
	}
	return all
}

// MapLines says what the lines and the letters of a drawn map are.
func MapLines(m *study.PhaseMap, l bilingual.Lang) []string {
	all := []string{fmt.Sprintf(in(l, "Thin letters stand in cells that were not run. A solid line is an edge by formula (%s), from which retries can keep a congestion going; a dashed one, from which the load alone is too much.",
		"가는 글자는 실행하지 않은 칸이다. 실선은 공식에 따른 경계(%s)로, 여기부터 재시도가 혼잡을 이어 갈 수 있다. 파선부터는 부하만으로도 넘친다."), exactness(m, l))}
	for _, t := range MapEdges(m, l) {
		all = append(all, in(l, "Dotted line: ", "점선: ")+strings.ReplaceAll(t, "`", ""))
	}
	return all
}

// exactness says how far the formulas of a map are to be taken.
func exactness(m *study.PhaseMap, l bilingual.Lang) string {
	if m.Exact {
		return in(l, "exact here", "여기서는 정확한 값")
	}
	return in(l, "a bound from the safe side", "안전한 쪽으로 잡은 한계")
}

// edgeLegend says what the lines are that formulas draw between letters.
func edgeLegend(m *study.PhaseMap, l bilingual.Lang) string {
	return fmt.Sprintf(in(l,
		"The lines are edges by formula (%s): | from where retries can keep a congestion going, ‖ from where the load alone is too much.",
		"선은 공식에 따른 경계다(%s). |부터는 재시도가 혼잡을 이어 갈 수 있고, ‖부터는 부하만으로도 넘친다."), exactness(m, l))
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
