package simview

import (
	"math"
	"strconv"

	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/sim/verdict"
)

var words = map[string]bilingual.Text{
	"problems":  {En: "The system cannot be run: %d to mend", Ko: "실행할 수 없다: 고칠 것 %d가지(설명은 영어로 나온다)"},
	"warnings":  {En: "Worth a look", Ko: "살펴볼 것"},
	"line":      {En: "line %d", Ko: "%d행"},
	"no-answer": {En: "There is no answer", Ko: "답이 없다"},
	"as-it-is":  {En: "the file as it is", Ko: "파일 그대로"},
	"running":   {En: "Computing.", Ko: "계산하는 중."},
	"progress":  {En: "%d simulations, %s events so far.", Ko: "지금까지 시뮬레이션 %d번, 이벤트 수 %s."},

	"missing":       {En: "It was ended early. This is what was known by then; it lacks: %s.", Ko: "일찍 끝났다. 그때까지 알아낸 것이다. 빠진 것: %s."},
	"unjudged":      {En: "Not judged to the end", Ko: "판정이 끝나지 않음"},
	"undecided":     {En: "Undecided", Ko: "판정 못 함"},
	"why-undecided": {En: "After its trigger it was neither healthy nor clearly down when the watch ended.", Ko: "촉발 요인이 끝난 뒤 관찰이 끝날 때까지 정상인지 무너졌는지 분명하지 않았다."},
	"overloaded":    {En: "Overloaded", Ko: "과부하"}, "metastable": {En: "Metastable", Ko: "준안정 장애"},
	"vulnerable": {En: "Vulnerable", Ko: "취약"}, "driven": {En: "Driven", Ko: "촉발 중에만 비정상"}, "stable": {En: "Stable", Ko: "안정"},
	"why-overloaded": {En: "Without any trigger, %s of the requests get no good answer.", Ko: "아무 촉발 요인이 없어도 요청의 %s가 제대로 된 응답을 받지 못한다."},
	"why-metastable": {En: "After “%s” is over, it stays down: %s errors in %d of %d runs, while the same system starts healthy. Cutting the cause does not end it.", Ko: "“%s” 상황이 끝난 뒤에도 무너진 채로 있다. 실행 %[4]d번 가운데 %[3]d번 그랬고 오류율은 %[2]s다. 같은 시스템을 새로 시작하면 정상이다. 원인을 없애는 것만으로는 끝나지 않는다."},
	"why-vulnerable": {En: "It is healthy, but in %[2]d of %[3]d runs it does not come back after “%[1]s”.", Ko: "평소에는 정상이지만, “%s” 뒤에는 실행 %[3]d번 가운데 %[2]d번 돌아오지 못한다."},
	"why-driven":     {En: "“%s” hurts it while it lasts, and it comes back by itself.", Ko: "“%s” 동안 나빠지고, 끝나면 저절로 돌아온다."},
	"why-stable":     {En: "It came back by itself after every trigger that was tried.", Ko: "시험한 모든 촉발 요인 뒤에 저절로 돌아왔다."},
	"no-loop":        {En: "Retries and hedges are not what keeps it down: without them, %d of %d runs stay down too. Of its work, %s was for somebody who still waited.", Ko: "돌아오지 못하게 붙잡는 것은 재시도와 헤지가 아니다. 그것이 없어도 %[2]d번 가운데 %[1]d번 돌아오지 못한다. 한 일 가운데 아직 기다리는 요청을 위한 것은 %[3]s이다."},
	"loop":           {En: "What keeps it down: of its work, %s was for somebody who still waited, and each request became %s calls. Without retries and hedges the same trigger is over in %s.", Ko: "돌아오지 못하게 붙잡는 것: 한 일 가운데 아직 기다리는 요청을 위한 것은 %s뿐이고, 요청 하나가 호출 %s번이 됐다. 재시도와 헤지를 빼면 같은 촉발 요인이 %s 만에 끝난다."},
	"protocol":       {En: "%d runs without a trigger, then %d after each; healthy is at most %s errors in a window of %s.", Ko: "촉발 요인 없이 %d번, 촉발 요인마다 %d번 실행했다. %[4]s 구간에서 오류 %[3]s 이하를 정상으로 본다."},

	"trials": {En: "Every trigger that was tried", Ko: "시험한 모든 촉발 요인"}, "trigger": {En: "Trigger", Ko: "촉발 요인"},
	"stays-down": {En: "Stays down", Ko: "못 돌아옴"}, "of": {En: "%d of %d", Ko: "%[2]d번 중 %[1]d번"},
	"errors-during": {En: "Errors meanwhile", Ko: "촉발 중 오류"}, "recovery": {En: "Recovers in", Ko: "회복까지"},
	"stay-down": {En: "%d of %d stay down", Ko: "%[2]d번 가운데 %[1]d번 돌아오지 못함"},
	"without":   {En: "without feedback", Ko: "되먹임이 없으면"}, "given": {En: "in the file", Ko: "파일에 적힌 것"},

	"map": {En: "What it is over two settings", Ko: "두 설정에 따라 어떻게 되는가"}, "map-of": {En: "After “%s”.", Ko: "“%s” 뒤에."},
	"map-edge": {En: "A thick line is an edge by formula (%s).", Ko: "굵은 선은 공식에 따른 경계다(%s)."},
	"exact":    {En: "exact", Ko: "정확한 값"}, "bound": {En: "a bound", Ko: "한계값"},
	"explain": {En: "Before anything runs", Ko: "실행하기 전에 아는 것"}, "bounds": {En: "By formula", Ko: "공식으로 아는 것"},
	"holds-true": {En: "holds:", Ko: "성립:"}, "holds-false": {En: "broken:", Ko: "깨짐:"},
	"load": {En: "Load while nothing fails", Ko: "장애가 없을 때의 부하"}, "part": {En: "Part", Ko: "부품"}, "kind": {En: "Kind", Ko: "종류"},
	"rate": {En: "Rate", Ko: "도착률"}, "capacity": {En: "Capacity", Ko: "처리 능력"}, "busy": {En: "Busy", Ko: "사용률"},
	"calls": {En: "Who calls whom", Ko: "호출 관계"}, "call": {En: "Call", Ko: "호출"}, "policy": {En: "Policy", Ko: "정책"},
	"whole": {En: "The file with every default", Ko: "기본값을 모두 채운 파일"},

	"orders-lede": {
		En: "Each actor may be delayed for as long as one likes. What holds below holds in every order of their steps, for any number of plans.",
		Ko: "행위자마다 얼마든지 늦어질 수 있다. 성립한다고 적은 것은 단계의 모든 순서에서, 계획이 몇 개든 성립한다.",
	},
	"orders-small":   {En: "The protocol was made small: %s.", Ko: "프로토콜의 크기는 다음으로 줄였다. %s."},
	"orders-variant": {En: "Variant", Ko: "변형"}, "orders-states": {En: "States", Ko: "상태"},
	"orders-count": {En: "%d", Ko: "%d"}, "orders-more": {En: "more than %d", Ko: "%d개 넘음"},
	"orders-holds": {En: "holds", Ko: "성립"}, "orders-broken": {En: "broken in %d steps", Ko: "%d단계에 깨짐"},
	"orders-unknown": {En: "not broken so far", Ko: "아직 깨지지 않음"}, "orders-unmet": {En: "(not as expected)", Ko: "(기대와 다름)"},
	"orders-path": {En: "%s: the fewest steps after which it no longer holds that %s", Ko: "%s: 가장 적은 단계로 깨지는 순서. %s"},
	"orders-step": {En: "Step", Ko: "단계"},
	"moment":      {En: "a moment", Ko: "순간"}, "tips": {En: "tips it", Ko: "무너뜨린다"},
	"stress": {En: "How little tips it", Ko: "얼마나 작은 촉발 요인에 넘어가는가"}, "shortest": {En: "Shortest that tips", Ko: "넘어가는 최단 시간"},
	"weaker": {En: "When weaker", Ko: "더 약할 때"}, "never-tips": {En: "does not tip it", Ko: "넘어가지 않음"},
	"tried-for":   {En: "tried for up to %s", Ko: "최대 %s까지 시험"},
	"no-triggers": {En: "There is nothing that could be done to it.", Ko: "시험할 촉발 요인이 없다."},

	"remedies": {En: "What brings it back", Ko: "무엇이 되돌리는가"}, "no-remedies": {En: "No trigger that was tried tips the system, so there is nothing to bring back.", Ko: "시험한 어떤 촉발 요인에도 넘어가지 않으므로 되돌릴 것이 없다."},
	"weakest": {En: "The cheapest that lasts: %s.", Ko: "가장 적은 비용으로 되돌린 것: %s."}, "nothing-helps": {En: "None of what was tried brings it back for good.", Ko: "시험한 것 가운데 완전히 되돌린 것이 없다."},
	"relieved": {En: "It is overloaded without any trigger, in %d of %d runs, so what is tried is in place from the start.", Ko: "아무 촉발 요인이 없어도 %[2]d번 가운데 %[1]d번 과부하이므로, 조치를 처음부터 적용하고 시험했다."},
	"healthy":  {En: "Healthy", Ko: "정상"},
	"against":  {En: "Tried after “%s” tipped it in %d of %d runs.", Ko: "“%s” 뒤에 실행 %[3]d번 가운데 %[2]d번 무너졌고, 그 상태에서 시험했다."},
	"remedy":   {En: "Remedy", Ko: "조치"}, "cost": {En: "Cost", Ko: "비용"}, "prevents": {En: "Prevents", Ko: "미리 막음"},
	"holds": {En: "Healthy while applied", Ko: "적용하는 동안 정상"}, "restores": {En: "Stays healthy after", Ko: "거둔 뒤에도 정상"}, "and": {En: " and ", Ko: " + "},

	"run": {En: "The run", Ko: "실행"}, "figure": {En: "%s of simulated time, %s events, seed %d.", Ko: "시뮬레이션 시간 %s, 이벤트 수 %s, 시드 %d."},
	"unfinished": {En: "The run ended early, at %s: it had as many events as it may have.", Ko: "%s에서 일찍 끝났다. 허용된 이벤트 수를 다 썼다."},
	"goodput":    {En: "Requests a second", Ko: "초당 요청"}, "errors": {En: "Errors a second", Ko: "초당 오류"}, "queues": {En: "Waiting", Ko: "대기"}, "backlogs": {En: "Messages not done", Ko: "처리되지 않은 메시지"}, "retries": {En: "Retries a second", Ko: "초당 재시도"},
	"latency": {En: "Latency of good answers, 99th percentile", Ko: "제때 응답한 요청의 지연 시간, 99번째 백분위수"},
	"offered": {En: "offered", Ko: "들어옴"}, "good": {En: "good", Ko: "제때"}, "late": {En: "late", Ko: "늦음"}, "failed": {En: "failed", Ko: "실패"},
	"source": {En: "Source", Ko: "소스"}, "mean": {En: "Mean", Ko: "평균"}, "waiting": {En: "Unanswered", Ko: "미응답"}, "numbers": {En: "In numbers", Ko: "숫자로"},
	"chart": {En: "%s over time: from 0 to %s; highest %s", Ko: "시간에 따른 %s, 0에서 %s까지, 최고 %s"}, "nothing": {En: "none", Ko: "없음"},
	"came-back": {En: "The last tenth of the run has %s good answers of those offered; before the first change it was %s.", Ko: "실행의 마지막 10분의 1에서는 들어온 요청의 %s에 제때 응답했고, 첫 변경 전에는 %s였다."},
	"expected":  {En: "What the file expects", Ko: "파일이 기대하는 것"}, "expectation": {En: "Expectation", Ko: "기대 조건"},
	"gave": {En: "The run gave", Ko: "실행 결과"}, "published": {En: "Published", Ko: "발표된 내용"}, "met": {En: "holds", Ko: "성립"}, "unmet": {En: "does not hold", Ko: "성립하지 않음"},
	"command":   {En: "The same on a command line:", Ko: "명령줄에서 같은 답:"},
	"unchecked": {En: "The file has %d expectations, which the command line and the server look at; the browser does not.", Ko: "파일의 기대 조건 %d개는 명령줄과 서버가 확인한다. 브라우저는 확인하지 않는다."},
	"seconds":   {En: "s", Ko: "초"}, "minutes": {En: "min", Ko: "분"}, "hours": {En: "h", Ko: "시간"},
}

