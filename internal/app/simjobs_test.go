package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/openprecedent/precedent/internal/sim/study"
	"github.com/openprecedent/precedent/internal/strictyaml"
)

const smallSystem = `name: small
parts:
  users: {kind: source, rate: 50/s, call: {to: db, timeout: 300ms, retries: 3}}
  db: {kind: server, work: exp 10ms}
run: {for: 60s}
changes:
  - {about: the slow database, at: 10s, for: 4s, set: {db.speed: 0.05}}
`

// endless is a system that computes for longer than anybody waits.
func endless(name string) string {
	return fmt.Sprintf(`name: %s
parts:
  users: {kind: source, rate: 1000000/s, call: {to: db, timeout: 100ms}}
  db: {kind: server, work: 1us, workers: 100}
run: {for: 15m, window: 1m}
`, name)
}

func testJobs(change func(*JobLimits)) *Jobs {
	limits := DefaultJobLimits(1)
	if change != nil {
		change(&limits)
	}
	return NewJobs(limits, "test", nil)
}

func start(t *testing.T, r *Jobs, client string, q study.Question) *Job {
	t.Helper()
	run, err := r.Start(t.Context(), client, q)
	if err != nil {
		t.Fatal(err)
	}
	return run
}

func finish(t *testing.T, r *Jobs, run *Job) *Job {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	run = r.Finish(ctx, run)
	if !run.State.Ended() {
		t.Fatalf("the run is %s after a minute", run.State)
	}
	return run
}

func TestRunIsAnswered(t *testing.T) {
	r := testJobs(nil)
	run := finish(t, r, start(t, r, "a", study.Question{System: smallSystem}))
	if run.State != JobDone || run.Result == nil || !json.Valid(run.JSON) {
		t.Fatalf("the run is %s: %s", run.State, run.Error)
	}
	if got := run.Result.Runs[0].Sources[0].Offered; got < 2500 {
		t.Errorf("%d requests were offered in a minute of 50/s", got)
	}
	again := start(t, r, "b", study.Question{System: smallSystem, Kind: study.KindRun})
	if again.ID != run.ID || again.State != JobDone {
		t.Errorf("the same question is run %s (%s), want %s done", again.ID, again.State, run.ID)
	}
	other := start(t, r, "a", study.Question{System: smallSystem, Set: []string{"users.rate=10/s"}})
	if other.ID == run.ID {
		t.Error("another setting has the same id")
	}
}

func TestRunJudges(t *testing.T) {
	r := testJobs(nil)
	run := finish(t, r, start(t, r, "a", study.Question{System: smallSystem, Kind: study.KindJudge, Course: true}))
	if run.State != JobDone || run.Result.Judgment == nil || len(run.Result.Runs) != 1 {
		t.Fatalf("the run is %s: %s", run.State, run.Error)
	}
	if got := run.Result.Judgment.Class; got != "metastable" {
		t.Errorf("the verdict is %s, want metastable", got)
	}
	if run.Runs == 0 || run.Events == 0 {
		t.Errorf("progress is %d runs and %d events", run.Runs, run.Events)
	}
}

func TestRunRefusesProblems(t *testing.T) {
	r := testJobs(nil)
	for name, q := range map[string]study.Question{
		"two problems":     {System: "name: x\nparts:\n  users: {kind: sorce}\n  db: {kind: server, wrk: 1ms}\n"},
		"too many windows": {System: strings.Replace(smallSystem, "for: 60s", "for: 60s, window: 1ms", 1)},
	} {
		_, err := r.Start(t.Context(), "a", q)
		var problems strictyaml.Problems
		if !errors.As(err, &problems) || len(problems) == 0 {
			t.Errorf("%s: error is %v, want problems", name, err)
		}
		if name == "two problems" && len(problems) < 2 {
			t.Errorf("%s: %v", name, problems)
		}
	}
}

func TestRunLimits(t *testing.T) {
	r := testJobs(func(l *JobLimits) {
		l.Compute, l.PerClient, l.Queue, l.Answer.Events = 300*time.Millisecond, 2, 2, 0
	})
	first := start(t, r, "a", study.Question{System: endless("one")})
	start(t, r, "a", study.Question{System: endless("two")})
	var busy *Busy
	if _, err := r.Start(t.Context(), "a", study.Question{System: endless("three")}); !errors.As(err, &busy) || !busy.Client() {
		t.Errorf("a third run of a client: %v, want that it has too many", err)
	}
	mine := start(t, r, "b", study.Question{System: endless("four")})
	if _, err := r.Start(t.Context(), "c", study.Question{System: endless("five")}); !errors.As(err, &busy) || busy.Client() {
		t.Errorf("a run beyond the queue: %v, want that the server is busy", err)
	}
	first = finish(t, r, first)
	if first.State != JobFailed || !strings.Contains(first.Error, "too long") || first.Seconds > 1 {
		t.Errorf("the endless run is %s after %.1f s: %s", first.State, first.Seconds, first.Error)
	}
	mine, err := r.Cancel("b", mine.ID)
	if err != nil {
		t.Fatal(err)
	}
	if mine = finish(t, r, mine); mine.State != JobCancelled {
		t.Errorf("the cancelled run is %s", mine.State)
	}
}

