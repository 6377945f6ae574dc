package parts

import "github.com/openprecedent/precedent/internal/sim/des"

// newest knows the newest message of each key of a queue in which a message takes
// the place of an older one of its key, as logs that are compacted and work that
// states a goal do.
type newest struct {
	on         bool
	by         []uint32 // message of a key, none if it is done
	superseded *des.Counter
}

func (n *newest) set(key, m uint32) {
	if !n.on {
		return
	}
	for len(n.by) <= int(key) {
		n.by = append(n.by, none)
	}
	n.by[key] = m
}

// of returns the newest message of a key.
func (n *newest) of(key uint32) uint32 {
	if !n.on || int(key) >= len(n.by) {
		return none
	}
	return n.by[key]
}

// forget takes note that a message has ended.
func (n *newest) forget(key, m uint32) {
	if n.of(key) == m && m != none {
		n.by[key] = none
	}
}

// supersede ends the message of a key that another one takes the place of. One
// in the hands of a consumer goes on, but is not handed out again.
func (q *queue) supersede(key uint32) {
	m := q.newest.of(key)
	if m == none {
		return
	}
	if s := q.messages[m].state; s == messageWaits || s == messageLater {
		q.leave(m)
		q.superseded.Inc()
		q.finish(m)
	}
}

// outdated reports whether a newer message has taken the place of one that
// failed.
func (q *queue) outdated(m uint32) bool {
	return q.newest.on && q.newest.of(q.net.call(q.messages[m].call).key) != m
}
