package lazyregexp

import (
	"sync"
	"testing"
)

func TestLazy(t *testing.T) {
	r := New(`(\d+)-(\d+)`)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if m := r.FindStringSubmatch("from 12-34 on"); len(m) != 3 || m[1] != "12" {
				t.Errorf("found %q, want 12 and 34", m)
			}
		})
	}
	wg.Wait()
	if got := r.ReplaceAllString("1-2", "$2-$1"); got != "2-1" {
		t.Errorf("replaced to %q, want 2-1", got)
	}
}

func TestBadExpressionPanicsOnUse(t *testing.T) {
	r := New(`(`) // not yet
	defer func() {
		if recover() == nil {
			t.Error("no panic on the use of a malformed expression")
		}
	}()
	r.MatchString("x")
}
