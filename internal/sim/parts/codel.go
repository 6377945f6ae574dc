package parts

import (
	"fmt"

	"github.com/openprecedent/precedent/internal/sim/des"
)

// codel is controlled delay as servers use it (Nichols and Jacobson, ACM Queue
// 10(5), 2012; Maurer, "Fail at Scale", ACM Queue 13(8), 2015): a line that
// empties now and then takes up bursts, one that does not only makes all wait.
// So a call may wait for the interval while the line has been empty within it,
// and for the target when it has not.
type codel struct {
	Target   Duration `yaml:"target" doc:"how long a call may wait when the line does not empty" default:"5ms"`
	Interval Duration `yaml:"interval" doc:"how long the line may go without emptying; until then, calls may wait for as long as this" default:"100ms"`
}

func (c *codel) check(o Order, r *Report) {
	if c.Target == 0 || c.Target > c.Interval {
		r.Add("codel.target", fmt.Sprintf("a target of %v in an interval of %v", c.Target, c.Interval),
			"write a target above 0 and not above the interval")
	}
	if o == "random" {
		r.Add("codel", "a line in random order does not know who waits for the longest", "write another order")
	}
}

// most returns how long a call may wait in a line that was empty last at an
// instant.
func (c *codel) most(emptied, now des.Time) des.Time {
	if now-emptied >= c.Interval.Time() {
		return c.Target.Time()
	}
	return c.Interval.Time()
}

// shed refuses the calls that have waited for too long.
func (s *server) shed() {
	if s.set.Codel == nil {
		return
	}
	now := s.net.Sim.Now()
	most := s.set.Codel.most(s.emptied, now)
	for {
		c := s.line.oldest(s.net)
		if c == noCall || now-s.net.call(c).since <= most {
			return
		}
		s.line.remove(s.net, c)
		s.left(c)
		s.refused.Inc()
		s.net.Reply(c, Refused)
	}
}
