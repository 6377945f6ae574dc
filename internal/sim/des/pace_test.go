package des

import (
	"context"
	"testing"
)

// ticker handles an event a microsecond, for ever.
type ticker struct {
	sim  *Sim
	self Target
}

func (k *ticker) Handle(uint16, uint32) { k.sim.After(Microsecond, k.self, 0, 0) }

func newTicker() *Sim {
	k := &ticker{sim: New(1)}
	k.self = k.sim.Register(k)
	k.sim.At(0, k.self, 0, 0)
	return k.sim
}

func TestPace(t *testing.T) {
	calls := 0
	ctx, cancel := context.WithCancel(WithPace(t.Context(), func() { calls++ }))
	defer cancel()
	sim := newTicker()
	if end := sim.Run(ctx, Budget{Until: 100 * Millisecond}); end != EndTime {
		t.Fatalf("the run ended by %q, want %q", end, EndTime)
	}
	if want := int(sim.Handled())/checkEvery + 1; calls != want {
		t.Errorf("the pace was called %d times in %d events, want %d", calls, sim.Handled(), want)
	}
}

// TestCancelledInPace sees that a run whose context ends while it is held up
// handles nothing more, and that a short one that never gets to the end of a
// batch ends as well.
func TestCancelledInPace(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	sim := newTicker()
	if end := sim.Run(WithPace(ctx, cancel), Budget{Until: Millisecond}); end != EndContext {
		t.Errorf("the run ended by %q, want %q", end, EndContext)
	}
	if sim.Handled() != 0 {
		t.Errorf("%d events were handled after the end, want 0", sim.Handled())
	}
}
