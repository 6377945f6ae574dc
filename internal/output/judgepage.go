package output

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/sim/parts"
	"github.com/openprecedent/precedent/internal/sim/study"
	"github.com/openprecedent/precedent/internal/sim/verdict"
)

// classNames are the classes of systems in both languages.
var classNames = map[verdict.Class]bilingual.Text{
	verdict.Unjudged:   {En: "not judged to the end", Ko: "판정이 끝나지 않음"},
	verdict.Overloaded: {En: "overloaded", Ko: "과부하"},
	verdict.Metastable: {En: "metastable", Ko: "준안정"},
	verdict.Vulnerable: {En: "vulnerable", Ko: "취약"},
	verdict.Undecided:  {En: "undecided", Ko: "판정 못 함"},
	verdict.Driven:     {En: "driven", Ko: "촉발 중에만 비정상"},
	verdict.Stable:     {En: "stable", Ko: "안정"},
}

// className returns the name of a class.
func className(c verdict.Class, l bilingual.Lang) string { return classNames[c].In(l) }

// judgment writes what a system was found to be.
func (b *builder) judgment(a *study.Answer, l bilingual.Lang, all bool) {
	j := a.Judgment
	b.heading(1, titled(a, l)+": "+className(j.Class, l))
	b.prose(upperFirst(Read(&j.Why, l)) + ".")
	for _, c := range j.Contradictions {
		b.prose(in(l, "**Formula and runs contradict each other**, which is a fault of one of them: ", "**공식과 실행이 서로 어긋난다.** 둘 가운데 하나가 잘못이다: ") + Read(&c, l))
	}
	base := j.Baseline
	b.facts(
		[2]string{in(l, "Without a trigger", "촉발 요인이 없을 때"), baseline(base, l)},
		[2]string{in(l, "Mean time to collapse", "무너지기까지의 평균 시간"), collapse(base, l)},
		[2]string{in(l, "Healthy means", "정상의 기준"), fmt.Sprintf(in(l, "at most %s errors in each window of %s", "%[2]s 구간마다 오류 %[1]s 이하"), share(j.Limit), Seconds(j.Window))},
		[2]string{in(l, "Time scale", "시간 척도"), fmt.Sprintf(in(l, "%s, the longest of any part", "%s, 가장 느린 부품"), Seconds(j.Tau))},
		[2]string{in(l, "Judged by", "판정 기준"), judgedBy(j.JudgedBy, l)},
	)
	if len(j.Trials) > 0 {
		b.heading(2, in(l, "After each trigger", "촉발 요인마다"))
		var items []Item
		for _, t := range j.Trials {
			items = append(items, trialItem(t, l))
		}
		b.list(items)
	}
	boundsSection(b, j.Bounds, l)
	if len(a.Runs) > 0 {
		b.heading(2, in(l, "One run as it stands", "있는 그대로 한 번 실행"))
		b.runs(a, l, all)
	}
	lawsLine(b, a.Broken(), l)
	b.note(fmt.Sprintf(in(l, "%s events.", "이벤트 수 %s."), study.Magnitude(float64(j.Events), l)))
}

// loadWords name what is brought into a system, by kind.
var loadWords = map[parts.LoadKind]bilingual.Text{
	parts.Requests: {En: "requests of %s", Ko: "%s의 요청"},
	parts.Runs:     {En: "runs of %s", Ko: "%s의 실행"},
	parts.Messages: {En: "messages of %s", Ko: "%s의 메시지"},
	parts.Members:  {En: "members of %s", Ko: "%s의 구성원"},
}

// judgedBy names what a system is judged by, where that is not what one expects.
func judgedBy(all []verdict.JudgedBy, l bilingual.Lang) string {
	if len(all) == 1 && all[0].Kind == parts.Requests {
		return ""
	}
	var words []string
	for _, by := range all {
		words = append(words, fmt.Sprintf(loadWords[by.Kind].In(l), strings.Join(by.Parts, ", ")))
	}
	return strings.Join(words, "; ")
}

