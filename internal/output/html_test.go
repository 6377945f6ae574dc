package output

import (
	"bytes"
	"strings"
	"testing"

	"github.com/openprecedent/precedent/internal/bilingual"
)

// Names in angle brackets stand in messages of API servers; none may be lost, and
// none may become an element of the report.
func TestHTMLShowsTags(t *testing.T) {
	page := Page{
		{Kind: Heading, Level: 1, Text: "Service <web>"},
		{Kind: Prose, Text: "no endpoints for <none>, see <https://example.com/>"},
		{Kind: Prose, Text: "<script>alert(1)</script>"},
		{Kind: List, Items: []Item{{Text: "<b>bold</b>", Sub: []string{"<img src=x>"}}}},
	}
	var b bytes.Buffer
	if err := HTML(&b, page, bilingual.English); err != nil {
		t.Fatal(err)
	}
	_, body, _ := strings.Cut(b.String(), "<body>")
	for _, want := range []string{"Service &lt;web&gt;", "for &lt;none&gt;", `href="https://example.com/"`,
		"&lt;script&gt;alert(1)&lt;/script&gt;", "&lt;b&gt;bold&lt;/b&gt;", "&lt;img src=x&gt;"} {
		if !strings.Contains(body, want) {
			t.Errorf("the report lacks %s:\n%s", want, body)
		}
	}
	for _, tag := range []string{"<script", "<b>", "<img", "<none"} {
		if strings.Contains(body, tag) {
			t.Errorf("the report obeys %s:\n%s", tag, body)
		}
	}
}
