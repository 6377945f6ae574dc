package parts

import "github.com/openprecedent/precedent/internal/sim/des"

// Load is work that a part brings into the system, or takes up for those who do
// not wait for it, and what has become of it since the start of a run. The copies
// of a part are one load.
type Load struct {
	Part     string
	Kind     LoadKind
	Offered  int64 // pieces of work that were wanted
	Good     int64 // done in time
	Late     int64 // done when they were of no use any more
	Failed   int64 // refused, failed, timed out, or thrown away
	Waiting  int64 // not ended yet
	Attempts int64 // calls that were made for them
	// Of a fleet, how many members there are, how many of them do not have what
	// they should have now, and the sum over time of that, in nanoseconds.
	Members int64
	Behind  int64
	area    float64
}

// LoadKind is what the pieces of a load are, and so how its health is told.
type LoadKind string

// The kinds of loads. What is asked for is healthy while its pieces are done in
// time. The calls of a fleet are only a means: a fleet is healthy while its members
// have what they call for.
const (
	Requests LoadKind = "requests" // of users
	Runs     LoadKind = "runs"     // of a workflow
	Messages LoadKind = "messages" // of a queue
	Members  LoadKind = "members"  // of a fleet
)

// LoadKinds returns the kinds of loads.
func LoadKinds() []LoadKind { return []LoadKind{Requests, Runs, Messages, Members} }

// Lost returns how long members of a fleet have been behind since an earlier
// state of the load, as a share of the time of all of them.
func (l Load) Lost(before Load, span des.Time) float64 {
	if l.Members == 0 || span <= 0 {
		return 0
	}
	return min(max((l.area-before.area)/float64(float64(l.Members)*float64(span)), 0), 1)
}

// origin is a part that brings work into the system by itself, or takes it up
// for those who do not wait.
type origin interface {
	// brings returns the work of the part, but for its name.
	brings() Load
}

// fleet returns the load of a fleet of members that make calls over an edge, nil
// if they make none by themselves.
func fleet(members int, behind int64, area float64, calls ...*edge) Load {
	l := Load{Kind: Members, Members: int64(members), Behind: behind, area: area}
	for _, e := range calls {
		l.add(e)
	}
	return l
}

// add counts the requests of an edge.
func (l *Load) add(e *edge) {
	l.Offered += e.asked.Total()
	l.Good += e.ended[OK].Total()
	for _, o := range []Outcome{Refused, Failed, TimedOut, Withdrawn} {
		l.Failed += e.ended[o].Total()
	}
	l.Waiting += e.open.Value()
	l.Attempts += e.attempts.Total()
}

// With returns the sum of two loads of one kind.
func (l Load) With(o Load) Load {
	if l.Kind == "" {
		return o
	}
	return Load{
		Part: l.Part, Kind: l.Kind, Offered: l.Offered + o.Offered, Good: l.Good + o.Good, Late: l.Late + o.Late,
		Failed: l.Failed + o.Failed, Waiting: l.Waiting + o.Waiting, Attempts: l.Attempts + o.Attempts,
		Members: l.Members + o.Members, Behind: l.Behind + o.Behind, area: l.area + o.area,
	}
}

// Loads returns the work that is brought into the system, in the order of the
// parts.
func (n *Net) Loads() []Load {
	var all []Load
	for _, g := range n.groups {
		var sum Load
		for _, p := range n.parts[g.first : g.first+g.copies] {
			o, ok := p.(origin)
			if !ok {
				break
			}
			sum = sum.With(o.brings())
			sum.Part = g.name
		}
		if sum.Part != "" {
			all = append(all, sum)
		}
	}
	return all
}

// OfferedRateAt returns the requests that users make a second at a time of the
// profiles of the sources, as far as that does not depend on the answers. Where
// there are no users and no fleets, it is the runs that workflows begin.
func (n *Net) OfferedRateAt(t des.Time) float64 {
	users, runs, others := 0.0, 0.0, false
	for _, p := range n.parts {
		switch x := p.(type) {
		case *source:
			users += x.offeredRate(t)
			others = true
		case *workflow:
			runs += x.come.rate()
		case origin:
			others = others || x.brings().Kind == Members
		}
	}
	if others {
		return users
	}
	return runs
}

// Fleets reports whether the system has members that call by themselves.
func (n *Net) Fleets() bool {
	for _, p := range n.parts {
		if o, ok := p.(origin); ok && o.brings().Kind == Members {
			return true
		}
	}
	return false
}

// extent is a count that changes, and its sum over time.
type extent struct {
	sim   *des.Sim
	n     int64
	since des.Time
	area  float64 // up to since
}

// add changes the count.
func (x *extent) add(n int64) {
	x.area, x.since = x.sum(), x.sim.Now()
	x.n += n
}

// sum returns the sum over time, in nanoseconds.
func (x *extent) sum() float64 {
	return x.area + float64(float64(x.n)*float64(x.sim.Now()-x.since))
}

// note counts a member that is behind, or is not any more, and returns the latter.
func (x *extent) note(was, is bool) bool {
	if was != is {
		x.add(1 - 2*int64(number(was)))
	}
	return is
}