func upperFirst(s string) string {
	if s == "" {
		return s
	}
	first, size := utf8.DecodeRuneInString(s)
	return strings.ToUpper(string(first)) + s[size:]
}

func baseline(b verdict.Baseline, l bilingual.Lang) string {
	if b.Seeds == 0 { // it was interrupted
		return in(l, "no run had ended", "끝난 실행이 없다")
	}
	return fmt.Sprintf(in(l, "%s of %d runs are unhealthy, %s errors on average", "실행 %[2]d번 가운데 비정상 %[1]s, 오류 평균 %[3]s"),
		interval(b.Unhealthy), b.Seeds, share(b.Errors))
}

// collapse tells after how long the system goes down by itself.
func collapse(b verdict.Baseline, l bilingual.Lang) string {
	switch {
	case b.Unhealthy.Share >= 0.5 || b.Seeds == 0:
		return ""
	case b.MeanTimeToCollapse > 0:
		return fmt.Sprintf(in(l, "about %s, over %s watched", "약 %s(모두 합쳐 %s 관찰)"), Seconds(b.MeanTimeToCollapse), Seconds(b.Watched))
	}
	return fmt.Sprintf(in(l, "no run went down by itself in %s; likely more than %s", "모두 합쳐 %s 동안 스스로 무너진 실행이 없다. 아마 %s 이상"),
		Seconds(b.Watched), Seconds(b.Watched/3)) // the rule of three: 95 % of the time the mean is longer
}

func trialItem(t verdict.Trial, l bilingual.Lang) Item {
	item := Item{
		Lead: Read(&t.Trigger.Name, l),
		Text: fmt.Sprintf(in(l, "%s of %d runs do not come back", "실행 %[2]d번 가운데 돌아오지 못한 것 %[1]s"), interval(t.Tip), t.Seeds),
	}
	item.Sub = append(item.Sub, fmt.Sprintf(in(l, "lasts %s; %s errors while it does", "지속 %s, 그동안 오류 %s"), Seconds(t.Lasts), share(t.During)))
	if t.Tip.Share > 0 {
		item.Sub = append(item.Sub, fmt.Sprintf(in(l,
			"where it stays down: %s errors, %s of the work is of use, %.2g calls for each request",
			"돌아오지 못한 실행: 오류 %s, 쓸모 있는 작업 %s, 요청마다 호출 %.2g번"), share(t.After), share(t.Useful), t.Amplification))
	}
	if t.Tip.Share < 1 {
		item.Sub = append(item.Sub, fmt.Sprintf(in(l, "where it comes back: healthy after %s", "돌아온 실행: %s 뒤 정상"), Seconds(t.Recovery)))
	}
	item.Sub = append(item.Sub, counterfactual(t, l))
	if t.Undecided > 0 {
		item.Sub = append(item.Sub, fmt.Sprintf(in(l, "%d runs were neither healthy nor clearly down when the watch ended", "%d번은 관찰이 끝날 때까지 어느 쪽인지 분명하지 않다"), t.Undecided))
	}
	return item
}

// counterfactual tells what the system does without retries and hedges.
func counterfactual(t verdict.Trial, l bilingual.Lang) string {
	switch t.CalmDown {
	case 0:
		return fmt.Sprintf(in(l, "without retries and hedges: healthy after %s", "재시도와 헤지가 없으면: %s 뒤 정상"), Seconds(t.Counterfactual))
	case t.CalmRuns:
		return in(l, "without retries and hedges it does not come back either", "재시도와 헤지가 없어도 돌아오지 못한다")
	}
	return fmt.Sprintf(in(l, "without retries and hedges: %d of %d runs do not come back either, the others are healthy after %s",
		"재시도와 헤지가 없어도 %[2]d번 가운데 %[1]d번은 돌아오지 못하고, 나머지는 %[3]s 뒤 정상"), t.CalmDown, t.CalmRuns, Seconds(t.Counterfactual))
}