// signal is the class of the colour that a verdict has.
// Signal is the sign of a class: fail, recover or heal.
func Signal(c verdict.Class) string { return signal(c) }

func signal(c verdict.Class) string {
	switch c {
	case verdict.Overloaded, verdict.Metastable:
		return "fail"
	case verdict.Vulnerable, verdict.Undecided, verdict.Unjudged:
		return "recover"
	}
	return "heal"
}

// percent writes a share.
func percent(x float64) string {
	switch p := 100 * x; {
	case p == 0 || p >= 99.95:
		return strconv.FormatFloat(p, 'f', 0, 64) + " %"
	case p < 1 || p > 99:
		return strconv.FormatFloat(p, 'f', 1, 64) + " %"
	default:
		return strconv.FormatFloat(p, 'f', 0, 64) + " %"
	}
}

// span writes seconds.
func (v *view) span(s float64) string {
	unit := func(x float64, key string) string {
		space := " "
		if v.l == bilingual.Korean {
			space = ""
		}
		return short(x) + space + v.w(key)
	}
	switch {
	case s == 0:
		return unit(0, "seconds")
	case s < 1:
		return short(1000*s) + " ms"
	case s < 120:
		return unit(s, "seconds")
	case s < 7200:
		return unit(s/60, "minutes")
	}
	return unit(s/3600, "hours")
}

// short writes a number with three digits.
func short(x float64) string {
	if math.Abs(x) >= 100 {
		return strconv.FormatFloat(math.Round(x), 'f', 0, 64)
	}
	return strconv.FormatFloat(x, 'g', 3, 64)
}

// count writes a number of things.
func count(x float64) string {
	switch {
	case x >= 1e9:
		return short(x/1e9) + " G"
	case x >= 1e6:
		return short(x/1e6) + " M"
	case x >= 1e4:
		return short(x/1e3) + " k"
	}
	return short(x)
}
