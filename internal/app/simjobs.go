package app

import (
	"context"
	"crypto/sha256"
	"encoding/base32"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/sim/study"
)

// Turn waits until the caller may compute. It gives its turn back by calling
// leave.
type Turn func(ctx context.Context) (leave func(), err error)

// Jobs runs simulations for clients: few at a time, each for a bounded time and
// in short turns, and keeps the answers for a while.
type Jobs struct {
	limits JobLimits
	build  string
	turn   Turn
	ask    asker

	mu    sync.Mutex
	all   map[string]*running
	old   []*running // in the order in which they ended
	queue []*running
	busy  int
	bytes int
}

// asker answers a question as [study.Ask] does, and goes on from what was found.
type asker func(context.Context, study.Question, study.Limits, *found, func(study.Progress)) (*study.Answer, error)

func ask(ctx context.Context, q study.Question, l study.Limits, kept *found, progress func(study.Progress)) (*study.Answer, error) {
	s, err := study.Read(q, l)
	if err != nil {
		return nil, err
	}
	s.Keep(kept)
	return s.Answer(ctx, progress)
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
	found    *found
	passing  bool // it failed for want of time, room or turns, which another attempt may have
}

// leaving reports whether nobody waits for a run that has not ended yet: it is
// being cancelled, and no answer will come of it.
func (one *running) leaving() bool { return !one.State.Ended() && len(one.clients) == 0 }

// NewJobs returns a runner. The build identifies the program, since another one
// may answer differently. A turn of nil lets runs compute without asking.
func NewJobs(limits JobLimits, build string, turn Turn) *Jobs {
	limits.Workers = max(limits.Workers, 1)
	if turn == nil {
		turn = func(context.Context) (func(), error) { return func() {}, nil }
	}
	return &Jobs{limits: limits, build: build, turn: turn, ask: ask, all: map[string]*running{}}
}

// errors of a run.
var (
	errRunsFull   = errors.New("more simulations are asked for than this server can run")
	errClientFull = errors.New("earlier simulations of this client have not ended")
	errTooLong    = errors.New("the simulation takes too long for this server")
	errTooLarge   = errors.New("the simulation takes too much memory for this server")
	errTakenBack  = errors.New("nobody waits for it any more")
)

// endings say in both languages why a run was ended.
var endings = map[error]bilingual.Text{
	errTooLong:   {En: errTooLong.Error(), Ko: "이 서버에서 하기에는 시뮬레이션이 너무 오래 걸린다"},
	errTooLarge:  {En: errTooLarge.Error(), Ko: "이 서버에서 하기에는 시뮬레이션이 메모리를 너무 많이 쓴다"},
	errTakenBack: {En: errTakenBack.Error(), Ko: "이제 기다리는 사람이 없다"},
}

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
	if err := r.Check(ctx, q); err != nil {
		return nil, err
	}
	return r.enqueue(id, client, q)
}

// Check returns all that is wrong with a question, as [study.Read] does, or [Busy]. It
// computes in a turn.
func (r *Jobs) Check(ctx context.Context, q study.Question) error {
	leave, err := r.turn(ctx)
	if err != nil {
		return &Busy{errRunsFull, 1}
	}
	defer leave()
	_, err = study.Read(q, r.limits.Answer)
	return err
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

// join finds a run that is under way or was answered. One that is being
// cancelled is none, and neither is one that another attempt may answer.
func (r *Jobs) join(id, client string) (*Job, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.forget(time.Now())
	one, ok := r.all[id]
	if !ok || one.useless() {
		return nil, false
	}
	if !one.State.Ended() {
		one.clients[client] = true
	}
	run := one.Job
	return &run, true
}

// useless reports whether who asks the same must begin anew.
func (one *running) useless() bool {
	return one.State == JobCancelled || one.leaving() || one.passing
}

func (r *Jobs) enqueue(id, client string, q study.Question) (*Job, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	kept := &found{}
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
	if was, ok := r.all[id]; ok {
		if !was.useless() { // another client was faster
			if !was.State.Ended() {
				was.clients[client] = true
			}
			run := was.Job
			return &run, nil
		}
		r.drop(was)
		if was.passing {
			kept = was.found
		}
	}
	one := &running{
		Job: Job{ID: id, Kind: q.Kind, State: JobWaiting, System: q.System, Variant: q.Variant, X: q.X, Y: q.Y,
			Set: q.Set, Seeds: q.Seeds, Limit: q.Limit},
		question: q, clients: map[string]bool{client: true}, changed: make(chan struct{}), found: kept,
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
	one.Stage, one.Seconds = bilingual.Text{}, p.used.Seconds()
	one.Result, one.JSON = answer, raw // with an error it is what was known by then
	cause := context.Cause(one.ctx)
	switch {
	case err == nil:
		one.State, one.found = JobDone, nil
	case errors.Is(cause, errTakenBack):
		one.State, one.Why = JobCancelled, endings[errTakenBack]
		one.Result, one.JSON = nil, nil
	case cause != nil:
		one.State, one.Why, one.passing = JobFailed, bilingual.Text{En: cause.Error(), Ko: endings[cause].Ko}, true
		one.Help = one.goOn(cause)
	default:
		one.State, one.Why = JobFailed, bilingual.Text{En: err.Error(), Ko: Message(Unanswered(err), bilingual.Korean)}
		one.Help = bilingual.Text{En: Hint(Unanswered(err), bilingual.English, nil), Ko: Hint(Unanswered(err), bilingual.Korean, nil)}
	}
	one.Error, one.Remedy = one.Why.En, one.Help.En
	r.busy--
	r.end(one)
	r.next()
}
