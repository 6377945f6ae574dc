package output

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/bilingual"
)

// TestUncheckedItems tells each reason once, with all that waits for it.
func TestUncheckedItems(t *testing.T) {
	pods, nodes := bilingual.Text{En: "Pod: not read", Ko: "Pod: 읽지 않았다"}, bilingual.Text{En: "Node: not read", Ko: "Node: 읽지 않았다"}
	title := bilingual.Text{En: "A title", Ko: "제목"}
	all := []app.Unchecked{
		{Check: "CK-104", Title: title, Why: pods, Objects: 4},
		{Check: "CK-106", Title: title, Why: nodes, Objects: 1},
		{Check: "CK-111", Title: title, Why: pods},
	}
	want := []Item{
		{Text: "Pod: not read", Sub: []string{"CK-104 A title (4 objects)", "CK-111 A title"}},
		{Text: "Node: not read", Sub: []string{"CK-106 A title"}},
	}
	if diff := cmp.Diff(want, uncheckedItems(all, bilingual.English)); diff != "" {
		t.Errorf("the reasons differ (-want +got):\n%s", diff)
	}
	if got := uncheckedItems(all, bilingual.Korean)[0].Sub[0]; got != "CK-104 제목 (객체 4개)" {
		t.Errorf("in Korean it reads %q", got)
	}
}
