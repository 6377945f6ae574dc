package serve

import (
	"net/netip"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// Price list of one address: units a second, and how many it may save up. A
// reader who clicks never notices; a search box that asks at every key press
// of a fast typist (10 a second, 5 units each) stays within it.
const (
	unitsPerSecond = 100
	unitsSaved     = 400
)

// maxAddresses bounds the memory for buckets to about 6 MB, whoever comes.
const maxAddresses = 32_768

// buckets holds a token bucket for each address that was seen lately.
//
// The table is kept in two generations. When the young one is full or as old
// as a bucket needs to fill up, it becomes the old one and the old one is
// forgotten. A bucket that nobody touched that long is full, so forgetting it
// changes nothing; only somebody with more than half of maxAddresses addresses
// gains by it, and the gate is there for those.
type buckets struct {
	limit rate.Limit
	burst int
	size  int // addresses in a generation

	mu         sync.Mutex
	young, old map[netip.Addr]*rate.Limiter
	turned     time.Time
}

// newBuckets returns buckets of scale times the price list.
func newBuckets(scale float64) *buckets {
	return &buckets{
		limit: rate.Limit(unitsPerSecond * scale), burst: max(int(unitsSaved*scale), classBulk.cost),
		size: maxAddresses / 2, young: map[netip.Addr]*rate.Limiter{}, turned: time.Now(),
	}
}

// take pays cost from the bucket of an address. Where there is not enough in
// it, nothing is paid and take returns how long it needs to fill up so far.
func (b *buckets) take(addr netip.Addr, cost int) (wait time.Duration) {
	if cost == 0 {
		return 0
	}
	now := time.Now()
	limiter := b.bucket(neighbourhood(addr), now)
	reservation := limiter.ReserveN(now, cost)
	wait = reservation.DelayFrom(now)
	if wait > 0 {
		reservation.CancelAt(now)
	}
	return wait
}

func (b *buckets) bucket(addr netip.Addr, now time.Time) *rate.Limiter {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.young) >= b.size || now.Sub(b.turned) > b.fill() {
		b.old, b.young, b.turned = b.young, map[netip.Addr]*rate.Limiter{}, now
	}
	if limiter, ok := b.young[addr]; ok {
		return limiter
	}
	limiter, ok := b.old[addr]
	if !ok {
		limiter = rate.NewLimiter(b.limit, b.burst)
	}
	b.young[addr] = limiter
	return limiter
}

// fill is the time in which an empty bucket becomes full.
func (b *buckets) fill() time.Duration {
	return time.Duration(float64(b.burst) / float64(b.limit) * float64(time.Second))
}
