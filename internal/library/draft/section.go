package draft

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/openprecedent/precedent/internal/lazyregexp"
)

// A section is a heading with the blocks below it.
type section struct {
	heading   string
	level     int
	kind      kind
	inherited bool // the kind is that of a heading above
	blocks    []block
}

// A kind is what a section of a report is about.
type kind int

const (
	unknown kind = iota
	preamble
	summary
	impact
	symptoms
	cause
	contributing
	trigger
	detection
	timeline
	resolution
	followups
	lessons
	narrative
	links
	appendix
	facts // key and value pairs, no prose
	footnotes
)

// headings are the usual headings of each kind, most telling first: of two
// kinds that a heading names, "impact summary", the earlier one holds.
var headings = []struct {
	kind    kind
	phrases []string
}{
	{appendix, []string{"glossary", "appendix", "appendices", "용어", "용어집", "부록"}},
	{links, []string{"references", "reference", "links", "further reading", "see also", "related links",
		"참고", "참고 자료", "참고자료", "관련 자료", "관련 글", "관련 링크", "링크", "참조", "출처 및 참고"}},
	{lessons, []string{"lessons", "lesson learned", "lessons learned", "learnings", "what we learned",
		"what did we learn", "what went well", "what could have gone better", "what went poorly", "takeaways",
		"where we got lucky", "things that went well", "what went right", "what didn t go well", "what went badly",
		"what can be improved", "retrospective", "교훈", "배운 점", "배웠던 점", "느낀 점", "알게 된 점", "얻은 교훈",
		"잘한 점", "잘된 점", "잘 된 점", "잘했던 점", "좋았던 점", "아쉬운 점", "아쉬웠던 점", "잘못된 점", "잘못한 점",
		"잘 안된 점", "잘 안 된 점", "잘되지 않은 점", "부족했던 점", "부족한 점", "나빴던 점", "운이 좋았던 점", "운이 좋았던 부분",
		"다행이었던 점", "개선할 점", "개선이 필요한 점", "회고", "시사점"}},
	{followups, []string{"action items", "action item", "actions items", "follow up", "follow ups",
		"followup", "followups", "follow up actions", "next steps", "remediation", "remediations",
		"remediation items", "corrective actions", "corrective action", "corrective measures",
		"preventive actions", "preventive measures", "preventative measures", "preventative actions",
		"prevention", "future work", "improvements", "what we are doing", "what are we doing",
		"what we re doing", "how we will prevent", "후속 조치", "후속조치", "후속 작업", "재발 방지", "재발방지",
		"재발 방지 대책", "향후 계획", "향후 조치", "개선 사항", "개선사항", "개선 계획", "예방 조치", "액션 아이템",
		"앞으로의 계획", "대책"}},
	{contributing, []string{"contributing factors", "contributing factor", "contributing causes",
		"contributing conditions", "aggravating factors", "secondary causes", "기여 요인", "기여 원인",
		"복합 원인", "간접 원인", "악화 요인"}},
	{timeline, []string{"timeline", "time line", "chronology", "sequence of events", "incident log", "updates",
		"타임라인", "경과", "장애 경과", "진행 경과", "시간대별", "사건 경과", "일지"}},
	{detection, []string{"detection", "how was it detected", "how did we detect", "how we detected",
		"how we found out", "discovery", "how we noticed", "how did we notice", "how was it noticed",
		"how it was noticed", "how it was detected", "how was the incident detected", "탐지", "감지", "인지", "발견", "장애 인지"}},
	{resolution, []string{"resolution", "mitigation", "mitigations", "recovery", "response",
		"incident response", "resolution and recovery", "how we fixed it", "how was it resolved",
		"how we resolved", "how was it fixed", "how it was fixed", "how did we fix it", "how it was resolved",
		"how did we resolve it", "how was it mitigated", "how it was mitigated", "how we responded", "the fix", "immediate actions", "actions taken", "workaround",
		"조치", "조치 사항", "조치 내용", "복구", "복구 과정", "대응", "대응 과정", "해결", "해결 과정", "완화",
		"장애 대응", "긴급 조치"}},
	{trigger, []string{"trigger", "triggers", "triggering event", "proximate trigger", "촉발", "촉발 요인",
		"계기", "발단", "트리거"}},
	{cause, []string{"root cause", "root causes", "cause", "causes", "root cause analysis", "rca", "why it happened",
		"why did it happen", "why did this happen", "why this happened", "what went wrong", "technical cause",
		"underlying cause", "root causes and trigger", "root cause and trigger", "trigger and root cause",
		"direct cause", "직접 원인", "원인", "근본 원인", "근본원인", "장애 원인", "원인 분석", "발생 원인"}},
	{symptoms, []string{"symptoms", "symptom", "observed behavior", "observed behaviour", "actual behavior",
		"증상", "현상", "장애 현상", "장애 증상"}},
	{impact, []string{"impact", "customer impact", "user impact", "business impact", "affected services", "services affected", "affected systems", "systems affected",
		"affected components", "affected component", "components affected", "this incident affected",
		"scope of impact", "who was affected", "blast radius", "damage", "영향", "영향 범위", "영향도",
		"고객 영향", "장애 영향", "영향 서비스", "피해"}},
	{facts, []string{"stats", "statistics", "metadata", "incident details", "key facts", "incident info",
		"incident information", "metrics", "기본 정보", "장애 정보", "통계", "지표"}},
	{summary, []string{"summary", "tl dr", "tldr", "executive summary", "overview", "abstract", "synopsis",
		"incident summary", "describe the incident", "describe the problem", "describe the issue", "in short", "at a glance", "개요", "요약", "장애 개요", "장애 요약", "사건 개요", "한 줄 요약"}},
	{narrative, []string{"what happened", "leadup", "lead up", "fault", "five whys", "5 whys", "narrative", "incident description", "description", "details",
		"detailed description", "background", "context", "the incident", "the outage", "event description",
		"무슨 일이 있었나", "어떤 일이 있었나", "무슨 일이 일어났나", "배경", "상세", "상세 내용", "장애 내용", "장애 상세", "발생 경위", "경위"}},
}

