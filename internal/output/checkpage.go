package output

import (
	"fmt"
	"strings"

	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/check/rule"
)

// severityNames are the severities for people.
var severityNames = map[rule.Severity]bilingual.Text{
	rule.Critical: {En: "critical", Ko: "심각"}, rule.High: {En: "high", Ko: "높음"},
	rule.Medium: {En: "medium", Ko: "중간"}, rule.Low: {En: "low", Ko: "낮음"},
}

// SeverityName is a severity with its name for people.
type SeverityName struct {
	ID   rule.Severity
	Name string
}

// Severities returns the severities from worst to least, with their names.
func Severities(l bilingual.Lang) []SeverityName {
	var all []SeverityName
	for _, s := range rule.SeverityLevels() {
		name := severityNames[s]
		all = append(all, SeverityName{s, Read(&name, l)})
	}
	return all
}

// outcomeNames are the outcomes of findings for people.
var outcomeNames = map[rule.Outcome]bilingual.Text{
	rule.InState: {En: "in that state", Ko: "이미 그 상태"}, rule.Exposed: {En: "exposed", Ko: "위험에 노출"},
}

// CheckPage shows what checks found: by mechanism, and by check in it.
func CheckPage(a *app.CheckAnswer, l bilingual.Lang) Page {
	b := &builder{}
	b.heading(1, checkTitle(a, l))
	counted, muted := parted(a.Findings)
	for _, group := range byMechanism(counted) {
		b.heading(2, mechanismTitle(group[0], l))
		for len(group) > 0 {
			n := 1
			for n < len(group) && group[n].Check == group[0].Check {
				n++
			}
			b.finding(group[:n], l)
			group = group[n:]
		}
	}
	b.section(in(l, "Muted", "숨긴 결과"), mutedItems(muted, l))
	b.section(in(l, "Mutes to look at", "다시 볼 숨김"), expiredItems(a.Expired, l))
	b.section(in(l, "What could not be read", "읽지 못한 것"), gapItems(a.Gaps, l))
	b.section(in(l, "Not checked", "점검하지 못한 것"), uncheckedItems(a.NotChecked, l))
	b.note(fmt.Sprintf(in(l, "%d checks, %d objects: %s", "점검 %d개, 객체 %d개: %s"), len(a.Checks), a.Objects, strings.Join(a.Kinds, ", ")))
	return b.page
}

func checkTitle(a *app.CheckAnswer, l bilingual.Lang) string {
	inState, exposed := 0, 0
	counted, _ := parted(a.Findings)
	for _, f := range counted {
		if f.Outcome == rule.InState {
			inState++
		} else {
			exposed++
		}
	}
	switch {
	case len(counted) > 0:
		return fmt.Sprintf(in(l, "In the state of an incident: %d. Exposed to one: %d.", "사고 때와 같은 상태: %d건. 사고에 노출됨: %d건."), inState, exposed)
	case a.Incomplete:
		return in(l, "No finding in what could be read", "읽은 범위에서는 발견한 것 없음")
	}
	return in(l, "No finding", "발견한 것 없음")
}

// parted tells the findings that count from those that are muted.
func parted(all []app.CheckFinding) (counted, muted []app.CheckFinding) {
	for _, f := range all {
		if f.Muted == nil {
			counted = append(counted, f)
		} else {
			muted = append(muted, f)
		}
	}
	return counted, muted
}

func mutedItems(all []app.CheckFinding, l bilingual.Lang) []Item {
	var items []Item
	for _, f := range all {
		why := mutedWhy(f.Muted, l)
		if f.Muted.Until != "" {
			why += fmt.Sprintf(in(l, " (until %s)", " (%s까지)"), f.Muted.Until)
		}
		items = append(items, Item{Lead: f.Check, Text: objectName(f.Object, l), Sub: []string{why}, Foreign: true})
	}
	return items
}

func mutedWhy(m *app.Muted, l bilingual.Lang) string {
	if m.Known {
		return in(l, "in the baseline", "기준선에 있음")
	}
	return m.Reason
}

func expiredItems(all []app.Expired, l bilingual.Lang) []Item {
	var items []Item
	for _, e := range all {
		items = append(items, Item{Lead: e.Check, Text: expiredText(e, l), Foreign: true})
	}
	return items
}

