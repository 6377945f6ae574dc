package parts

import "github.com/openprecedent/precedent/internal/sim/des"

// link is what a call for connections is for.
type link struct {
	host uint32
	turn uint32  // of the host: for items of an earlier one nobody waits
	size float64 // of items; 0 for the channel of the host
	slot uint32  // of the request
	open bool
}

// linkUp asks for the channel on which a host reports.
func (s *heartbeats) linkUp(i uint32) {
	s.rows[i].mute = true
	s.askConnections(link{host: i}, 1)
}

func (s *heartbeats) askConnections(l link, size float64) {
	var j uint32
	if k := len(s.freeLinks); k > 0 {
		j = s.freeLinks[k-1]
		s.freeLinks = s.freeLinks[:k-1]
	} else {
		s.linked = append(s.linked, link{})
		j = uint32(len(s.linked) - 1)
	}
	l.open = true
	s.linked[j] = l
	s.connecting.Add(1)
	slot := s.connect.ask(want{token: j, key: l.host, size: float32(size), deadline: des.Never})
	if s.linked[j].open {
		s.linked[j].slot = slot
	}
}

// dropConnections withdraws the calls for connections of items that a host has
// lost, where the policy is to withdraw.
func (s *heartbeats) dropConnections(i uint32) {
	if s.connect == nil || !s.set.Connect.Cancel {
		return
	}
	for j := range s.linked {
		if l := s.linked[j]; l.open && l.host == i && l.size > 0 {
			s.connect.withdraw(l.slot, uint32(j))
			s.freeLink(uint32(j))
		}
	}
}

func (s *heartbeats) freeLink(j uint32) {
	s.linked[j].open = false
	s.freeLinks = append(s.freeLinks, j)
	s.connecting.Add(-1)
}

// connected takes the end of a call for connections. One that has failed is left
// at that: its items find their way without it.
func (s *heartbeats) connected(j uint32) {
	l := s.linked[j]
	s.freeLink(j)
	row := &s.rows[l.host]
	if l.size > 0 {
		if l.turn == row.turn {
			row.pending -= l.size
		}
		if row.pending < 0.5 {
			row.pending = 0
		}
		return
	}
	row.mute = false
	if s.set.Renew > 0 {
		s.renewIn(l.host, nextTurn(s.set.Renew.Time(), s.set.Jitter, s.jitter))
	}
}

// connections returns the size of the connections of all items of a host.
func (s *heartbeats) connections(row *beating) float64 {
	return float64(float64(row.heavy)*float64(s.set.PerHeavy)) + float64(float64(row.light)*float64(s.set.PerLight))
}

// dropLight takes light items away from a host, and the part of them that waits
// for connections from what it waits for. What was ordered is made all the same.
func (s *heartbeats) dropLight(i uint32, n int64) {
	row := &s.rows[i]
	before := s.connections(row)
	row.light -= n
	row.traffic -= n * s.perLight
	s.allTraffic -= float64(n * s.perLight)
	if row.pending == 0 {
		return
	}
	left := s.connections(row) / max(before, 1e-9)
	row.pending = float64(row.pending * left)
	for j := range s.linked {
		if s.linked[j].open && s.linked[j].host == i && s.linked[j].turn == row.turn {
			s.linked[j].size = float64(s.linked[j].size * left)
		}
	}
}
