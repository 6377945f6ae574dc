package serve

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// counts returns how many compute and how many wait.
func (l *line) counts() (busy, waiting int) {
	l.gate.mu.Lock()
	defer l.gate.mu.Unlock()
	return l.busy, l.count
}

func TestGateLetsInAsManyAsSlots(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate(2, 4, "a", "b")
		var leave [3]func()
		for i, name := range []string{"a", "b"} {
			var err error
			if leave[i], err = g.lines[name].enter(t.Context()); err != nil {
				t.Fatalf("enter with a free slot = %v, want nil", err)
			}
		}
		got := make(chan error)
		go func() {
			var err error
			leave[2], err = g.lines["a"].enter(t.Context())
			got <- err
		}()
		synctest.Wait()
		select {
		case err := <-got:
			t.Fatalf("third enter = %v at once, want it to wait", err)
		default:
		}
		leave[1]()
		if err := <-got; err != nil {
			t.Errorf("third enter = %v after leave, want nil", err)
		}
		leave[0]()
		leave[2]()
		if busy, waiting := g.lines["a"].counts(); busy != 0 || waiting != 0 || g.busy != 0 {
			t.Errorf("after all left: busy %d of %d, waiting %d, want none", busy, g.busy, waiting)
		}
	})
}

func TestGateTurnsAway(t *testing.T) {
	full := func(t *testing.T) *line {
		l := newGate(1, 2, "a").lines["a"]
		if _, err := l.enter(t.Context()); err != nil {
			t.Fatalf("enter = %v", err)
		}
		return l
	}
	t.Run("after patience", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			l := full(t)
			start := time.Now()
			_, err := l.enter(t.Context())
			if !errors.Is(err, errShed) || time.Since(start) != patience {
				t.Errorf("enter = %v after %v, want %v after %v", err, time.Since(start), errShed, patience)
			}
		})
	})
	t.Run("after a glance in an overload", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			l := full(t)
			go l.enter(t.Context())
			time.Sleep(patience / 2)
			go l.enter(t.Context()) // keeps the queue from running empty
			time.Sleep(patience/2 + 2*time.Millisecond)
			start := time.Now()
			_, err := l.enter(t.Context())
			if !errors.Is(err, errShed) || time.Since(start) != glance {
				t.Errorf("enter = %v after %v, want %v after %v", err, time.Since(start), errShed, glance)
			}
			time.Sleep(patience)
		})
	})
	t.Run("the oldest of a full queue", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			l := full(t)
			got := make([]error, 3)
			for i := range got {
				go func() { _, got[i] = l.enter(t.Context()) }()
				synctest.Wait()
			}
			if _, waiting := l.counts(); got[0] != errShed || waiting != 2 {
				t.Errorf("oldest got %v with %d waiting, want %v and 2", got[0], waiting, errShed)
			}
			time.Sleep(patience)
		})
	})
	t.Run("whose client has gone", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			l := full(t)
			ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
			defer cancel()
			_, err := l.enter(ctx)
			if _, waiting := l.counts(); !errors.Is(err, context.DeadlineExceeded) || waiting != 0 {
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
			g := newGate(1, 64, "a")
			g.fifo = fifo
			for start := time.Now(); time.Since(start) < length; time.Sleep(gap) {
				go func() {
					arrived := time.Now()
					leave, err := g.lines["a"].enter(t.Context())
					if err != nil {
						return
					}
					defer leave()
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

// TestGateShares floods a gate with one kind of request: the others have what
// they ask for, up to a fair part of the time, and the flood has the rest.
func TestGateShares(t *testing.T) {
	const length = 10 * time.Second
	for _, tt := range []struct {
		name      string
		work, gap map[string]time.Duration
		want      map[string]float64 // share of the time
	}{
		{"pages beside a flood of searches",
			map[string]time.Duration{"search": 4 * time.Millisecond, "read": time.Millisecond},
			map[string]time.Duration{"search": time.Millisecond, "read": 10 * time.Millisecond},
			map[string]float64{"search": 0.9, "read": 0.1}},
		{"floods of everything",
			map[string]time.Duration{"search": 4 * time.Millisecond, "read": time.Millisecond, "mcp": 9 * time.Millisecond},
			map[string]time.Duration{"search": time.Millisecond, "read": time.Millisecond / 2, "mcp": time.Millisecond},
			map[string]float64{"search": 1. / 3, "read": 1. / 3, "mcp": 1. / 3}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			used := map[string]time.Duration{}
			synctest.Test(t, func(t *testing.T) {
				g := newGate(1, 64, "search", "read", "mcp")
				ask := func(name string) {
					leave, err := g.lines[name].enter(t.Context())
					if err != nil {
						return
					}
					defer leave()
					used[name] += tt.work[name] // one slot, so this is not a race
					time.Sleep(tt.work[name])
				}
				for name, gap := range tt.gap {
					go func() {
						for start := time.Now(); time.Since(start) < length; time.Sleep(gap) {
							go ask(name)
						}
					}()
				}
				time.Sleep(length + time.Second)
			})
			for name, want := range tt.want {
				got := used[name].Seconds() / length.Seconds()
				if got < want-0.04 || got > want+0.04 {
					t.Errorf("%s had %.2f of the time, want about %.2f", name, got, want)
				}
			}
		})
	}
}

// TestGatePassesSlowOnes holds all slots for long with one kind of request:
// another kind gets through, one at a time.
func TestGatePassesSlowOnes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate(2, 4, "slow", "quick")
		for range 2 {
			leave, err := g.lines["slow"].enter(t.Context())
			if err != nil {
				t.Fatalf("enter = %v", err)
			}
			time.AfterFunc(time.Second, leave)
		}
		start := time.Now()
		var together sync.WaitGroup
		for range 3 {
			together.Go(func() {
				leave, err := g.lines["quick"].enter(t.Context())
				if err != nil {
					t.Errorf("enter beside slow ones = %v, want nil", err)
					return
				}
				time.Sleep(time.Millisecond)
				leave()
			})
		}
		together.Wait()
		if took, want := time.Since(start), glance+3*time.Millisecond; took != want {
			t.Errorf("three got through in %v, want %v: a glance, then one after the other", took, want)
		}
		if _, err := g.lines["slow"].enter(t.Context()); !errors.Is(err, errShed) {
			t.Errorf("one more slow one = %v, want %v", err, errShed)
		}
		time.Sleep(time.Second)
	})
}