// plainHeading returns a heading as words: lower case, without its number,
// what stands in brackets, and punctuation.
func plainHeading(s string) string {
	s = brackets.ReplaceAllString(strings.ToLower(s), " ")
	words := strings.FieldsFunc(s, func(r rune) bool { return !isWord(r) })
	for len(words) > 1 && sectionNumber.MatchString(words[0]) {
		words = words[1:]
	}
	return strings.Join(words, " ")
}

var (
	brackets      = lazyregexp.New(`\([^()]*\)|\[[^\[\]]*\]`)
	sectionNumber = lazyregexp.New(`^(\d+|[ivx]+|[a-h])$`)
)

// kindOf returns what a heading announces, unknown where it is none of the
// usual ones. Long headings are titles of articles rather than of sections.
func kindOf(heading string) kind {
	h := plainHeading(heading)
	if k := exactKind(h); k != unknown || h == "" {
		return k
	}
	words := strings.Fields(h)
	if len(words) > 6 || utf8.RuneCountInString(h) > 48 {
		return unknown
	}
	for _, one := range headings {
		for _, phrase := range one.phrases {
			if holds(h, phrase) {
				return one.kind
			}
		}
	}
	return unknown
}

// exactKind returns the kind of which h is a usual heading word for word.
func exactKind(h string) kind {
	for _, one := range headings {
		if slices.Contains(one.phrases, h) {
			return one.kind
		}
	}
	return unknown
}

// loose are headings that mean something else inside a longer one.
var loose = map[string]bool{
	"cause": true, "causes": true, "links": true, "reference": true, "response": true, "updates": true,
	"details": true, "description": true, "context": true, "damage": true, "background": true, "the fix": true,
	"improvements": true, "prevention": true, "discovery": true, "metrics": true, "인지": true, "발견": true,
	"참고": true, "해결": true, "상세": true, "대책": true, "링크": true, "조치": false,
}

// holds reports whether h has phrase in it as whole words. In Korean the
// phrase may be the beginning of a word, since particles follow.
func holds(h, phrase string) bool {
	if loose[phrase] {
		return false
	}
	at := strings.Index(" "+h, " "+phrase)
	if at < 0 {
		return false
	}
	rest := h[at+len(phrase):]
	if rest == "" || rest[0] == ' ' {
		return true
	}
	last, _ := utf8.DecodeLastRuneInString(phrase)
	return unicode.Is(unicode.Hangul, last)
}

// sections cuts a document at its headings.
func sections(blocks, notes []block) []section {
	list := []section{{kind: preamble}}
	for _, b := range promote(blocks) {
		if b.kind == heading {
			list = append(list, section{heading: plain(b.runs), level: b.level})
			continue
		}
		last := &list[len(list)-1]
		last.blocks = append(last.blocks, b)
	}
	resolveKinds(list)
	if len(notes) > 0 {
		list = append(list, section{kind: footnotes, blocks: notes})
	}
	return list
}

// promote turns bold paragraphs that read like a usual heading into one.
func promote(blocks []block) []block {
	out := make([]block, len(blocks))
	for i, b := range blocks {
		if b.kind == paragraph && allStrong(b.runs) {
			text := strings.TrimSpace(plain(b.runs))
			if !strings.Contains(text, "\n") && (kindOf(text) != unknown || keyOf(text) != "") {
				b.kind, b.level = heading, 7
			}
		}
		out[i] = b
	}
	return out
}

// resolveKinds gives each section its kind; one with an unknown heading takes
// that of the nearest heading above it.
func resolveKinds(list []section) {
	lastKind := unknown
	var above []*section // the headings that stand over the section, widest first
	for i := range list {
		s := &list[i]
		if s.kind == preamble {
			continue
		}
		s.kind = kindOf(s.heading)
		if h := plainHeading(s.heading); h == "what went wrong" && lastKind == lessons {
			s.kind = lessons
		}
		for len(above) > 0 && above[len(above)-1].level >= s.level {
			above = above[:len(above)-1]
		}
		if s.kind == unknown && keyOf(s.heading) == "" {
			for _, over := range slices.Backward(above) {
				if over.kind != unknown {
					s.kind, s.inherited = over.kind, true
					break
				}
			}
		}
		above = append(above, s)
		lastKind = s.kind
	}
}
