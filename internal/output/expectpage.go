package output

import (
	"fmt"
	"strings"

	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/sim/scenario"
	"github.com/openprecedent/precedent/internal/sim/study"
)

// expectations writes whether what a file expects holds, and what the run gave.
func (b *builder) expectations(r *study.Run, l bilingual.Lang) {
	if r.Unchecked > 0 {
		b.note(fmt.Sprintf(in(l, "%d expectations of the file were not looked at here; the command line and the server do that.",
			"파일의 기대 조건 %d개는 여기서 확인하지 않는다. 명령줄과 서버가 확인한다."), r.Unchecked))
	}
	if len(r.Expectations) == 0 {
		return
	}
	b.heading(2, in(l, "Expectations", "기대 조건"))
	rows := [][]string{{in(l, "holds", "성립"), in(l, "expectation", "기대 조건"), in(l, "seeds", "시드"), in(l, "published", "발표된 내용")}}
	var items []Item
	for _, o := range r.Expectations {
		rows = append(rows, []string{holds(o, l), o.Name, seedsHeld(o, l), published(o, l)})
		items = append(items, expectationItem(o, l))
	}
	b.table(rows)
	b.list(items)
}

func holds(o scenario.Outcome, l bilingual.Lang) string {
	if o.Holds {
		return in(l, "yes", "예")
	}
	return in(l, "NO", "아니요")
}

// seedsHeld says for how many of the seeds an expectation held, and for how many it
// must where that is not all.
func seedsHeld(o scenario.Outcome, l bilingual.Lang) string {
	text := fmt.Sprintf(in(l, "%d of %d", "%[2]d개 중 %[1]d개"), o.Held, len(o.Seeds))
	if o.Share < 1 {
		text += fmt.Sprintf(in(l, ", wanted %s", " (%s 이상)"), share(o.Share))
	}
	return text
}

// provenances are the origins of expectations in both languages.
var provenances = map[scenario.Provenance]bilingual.Text{
	"published": {En: "published", Ko: "발표됨"}, "derived": {En: "derived", Ko: "도출됨"}, "assumed": {En: "assumed", Ko: "가정"},
}

// published writes what was published, and how firm it is.
func published(o scenario.Outcome, l bilingual.Lang) string {
	mark := provenances[o.Mark].In(l)
	switch {
	case o.Published.IsZero():
		return mark
	case mark == "":
		return Read(&o.Published, l)
	}
	return fmt.Sprintf("%s (%s)", Read(&o.Published, l), mark)
}

// expectationItem says what the runs gave: the values of the first, and why each of
// the others that fail does.
func expectationItem(o scenario.Outcome, l bilingual.Lang) Item {
	item := Item{Lead: o.Name, Text: Read(&o.About, l)}
	if item.Text == "" {
		item.Text = o.That
	} else {
		item.Sub = append(item.Sub, o.That)
	}
	const most = 3 // that are told in full
	if o.Held > 0 && o.Held*2 < len(o.Seeds) {
		return rarely(item, o, most, l)
	}
	if len(o.Seeds) > 0 && o.Seeds[0].Held {
		for _, v := range o.Seeds[0].Values {
			item.Sub = append(item.Sub, v.Of+" = "+v.TextIn(l))
		}
	}
	failed := 0
	for _, s := range o.Seeds {
		if s.Held {
			continue
		}
		if failed++; failed <= most {
			item.Sub = append(item.Sub, fmt.Sprintf(in(l, "seed %d: %s", "시드 %d: %s"), s.Seed, s.WhyIn(l)))
		}
	}
	if failed > most {
		item.Sub = append(item.Sub, fmt.Sprintf(in(l, "and %d more seeds", "그 밖에 시드 %d개"), failed-most))
	}
	return item
}

// rarely adds for which of many seeds an expectation holds: what happens now and
// then is found by running many, and seen again with the seed.
func rarely(item Item, o scenario.Outcome, most int, l bilingual.Lang) Item {
	var seeds []string
	for _, s := range o.Seeds {
		if !s.Held {
			continue
		}
		if seeds = append(seeds, fmt.Sprint(s.Seed)); len(seeds) > most {
			continue
		}
		for _, v := range s.Values {
			item.Sub = append(item.Sub, fmt.Sprintf(in(l, "seed %d: %s = %s", "시드 %d: %s = %s"), s.Seed, v.Of, v.TextIn(l)))
		}
	}
	const listed = 20
	text := strings.Join(seeds[:min(len(seeds), listed)], ", ")
	if more := len(seeds) - listed; more > 0 {
		text += fmt.Sprintf(in(l, " and %d more", " 외 %d개"), more)
	}
	item.Sub = append(item.Sub, in(l, "holds for the seeds ", "성립하는 시드: ")+text)
	return item
}

// expectationRows writes the outcomes of runs side by side, a row for each run and
// expectation.
func (b *builder) expectationRows(a *study.Answer, l bilingual.Lang) {
	var head []string
	for i, s := range a.Runs[0].Set {
		if varies(a, i) {
			head = append(head, s.Path)
		}
	}
	rows := [][]string{append(head, in(l, "expectation", "기대 조건"), in(l, "holds", "성립"), in(l, "seeds", "시드"))}
	for _, r := range a.Runs {
		for _, o := range r.Expectations {
			var row []string
			for i, s := range r.Set {
				if varies(a, i) {
					row = append(row, s.Value)
				}
			}
			rows = append(rows, append(row, o.Name, holds(o, l), seedsHeld(o, l)))
		}
	}
	if len(rows) > 1 {
		b.heading(2, in(l, "Expectations", "기대 조건"))
	}
	b.table(rows)
}
