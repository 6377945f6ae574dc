package main

import (
	"runtime"
	"slices"
	"time"

	"golang.org/x/sys/unix"
)

// cpuTime is the processor time that this process has used. Latencies are
// taken from it and not from the clock, since benches share their machine.
func cpuTime() time.Duration {
	return rusage(unix.RUSAGE_SELF)
}

// threadTime is the processor time that the current thread has used. The caller
// must be locked to its thread.
func threadTime() time.Duration {
	return rusage(unix.RUSAGE_THREAD)
}

func rusage(who int) time.Duration {
	var u unix.Rusage
	if err := unix.Getrusage(who, &u); err != nil {
		panic(err) // cannot happen with these arguments
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// peakMemory is the largest resident size so far, in bytes.
func peakMemory() int64 {
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return u.Maxrss << 10
}

// liveHeap is the size of the reachable heap, in bytes.
func liveHeap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// A spread is the distribution of latencies.
type spread struct {
	P50, P99, Max time.Duration
}

// spreadOf sorts its argument.
func spreadOf(all []time.Duration) spread {
	if len(all) == 0 {
		return spread{}
	}
	slices.Sort(all)
	at := func(share float64) time.Duration {
		return all[min(len(all)-1, int(share*float64(len(all))))]
	}
	return spread{P50: at(0.50), P99: at(0.99), Max: all[len(all)-1]}
}

// timed runs f on a locked thread and returns the processor time of that
// thread. Engines that use other goroutines are measured too low by it; they
// are measured by the whole process instead.
func timed(f func(), process bool) time.Duration {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	clock := threadTime
	if process {
		clock = cpuTime
	}
	start := clock()
	f()
	return clock() - start
}
