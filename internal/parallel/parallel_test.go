package parallel

import (
	"slices"
	"strings"
	"sync/atomic"
	"testing"
)

func TestEachCallsWithEveryNumberOnce(t *testing.T) {
	for _, n := range []int{0, 1, 2, 1000} {
		calls := make([]atomic.Int64, n)
		Each(n, func(i int) { calls[i].Add(1) })
		for i := range calls {
			if got := calls[i].Load(); got != 1 {
				t.Errorf("of %d, number %d was called %d times, want once", n, i, got)
			}
		}
	}
}

func TestDoRunsAtTheSameTime(t *testing.T) {
	ping, pong := make(chan int), make(chan int)
	var got []int
	Do(
		func() { ping <- 1; got = append(got, <-pong) },
		func() { got = append(got, <-ping); pong <- 2 },
	)
	if want := []int{1, 2}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestAPanicComesBackToTheCaller(t *testing.T) {
	var others atomic.Int64
	defer func() {
		p, _ := recover().(string)
		if !strings.HasPrefix(p, "number 3\n") || !strings.Contains(p, "parallel_test.go") {
			t.Errorf("the panic is %.80q, want the first one with its stack", p)
		}
		if others.Load() == 0 {
			t.Error("nothing else was done")
		}
	}()
	Each(100, func(i int) {
		if i == 3 {
			panic("number 3")
		}
		others.Add(1)
	})
	t.Error("no panic came back")
}
