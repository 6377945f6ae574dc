package parts

import (
	"fmt"

	"github.com/openprecedent/precedent/internal/sim/des"
)

// queueKind follows the terms of message queues in use: visibility timeout and
// dead letters after a number of receipts, prefetch, message time to live,
// maximum length.
var queueKind = Kind{
	Name: "queue",
	About: "A message queue with its consumers. Whoever calls it is answered when the message is stored; " +
		"consumers take messages and make a call for each.",
	New:      func() Config { return new(queueConfig) },
	Callable: true,
	Stores:   true,
}

type queueConfig struct {
	Call       Call      `yaml:"call" doc:"what a consumer calls for a message; its success acknowledges the message" required:"true"`
	Consumers  Count     `yaml:"consumers" doc:"consumers, each of which works on one message at a time" default:"1"`
	Prefetch   Count     `yaml:"prefetch" doc:"messages that a consumer takes at once, that under work included" default:"1"`
	Order      Order     `yaml:"order" doc:"which message is taken next; class takes the lowest class first" default:"fifo"`
	Room       Limit     `yaml:"room" doc:"messages that may wait" default:"unlimited"`
	Full       QueueFull `yaml:"when_full" doc:"what happens to a message that finds no room: drop acknowledges it all the same, drop_oldest makes room" default:"refuse"`
	Visibility Duration  `yaml:"visibility" doc:"after this a message that was taken and not acknowledged is handed out again; 0 waits for ever"`
	Again      Duration  `yaml:"again_after" doc:"after this a message whose work has failed is handed out again" default:"1s"`
	Most       Limit     `yaml:"max_deliveries" doc:"after how many failed deliveries a message is dead" default:"unlimited"`
	Dead       *Call     `yaml:"dead_letters" doc:"where dead messages go, such as another queue; they are dropped without it"`
	Expires    Duration  `yaml:"expires" doc:"age at which a message that waits is of no use; 0 keeps it for ever"`
	Supersede  bool      `yaml:"supersede" doc:"of the messages with the same key only the newest stays, and those being worked on: the others are superseded"`
	InTime     Duration  `yaml:"in_time" doc:"a message that is done later than this after it was stored is of no use; 0 takes every one"`
	Expired    Expiry    `yaml:"expired" doc:"what happens to such a message when its turn comes: dead counts it among the dead ones" default:"drop"`
}

// QueueFull says what happens to a message that finds no room.
type QueueFull string

// UnmarshalText reads what happens to a message that finds no room.
func (f *QueueFull) UnmarshalText(text []byte) error {
	return oneOf((*string)(f), string(text), f.Words()...)
}

// Words returns the words that may stand.
func (*QueueFull) Words() []string { return []string{"refuse", "drop", "drop_oldest"} }

// Expiry says what happens to a message that is too old.
type Expiry string

// UnmarshalText reads what happens to a message that is too old.
func (e *Expiry) UnmarshalText(text []byte) error {
	return oneOf((*string)(e), string(text), e.Words()...)
}

// Words returns the words that may stand.
func (*Expiry) Words() []string { return []string{"drop", "dead"} }

func (c *queueConfig) Ports() []Port {
	ports := []Port{{Name: "call", Call: &c.Call}}
	if c.Dead != nil {
		ports = append(ports, Port{Name: "dead_letters", Call: c.Dead})
	}
	return ports
}

func (c *queueConfig) Instant() bool { return true }

func (c *queueConfig) Check(r *Report) {
	c.Call.check("call", r)
	if c.Dead != nil {
		c.Dead.check("dead_letters", r)
		if c.Most == Unlimited && (c.Expires == 0 || c.Expired != "dead") {
			r.Warn("dead_letters", "no message is ever dead", "write max_deliveries, or let messages expire")
		}
	}
	if c.Consumers > maxConsumers {
		r.Add("consumers", fmt.Sprintf("%d consumers", c.Consumers), fmt.Sprintf("write at most %d", maxConsumers))
	}
	if c.Prefetch < 1 || c.Prefetch > maxConsumers {
		r.Add("prefetch", fmt.Sprintf("a consumer takes %d messages", c.Prefetch), fmt.Sprintf("write 1 to %d", maxConsumers))
	}
	if c.Again < Duration(des.Millisecond) {
		r.Add("again_after", "a message that fails would go round without time passing", "write 1ms or more")
	}
	if c.Most < 1 {
		r.Add("max_deliveries", "no message is delivered", "write 1 or more, or unlimited")
	}
	if c.Call.Timeout == 0 && c.Visibility == 0 && c.Consumers > 0 {
		r.Warn("visibility", "a message whose answer is lost blocks its consumer for ever", "write a visibility, or a timeout of the call")
	}
	if c.Visibility > 0 && c.Call.Timeout > c.Visibility {
		r.Warn("visibility", fmt.Sprintf("a message is handed out again after %v while its call may take %v", c.Visibility, c.Call.Timeout),
			"let the visibility be longer than all attempts of the call")
	}
}

