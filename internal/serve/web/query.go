package web

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/library/casefile"
)

// query is a search as its address holds it.
type query struct {
	Text     string
	Terms    map[string][]string
	Year     string // 2021, 2019-2022, 2019-, -2022
	Longer   string // a duration
	Shorter  string
	Cursor   string
	Limit    int // cases a page, 0 for the usual number
	Literal  bool
	Fragment bool // only the results are asked for, while typing
}

// plainParams are the parameters beside the lists of terms. A page shares its
// address with the data of the API, so it takes the parameters of the API too;
// the language of a page is that of its path.
var plainParams = []string{
	"q", "year", "from", "to", "longer_than", "shorter_than", "cursor", "limit", "literal", "part", "lasted",
	"lang", "facets", "partial",
}

// maxTerms bounds the values of one filter.
const maxTerms = 20

// decodeQuery reads the parameters of a search. What it does not know is an
// error, so that a mistyped filter does not look like an answer.
func decodeQuery(raw string) (query, error) {
	q := query{Terms: map[string][]string{}}
	values, err := url.ParseQuery(raw)
	if err != nil {
		return q, app.Invalidf("q", "send the words as an ordinary form does, percent-encoded", "the address is not readable").
			Korean("보통의 폼처럼 퍼센트 인코딩으로 보낸다", "주소를 읽을 수 없다")
	}
	for _, name := range slices.Sorted(keys(values)) {
		all := slices.DeleteFunc(values[name], func(v string) bool { return v == "" })
		if len(all) == 0 {
			continue
		}
		if slices.Contains(plainParams, name) {
			if len(all) > 1 {
				return q, app.Invalidf(name, "give it once", "the parameter %q is there %d times", name, len(all)).
					Korean("한 번만 쓴다", "매개변수 %q: %d번 있다")
			}
			if err := q.set(name, all[0]); err != nil {
				return q, err
			}
			continue
		}
		if !slices.Contains(app.FilterLists(), name) {
			known := strings.Join(app.FilterLists(), ", ")
			return q, app.Invalidf(name, "filter by "+known+", year, longer_than or shorter_than", "no filter %q", app.Short(name)).
				Korean("쓸 수 있는 필터: "+known+", year, longer_than, shorter_than", "그런 필터가 없다: %q")
		}
		for _, v := range all {
			for id := range strings.SplitSeq(v, ",") {
				if id = strings.TrimSpace(id); id != "" && !slices.Contains(q.Terms[name], id) {
					q.Terms[name] = append(q.Terms[name], id)
				}
			}
		}
		if len(q.Terms[name]) > maxTerms {
			return q, app.Invalidf(name, "name at most 20 terms", "the filter %q has %d terms", name, len(q.Terms[name])).
				Korean("용어는 20개까지 쓴다", "필터 %q의 용어가 %d개다")
		}
	}
	return q, nil
}

func keys(v url.Values) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range v {
			if !yield(k) {
				return
			}
		}
	}
}

func (q *query) set(name, value string) error {
	switch name {
	case "q":
		q.Text = cut(value)
	case "year":
		q.Year = value
	case "from":
		_, to, _ := strings.Cut(q.Year, "-")
		q.Year = value + "-" + to
	case "to":
		from, _, _ := strings.Cut(q.Year, "-")
		q.Year = from + "-" + value
	case "longer_than":
		q.Longer = value
	case "shorter_than":
		q.Shorter = value
	case "lasted":
		q.Longer, q.Shorter, _ = strings.Cut(value, "-")
	case "cursor":
		q.Cursor = value
	case "limit":
		n, err := strconv.Atoi(value)
		if err != nil || n < 1 || n > app.MaxLimit {
			return app.Invalidf("limit", "give 1 to 100", "the limit %q is not a number from 1 to 100", app.Short(value)).
				Korean("1에서 100까지 쓴다", "limit %q: 1에서 100까지의 수가 아니다")
		}
		q.Limit = n
	case "literal":
		q.Literal = true
	case "part":
		q.Fragment = true
	}
	return nil
}

// cut bounds a text to what a search takes.
func cut(s string) string {
	s = strings.ToValidUTF8(s, "")
	s = strings.ReplaceAll(s, "\x00", "")
	return app.CutQuery(s)
}

// filter returns the filter of the query.
func (q *query) filter() (app.Filter, error) {
	f := app.Filter{Terms: q.Terms}
	if q.Year != "" && q.Year != "-" {
		var err error
		if f.YearFrom, f.YearTo, err = app.ParseYears(q.Year); err != nil {
			return f, err
		}
	}
	for _, d := range []struct {
		name, value string
		to          *time.Duration
	}{{"longer_than", q.Longer, &f.MinDuration}, {"shorter_than", q.Shorter, &f.MaxDuration}} {
		if d.value == "" {
			continue
		}
		v, err := casefile.ParseDuration(d.value)
		if err != nil {
			return f, app.Invalidf(d.name, "write for example 45m, 4h or 2d", "the duration %q is not readable", app.Short(d.value)).
				Korean("45m, 4h, 2d처럼 쓴다", "지속 시간을 읽을 수 없다: %q")
		}
		*d.to = v.Length()
	}
	return f, nil
}

// ask turns the query into the app's question.
func (q *query) ask(l bilingual.Lang) (app.SearchQuery, error) {
	f, err := q.filter()
	return app.SearchQuery{
		Text: q.Text, Lang: l, Filter: f, Cursor: q.Cursor, Limit: q.Limit, Literal: q.Literal, Partial: q.Fragment,
	}, err
}

// values writes the query as parameters, without the cursor and the part.
func (q *query) values() url.Values {
	v := url.Values{}
	set := func(name, value string) {
		if value != "" {
			v.Set(name, value)
		}
	}
	set("q", q.Text)
	for list, ids := range q.Terms {
		v[list] = slices.Clone(ids)
	}
	if q.Limit > 0 {
		set("limit", strconv.Itoa(q.Limit))
	}
	if q.Year != "-" {
		set("year", q.Year)
	}
	set("longer_than", q.Longer)
	set("shorter_than", q.Shorter)
	if q.Literal {
		v.Set("literal", "1")
	}
	return v
}

// with returns the parameters of the query with one more term, or without it.
func (q *query) with(list, id string, on bool) url.Values {
	v := q.values()
	v[list] = slices.DeleteFunc(v[list], func(s string) bool { return s == id })
	if on {
		v[list] = append(v[list], id)
	}
	if len(v[list]) == 0 {
		v.Del(list)
	}
	return v
}
