package serve

import (
	"encoding/binary"
	"net/netip"
	"testing"
	"testing/synctest"
	"time"
)

// number returns the i-th IPv4 address.
func number(i int) netip.Addr {
	var b [4]byte
	binary.BigEndian.PutUint32(b[:], uint32(i)+1<<24)
	return netip.AddrFrom4(b)
}

func TestBuckets(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBuckets(1)
		one := number(1)
		for i := range unitsSaved / classSearch.cost {
			if wait := b.take(one, classSearch.cost); wait != 0 {
				t.Fatalf("search %d of what may be saved up waits %v, want no wait", i, wait)
			}
		}
		want := time.Second * time.Duration(classSearch.cost) / unitsPerSecond
		if got := b.take(one, classSearch.cost); got != want {
			t.Errorf("one search too many waits %v, want %v", got, want)
		}
		if got := b.take(number(2), classSearch.cost); got != 0 {
			t.Errorf("another address waits %v for its neighbour, want no wait", got)
		}
		time.Sleep(want)
		if got := b.take(one, classSearch.cost); got != 0 {
			t.Errorf("after the wait, wait %v, want none", got)
		}
		if got := b.take(one, 0); got != 0 {
			t.Errorf("what is free waits %v", got)
		}
	})
}

func TestBucketsBoundMemory(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBuckets(1)
		busy := netip.MustParseAddr("2001:db8::1")
		b.take(busy, unitsSaved)
		for i := range 3 * maxAddresses {
			b.take(number(i), 1)
			if i%1000 == 0 && b.take(busy, 1) == 0 {
				t.Fatalf("an address that keeps asking was forgotten after %d others", i)
			}
		}
		if got := len(b.young) + len(b.old); got > maxAddresses {
			t.Errorf("%d buckets, want at most %d", got, maxAddresses)
		}
		// Quiet times empty the table, two generations later.
		for range 2 {
			time.Sleep(b.fill() + time.Second)
			b.take(number(1), 1)
		}
		if len(b.young) != 1 || len(b.old) != 1 {
			t.Errorf("%d and %d buckets after a quiet time, want the one that was used", len(b.young), len(b.old))
		}
	})
}

func TestBucketsForgetNoDebt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBuckets(1)
		b.take(number(1), unitsSaved)
		// Generations turn by age, but never within the time a bucket fills in.
		for waited := time.Duration(0); waited < b.fill()-time.Second; waited += 100 * time.Millisecond {
			time.Sleep(100 * time.Millisecond)
			b.take(number(2), 1)
		}
		if got := b.take(number(1), unitsSaved); got == 0 {
			t.Error("a debt was forgotten before it was paid")
		}
	})
}
