package output

import (
	"fmt"
	"math"
	"time"

	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/sim/scenario"
	"github.com/openprecedent/precedent/internal/sim/study"
)

// ScenariosPage lists the scenarios of a library.
func ScenariosPage(index *app.ScenarioIndex, l bilingual.Lang) Page {
	b := &builder{}
	b.heading(1, in(l, "Scenarios", "시나리오"))
	b.list(scenarioItems(index.Scenarios, l))
	if len(index.Scenarios) == 0 {
		b.prose(in(l, "The library has none.", "라이브러리에 시나리오가 없다."))
	}
	return b.page
}

// guides lists pages of the field guide, where there are some.
func (b *builder) guides(all []app.ScenarioRef, l bilingual.Lang) {
	b.section(in(l, "Field guide", "현장 안내서"), scenarioItems(all[:min(len(all), maxGuides)], l))
}

// maxGuides is how many pages of the field guide a case leads to.
const maxGuides = 3

// scenarios lists what can be replayed, where there is something.
func (b *builder) scenarios(all []app.ScenarioRef, l bilingual.Lang) {
	b.section(in(l, "Replay", "재현"), scenarioItems(all, l))
}

// checks lists what one can look for in one's own system, where there is
// something.
func (b *builder) checks(all []app.CheckLink, l bilingual.Lang) {
	var items []Item
	for _, c := range all {
		items = append(items, Item{Lead: c.ID, Text: Read(&c.Title, l)})
	}
	b.section(in(l, "Check yours", "내 시스템 점검"), items)
}

func scenarioItems(all []app.ScenarioRef, l bilingual.Lang) []Item {
	var items []Item
	for _, s := range all {
		item := Item{Lead: s.ID, Text: Read(&s.Title, l)}
		for _, m := range s.Mechanisms {
			item.Sub = append(item.Sub, Read(&m.Name, l))
		}
		if s.HasGuide {
			item.Sub = append(item.Sub, "`precedent guide "+s.ID+"`")
		}
		items = append(items, item)
	}
	return items
}

// ReplayPage shows a scenario with what a run of it gave.
func ReplayPage(r *app.Replay, l bilingual.Lang) Page {
	b := &builder{}
	s := r.Scenario
	title := Read(&s.Title, l)
	if r.Variant != "" {
		title = fmt.Sprintf(in(l, "%s: variant %s", "%s: 변형 %s"), title, r.Variant)
	}
	b.heading(1, s.ID+": "+title)
	b.prose(Read(&s.About, l))
	for _, v := range s.Variants {
		if v.Name == r.Variant {
			b.prose(Read(&v.About, l))
		}
	}
	b.phases(s, l)
	if r.Answer != nil {
		b.replayed(r.Answer, s, l)
	}
	b.section(in(l, "The loop", "되먹임 고리"), textItems(s.Loop, l))
	b.prose(GainText(s.Gain, l))
	b.edges(s.Edges, l)
	b.judged(s, s.Judged, l)
	b.ordersSection(s.Orders, l)
	b.section(in(l, "What does not come out", "재현되지 않는 것"), textItems(s.Misfits, l))
	b.section(in(l, "Variants", "변형"), variantItems(s.Variants, l))
	b.section(in(l, "Values and where they are from", "값과 그 출처"), givenItems(s.Given, l))
	b.section(in(l, "Your numbers", "내 시스템의 수치"), yoursItems(s.Yours, l))
	if s.HasGuide {
		b.note(fmt.Sprintf(in(l, "What to do about it is in the field guide: `precedent guide %s`.", "무엇을 할지는 현장 안내서에 있다: `precedent guide %s`."), s.ID))
	}
	if r.Answer != nil {
		again(b, replayCommand(s.ID, r), l)
	}
	return b.page
}

// replayCommand returns the command that gives a replay again.
func replayCommand(id string, r *app.Replay) string {
	command := "precedent replay " + id
	if r.Variant != "" {
		command += " --variant " + study.Quote(r.Variant)
	}
	for _, set := range r.Answer.Set {
		command += " --set " + study.Quote(set.Path+"="+set.Value)
	}
	return command
}

// phases writes the periods of the course on both clocks.
func (b *builder) phases(s *app.Scenario, l bilingual.Lang) {
	if len(s.Phases) == 0 {
		return
	}
	rows := [][]string{{"T", in(l, "published clock", "발표된 시각"), in(l, "phase", "단계")}}
	for _, p := range s.Phases {
		rows = append(rows, []string{SinceZero(p.At), PublishedClock(s.Clock, p.At), Read(&p.Name, l)})
	}
	b.table(rows)
}