// TestCancelIsOnesOwn keeps a client from ending what another one waits for.
func TestCancelIsOnesOwn(t *testing.T) {
	r := testJobs(func(l *JobLimits) { l.Answer.Events = 0 })
	run := start(t, r, "a", study.Question{System: endless("shared")})
	start(t, r, "b", study.Question{System: endless("shared")})
	for _, client := range []string{"c", "a"} {
		if got, err := r.Cancel(client, run.ID); err != nil || got.State.Ended() {
			t.Fatalf("after a cancel of %s the run is %s (%v)", client, got.State, err)
		}
	}
	if _, err := r.Cancel("b", run.ID); err != nil {
		t.Fatal(err)
	}
	if run = finish(t, r, run); run.State != JobCancelled {
		t.Errorf("the run is %s, want cancelled", run.State)
	}
}

// TestRunTakesTurns sees that a long run gives its turn back every few
// milliseconds, and holds none when it has ended.
func TestRunTakesTurns(t *testing.T) {
	var held, turns atomic.Int32
	var longest, since atomic.Int64
	limits := DefaultJobLimits(1)
	limits.Compute, limits.Answer.Events = 200*time.Millisecond, 0
	r := NewJobs(limits, "test", func(context.Context) (func(), error) {
		held.Add(1)
		turns.Add(1)
		since.Store(time.Now().UnixNano())
		return func() {
			held.Add(-1)
			longest.Store(max(longest.Load(), time.Now().UnixNano()-since.Load()))
		}, nil
	})
	finish(t, r, start(t, r, "a", study.Question{System: endless("turns"), Kind: study.KindJudge}))
	if held.Load() != 0 {
		t.Errorf("%d turns are held at the end", held.Load())
	}
	if turns.Load() < 3 {
		t.Errorf("%d turns in 200 ms of computing, want slices of %v", turns.Load(), slice)
	}
	t.Logf("%d turns, the longest %v", turns.Load(), time.Duration(longest.Load()))
}

func TestRunMemory(t *testing.T) {
	r := testJobs(func(l *JobLimits) { l.Memory, l.Answer.Events, l.Compute = 64<<20, 0, time.Minute })
	run := finish(t, r, start(t, r, "a", study.Question{System: `name: flood
parts:
  users: {kind: source, rate: 1000000/s, call: {to: db}}
  db: {kind: server, work: 10s}
run: {for: 15m, window: 1m}
`}))
	if run.State == JobFailed && !strings.Contains(run.Error, "memory") || run.State == JobDone && run.Result.Runs[0].End.Finished() {
		t.Errorf("the flood is %s: %s", run.State, run.Error)
	}
}

func TestRunsAreForgotten(t *testing.T) {
	r := testJobs(func(l *JobLimits) { l.KeepCount = 2 })
	var ids []string
	for i := range 4 {
		q := study.Question{System: smallSystem, Set: []string{fmt.Sprintf("run.seed=%d", i+1)}}
		ids = append(ids, finish(t, r, start(t, r, "a", q)).ID)
	}
	for i, id := range ids {
		if _, err := r.Get(id); (err == nil) != (i >= 2) {
			t.Errorf("run %d of 4 with room for 2: %v", i+1, err)
		}
	}
	if len(r.all) != 2 || len(r.old) != 2 {
		t.Errorf("%d and %d runs are kept, want 2", len(r.all), len(r.old))
	}
}

// TestCancelledRunIsNotJoined asks again for what is being cancelled: it begins
// anew, and is not told that nobody waits for it.
func TestCancelledRunIsNotJoined(t *testing.T) {
	r := testJobs(nil)
	began, release := make(chan struct{}, 2), make(chan struct{})
	r.ask = func(ctx context.Context, q study.Question, l study.Limits, _ *found, _ func(study.Progress)) (*study.Answer, error) {
		began <- struct{}{}
		<-release // a run notices late that it is cancelled
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		return &study.Answer{Name: "answered"}, nil
	}
	q := study.Question{System: smallSystem}
	first := start(t, r, "a", q)
	<-began
	if _, err := r.Cancel("a", first.ID); err != nil {
		t.Fatal(err)
	}
	second := start(t, r, "b", q)
	if second.ID != first.ID || second.State.Ended() {
		t.Errorf("the second run is %+v", second)
	}
	close(release)
	if second = finish(t, r, second); second.State != JobDone || second.Result.Name != "answered" {
		t.Errorf("the second run is %s: %s", second.State, second.Error)
	}
	if got, err := r.Get(first.ID); err != nil || got.State != JobDone {
		t.Errorf("the id leads to %+v (%v)", got, err)
	}
}

