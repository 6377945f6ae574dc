package parts

import (
	"fmt"
	"slices"

	"github.com/openprecedent/precedent/internal/sim/des"
)

// hash spreads the bits of x (the finaliser of SplitMix64).
func hash(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// nodeOf returns the node of a key.
func (s *cache) nodeOf(key uint32) *cacheNode {
	if len(s.nodes) == 1 {
		return &s.nodes[0]
	}
	return &s.nodes[hash(uint64(key)^nodeSalt)%uint64(len(s.nodes))]
}

// nodeSalt keeps the nodes of keys apart from other uses of their hash.
const nodeSalt = 0x6e6f6465

// serves reports whether there is somebody to ask.
func (nd *cacheNode) serves() bool { return nd.state == nodeHere || nd.state == nodeSpared }

// grow makes room for what is kept of a key.
func (s *cache) grow(key uint32) {
	if more := int(key) + 1 - len(s.held); more > 1 { // a warm cache has many at once
		s.held = slices.Grow(s.held, more)
		if s.set.TTL > 0 {
			s.until = slices.Grow(s.until, more)
		}
		if s.set.Capacity != Unlimited {
			s.prev, s.next = slices.Grow(s.prev, more), slices.Grow(s.next, more)
		}
	}
	for n := len(s.held); n <= int(key); n++ {
		s.held = append(s.held, 0)
		if s.set.TTL > 0 {
			s.until = append(s.until, 0)
		}
		if s.set.Capacity != Unlimited {
			s.prev, s.next = append(s.prev, noKey), append(s.next, noKey)
		}
		if s.set.Single {
			s.flights = append(s.flights, noVisit)
		}
	}
}

// holds reports whether a key is held that has not outlived its ttl by more
// than a grace.
func (s *cache) holds(key uint32, grace des.Time) bool {
	if int(key) >= len(s.held) || s.held[key] != s.nodeOf(key).epoch {
		return false
	}
	return s.set.TTL == 0 || s.net.Sim.Now() < s.until[key]+grace
}

// touch notes the use of a key that is held.
func (s *cache) touch(key uint32) {
	if s.set.Sliding {
		s.until[key] = s.net.Sim.Now() + s.life()
	}
	if s.set.Capacity != Unlimited {
		nd := s.nodeOf(key)
		s.unlink(nd, key)
		s.link(nd, key)
	}
}

// life draws how long a key is held.
func (s *cache) life() des.Time {
	d := s.set.TTL.Time()
	if s.set.Jitter > 0 {
		part := float64(float64(s.set.Jitter) * s.ttl.Float64())
		d -= des.FromNanoseconds(float64(float64(d) * part))
	}
	return d
}

// warm lets the first n keys be held, each for a part of its ttl. The first ones
// are the most wanted, so they come last.
func (s *cache) warm(n uint32) {
	for key := n; key > 0; key-- {
		s.put(key-1, s.ttl.Float64())
	}
}

// put stores a key for a part of its ttl.
func (s *cache) put(key uint32, part float64) {
	nd := s.nodeOf(key)
	if !nd.serves() {
		return
	}
	s.grow(key)
	if s.set.TTL > 0 {
		s.until[key] = s.net.Sim.Now() + des.FromNanoseconds(float64(float64(s.life())*part))
	}
	if s.held[key] == nd.epoch {
		if s.set.Capacity != Unlimited {
			s.unlink(nd, key)
			s.link(nd, key)
		}
		return
	}
	s.held[key] = nd.epoch
	nd.count++
	s.items.Add(1)
	if s.set.Capacity == Unlimited {
		return
	}
	s.link(nd, key)
	if nd.count > int(s.set.Capacity) {
		s.evicted.Inc()
		s.drop(nd, nd.last)
	}
}

// drop loses a key that is held.
func (s *cache) drop(nd *cacheNode, key uint32) {
	s.held[key] = 0
	nd.count--
	s.items.Add(-1)
	if s.set.Capacity != Unlimited {
		s.unlink(nd, key)
	}
}

// link makes a key the last used one of its node.
func (s *cache) link(nd *cacheNode, key uint32) {
	s.prev[key], s.next[key] = noKey, nd.first
	if nd.first == noKey {
		nd.last = key
	} else {
		s.prev[nd.first] = key
	}
	nd.first = key
}

func (s *cache) unlink(nd *cacheNode, key uint32) {
	if p := s.prev[key]; p == noKey {
		nd.first = s.next[key]
	} else {
		s.next[p] = s.next[key]
	}
	if n := s.next[key]; n == noKey {
		nd.last = s.prev[key]
	} else {
		s.prev[n] = s.prev[key]
	}
}

// store keeps what a call has brought: one key, or those that its visit needs.
func (s *cache) store(vi *visit, i uint32) {
	call := s.net.call(vi.call)
	if s.each || s.perCall == 1 {
		s.fills.Inc()
		s.put(s.key(call, i), 1)
		return
	}
	for i := range s.perCall {
		if key := s.key(call, i); !s.misses || !s.holds(key, 0) {
			s.fills.Inc()
			s.put(key, 1)
		}
	}
}

// fetched ends a visit whose calls have all ended, and those that wait for the
// same key.
func (s *cache) fetched(v uint32) {
	vi := &s.visits[v]
	o := OK
	if vi.failed {
		o = Failed
		if s.set.Stale > 0 && s.outdated(vi) {
			o = OK
			s.stale.Inc()
		}
	}
	first := len(s.told)
	for c := vi.followers; c != noCall; c = s.net.call(c).next {
		s.net.call(c).local = told | uint32(len(s.told))
		s.told = append(s.told, c)
	}
	if s.set.Single {
		s.flights[s.net.call(vi.call).key] = noVisit
	}
	s.answer(v, o)
	for i := first; i < len(s.told); i++ { // an answer may let another caller go
		if c := s.told[i]; c != noCall {
			s.told[i] = noCall
			s.tell(c, o)
		}
	}
	s.told = s.told[:first]
}

// outdated reports whether all keys of a visit are held, if only past their
// ttl.
func (s *cache) outdated(vi *visit) bool {
	call := s.net.call(vi.call)
	for i := range s.perCall {
		if key := s.key(call, i); !s.nodeOf(key).serves() || !s.holds(key, s.set.Stale.Time()) {
			return false
		}
	}
	return true
}

// answer ends a visit.
func (s *cache) answer(v uint32, o Outcome) {
	vi := &s.visits[v]
	c := vi.call
	gone := vi.gone
	s.release(v)
	if gone { // it was withdrawn while others waited for its key
		s.net.Drop(c)
		return
	}
	s.tell(c, o)
}

// release frees the record of a visit.
func (s *cache) release(v uint32) {
	s.visits[v].state = visitGone
	s.free = append(s.free, v)
}

// tell answers a call.
func (s *cache) tell(c CallID, o Outcome) {
	s.inside.Add(-1)
	if o == OK {
		s.done.Inc()
	} else {
		s.failed.Inc()
	}
	s.net.Reply(c, o)
}

// Withdraw ends what is done for a call. What others wait for, too, goes on.
func (s *cache) Withdraw(c CallID) {
	s.withdrawn.Inc()
	s.inside.Add(-1)
	call := s.net.call(c)
	v := call.local
	if v == follower {
		s.unfollow(call)
		s.net.Drop(c)
		return
	}
	if v&told != 0 {
		s.told[v&^told] = noCall
		s.net.Drop(c)
		return
	}
	vi := &s.visits[v]
	if vi.followers != noCall {
		vi.gone = true // the record of the call is kept for its key
		return
	}
	if vi.state == visitFetching {
		if s.set.Single {
			s.flights[call.key] = noVisit
		}
		for i := range s.perCall {
			if slot := s.slots[v*s.perCall+i]; slot != noSlot {
				s.out.withdraw(slot, v*s.perCall+i)
			}
		}
	}
	s.release(v)
	s.net.Drop(c)
}

// unfollow takes a call out of those that wait for another one's key.
func (s *cache) unfollow(call *call) {
	if call.next != noCall {
		s.net.call(call.next).prev = call.prev
	}
	if call.prev != noCall {
		s.net.call(call.prev).next = call.next
		return
	}
	s.visits[s.flights[call.key]].followers = call.next
}

// flush loses a share of the keys at once.
func (s *cache) flush(share float64) {
	if share >= 1 {
		for i := range s.nodes {
			s.empty(&s.nodes[i])
		}
		return
	}
	for key := range s.held {
		if nd := s.nodeOf(uint32(key)); s.held[key] == nd.epoch && s.lots.Bool(share) {
			s.drop(nd, uint32(key))
		}
	}
}

// empty lets a node lose its keys: none was stored in its new epoch.
func (s *cache) empty(nd *cacheNode) {
	s.items.Add(-int64(nd.count))
	nd.epoch++
	nd.count, nd.first, nd.last = 0, noKey, noKey
}

// lose lets n nodes go away, in turn.
func (s *cache) lose(n int) {
	for range min(n, len(s.nodes)) {
		i := s.lost % len(s.nodes)
		nd := &s.nodes[i]
		if nd.state != nodeHere {
			return // all are away
		}
		s.lost++
		nd.state, nd.since = nodeAway, s.net.Sim.Now()
		s.away.Add(1)
		if s.set.Grace > 0 {
			s.net.Sim.After(s.set.Grace.Time(), s.self, cacheGrace, uint32(i))
			continue
		}
		s.takeOut(nd)
	}
}

// takeOut puts a spare in the place of a node that is away, if there is one.
func (s *cache) takeOut(nd *cacheNode) {
	nd.state = nodeOut
	if s.spares > 0 {
		s.spares--
		s.empty(nd)
		nd.state = nodeSpared
	}
}

// comeBack lets n nodes return, in the order in which they went away. One that a
// spare stands in for becomes a spare.
func (s *cache) comeBack(n int) {
	for ; n > 0 && s.returned < s.lost; n-- {
		nd := &s.nodes[s.returned%len(s.nodes)]
		s.returned++
		s.away.Add(-1)
		switch {
		case nd.state == nodeSpared:
			s.spares++
		case nd.state == nodeOut && !s.set.Keep:
			s.empty(nd)
		}
		nd.state = nodeHere
	}
}

func (s *cache) conserved() error {
	out := s.done.Total() + s.failed.Total() + s.withdrawn.Total()
	if s.arrived.Total() != out+s.inside.Value() {
		return fmt.Errorf("%d arrived, %d have left and %d are inside", s.arrived.Total(), out, s.inside.Value())
	}
	held := 0
	for i := range s.nodes {
		held += s.nodes[i].count
	}
	if int64(held) != s.items.Value() {
		return fmt.Errorf("the nodes hold %d keys, %d are counted", held, s.items.Value())
	}
	return nil
}
