package web

import (
	"net/url"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/openprecedent/precedent/internal/app"
)

func TestDecodeQuery(t *testing.T) {
	for _, test := range []struct {
		raw  string
		want app.SearchQuery
	}{
		{"", app.SearchQuery{}},
		{"q=a+b", app.SearchQuery{Text: "a b"}},
		{"q=&mechanism=", app.SearchQuery{}},
		{"mechanism=retry-storm,cold-cache&mechanism=cold-cache", app.SearchQuery{Filter: app.Filter{Terms: map[string][]string{"mechanism": {"retry-storm", "cold-cache"}}}}},
		{"year=2019-2022", app.SearchQuery{Filter: app.Filter{YearFrom: 2019, YearTo: 2022}}},
		{"from=2019&to=", app.SearchQuery{Filter: app.Filter{YearFrom: 2019}}},
		{"to=2022&from=", app.SearchQuery{Filter: app.Filter{YearTo: 2022}}},
		{"from=2019&to=2022", app.SearchQuery{Filter: app.Filter{YearFrom: 2019, YearTo: 2022}}},
		{"lasted=1h-4h", app.SearchQuery{Filter: app.Filter{MinDuration: time.Hour, MaxDuration: 4 * time.Hour}}},
		{"lasted=-1h", app.SearchQuery{Filter: app.Filter{MaxDuration: time.Hour}}},
		{"longer_than=24h&literal=1&part=results", app.SearchQuery{Filter: app.Filter{MinDuration: 24 * time.Hour}, Literal: true, Partial: true}},
	} {
		q, err := decodeQuery(test.raw)
		if err != nil {
			t.Errorf("%s: %v", test.raw, err)
			continue
		}
		got, err := q.ask("")
		if test.want.Filter.Terms == nil {
			test.want.Filter.Terms = map[string][]string{}
		}
		if err != nil || !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s: %+v, %v; want %+v", test.raw, got, err, test.want)
		}
	}
}

func TestRepeatedParameters(t *testing.T) {
	for raw, repeated := range map[string]bool{
		"q=a&q=b": true, "limit=1&limit=2": true, "q=a&q=": false, "mechanism=a&mechanism=b": false,
	} {
		_, err := decodeQuery(raw)
		if got := err != nil && app.KindOf(err) == app.Invalid; got != repeated {
			t.Errorf("%s: %v; refused %v, want %v", raw, err, got, repeated)
		}
	}
}

func TestLongQueryIsCut(t *testing.T) {
	q, err := decodeQuery("q=" + url.QueryEscape(strings.Repeat("장애", 5000)))
	if err != nil || len(q.Text) > app.MaxQuery || len(q.Text) < app.MaxQuery-3 || !utf8.ValidString(q.Text) {
		t.Errorf("%d bytes, valid %v, %v; want just under %d", len(q.Text), utf8.ValidString(q.Text), err, app.MaxQuery)
	}
	q, err = decodeQuery("q=" + url.QueryEscape(strings.Repeat("connection ", 1000)))
	if err != nil || !strings.HasSuffix(q.Text, "connection") {
		t.Errorf("a long text ends in %q, %v; want a whole word", q.Text[len(q.Text)-12:], err)
	}
}

func FuzzDecodeQuery(f *testing.F) {
	for _, raw := range []string{
		"", "q=a", "q=%EC%97%B0&mechanism=retry-storm&year=2019-2022&cursor=x", "lasted=1h-4h", "from=2019&to=2022", "a=%", "q=%ff%00",
		"mechanism=a,b,,c&mechanism=%00", "year=-&longer_than=1d&shorter_than=99999d",
	} {
		f.Add(raw)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		q, err := decodeQuery(raw)
		if err != nil {
			if app.KindOf(err) != app.Invalid {
				t.Fatalf("%q: the error %v has no kind", raw, err)
			}
			return
		}
		if len(q.Text) > app.MaxQuery || !utf8.ValidString(q.Text) {
			t.Fatalf("%q: %d bytes of text, valid %v", raw, len(q.Text), utf8.ValidString(q.Text))
		}
		first, err := q.ask("en")
		if err != nil {
			return
		}
		again, err := decodeQuery(q.values().Encode())
		if err != nil {
			t.Fatalf("%q: its own address is not readable: %v", raw, err)
		}
		second, err := again.ask("en")
		first.Cursor, first.Partial = "", false
		if err != nil || !reflect.DeepEqual(first, second) {
			t.Fatalf("%q: asks %+v, its own address asks %+v, %v", raw, first, second, err)
		}
	})
}
