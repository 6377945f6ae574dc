package output_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/output"
)

func TestNoCloseCaseIsTold(t *testing.T) {
	for lang, want := range map[bilingual.Lang]string{
		bilingual.English: "No case is close to this", bilingual.Korean: "이와 가까운 사례가 없다",
	} {
		for _, far := range []bool{false, true} {
			r := &app.SearchResult{Query: "bread", Total: 1, Far: far, Hits: []app.Hit{{Brief: app.Brief{ID: "T-0001"}}}}
			r.Facets = []app.Facet{{List: "mechanism", Terms: []app.FacetTerm{{ID: "retry-storm", Cases: 1}}}}
			var b bytes.Buffer
			if err := output.Markdown(&b, output.SearchPage(r, lang, output.SearchOptions{Facets: true})); err != nil {
				t.Fatal(err)
			}
			if got := strings.HasPrefix(b.String(), "# "+want); got != far {
				t.Errorf("in %s, far %v: the heading says so: %v\n%s", lang, far, got, b.String())
			}
			if got := strings.Contains(b.String(), "retry-storm"); got == far {
				t.Errorf("in %s, far %v: the page has facets: %v\n%s", lang, far, got, b.String())
			}
		}
	}
}
