package search

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// largeIndex indexes n documents of random words, some of them frequent.
func largeIndex(t testing.TB, n int) *Index {
	t.Helper()
	rng := rand.New(rand.NewPCG(7, 7))
	english := strings.Fields("proxy cache retry shard lease quorum router deploy alert volume zone token")
	korean := strings.Fields("커넥션 캐시 재시도 샤드 리스 쿼럼 라우터 배포 경보 볼륨 데이터베이스 로드밸런서")
	var docs []Document
	for i := range n {
		var b strings.Builder
		for range 30 {
			words := english
			if i%2 == 1 {
				words = korean
			}
			k := min(rng.IntN(len(words)), rng.IntN(len(words)))
			fmt.Fprintf(&b, "%s word%d ", words[k], rng.IntN(3000))
			if rng.IntN(6) == 0 {
				b.WriteString("ends. ")
			}
		}
		docs = append(docs, Document{
			ID: fmt.Sprintf("L-%05d", i), Fields: []Field{{Name: "title", Text: b.String()}},
		})
	}
	x, err := New(docs, Options{Terms: testTerms})
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// TestOnlyAgreesWithCursor reads lists in part, with the landmarks, and in full.
func TestOnlyAgreesWithCursor(t *testing.T) {
	x := largeIndex(t, 3000)
	rng := rand.New(rand.NewPCG(1, 2))
	marked := 0
	for term := range x.post.df {
		if x.post.df[term] < markedList && term%50 != 0 {
			continue
		}
		marked++
		var docs []uint32
		for d := range x.docs {
			if rng.IntN(20) == 0 {
				docs = append(docs, uint32(d))
			}
		}
		want := map[uint32]uint8{}
		for c := x.post.cursor(uint32(term)); c.next(); {
			want[c.doc] = c.impact
		}
		got := map[uint32]uint8{}
		x.post.only(uint32(term), docs, func(i int, c *cursor) {
			if docs[i] != c.doc {
				t.Fatalf("term %d: document %d at %d of the list, want %d", term, c.doc, i, docs[i])
			}
			got[c.doc] = c.impact
		})
		for _, d := range docs {
			if want[d] != got[d] {
				t.Fatalf("term %d, document %d: impact %d, want %d", term, d, got[d], want[d])
			}
		}
	}
	if marked < 10 {
		t.Fatalf("only %d lists compared", marked)
	}
}

// TestPagesBeyondTheWindow goes through all hits of a frequent word: each
// document comes once, wherever the window of reranked candidates ends.
func TestPagesBeyondTheWindow(t *testing.T) {
	x := largeIndex(t, 2000)
	seen := map[string]bool{}
	total := 0
	for offset := 0; ; offset += 75 {
		r := x.Search(Query{Text: "proxy cache", Limit: 75, Offset: offset})
		if len(r.Hits) == 0 {
			break
		}
		total = r.Total
		for _, h := range r.Hits {
			if seen[h.ID] {
				t.Fatalf("%s comes twice, again at offset %d", h.ID, offset)
			}
			seen[h.ID] = true
			if h.Passage == nil || len(h.Words) == 0 {
				t.Fatalf("%s at offset %d is not explained", h.ID, offset)
			}
		}
	}
	if len(seen) != total || total <= rerankWindow {
		t.Errorf("%d different hits, total %d; want them equal and beyond %d", len(seen), total, rerankWindow)
	}
}

// TestHostileQueriesAreBounded checks that the plan of a huge query keeps to
// the bounds on words, terms and postings.
func TestHostileQueriesAreBounded(t *testing.T) {
	x := largeIndex(t, 2000)
	var b strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&b, "word%d 커넥션%d retry storm 데이터베이스에서 a.b.c%d ", i, i, i)
	}
	for _, text := range []string{
		b.String(), strings.Repeat("캐시 비움 복제 지연 ", 900), strings.Repeat("가나다라마바사 ", 3000),
		strings.Repeat("x.", 20000), strings.Repeat("[^", 9000),
	} {
		p := x.analyse(Query{Text: text})
		if len(p.words) > 2*maxQueryWords || len(p.spans) > 2*maxQueryWords {
			t.Errorf("plan of %.20q has %d words and %d spans", text, len(p.words), len(p.spans))
		}
		postings := 0
		for _, w := range p.words {
			for _, o := range w.options {
				for _, s := range o.slots {
					for _, alt := range s.alts {
						postings += int(x.post.df[alt.term])
					}
				}
			}
		}
		if postings > postingBudget {
			t.Errorf("plan of %.20q reads %d postings", text, postings)
		}
		x.Search(Query{Text: text, Facets: []string{"org"}})
	}
}
