package parts

import (
	"fmt"
)

// The words are those of the pools people use: maximum size, idle connections,
// borrow (or acquire, or connection) timeout, maximum age (lifetime), test on
// borrow (validation), and pinning, which is a session that keeps its
// connection (HikariCP, database/sql, SQLAlchemy, PgBouncer, Amazon RDS Proxy).
var poolKind = Kind{
	Name: "pool",
	About: "Connections to another part that are lent to calls: the pool of a client, or a proxy that shares few " +
		"connections among many clients. A call without a connection waits for one or has one opened, which costs.",
	New:      func() Config { return new(poolConfig) },
	Callable: true,
	Begins:   true,
}

type poolConfig struct {
	Max     Count    `yaml:"max" doc:"connections that may be open at once" required:"true"`
	Idle    Limit    `yaml:"idle" doc:"connections that are kept open unused; a further one is closed when it comes back" default:"unlimited"`
	Warm    Count    `yaml:"warm" doc:"connections that are open from the start"`
	IdleFor Duration `yaml:"idle_timeout" doc:"an unused connection is closed after this; 0 keeps it"`
	Age     Duration `yaml:"max_age" doc:"a connection that is older is closed when it comes back; 0 sets no limit"`
	Dead    Duration `yaml:"dead_after" doc:"the other end closes a connection that was unused for this long, and the pool does not know; 0 never"`
	Test    bool     `yaml:"test" doc:"a connection is tested before it is lent, so that a dead one harms no call"`
	Reuse   bool     `yaml:"reuse" doc:"a connection serves one call after the other; without it, each call has one opened and closed" default:"true"`
	Opens   OpensFor `yaml:"opens_for" doc:"who gets a connection that was opened: the caller it was opened for, or anyone who waits" default:"caller"`
	Leaves  OnLeave  `yaml:"on_leave" doc:"what becomes of a connection that is being opened when its caller leaves: finish opens it all the same, abort frees its place at once, while the work at the other end goes on unless connect has cancel" default:"finish"`

	Room    Limit    `yaml:"room" doc:"calls that may wait for a connection" default:"unlimited"`
	Order   Order    `yaml:"order" doc:"who gets the next connection; class serves the lowest class first, adaptive-lifo the last one once more wait than are served at once" default:"fifo"`
	Full    Full     `yaml:"when_full" doc:"what happens to a call that finds no room: drop gives no answer" default:"refuse"`
	Expired Expired  `yaml:"expired" doc:"what happens when its turn comes to a call whose caller has stopped waiting" default:"run"`
	Borrow  Duration `yaml:"borrow_timeout" doc:"how long a call waits in line before it is refused; 0 waits for ever"`

	Dial    Spread       `yaml:"connect_time" doc:"time that opening a connection takes, the call apart" default:"0"`
	Connect *Call        `yaml:"connect" doc:"what is called to open a connection"`
	Session *poolSession `yaml:"session" doc:"a call stands for a session of a client, which makes one call after the other"`
	Call    Call         `yaml:"call" doc:"what is called with a connection" required:"true"`
}

// poolSession is what a client does that stays.
type poolSession struct {
	Life      Spread `yaml:"life" doc:"how long a session lasts once it has a connection" required:"true"`
	Pause     Spread `yaml:"pause" doc:"time between the calls of a session" required:"true"`
	Multiplex bool   `yaml:"multiplex" doc:"a session borrows a connection for each of its calls; without it, it keeps one all the time (pinned)"`
}

// OpensFor says who gets a connection that was opened.
type OpensFor string

// UnmarshalText reads who gets a connection that was opened.
func (o *OpensFor) UnmarshalText(text []byte) error {
	return oneOf((*string)(o), string(text), o.Words()...)
}

// Words returns the words that may stand.
func (*OpensFor) Words() []string { return []string{"caller", "anyone"} }

// OnLeave says what becomes of a connection that is being opened when its caller
// leaves.
type OnLeave string

// UnmarshalText reads what becomes of a connection that is being opened.
func (o *OnLeave) UnmarshalText(text []byte) error {
	return oneOf((*string)(o), string(text), o.Words()...)
}

// Words returns the words that may stand.
func (*OnLeave) Words() []string { return []string{"finish", "abort"} }

func (c *poolConfig) Ports() []Port {
	ports := []Port{{Name: "call", Call: &c.Call}}
	if c.Connect != nil {
		ports = append(ports, Port{Name: "connect", Call: c.Connect})
	}
	return ports
}

func (c *poolConfig) Instant() bool { return true }

func (c *poolConfig) Check(r *Report) {
	if c.Max < 1 || c.Max > maxWorkers {
		r.Add("max", fmt.Sprintf("%d connections", c.Max), fmt.Sprintf("write 1 to %d", maxWorkers))
	}
	if c.Warm > c.Max {
		r.Add("warm", fmt.Sprintf("%d connections are more than the most of %d", c.Warm, c.Max), "write fewer, or raise max")
	}
	if !c.Reuse && c.Warm > 0 {
		r.Add("warm", "connections serve one call each, so that none can wait for one", "leave it out, or set reuse")
	}
	if c.Dead > 0 && !c.Test && (c.IdleFor == 0 || c.IdleFor >= c.Dead) {
		r.Warn("idle_timeout", fmt.Sprintf("the other end closes connections after %v, before the pool does", c.Dead),
			"close unused connections sooner, or test them")
	}
	if c.Session != nil && c.Session.Pause.Mean() == 0 {
		r.Add("session.pause", "a session without pauses may call without end at one instant", "write a pause such as exp 4s")
	}
	c.Call.check("call", r)
	if c.Connect != nil {
		c.Connect.check("connect", r)
	}
}

// The ports of a pool.
const (
	poolCall = iota
	poolConnect
)

// The events of a pool.
const (
	poolBorrowed uint16 = iota // the wait of a guest in line has become too long
	poolPaused                 // a session goes on
	poolDialled                // the time that opening takes is over
	poolIdle                   // a connection may have been unused for long enough
)
