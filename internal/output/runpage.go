package output

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/sim/des"
	"github.com/openprecedent/precedent/internal/sim/scenario"
	"github.com/openprecedent/precedent/internal/sim/study"
)

// in returns a text of the program itself in one language.
func in(l bilingual.Lang, en, ko string) string { return bilingual.Text{En: en, Ko: ko}.In(l) }

// AnswerPage returns the page of an answer about a system. The series shown are
// those of the answer if all is set, else those that tell most.
func AnswerPage(a *study.Answer, l bilingual.Lang, all bool) Page {
	b := &builder{}
	if len(a.Missing) > 0 {
		b.note(fmt.Sprintf(in(l, "Ended early. This is what was known by then; it lacks: %s.", "일찍 끝났다. 그때까지 알아낸 것이다. 빠진 것: %s."), joined(a.Missing, "; ", l)))
	}
	switch {
	case a.Judgment != nil:
		b.judgment(a, l, all)
	case a.Edges != nil:
		b.stress(a, l)
	case a.Remedies != nil:
		b.remedies(a, l)
	case a.Map != nil:
		b.phaseMap(a, l)
	case a.Explorations != nil:
		b.heading(1, a.Name)
		b.orders(a.Explorations, l)
	case a.Explanation != nil:
		b.explanation(a, l)
	case len(a.Runs) == 0: // it was ended before anything was known
		b.heading(1, titled(a, l))
	default:
		b.heading(1, titled(a, l))
		b.runs(a, l, all)
		lawsLine(b, a.Broken(), l)
	}
	again(b, a.Command, l)
	return b.page
}

// titled is the name of a system, with the variant that was asked about.
func titled(a *study.Answer, l bilingual.Lang) string {
	if a.Variant == "" {
		return a.Name
	}
	return fmt.Sprintf(in(l, "%s, variant %s", "%s, 변형 %s"), a.Name, a.Variant)
}

// runs writes one or more runs, side by side.
func (b *builder) runs(r *study.Answer, l bilingual.Lang, all bool) {
	for _, one := range r.Runs {
		b.note(unfinished(&one, l))
	}
	if len(r.Runs) == 1 {
		runFacts(b, &r.Runs[0], l)
	}
	b.table(goodputRows(r, l))
	if len(r.Runs) > 1 {
		b.expectationRows(r, l)
	}
	if len(r.Runs) == 1 {
		b.expectations(&r.Runs[0], l)
		one := &r.Runs[0]
		series := one.Series
		if !all {
			series = one.Chosen()
		}
		if rows := seriesRows(one, series, l); len(rows) > 1 {
			b.heading(2, in(l, "Over time", "시간에 따른 변화"))
			b.table(rows)
		}
	}
}

func runFacts(b *builder, r *study.Run, l bilingual.Lang) {
	b.facts(
		[2]string{in(l, "Simulated", "시뮬레이션한 시간"), fmt.Sprintf("%s (%s %d × %s)", Seconds(r.Reached), in(l, "windows:", "구간"), r.Windows, Seconds(r.Window))},
		[2]string{in(l, "Changes", "변경"), marks(r.Marks, l)},
		[2]string{in(l, "Never came true", "조건이 성립하지 않은 변경"), strings.Join(r.Unmade, "; ")},
		[2]string{in(l, "Seed", "시드"), fmt.Sprint(r.Seed)},
		[2]string{in(l, "Events", "이벤트 수"), study.Magnitude(float64(r.Events), l)},
	)
}

// marks says what is done to the system and when.
func marks(all []study.Mark, l bilingual.Lang) string {
	var parts []string
	for _, m := range all {
		when := Seconds(m.At)
		if m.Until > 0 {
			when += "–" + Seconds(m.Until)
		}
		parts = append(parts, when+" "+Read(&m.About, l))
	}
	return strings.Join(parts, "; ")
}

// unfinished says why a run did not come to its end, if it did not.
func unfinished(r *study.Run, l bilingual.Lang) string {
	switch r.End {
	case des.EndTime:
		return ""
	case des.EndContext:
		return fmt.Sprintf(in(l, "Interrupted at %s; what follows is what was seen until then.", "%s에서 중단되었다. 아래는 그때까지 본 것이다."), Seconds(r.Reached))
	case des.EndPending:
		return fmt.Sprintf(in(l, "Ended at %s: too many calls were under way at once.", "%s에서 끝났다. 동시에 진행 중인 호출이 너무 많았다."), Seconds(r.Reached))
	}
	return fmt.Sprintf(in(l, "Ended at %s: the run had more events than it may.", "%s에서 끝났다. 이벤트 수가 한도를 넘었다."), Seconds(r.Reached))
}

// goodputRows is the table of the sources: of one run a row each, of several a
// row for each run and source.
func goodputRows(r *study.Answer, l bilingual.Lang) [][]string {
	var head []string
	variants := slices.ContainsFunc(r.Runs, func(one study.Run) bool { return one.Variant != r.Runs[0].Variant })
	if variants {
		head = append(head, in(l, "variant", "변형"))
	}
	for i, s := range r.Runs[0].Set {
		if varies(r, i) {
			head = append(head, s.Path)
		}
	}
	rows := [][]string{append(head,
		in(l, "source", "소스"), in(l, "offered", "들어옴"), in(l, "good", "제때"), in(l, "late", "늦음"), in(l, "failed", "실패"),
		in(l, "waiting", "대기"), in(l, "mean", "평균"), "p99")}
	for _, one := range r.Runs {
		for _, g := range one.Sources {
			var row []string
			if variants {
				row = append(row, cmp.Or(one.Variant, scenario.Base))
			}
			for i, s := range one.Set {
				if varies(r, i) {
					row = append(row, s.Value)
				}
			}
			rows = append(rows, append(row, g.Source, fmt.Sprint(g.Offered), ofAll(g.Good, g.Offered), ofAll(g.Late, g.Offered),
				ofAll(g.Failed, g.Offered), ofAll(g.Waiting, g.Offered), latency(g.Mean, g.Good), latency(g.P99, g.Good)))
		}
	}
	return rows
}

