package main

import (
	"context"
	"fmt"
	"time"

	"github.com/openprecedent/precedent/internal/sim/des"
)

// holdRows keep a number of events pending: each one schedules another.
func holdRows() []row {
	const few = "hold 1000"
	all := []row{{name: few, events: 1e6, trial: func() (time.Duration, float64, error) { return holdTrial(1000) }}}
	for _, pending := range []int{100_000, 1_000_000} {
		r := row{name: fmt.Sprintf("hold %d", pending), events: 1e6, peer: few, most: 3}
		r.trial = func() (time.Duration, float64, error) { return holdTrial(pending) }
		all = append(all, r)
	}
	return all
}

type holder struct {
	sim    *des.Sim
	self   des.Target
	stream *des.Stream
}

func (h *holder) Handle(uint16, uint32) { h.sim.After(h.stream.Span(des.Second), h.self, 0, 0) }

func holdTrial(pending int) (time.Duration, float64, error) {
	s := des.New(seed)
	h := &holder{sim: s, stream: s.Stream("hold")}
	h.self = s.Register(h)
	for range pending {
		h.Handle(0, 0)
	}
	// As many events as are pending, so that the queue is in its steady state.
	warm := uint64(pending)
	s.Run(context.Background(), des.Budget{Until: des.Never, Events: warm})
	start := cpuTime()
	s.Run(context.Background(), des.Budget{Until: des.Never, Events: warm + 1e6})
	return cpuTime() - start, s.Now().Seconds(), nil
}