const maxConsumers = 1_000_000

// queue keeps messages. A message that waits has a record among the calls, as
// one that nobody waits for.
type queue struct {
	net  *Net
	set  *queueConfig
	self des.Target
	out  *edge
	dead *edge // nil without dead letters
	newest

	line       line
	messages   []message
	free       []uint32
	eldest     uint32 // messages that are not done, in order of arrival
	youngest   uint32
	deliveries []delivery
	freeSlots  []uint32
	timers     *des.Ring // of visibility, nil without

	consumerPool
	prefetch int
	most     Limit
	pumping  bool

	stored, refused, dropped, done, died, expired, lost *des.Counter
	late                                                *des.Counter // of those done
	delivered, redelivered, duplicates, timeouts        *des.Counter
	backlog, held, later, unfinished                    *des.Gauge
	wait, sojourn                                       *des.Spans
}

// message is a message that is not done, or of which a consumer does not know
// that it is.
type message struct {
	call       CallID // its record
	since      des.Time
	older      uint32 // neighbours by age
	younger    uint32
	deliveries uint32
	refs       uint32 // deliveries and timers that name it
	state      messageState
}

type messageState uint8

const (
	messageWaits messageState = iota
	messageHeld               // by a consumer
	messageLater              // until it is handed out again
	messageDone
)

// delivery is a message in the hands of a consumer.
type delivery struct {
	message  uint32
	consumer uint32
	next     uint32 // at the consumer
	timer    des.Timer
	late     bool // the message was handed out again meanwhile
}

const none = ^uint32(0)

const (
	queueVisible uint16 = iota // of a delivery
	queueAgain                 // of a message
	queueWork                  // of a consumer
)

func (c *queueConfig) Build(b *Builder) Part {
	q := &queue{
		net: b.Net, set: c, prefetch: int(c.Prefetch), eldest: none, youngest: none,
		newest: newest{on: c.Supersede, superseded: b.Counter("superseded")},
		stored: b.Counter("stored"), refused: b.Counter("refused"), dropped: b.Counter("dropped"),
		done: b.Counter("done"), died: b.Counter("dead"), expired: b.Counter("expired"), lost: b.Counter("dead_lost"),
		late: b.Counter("done_late"), delivered: b.Counter("delivered"), redelivered: b.Counter("redelivered"),
		duplicates: b.Counter("duplicates"), timeouts: b.Counter("visibility_ended"),
		backlog: b.Gauge("backlog", "messages"), held: b.Gauge("held", "messages"), later: b.Gauge("later", "messages"),
		unfinished: b.Gauge("unfinished", "messages"), wait: b.Spans("wait"), sojourn: b.Spans("sojourn"),
	}
	q.self = b.Register(q)
	q.line = newLine(b, c.Order)
	q.out = b.Edge(q, 0, "call", &c.Call)
	if c.Dead != nil {
		q.dead = b.Edge(q, 1, "dead_letters", c.Dead)
	}
	q.most = c.Most
	if b.Calm {
		q.most = 1
	} else if c.Visibility > 0 {
		q.timers = b.Net.Sim.Ring(c.Visibility.Time(), q.self, queueVisible)
		b.Slow(c.Visibility.Time())
	}
	q.resize(int(c.Consumers), q.prefetch)
	b.Sample("oldest", "seconds", q.oldest)
	q.knobs(b)
	b.Law("messages are conserved", q.conserved)
	return q
}

func (q *queue) knobs(b *Builder) {
	b.Knob(Knob{
		Name: "consumers", Unit: "consumers", About: "consumers that take messages; 0 pauses the queue",
		Get:      func() float64 { return float64(q.active) },
		Set:      func(x float64) { q.resize(int(min(max(x, 0), maxConsumers)), q.prefetch); q.pump() },
		Worst:    &Worst{Value: 0, About: named(b.Name(), "nobody takes messages of %s", "아무도 %s의 메시지를 가져가지 않는다")},
		Remedies: []Remedy{{Value: 2, Times: true, About: named(b.Name(), "twice the consumers of %s", "%s의 컨슈머를 두 배로"), Cost: 3}},
	})
	b.Knob(Knob{
		Name: "prefetch", Unit: "messages", About: "messages that a consumer takes at once",
		Get: func() float64 { return float64(q.prefetch) },
		Set: func(x float64) {
			q.prefetch = int(min(max(x, 1), maxConsumers))
			q.resize(q.active, q.prefetch)
			q.pump()
		},
	})
	b.Knob(Knob{
		Name: "clear", Unit: "1", Pulse: true, About: "drops all messages that wait",
		Get: func() float64 { return 0 },
		Set: func(x float64) {
			for x > 0 && q.line.len() > 0 {
				q.drop(q.pop())
			}
		},
		Remedies: []Remedy{{Value: 1, About: named(b.Name(), "the messages of %s dropped", "%s의 메시지를 버린다"), Cost: 4}},
	})
}

