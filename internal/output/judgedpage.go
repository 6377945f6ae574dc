package output

import (
	"fmt"
	"strings"

	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/sim/verdict"
)

// JudgedPage tells what a scenario was judged to be.
func JudgedPage(s *app.Scenario, j *app.Judged, l bilingual.Lang) Page {
	b := &builder{}
	b.heading(1, s.ID+": "+Read(&s.Title, l))
	b.judged(s, j, l)
	if j.Judgment != nil {
		boundsSection(b, j.Judgment.Bounds, l)
	}
	if len(j.Commands) > 0 {
		b.heading(2, in(l, "The same again", "같은 답을 내는 명령"))
		b.page = append(b.page, Block{Kind: Code, Text: strings.Join(j.Commands, "\n")})
	}
	return b.page
}

// judged writes the class of a scenario, its smallest trigger and its phase map;
// nothing where they are not kept.
func (b *builder) judged(s *app.Scenario, j *app.Judged, l bilingual.Lang) {
	if j == nil {
		return
	}
	b.heading(2, in(l, "Verdict: ", "판정: ")+JudgedClass(j, l))
	for _, t := range JudgedWhy(s, j, l) {
		b.prose(t)
	}
	if t := SmallestText(j, l); t != "" {
		b.facts([2]string{in(l, "Smallest trigger", "가장 작은 촉발 요인"), t})
	}
	if j.Judgment != nil && len(j.Judgment.Trials) > 0 {
		var items []Item
		for _, t := range j.Judgment.Trials {
			items = append(items, trialItem(t, l))
		}
		b.section(in(l, "After each trigger", "촉발 요인마다"), items)
	}
	if m := j.Map; m != nil {
		b.heading(2, in(l, "Phase map", "상태 지도"))
		b.facts(
			[2]string{in(l, "Trigger", "촉발 요인"), Read(&m.Trigger, l)},
			[2]string{in(l, "Across", "가로"), m.X.Setting},
			[2]string{in(l, "Upwards", "세로"), m.Y.Setting},
		)
		b.mapBody(m, false, l)
	}
}

// JudgedClass is the class of a scenario in words.
func JudgedClass(j *app.Judged, l bilingual.Lang) string {
	if j.Class == verdict.Unjudged {
		return in(l, "none", "없음")
	}
	return className(j.Class, l)
}

// JudgedWhy says what the verdict of a scenario rests on, in sentences: the finding,
// the system that was judged where it is not that of the file, and that what fails is
// a race where it is one.
func JudgedWhy(s *app.Scenario, j *app.Judged, l bilingual.Lang) []string {
	all := []string{upperFirst(Read(&j.Why, l)) + "."}
	if j.Class == verdict.Unjudged {
		all[0] = in(l, "It cannot be judged: ", "판정할 수 없다: ") + Read(&j.Why, l) + "."
	}
	if len(j.Asked.Set) > 0 {
		all = append(all, fmt.Sprintf(in(l, "This is of the system with %s, and not of the one of the file.", "파일의 시스템이 아니라 %s일 때의 판정이다."), strings.Join(j.Asked.Set, ", ")))
	}
	if j.Asked.Variant != "" {
		all = append(all, fmt.Sprintf(in(l, "This is of the variant %s.", "변형 %s의 판정이다."), j.Asked.Variant))
	}
	if j.Asked.Alone {
		all = append(all, in(l, "Only one trigger was tried.", "촉발 요인 하나만 시험했다."))
	}
	if s.Race() {
		all = append(all, fmt.Sprintf(in(l, "What fails in this scenario is a race, which depends on the order of steps and not on a load: triggers that are taken away tell little of it. `precedent explore %s.yaml` looks at every order.",
			"이 시나리오에서 실패하는 것은 경합이다. 부하가 아니라 단계의 순서에 달려 있어, 거두어들이는 촉발 요인으로는 알 수 있는 것이 적다. `precedent explore %s.yaml`이 모든 순서를 살핀다."), s.ID))
	}
	return append(all, fmt.Sprintf(in(l, "Seeds of each kind of run: %d.", "실행 종류마다 시드 %d개."), j.Asked.Seeds))
}

// SmallestText says how little of a trigger tips a scenario; nothing where none was
// searched.
func SmallestText(j *app.Judged, l bilingual.Lang) string {
	e := j.Smallest
	if e == nil {
		return ""
	}
	item := edgeItem(*e, l)
	text := item.Lead + " " + item.Text
	if l == bilingual.Korean {
		text = item.Lead + ": " + item.Text
	}
	if e.Moment {
		return strings.Join(append([]string{text}, item.Sub...), in(l, "; ", ". ")) + "."
	}
	for i := len(e.Frontier) - 1; i >= 0; i-- { // the weakest that tips it
		if p := e.Frontier[i]; p.Tips {
			text += fmt.Sprintf(in(l, "; at %s of its size, from %s on", ". 크기 %s이면 %s부터"), share(p.Magnitude), Seconds(p.Shortest))
			break
		}
	}
	if n := len(e.Frontier); n > 0 && !e.Frontier[n-1].Tips {
		text += fmt.Sprintf(in(l, "; at %s never", ". %s이면 무너지지 않는다"), share(e.Frontier[n-1].Magnitude))
	}
	return text + "."
}

// JudgedLine tells the verdict of a scenario and its smallest trigger in a line or two.
func JudgedLine(s *app.Scenario, j *app.Judged, l bilingual.Lang) string {
	words := append([]string{in(l, "Verdict: ", "판정: ") + JudgedClass(j, l) + "."}, JudgedWhy(s, j, l)[0])
	if t := SmallestText(j, l); t != "" {
		words = append(words, in(l, "Smallest trigger: ", "가장 작은 촉발 요인: ")+t)
	}
	return strings.Join(words, " ")
}
