package parts

import (
	"testing"

	"github.com/openprecedent/precedent/internal/sim/des"
)

// TestBreaker opens a breaker, and lets one call try. Results of calls from
// before, and the withdrawal of the one that tries, decide nothing.
func TestBreaker(t *testing.T) {
	s := des.New(1)
	opened := s.Record(des.Second).Counter("opened")
	b := newBreaker(Breaker{Failures: 0.5, Of: 4, Open: Duration(des.Second)}, opened)
	for slot := range uint32(4) {
		if !b.allow(0, slot) {
			t.Fatalf("call %d is refused by a closed breaker", slot)
		}
		b.saw(0, slot, slot%2 == 0)
	}
	if opened.Total() != 1 || b.allow(des.Second/2, 9) {
		t.Fatalf("half of the calls failed, and the breaker is not open")
	}
	if !b.allow(des.Second, 5) || b.allow(des.Second, 6) {
		t.Fatalf("after a second, exactly one call may try")
	}
	b.saw(des.Second, 3, true) // of before
	if b.allow(des.Second, 6) {
		t.Error("an old answer has closed the breaker")
	}
	b.forget(5)
	if !b.allow(des.Second, 6) {
		t.Error("the call that tried was withdrawn, and no other one may try")
	}
	b.saw(des.Second, 6, false)
	if b.allow(des.Second*3/2, 7) {
		t.Error("the trial failed, and calls go out at once")
	}
	if !b.allow(2*des.Second, 7) {
		t.Fatal("no second trial")
	}
	b.saw(2*des.Second, 7, true)
	if !b.allow(2*des.Second, 8) || !b.allow(2*des.Second, 9) {
		t.Error("the trial succeeded, and the breaker is not closed")
	}
}
