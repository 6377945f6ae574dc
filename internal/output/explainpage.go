package output

import (
	"fmt"
	"slices"
	"strings"

	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/sim/study"
	"github.com/openprecedent/precedent/internal/sim/system"
)

// explanation writes a scenario with all that it leaves out.
func (b *builder) explanation(a *study.Answer, l bilingual.Lang) {
	e := a.Explanation
	b.heading(1, titled(a, l))
	b.prose(Read(&e.About, l))
	b.heading(2, in(l, "Who calls whom", "호출 관계"))
	b.code(tree(e, l))
	b.heading(2, in(l, "Load while nothing fails", "장애가 없을 때의 부하"))
	b.table(loadRows(e, l))
	if e.Events > 0 {
		b.note(fmt.Sprintf(in(l, "A run is about %s events.", "한 번 실행할 때의 이벤트 수: 약 %s."), study.Magnitude(e.Events, l)))
	}
	boundsSection(b, e.Bounds, l)
	b.heading(2, in(l, "The whole file", "전체 파일"))
	b.code(e.YAML)
}

func loadRows(e *study.Explanation, l bilingual.Lang) [][]string {
	rows := [][]string{{in(l, "part", "부품"), in(l, "kind", "종류"), in(l, "rate", "도착률"), in(l, "held", "점유 시간"),
		in(l, "workers", "워커"), in(l, "capacity", "처리 능력"), in(l, "busy", "사용률")}}
	for _, p := range e.Parts {
		row := []string{p.Name, p.Kind, rate(p.Rate, p.AtMost), "", "", "", ""}
		if p.Capacity > 0 {
			row[3], row[4], row[5], row[6] = Seconds(p.Held), number(p.Workers), number(p.Capacity)+"/s", share(p.Utilisation)
		}
		if p.Copies > 1 {
			row[0] += fmt.Sprintf(" ×%d", p.Copies)
		}
		rows = append(rows, row)
	}
	return rows
}

func rate(perSecond float64, atMost bool) string {
	if perSecond == 0 {
		return ""
	}
	text := number(perSecond) + "/s"
	if atMost {
		text = "≤ " + text
	}
	return text
}

// tree draws who calls whom, from the parts that nobody calls. A part that stands
// further up already is not drawn again.
func tree(e *study.Explanation, l bilingual.Lang) string {
	var out strings.Builder
	drawn := map[string]bool{}
	called := map[string]bool{}
	kinds := map[string]string{}
	for _, c := range e.Calls {
		called[c.To] = true
	}
	for _, p := range e.Parts {
		kinds[p.Name] = p.Kind
	}
	var draw func(name, indent string)
	draw = func(name, indent string) {
		drawn[name] = true
		var calls []study.CallLoad
		for _, c := range e.Calls {
			if c.From == name {
				calls = append(calls, c)
			}
		}
		for i, c := range calls {
			branch, further := "├─ ", "│  "
			if i == len(calls)-1 {
				branch, further = "└─ ", "   "
			}
			line := indent + branch + c.To + " (" + kinds[c.To] + ")  " + rate(c.Rate, c.AtMost)
			if len(c.Policy) > 0 {
				line += "  " + strings.Join(c.Policy, ", ")
			}
			if drawn[c.To] {
				line += in(l, "  [see above]", "  [위 참조]")
			}
			out.WriteString(line + "\n")
			if !drawn[c.To] {
				draw(c.To, indent+further)
			}
		}
	}
	for _, roots := range []bool{true, false} { // then what only calls itself round
		for _, p := range e.Parts {
			if drawn[p.Name] || called[p.Name] == roots {
				continue
			}
			out.WriteString(p.Name + " (" + p.Kind + ")\n")
			draw(p.Name, "")
		}
	}
	return out.String()
}

// boundsSection lists what is known by formula: what does not hold first.
func boundsSection(b *builder, bounds []system.Bound, l bilingual.Lang) {
	if len(bounds) == 0 {
		return
	}
	b.heading(2, in(l, "By formula", "공식으로 아는 것"))
	var items []Item
	for _, holds := range []bool{false, true} {
		for _, x := range bounds {
			if x.Holds == holds {
				items = append(items, boundItem(x, l))
			}
		}
	}
	b.list(items)
	var sources []string
	for _, x := range bounds {
		if !slices.Contains(sources, x.Source) {
			sources = append(sources, x.Source)
		}
	}
	b.note(in(l, "From: ", "출처: ") + strings.Join(sources, ". "))
}

func boundItem(x system.Bound, l bilingual.Lang) Item {
	mark := in(l, "holds", "성립")
	if !x.Holds {
		mark = in(l, "BROKEN", "깨짐")
	}
	kind := in(l, "a bound", "한계값")
	if x.Exact {
		kind = in(l, "exact", "정확한 값")
	}
	return Item{
		Lead: x.At + " " + x.Rule, Text: mark + ": " + x.Says.In(l),
		Sub: []string{fmt.Sprintf("%s: %s %s %s  (%s)", x.FormulaIn(l), figure(x.Left, x.Unit), relation(x), figure(x.Right, x.Unit), kind)},
	}
}

func figure(x float64, unit string) string {
	switch unit {
	case "s":
		return Seconds(x)
	case "", "/s":
		return number(x) + unit
	}
	return number(x) + " " + unit
}

func relation(x system.Bound) string {
	switch {
	case x.Left < x.Right:
		return "<"
	case x.Left > x.Right:
		return ">"
	}
	return "="
}
