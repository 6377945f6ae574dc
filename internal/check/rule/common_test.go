package rule

import (
	"os"
	"testing"
)

// TestCommon tells values of let that are the same for all objects, which are found
// once, from those of one object.
func TestCommon(t *testing.T) {
	const name = "../../../corpus/checks/CK-112.yaml"
	src, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	r, problems := Compile(name, src, nil)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	want := map[string]bool{"leaving": true, "movers": true, "bare": false, "serving": false, "count": false, "copies": false}
	seen := 0
	for _, l := range r.lets {
		if common, ok := want[l.name]; ok {
			seen++
			if l.common != common {
				t.Errorf("%s: common is %v", l.name, l.common)
			}
		}
	}
	if seen != len(want) {
		t.Errorf("the check has %d of the values; name others here", seen)
	}
}
