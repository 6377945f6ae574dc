package output

import (
	"fmt"
	"math"
	"strings"

	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/sim/scenario"
)

// GuidesPage lists the pages of the field guide.
func GuidesPage(index *app.GuideIndex, l bilingual.Lang) Page {
	b := &builder{}
	b.heading(1, in(l, "Field guide", "현장 안내서"))
	b.list(scenarioItems(index.Guides, l))
	if len(index.Guides) == 0 {
		b.prose(in(l, "The library has none.", "라이브러리에 안내서가 없다."))
	}
	return b.page
}

// GuidePage is a page of the field guide.
func GuidePage(g *app.Guide, l bilingual.Lang) Page {
	b := &builder{}
	b.heading(1, Read(&g.Title, l))
	b.prose(Read(&g.About, l))
	b.section(in(l, "The loop", "되먹임 고리"), textItems(g.Loop, l))
	b.prose(GainText(g.Gain, l))
	b.prose(Read(&g.Text, l))
	b.edges(g.Edges, l)
	b.judged(g.Scenario(), g.Judged, l)
	b.compared(g, l)
	b.section(in(l, "Your numbers", "내 시스템의 수치"), yoursItems(g.Yours, l))
	b.section(in(l, "Cases with the same mechanisms", "같은 메커니즘의 사례"), briefItems(g.Cases, l))
	if more := g.Count - len(g.Cases); more > 0 {
		b.note(fmt.Sprintf(in(l, "%d more share one of the mechanisms.", "메커니즘을 하나라도 공유하는 사례가 %d건 더 있다."), more))
	}
	b.heading(2, in(l, "Run it", "실행"))
	b.page = append(b.page, Block{Kind: Code, Text: strings.Join(GuideCommands(g), "\n")})
	return b.page
}

// GuideCommands are the commands that give what a page of the field guide shows.
func GuideCommands(g *app.Guide) []string {
	file := g.ID + ".yaml"
	all := []string{
		"precedent replay " + g.ID, "precedent replay " + g.ID + " --all",
		"precedent new system " + file + " --example " + g.ID, "precedent judge " + file,
	}
	if g.Map != nil {
		all = append(all, "precedent map "+file+" --x "+g.Map.X+" --y "+g.Map.Y)
	}
	return all
}

// briefItems list cases.
func briefItems(all []app.Brief, l bilingual.Lang) []Item {
	var items []Item
	for i := range all {
		items = append(items, Item{Lead: all[i].ID, Text: Read(&all[i].Title, l)})
	}
	return items
}

// GainText says how much of itself one turn of a loop brings about; nothing where
// it was not measured.
func GainText(g *app.Gain, l bilingual.Lang) string {
	if g == nil || g.During == nil {
		return ""
	}
	text := fmt.Sprintf(in(l, "Gain of the loop, measured: %s while the failure lasts", "측정한 고리의 이득: 장애 중 %s"), gain(*g.During))
	if g.Before != nil {
		text += fmt.Sprintf(in(l, ", %s before it", ", 그 전 %s"), gain(*g.Before))
	}
	text += "."
	if counts := Read(&g.Counts, l); counts != "" {
		text += " " + counts
	}
	return text
}

// gain writes a number with two digits after the point where it is small.
func gain(x float64) string {
	if math.Abs(x) < 10 {
		return fmt.Sprintf("%.2f", x)
	}
	return number(x)
}

// EdgeText says what the formula of an edge gives, and where simulation found it.
func EdgeText(e *app.GuideEdge, l bilingual.Lang) string {
	f := e.Found
	switch {
	case f == nil:
		return in(l, "not looked for", "찾지 않았다")
	case f.Below == "":
		return fmt.Sprintf(in(l, "the formula gives %s; simulation found no edge among the values that were tried",
			"공식으로는 %s. 시뮬레이션에서는 시험한 값 사이에 경계가 없었다"), f.Foretold)
	}
	text := fmt.Sprintf(in(l, "the formula gives %s; simulated, it lies between %s and %s", "공식으로는 %s, 시뮬레이션으로는 %s와 %s 사이"),
		f.Foretold, f.Below, f.Above)
	if f.Variant != "" {
		text += fmt.Sprintf(in(l, " (in the variant %s)", " (변형 %s에서)"), f.Variant)
	}
	if !f.Agrees {
		text += in(l, ": the two disagree", ": 둘이 어긋난다")
	}
	return text
}

// edges lists where a system begins to tip.
func (b *builder) edges(all []app.GuideEdge, l bilingual.Lang) {
	var items []Item
	for i := range all {
		e := &all[i]
		items = append(items, Item{Lead: e.Formula, Text: Read(&e.Name, l),
			Sub: []string{EdgeText(e, l), in(l, "from: ", "출처: ") + Read(&e.Source, l)}})
	}
	b.section(in(l, "Where it tips", "넘어가는 경계"), items)
}

// compared tells what each remedy was found to do.
func (b *builder) compared(g *app.Guide, l bilingual.Lang) {
	if len(g.Remedies) == 0 {
		return
	}
	b.heading(2, in(l, "Remedies, the cheapest first", "조치, 비용이 적은 것부터"))
	head := []string{in(l, "cost", "비용"), in(l, "variant", "변형"), in(l, "what is done", "내용")}
	for _, c := range g.Compared {
		head = append(head, Read(&c.Name, l))
	}
	rows := [][]string{head, append([]string{"", scenario.Base, in(l, "nothing", "아무것도 하지 않음")}, FigureCells(g, g.Base)...)}
	for i := range g.Remedies {
		r := &g.Remedies[i]
		rows = append(rows, append([]string{number(r.Cost), r.Name, Read(&r.About, l)}, FigureCells(g, r.Compared)...))
	}
	b.table(rows)
}

// FigureCells writes the numbers that a variant is compared by.
func FigureCells(g *app.Guide, values scenario.Values) []string {
	cells := make([]string, len(g.Compared))
	for i, c := range g.Compared {
		cells[i] = "–"
		if i < len(values) && !math.IsNaN(values[i]) {
			cells[i] = inUnit(values[i], c.Unit)
		}
	}
	return cells
}
