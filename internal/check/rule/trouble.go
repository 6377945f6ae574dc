package rule

import (
	"strings"

	"github.com/openprecedent/precedent/internal/bilingual"
)

// mistaken are what the expression language says, in parts, where a field holds another
// kind of value than an expression expects.
func mistaken() []string {
	return []string{"no such overload", "expected iterable type", "unsupported index type", "invalid qualifier type", "type conversion error", "invalid syntax", "unsupported type"}
}

// troubleText says why an evaluation failed. What stood in an object is not repeated: it
// may be secret.
func troubleText(err error) bilingual.Text {
	text := unquoted(firstLine(err.Error()))
	if strings.Contains(text, "actual cost limit exceeded") {
		return bilingual.Text{En: "the condition takes too many steps", Ko: "조건을 따지는 데 단계가 너무 많이 든다"}
	}
	if key, ok := strings.CutPrefix(text, "no such key: "); ok {
		return bilingual.Text{En: "a field is missing that the condition asks for: " + key, Ko: "조건을 따지는 데 필요한 필드가 없다: " + key}
	}
	for _, part := range mistaken() {
		if strings.Contains(text, part) {
			return bilingual.Text{
				En: "a field holds something else than the condition expects: " + text,
				Ko: "조건이 예상하지 못한 값이 필드에 있다: " + text,
			}
		}
	}
	return bilingual.Text{En: "the condition fails: " + text, Ko: "조건을 따지지 못했다: " + text}
}

// unquoted leaves out what a text quotes.
func unquoted(text string) string {
	var b strings.Builder
	for i, part := range strings.Split(text, `"`) {
		if i%2 == 0 {
			b.WriteString(part)
		} else {
			b.WriteString("…")
		}
	}
	return b.String()
}
