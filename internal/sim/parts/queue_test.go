package parts_test

import (
	"math"
	"testing"
)

const queued = `
name: queued
parts:
  users: {kind: source, rate: 2.4/s, call: {to: mail}}
  mail: {kind: queue, consumers: 3, call: {to: web}}
  web: {kind: server, workers: 10k, work: exp 1s}
run: {for: 20h, window: 10m}
`

// TestQueueWait: consumers that take one message each are M/M/c.
func TestQueueWait(t *testing.T) {
	p := play(t, queued, 1)
	// Erlang C for 2.4 and 3, mean wait C/(3 - 2.4).
	b := 1.0
	for k := 1.0; k <= 3; k++ {
		b = 2.4 * b / (k + 2.4*b)
	}
	c := b / (1 - 0.8*(1-b))
	near(t, "mean wait", p.mean("mail.wait.mean", 0, 72000), c/0.6, 0.07)
	near(t, "mean backlog", p.mean("mail.backlog", 0, 72000), 2.4*c/0.6, 0.18)
	// The sender does not wait.
	near(t, "latency of the sender", p.mean("users.latency.mean", 0, 72000), 0, 1e-3)
	sameSeries(t, p, play(t, queued, 1))
}

// TestQueueRoom: with room for two more than are held it is M/M/3/5.
func TestQueueRoom(t *testing.T) {
	sum, term := 0.0, 1.0
	for k := 0; k <= 5; k++ {
		if k > 0 {
			term *= 2.4 / math.Min(float64(k), 3)
		}
		sum += term
	}
	p := play(t, queued, 1, "mail.room=2")
	near(t, "share refused", p.total("users.failed")/p.total("users.offered"), term/sum, 0.005)
	p = play(t, queued, 1, "mail.room=2", "mail.when_full=drop_oldest")
	near(t, "share dropped", p.total("mail.dropped")/p.total("users.offered"), term/sum, 0.005)
	near(t, "refused", p.total("users.failed"), 0, 0)
	p = play(t, queued, 1, "mail.room=2", "mail.when_full=drop")
	near(t, "share dropped", p.total("mail.dropped")/p.total("users.offered"), term/sum, 0.005)
}

// TestQueueVisibility: with a consumer for each message, a message is handed out
// at 0, V, 2V and so on until the first of its works ends. The works that run at
// kV are k with ages V to kV, so more than k deliveries are made with
// probability q^(k(k+1)/2), q = e^-V.
func TestQueueVisibility(t *testing.T) {
	want := 0.0
	for k := range 10 {
		want += math.Exp(-float64(k*(k+1)) / 2)
	}
	p := play(t, queued, 1, "mail.consumers=1000", "users.rate=20/s", "mail.visibility=1s", "run.for=1h")
	near(t, "deliveries of a message", p.total("mail.delivered")/p.total("mail.stored"), want, 0.01)
	near(t, "duplicates of a message", p.total("mail.duplicates")/p.total("mail.stored"), want-1, 0.01)
	calm := playCalm(t, queued, 1, "mail.consumers=1000", "users.rate=20/s", "mail.visibility=1s", "run.for=1h")
	near(t, "deliveries without feedback", calm.total("mail.redelivered"), 0, 0)
}

// TestQueueDeadLetters: of calls that fail half of the time, an eighth of the
// messages fails three times.
func TestQueueDeadLetters(t *testing.T) {
	const dead = `
name: dead
parts:
  users: {kind: source, rate: 20/s, call: {to: mail}}
  mail: {kind: queue, consumers: 100, max_deliveries: 3, call: {to: web}, dead_letters: {to: dead}}
  web: {kind: server, workers: 10k, work: exp 100ms}
  dead: {kind: queue, consumers: 0, call: {to: web}}
run: {for: 1h, window: 1m}
changes: [{at: 0, set: {mail.call.cut: 50%}}]
`
	p := play(t, dead, 1)
	stored := p.total("mail.stored")
	near(t, "dead share", p.total("mail.dead")/stored, 1.0/8, 0.005)
	near(t, "deliveries of a message", p.total("mail.delivered")/stored, 1.75, 0.01)
	near(t, "messages among the dead ones", p.total("dead.stored"), p.total("mail.dead"), 0)
	near(t, "deliveries of a message with two tries", play(t, dead, 1, "mail.max_deliveries=2").total("mail.delivered")/stored, 1.5, 0.01)
	slow := play(t, dead, 1, "mail.again_after=10s")
	if a, b := slow.mean("mail.later", 600, 3600), p.mean("mail.later", 600, 3600); !(a > 9*b && a < 11*b) {
		t.Errorf("%v messages wait to come again, want ten times of %v", a, b)
	}
}

// pausedQueue stands still for a minute of ten messages a second, which ten
// consumers of a tenth of a second each work off at a hundred.
const pausedQueue = `
name: paused
parts:
  users: {kind: source, rate: 10/s, arrivals: regular, call: {to: mail}}
  mail: {kind: queue, consumers: 10, call: {to: web}}
  web: {kind: server, workers: 100, work: 100ms}
run: {for: 5m, window: 1s}
changes: [{at: 60s, for: 60s, set: {mail.consumers: 0}}]
`

