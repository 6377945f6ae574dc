// Package parallel runs pieces of work on all cores and waits for them.
//
// A panic in one of them comes back to the caller once all have ended, so that
// who guards itself against a panic is guarded here too: in a goroutine of its
// own it would end the program.
package parallel

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// Do runs the functions at the same time and returns once all have returned.
func Do(work ...func()) {
	var wait sync.WaitGroup
	var first atomic.Pointer[string]
	for _, f := range work {
		wait.Go(func() {
			defer func() {
				if p := recover(); p != nil {
					msg := fmt.Sprintf("%v\n\n%s", p, debug.Stack())
					first.CompareAndSwap(nil, &msg)
				}
			}()
			f()
		})
	}
	wait.Wait()
	if msg := first.Load(); msg != nil {
		panic(*msg)
	}
}

// Each calls f with 0 to n-1, at most as many at a time as there are cores.
func Each(n int, f func(i int)) {
	var next atomic.Int64
	work := make([]func(), min(n, runtime.GOMAXPROCS(0)))
	for w := range work {
		work[w] = func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				f(i)
			}
		}
	}
	Do(work...)
}
