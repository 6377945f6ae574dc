package parts

import (
	"github.com/openprecedent/precedent/internal/sim/des"
)

// take gives a worker to a call whose work takes a span.
func (s *server) take(c CallID, span float64) {
	var j uint32
	if k := len(s.free); k > 0 {
		j = s.free[k-1]
		s.free = s.free[:k-1]
	} else {
		s.jobs = append(s.jobs, job{})
		j = uint32(len(s.jobs) - 1)
		for range s.outs {
			s.slots = append(s.slots, 0)
		}
	}
	s.setBusy(1)
	s.net.Begin(c)
	call := s.net.call(c)
	call.local = j
	jb := &s.jobs[j]
	jb.call, jb.next, jb.open, jb.failed = c, 0, 0, false
	s.begin(j, working, span)
}

// begin starts work of a length in nanoseconds at full speed.
func (s *server) begin(j uint32, st stage, span float64) {
	jb := &s.jobs[j]
	jb.stage = st
	if s.speed == 0 {
		jb.left, jb.end = span, des.Never
		return
	}
	d := des.FromNanoseconds(span / s.speed)
	jb.end = s.net.Sim.Now() + d
	s.net.Sim.After(d, s.self, serverWorked, j)
}

// callOut makes the calls of a job: the next one, or all.
func (s *server) callOut(j uint32) {
	jb := &s.jobs[j]
	if jb.stage != calling {
		jb.stage = calling
		s.waiting.Add(1)
		if s.set.Release {
			s.setBusy(-1)
			defer s.serve()
		}
	}
	if len(s.outs) == 0 {
		s.called(j)
		return
	}
	call := *s.net.call(jb.call)
	w := want{token: j, kind: call.kind, key: call.key, size: call.size, deadline: call.deadline}
	last := int(jb.next) + 1
	if s.set.Together {
		last = len(s.outs)
	}
	first := int(jb.next)
	jb.next = int8(last)
	jb.open = int8(last - first)
	for i := first; i < last; i++ {
		slot := s.outs[i].ask(w)
		s.slots[int(j)*len(s.outs)+i] = slot
	}
}

// Ended takes the end of a call that a job made.
func (s *server) Ended(port int, j uint32, o Outcome) {
	jb := &s.jobs[j]
	jb.open--
	if o != OK && !s.set.Calls[port].Optional {
		jb.failed = true
	}
	if jb.open > 0 {
		return
	}
	if !jb.failed && int(jb.next) < len(s.outs) {
		s.callOut(j)
		return
	}
	s.called(j)
}

// called goes on with a job whose calls have ended.
func (s *server) called(j uint32) {
	s.waiting.Add(-1)
	if s.set.Release {
		s.setBusy(1) // it may wait for nobody: the work after the calls is short
	}
	jb := &s.jobs[j]
	if jb.failed || s.set.After.Mean() == 0 {
		s.answer(j)
		return
	}
	s.begin(j, finishing, s.set.After.Draw(s.after))
}

// answer ends a job.
func (s *server) answer(j uint32) {
	jb := &s.jobs[j]
	c, failed := jb.call, jb.failed
	jb.stage, jb.end = idle, des.Never
	s.free = append(s.free, j)
	s.setBusy(-1)
	if !s.net.Waited(c) {
		s.wasted.Inc()
	}
	if failed {
		s.failed.Inc()
		s.net.Reply(c, Failed)
	} else {
		s.done.Inc()
		s.net.Reply(c, OK)
	}
	s.serve()
}

// stop ends the work of a job without an answer and reports whether it held a
// worker.
func (s *server) stop(j uint32) (held bool) {
	jb := &s.jobs[j]
	held = true
	if jb.stage == calling {
		s.waiting.Add(-1)
		held = !s.set.Release
		for i := range int(jb.next) {
			s.outs[i].withdraw(s.slots[int(j)*len(s.outs)+i], j)
		}
	}
	jb.stage, jb.end = idle, des.Never
	s.free = append(s.free, j)
	if held {
		s.setBusy(-1)
	}
	return held
}
