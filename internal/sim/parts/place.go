package parts

import "fmt"

// lumps bounds the steps in which the light items of a host move.
const lumps = 32

// takeOut takes a host out and moves its items to the others, if there are any.
func (s *heartbeats) takeOut(i uint32) {
	row := &s.rows[i]
	row.in = false
	s.note(row)
	s.healthy.Add(-1)
	if s.healthy.Value() == 0 {
		return
	}
	for k := range s.home {
		if s.home[k] != i {
			continue
		}
		to := s.least(Unlimited)
		s.home[k] = to
		row.heavy--
		row.traffic -= s.traffic[k]
		s.rows[to].heavy++
		s.rows[to].traffic += s.traffic[k]
		s.gain(to, float64(s.set.PerHeavy))
		s.moved.Inc()
	}
	step := max((row.light+lumps-1)/lumps, 1)
	for row.light > 0 {
		to := s.least(s.set.Place.Chunk)
		n := min(step, row.light)
		if room := int64(s.set.Place.Chunk) - s.rows[to].got; room > 0 {
			n = min(n, room)
		}
		row.light -= n
		row.traffic -= n * s.perLight
		s.rows[to].light += n
		s.rows[to].traffic += n * s.perLight
		s.rows[to].got += n
		s.gain(to, float64(float64(n)*float64(s.set.PerLight)))
		s.moved.Add(int(n))
	}
	row.pending = 0
	s.settleGains()
}

func (s *heartbeats) gain(to uint32, size float64) { s.rows[to].gained += size }

// settleGains asks for the connections of all items that have moved, a call for
// each host that has got some.
func (s *heartbeats) settleGains() {
	most := int64(0)
	for i := range s.rows {
		row := &s.rows[i]
		most = max(most, row.light+row.heavy)
		size := row.gained
		row.gained, row.got = 0, 0
		if size > 0 && s.connect != nil {
			row.pending += size
			s.askConnections(link{host: uint32(i), size: size}, size)
		}
	}
	s.most.Set(most)
}

// least returns the healthy host with the least of what is balanced, of several
// a random one, and prefers those that have got fewer light items than a limit.
func (s *heartbeats) least(chunk Limit) uint32 {
	best, bestLoad, bestFull := -1, 0.0, false
	start := s.place.IntN(len(s.rows))
	for k := range s.rows {
		i := start + k
		if i >= len(s.rows) {
			i -= len(s.rows)
		}
		row := &s.rows[i]
		if !row.in {
			continue
		}
		full := row.got >= int64(chunk)
		load := s.load(row)
		if best < 0 || bestFull && !full || full == bestFull && load < bestLoad {
			best, bestLoad, bestFull = i, load, full
		}
	}
	return uint32(best)
}

// load returns the load of a host against that of all.
func (s *heartbeats) load(row *beating) float64 {
	traffic := float64(row.traffic) / max(s.allTraffic, 1)
	count := float64(row.heavy+row.light) / s.allItems
	switch s.set.Place.By {
	case "count":
		return count
	case "both":
		return max(traffic, count)
	}
	return traffic
}

func (s *heartbeats) itemsConserved() error {
	heavy, light, in := int64(0), int64(0), int64(0)
	for i := range s.rows {
		heavy += s.rows[i].heavy
		light += s.rows[i].light
		if s.rows[i].in {
			in++
		}
	}
	n := int64(len(s.rows))
	if heavy != n*int64(s.set.Heavy) || light != n*int64(s.set.Light) {
		return fmt.Errorf("%d heavy and %d light items, at first there were %d and %d",
			heavy, light, n*int64(s.set.Heavy), n*int64(s.set.Light))
	}
	if in != s.healthy.Value() {
		return fmt.Errorf("%d hosts are healthy, the gauge shows %d", in, s.healthy.Value())
	}
	return nil
}
