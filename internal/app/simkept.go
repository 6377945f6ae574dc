package app

import (
	"context"
	"time"
)

// end keeps a run that has ended, for a while.
func (r *Jobs) end(one *running) {
	one.cancel(nil)
	one.ended = time.Now()
	r.old = append(r.old, one)
	r.bytes += one.size()
	r.tell(one)
	r.forget(one.ended)
}

// size is about what a run takes of the memory.
func (one *running) size() int { return 2*len(one.JSON) + len(one.System) + one.found.size() + 512 }

// forget drops what was kept for long enough, or is too much.
func (r *Jobs) forget(now time.Time) {
	for len(r.old) > 0 && (now.Sub(r.old[0].ended) > r.limits.Keep ||
		len(r.old) > r.limits.KeepCount || r.bytes > r.limits.KeepBytes && len(r.old) > 1) {
		r.drop(r.old[0])
	}
}

// drop forgets a run that has ended, or that nobody waits for.
func (r *Jobs) drop(one *running) {
	for i, other := range r.old {
		if other == one {
			r.old = append(r.old[:i:i], r.old[i+1:]...)
			r.bytes -= one.size()
			break
		}
	}
	if r.all[one.ID] == one {
		delete(r.all, one.ID)
	}
}

// tell wakes who waits for a change.
func (r *Jobs) tell(one *running) {
	one.seen++
	close(one.changed)
	one.changed = make(chan struct{})
}

// Get returns a run by its id.
func (r *Jobs) Get(id string) (*Job, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.forget(time.Now())
	one, ok := r.all[id]
	if !ok {
		return nil, NotFoundf("id", "ask again; answers are kept for a while only", "no run %q", Short(id)).
			Korean("다시 실행한다. 결과는 잠시만 보관한다", "그런 실행이 없다: %q")
	}
	run := one.Job
	return &run, nil
}

// Await returns the run as soon as it differs from what the caller has seen.
// When the context ends, it returns the run as it is.
func (r *Jobs) Await(ctx context.Context, last *Job) *Job {
	r.mu.Lock()
	one, ok := r.all[last.ID]
	for ok && one.seen == last.seen && !one.State.Ended() {
		changed := one.changed
		r.mu.Unlock()
		select {
		case <-changed:
		case <-ctx.Done():
			return last
		}
		r.mu.Lock()
	}
	defer r.mu.Unlock()
	if !ok {
		return last
	}
	run := one.Job
	return &run
}

// Finish waits until a run has ended or the context has.
func (r *Jobs) Finish(ctx context.Context, run *Job) *Job {
	for !run.State.Ended() && ctx.Err() == nil {
		run = r.Await(ctx, run)
	}
	return run
}

// Cancel takes back a client's question. A run ends when no client waits for it.
func (r *Jobs) Cancel(client, id string) (*Job, error) {
	r.mu.Lock()
	if one, ok := r.all[id]; ok && !one.State.Ended() {
		delete(one.clients, client)
		if one.leaving() {
			one.cancel(errTakenBack)
			r.unqueue(one)
		}
	}
	r.mu.Unlock()
	return r.Get(id)
}

// unqueue ends a run that has not begun; one that has ends by itself.
func (r *Jobs) unqueue(one *running) {
	for i, other := range r.queue {
		if other == one {
			r.queue = append(r.queue[:i:i], r.queue[i+1:]...)
			one.State, one.Why, one.Error = JobCancelled, endings[errTakenBack], errTakenBack.Error()
			r.end(one)
			return
		}
	}
}
