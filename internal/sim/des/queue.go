package des

import (
	"math/bits"
	"slices"
)

// event is 24 bytes: no pointers, so that the queue is nothing to the garbage
// collector, and three words, so that the compiler keeps one in registers. Of
// more fields it would make a record in memory, to be put together and copied at
// each step.
type event struct {
	at   Time
	seq  uint64
	what what
}

// what is a target, a kind and an argument.
type what uint64

func whatOf(to Target, kind uint16, arg uint32) what {
	return what(to)<<48 | what(kind)<<32 | what(arg)
}

func (w what) to() Target   { return Target(w >> 48) }
func (w what) kind() uint16 { return uint16(w >> 32) }
func (w what) arg() uint32  { return uint32(w) }

// before is the order of events: by time, then in the order of scheduling.
func (e event) before(o event) bool {
	return e.at < o.at || e.at == o.at && e.seq < o.seq
}

// earlier is 1 where e comes before o and else 0, without a jump: which of two
// events in a heap is the first one cannot be predicted.
func (e event) earlier(o event) int {
	_, less := bits.Sub64(e.seq, o.seq, 0)
	_, less = bits.Sub64(uint64(e.at), uint64(o.at), less)
	return int(less)
}

// queue holds the pending events in two tiers. The near tier is a heap of the
// events before the horizon. While few are pending, that is all of them. With
// many, the far tier keeps the later ones unsorted in buckets of equal spans
// and hands one bucket at a time to the heap, as a ladder queue does (Tang, Goh
// and Thng, ACM TOMACS 15(3), 2005): an event is then moved a few times in
// sequence instead of being sifted through a heap larger than the caches.
type queue struct {
	near      []event
	hole      bool // the first event of near was taken
	nearLimit int  // a larger heap is spread
	horizon   Time // events at or after it are far
	rungs     []rung
	chunks    []chunk
	free      int32   // first free chunk, -1 if there is none
	top       []event // events after the span of the rungs
	topAt     Time    // where top begins
	far       int     // events in rungs and top
	moved     []event // on their way from a bucket to a rung
}

// rung is a row of buckets that covers the time from start to limit; each
// further rung splits one bucket of the one before it.
type rung struct {
	start, limit Time
	shift        uint // a bucket spans 2^shift nanoseconds
	current      int  // first bucket that was not handed on
	buckets      []bucket
}

// bucket is a list of events in the order of scheduling, in chunks.
type bucket struct {
	first, last int32 // chunks; where there are no events, they mean nothing
	events      int32
}

// chunk is a piece of a bucket. Chunks are used again, so that a queue of
// steady length allocates nothing, and small, since most buckets hold few
// events.
type chunk struct {
	events [chunkLen]event
	next   int32 // of the bucket, or of the free chunks; -1 ends the list
}

const chunkLen = 16

const (
	nearMax   = 1024 // a heap of this size still fits the first-level cache
	bucketMax = 512  // a bucket with more events is split into a rung
	bucketFew = 16   // events a bucket of a new rung gets on average, at least
	rungMax   = 4096 // buckets of a rung
	rungDepth = 8
)

func (q *queue) init() {
	q.horizon, q.topAt, q.nearLimit, q.free = Never, Never, nearMax, -1
}

func (q *queue) len() int {
	n := len(q.near) + q.far
	if q.hole {
		n--
	}
	return n
}

func (q *queue) push(e event) {
	if e.at < q.horizon {
		q.sift(e)
		if len(q.near) > q.nearLimit {
			q.spread()
		}
		return
	}
	q.far++
	if e.at >= q.topAt {
		q.top = append(q.top, e)
		return
	}
	// The rungs cover the time from the horizon to the top without a gap; the
	// last one is the nearest.
	i := len(q.rungs) - 1
	for e.at >= q.rungs[i].limit {
		i--
	}
	q.put(&q.rungs[i], e)
}

// put appends e to its bucket of r.
func (q *queue) put(r *rung, e event) {
	b := &r.buckets[uint64(e.at-r.start)>>r.shift]
	place := b.events % chunkLen
	if place == 0 {
		c := q.chunk()
		if b.events == 0 {
			b.first = c
		} else {
			q.chunks[b.last].next = c
		}
		b.last = c
	}
	q.chunks[b.last].events[place] = e
	b.events++
}

// chunk returns an empty chunk.
func (q *queue) chunk() int32 {
	c := q.free
	if c < 0 {
		q.chunks = append(q.chunks, chunk{next: -1})
		return int32(len(q.chunks) - 1)
	}
	q.free = q.chunks[c].next
	q.chunks[c].next = -1
	return c
}

// empty appends the events of a bucket to dst and leaves the bucket empty.
func (q *queue) empty(b *bucket, dst []event) []event {
	if b.events == 0 {
		return dst
	}
	left := int(b.events)
	for c := b.first; c >= 0; c = q.chunks[c].next {
		n := min(left, chunkLen)
		dst = append(dst, q.chunks[c].events[:n]...)
		left -= n
	}
	q.chunks[b.last].next = q.free
	q.free = b.first
	b.events = 0
	return dst
}

