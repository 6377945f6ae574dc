package output

import (
	"fmt"

	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/sim/study"
)

// ordersSection writes what every order of the steps of a scenario's protocols
// leads to, where that was looked at.
func (b *builder) ordersSection(all []study.Exploration, l bilingual.Lang) {
	if len(all) == 0 {
		return
	}
	b.heading(2, in(l, "Every order of the steps", "단계의 모든 순서"))
	b.orders(all, l)
}

// orders writes explorations: a table of what holds in which, and the fewest steps
// that break each invariant of the first.
func (b *builder) orders(all []study.Exploration, l bilingual.Lang) {
	b.prose(ordersLede(&all[0], l))
	b.table(orderRows(all, l))
	var items []Item
	for i := range all {
		items = append(items, Item{Lead: all[i].Label(), Text: Read(&all[i].About, l)})
	}
	b.list(items)
	for _, told := range study.ToldPaths(all) {
		b.heading(3, pathTitle(told, l))
		b.table(pathRows(told, l))
	}
}

// ordersLede says what was looked at.
func ordersLede(x *study.Exploration, l bilingual.Lang) string {
	text := in(l, "Each actor may be delayed for as long as one likes. What holds below holds in every order of their steps, for any number of plans.",
		"행위자마다 얼마든지 늦어질 수 있다. 성립한다고 적은 것은 단계의 모든 순서에서, 계획이 몇 개든 성립한다.")
	small := ""
	for i, s := range x.Small {
		if i > 0 {
			small += ", "
		}
		small += s.Path + "=" + s.Value
	}
	if small == "" {
		return text
	}
	return fmt.Sprintf(in(l, "%s The protocol was made small: %s.", "%s 프로토콜의 크기는 다음으로 줄였다. %s."), text, small)
}

// orderRows is the table of what holds in which exploration.
func orderRows(all []study.Exploration, l bilingual.Lang) [][]string {
	head := []string{in(l, "variant", "변형"), in(l, "states", "상태")}
	for i := range all[0].Invariants {
		head = append(head, Read(&all[0].Invariants[i].Says, l))
	}
	rows := [][]string{head}
	for i := range all {
		x := &all[i]
		states := fmt.Sprint(x.States)
		if !x.Whole {
			states = fmt.Sprintf(in(l, "more than %d", "%d개 넘음"), x.States)
		}
		row := []string{x.Label(), states}
		for k := range x.Invariants {
			row = append(row, invariantCell(x, &x.Invariants[k], l))
		}
		rows = append(rows, row)
	}
	return rows
}

// invariantCell says whether an invariant holds.
func invariantCell(x *study.Exploration, inv *study.Invariant, l bilingual.Lang) string {
	text := in(l, "holds", "성립")
	switch {
	case inv.Broken:
		text = fmt.Sprintf(in(l, "broken in %d steps", "%d단계에 깨짐"), len(inv.Path))
	case !x.Whole:
		text = in(l, "not broken so far", "아직 깨지지 않음")
	}
	if !inv.Met {
		text += in(l, " (not as expected)", " (기대와 다름)")
	}
	return text
}

// pathTitle says what an order of steps breaks.
func pathTitle(p study.ToldPath, l bilingual.Lang) string {
	text := ""
	for i, inv := range p.Breaks {
		if i > 0 {
			text += "; "
		}
		text += Read(&inv.Says, l)
	}
	return fmt.Sprintf(in(l, "%s: the fewest steps after which it no longer holds that %s", "%s: 가장 적은 단계로 깨지는 순서. %s"), p.Of.Label(), text)
}

// pathRows is an order of steps as a table: a column for each actor that takes a
// step, and what is shown after each.
func pathRows(p study.ToldPath, l bilingual.Lang) [][]string {
	path, actors := p.Path(), p.Acting()
	head := []string{""}
	for _, k := range actors {
		head = append(head, Read(&p.Of.Actors[k], l))
	}
	for i := range p.Of.Shown {
		head = append(head, Read(&p.Of.Shown[i], l))
	}
	rows := [][]string{head}
	for i, s := range path {
		row := []string{fmt.Sprint(i + 1)}
		for _, k := range actors {
			cell := ""
			if k == s.Actor {
				cell = Read(&s.What, l)
			}
			row = append(row, cell)
		}
		for k := range s.After {
			row = append(row, Read(&s.After[k], l))
		}
		rows = append(rows, row)
	}
	return rows
}
