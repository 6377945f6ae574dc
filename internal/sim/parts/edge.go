package parts

import (
	"fmt"

	"github.com/openprecedent/precedent/internal/sim/des"
)

// request is what a part wants from another, over all attempts.
type request struct {
	token    uint32
	attempts uint16
	copy     uint16 // of the target
	kind     uint8
	busy     bool // the request is under way
	waiting  bool // an event will begin the next attempt
	alarmed  bool // timer is one of the alarms
	call     CallID
	second   CallID // a hedge, noCall if there is none
	timer    des.Timer
	alarm    des.Alarm
	hedge    des.Timer
	connect  des.Timer // 0 once the call was taken up
	began    des.Time
	deadline des.Time // until when the owner has use for an answer, if it passes that on
	until    des.Time // when the attempt under way times out
	key      uint32
	size     float32
}

const noCall = ^CallID(0)

// want is what a part asks of an edge.
type want struct {
	token    uint32
	kind     uint8
	copy     uint16 // of a target that has several
	key      uint32
	size     float32
	deadline des.Time // until when there is use for the answer; des.Never if always
}

// edge carries the requests of one port of a part to their target, with the
// policy of the client: timeout, retries, backoff, budget, breaker, hedge.
type edge struct {
	net    *Net
	self   des.Target
	id     uint16
	owner  Part
	port   int
	target int
	policy Call

	timeouts *des.Ring // nil without a timeout
	connects *des.Ring // nil without a timeout until a call is taken up
	hedges   *des.Ring // nil without hedging
	unhedged bool      // operators have turned it off
	alarms   *des.Alarms
	jitter   *des.Stream
	loss     *des.Stream
	sizes    *des.Stream // nil where calls have the size of the request
	cut      float64     // share of calls that are lost on the way
	delay    des.Time

	requests []request
	free     []uint32
	tokens   float64 // of the retry budget
	breaker  *breaker

	asked, attempts, retries, late *des.Counter
	ended                          [outcomes]*des.Counter
	open                           *des.Gauge
}

// The events of an edge.
const (
	edgeTimeout uint16 = iota
	edgeRetry
	edgeHedge
	edgeConnect
	edgeRefuse
	edgeDeliver // a call reaches its target
	edgeReturn  // an answer reaches the caller; the outcome is added
)

// ask makes a request and returns its slot. The request may have ended when ask
// returns.
func (e *edge) ask(w want) (slot uint32) {
	if k := len(e.free); k > 0 {
		slot = e.free[k-1]
		e.free = e.free[:k-1]
	} else {
		e.requests = append(e.requests, request{})
		slot = uint32(len(e.requests) - 1)
	}
	deadline := des.Never
	if e.policy.Inherit {
		deadline = w.deadline
	}
	if e.sizes != nil {
		w.size = float32(e.policy.Size.Draw(e.sizes))
	}
	e.requests[slot] = request{
		token: w.token, kind: w.kind, copy: w.copy, key: w.key, size: w.size, began: e.net.Sim.Now(),
		busy: true, deadline: deadline, call: noCall, second: noCall,
	}
	e.asked.Inc()
	e.open.Add(1)
	e.tokens = min(e.tokens+float64(e.policy.Budget), budgetMost)
	e.attempt(slot)
	return slot
}

// budgetMost bounds the retries that a client can save up.
const budgetMost = 100

// attempt sends a call for a request.
func (e *edge) attempt(slot uint32) {
	r := &e.requests[slot]
	r.attempts++
	if e.breaker != nil && !e.breaker.allow(e.net.Sim.Now(), slot) {
		e.refuse(slot)
		return
	}
	e.startTimeout(slot, r)
	if e.connects != nil {
		r.connect = e.connects.Start(slot)
	}
	if e.hedges != nil {
		r.hedge = e.hedges.Start(slot)
	}
	r.call = e.send(slot, r)
	e.deliver(r.call)
}

// refuse ends an attempt that the breaker does not let out. The owner may ask
// again at once, and is refused again: such a chain goes through the queue when it
// gets long.
func (e *edge) refuse(slot uint32) {
	if e.net.depth >= maxDepth {
		e.requests[slot].waiting = true
		e.net.Sim.After(0, e.self, edgeRefuse, slot)
		return
	}
	e.net.depth++
	e.finishOrRetry(slot, Refused)
	e.net.depth--
}

