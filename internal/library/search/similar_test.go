package search

import (
	"testing"
)

func TestTextSimilarity(t *testing.T) {
	docs := append([]Document{}, testDocs...)
	docs = append(docs, Document{ID: "T-0007", Fields: []Field{
		text("title", "en", "Cache restart emptied the message cache"),
		text("summary", "en", "Clients retried without backoff; the database was overwhelmed."),
	}})
	x, err := New(docs, Options{Weights: testWeights, Terms: testTerms})
	if err != nil {
		t.Fatal(err)
	}
	got := x.TextSimilarity("T-0007", 3)
	if len(got) == 0 || got[0].ID != "T-0002" {
		t.Fatalf("TextSimilarity = %v, want T-0002 first", got)
	}
	for i, s := range got {
		if s.Score <= 0 || s.Score > 1 || i > 0 && s.Score > got[i-1].Score {
			t.Errorf("scores %v, want them in (0, 1] and descending", got)
		}
		if s.ID == "T-0007" {
			t.Error("a document is similar to itself")
		}
	}
	if x.TextSimilarity("T-9999", 3) != nil || x.KeyWords("T-9999", "en", 3) != nil {
		t.Error("an unknown document has similar ones or key words, want nil")
	}
}

func TestKeyWords(t *testing.T) {
	x := testIndex(t)
	words := x.KeyWords("T-0005", "ko", 20)
	seen := map[string]bool{}
	for _, w := range words {
		seen[w.Word] = true
	}
	if !seen["마이그레이션이"] && !seen["마이그레이션"] {
		t.Errorf("key words = %v, want the migration among them", words)
	}
	if got := x.KeyWords("T-0005", "en", 5); len(got) != 0 {
		t.Errorf("key words in English of a Korean document = %v, want none", got)
	}
}