func expiredText(e app.Expired, l bilingual.Lang) string {
	if e.Unused {
		return fmt.Sprintf(in(l, "%s: mutes nothing any more (line %d)", "%s: 더는 숨길 것이 없음(%d행)"), e.Object, e.Line)
	}
	return fmt.Sprintf(in(l, "%s: expired on %s (line %d)", "%s: 숨김 기한이 %s에 끝남(%d행)"), e.Object, e.Until, e.Line)
}

// byMechanism groups findings by their first mechanism, in the order of the worst
// finding of each, and by check in a group.
func byMechanism(all []app.CheckFinding) [][]app.CheckFinding {
	var groups [][]app.CheckFinding
	at := map[string]int{}
	for _, f := range all {
		key := ""
		if len(f.Mechanisms) > 0 {
			key = f.Mechanisms[0].ID
		}
		i, ok := at[key]
		if !ok {
			i = len(groups)
			at[key], groups = i, append(groups, nil)
		}
		groups[i] = append(groups[i], f)
	}
	for i, g := range groups {
		groups[i] = byCheck(g)
	}
	return groups
}

// byCheck brings the findings of a check together, in the order of the first.
func byCheck(all []app.CheckFinding) []app.CheckFinding {
	var order []string
	of := map[string][]app.CheckFinding{}
	for _, f := range all {
		key := f.Check + string(f.Outcome)
		if of[key] == nil {
			order = append(order, key)
		}
		of[key] = append(of[key], f)
	}
	var sorted []app.CheckFinding
	for _, key := range order {
		sorted = append(sorted, of[key]...)
	}
	return sorted
}

func mechanismTitle(f app.CheckFinding, l bilingual.Lang) string {
	if len(f.Mechanisms) == 0 {
		return in(l, "Other", "그 밖")
	}
	return Read(&f.Mechanisms[0].Name, l)
}

// finding shows the findings of one check.
func (b *builder) finding(all []app.CheckFinding, l bilingual.Lang) {
	f := all[0]
	severity, outcome := severityNames[f.Severity], outcomeNames[f.Outcome]
	b.heading(3, fmt.Sprintf("%s: %s (%s, %s)", f.Check, Read(&f.Title, l), Read(&severity, l), Read(&outcome, l)))
	var items []Item
	for _, one := range all {
		item := Item{Lead: objectName(one.Object, l), Text: Read(&one.Message, l), Foreign: true}
		if one.Object.Source != "" {
			item.Sub = append(item.Sub, place(one.Object.Source, one.Object.Line))
		}
		for _, p := range one.At {
			item.Sub = append(item.Sub, pointed(one.Object.Source, p))
		}
		if !one.NotChecked.IsZero() {
			item.Sub = append(item.Sub, fmt.Sprintf(in(l, "whether it is in that state already: not checked (%s)", "이미 그 상태인지는 점검하지 못했다(%s)"), Read(&one.NotChecked, l)))
		}
		items = append(items, item)
	}
	b.list(items)
	var cases []Item
	for _, c := range f.Cases {
		cases = append(cases, Item{Lead: c.ID, Text: Read(&c.Title, l), Sub: []string{Read(&c.Why, l)}})
	}
	b.prose(in(l, "It was so in:", "이런 상태에서 일어난 사고:"))
	b.list(cases)
	b.prose(in(l, "What clears it: ", "없애는 법: ") + Read(&f.Remedy, l))
	if !f.Doubts.IsZero() {
		b.prose(in(l, "Not worth acting on where: ", "무시해도 되는 경우: ") + Read(&f.Doubts, l))
	}
	for _, s := range f.Scenarios {
		b.note(fmt.Sprintf(in(l, "Watch it happen: precedent replay %s", "일어나는 과정 보기: precedent replay %s"), s.ID))
	}
}

func objectName(o app.CheckedObject, l bilingual.Lang) string {
	if o.Kind == rule.Cluster {
		return in(l, "the cluster", "클러스터")
	}
	return o.ID()
}

func place(source string, line int) string {
	if line == 0 {
		return source
	}
	return fmt.Sprintf("%s:%d", source, line)
}

