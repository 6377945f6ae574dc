package parts

import "fmt"

// lumps bounds the steps in which the light items of a host move.
const lumps = 32

// noHost is the host of an item that has none.
const noHost = ^uint32(0)

// takeOut takes a host out and moves its items to the others, as far as these
// have room.
func (s *heartbeats) takeOut(i uint32) {
	row := &s.rows[i]
	row.in = false
	s.note(row)
	s.healthy.Add(-1)
	if row.heavy > 0 {
		for k := range s.home {
			if s.home[k] == i {
				s.home[k] = noHost
			}
		}
	}
	s.looseHeavy += row.heavy
	s.looseLight += row.light
	row.heavy, row.light, row.traffic, row.pending = 0, 0, 0, 0
	row.turn++
	s.dropConnections(i)
	s.placeLoose()
}

// placeLoose gives the items that have no host to hosts that have room.
func (s *heartbeats) placeLoose() {
	if s.looseHeavy > 0 {
		for k := range s.home {
			if s.home[k] == noHost && !s.placeHeavy(k) {
				break
			}
		}
	}
	s.placeLight()
	s.settleGains()
}

// placeHeavy gives a heavy item to the host with the least of what is balanced,
// and reports whether there was one with room.
func (s *heartbeats) placeHeavy(k int) bool {
	to := s.least(Unlimited)
	if to < 0 {
		return false
	}
	row := &s.rows[to]
	s.home[k] = uint32(to)
	row.heavy++
	row.traffic += s.traffic[k]
	row.gained += float64(s.set.PerHeavy)
	s.looseHeavy--
	s.moved.Inc()
	return true
}

// placeLight gives light items to the hosts with the least of what is balanced.
func (s *heartbeats) placeLight() {
	for step := max((s.looseLight+lumps-1)/lumps, 1); s.looseLight > 0; {
		to := s.least(s.set.Place.Chunk)
		if to < 0 {
			return
		}
		row := &s.rows[to]
		n := min(step, s.looseLight, s.room(row))
		if left := int64(s.set.Place.Chunk) - row.got; left > 0 {
			n = min(n, left)
		}
		row.light += n
		row.traffic += n * s.perLight
		row.got += n
		row.gained += float64(float64(n) * float64(s.set.PerLight))
		s.looseLight -= n
		s.moved.Add(int(n))
	}
}

// room returns how many more items a host can hold.
func (s *heartbeats) room(row *beating) int64 { return int64(s.set.Place.Room) - row.light - row.heavy }

// setLight takes light items away, from each host in proportion, or brings them
// back.
func (s *heartbeats) setLight(share float64) {
	old := s.lightShare
	s.lightShare = share
	want := s.lightItems()
	s.allItems = float64(int64(len(s.rows))*int64(s.set.Heavy) + want)
	have := s.looseLight
	for i := range s.rows {
		have += s.rows[i].light
	}
	if share >= old {
		s.allTraffic += float64((want - have) * s.perLight)
		s.looseLight += want - have
		s.placeLoose()
		return
	}
	if have > 0 {
		keep := s.looseLight * want / have
		have -= s.looseLight
		want -= keep
		s.allTraffic -= float64((s.looseLight - keep) * s.perLight)
		s.looseLight = keep
	}
	for i := range s.rows {
		row := &s.rows[i]
		keep := int64(0)
		if have > 0 { // of what is left over by rounding, each host bears its part
			keep = row.light * want / have
		}
		have -= row.light
		want -= keep
		s.dropLight(uint32(i), row.light-keep)
	}
	s.placeLoose()
}

// lightItems returns how many light items there are to be.
func (s *heartbeats) lightItems() int64 {
	all := float64(float64(len(s.rows)) * float64(s.set.Light))
	return int64(float64(all*s.lightShare) + 0.5)
}

// settleGains asks for the connections of all items that have moved, a call for
// each host that has got some.
func (s *heartbeats) settleGains() {
	for i := range s.rows {
		row := &s.rows[i]
		size := row.gained
		row.gained, row.got = 0, 0
		if size > 0 && s.connect != nil {
			row.pending += size
			s.askConnections(link{host: uint32(i), turn: row.turn, size: size}, size)
		}
	}
	s.measureMost()
	s.loose.Set(s.looseHeavy + s.looseLight)
}

// measureMost notes the most items and the most traffic that a host has.
func (s *heartbeats) measureMost() {
	items, traffic := int64(0), int64(0)
	for i := range s.rows {
		items = max(items, s.rows[i].light+s.rows[i].heavy)
		traffic = max(traffic, s.rows[i].traffic)
	}
	s.most.Set(items)
	mean := max(s.allTraffic/float64(len(s.rows)), 1)
	s.mostTraffic.Set(int64(float64(float64(traffic)/mean*100) + 0.5))
}

// least returns the healthy host with room that has the least of what is
// balanced, of several a random one, and prefers those that have got fewer light
// items than a limit. Without one it returns -1.
func (s *heartbeats) least(chunk Limit) int {
	best, bestLoad, bestFull := -1, 0.0, false
	start := s.place.IntN(len(s.rows))
	for k := range s.rows {
		i := start + k
		if i >= len(s.rows) {
			i -= len(s.rows)
		}
		row := &s.rows[i]
		if !row.in || s.room(row) <= 0 {
			continue
		}
		full := row.got >= int64(chunk)
		load := s.load(row)
		if best < 0 || bestFull && !full || full == bestFull && load < bestLoad {
			best, bestLoad, bestFull = i, load, full
		}
	}
	return best
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
	heavy, light, in := s.looseHeavy, s.looseLight, int64(0)
	for i := range s.rows {
		heavy += s.rows[i].heavy
		light += s.rows[i].light
		if s.rows[i].in {
			in++
		}
	}
	n := int64(len(s.rows))
	if heavy != n*int64(s.set.Heavy) || light != s.lightItems() {
		return fmt.Errorf("%d heavy and %d light items, there should be %d and %d",
			heavy, light, n*int64(s.set.Heavy), s.lightItems())
	}
	if in != s.healthy.Value() {
		return fmt.Errorf("%d hosts are healthy, the gauge shows %d", in, s.healthy.Value())
	}
	return nil
}
