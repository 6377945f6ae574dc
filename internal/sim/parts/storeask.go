package parts

import (
	"fmt"

	"github.com/openprecedent/precedent/internal/sim/des"
)

// ask wants nanoseconds of work of one shard for a query.
func (s *store) ask(q uint32, shard int, span float64) {
	s.shardQueries.Inc()
	if shard < s.down {
		s.queries[q].lost = true
		return
	}
	row := s.copyOf(shard)
	r := &s.rows[row]
	free := r.busy < s.cores && r.waiting == 0
	if !free && r.waiting >= int(s.set.Room) {
		s.queries[q].lost, s.queries[q].refused = true, true
		return
	}
	var a uint32
	if k := len(s.freeAsks); k > 0 {
		a = s.freeAsks[k-1]
		s.freeAsks = s.freeAsks[:k-1]
	} else {
		s.asks = append(s.asks, shardAsk{})
		a = uint32(len(s.asks) - 1)
	}
	s.asks[a] = shardAsk{query: q, row: row, prev: noAsk, next: noAsk, since: s.net.Sim.Now(), span: span, end: des.Never}
	s.queries[q].open++
	if free {
		s.start(a)
		return
	}
	s.push(r, a)
}

func (s *store) push(r *shardRow, a uint32) {
	s.asks[a].prev = r.last
	if r.last == noAsk {
		r.first = a
	} else {
		s.asks[r.last].next = a
	}
	r.last = a
	r.waiting++
	s.waiting.Add(1)
}

// pop takes who is next from the line of a row. There must be somebody.
func (s *store) pop(r *shardRow) uint32 {
	a := r.first
	if s.set.Order == "lifo" {
		a = r.last
	}
	k := &s.asks[a]
	if k.prev == noAsk {
		r.first = k.next
	} else {
		s.asks[k.prev].next = k.next
	}
	if k.next == noAsk {
		r.last = k.prev
	} else {
		s.asks[k.next].prev = k.prev
	}
	r.waiting--
	s.waiting.Add(-1)
	return a
}

// start gives a core to an ask.
func (s *store) start(a uint32) {
	k := &s.asks[a]
	s.rows[k.row].busy++
	s.busy.Add(1)
	s.wait.Measure(s.net.Sim.Now() - k.since)
	k.running = true
	s.run(a)
}

// run schedules the end of the work of an ask.
func (s *store) run(a uint32) {
	k := &s.asks[a]
	if s.speed == 0 {
		k.end = des.Never
		return
	}
	d := des.FromNanoseconds(k.span / s.speed)
	k.end = s.net.Sim.Now() + d
	s.net.Sim.After(d, s.self, 0, a)
}

// setSpeed changes how fast work is done, that under way included.
func (s *store) setSpeed(x float64) {
	now, old := s.net.Sim.Now(), s.speed
	s.speed = max(x, 0)
	for a := range s.asks {
		k := &s.asks[a]
		if !k.running {
			continue
		}
		if old > 0 {
			k.span = float64(float64(k.end-now) * old)
		}
		s.run(uint32(a))
	}
}

// Handle receives the end of the work of an ask. An event of another time is
// from before a change of speed.
func (s *store) Handle(_ uint16, a uint32) {
	k := &s.asks[a]
	if !k.running || k.end != s.net.Sim.Now() {
		return
	}
	row := k.row
	s.rows[row].busy--
	s.busy.Add(-1)
	k.running = false
	q := k.query
	s.freeAsks = append(s.freeAsks, a)
	s.queries[q].open--
	s.queries[q].answered++
	s.settle(q)
	s.serve(row)
}

// serve gives the cores of a copy to those who wait. What nobody wants any more
// is passed over.
func (s *store) serve(row uint32) {
	for s.rows[row].busy < s.cores && s.rows[row].waiting > 0 {
		a := s.pop(&s.rows[row])
		q := s.asks[a].query
		qu := &s.queries[q]
		if !qu.gone && s.set.Expired == "drop" {
			call := s.net.call(qu.call)
			qu.late = qu.late || call.abandon || call.deadline < s.net.Sim.Now()
		}
		if qu.gone || qu.late {
			s.freeAsks = append(s.freeAsks, a)
			qu.open--
			s.settle(q)
			continue
		}
		s.start(a)
	}
}

func (s *store) serveAll() {
	for row := range s.rows {
		s.serve(uint32(row))
	}
}

// settle ends a query of which no shard is still asked.
func (s *store) settle(q uint32) {
	qu := s.queries[q]
	if qu.open > 0 || qu.held {
		return
	}
	s.free = append(s.free, q)
	if qu.gone {
		return
	}
	s.inside.Add(-1)
	if !s.net.Waited(qu.call) {
		s.wasted.Inc()
	}
	switch {
	case qu.late:
		s.expired.Inc()
		s.net.Drop(qu.call)
	case qu.lost && qu.refused && qu.answered == 0:
		s.refused.Inc()
		s.net.Reply(qu.call, Refused)
	case qu.lost && (!s.set.Partial || qu.answered == 0):
		s.failed.Inc()
		s.net.Reply(qu.call, Failed)
	default:
		s.done.Inc()
		s.net.Reply(qu.call, OK)
	}
}

// Withdraw ends a query: what waits for it is passed over, while a shard that
// works for it does so to the end.
func (s *store) Withdraw(c CallID) {
	q := s.net.call(c).local
	s.withdrawn.Inc()
	s.inside.Add(-1)
	s.queries[q].gone = true
	s.net.Drop(c)
}

func (s *store) conserved() error {
	out := s.done.Total() + s.failed.Total() + s.refused.Total() + s.expired.Total() + s.withdrawn.Total()
	if s.arrived.Total() != out+s.inside.Value() {
		return fmt.Errorf("%d arrived, %d have left and %d are inside", s.arrived.Total(), out, s.inside.Value())
	}
	busy, waiting := 0, 0
	for i := range s.rows {
		busy += s.rows[i].busy
		waiting += s.rows[i].waiting
	}
	if int64(busy) != s.busy.Value() || int64(waiting) != s.waiting.Value() {
		return fmt.Errorf("the shards work for %d and let %d wait, %d and %d are counted", busy, waiting, s.busy.Value(), s.waiting.Value())
	}
	return nil
}