// interval writes a share with its 95 % interval.
func interval(x verdict.Interval) string {
	return fmt.Sprintf("%s (%s–%s)", share(x.Share), share(x.Low), share(x.High))
}

// stress writes the smallest triggers.
func (b *builder) stress(s *study.Answer, l bilingual.Lang) {
	b.heading(1, titled(s, l))
	if len(s.Edges) == 0 {
		b.prose(in(l, "No trigger was searched.", "시험한 촉발 요인이 없다."))
	}
	var items []Item
	for _, e := range s.Edges {
		items = append(items, edgeItem(e, l))
	}
	b.list(items)
}

func edgeItem(e verdict.Edge, l bilingual.Lang) Item {
	item := Item{Lead: Read(&e.Trigger, l)}
	if e.Moment {
		return momentItem(item, e, l)
	}
	if !e.Tips {
		item.Text = fmt.Sprintf(in(l, "does not tip the system; tried for up to %s", "무너뜨리지 못한다. 최대 %s까지 시험"), Seconds(e.Longest))
		return item
	}
	item.Text = fmt.Sprintf(in(l, "tips the system from %s on", "%s부터 무너뜨린다"), Seconds(e.Shortest))
	item.Sub = append(item.Sub, fmt.Sprintf(in(l, "a tenth shorter tips %s of the runs, this long %s, a tenth longer %s", "10%% 짧으면 %s, 그만큼이면 %s, 10%% 길면 %s의 실행이 무너진다"),
		interval(e.Around[0]), interval(e.Around[1]), interval(e.Around[2])))
	for _, p := range e.Frontier {
		line := fmt.Sprintf(in(l, "at %s of its size: from %s on", "크기 %s이면 %s부터"), share(p.Magnitude), Seconds(p.Shortest))
		if !p.Tips {
			line = fmt.Sprintf(in(l, "at %s of its size: never", "크기 %s이면 무너지지 않는다"), share(p.Magnitude))
		}
		item.Sub = append(item.Sub, line)
	}
	for _, d := range e.Islands {
		item.Sub = append(item.Sub, fmt.Sprintf(in(l, "though longer, %s tips it less often", "더 긴데도 오히려 덜 무너뜨리는 시간: %s"), Seconds(d)))
	}
	return item
}

// momentItem tells how strong a trigger must be that does something once.
func momentItem(item Item, e verdict.Edge, l bilingual.Lang) Item {
	if !e.Tips {
		item.Text = in(l, "does not tip the system, which takes a moment", "순간에 일어나며, 무너뜨리지 못한다")
		return item
	}
	item.Text = fmt.Sprintf(in(l, "takes a moment and tips %s of the runs", "순간에 일어나고 실행의 %s가 무너진다"), interval(e.Around[1]))
	if e.Shortest > 0 {
		item.Text = fmt.Sprintf(in(l, "tips %s of the runs however short it is: %s was enough", "아무리 짧아도 실행의 %s가 무너진다. %s이면 충분했다"),
			interval(e.Around[1]), Seconds(e.Shortest))
	}
	weakest, strongest := weakestThatTips(e)
	item.Sub = append(item.Sub, fmt.Sprintf(in(l, "the weakest that tips it has %s of its size", "무너뜨리는 가장 약한 크기 %s"), share(weakest)))
	if strongest > 0 {
		item.Sub = append(item.Sub, fmt.Sprintf(in(l, "%s does not", "%s는 무너뜨리지 못한다"), share(strongest)))
	}
	return item
}

// weakestThatTips returns the least strength of a trigger that tips a system, and the
// largest that was found not to.
func weakestThatTips(e verdict.Edge) (tips, not float64) {
	tips = 1
	for _, p := range e.Frontier {
		if p.Tips {
			tips = min(tips, p.Magnitude)
		} else {
			not = max(not, p.Magnitude)
		}
	}
	return tips, not
}

