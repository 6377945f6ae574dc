package parts

import "github.com/openprecedent/precedent/internal/sim/des"

// span draws how long the work for a call takes at full speed, in nanoseconds.
func (s *server) span(c CallID) float64 {
	span := s.set.Work.Draw(s.work)
	if s.set.PerSize > 0 {
		span += float64(float64(s.set.PerSize) * float64(s.net.call(c).size))
	}
	return span
}

// hopeful reports whether a call is worked on, and drops it where its work would
// end in vain.
func (s *server) hopeful(c CallID, span float64) bool {
	call := s.net.call(c)
	if s.set.Hopeless != "drop" || !call.abandon && (call.deadline == des.Never || s.speed > 0 &&
		s.net.Sim.Now()+des.FromNanoseconds(span/s.speed) <= call.deadline) {
		return true
	}
	s.expired.Inc()
	s.net.Drop(c)
	return false
}