// varies reports whether the runs differ in a setting.
func varies(r *study.Answer, setting int) bool {
	return slices.ContainsFunc(r.Runs, func(one study.Run) bool {
		return one.Set[setting].Value != r.Runs[0].Set[setting].Value
	})
}

func ofAll(n, all int64) string {
	if n == 0 || all == 0 {
		return "0"
	}
	return fmt.Sprintf("%d (%s)", n, share(float64(n)/float64(all)))
}

func latency(seconds float64, n int64) string {
	if n == 0 {
		return "–"
	}
	return Seconds(seconds)
}

func lawsLine(b *builder, broken []string, l bilingual.Lang) {
	if len(broken) == 0 {
		b.note(in(l, "Every law held: what came in has gone out or is inside.", "모든 보존 법칙이 성립했다. 들어온 것은 나갔거나 안에 있다."))
		return
	}
	var items []Item
	for _, one := range broken {
		items = append(items, Item{Text: one})
	}
	b.prose(in(l, "**Laws did not hold.** This is a fault of the simulator; please report it with the file:", "**성립하지 않은 법칙이 있다.** 시뮬레이터의 결함이므로 파일과 함께 알려 주기 바란다:"))
	b.list(items)
}

// again names the command that gives the same page.
func again(b *builder, command string, l bilingual.Lang) {
	if command != "" {
		b.note(in(l, "The same again:", "같은 결과를 내는 명령:"))
		b.code(command)
	}
}

func seriesRows(r *study.Run, series []des.Series, l bilingual.Lang) [][]string {
	most := fmt.Sprintf(in(l, "%s in all", "모두 %s"), Seconds(float64(r.Windows)*r.Window))
	rows := [][]string{{in(l, "series", "계열"), most, in(l, "least", "최소"), in(l, "most", "최대"), in(l, "last", "마지막"), in(l, "unit", "단위")}}
	for _, s := range series {
		values, unit := perSecond(s, r.Window)
		if len(values) == 0 {
			continue
		}
		low, high := span(values)
		rows = append(rows, []string{s.Name, sparkline(values, sparkWidth), number(low), number(high), number(values[len(values)-1]), unit})
	}
	return rows
}

// perSecond turns counts of windows into rates.
func perSecond(s des.Series, window float64) ([]float64, string) {
	if s.Unit != "count" {
		return s.Values, s.Unit
	}
	rates := make([]float64, len(s.Values))
	for i, v := range s.Values {
		rates[i] = v / window
	}
	return rates, "/s"
}

func span(values []float64) (low, high float64) {
	low, high = values[0], values[0]
	for _, v := range values {
		low, high = min(low, v), max(high, v)
	}
	return low, high
}

// sparkline draws values as a row of bars, from 0 to their largest. Where there
// are more values than columns, a bar is the mean of its values.
func sparkline(values []float64, width int) string {
	bars := []rune("▁▂▃▄▅▆▇█")
	width = min(width, len(values))
	if width == 0 {
		return ""
	}
	means := make([]float64, width)
	for i := range means {
		from, to := i*len(values)/width, (i+1)*len(values)/width
		for _, v := range values[from:to] {
			means[i] += v / float64(to-from)
		}
	}
	_, high := span(means)
	var b strings.Builder
	for _, m := range means {
		switch {
		case m <= 0 || high <= 0:
			b.WriteByte(' ')
		default:
			b.WriteRune(bars[min(int(m/high*float64(len(bars))), len(bars)-1)])
		}
	}
	return b.String()
}

// number writes a figure with three digits that count.
func number(x float64) string {
	switch a := math.Abs(x); {
	case a >= 1e6:
		return fmt.Sprintf("%.3gM", x/1e6)
	case a >= 100 || x == math.Trunc(x):
		return fmt.Sprintf("%.0f", x)
	}
	return fmt.Sprintf("%.3g", x)
}

// share writes a share.
func share(x float64) string {
	switch p := 100 * x; {
	case p > 0 && p < 0.1:
		return fmt.Sprintf("%.2g%%", p)
	case p >= 99.95 && p < 100:
		return ">99.9%"
	case p < 10 && p != math.Trunc(p) || p > 99 && p < 100:
		return fmt.Sprintf("%.1f%%", p)
	default:
		return fmt.Sprintf("%.0f%%", p)
	}
}

// Seconds writes a span of seconds with three digits that count.
func Seconds(s float64) string {
	switch {
	case s == 0:
		return "0s"
	case s < 1e-3:
		return fmt.Sprintf("%.3gµs", s*1e6)
	case s < 1:
		return fmt.Sprintf("%.3gms", s*1e3)
	case s < 120:
		return fmt.Sprintf("%.3gs", s)
	}
	text := time.Duration(math.Round(s) * 1e9).String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}
