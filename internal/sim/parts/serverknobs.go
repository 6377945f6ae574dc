package parts

import (
	"fmt"
	"math"

	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/sim/des"
)

// addKnobs offers what can be turned while the system runs.
func (s *server) addKnobs(b *Builder) {
	b.Knob(Knob{
		Name: "workers", Unit: "workers", About: "calls that are worked on at once",
		Get:      func() float64 { return float64(s.workers) },
		Set:      func(x float64) { s.workers = int(min(max(x, 0), maxWorkers)); s.serve() },
		Remedies: []Remedy{{Value: 2, Times: true, About: named(b.Name(), "twice the workers of %s", "%s의 워커를 두 배로"), Cost: 3}},
	})
	b.Knob(Knob{
		Name: "speed", Unit: "1", About: "how fast work is done, 1 as described, 0 not at all",
		Get: func() float64 { return s.speed }, Set: s.setSpeed,
		Worst: &Worst{Value: 0, About: named(b.Name(), "%s stands still", "%s 정지")},
	})
	b.Knob(Knob{
		Name: "clear", Unit: "1", Pulse: true, About: "refuses all calls that wait for a worker",
		Get: func() float64 { return 0 },
		Set: func(x float64) {
			if x > 0 {
				s.clear()
			}
		},
		Remedies: []Remedy{{Value: 1, About: named(b.Name(), "the queue of %s cleared", "%s의 대기열을 비운다"), Cost: 2}},
	})
	b.Start(func() { s.roomKnob(b) })
	b.Knob(Knob{
		Name: "down", Unit: "1", About: "1 ends all work at once and refuses calls until it is 0 again",
		Get: func() float64 { return number(s.down) }, Set: s.setDown,
	})
}

// roomKnob lets operators bound the waiting room. The remedy is a room that is
// served in half of the time for which the least patient caller waits, where that
// is known: what the calls of a server take is not.
func (s *server) roomKnob(b *Builder) {
	k := Knob{
		Name: "room", Unit: "calls", About: "calls that may wait for a worker",
		Get: func() float64 { return float64(s.room) },
		Set: func(x float64) { s.room = int(min(max(x, 0), float64(Unlimited))) },
	}
	patience := des.Never
	for _, e := range b.Net.edges {
		if b.Net.parts[e.target] == Part(s) && e.policy.Timeout > 0 {
			patience = min(patience, e.policy.Timeout.Time())
		}
	}
	if mean := s.set.Work.Mean(); patience != des.Never && mean > 0 && len(s.set.Calls) == 0 {
		room := math.Floor(float64(float64(patience)*float64(s.workers)) / float64(2*mean))
		if room < float64(s.room) {
			k.Remedies = []Remedy{{Value: room, About: bilingual.Text{
				En: fmt.Sprintf("a waiting room of %.0f at %s", room, s.name), Ko: fmt.Sprintf("%[2]s의 대기실을 %.0[1]f자리로", room, s.name),
			}, Cost: 1}}
		}
	}
	b.As(s.name).Knob(k)
}

// setSpeed changes how fast work is done, that under way included.
func (s *server) setSpeed(x float64) {
	now, old := s.net.Sim.Now(), s.speed
	s.speed = x
	for j := range s.jobs {
		jb := &s.jobs[j]
		if jb.stage != working && jb.stage != finishing {
			continue
		}
		left := jb.left
		if old > 0 {
			left = float64(float64(jb.end-now) * old)
		}
		s.begin(uint32(j), jb.stage, left)
	}
}

// setDown stops the server, as a crash does, or starts it with nothing to do.
func (s *server) setDown(x float64) {
	was := s.down
	s.down = x > 0
	if was || !s.down {
		return
	}
	s.clear()
	for j := range s.jobs {
		if s.jobs[j].stage == idle {
			continue
		}
		c := s.jobs[j].call
		s.stop(uint32(j))
		s.failed.Inc()
		s.net.Reply(c, Failed)
	}
}

// clear refuses all who wait.
func (s *server) clear() {
	for s.line.len() > 0 {
		c := s.next()
		s.refused.Inc()
		s.net.Reply(c, Refused)
	}
}
