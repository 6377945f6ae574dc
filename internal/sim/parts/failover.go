package parts

import "fmt"

// noteLate takes whether the checks of a balancer in a zone come late.
func (s *healthcheck) noteLate(at int, late bool) {
	if s.sites[at].stale == late && (!late || s.sites[at].removed) {
		return
	}
	s.sites[at].stale = late
	s.decide(at)
}

// decide takes a zone of a balancer out of DNS or brings it back.
func (s *healthcheck) decide(at int) {
	x := &s.sites[at]
	remove := s.failover && x.stale
	switch {
	case x.removed && !remove:
		s.reckon(at, func(x *site) { x.removed = false })
		s.zonesOut.Add(-1)
	case !x.removed && remove && s.mayRemove(at):
		s.reckon(at, func(x *site) { x.removed = true })
		s.zonesOut.Add(1)
		s.failovers.Inc()
	}
}

// mayRemove reports whether a zone may leave DNS: not too many have, and it is
// not the last one with targets.
func (s *healthcheck) mayRemove(at int) bool {
	out, others := 0, int32(0)
	lb := at / s.zones
	for k, x := range s.sitesOf(lb) {
		if x.removed {
			out++
		} else if lb*s.zones+k != at {
			others += x.in
		}
	}
	return out < s.most && others > 0
}

// carries draws whether a call to a balancer succeeds: it goes to one of the
// targets in DNS, which must be up and not have more than it carries.
func (s *healthcheck) carries(lb int) bool {
	in, up := int32(0), int32(0)
	for _, x := range s.sitesOf(lb) {
		if !x.removed {
			in += x.in
			up += x.up
		}
	}
	if in == 0 {
		if !s.set.Open {
			return false
		}
		in = int32(s.zones * s.targets)
		for k := range int(in) {
			if !s.rows[lb*int(in)+k].down {
				up++
			}
		}
	}
	p := float64(up) / float64(in)
	if load := float64(s.loads[lb]); load > float64(in) {
		p = float64(p*float64(in)) / load
	}
	return p >= 1 || s.answers.Bool(p)
}

// takeDown lets a share of the targets be down.
func (s *healthcheck) takeDown(share float64) {
	s.downShare = share
	for i := range s.rows {
		row := &s.rows[i]
		down := float64(row.chance) < share
		if down == row.down {
			continue
		}
		row.down = down
		if row.in {
			step := int32(1)
			if down {
				step = -1
			}
			s.sites[i/s.targets].up += step
		}
	}
}

func (s *healthcheck) knobs(b *Builder) {
	name := b.Name()
	bad := func(z int, name, about string, worst *Worst) {
		b.Knob(Knob{
			Name: name, Unit: "1", About: about,
			Get: func() float64 { return s.cells[max(z, 0)].bad },
			Set: func(x float64) {
				for k := range s.cells {
					if z < 0 || z == k {
						s.cells[k].bad = min(max(x, 0), 1)
					}
				}
			},
			Worst: worst,
		})
	}
	bad(-1, "bad", "share of the checks that fail whatever the target does",
		&Worst{Value: 0.5, About: named(name, "half of the checks of %s fail", "%s의 헬스 체크 절반이 실패한다")})
	for z := range s.cells {
		bad(z, fmt.Sprintf("bad_%d", z+1), fmt.Sprintf("the same, of zone %d", z+1), nil)
	}
	b.Knob(Knob{
		Name: "down", Unit: "1", About: "share of the targets that are down",
		Get: func() float64 { return s.downShare }, Set: func(x float64) { s.takeDown(min(max(x, 0), 1)) },
	})
	b.Knob(Knob{
		Name: "checkers", Unit: "checkers", About: "in each zone",
		Get: func() float64 { return float64(s.cells[0].checkers) },
		Set: func(x float64) {
			for z := range s.cells {
				s.cells[z].checkers = int(min(max(x, 0), maxWorkers))
				if s.fleet != nil {
					s.fleet.grow(z, s.cells[z].checkers)
				}
				s.serve(z)
			}
		},
		Remedies: []Remedy{{Value: 2, Times: true, About: named(name, "twice the checkers of %s", "%s의 체커를 두 배로"), Cost: 3}},
	})
	b.Knob(Knob{
		Name: "failover", Unit: "1", About: "1 takes zones out of DNS whose checks come late, 0 does not",
		Get: func() float64 { return number(s.failover) },
		Set: func(x float64) {
			s.failover = x > 0
			for at := range s.sites {
				s.decide(at)
			}
		},
		Remedies: []Remedy{{Value: 0, About: named(name, "no automatic failover of %s", "%s의 자동 페일오버를 끈다"), Cost: 1}},
	})
	b.Knob(Knob{
		Name: "most_zones", Unit: "zones", About: "zones of a balancer that leave DNS by failover at most",
		Get: func() float64 { return float64(s.most) }, Set: func(x float64) { s.most = int(min(max(x, 0), maxZones)) },
	})
	for _, k := range []struct {
		name, about string
		at          *int
	}{
		{"fall", "failed checks in a row after which a target is out", &s.fall},
		{"rise", "passed checks in a row after which a target is in again", &s.rise},
	} {
		b.Knob(Knob{
			Name: k.name, Unit: "checks", About: k.about,
			Get: func() float64 { return float64(*k.at) }, Set: func(x float64) { *k.at = int(min(max(x, 1), maxStreak)) },
			Remedies: []Remedy{{Value: 3, About: named(name, "three checks in a row for a change of %s", "%s의 상태를 헬스 체크 세 번이 이어진 뒤에 바꾼다"), Cost: 1}},
		})
	}
}

func (s *healthcheck) targetsConserved() error {
	out, dns := int64(0), int64(0)
	sites := make([]site, len(s.sites))
	for i := range s.rows {
		row := &s.rows[i]
		x := &sites[i/s.targets]
		switch {
		case !row.in:
			out++
		case row.down:
			x.in++
		default:
			x.in++
			x.up++
		}
	}
	removed := int64(0)
	for at := range sites {
		if got := s.sites[at]; sites[at].in != got.in || sites[at].up != got.up {
			return fmt.Errorf("%d targets in and %d up, the sums are %d and %d", sites[at].in, sites[at].up, got.in, got.up)
		}
		if s.sites[at].removed {
			removed++
		}
	}
	over := int64(0)
	for lb := range s.loads {
		dns += s.dns(lb)
		over += s.overload(lb, s.dns(lb))
	}
	if over != s.over.Value() {
		return fmt.Errorf("%d balancers are overloaded; the gauge shows %d", over, s.over.Value())
	}
	if out != s.out.Value() || dns != s.inDNS.Value() || removed != s.zonesOut.Value() {
		return fmt.Errorf("%d targets out, %d in DNS and %d zones out; the gauges show %d, %d and %d",
			out, dns, removed, s.out.Value(), s.inDNS.Value(), s.zonesOut.Value())
	}
	return nil
}