// remedies writes what brings a system back.
func (b *builder) remedies(a *study.Answer, l bilingual.Lang) {
	r := a.Remedies
	b.heading(1, titled(a, l))
	if !r.Tips {
		b.prose(in(l, "No trigger that was tried tips this system: there is nothing to remedy.", "시험한 어떤 촉발 요인도 이 시스템을 무너뜨리지 못한다. 고칠 것이 없다."))
		return
	}
	if r.Overloaded {
		b.prose(in(l, "It is overloaded without any trigger: more comes than it can do. What is tried is in place from the start.",
			"촉발 요인이 없어도 과부하다. 처리할 수 있는 것보다 많이 들어온다. 조치는 처음부터 적용하고 시험했다."))
		b.facts(
			[2]string{in(l, "Unhealthy", "비정상"), fmt.Sprintf(in(l, "%d of %d runs", "%[2]d번 가운데 %[1]d번"), r.Tipped, r.Seeds)},
			[2]string{in(l, "Weakest that helps", "도움이 되는 가장 약한 조치"), weakest(r, l)},
		)
		b.relieving(r, l)
		return
	}
	b.facts(
		[2]string{in(l, "Trigger", "촉발 요인"), Read(&r.Trigger, l)},
		[2]string{in(l, "Tipped", "무너짐"), fmt.Sprintf(in(l, "%d of %d runs", "%[2]d번 가운데 %[1]d번"), r.Tipped, r.Seeds)},
		[2]string{in(l, "Weakest that restores", "되돌리는 가장 약한 조치"), weakest(r, l)},
	)
	b.restoring(r, l)
}

// relieving writes what keeps a system healthy that is overloaded.
func (b *builder) relieving(r *study.Remedies, l bilingual.Lang) {
	rows := [][]string{{in(l, "remedy", "조치"), in(l, "cost", "비용"), in(l, "healthy", "정상")}}
	for _, t := range r.Tried {
		rows = append(rows, []string{joined(t.Remedies, " + ", l), number(t.Cost), share(t.Prevents.Share)})
	}
	b.table(rows)
	b.prose(in(l, "Healthy: the runs that are, with the remedy and without a trigger.", "정상: 조치를 적용하고 촉발 요인이 없을 때 정상인 실행."))
}

// restoring writes what brings a system back after a trigger.
func (b *builder) restoring(r *study.Remedies, l bilingual.Lang) {
	rows := [][]string{{in(l, "remedy", "조치"), in(l, "cost", "비용"), in(l, "prevents", "예방"), in(l, "holds", "유지"), in(l, "restores", "복구"), in(l, "held for", "적용 시간")}}
	for _, t := range r.Tried {
		row := []string{joined(t.Remedies, " + ", l), number(t.Cost), "–", share(t.Holds.Share), share(t.Restores.Share), "–"}
		if t.Prevents != nil {
			row[2] = share(t.Prevents.Share)
		}
		if t.Held > 0 {
			row[5] = Seconds(t.Held)
		}
		rows = append(rows, row)
	}
	b.table(rows)
	b.prose(in(l,
		"Prevents: the runs that do not tip when the remedy is there beforehand. Holds: those healthy while it is applied after tipping. Restores: those healthy after it was withdrawn.",
		"예방: 조치를 미리 적용했을 때 무너지지 않는 실행. 유지: 무너진 뒤 적용하는 동안 정상인 실행. 복구: 조치를 거둔 뒤에도 정상인 실행."))
}

// joined joins texts in a language.
func joined(all []bilingual.Text, sep string, l bilingual.Lang) string {
	words := make([]string, len(all))
	for i := range all {
		words[i] = Read(&all[i], l)
	}
	return strings.Join(words, sep)
}

func weakest(r *study.Remedies, l bilingual.Lang) string {
	if len(r.Weakest) == 0 {
		return in(l, "none of those that were tried", "시험한 것 가운데 없음")
	}
	return joined(r.Weakest, " + ", l)
}
