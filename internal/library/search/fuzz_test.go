package search

import (
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// seeds are texts that stress the borders of scripts, words and sentences.
var seeds = []string{
	"Proxy로 바꾼 뒤 writer CPU 100%", "us-east-1 max_connections x509: 5xx",
	"2026-11-29T12:34:56Z ERROR ConnectionBorrowTimeout 10.0.0.1:5432", "커넥션 풀 고갈",
	`{"reason":"OOMKilled","exitCode":137}`, "한\u1100\u1161 e\u0301 ｆｕｌｌ", "a.b.c_d--e''f’g",
	"\xff\xfe\x00", "재시도 폭주. retry storm! 캐시?\n- item\n1. two", "ㅔㅐㅇ xpdlqmf certifcate",
}

// FuzzTokens checks that scanning loses no place: chunks and parts are in
// order, inside the text, and cut at characters.
func FuzzTokens(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		s = norm.NFC.String(s)
		last := 0
		for sc := newScanner(s); ; {
			c, ok := sc.next()
			if !ok {
				break
			}
			if c.start < last || c.end <= c.start || c.end > len(s) {
				t.Fatalf("chunk %+v after %d in %q", c, last, s)
			}
			last = c.end
			end := 0
			for _, p := range splitWord(s[c.start:c.end]) {
				if p.Start < end || p.End <= p.Start || p.End > c.end-c.start {
					t.Fatalf("part %+v after %d in %q", p, end, s[c.start:c.end])
				}
				end = p.End
			}
		}
		last = 0
		sentences(s, func(start, end int) {
			if start < last || end <= start || end > len(s) {
				t.Fatalf("sentence %d to %d after %d in %q", start, end, last, s)
			}
			last = end
		})
	})
}

// FuzzQuery checks that no query panics, and that marks are ranges of valid
// text in order.
func FuzzQuery(f *testing.F) {
	for _, s := range seeds {
		f.Add(s, true)
	}
	x := testIndex(f)
	f.Fuzz(func(t *testing.T, s string, partial bool) {
		r := x.Search(Query{Text: s, Partial: partial, Lang: "ko", Facets: []string{"org"}})
		if r.Total < len(r.Hits) {
			t.Fatalf("total %d, %d hits", r.Total, len(r.Hits))
		}
		for _, h := range r.Hits {
			if h.Passage == nil {
				continue
			}
			end := 0
			for _, m := range h.Passage.Marks {
				if m.Start < end || m.End <= m.Start || m.End > len(h.Passage.Text) ||
					!utf8.ValidString(h.Passage.Text[m.Start:m.End]) {
					t.Fatalf("mark %+v after %d in %q", m, end, h.Passage.Text)
				}
				end = m.End
			}
		}
	})
}

// FuzzDocument checks that any text can be indexed, and found by itself.
func FuzzDocument(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) > 1<<12 {
			s = s[:1<<12]
		}
		x, err := New([]Document{{ID: "a", Fields: []Field{{Name: "title", Text: s}}}},
			Options{Terms: testTerms})
		if err != nil {
			t.Fatal(err)
		}
		x.Search(Query{Text: s})
		x.Search(Query{Text: strings.ToUpper(s), Partial: true})
		x.TextSimilarity("a", 5)
	})
}
