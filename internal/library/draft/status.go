package draft

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/openprecedent/precedent/internal/lazyregexp"
)

// statusWords are the usual words for how far a follow-up is, by the term of
// the case format: what is under way counts as planned there.
var statusWords = map[string][]string{
	"done": {"done", "completed", "complete", "closed", "fixed", "shipped", "deployed", "merged", "finished",
		"완료", "완료됨", "완료함", "조치 완료", "적용 완료", "배포 완료", "반영 완료", "개발 완료"},
	"planned": {"planned", "todo", "to do", "open", "not started", "in progress", "ongoing", "under way", "underway",
		"wip", "started", "scheduled", "in review", "pending", "backlog", "예정", "진행 중", "진행중", "진행", "계획", "계획됨",
		"미착수", "미완료", "검토 중", "검토중", "대기", "착수 전", "할 일", "개발 중", "작업 중", "적용 예정", "배포 예정"},
}

// statusOf returns the status that a text of its own names, such as the cell of
// a table, or "".
func statusOf(text string) string {
	words := strings.Join(strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !isWord(r) }), " ")
	for _, id := range []string{"done", "planned"} {
		if slices.Contains(statusWords[id], words) {
			return id
		}
	}
	switch strings.TrimSpace(text) {
	case "✅", "✔", "✔️", "☑", "☑️", "[x]", "[X]":
		return "done"
	case "⬜", "☐", "🔲", "[ ]", "[]", "🚧", "⏳":
		return "planned"
	}
	return ""
}

var (
	statusAhead  = lazyregexp.New(`^(?:\[([^\[\]]{1,20})\]|\(([^()]{1,20})\)|([\p{L} ]{2,20}) ?[:：] )`)
	statusBehind = lazyregexp.New(`(?i)(?:\[([^\[\]]{1,20})\]|\(([^()]{1,20})\)|[-–—:：|,] ?([\p{L} ]{2,20})|` +
		`[.。] ([\p{L} ]{2,20}))[.。]?$`)
	statusNamed = lazyregexp.New(`(?i)(?:^|[^\p{L}])(?:status|state|진행 상태|상태) ?[:：] ?([\p{L}' ]{2,20})[).\]]?$`)
)

// maxStatus bounds the length of text in which a status is looked for.
const maxStatus = 4000

// statusIn returns the status that a follow-up tells at its beginning or end:
// "(planned)", "[done]", "Status: in progress", "— 진행 중".
func statusIn(text string) string {
	text = strings.TrimSpace(text)
	first, _, _ := strings.Cut(text, "\n")
	last := text[strings.LastIndexByte(text, '\n')+1:]
	if len(first) > maxStatus || len(last) > maxStatus {
		return ""
	}
	for _, symbol := range []string{"✅", "✔", "☑", "⬜", "☐", "🔲", "🚧", "⏳"} {
		if strings.HasPrefix(first, symbol) {
			return statusOf(symbol)
		}
	}
	for _, m := range [][]string{statusNamed.FindStringSubmatch(last), statusBehind.FindStringSubmatch(last),
		statusAhead.FindStringSubmatch(first)} {
		for _, group := range m[min(1, len(m)):] {
			if id := statusOf(group); id != "" {
				return id
			}
		}
	}
	return ""
}

// isSignOff reports whether a paragraph is addressed to people, "/cc the
// maintainers", and tells nothing of the incident.
func isSignOff(text string) bool {
	lower := strings.ToLower(text)
	return utf8.RuneCountInString(text) < 200 &&
		(strings.HasPrefix(lower, "/cc ") || strings.HasPrefix(lower, "cc ") || strings.HasPrefix(lower, "cc: "))
}
