package search

import "testing"

func TestMistyped(t *testing.T) {
	lex := newLexicon()
	tests := []struct {
		typed, meant string
		want         bool
	}{
		{"kuberentes", "kubernetes", true},
		{"webook", "webhook", true},
		{"dsik", "disk", true},
		{"certifcate", "certificate", true},
		{"quaurum", "quorum", true},
		{"unassigned", "assigned", false},
		{"scheduled", "rescheduled", false},
		{"heap", "help", false},
		{"font", "front", false},
		{"bake", "brake", false},
		{"choked", "choices", false},
		{"starves", "serves", false},
		{"hosts", "posts", false},
		{"cuda", "cude", false},
	}
	for _, tt := range tests {
		got := !lex.isCommon(tt.typed) && mistyped(tt.typed, tt.meant)
		if got != tt.want {
			t.Errorf("%q mistyped for %q: %v, want %v", tt.typed, tt.meant, got, tt.want)
		}
	}
}

func TestEndingsAreNoMistakes(t *testing.T) {
	lex := newLexicon()
	for _, run := range []string{"돼요", "되요", "했는데", "안돼요", "없음", "됐어요", "가요"} {
		if !lex.isEnding(run) {
			t.Errorf("%q is not taken for an ending", run)
		}
	}
	for _, run := range []string{"커넥션", "디스크", "승걱", "인증서", "쿼럼"} {
		if lex.isEnding(run) {
			t.Errorf("%q is taken for an ending", run)
		}
	}
}

// TestNoSuggestionForRealWords asks what a reader was wrongly corrected for.
func TestNoSuggestionForRealWords(t *testing.T) {
	x := testIndex(t)
	for _, q := range []string{"heap", "unexpired certificate", "font", "롤백해도 안 돼요", "맛집"} {
		r := x.Search(Query{Text: q})
		if len(r.Corrections)+len(r.Suggestions) > 0 {
			t.Errorf("Search(%q) corrects %v and suggests %v", q, r.Corrections, r.Suggestions)
		}
	}
}