// SinceZero writes seconds from T+0.
func SinceZero(seconds float64) string {
	if seconds < 0 {
		return "T-" + Seconds(-seconds)
	}
	return "T+" + Seconds(seconds)
}

// PublishedClock writes what the published clock shows some seconds after T+0;
// nothing where there is none.
func PublishedClock(clock string, seconds float64) string {
	var zero scenario.Clock
	if zero.UnmarshalText([]byte(clock)) != nil {
		return ""
	}
	at := zero.Add(time.Duration(seconds * float64(time.Second)))
	if at.YearDay() != zero.YearDay() {
		return at.Format("01-02 15:04")
	}
	return at.Format("15:04")
}

// replayed writes what a run gave: its charts as lines of text, and what of it was
// expected.
func (b *builder) replayed(a *study.Answer, s *app.Scenario, l bilingual.Lang) {
	for i := range a.Runs {
		r := &a.Runs[i]
		b.note(unfinished(r, l))
		b.facts([2]string{in(l, "Changes", "변경"), marksSince(r.Marks, s.Zero, l)})
		b.expectations(r, l)
		if rows := chartRows(r.Charts, l); len(rows) > 1 {
			b.heading(2, in(l, "Over time", "시간에 따른 변화"))
			b.table(rows)
		}
		lawsLine(b, r.Broken, l)
	}
}

// marksSince says what is done to the system and when, from T+0.
func marksSince(all []study.Mark, zero float64, l bilingual.Lang) string {
	text := ""
	for i, m := range all {
		if i > 0 {
			text += "; "
		}
		text += SinceZero(m.At-zero) + " " + Read(&m.About, l)
	}
	return text
}

// chartRows writes the charts of a run as sparklines.
func chartRows(panels []scenario.Panel, l bilingual.Lang) [][]string {
	rows := [][]string{{in(l, "series", "계열"), in(l, "over time", "시간에 따라"), in(l, "least", "최소"), in(l, "most", "최대"), in(l, "last", "끝")}}
	for _, p := range panels {
		for _, d := range p.Lines {
			values := make([]float64, 0, len(d.Values))
			low, high, last := math.Inf(1), math.Inf(-1), math.NaN()
			for _, x := range d.Values {
				if math.IsNaN(x) {
					values = append(values, 0)
					continue
				}
				low, high, last = min(low, x), max(high, x), x
				values = append(values, x)
			}
			if math.IsNaN(last) {
				continue
			}
			rows = append(rows, []string{Read(&p.Title, l) + ": " + Read(&d.Name, l), sparkline(values, sparkWidth),
				inUnit(low, p.Unit), inUnit(high, p.Unit), inUnit(last, p.Unit)})
		}
	}
	return rows
}

// sparkWidth is the width of a sparkline in columns.
const sparkWidth = 40

// inUnit writes a value of a chart.
func inUnit(x float64, u scenario.Unit) string {
	switch u {
	case "share":
		return share(x)
	case "rate":
		return number(x) + "/s"
	case "time":
		return Seconds(x)
	}
	return number(x)
}

// section writes a list under a heading, where there is something to list.
func textItems(all []bilingual.Text, l bilingual.Lang) []Item {
	var items []Item
	for _, t := range all {
		items = append(items, Item{Text: Read(&t, l)})
	}
	return items
}

// variantItems list what else can be run.
func variantItems(all []app.VariantRef, l bilingual.Lang) []Item {
	var items []Item
	for _, v := range all {
		items = append(items, Item{Lead: v.Name, Text: Read(&v.About, l)})
	}
	return items
}

// givenItems list the values of a scenario with where each is from.
func givenItems(all []app.GivenValue, l bilingual.Lang) []Item {
	var items []Item
	for _, g := range all {
		item := Item{Lead: g.Name + " = " + g.Value, Text: Read(&g.About, l)}
		if !g.Source.IsZero() {
			item.Sub = append(item.Sub, in(l, "published: ", "발표됨: ")+Read(&g.Source, l))
		}
		if !g.Assumed.IsZero() {
			item.Sub = append(item.Sub, in(l, "assumed: ", "가정: ")+Read(&g.Assumed, l))
		}
		items = append(items, item)
	}
	return items
}

// yoursItems list what to measure at home.
func yoursItems(all []app.HomeMeasure, l bilingual.Lang) []Item {
	var items []Item
	for _, y := range all {
		items = append(items, Item{Lead: y.Parameter, Text: Read(&y.How, l)})
	}
	return items
}
