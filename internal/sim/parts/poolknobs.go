package parts

func (s *pool) addKnobs(b *Builder) {
	b.Knob(Knob{
		Name: "max", Unit: "connections", About: "connections that may be open at once",
		Get:      func() float64 { return float64(s.max) },
		Set:      func(x float64) { s.max = int(min(max(x, 0), maxWorkers)); s.trim(); s.serve() },
		Remedies: []Remedy{{Value: 2, Times: true, About: named(b.Name(), "twice the connections of %s", "%s의 커넥션을 두 배로"), Cost: 3}},
	})
	b.Knob(Knob{
		Name: "idle", Unit: "connections", About: "connections that are kept open unused",
		Get: func() float64 { return float64(s.keep) },
		Set: func(x float64) { s.keep = int(min(max(x, 0), float64(MaxCount))); s.trim() },
	})
	b.Knob(Knob{
		Name: "lose", Unit: "1", Pulse: true, About: "breaks this share of the open connections at once",
		Get: func() float64 { return 0 }, Set: s.lose,
		Worst: &Worst{Value: 1, About: named(b.Name(), "%s loses all its connections", "%s의 커넥션이 모두 끊긴다")},
	})
	if s.set.Session != nil {
		b.Knob(Knob{
			Name: "session.pause", Unit: "1", About: "how long sessions pause between calls, against what is described",
			Get: func() float64 { return s.pauses },
			Set: func(x float64) { s.pauses = max(x, 0) },
		})
	}
	b.Knob(Knob{
		Name: "clear", Unit: "1", Pulse: true, About: "refuses all calls that wait for a connection",
		Get: func() float64 { return 0 },
		Set: func(x float64) {
			if x > 0 {
				s.clear()
			}
		},
		Remedies: []Remedy{{Value: 1, About: named(b.Name(), "the line of %s cleared", "%s의 대기열을 비운다"), Cost: 2}},
	})
}

// clear refuses all who wait.
func (s *pool) clear() {
	for s.line.len() > 0 {
		g := s.net.call(s.line.pop(s.net)).local
		s.leftLine(&s.guests[g])
		s.refused.Inc()
		s.net.Reply(s.forget(g), Refused)
	}
}
