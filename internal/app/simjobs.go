package app

import (
	"context"
	"crypto/sha256"
	"encoding/base32"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/sim/study"
)

// JobState is how far a run has come.
type JobState string

// The states of a run. The last three are for good.
const (
	JobWaiting   JobState = "waiting"
	JobRunning   JobState = "running"
	JobDone      JobState = "done"
	JobFailed    JobState = "failed"
	JobCancelled JobState = "cancelled"
)

// Ended reports whether the state is for good.
func (s JobState) Ended() bool { return s != JobWaiting && s != JobRunning }

// Job is a question about a system on its way to an answer.
type Job struct {
	ID      string        `json:"id" jsonschema:"the same question has the same id"`
	Kind    study.Kind    `json:"kind" jsonschema:"run, judge, stress, remedies, map or explain"`
	State   JobState      `json:"state" jsonschema:"waiting, running, done, failed or cancelled"`
	Stage   string        `json:"stage,omitempty" jsonschema:"what is being run"`
	Runs    int           `json:"runs" jsonschema:"simulations that have ended"`
	Events  uint64        `json:"events" jsonschema:"events that they handled"`
	Seconds float64       `json:"seconds" jsonschema:"time that was spent computing"`
	Error   string        `json:"error,omitempty" jsonschema:"why there is no result"`
	Remedy  string        `json:"remedy,omitempty" jsonschema:"what to do about it"`
	Result  *study.Answer `json:"result,omitempty" jsonschema:"the answer"`

	// JSON is the result in the wire form, made once.
	JSON json.RawMessage `json:"-"`
	// System is the text of the system that was asked about.
	System string `json:"-"`
	// seen grows with each change.
	seen int
}

// MaxSystem bounds the text of a system that is sent to a server, in bytes.
const MaxSystem = 64 << 10

// JobLimits bound what runs may take of a server.
type JobLimits struct {
	Workers   int           // runs at a time; 1 if 0
	Queue     int           // runs that may wait
	PerClient int           // runs of one client that have not ended
	Compute   time.Duration // computing time of a run
	Life      time.Duration // time that a run may take in all, waiting included
	Memory    uint64        // bytes by which the heap of the process may grow during a run
	Keep      time.Duration // for which an answer is kept
	KeepCount int           // answers kept
	KeepBytes int           // size of the answers kept
	Answer    study.Limits
}

// DefaultJobLimits are those of a server with some number of workers.
func DefaultJobLimits(workers int) JobLimits {
	workers = max(workers, 1)
	return JobLimits{
		Workers: workers, Queue: 4 * workers, PerClient: 2,
		Compute: 20 * time.Second, Life: 2 * time.Minute, Memory: 512 << 20,
		Keep: 15 * time.Minute, KeepCount: 200, KeepBytes: 64 << 20,
		Answer: study.Limits{Windows: 4000, Events: 200_000_000, Pending: 2_000_000, Runs: 8, Cells: 100, Workers: 1},
	}
}

// Turn waits until the caller may compute. It gives its turn back by calling
// leave.
type Turn func(ctx context.Context) (leave func(), err error)

// Jobs runs simulations for clients: few at a time, each for a bounded time and
// in short turns, and keeps the answers for a while.
type Jobs struct {
	limits JobLimits
	build  string
	turn   Turn

	mu    sync.Mutex
	all   map[string]*running
	old   []*running // in the order in which they ended
	queue []*running
	busy  int
	bytes int
}

// running is a run with what only its keeper knows.
type running struct {
	Job
	question study.Question
	clients  map[string]bool // that wait for it
	ctx      context.Context
	cancel   context.CancelCauseFunc
	changed  chan struct{} // closed at the next change
	ended    time.Time
}

// NewJobs returns a runner. The build identifies the program, since another one
// may answer differently. A turn of nil lets runs compute without asking.
func NewJobs(limits JobLimits, build string, turn Turn) *Jobs {
	limits.Workers = max(limits.Workers, 1)
	if turn == nil {
		turn = func(context.Context) (func(), error) { return func() {}, nil }
	}
	return &Jobs{limits: limits, build: build, turn: turn, all: map[string]*running{}}
}

// errors of a run.
var (
	errRunsFull   = errors.New("more simulations are asked for than this server can run")
	errClientFull = errors.New("earlier simulations of this client have not ended")
	errTooLong    = errors.New("the simulation takes too long for this server")
	errTooLarge   = errors.New("the simulation takes too much memory for this server")
	errTakenBack  = errors.New("nobody waits for it any more")
)

const ownMachine = "let it run for a shorter time or with fewer requests, or run it on your own machine"

// Start begins to answer a question for a client, or finds that it has been
// answered. The error is one of [study.Read], or [Busy], which goes away.
func (r *Jobs) Start(ctx context.Context, client string, q study.Question) (*Job, error) {
	if q.Kind == "" {
		q.Kind = study.KindRun
	}
	q.File = "" // a stranger's names of files go nowhere
	id := r.id(q)
	if run, ok := r.join(id, client); ok {
		return run, nil
	}
	leave, err := r.turn(ctx)
	if err != nil {
		return nil, &Busy{errRunsFull, 1}
	}
	_, err = study.Read(q, r.limits.Answer)
	leave()
	if err != nil {
		return nil, err
	}
	return r.enqueue(id, client, q)
}

