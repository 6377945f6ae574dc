package search

import (
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestSearchFindsFirst(t *testing.T) {
	x := testIndex(t)
	tests := []struct{ name, query, want string }{
		{"words", "connection proxy writer", "T-0001"},
		{"inflection", "caches restarting", "T-0002"},
		{"irregular verb", "certificate breaks login", "T-0006"},
		{"spelling", "cpu utilization", "T-0006"},
		{"hyphen", "fail-over region", "T-0006"},
		{"two words for one", "fail over", "T-0006"},
		{"one word for two", "healthcheck", "T-0004"},
		{"camel case whole", "ConnectionBorrowTimeout", "T-0001"},
		{"camel case parts", "borrow timeout", "T-0001"},
		{"snake case", "max_connections", "T-0001"},
		{"snake case as camel", "maxConnections", "T-0001"},
		{"code with colon", "x509:", "T-0006"},
		{"status code", "503", "T-0002"},
		{"product", "ec2", "T-0006"},
		{"region", "us-east-1", "T-0003"},
		{"region with particle", "us-east-1에서", "T-0003"},
		{"abbreviation with word", "OOMKilled", "T-0004"},
		{"parts of it", "oom killed", "T-0004"},
		{"kubernetes condition", "NotReady nodes", "T-0004"},
		{"identifier with unknown parts", "validate.x509.example", "T-0006"},
		{"name in the other script", "마이그레이션 table lock", "T-0005"},
		{"number with commas", "2,147 세션", "T-0001"},
		{"number without commas", "2147", "T-0001"},
		{"id", "T-0005", "T-0005"},
		{"id in lower case", "t-0005", "T-0005"},
		{"korean", "테이블 변경 대기열", "T-0005"},
		{"korean particles", "트랜잭션이 테이블을", "T-0005"},
		{"korean particles missing", "데이터베이스 복제 지연", "T-0001"},
		{"korean spacing closed", "커넥션풀 고갈", "T-0001"},
		{"korean spacing open", "로드 밸런서", "T-0003"},
		{"korean single syllable", "락 쓰기", "T-0005"},
		{"korean verb", "접속이 끊긴다", "T-0003"},
		{"korean verb, other form", "되돌렸다", "T-0003"},
		{"mixed scripts", "writer가 포화", "T-0001"},
		{"term across languages", "retry storm DNS", "T-0003"},
		{"term by tag", "cache stampede", "T-0002"},
		{"term in korean for english text", "재시도 폭주 캐시 비움", "T-0002"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { firstIs(t, x, tt.query, tt.want) })
	}
}

func TestSearchCrossesLanguages(t *testing.T) {
	x := testIndex(t)
	contains(t, x, "retry storm", "T-0003")
	contains(t, x, "재시도 폭주", "T-0002")
	contains(t, x, "OOM 종료", "T-0004")
	contains(t, x, "lock contention", "T-0005")
}

func TestSearchCorrects(t *testing.T) {
	x := testIndex(t)
	tests := []struct{ query, meant, want string }{
		{"certifcate", "certificate", "T-0006"},
		{"connectoin proxy", "connection", "T-0001"},
		{"커넥숀", "커넥션", "T-0001"},
		{"마이그레이숀", "마이그레이션", "T-0005"},
		{"xpdlqmf", "테이블", "T-0005"},
		{"ㅔㅐㅇㄴ", "pods", "T-0004"},
	}
	for _, tt := range tests {
		r := firstIs(t, x, tt.query, tt.want)
		if len(r.Corrections) != 1 || r.Corrections[0].Meant != tt.meant {
			t.Errorf("Search(%q).Corrections = %v, want %q", tt.query, r.Corrections, tt.meant)
		}
	}
	r := x.Search(Query{Text: "certifcate", Literal: true})
	if r.Total != 0 || !reflect.DeepEqual(r.Unmatched, []string{"certifcate"}) {
		t.Errorf("literal search: total %d, unmatched %q; want nothing found", r.Total, r.Unmatched)
	}
	if r := x.Search(Query{Text: "재시도가 폭주"}); len(r.Corrections) > 0 {
		t.Errorf("corrected a correct word: %v", r.Corrections)
	}
}

func TestSearchCompletes(t *testing.T) {
	x := testIndex(t)
	r := x.Search(Query{Text: "expired certif", Partial: true})
	if got := ids(r); len(got) == 0 || got[0] != "T-0006" {
		t.Errorf("partial search = %q, want T-0006 first", got)
	}
}

func TestSearchPasted(t *testing.T) {
	x := testIndex(t)
	logLine := `2026-11-29T12:34:56.789Z ERROR [pool-3-thread-7] c.e.Writer - req=` +
		`6f1c2a9e-0b7d-4c57-9f59-2c54d0a3b1ee 10.0.13.7:5432 ConnectionBorrowTimeout: ` +
		`could not borrow after 30000 ms (trace 4bf92f3577b34da6a3ce929d0e0e4736)`
	r := firstIs(t, x, logLine, "T-0001")
	if r.Dropped < 4 {
		t.Errorf("dropped %d words of the log line, want at least 4", r.Dropped)
	}
	json := `{"reason":"OOMKilled","exitCode":137,"startedAt":"2026-11-29T01:02:03Z",` +
		`"containerID":"containerd://8d1b43c0f4a5b2c7d9"}`
	firstIs(t, x, json, "T-0004")
	trace := "x509: certificate has expired\n" + strings.Repeat("\tat com.example.Foo.bar(Foo.java:12)\n", 300)
	firstIs(t, x, trace, "T-0006")
}

func TestSearchFilters(t *testing.T) {
	x := testIndex(t)
	facets := func(kv ...string) map[string][]string {
		m := map[string][]string{}
		for i := 0; i < len(kv); i += 2 {
			m[kv[i]] = append(m[kv[i]], kv[i+1])
		}
		return m
	}
	tests := []struct {
		name   string
		filter Filter
		want   []string
	}{
		{"none", Filter{}, []string{"T-0001", "T-0002", "T-0003", "T-0004", "T-0005", "T-0006"}},
		{"one", Filter{Facets: facets("org", "harbour")}, []string{"T-0001", "T-0003"}},
		{"any of a list", Filter{Facets: facets("org", "harbour", "org", "quarry")},
			[]string{"T-0001", "T-0003", "T-0004", "T-0006"}},
		{"all lists", Filter{Facets: facets("org", "harbour", "component", "dns")}, []string{"T-0003"}},
		{"flag", Filter{Facets: facets("has", "scenario")}, []string{"T-0001"}},
		{"unknown id", Filter{Facets: facets("org", "nobody")}, nil},
		{"unknown list", Filter{Facets: facets("colour", "red")}, nil},
		{"years", Filter{YearFrom: 2022, YearTo: 2023}, []string{"T-0002", "T-0003"}},
		{"from year", Filter{YearFrom: 2025}, []string{"T-0006"}},
		{"to year", Filter{YearTo: 2021}, []string{"T-0005"}},
		{"durations", Filter{MinDuration: time.Hour, MaxDuration: 2 * time.Hour},
			[]string{"T-0001", "T-0004"}},
		{"long", Filter{MinDuration: 2 * time.Hour}, []string{"T-0003"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := x.Search(Query{Filter: tt.filter})
			if got := ids(r); !slices.Equal(got, tt.want) || r.Total != len(tt.want) {
				t.Errorf("got %q (total %d), want %q", got, r.Total, tt.want)
			}
		})
	}
	r := x.Search(Query{Text: "느려졌다 writer certificate", Filter: Filter{YearFrom: 2024, YearTo: 2024}})
	if got := ids(r); !slices.Equal(got, []string{"T-0001"}) {
		t.Errorf("query with filter = %q, want T-0001", got)
	}
}

func TestFacetCountsIgnoreOwnFilter(t *testing.T) {
	x := testIndex(t)
	r := x.Search(Query{
		Facets: []string{"org", "component"},
		Filter: Filter{Facets: map[string][]string{"org": {"harbour"}}},
	})
	want := []FacetCount{
		{"org", []ValueCount{{"harbour", 2}, {"lantern", 2}, {"quarry", 2}}},
		{"component", []ValueCount{{"db-proxy-pooler", 1}, {"dns", 1}}},
	}
	if !reflect.DeepEqual(r.Facets, want) {
		t.Errorf("facets = %v, want %v", r.Facets, want)
	}
}

func TestWiderIdsFilterAndCountButDoNotTag(t *testing.T) {
	x, err := New([]Document{
		{ID: "A", Facets: map[string][]string{"mechanism": {"overload"}}},
		{ID: "B", Facets: map[string][]string{"mechanism": {"retry-storm"}},
			Wider: map[string][]string{"mechanism": {"overload"}}},
		{ID: "C", Facets: map[string][]string{"mechanism": {"cold-cache"}}},
	}, Options{Terms: []Term{{List: "mechanism", ID: "overload", Phrases: []string{"overload"}}}})
	if err != nil {
		t.Fatal(err)
	}
	r := x.Search(Query{
		Facets: []string{"mechanism"},
		Filter: Filter{Facets: map[string][]string{"mechanism": {"overload"}}},
	})
	if got := ids(r); !slices.Equal(got, []string{"A", "B"}) {
		t.Errorf("the filter lets %q pass, want A and B", got)
	}
	want := []FacetCount{{"mechanism", []ValueCount{{"overload", 2}, {"cold-cache", 1}, {"retry-storm", 1}}}}
	if !reflect.DeepEqual(r.Facets, want) {
		t.Errorf("facets = %v, want %v", r.Facets, want)
	}
	if got := ids(x.Search(Query{Text: "overload"})); !slices.Equal(got, []string{"A"}) {
		t.Errorf("the word finds %q, want what is tagged with it", got)
	}
}

func TestSearchPages(t *testing.T) {
	x := testIndex(t)
	all := ids(x.Search(Query{Text: "cache 커넥션 certificate pods", Limit: 100}))
	var paged []string
	for at := 0; at < 10; at += 2 {
		paged = append(paged, ids(x.Search(Query{
			Text: "cache 커넥션 certificate pods", Limit: 2, Offset: at,
		}))...)
	}
	if !slices.Equal(all, paged) {
		t.Errorf("pages of two = %q, one page = %q", paged, all)
	}
	if got := ids(x.Search(Query{Offset: 4, Limit: 1})); !slices.Equal(got, []string{"T-0005"}) {
		t.Errorf("list at offset 4 = %q, want T-0005", got)
	}
}

func TestSearchIsDeterministicAndConcurrent(t *testing.T) {
	x := testIndex(t)
	q := Query{Text: "커넥션 풀 retry storm cache 503", Facets: []string{"org"}, Lang: "ko"}
	want := x.Search(q)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 20 {
				if got := x.Search(q); !reflect.DeepEqual(got, want) {
					t.Errorf("got %v, want %v", got, want)
					return
				}
			}
		})
	}
	wg.Wait()
	if again := testIndex(t).Search(q); !reflect.DeepEqual(again, want) {
		t.Errorf("a second index answers %v, want %v", again, want)
	}
}

func TestSearchOdd(t *testing.T) {
	x := testIndex(t)
	for _, q := range []string{
		"the of and", "이 그 저", "!!! ??? ...", "\x00\xff\xfe", strings.Repeat("가", 20000),
		strings.Repeat("a-", 9000), strings.Repeat("Ab", 9000), "ㄱㄴㄷ", "…", "-", "__", "\u200b",
	} {
		if r := x.Search(Query{Text: q, Facets: []string{"org"}}); r.Total < len(r.Hits) {
			t.Errorf("Search(%.20q): total %d < %d hits", q, r.Total, len(r.Hits))
		}
	}
	empty, err := New(nil, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if r := empty.Search(Query{Text: "proxy"}); r.Total != 0 {
		t.Errorf("an empty index finds %d documents", r.Total)
	}
}

func TestNewRefuses(t *testing.T) {
	for _, docs := range [][]Document{{{}}, {{ID: "a"}, {ID: "a"}}} {
		if _, err := New(docs, Options{}); err == nil {
			t.Errorf("New(%v) = nil error, want one", docs)
		}
	}
}
