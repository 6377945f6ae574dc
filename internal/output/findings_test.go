package output

import (
	"bytes"
	"strings"
	"testing"

	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/check/rule"
)

// A report in one language holds no sentence in the other.
func TestFindingsForProgramsSpeakOneLanguage(t *testing.T) {
	a := &app.CheckAnswer{
		Checks: []app.CheckCount{{Check: "CK-1", Title: bilingual.Text{En: "english", Ko: "한국어"}}},
		Findings: []app.CheckFinding{{
			Check: "CK-1", Severity: rule.High, Title: bilingual.Text{En: "english", Ko: "한국어"},
			Message: bilingual.Text{En: "english", Ko: "한국어"}, Remedy: bilingual.Text{En: "english", Ko: "한국어"},
			Muted: &app.Muted{Reason: "english", Known: true},
		}},
		NotChecked: []app.Unchecked{
			{Check: "CK-1", Why: bilingual.Text{En: "english", Ko: "한국어"}},
			{Check: "CK-1", Why: bilingual.Text{En: "english", Ko: "한국어"}, Tried: true},
		},
	}
	var junit, sarif bytes.Buffer
	if err := JUnit(&junit, a, rule.Low, bilingual.Korean); err != nil {
		t.Fatal(err)
	}
	if err := SARIF(&sarif, a, "v1", bilingual.Korean); err != nil {
		t.Fatal(err)
	}
	for name, got := range map[string]string{"JUnit": junit.String(), "SARIF": sarif.String()} {
		if strings.Contains(got, "english") || !strings.Contains(got, "기준선에 있음") {
			t.Errorf("%s is not in Korean:\n%s", name, got)
		}
	}
}