// Busy is the error of a question that there is no room for now.
type Busy struct {
	Err   error
	After int // seconds to wait
}

// Error implements [error].
func (b *Busy) Error() string { return b.Err.Error() }

// Client reports whether it is the client itself that has too much under way.
func (b *Busy) Client() bool { return b.Err == errClientFull }

// id returns the name of a question: who does not know the question cannot
// guess it.
func (r *Jobs) id(q study.Question) string {
	sum := sha256.New()
	for _, s := range []string{r.build, q.Key()} {
		fmt.Fprintf(sum, "%d:%s", len(s), s)
	}
	return strings.ToLower(base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(sum.Sum(nil)[:15]))
}

// join finds a run that is under way or was answered.
func (r *Jobs) join(id, client string) (*Job, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.forget(time.Now())
	one, ok := r.all[id]
	if !ok || one.State == JobCancelled {
		return nil, false
	}
	if !one.State.Ended() {
		one.clients[client] = true
	}
	run := one.Job
	return &run, true
}

func (r *Jobs) enqueue(id, client string, q study.Question) (*Job, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	mine := 0
	for _, one := range r.all {
		if !one.State.Ended() && one.clients[client] {
			mine++
		}
	}
	switch {
	case r.limits.PerClient > 0 && mine >= r.limits.PerClient:
		return nil, &Busy{errClientFull, 2}
	case len(r.queue) >= r.limits.Queue && r.busy >= r.limits.Workers:
		return nil, &Busy{errRunsFull, 5}
	}
	if was, ok := r.all[id]; ok { // it was cancelled, or another client was faster
		if !was.State.Ended() {
			was.clients[client] = true
			run := was.Job
			return &run, nil
		}
		r.drop(was)
	}
	one := &running{
		Job:      Job{ID: id, Kind: q.Kind, State: JobWaiting, System: q.System},
		question: q, clients: map[string]bool{client: true}, changed: make(chan struct{}),
	}
	// The run belongs to the server and not to the request that began it.
	ctx, stop := context.WithTimeoutCause(context.Background(), r.limits.Life, errTooLong)
	one.ctx, one.cancel = context.WithCancelCause(ctx)
	context.AfterFunc(one.ctx, stop)
	r.all[id] = one
	r.queue = append(r.queue, one)
	r.next()
	run := one.Job
	return &run, nil
}

// next lets the next ones run: those first whose client has none running.
func (r *Jobs) next() {
	for r.busy < r.limits.Workers && len(r.queue) > 0 {
		at := 0
		for i, one := range r.queue {
			if !r.occupied(one) {
				at = i
				break
			}
		}
		one := r.queue[at]
		r.queue = append(r.queue[:at:at], r.queue[at+1:]...)
		r.busy++
		one.State = JobRunning
		r.tell(one)
		go r.work(one)
	}
}

// occupied reports whether a client of the run has another one running.
func (r *Jobs) occupied(one *running) bool {
	for _, other := range r.all {
		if other.State != JobRunning {
			continue
		}
		for client := range one.clients {
			if other.clients[client] {
				return true
			}
		}
	}
	return false
}

// work answers a question.
func (r *Jobs) work(one *running) {
	p := &pacer{runs: r, one: one}
	answer, raw, err := p.answer(func(v study.Progress) {
		r.mu.Lock()
		defer r.mu.Unlock()
		one.Stage, one.Runs, one.Events, one.Seconds = v.Stage, v.Done, v.Events, p.used.Seconds()
		r.tell(one)
	})
	r.mu.Lock()
	defer r.mu.Unlock()
	one.Stage, one.Seconds = "", p.used.Seconds()
	switch cause := context.Cause(one.ctx); {
	case err == nil:
		one.State, one.Result, one.JSON = JobDone, answer, raw
	case errors.Is(cause, errTakenBack):
		one.State, one.Error = JobCancelled, errTakenBack.Error()
	case cause != nil:
		one.State, one.Error, one.Remedy = JobFailed, cause.Error(), ownMachine
	default:
		one.State, one.Error, one.Remedy = JobFailed, err.Error(), Hint(Unanswered(err), bilingual.English, nil)
	}
	r.busy--
	r.end(one)
	r.next()
}

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
func (one *running) size() int { return 2*len(one.JSON) + len(one.System) + 512 }

// forget drops what was kept for long enough, or is too much.
func (r *Jobs) forget(now time.Time) {
	for len(r.old) > 0 && (now.Sub(r.old[0].ended) > r.limits.Keep ||
		len(r.old) > r.limits.KeepCount || r.bytes > r.limits.KeepBytes && len(r.old) > 1) {
		r.drop(r.old[0])
	}
}

// drop forgets a run that has ended.
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
		if len(one.clients) == 0 {
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
			one.State, one.Error = JobCancelled, errTakenBack.Error()
			r.end(one)
			return
		}
	}
}
