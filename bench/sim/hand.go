package main

import (
	"time"

	"github.com/openprecedent/precedent/internal/sim/des"
)

// item is an event of the loop written by hand.
type item struct {
	at   des.Time
	seq  uint64
	kind uint32
}

func (e *item) before(o *item) bool { return e.at < o.at || e.at == o.at && e.seq < o.seq }

// binary is a heap of items by value.
type binary []item

func (b *binary) push(e item) {
	h := append(*b, e)
	i := len(h) - 1
	for i > 0 {
		p := (i - 1) / 2
		if !e.before(&h[p]) {
			break
		}
		h[i] = h[p]
		i = p
	}
	h[i] = e
	*b = h
}

func (b *binary) pop() item {
	h := *b
	first, e := h[0], h[len(h)-1]
	h = h[:len(h)-1]
	for i := 0; len(h) > 0; {
		c := 2*i + 1
		if c+1 < len(h) && h[c+1].before(&h[c]) {
			c++
		}
		if c >= len(h) || !h[c].before(&e) {
			h[i] = e
			break
		}
		h[i] = h[c]
		i = c
	}
	*b = h
	return first
}

// handLoop is the single server as one would write it for this purpose only.
func handLoop() (time.Duration, float64, error) {
	start := cpuTime()
	in, service := des.NewStream(seed, "arrivals"), des.NewStream(seed, "service")
	var q binary
	line, sum, seq := newFIFO(), 0.0, uint64(1)
	q.push(item{in.Span(between), seq, 0})
	for arrived, left := 0, 0; left < arrivals; {
		e := q.pop()
		serve := false
		if e.kind == 0 {
			if arrived++; arrived < arrivals {
				seq++
				q.push(item{e.at + in.Span(between), seq, 0})
			}
			line.push(e.at)
			serve = line.len() == 1
		} else {
			sum += (e.at - line.pop()).Seconds()
			left++
			serve = line.len() > 0
		}
		if serve {
			seq++
			q.push(item{e.at + service.Span(work), seq, 1})
		}
	}
	return cpuTime() - start, sum / arrivals, nil
}
