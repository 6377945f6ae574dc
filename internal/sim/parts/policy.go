package parts

import (
	"fmt"

	"github.com/openprecedent/precedent/internal/sim/des"
)

// Call is how a part calls another one: the client policy of an edge.
type Call struct {
	To       string   `yaml:"to" doc:"the part that is called" required:"true"`
	Timeout  Duration `yaml:"timeout" doc:"how long the caller waits for the answer to an attempt; 0 waits for ever"`
	Connect  Duration `yaml:"connect_timeout" doc:"how long the caller waits until its call is taken up, by a worker or a connection; 0 waits as long as for the answer"`
	Retries  Count    `yaml:"retries" doc:"attempts after the first one"`
	Backoff  Backoff  `yaml:"backoff" doc:"how long the caller waits before a retry"`
	GiveUp   Duration `yaml:"give_up" doc:"no retry begins later than this after the request; 0 sets no limit"`
	Budget   Share    `yaml:"retry_budget" doc:"retries allowed for each request made, saved up to 100; 0 sets no limit"`
	Cancel   bool     `yaml:"cancel" doc:"a caller that stops waiting withdraws the call, and its work stops"`
	Inherit  bool     `yaml:"inherit_deadline" doc:"the wait ends when the caller's own caller stops waiting"`
	Delay    Duration `yaml:"delay" doc:"time on the network, each way"`
	Hedge    Duration `yaml:"hedge" doc:"a second call is sent when no answer came for this long; 0 sends none"`
	Breaker  *Breaker `yaml:"breaker" doc:"stops calling a target that fails"`
	Optional bool     `yaml:"optional" doc:"the request of the caller succeeds even if this call fails"`
	Size     *Amount  `yaml:"size" doc:"size of the calls; without it, the size of what the caller was asked for"`
}

// Backoff is the wait before a retry.
type Backoff struct {
	First  Duration `yaml:"first" doc:"wait before the first retry"`
	Factor Factor   `yaml:"factor" doc:"by which each further wait is longer" default:"2x"`
	Most   Duration `yaml:"most" doc:"longest wait" default:"60s"`
	Jitter Share    `yaml:"jitter" doc:"share of the wait that is drawn at random: 100% draws it all (full jitter)"`
}

// wait returns how long to wait after the given number of attempts: without a
// stream, the longest that can be drawn.
func (b *Backoff) wait(attempts int, r *des.Stream) des.Time {
	wait := float64(b.First)
	for i := 1; i < attempts && wait < float64(b.Most); i++ {
		wait = float64(wait * float64(b.Factor))
	}
	wait = min(wait, float64(b.Most))
	if b.Jitter > 0 && r != nil {
		wait -= float64(float64(wait*float64(b.Jitter)) * r.Float64())
	}
	return des.Time(wait + 0.5)
}

// Breaker stops calls to a target that fails, and tries it again later.
type Breaker struct {
	Failures Share    `yaml:"failures" doc:"share of failed calls that opens the breaker" default:"50%"`
	Of       Count    `yaml:"of" doc:"calls that the share is taken of" default:"20"`
	Open     Duration `yaml:"open" doc:"how long it stays open before one call may try" default:"5s"`
}

// handlers returns how many handlers of events the edge of a call registers, see
// [Builder.Edge].
func (c *Call) handlers() int {
	n := 1
	for _, timer := range []bool{c.Timeout > 0, c.Connect > 0, c.Hedge > 0, c.Inherit} {
		if timer {
			n++
		}
	}
	return n
}

// slowest returns how long a request can be under way before its last attempt
// ends, as far as the policy bounds it.
func (c *Call) slowest() des.Time {
	retries := int(min(c.Retries, 100))
	total := float64(float64(c.Timeout) * float64(retries+1))
	for i := 1; i <= retries; i++ {
		total += float64(c.Backoff.wait(i, nil))
	}
	if c.GiveUp > 0 {
		total = min(total, float64(c.GiveUp+c.Timeout))
	}
	return des.FromNanoseconds(total)
}

// check reports what is wrong with a call policy.
func (c *Call) check(at string, r *Report) {
	if c.Retries > maxRetries {
		r.Add(at+".retries", fmt.Sprintf("%d retries are more than %d", c.Retries, maxRetries), "write fewer")
	}
	if c.Connect > 0 && c.Timeout > 0 && c.Connect >= c.Timeout {
		r.Warn(at+".connect_timeout", fmt.Sprintf("the timeout of %v ends the wait before %v", c.Timeout, c.Connect),
			"write a shorter one, or leave it out")
	}
	if c.Timeout == 0 && c.Connect == 0 && c.Retries > 0 {
		r.Warn(at+".timeout", "a call that waits for ever is retried only when it is refused or fails",
			"give it a timeout")
	}
	if c.GiveUp > 0 && c.GiveUp < c.Timeout {
		r.Add(at+".give_up", fmt.Sprintf("%v is before the first timeout of %v", c.GiveUp, c.Timeout),
			"give up later, or time out sooner")
	}
	if c.Hedge > 0 && c.Timeout > 0 && c.Hedge >= c.Timeout {
		r.Add(at+".hedge", fmt.Sprintf("a hedge after %v comes when the timeout of %v has ended the attempt", c.Hedge, c.Timeout),
			"hedge sooner")
	}
	checkBackoff(at+".backoff", &c.Backoff, r)
	if b := c.Breaker; b != nil && (b.Of < 1 || b.Of > 100_000) {
		r.Add(at+".breaker.of", fmt.Sprintf("a share of %d calls", b.Of), "write 1 to 100000")
	}
	if b := c.Breaker; b != nil && b.Failures == 0 {
		r.Add(at+".breaker.failures", "the breaker would open without a failure", "write a share above 0%")
	}
}

const maxRetries = 1000

// checkBackoff reports what is wrong with the waits before retries.
func checkBackoff(at string, b *Backoff, r *Report) {
	if b.First > b.Most {
		r.Add(at+".first", fmt.Sprintf("%v is longer than the longest wait of %v", b.First, b.Most),
			"raise most, or wait less")
	}
	if b.Factor < 1 {
		r.Add(at+".factor", fmt.Sprintf("a factor of %v makes each wait shorter", b.Factor), "write 1 or more")
	}
}