// TestQueueLag holds backlog and age to the fluid.
func TestQueueLag(t *testing.T) {
	p := play(t, pausedQueue, 1)
	backlog, oldest := p.series("mail.backlog"), p.series("mail.oldest")
	near(t, "backlog at the end of the pause", backlog[119], 595, 2)
	near(t, "age at the end of the pause", oldest[119], 60, 0.2)
	// 600 messages drain at 100 - 10 a second.
	near(t, "backlog half way", backlog[123], 600-90*3.5, 12)
	near(t, "backlog after the drain", backlog[128], 0, 1)
	near(t, "longest wait", p.series("mail.wait.p99")[120], 60, 1)
}

func TestQueueOrderAndExpiry(t *testing.T) {
	if w := play(t, pausedQueue, 1, "mail.order=lifo").series("mail.wait.median")[120]; w > 6 {
		t.Errorf("with the newest first, a message waits for %v s after the pause", w)
	}
	p := play(t, pausedQueue, 1, "mail.expires=20s")
	near(t, "expired", p.total("mail.expired"), 400, 3)
	near(t, "backlog once the old ones are gone", p.series("mail.backlog")[123], 0, 10)
	p = play(t, pausedQueue, 1, "mail.expires=20s", "mail.expired=dead")
	near(t, "dead", p.total("mail.dead"), 400, 3)
	p = play(t, pausedQueue, 1, "mail.room=100", "mail.when_full=drop_oldest")
	near(t, "age of the oldest of a full queue", p.series("mail.oldest")[115], 10, 0.3)
	p = play(t, pausedQueue, 1, "mail.room=100", "mail.when_full=drop")
	near(t, "age of the oldest that is never dropped", p.series("mail.oldest")[115], 56, 0.3)
}

// TestQueuePrefetch: a consumer that takes ten messages of a second each cannot
// begin the last of them before their visibility of five seconds is over.
func TestQueuePrefetch(t *testing.T) {
	const src = `
name: prefetch
parts:
  users: {kind: source, rate: 0.8/s, arrivals: regular, call: {to: mail}}
  mail: {kind: queue, consumers: 1, prefetch: 1, visibility: 5s, call: {to: web}}
  web: {kind: server, workers: 10, work: 1s}
run: {for: 10m, window: 1s}
changes: [{at: 60s, for: 20s, set: {mail.consumers: 0}}]
`
	if d := play(t, src, 1).total("mail.redelivered"); d != 0 {
		t.Errorf("%v messages were handed out again that were begun at once", d)
	}
	p := play(t, src, 1, "mail.prefetch=10")
	if d := p.total("mail.duplicates"); d < 10 {
		t.Errorf("%v messages were worked on twice", d)
	}
	// The work done twice keeps the consumer late: the loop sustains itself, and
	// without the pause there is none.
	if d := p.sum("mail.duplicates", 500, 600); d < 10 {
		t.Errorf("%v messages were worked on twice long after the pause", d)
	}
	calm := play(t, src, 1, "mail.prefetch=10", "changes[0].set.mail.consumers=1")
	near(t, "duplicates without a pause", calm.total("mail.duplicates"), 0, 0)
}

func TestQueueProblems(t *testing.T) {
	wantProblem(t, queued, "mail.prefetch=0", "mail.prefetch", "write 1")
	wantProblem(t, queued, "mail.again_after=0", "1ms or more")
	wantProblem(t, queued, "mail.max_deliveries=0", "1 or more")
	wantProblem(t, queued, "mail.consumers=2M", "at most")
	wantProblem(t, queued, "mail.when_full=block", "drop_oldest")
	wantProblem(t, queued, "mail.visibility=0", "blocks its consumer")
}

// TestQueueSupersedes: while nobody works, one message of each key that was
// named is left. Of n messages over k keys, k(1-(1-1/k)^n) keys are.
func TestQueueSupersedes(t *testing.T) {
	const src = `
name: goals
parts:
  users: {kind: source, rate: 10/s, keys: {distinct: 200}, call: {to: goals}}
  goals: {kind: queue, consumers: 3, supersede: true, again_after: 5s, call: {to: web, timeout: 1s}}
  web: {kind: server, workers: 10k, work: 100ms}
run: {for: 100s, window: 1s}
changes: [{at: 0s, for: 40s, set: {goals.consumers: 0}}]
`
	p := play(t, src, 1)
	stored := p.sum("goals.stored", 0, 40)
	near(t, "messages that wait", p.mean("goals.unfinished", 39, 40), 200*(1-math.Pow(1-1.0/200, stored)), 12)
	near(t, "unfinished at the end", p.mean("goals.unfinished", 90, 100), 1, 0.5)
	near(t, "done or superseded", p.total("goals.done")+p.total("goals.superseded"), p.total("goals.stored"), 4)
	if all := play(t, src, 1, "goals.supersede=false"); all.total("goals.superseded") != 0 || all.total("goals.done") <= p.total("goals.done") {
		t.Errorf("without it, %v are superseded and %v done", all.total("goals.superseded"), all.total("goals.done"))
	}
	// Work that fails is given up once a newer message is there.
	cut := play(t, src, 1, "web.work=2s")
	near(t, "messages of keys that always fail", cut.mean("goals.unfinished", 90, 100), 200, 4)
	sameSeries(t, p, play(t, src, 1))
}
