package web

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/bilingual"
)

// TestReplaySettings tells what a reader has set from where the form stood before.
func TestReplaySettings(t *testing.T) {
	a := open(t)
	s := &site{current: func() *app.App { return a }, assets: loadAssets()}
	sc, err := a.Scenario("api-retries") // where one-retry sets retries to 1, and the file to 3
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct {
		name, query string
		want        []string
	}{
		{"nothing", "", nil},
		{"as it stands", "of=&variant=&set.retries=3", nil},
		{"one moved", "of=&variant=&set.retries=2", []string{"retries=2"}},
		{"another variant, nothing moved", "of=&variant=one-retry&set.retries=3", nil},
		{"another variant, and moved", "of=&variant=one-retry&set.retries=2", []string{"retries=2"}},
		{"another variant, moved to where it has it", "of=&variant=one-retry&set.retries=1", nil},
		{"of the variant, moved to where the file has it", "of=one-retry&variant=one-retry&set.retries=3", []string{"retries=3"}},
		{"back to the file, nothing moved", "of=one-retry&variant=&set.retries=1", nil},
		{"an address without a form", "variant=one-retry&set.retries=3", []string{"retries=3"}},
		{"a value that is not offered", "of=&variant=&set.retries=99", nil},
	} {
		q, err := url.ParseQuery(x.query)
		if err != nil {
			t.Fatal(err)
		}
		r := &request{Request: mustRequest(t, "/scenarios/api-retries?"+x.query), app: a, lang: bilingual.English}
		p := s.newReplayPage(r, sc, q.Get("variant"))
		if got := p.settings(q, sc); !slices.Equal(got, x.want) {
			t.Errorf("%s: %v, want %v", x.name, got, x.want)
		}
	}
}

// TestReplayStands puts the sliders where the variant of the page has them.
func TestReplayStands(t *testing.T) {
	h := newSite(t)
	for query, want := range map[string]string{"": `data-own="3"`, "?variant=one-retry": `data-own="1"`} {
		body := get(h, "/scenarios/api-retries"+query).Body.String()
		_, field, _ := strings.Cut(body, `data-set="retries"`)
		field, _, _ = strings.Cut(field, ">")
		if !strings.Contains(field, want) || !strings.Contains(body, `&#34;one-retry&#34;:{&#34;told&#34;`) {
			t.Errorf("%q: the slider of retries is %q, want %s", query, field, want)
		}
	}
}

func mustRequest(t *testing.T, path string) *http.Request {
	t.Helper()
	r, err := http.NewRequest(http.MethodGet, path, nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}
