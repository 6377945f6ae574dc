package parts

// pauseKnob lets operators stop the refreshes of a share of the members, and let
// them go on one after the other: the share is made up of the same members each
// time, so that those that were let go on stay so while it is lowered.
func (s *refresher) pauseKnob(b *Builder) {
	b.Knob(Knob{
		Name: "pause", Unit: "1", About: "share of the members that are told not to refresh; they stay in reach, and try once they may",
		Get: func() float64 { return s.paused }, Set: func(x float64) { s.pause(min(max(x, 0), 1)) },
	})
}

// pause changes who is not to refresh. Refreshes under way go on. A member that
// has held one back begins it after the wait for a retry.
func (s *refresher) pause(x float64) {
	s.paused = x
	for i := range s.rows {
		if row := &s.rows[i]; row.held && float64(row.chance) >= x {
			row.held = false
			s.wake(i, s.retry.wait(1, s.waits))
		}
	}
}
