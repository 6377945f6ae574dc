package parts

import "github.com/openprecedent/precedent/internal/sim/des"

// consumerPool is the consumers of a queue.
type consumerPool struct {
	consumers []consumer
	active    int      // those that take messages: the first ones
	ready     []uint32 // consumers that may take more, a ring by readyAt
	readyAt   int
}

// consumer works on one message at a time and may hold further ones.
type consumer struct {
	held    int32
	first   uint32 // deliveries that it has not begun
	last    uint32
	working bool
	listed  bool // among the ready ones
}

// resize sets the number of consumers that take messages and offers those that
// may take more.
func (p *consumerPool) resize(active, prefetch int) {
	p.active = active
	for len(p.consumers) < active {
		p.consumers = append(p.consumers, consumer{first: none, last: none})
	}
	for i := range active {
		p.offer(uint32(i), prefetch)
	}
}

// offer lists a consumer that may take more.
func (p *consumerPool) offer(i uint32, prefetch int) {
	if c := &p.consumers[i]; !c.listed && int(i) < p.active && int(c.held) < prefetch {
		c.listed = true
		if p.readyAt > 1024 && p.readyAt > len(p.ready)/2 {
			p.ready = p.ready[:copy(p.ready, p.ready[p.readyAt:])]
			p.readyAt = 0
		}
		p.ready = append(p.ready, i)
	}
}

// take returns the consumer that has been ready for the longest time.
func (p *consumerPool) take(prefetch int) (uint32, bool) {
	for p.readyAt < len(p.ready) {
		i := p.ready[p.readyAt]
		p.readyAt++
		c := &p.consumers[i]
		c.listed = false
		if int(i) < p.active && int(c.held) < prefetch {
			return i, true
		}
	}
	p.ready, p.readyAt = p.ready[:0], 0
	return 0, false
}

// pump hands messages to consumers as long as there are both. Work that ends at
// once is taken up by the loop, so that a backlog does not nest.
func (q *queue) pump() {
	if q.pumping {
		return
	}
	q.pumping = true
	for q.line.len() > 0 {
		i, ok := q.take(q.prefetch)
		if !ok {
			break
		}
		m := q.pop()
		msg := &q.messages[m]
		if x := q.set.Expires.Time(); x > 0 && q.net.Sim.Now()-msg.since > x {
			q.offer(i, q.prefetch)
			if q.set.Expired == "dead" {
				q.die(m)
			} else {
				q.expired.Inc()
				q.finish(m)
			}
			continue
		}
		q.hand(m, i)
	}
	q.pumping = false
}

// hand gives a message to a consumer.
func (q *queue) hand(m, i uint32) {
	msg := &q.messages[m]
	msg.state = messageHeld
	msg.refs++
	msg.deliveries++
	q.held.Add(1)
	q.delivered.Inc()
	if msg.deliveries > 1 {
		q.redelivered.Inc()
	} else {
		q.wait.Measure(q.net.Sim.Now() - msg.since)
	}
	var d uint32
	if k := len(q.freeSlots); k > 0 {
		d = q.freeSlots[k-1]
		q.freeSlots = q.freeSlots[:k-1]
	} else {
		q.deliveries = append(q.deliveries, delivery{})
		d = uint32(len(q.deliveries) - 1)
	}
	q.deliveries[d] = delivery{message: m, consumer: i, next: none}
	if q.timers != nil {
		q.deliveries[d].timer = q.timers.Start(d)
	}
	c := &q.consumers[i]
	c.held++
	if c.last == none {
		c.first = d
	} else {
		q.deliveries[c.last].next = d
	}
	c.last = d
	q.offer(i, q.prefetch)
	q.work(i)
}

// work lets a consumer begin its next message. One whose time is over is worked
// on all the same: the consumer does not know.
func (q *queue) work(i uint32) {
	for {
		c := &q.consumers[i]
		if c.working || c.first == none {
			return
		}
		d := c.first
		c.first = q.deliveries[d].next
		if c.first == none {
			c.last = none
		}
		c.working = true
		// The record of a message that is done has ended; its work goes on.
		w := want{token: d, deadline: des.Never}
		if msg := &q.messages[q.deliveries[d].message]; msg.state != messageDone {
			r := q.net.call(msg.call)
			w.kind, w.key, w.size = r.kind, r.key, r.size
		}
		q.out.ask(w)
	}
}

// Ended takes the end of a consumer's call, or of one with a dead letter.
func (q *queue) Ended(port int, d uint32, o Outcome) {
	if port == 1 {
		if o != OK {
			q.lost.Inc()
		}
		return
	}
	del := q.deliveries[d]
	if q.timers != nil {
		q.timers.Cancel(del.timer)
	}
	q.freeSlots = append(q.freeSlots, d)
	c := &q.consumers[del.consumer]
	c.working = false
	c.held--
	q.ended(del, o == OK)
	q.offer(del.consumer, q.prefetch)
	if !q.pumping { // else the loops above this call go on
		q.pumping = true
		q.work(del.consumer)
		q.pumping = false
		q.pump()
	} else if c := &q.consumers[del.consumer]; c.first != none {
		q.net.Sim.After(0, q.self, queueWork, del.consumer)
	}
}

// ended acknowledges the message of a delivery, or sees to what happens to it
// after a failure.
func (q *queue) ended(del delivery, ok bool) {
	m := del.message
	msg := &q.messages[m]
	msg.refs--
	switch {
	case msg.state == messageDone:
		if ok {
			q.duplicates.Inc()
		}
		q.release(m)
	case ok:
		q.leave(m)
		q.done.Inc()
		took := q.net.Sim.Now() - msg.since
		q.sojourn.Measure(took)
		if most := q.set.InTime.Time(); most > 0 && took > most {
			q.late.Inc()
		}
		q.finish(m)
	case del.late: // it was handed out again already
	default:
		q.leave(m)
		q.again(m, q.set.Again.Time())
	}
}

// leave takes a message out of the state it is in.
func (q *queue) leave(m uint32) {
	switch msg := &q.messages[m]; msg.state {
	case messageWaits:
		q.line.remove(q.net, msg.call)
		q.backlog.Add(-1)
	case messageHeld:
		q.held.Add(-1)
	case messageLater:
		q.later.Add(-1)
	}
}

// again hands a message out another time, unless it has had its tries.
func (q *queue) again(m uint32, after des.Time) {
	msg := &q.messages[m]
	switch {
	case q.outdated(m):
		q.superseded.Inc()
		q.finish(m)
	case int64(msg.deliveries) >= int64(q.most):
		q.die(m)
	case after == 0:
		q.wait1(m)
	default:
		msg.state = messageLater
		msg.refs++
		q.later.Add(1)
		q.net.Sim.After(after, q.self, queueAgain, m)
	}
}

// Handle receives the events of the queue.
func (q *queue) Handle(kind uint16, arg uint32) {
	switch kind {
	case queueVisible:
		d := &q.deliveries[arg]
		d.late = true
		q.timeouts.Inc()
		if msg := &q.messages[d.message]; msg.state == messageHeld {
			q.leave(d.message)
			q.again(d.message, 0)
		}
	case queueAgain:
		msg := &q.messages[arg]
		msg.refs--
		if msg.state == messageLater {
			q.leave(arg)
			q.wait1(arg)
		} else {
			q.release(arg)
		}
	case queueWork:
		q.pumping = true
		q.work(arg)
		q.pumping = false
	}
	q.pump()
}