// TestTimeOutIsNotKept sees that a run that took too long is tried again when
// it is asked for again, and that it tells what was known by then.
func TestTimeOutIsNotKept(t *testing.T) {
	r := testJobs(func(l *JobLimits) { l.Compute, l.Answer.Events = 300*time.Millisecond, 0 })
	q := study.Question{System: endless("late"), Kind: study.KindRun}
	first := finish(t, r, start(t, r, "a", q))
	if first.State != JobFailed || first.Result == nil || len(first.Result.Missing) == 0 || !json.Valid(first.JSON) {
		t.Fatalf("the run is %s: %s; its result is %+v", first.State, first.Error, first.Result)
	}
	if got, err := r.Get(first.ID); err != nil || got.State != JobFailed {
		t.Errorf("its id leads to %+v (%v)", got, err)
	}
	if again := start(t, r, "b", q); again.State.Ended() {
		t.Errorf("who asks again gets %s: %s", again.State, again.Error)
	}
}

// TestPanicEndsOneRun keeps the fault of one run from ending others.
func TestPanicEndsOneRun(t *testing.T) {
	r := testJobs(nil)
	r.ask = func(ctx context.Context, q study.Question, l study.Limits, kept *found, p func(study.Progress)) (*study.Answer, error) {
		if len(q.Set) > 0 {
			panic("a fault")
		}
		return ask(ctx, q, l, kept, p)
	}
	bad := start(t, r, "a", study.Question{System: smallSystem, Set: []string{"run.seed=2"}})
	good := finish(t, r, start(t, r, "a", study.Question{System: smallSystem}))
	if bad = finish(t, r, bad); bad.State != JobFailed || !strings.Contains(bad.Error, "the simulator failed") {
		t.Errorf("the faulty run is %s: %s", bad.State, bad.Error)
	}
	if good.State != JobDone {
		t.Errorf("the other run is %s: %s", good.State, good.Error)
	}
}

// TestJudgmentGoesOn judges a system that takes longer than a run may compute: each
// attempt tells what it has found, and who asks again comes to the answer. How long that
// is depends on the machine: the time is doubled until single runs end in it.
func TestJudgmentGoesOn(t *testing.T) {
	q := study.Question{System: strings.Replace(smallSystem, "timeout: 300ms", "timeout: 3s", 1), Kind: study.KindJudge, Seeds: 4}
	var got *Job
	told := 0
	for compute := 5 * time.Millisecond; got == nil; compute *= 2 {
		if compute > time.Minute {
			t.Fatalf("no run ends in %s", compute)
		}
		got, told = judgeInParts(t, q, compute)
	}
	if told == 0 {
		t.Fatal("the first attempt in which a run ended was the last: nothing was found in parts")
	}
	whole, err := study.Ask(t.Context(), q, DefaultJobLimits(1).Answer, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := got.Result.Judgment, whole.Judgment; got.Class != want.Class || got.Events != want.Events || len(got.Trials) != len(want.Trials) {
		t.Errorf("the judgment is %+v, want %+v", got, want)
	}
}

// judgeInParts asks for a judgment that may compute for so long, again as long as that
// leads further, and returns its end, nil if it leads no further, and how many attempts told a part.
func judgeInParts(t *testing.T, q study.Question, compute time.Duration) (done *Job, told int) {
	t.Helper()
	r := testJobs(func(l *JobLimits) { l.Compute = compute })
	for {
		run := finish(t, r, start(t, r, "a", q))
		if run.State == JobDone {
			return run, told
		}
		told++
		if run.Result == nil || run.Result.Judgment == nil || len(run.Result.Missing) == 0 {
			t.Fatalf("attempt %d: %s: %s, with %+v", told, run.State, run.Error, run.Result)
		}
		if !strings.Contains(run.Remedy, "precedent judge system.yaml --seeds 4 --resume progress.json") || run.Help.Ko == "" {
			t.Errorf("attempt %d: nothing says how to go on: %s", told, run.Remedy)
		}
		switch {
		case strings.Contains(run.Remedy, "goes on from"):
		case strings.Contains(run.Remedy, "leads no further"):
			return nil, told
		default:
			t.Fatalf("attempt %d: nothing says what asking again does: %s", told, run.Remedy)
		}
	}
}