// next returns the first event, nil if there is none. Who takes it sets hole: its
// place is then free until the next call, since an event mostly schedules
// another one, which takes the place at once.
func (q *queue) next() *event {
	if (q.hole || len(q.near) == 0) && !q.advance() {
		return nil
	}
	return &q.near[0]
}

// advance closes the hole, brings events near where there are none, and reports
// whether there are any.
func (q *queue) advance() bool {
	if q.hole {
		q.hole = false
		n := len(q.near) - 1
		last := q.near[n]
		q.near = q.near[:n]
		if n > 0 {
			settle(q.near, 0, last)
		}
	}
	return len(q.near) > 0 || q.refill()
}

// sift puts e into the heap.
func (q *queue) sift(e event) {
	if q.hole {
		q.hole = false
		settle(q.near, 0, e)
		return
	}
	q.near = append(q.near, e)
	h := q.near
	i := len(h) - 1
	for i > 0 {
		parent := (i - 1) / 2
		if !e.before(h[parent]) {
			break
		}
		h[i] = h[parent]
		i = parent
	}
	h[i] = e
}

// settle puts e at i or below it, where its children are in order.
func settle(h []event, i int, e event) {
	for child := 2*i + 1; child < len(h); child = 2*i + 1 {
		if child+1 < len(h) {
			child += h[child+1].earlier(h[child])
		}
		first := h[child]
		if !first.before(e) {
			break
		}
		h[i] = first
		i = child
	}
	h[i] = e
}

// spread turns a heap that has outgrown the cache into a rung.
func (q *queue) spread() {
	q.far += len(q.near)
	if q.horizon == Never {
		q.top = append(q.top, q.near...)
		q.near = q.near[:0]
		q.refill()
		return
	}
	if len(q.rungs) >= rungDepth {
		q.far -= len(q.near)
		q.nearLimit *= 2 // it stays a heap; look again when it has doubled
		return
	}
	first := q.near[0].at
	q.addRung(q.near, first, q.horizon)
	q.near = q.near[:0]
	q.refill()
}

// addRung spreads events, which come at or after start and before limit, over
// the buckets of a new nearest rung.
func (q *queue) addRung(events []event, start, limit Time) {
	n := min(max(len(events)/bucketFew, 2), rungMax)
	shift := uint(bits.Len64(uint64((limit - start - 1) / Time(n))))
	if len(q.rungs) < cap(q.rungs) { // take up the buckets of a rung that has ended
		q.rungs = q.rungs[:len(q.rungs)+1]
	} else {
		q.rungs = append(q.rungs, rung{})
	}
	r := &q.rungs[len(q.rungs)-1]
	r.start, r.limit, r.shift, r.current = start, limit, shift, 0
	r.buckets = slices.Grow(r.buckets[:0], n)[:n] // what was used before was left empty
	for _, e := range events {
		q.put(r, e)
	}
}

// refill brings the nearest far events into the empty heap and reports whether
// there were any.
func (q *queue) refill() bool {
	for q.far > 0 {
		if len(q.rungs) == 0 {
			if len(q.top) <= nearMax/2 { // few enough for the heap alone
				q.near = append(q.near[:0], q.top...)
				q.top = q.top[:0]
				q.take()
				q.horizon, q.topAt = Never, Never
				return true
			}
			first, last := span(q.top)
			q.topAt = last + 1
			q.addRung(q.top, first, q.topAt)
			q.top = q.top[:0]
		}
		r := &q.rungs[len(q.rungs)-1]
		for r.current < len(r.buckets) && r.buckets[r.current].events == 0 {
			r.current++
		}
		if r.current == len(r.buckets) {
			q.rungs = q.rungs[:len(q.rungs)-1]
			continue
		}
		b := &r.buckets[r.current]
		start := r.start + Time(r.current)<<r.shift
		end := r.limit
		if width := Time(1) << r.shift; end-start > width { // start+width may overflow
			end = start + width
		}
		r.current++
		if b.events > bucketMax && r.shift > 0 && len(q.rungs) < rungDepth {
			q.moved = q.empty(b, q.moved[:0])
			q.addRung(q.moved, start, end)
			continue
		}
		q.horizon = end
		q.near = q.empty(b, q.near[:0])
		q.take()
		return true
	}
	q.horizon, q.topAt, q.nearLimit = Never, Never, nearMax
	q.rungs = q.rungs[:0]
	return false
}

// span returns the first and the last instant of events.
func span(events []event) (first, last Time) {
	first, last = Never, 0
	for i := range events {
		first, last = min(first, events[i].at), max(last, events[i].at)
	}
	return first, last
}

// take makes a heap of the events that came to the near tier.
func (q *queue) take() {
	q.far -= len(q.near)
	q.nearLimit = max(nearMax, 2*len(q.near))
	for i := len(q.near)/2 - 1; i >= 0; i-- {
		settle(q.near, i, q.near[i])
	}
}
