package parts

import "github.com/openprecedent/precedent/internal/sim/des"

// Order says which of the calls that wait is served next.
type Order string

// UnmarshalText reads an order.
func (o *Order) UnmarshalText(text []byte) error {
	return oneOf((*string)(o), string(text), o.Words()...)
}

// Words returns the words that may stand.
func (*Order) Words() []string { return []string{"fifo", "lifo", "random", "class", "adaptive-lifo"} }

// Full says what happens to a call that finds no room.
type Full string

// UnmarshalText reads what happens to a call that finds no room.
func (f *Full) UnmarshalText(text []byte) error {
	return oneOf((*string)(f), string(text), f.Words()...)
}

// Words returns the words that may stand.
func (*Full) Words() []string { return []string{"refuse", "drop"} }

// Expired says what happens to a call whose caller has stopped waiting.
type Expired string

// UnmarshalText reads what happens to a call whose caller has stopped waiting.
func (e *Expired) UnmarshalText(text []byte) error {
	return oneOf((*string)(e), string(text), e.Words()...)
}

// Words returns the words that may stand.
func (*Expired) Words() []string { return []string{"run", "drop"} }

// line is a line of calls that wait. Its lists run through the records of the
// calls, so that one of them can leave from the middle.
type line struct {
	order  Order
	queues [maxClass + 1]struct{ first, last CallID } // one, or one a class
	all    []CallID                                   // of a random order
	n      int
	many   int // so many wait when an adaptive order turns from first to last in
	random *des.Stream
}

func newLine(b *Builder, o Order) line {
	l := line{order: o}
	for i := range l.queues {
		l.queues[i].first, l.queues[i].last = noCall, noCall
	}
	if o == "random" {
		l.random = b.Stream("order")
	}
	return l
}

func (l *line) len() int { return l.n }

func (l *line) class(c *call) int {
	if l.order == "class" {
		return int(min(c.kind, maxClass))
	}
	return 0
}

// push lets c wait.
func (l *line) push(n *Net, c CallID) {
	l.n++
	r := n.call(c)
	if l.order == "random" {
		r.next = CallID(len(l.all))
		l.all = append(l.all, c)
		return
	}
	q := &l.queues[l.class(r)]
	r.prev, r.next = q.last, noCall
	if q.last == noCall {
		q.first = c
	} else {
		n.call(q.last).next = c
	}
	q.last = c
}

// pop takes who is next. There must be somebody.
func (l *line) pop(n *Net) CallID {
	if l.order == "random" {
		c := l.all[l.random.IntN(len(l.all))]
		l.remove(n, c)
		return c
	}
	for i := range l.queues {
		q := &l.queues[i]
		if q.first == noCall {
			continue
		}
		c := q.first
		if l.order == "lifo" || l.order == "adaptive-lifo" && l.n > l.many {
			c = q.last
		}
		l.remove(n, c)
		return c
	}
	panic("parts: a call is taken from an empty line")
}

// oldest returns the call that was made first, noCall in an empty line. A random
// order knows none.
func (l *line) oldest(n *Net) CallID {
	first := noCall
	for i := range l.queues {
		c := l.queues[i].first
		if c != noCall && (first == noCall || n.call(c).since < n.call(first).since) {
			first = c
		}
	}
	return first
}

// remove lets c leave from wherever it stands.
func (l *line) remove(n *Net, c CallID) {
	l.n--
	r := n.call(c)
	if l.order == "random" {
		last := l.all[len(l.all)-1]
		l.all[r.next] = last
		n.call(last).next = r.next
		l.all = l.all[:len(l.all)-1]
		return
	}
	q := &l.queues[l.class(r)]
	if r.prev == noCall {
		q.first = r.next
	} else {
		n.call(r.prev).next = r.next
	}
	if r.next == noCall {
		q.last = r.prev
	} else {
		n.call(r.next).prev = r.prev
	}
}
