package parts

import (
	"fmt"

	"github.com/openprecedent/precedent/internal/sim/des"
)

// Serve says how a part of many members answers the calls of others. Each call
// asks members that are drawn at random, as requests of customers that are
// spread evenly over a fleet do; a quorum of three replicas asks 3 and needs 2.
type Serve struct {
	Asks  Count `yaml:"asks" doc:"members that a call asks, drawn at random" default:"1"`
	Needs Count `yaml:"needs" doc:"of the members asked, how many must be in service for the call to go on" default:"1"`
	Then  *Call `yaml:"then" doc:"what is called when enough are; without it such a call is answered at once"`
}

// maxAsks bounds the members that a call asks.
const maxAsks = 16

func (s *Serve) check(members Count, r *Report) {
	if s.Asks < 1 || s.Asks > maxAsks || s.Asks > members {
		r.Add("serve.asks", fmt.Sprintf("a call asks %d of %d", s.Asks, members),
			fmt.Sprintf("write 1 to %d", max(min(members, maxAsks), 1)))
	}
	if s.Needs > s.Asks {
		r.Add("serve.needs", fmt.Sprintf("%d of %d cannot be in service", s.Needs, s.Asks), "need fewer, or ask more")
	}
	if s.Then != nil {
		s.Then.check("serve.then", r)
	}
}

// ports returns the ports of a part that serves behind its own ones.
func (s *Serve) ports(own ...Port) []Port {
	if s.Then != nil {
		own = append(own, Port{Name: "serve.then", Call: s.Then})
	}
	return own
}

// checkMembers reports a number of members that cannot be.
func checkMembers(field string, n Count, r *Report) {
	if n < 1 || n > maxMembers {
		r.Add(field, fmt.Sprintf("%d of them", n), fmt.Sprintf("write 1 to %d", maxMembers))
	}
}

// maxMembers bounds the rows of a part.
const maxMembers = 2_000_000

// nextTurn draws the time until the next of turns that come with a period, each
// of which is longer or shorter by up to a share.
func nextTurn(period des.Time, jitter Share, r *des.Stream) des.Time {
	return des.FromNanoseconds(float64(float64(period) * turn(jitter, r)))
}

func turn(jitter Share, r *des.Stream) float64 {
	return 1 + float64(float64(jitter)*(float64(2*r.Float64())-1))
}

// firstTurn draws the time until the first turn of somebody whose turns have
// come for ever: a share of a period, long ones being met more often than short
// ones in proportion to their length.
func firstTurn(period des.Time, jitter Share, r *des.Stream) des.Time {
	for {
		x := turn(jitter, r)
		if r.Bool(x / (1 + float64(jitter))) {
			return des.FromNanoseconds(float64(float64(float64(period)*x) * r.Float64()))
		}
	}
}

// front takes the calls to a part of many members and answers them by who is in
// service.
type front struct {
	net     *Net
	set     *Serve
	members int
	in      func(i int) bool // whether a member is in service
	pick    *des.Stream
	out     *edge // nil where calls are answered at once
	passing []passing
	free    []uint32
	made    uint64 // calls passed on so far

	asked, ok, refused, failed, withdrawn *des.Counter
	open                                  *des.Gauge
}

// passing is a call that was passed on.
type passing struct {
	call CallID
	slot uint32 // of the request
	made uint64 // which of the calls it is: a slot may serve another one meanwhile
}

// newFront makes the front of a part, whose port for what is called then has
// the number given.
func newFront(b *Builder, owner Part, port int, set *Serve, members int, in func(int) bool) *front {
	f := &front{
		net: b.Net, set: set, members: members, in: in, pick: b.Stream("asks"),
		asked: b.Counter("asked"), ok: b.Counter("answered"), refused: b.Counter("refused"),
		failed: b.Counter("failed"), withdrawn: b.Counter("withdrawn"), open: b.Gauge("calling", "calls"),
	}
	if set.Then != nil {
		f.out = b.Edge(owner, port, "then", set.Then)
	}
	b.Law("calls are conserved", f.conserved)
	return f
}

// arrive takes a call.
func (f *front) arrive(c CallID) {
	f.asked.Inc()
	if !f.enough() {
		f.refused.Inc()
		f.net.Reply(c, Refused)
		return
	}
	if f.out == nil {
		f.ok.Inc()
		f.net.Reply(c, OK)
		return
	}
	var j uint32
	if k := len(f.free); k > 0 {
		j = f.free[k-1]
		f.free = f.free[:k-1]
	} else {
		f.passing = append(f.passing, passing{})
		j = uint32(len(f.passing) - 1)
	}
	f.made++
	made := f.made
	f.passing[j] = passing{call: c, made: made}
	f.open.Add(1)
	call := f.net.call(c)
	call.local = j
	slot := f.out.ask(want{token: j, kind: call.kind, key: call.key, size: call.size, deadline: call.deadline})
	if f.passing[j].made == made {
		f.passing[j].slot = slot
	}
}

// enough draws the members that a call asks, none twice.
func (f *front) enough() bool {
	if f.set.Asks == 1 {
		return f.in(f.pick.IntN(f.members)) || f.set.Needs == 0
	}
	var seen [maxAsks]int
	up := 0
	for k := 0; k < int(f.set.Asks); {
		i := f.pick.IntN(f.members)
		again := false
		for _, s := range seen[:k] {
			again = again || s == i
		}
		if again {
			continue
		}
		seen[k] = i
		k++
		if f.in(i) {
			up++
		}
	}
	return up >= int(f.set.Needs)
}

// ended takes the end of a call that was passed on.
func (f *front) ended(j uint32, o Outcome) {
	c := f.passing[j].call
	f.leave(j)
	if o == OK {
		f.ok.Inc()
		f.net.Reply(c, OK)
		return
	}
	f.failed.Inc()
	f.net.Reply(c, Failed)
}

func (f *front) leave(j uint32) {
	f.passing[j].made = 0
	f.free = append(f.free, j)
	f.open.Add(-1)
}

// withdraw ends a call that nobody waits for.
func (f *front) withdraw(c CallID) {
	j := f.net.call(c).local
	f.withdrawn.Inc()
	f.out.withdraw(f.passing[j].slot, j)
	f.leave(j)
	f.net.Drop(c)
}

func (f *front) conserved() error {
	out := f.ok.Total() + f.refused.Total() + f.failed.Total() + f.withdrawn.Total()
	if f.asked.Total() != out+f.open.Value() {
		return fmt.Errorf("%d arrived, %d have left and %d are inside", f.asked.Total(), out, f.open.Value())
	}
	return nil
}
