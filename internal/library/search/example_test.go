package search_test

import (
	"fmt"
	"log"

	"github.com/openprecedent/precedent/internal/library/search"
)

func Example() {
	index, err := search.New([]search.Document{
		{
			ID:     "EX-0001",
			Facets: map[string][]string{"mechanism": {"connection-pool-exhaustion"}},
			Fields: []search.Field{
				{Name: "title", Lang: "en", Text: "Checkout failed when its pool ran dry"},
				{Name: "title", Lang: "ko", Text: "커넥션 풀이 바닥나 결제가 실패했다"},
			},
		},
		{
			ID: "EX-0002",
			Fields: []search.Field{
				{Name: "title", Lang: "en", Text: "An expired certificate broke logins"},
				{Name: "title", Lang: "ko", Text: "인증서가 만료되어 로그인이 실패했다"},
			},
		},
	}, search.Options{
		Weights: map[string]float64{"title": 3},
		Terms: []search.Term{{
			List: "mechanism", ID: "connection-pool-exhaustion",
			Phrases: []string{"connection pool exhaustion", "커넥션 풀 고갈"},
		}},
	})
	if err != nil {
		log.Fatal(err)
	}
	r := index.Search(search.Query{Text: "커넥션풀 고갈로 결제 실패", Lang: "en"})
	for _, hit := range r.Hits[:1] {
		fmt.Println(hit.ID)
		for _, t := range hit.Terms {
			fmt.Println("term:", t.ID)
		}
		for _, w := range hit.Words {
			fmt.Printf("word: %s, found as %q\n", w.Typed, w.Found)
		}
	}
	// Output:
	// EX-0001
	// term: connection-pool-exhaustion
	// word: 커넥션풀, found as ["커넥션 풀"]
	// word: 결제, found as ["결제"]
	// word: 실패, found as ["실패"]
}