// startTimeout begins the wait for an answer, which ends early where the owner
// passes on a deadline that is nearer than the timeout.
func (e *edge) startTimeout(slot uint32, r *request) {
	now := e.net.Sim.Now()
	left := r.deadline - now
	r.until = r.deadline
	if e.timeouts != nil {
		r.until = min(r.until, now+e.policy.Timeout.Time())
	}
	if r.deadline != des.Never && (e.timeouts == nil || left < e.policy.Timeout.Time()) {
		r.alarmed = true
		r.alarm = e.alarms.Start(max(left, 0), slot)
		return
	}
	r.alarmed = false
	if e.timeouts != nil {
		r.timer = e.timeouts.Start(slot)
	}
}

// send makes the call of an attempt.
func (e *edge) send(slot uint32, r *request) CallID {
	n := e.net
	e.attempts.Inc()
	c := n.newCall()
	*n.call(c) = call{
		edge: e.id, copy: r.copy, kind: r.kind, request: slot, deadline: r.until, key: r.key, size: r.size,
	}
	return c
}

// deliver brings a call to its target, now or after the delay of the edge.
func (e *edge) deliver(c CallID) {
	n := e.net
	switch {
	case e.cut > 0 && e.loss.Bool(e.cut):
		n.depth++
		e.dropped(c, n.call(c))
		n.depth--
	case e.delay > 0 || n.depth >= maxDepth:
		n.Sim.After(e.delay, e.self, edgeDeliver, uint32(c))
	default:
		n.depth++
		e.arrive(c)
		n.depth--
	}
}

// part returns the target of a call.
func (e *edge) part(c CallID) Part { return e.net.parts[e.target+int(e.net.call(c).copy)] }

// dropped ends a call that gets no answer: only the timeout of its caller will
// tell.
func (e *edge) dropped(c CallID, call *call) {
	if call.request != nobody && e.timeouts == nil && e.requests[call.request].waitsForever() {
		// A broken connection is then an error at once.
		e.answered(c, call, Failed)
		return
	}
	if call.request != nobody {
		r := &e.requests[call.request]
		if r.call == c {
			r.call = noCall
		} else {
			r.second = noCall
		}
	}
	e.net.end(c)
}

// waitsForever reports whether nothing but an answer ends the wait for a call,
// where there is no timeout.
func (r *request) waitsForever() bool { return r.deadline == des.Never && r.connect == 0 }

// Handle receives the events of the edge: what is about a request carries its
// slot, what is about a call its name.
func (e *edge) Handle(kind uint16, arg uint32) {
	switch kind {
	case edgeTimeout:
		r := &e.requests[arg]
		r.alarmed = false
		e.stopConnect(r)
		e.timedOut(arg)
	case edgeConnect:
		r := &e.requests[arg]
		r.connect = 0
		e.stopTimers(r)
		e.timedOut(arg)
	case edgeRetry, edgeRefuse:
		e.requests[arg].waiting = false
		switch {
		case !e.requests[arg].busy: // withdrawn meanwhile
			e.free = append(e.free, arg)
		case kind == edgeRetry:
			e.attempt(arg)
		default:
			e.refuse(arg)
		}
	case edgeHedge:
		e.hedged(arg)
	case edgeDeliver:
		e.arrive(CallID(arg))
	default:
		c := CallID(arg)
		e.settle(c, e.net.call(c), Outcome(kind-edgeReturn))
	}
}

// arrive brings a call to its target after its time on the network. One that was
// withdrawn meanwhile is caught up with.
func (e *edge) arrive(c CallID) {
	call := e.net.call(c)
	if call.abandon && e.policy.Cancel {
		e.net.end(c)
		return
	}
	call.there, call.since = true, e.net.Sim.Now()
	e.part(c).Arrive(c)
}

// answered takes the answer of the target to a call.
func (e *edge) answered(c CallID, call *call, o Outcome) {
	call.there = false
	if e.delay > 0 || e.net.depth >= maxDepth {
		e.net.Sim.After(e.delay, e.self, edgeReturn+uint16(o), uint32(c))
		return
	}
	e.settle(c, call, o)
}

// settle gives an answer to the request it is for.
func (e *edge) settle(c CallID, call *call, o Outcome) {
	slot := call.request
	e.net.end(c)
	if slot == nobody {
		if o == OK {
			e.late.Inc()
		}
		return
	}
	r := &e.requests[slot]
	if o != OK && r.call != noCall && r.second != noCall { // the other call is still out
		if r.call == c {
			r.call = r.second
		}
		r.second = noCall
		return
	}
	e.stopTimers(r)
	e.abandon(r, c)
	if e.breaker != nil {
		e.breaker.saw(e.net.Sim.Now(), slot, o == OK)
	}
	e.finishOrRetry(slot, o)
}