// oldest returns the age of the oldest message that is not done, in seconds.
func (q *queue) oldest() float64 {
	if q.eldest == none {
		return 0
	}
	return (q.net.Sim.Now() - q.messages[q.eldest].since).Seconds()
}

// Arrive stores a message and tells its sender so.
func (q *queue) Arrive(c CallID) {
	q.supersede(q.net.call(c).key)
	if q.line.len() >= int(q.set.Room) {
		switch {
		case q.set.Full == "refuse":
			q.refused.Inc()
			q.net.Reply(c, Refused)
			return
		case q.set.Full == "drop" || q.line.len() == 0:
			q.stored.Inc()
			q.dropped.Inc()
			q.net.Reply(c, OK)
			return
		}
		q.drop(q.oldestWaiting())
	}
	q.store(c)
	q.net.Reply(c, OK)
	q.pump()
}

// oldestWaiting takes the oldest message from the line.
func (q *queue) oldestWaiting() uint32 {
	m := q.eldest
	for q.messages[m].state != messageWaits {
		m = q.messages[m].younger
	}
	q.line.remove(q.net, q.messages[m].call)
	q.backlog.Add(-1)
	return m
}

// store makes a message of a call.
func (q *queue) store(c CallID) {
	q.stored.Inc()
	record := q.net.newCall()
	from := q.net.call(c)
	*q.net.call(record) = call{
		edge: from.edge, kind: from.kind, abandon: true, request: nobody,
		since: q.net.Sim.Now(), deadline: des.Never, key: from.key, size: from.size,
	}
	var m uint32
	if k := len(q.free); k > 0 {
		m = q.free[k-1]
		q.free = q.free[:k-1]
	} else {
		q.messages = append(q.messages, message{})
		m = uint32(len(q.messages) - 1)
	}
	q.net.call(record).local = m
	q.messages[m] = message{call: record, since: q.net.Sim.Now(), older: q.youngest, younger: none}
	if q.youngest == none {
		q.eldest = m
	} else {
		q.messages[q.youngest].younger = m
	}
	q.youngest = m
	q.newest.set(from.key, m)
	q.unfinished.Add(1)
	q.wait1(m)
}

// wait1 puts a message into the line.
func (q *queue) wait1(m uint32) {
	q.messages[m].state = messageWaits
	q.line.push(q.net, q.messages[m].call)
	q.backlog.Add(1)
}

// pop takes the next message from the line.
func (q *queue) pop() uint32 {
	c := q.line.pop(q.net)
	q.backlog.Add(-1)
	return q.net.call(c).local
}

// finish ends a message, whatever became of it.
func (q *queue) finish(m uint32) {
	msg := &q.messages[m]
	q.newest.forget(q.net.call(msg.call).key, m)
	if msg.older == none {
		q.eldest = msg.younger
	} else {
		q.messages[msg.older].younger = msg.younger
	}
	if msg.younger == none {
		q.youngest = msg.older
	} else {
		q.messages[msg.younger].older = msg.older
	}
	msg.state = messageDone
	q.net.end(msg.call)
	q.unfinished.Add(-1)
	q.release(m)
}

// release frees the row of a message that nothing names any more.
func (q *queue) release(m uint32) {
	if msg := &q.messages[m]; msg.state == messageDone && msg.refs == 0 {
		q.free = append(q.free, m)
	}
}

func (q *queue) drop(m uint32) {
	q.dropped.Inc()
	q.finish(m)
}

// die ends a message that is not handed out again.
func (q *queue) die(m uint32) {
	q.died.Inc()
	r := *q.net.call(q.messages[m].call)
	q.finish(m)
	if q.dead != nil {
		q.dead.ask(want{kind: r.kind, key: r.key, size: r.size, deadline: des.Never})
	}
}

// Withdraw panics: a message is stored and answered at once.
func (q *queue) Withdraw(CallID) { panic("parts: a message was withdrawn that is stored") }

func (q *queue) brings() Load {
	late := q.late.Total()
	return Load{
		Kind: Messages, Offered: q.stored.Total() - q.superseded.Total(), Good: q.done.Total() - late, Late: late,
		Failed:  q.dropped.Total() + q.died.Total() + q.expired.Total(),
		Waiting: q.unfinished.Value(), Attempts: q.out.attempts.Total(),
	}
}

func (q *queue) conserved() error {
	out := q.dropped.Total() + q.superseded.Total() + q.done.Total() + q.died.Total() + q.expired.Total()
	if q.stored.Total() != out+q.unfinished.Value() {
		return fmt.Errorf("%d were stored, %d have ended and %d have not", q.stored.Total(), out, q.unfinished.Value())
	}
	inside := int64(q.line.len()) + q.held.Value() + q.later.Value()
	if inside != q.unfinished.Value() {
		return fmt.Errorf("%d have not ended, %d wait, are held or come again", q.unfinished.Value(), inside)
	}
	return nil
}
