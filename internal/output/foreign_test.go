package output_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/output"
)

// TestForeignNames asks that the name of an object is text in a comment and in a report,
// and no tag, link or image.
func TestForeignNames(t *testing.T) {
	const name = `a<img src=x>![b](http://c.example/d.png)[e](http://f.example)`
	text := bilingual.Text{En: "seen in " + name, Ko: "본 곳: " + name}
	answer := &app.CheckAnswer{
		Findings: []app.CheckFinding{
			{Check: "CK-1", Object: app.CheckedObject{Kind: "Deployment", Name: name, Source: name}, Message: text},
			{Check: "CK-1", Object: app.CheckedObject{Kind: "Deployment", Name: name}, Message: text, Muted: &app.Muted{Reason: name}},
		},
		Gaps:    []app.Gap{{What: name, Reason: text}},
		Expired: []app.Expired{{Check: "CK-1", Object: name}},
	}
	for _, l := range []bilingual.Lang{bilingual.English, bilingual.Korean} {
		var md, page bytes.Buffer
		if err := output.Markdown(&md, output.CheckPage(answer, l)); err != nil {
			t.Fatal(err)
		}
		if err := output.HTML(&page, output.CheckPage(answer, l), l); err != nil {
			t.Fatal(err)
		}
		for _, bad := range []string{"a<img", "![b]", "[e]("} {
			if strings.Contains(md.String(), bad) {
				t.Errorf("%s: the Markdown has %q:\n%s", l, bad, md.String())
			}
		}
		for _, bad := range []string{"<img", "<a "} {
			if strings.Contains(page.String(), bad) {
				t.Errorf("%s: the report has %q", l, bad)
			}
		}
		if want := "a&lt;img src=x&gt;![b](http://c.example/d.png)[e](http://f.example)"; strings.Count(page.String(), want) < 6 {
			t.Errorf("%s: the report has not %q as often as the answer:\n%s", l, want, page.String())
		}
	}
}
