package serve

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

// counts returns how many compute and how many wait.
func (g *gate) counts() (busy, waiting int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.busy, g.count
}

func TestGateLetsInAsManyAsSlots(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate(2, 4)
		for range 2 {
			if err := g.enter(t.Context()); err != nil {
				t.Fatalf("enter with a free slot = %v, want nil", err)
			}
		}
		got := make(chan error)
		go func() { got <- g.enter(t.Context()) }()
		synctest.Wait()
		select {
		case err := <-got:
			t.Fatalf("third enter = %v at once, want it to wait", err)
		default:
		}
		g.leave()
		if err := <-got; err != nil {
			t.Errorf("third enter = %v after leave, want nil", err)
		}
		g.leave()
		g.leave()
		if busy, waiting := g.counts(); busy != 0 || waiting != 0 {
			t.Errorf("after all left: busy %d, waiting %d, want 0 and 0", busy, waiting)
		}
	})
}

func TestGateTurnsAway(t *testing.T) {
	full := func(t *testing.T) *gate {
		g := newGate(1, 2)
		if err := g.enter(t.Context()); err != nil {
			t.Fatalf("enter = %v", err)
		}
		return g
	}
	t.Run("after patience", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			g := full(t)
			start := time.Now()
			err := g.enter(t.Context())
			if !errors.Is(err, errShed) || time.Since(start) != patience {
				t.Errorf("enter = %v after %v, want %v after %v", err, time.Since(start), errShed, patience)
			}
		})
	})
	t.Run("after a glance in an overload", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			g := full(t)
			go g.enter(t.Context())
			time.Sleep(patience / 2)
			go g.enter(t.Context()) // keeps the queue from running empty
			time.Sleep(patience/2 + 2*time.Millisecond)
			start := time.Now()
			err := g.enter(t.Context())
			if !errors.Is(err, errShed) || time.Since(start) != glance {
				t.Errorf("enter = %v after %v, want %v after %v", err, time.Since(start), errShed, glance)
			}
			time.Sleep(patience)
		})
	})
	t.Run("the oldest of a full queue", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			g := full(t)
			got := make([]error, 3)
			for i := range got {
				go func() { got[i] = g.enter(t.Context()) }()
				synctest.Wait()
			}
			if _, waiting := g.counts(); got[0] != errShed || waiting != 2 {
				t.Errorf("oldest got %v with %d waiting, want %v and 2", got[0], waiting, errShed)
			}
			time.Sleep(patience)
		})
	})
	t.Run("whose client has gone", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			g := full(t)
			ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
			defer cancel()
			err := g.enter(ctx)
			if _, waiting := g.counts(); !errors.Is(err, context.DeadlineExceeded) || waiting != 0 {
				t.Errorf("enter = %v with %d left waiting, want %v and 0", err, waiting, context.DeadlineExceeded)
			}
		})
	})
}

// TestGateOrder drives a gate open-loop at three times its capacity, in both
// orders, on a virtual clock: the order decides nothing about throughput and
// everything about latency.
func TestGateOrder(t *testing.T) {
	run := func(t *testing.T, fifo bool) (served int, waits []time.Duration) {
		synctest.Test(t, func(t *testing.T) {
			const work, gap, length = 3 * time.Millisecond, time.Millisecond, 10 * time.Second
			g := newGate(1, 64)
			g.fifo = fifo
			for start := time.Now(); time.Since(start) < length; time.Sleep(gap) {
				go func() {
					arrived := time.Now()
					if g.enter(t.Context()) != nil {
						return
					}
					defer g.leave()
					served++ // one slot, so this is not a race
					waits = append(waits, time.Since(arrived))
					time.Sleep(work)
				}()
			}
			time.Sleep(time.Second)
		})
		slices.Sort(waits)
		return served, waits
	}
	for _, fifo := range []bool{false, true} {
		served, waits := run(t, fifo)
		p50, p99 := waits[len(waits)/2], waits[len(waits)*99/100]
		t.Logf("fifo=%v: served %d, waited p50 %v, p99 %v", fifo, served, p50, p99)
		if capacity := 10_000 / 3; served < capacity*95/100 {
			t.Errorf("fifo=%v: served %d of a capacity of %d, want at least 95 %%", fifo, served, capacity)
		}
		if !fifo && p50 > 3*time.Millisecond {
			t.Errorf("newest first: half waited more than %v, want at most one service time", p50)
		}
	}
}
