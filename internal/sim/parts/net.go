package parts

import (
	"fmt"

	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/sim/des"
)

// CallID names a call that is under way.
type CallID uint32

// Outcome says how a call or a request ended.
type Outcome uint8

// The outcomes. A part answers with the first three; a timeout is what the
// caller sees when no answer comes.
const (
	OK        Outcome = iota
	Refused           // turned away before any work was done
	Failed            // given up after work was done or a further call had failed
	TimedOut          // no answer came while the caller waited
	Withdrawn         // whoever asked had no more use for it
	outcomes
)

// Part is one running component of a system. It gets calls, may make requests
// of its own, and answers each call once with [Net.Reply].
type Part interface {
	des.Handler
	// Arrive hands over a call.
	Arrive(c CallID)
	// Ended tells that a request this part made on a port has ended. The token
	// is what the part gave when it made the request.
	Ended(port int, token uint32, o Outcome)
	// Withdraw tells that nobody waits for a call any more and that its work may
	// stop. The part must not answer it afterwards.
	Withdraw(c CallID)
}

// nobody stands for the request of a call that nobody waits for.
const nobody = ^uint32(0)

// call is one attempt of a request, as its target sees it. What the target
// works for may have stopped waiting long ago.
type call struct {
	edge     uint16
	copy     uint16   // of the target, if there are several
	abandon  bool     // nobody waits
	there    bool     // the target has it and has not answered
	kind     uint8    // of the request: a part may treat kinds apart
	request  uint32   // slot of the request, nobody if there is none
	since    des.Time // when the target got it
	deadline des.Time // until when the caller, or its own caller, has use for an answer
	key      uint32
	size     float32
	prev     CallID // for the lists of the target
	next     CallID
	local    uint32    // for the target
	alarm    des.Alarm // for the target
}

// Net is a running system: its parts, what flows between them, and its clock.
type Net struct {
	Sim *des.Sim
	Rec *des.Recorder

	parts []Part
	edges []*edge
	calls []call
	free  []CallID // slots of calls that have ended
	depth int      // of calls that were handed over within each other
	inUse int
	knobs []Knob
	laws  []Law

	slowest des.Time // longest time constant
	// What of the parts can be read while the system runs.
	measures []observed
	groups   []*group
}

// call returns the record of c.
func (n *Net) call(c CallID) *call { return &n.calls[c] }

// InUse returns how many calls are under way, those that nobody waits for
// included.
func (n *Net) InUse() int { return n.inUse }

// newCall returns a slot for a call.
func (n *Net) newCall() CallID {
	n.inUse++
	if k := len(n.free); k > 0 {
		c := n.free[k-1]
		n.free = n.free[:k-1]
		return c
	}
	n.calls = append(n.calls, call{})
	if len(n.calls) > MaxCalls {
		n.Sim.Stop(des.EndPending)
	}
	return CallID(len(n.calls) - 1)
}

// MaxCalls bounds the calls under way at once, and with them the memory of a
// run: about 48 bytes a call, and as much again in the parts.
const MaxCalls = 8_000_000

// end frees the slot of a call.
func (n *Net) end(c CallID) {
	n.free = append(n.free, c)
	n.inUse--
}

// Reply answers a call. Whoever still waits for it learns the outcome.
func (n *Net) Reply(c CallID, o Outcome) {
	r := n.call(c)
	n.edges[r.edge].answered(c, r, o)
}

// Begin tells that the work for a call has begun: what its caller waits for is
// the answer alone from now on. Parts whose kind has Begins set tell it once for
// each call that they take up.
func (n *Net) Begin(c CallID) {
	r := n.call(c)
	if e := n.edges[r.edge]; e.connects != nil && r.request != nobody {
		e.stopConnect(&e.requests[r.request])
	}
}

// Drop ends a call without an answer: nobody waits for it, or its caller is to
// find out by its timeout.
func (n *Net) Drop(c CallID) {
	r := n.call(c)
	if !r.abandon {
		n.edges[r.edge].dropped(c, r)
		return
	}
	n.end(c)
}

