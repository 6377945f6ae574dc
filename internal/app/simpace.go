package app

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"runtime/metrics"
	"time"

	"github.com/openprecedent/precedent/internal/sim/des"
	"github.com/openprecedent/precedent/internal/sim/study"
)

// slice is how long a run computes in one turn: as long as a reader can wait
// without noticing.
const slice = 5 * time.Millisecond

// pacer lets a run compute in slices, and ends it where it has had enough. It
// is used by one goroutine at a time.
type pacer struct {
	runs  *Jobs
	one   *running
	leave func()
	since time.Time     // when the slice began
	used  time.Duration // of the slices before
	heap  uint64        // bytes when the run began
}

// answer asks the question of the run, in slices. With an error of the context
// the answer is what was known by then.
func (p *pacer) answer(progress func(study.Progress)) (a *study.Answer, raw []byte, err error) {
	ctx := p.one.ctx
	if p.leave, err = p.runs.turn(ctx); err != nil {
		return nil, nil, err
	}
	p.since, p.heap = time.Now(), heapBytes()
	p.one.found.begin()
	defer func() {
		p.leave()
		p.used += time.Since(p.since)
		if v := recover(); v != nil { // one run must not end the others
			a, raw, err = nil, nil, fmt.Errorf("the simulator failed: %v", v)
		}
	}()
	a, err = p.runs.ask(des.WithPace(ctx, p.pace), p.one.question, p.runs.limits.Answer, p.one.found, progress)
	if a == nil {
		return nil, nil, err
	}
	p.pace()
	raw, failed := wire(a)
	if failed != nil {
		return nil, nil, failed
	}
	return a, raw, err
}

// pace gives the turn back when the slice is over, and waits for the next.
func (p *pacer) pace() {
	now := time.Now()
	if now.Sub(p.since) < slice || p.one.ctx.Err() != nil {
		return
	}
	p.used += now.Sub(p.since)
	p.leave()
	p.leave = func() {}
	switch grown := heapBytes(); {
	case p.used > p.runs.limits.Compute:
		p.one.cancel(errTooLong)
	case p.runs.limits.Memory > 0 && grown > p.heap+p.runs.limits.Memory:
		p.one.cancel(errTooLarge)
	default:
		leave, err := p.runs.turn(p.one.ctx)
		if err != nil {
			p.one.cancel(err)
			break
		}
		p.leave = leave
	}
	p.since = time.Now()
}

// heapBytes returns what lives on the heap, and what is dead and not yet swept.
func heapBytes() uint64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	if sample[0].Value.Kind() != metrics.KindUint64 {
		return 0
	}
	return sample[0].Value.Uint64()
}

// maxWire bounds the JSON of an answer. The series of a larger one are left out.
const maxWire = 4 << 20

// wire writes an answer.
func wire(a *study.Answer) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(a); err != nil {
		return nil, fmt.Errorf("writing the answer: %w", err)
	}
	if b.Len() > maxWire && a.DropSeries() {
		return wire(a)
	}
	return bytes.TrimSpace(b.Bytes()), nil
}

// clientKey is the key of a client in a context.
type clientKey struct{}

// WithClient returns a context that says which client asks; runs are counted
// by it.
func WithClient(ctx context.Context, client string) context.Context {
	return context.WithValue(ctx, clientKey{}, client)
}

// ClientOf returns the client of a context, empty if it is not known.
func ClientOf(ctx context.Context) string {
	client, _ := ctx.Value(clientKey{}).(string)
	return client
}