func pointed(source string, p app.Pointed) string {
	text := p.Path
	if p.Value != "" {
		text += " = " + p.Value
	}
	if p.Object != nil {
		source, text = p.Object.Source, p.Object.ID()+": "+text
	}
	if p.Line > 0 {
		text = fmt.Sprintf("%s:%d:%d: %s", source, p.Line, p.Col, text)
	}
	return text
}

func gapItems(all []app.Gap, l bilingual.Lang) []Item {
	var items []Item
	for _, g := range all {
		text := Read(&g.Reason, l)
		if !g.Advice.IsZero() {
			text += "; " + Read(&g.Advice, l)
		}
		items = append(items, Item{Lead: g.What, Text: text, Foreign: true})
	}
	return items
}

// uncheckedItems tells what keeps checks from being made, each reason once with the
// checks that wait for it: that is what a reader can do something about.
func uncheckedItems(all []app.Unchecked, l bilingual.Lang) []Item {
	var items []Item
	at := map[string]int{}
	for _, u := range all {
		check := u.Check + " " + Read(&u.Title, l)
		if u.Objects > 1 {
			check += fmt.Sprintf(in(l, " (%d objects)", " (객체 %d개)"), u.Objects)
		}
		why := Read(&u.Why, l)
		i, ok := at[why]
		if !ok {
			i = len(items)
			at[why], items = i, append(items, Item{Text: why})
		}
		items[i].Sub = append(items[i].Sub, check)
	}
	return items
}

// ChecksPage lists checks.
func ChecksPage(index *app.CheckIndex, l bilingual.Lang) Page {
	b := &builder{}
	b.heading(1, in(l, "Checks", "점검"))
	var items []Item
	for _, c := range index.Checks {
		severity := severityNames[c.Severity]
		items = append(items, Item{Lead: c.ID, Text: Read(&c.Title, l), Sub: []string{
			Read(&severity, l) + "; " + strings.Join(c.Applies, ", ") + "; " + strings.Join(c.Cases, ", "),
		}})
	}
	b.list(items)
	if len(items) == 0 {
		b.prose(in(l, "The library has none.", "라이브러리에 점검이 없다."))
	}
	return b.page
}

// OneCheckPage shows a check.
func OneCheckPage(c *app.CheckPage, l bilingual.Lang) Page {
	b := &builder{}
	b.heading(1, c.ID+": "+Read(&c.Title, l))
	b.prose(Read(&c.About, l))
	severity := severityNames[c.Severity]
	var mechanisms []string
	for _, m := range c.Mechanisms {
		mechanisms = append(mechanisms, Read(&m.Name, l))
	}
	b.facts([2]string{in(l, "Looks at", "대상"), strings.Join(c.Applies, ", ")}, [2]string{in(l, "Severity", "심각도"), Read(&severity, l)},
		[2]string{in(l, "Mechanisms", "메커니즘"), strings.Join(mechanisms, ", ")})
	var cases, parameters []Item
	for _, e := range c.Evidence {
		cases = append(cases, Item{Lead: e.ID, Text: Read(&e.Title, l), Sub: []string{Read(&e.Why, l)}})
	}
	for _, p := range c.Parameters {
		parameters = append(parameters, Item{Lead: fmt.Sprintf("%s = %g", p.Name, p.Value), Text: Read(&p.About, l)})
	}
	b.section(in(l, "Incidents behind it", "근거가 된 사고"), cases)
	b.heading(2, in(l, "What clears it", "없애는 법"))
	b.prose(Read(&c.Remedy, l))
	if !c.Doubts.IsZero() {
		b.heading(2, in(l, "When it is not worth acting on", "무시해도 되는 경우"))
		b.prose(Read(&c.Doubts, l))
	}
	b.section(in(l, "Parameters", "매개변수"), parameters)
	b.heading(2, in(l, "Conditions", "조건"))
	if c.State != "" {
		b.prose(Read(&bilingual.Text{En: "In that state:", Ko: "이미 그 상태:"}, l))
		b.code(c.State)
	}
	if c.Exposed != "" {
		b.prose(Read(&bilingual.Text{En: "Exposed:", Ko: "위험에 노출:"}, l))
		b.code(c.Exposed)
	}
	return b.page
}