// Waited reports whether somebody still waits for the answer to a call.
func (n *Net) Waited(c CallID) bool { return !n.call(c).abandon }

// maxDepth bounds how deep calls are handed over within each other at one
// instant; further ones go through the event queue, so that no system, however
// it is wired, can exhaust the stack.
const maxDepth = 64

// Knob is a setting of a running part that triggers and operators can turn.
type Knob struct {
	Name  string // part.setting
	Unit  string
	About string
	Get   func() float64
	Set   func(float64)
	Pulse bool          // turning it does something once: it keeps no value
	Keep  func() func() // what puts it back, where setting what Get returned does not
	Worst *Worst        // what every system is tried with, nil if nothing is
	// Remedies are what operators do with the knob to bring a system back, from
	// the least to the most.
	Remedies []Remedy
}

// Save returns what puts a knob back to how it is now.
func (k Knob) Save() func() {
	if k.Keep != nil {
		return k.Keep()
	}
	was := k.Get()
	return func() { k.Set(was) }
}

// Remedy is a value that a knob may be given to bring a system back.
type Remedy struct {
	Value float64
	Times bool           // the value multiplies what the knob has
	About bilingual.Text // what is done, such as "no retries of users.call"
	Cost  float64        // against other remedies; 1 is a change of settings that nobody misses
}

// Worst is the most that a trigger does to a knob.
type Worst struct {
	Value float64
	Times bool           // the value multiplies what the knob has
	About bilingual.Text // what happens then, such as "db stands still"
}

// named says the same in both languages, of the same things.
func named(of, en, ko string) bilingual.Text {
	return bilingual.Text{En: fmt.Sprintf(en, of), Ko: fmt.Sprintf(ko, of)}
}

// Law is something that must hold at the end of every run, whatever the system:
// what came in has gone out or is inside.
type Law struct {
	Name   string
	Broken func() error // nil while the law holds
}

// Check returns the laws that do not hold now, one error each.
func (n *Net) Check() []error {
	var broken []error
	for _, l := range n.laws {
		if err := l.Broken(); err != nil {
			broken = append(broken, fmt.Errorf("%s: %w", l.Name, err))
		}
	}
	return broken
}

// Slowest returns the longest time constant of the system.
func (n *Net) Slowest() des.Time { return n.slowest }

// OfferedRate returns what [Net.OfferedRateAt] does when it is most.
func (n *Net) OfferedRate() float64 { return n.OfferedRateAt(n.Peak()) }

// WorkShares counts what a system does, so that work of use can be told from
// work that is not.
type WorkShares struct {
	Good     int64 // requests answered in time
	Requests int64 // requests made on all ports
	Attempts int64 // calls made for them
	Answers  int64 // calls that were worked for to the end
	Wasted   int64 // those of them that nobody waited for any more
}

// Work returns the counts since the start of the run.
func (n *Net) Work() WorkShares {
	var w WorkShares
	for _, g := range n.Goodput() {
		w.Good += g.Good
	}
	for _, e := range n.edges {
		w.Requests += e.asked.Total()
		w.Attempts += e.attempts.Total()
		w.Answers += e.ended[OK].Total() + e.late.Total()
		w.Wasted += e.late.Total()
	}
	return w
}

// Since returns the counts since earlier ones.
func (w WorkShares) Since(o WorkShares) WorkShares {
	return WorkShares{w.Good - o.Good, w.Requests - o.Requests, w.Attempts - o.Attempts, w.Answers - o.Answers, w.Wasted - o.Wasted}
}

// Useful returns the share of the calls worked for whose answer somebody waited
// for, 1 where there were none.
func (w WorkShares) Useful() float64 {
	if w.Answers == 0 {
		return 1
	}
	return 1 - float64(w.Wasted)/float64(w.Answers)
}

// Amplification returns the calls made for each request, 1 where there were none.
func (w WorkShares) Amplification() float64 {
	if w.Requests == 0 {
		return 1
	}
	return float64(w.Attempts) / float64(w.Requests)
}