func (e *edge) stopTimers(r *request) {
	switch {
	case r.alarmed:
		e.alarms.Cancel(r.alarm)
		r.alarmed = false
	case e.timeouts != nil:
		e.timeouts.Cancel(r.timer)
	}
	if e.hedges != nil {
		e.hedges.Cancel(r.hedge)
	}
	e.stopConnect(r)
}

// stopConnect ends the wait for a call to be taken up.
func (e *edge) stopConnect(r *request) {
	if r.connect != 0 {
		e.connects.Cancel(r.connect)
		r.connect = 0
	}
}

// abandon leaves the calls of a request, but for the one that has ended, to
// themselves: their work goes on unless the policy withdraws it.
func (e *edge) abandon(r *request, ended CallID) {
	calls := [...]CallID{r.call, r.second}
	r.call, r.second = noCall, noCall // before a target can come back to us
	for _, c := range calls {
		if c == noCall || c == ended {
			continue
		}
		call := e.net.call(c)
		call.request, call.abandon = nobody, true
		if e.policy.Cancel && call.there {
			e.part(c).Withdraw(c)
		}
	}
}

func (e *edge) timedOut(slot uint32) {
	r := &e.requests[slot]
	if e.hedges != nil {
		e.hedges.Cancel(r.hedge)
	}
	e.abandon(r, noCall)
	if e.breaker != nil {
		e.breaker.saw(e.net.Sim.Now(), slot, false)
	}
	e.finishOrRetry(slot, TimedOut)
}

// hedged sends a second call for a request that takes long.
func (e *edge) hedged(slot uint32) {
	if e.unhedged {
		return
	}
	r := &e.requests[slot]
	c := e.send(slot, r)
	e.requests[slot].second = c
	e.deliver(c)
}

// finishOrRetry ends a request, or tries again where the policy allows it.
func (e *edge) finishOrRetry(slot uint32, o Outcome) {
	r := &e.requests[slot]
	if o == OK || int(r.attempts) > int(e.policy.Retries) {
		e.finish(slot, o)
		return
	}
	wait := e.policy.Backoff.wait(int(r.attempts), e.jitter)
	if !e.inTime(r, wait) || !e.pay() {
		e.finish(slot, o)
		return
	}
	e.retries.Inc()
	if wait > 0 || e.net.depth >= maxDepth {
		r.waiting = true
		e.net.Sim.After(wait, e.self, edgeRetry, slot)
		return
	}
	e.attempt(slot)
}

// inTime reports whether a retry after a wait begins while there is use for it.
func (e *edge) inTime(r *request, wait des.Time) bool {
	begins := e.net.Sim.Now() + wait
	if r.deadline != des.Never && begins >= r.deadline {
		return false
	}
	return e.policy.GiveUp == 0 || begins <= r.began+e.policy.GiveUp.Time()
}

// pay takes a token of the retry budget, if there is one, and reports whether
// the retry is paid for.
func (e *edge) pay() bool {
	if e.policy.Budget == 0 {
		return true
	}
	if e.tokens < 1 {
		return false
	}
	e.tokens--
	return true
}

func (e *edge) finish(slot uint32, o Outcome) {
	r := &e.requests[slot]
	token := r.token
	r.busy = false
	e.free = append(e.free, slot)
	e.ended[o].Inc()
	e.open.Add(-1)
	e.owner.Ended(e.port, token, o)
}

// withdraw ends a request that its owner has no more use for, if it is still
// under way. The owner is not told; the calls of the request are withdrawn where
// the policy says so.
func (e *edge) withdraw(slot, token uint32) {
	r := &e.requests[slot]
	if r.token != token || !r.busy {
		return // it has ended; its slot may serve another request
	}
	e.stopTimers(r)
	e.abandon(r, noCall)
	if e.breaker != nil {
		e.breaker.forget(slot)
	}
	r.busy = false
	e.ended[Withdrawn].Inc()
	e.open.Add(-1)
	if !r.waiting { // else the event of its retry frees the slot
		e.free = append(e.free, slot)
	}
}

// conserved holds the counts of the edge against each other.
func (e *edge) conserved() error {
	var ended int64
	for _, c := range e.ended {
		ended += c.Total()
	}
	if inside := e.open.Value(); e.asked.Total() != ended+inside {
		return fmt.Errorf("%d requests were made, %d have ended and %d are under way", e.asked.Total(), ended, inside)
	}
	if a := e.asked.Total() + e.retries.Total(); e.attempts.Total() > a && e.hedges == nil {
		return fmt.Errorf("%d attempts of %d requests and %d retries", e.attempts.Total(), e.asked.Total(), e.retries.Total())
	}
	return nil
}
