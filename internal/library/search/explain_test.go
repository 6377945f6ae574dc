package search

import (
	"reflect"
	"testing"
	"unicode/utf8"
)

// marked returns the marked parts of a passage.
func marked(p *Passage) []string {
	var out []string
	for _, r := range p.Marks {
		out = append(out, p.Text[r.Start:r.End])
	}
	return out
}

func TestHitExplains(t *testing.T) {
	x := testIndex(t)
	tests := []struct {
		query, lang string
		field       string
		passageLang string
		marks       []string
		words       []WordMatch
		terms       []TermMatch
	}{
		{
			query: "proxies pinned", lang: "en", field: "summary", passageLang: "en",
			marks: []string{"proxy", "pinned"},
			words: []WordMatch{{"proxies", []string{"proxy"}}, {"pinned", []string{"pinned"}}},
		},
		{
			query: "max_connections 커넥션", lang: "ko", field: "summary", passageLang: "ko",
			marks: []string{"커넥션", "max_connections", "커넥션"},
			words: []WordMatch{
				{"max_connections", []string{"max_connections"}}, {"커넥션", []string{"커넥션", "connections"}},
			},
		},
		{
			query: "커넥션풀", lang: "ko", field: "summary", passageLang: "ko",
			marks: []string{"커넥션", "커넥션 풀"},
			words: []WordMatch{{"커넥션풀", []string{"커넥션", "커넥션 풀"}}},
		},
		{
			query: "세션 pinned 프락시 プロキシ", lang: "en", field: "summary", passageLang: "en",
			marks: []string{"pinned", "sessions"},
			words: []WordMatch{{"세션", []string{"sessions"}}, {"pinned", []string{"pinned"}}},
		},
		{
			query: "pool exhausted", lang: "ko", field: "summary", passageLang: "ko",
			marks: []string{"커넥션 풀이 고갈"},
			terms: []TermMatch{{
				TermRef{"mechanism", "connection-pool-exhaustion"}, true, "커넥션 풀이 고갈",
			}},
		},
	}
	for _, tt := range tests {
		t.Run(tt.query, func(t *testing.T) {
			r := x.Search(Query{Text: tt.query, Lang: tt.lang})
			if len(r.Hits) == 0 || r.Hits[0].ID != "T-0001" || r.Hits[0].Passage == nil {
				t.Fatalf("hits = %+v, want T-0001 with a passage", r.Hits)
			}
			h := r.Hits[0]
			if h.Passage.Field != tt.field || h.Passage.Lang != tt.passageLang {
				t.Errorf("passage from %s/%s, want %s/%s",
					h.Passage.Field, h.Passage.Lang, tt.field, tt.passageLang)
			}
			if got := marked(h.Passage); !reflect.DeepEqual(got, tt.marks) {
				t.Errorf("marks %q in %q, want %q", got, h.Passage.Text, tt.marks)
			}
			if !reflect.DeepEqual(h.Words, tt.words) {
				t.Errorf("words = %v, want %v", h.Words, tt.words)
			}
			if !reflect.DeepEqual(h.Terms, tt.terms) {
				t.Errorf("terms = %v, want %v", h.Terms, tt.terms)
			}
		})
	}
}

func TestReaderLanguageIsQuoted(t *testing.T) {
	x := testIndex(t)
	for _, lang := range []string{"en", "ko"} {
		r := x.Search(Query{Text: "max_connections", Lang: lang})
		if len(r.Hits) == 0 || r.Hits[0].Passage.Lang != lang {
			t.Errorf("hit for a %s reader = %+v, want a passage in %s", lang, r.Hits, lang)
		}
	}
}

// Who asks and reads in English gets no Korean; who asks in Korean does.
func TestEnglishReadersGetNoKorean(t *testing.T) {
	x, err := New([]Document{{ID: "A-1", Fields: []Field{
		text("title", "en", "An outage"), text("title", "ko", "OOM 종료가 OOM 종료를 불렀다"),
	}}}, Options{Weights: testWeights})
	if err != nil {
		t.Fatal(err)
	}
	for query, want := range map[string]bool{"OOM": false, "OOM 종료": true} {
		r := x.Search(Query{Text: query, Lang: "en"})
		if len(r.Hits) != 1 || (r.Hits[0].Passage != nil) != want {
			t.Errorf("%q: hits %+v, a Korean passage wanted: %v", query, r.Hits, want)
		}
	}
}

// Words that say little are no reason beside others, and are not corrected.
func TestLightWordsAreNoReason(t *testing.T) {
	x := testIndex(t)
	r := x.Search(Query{Text: "not pinned after sessions won't", Lang: "en"})
	if len(r.Corrections) > 0 || len(r.Unmatched) > 0 {
		t.Errorf("corrections %v, unmatched %v, want none", r.Corrections, r.Unmatched)
	}
	for _, h := range r.Hits {
		for _, w := range h.Words {
			if w.Typed == "not" || w.Typed == "after" {
				t.Errorf("%s matched %q", h.ID, w.Typed)
			}
		}
	}
}

// The pairs of a Korean word count together only where they stand together.
func TestPairsApartAreNoWord(t *testing.T) {
	x, err := New([]Document{
		{ID: "A-1", Fields: []Field{text("title", "ko", "재시도가 시작점이었다")}},
		{ID: "A-2", Fields: []Field{text("title", "ko", "서버 재시작")}},
	}, Options{Weights: testWeights})
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range x.Search(Query{Text: "재시작", Lang: "ko"}).Hits {
		if got := len(h.Words) > 0; got != (h.ID == "A-2") {
			t.Errorf("%s: words %v", h.ID, h.Words)
		}
	}
}

func TestIDMatchHasNoPassage(t *testing.T) {
	x := testIndex(t)
	h := firstIs(t, x, "T-0002", "T-0002").Hits[0]
	want := []WordMatch{{"T-0002", []string{"T-0002"}}}
	if h.Passage != nil || !reflect.DeepEqual(h.Words, want) {
		t.Errorf("hit = %+v, want words %v and no passage", h, want)
	}
}

func TestCropKeepsMarks(t *testing.T) {
	long := make([]byte, 0, 4000)
	for len(long) < 3000 {
		long = append(long, "앞선 설명이 길게 이어지고 "...)
	}
	start := len(long)
	long = append(long, "proxy"...)
	marks := []Range{{start, start + 5}}
	for len(long) < 4000 {
		long = append(long, " 뒤에도 설명이 이어진다"...)
	}
	text, marks := crop(string(long), marks)
	if !utf8.ValidString(text) || len(text) > maxPassage+8 {
		t.Errorf("cropped to %d bytes, valid %t", len(text), utf8.ValidString(text))
	}
	if len(marks) != 1 || text[marks[0].Start:marks[0].End] != "proxy" {
		t.Errorf("marks = %v, want one on %q", marks, "proxy")
	}
}
