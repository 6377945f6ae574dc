package manifest_test

import (
	"testing"
	"time"

	"github.com/openprecedent/precedent/internal/check/manifest"
	"github.com/openprecedent/precedent/internal/check/object"
)

// TestListThatLeavesOut asks that a list tells how many objects there are, and
// that those which it holds are not taken for all.
func TestListThatLeavesOut(t *testing.T) {
	page := func(rest, name string) string {
		return `{"apiVersion":"dex.coreos.com/v1","kind":"AuthRequestList","metadata":{` + rest + `},"items":[{"metadata":{"name":"` + name + `"}}]}`
	}
	tests := []struct {
		name    string
		pages   []string
		want    int64
		unknown bool
		whole   bool
	}{
		{"first of many", []string{page(`"continue":"x","remainingItemCount":499`, "a")}, 500, false, false},
		{"two of many", []string{page(`"continue":"x","remainingItemCount":499`, "a"), page(`"continue":"y","remainingItemCount":498`, "b")}, 500, false, false},
		{"it does not tell", []string{page(`"continue":"x"`, "a")}, 0, true, false},
		{"all there are", []string{page(`"resourceVersion":"7"`, "a")}, 1, false, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			snap := object.NewSnapshot(time.Time{})
			for _, p := range tt.pages {
				documents, problems := manifest.Read("answer", []byte(p))
				if len(problems) > 0 {
					t.Fatal(problems)
				}
				content, _ := documents[0].Content()
				content.AddTo(snap)
			}
			n, err := snap.Total("AuthRequest")
			if (err != nil) != tt.unknown || !tt.unknown && n != tt.want {
				t.Errorf("%d objects (%v), want %d", n, err, tt.want)
			}
			if whole := snap.Whole("AuthRequest") == nil; whole != tt.whole {
				t.Errorf("all read: %v, want %v", whole, tt.whole)
			}
		})
	}
}
