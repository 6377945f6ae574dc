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
	if x.TextSimilarity("T-9999", 3) != nil {
		t.Error("an unknown document has similar ones, want nil")
	}
}
