package system

import (
	"fmt"

	"github.com/openprecedent/precedent/internal/sim/parts"
)

// Policy tells in a few words each how a call is made, as far as that is not the
// plainest: once, and waiting for ever.
func Policy(c *parts.Call) []string {
	var words []string
	say := func(is bool, format string, args ...any) {
		if is {
			words = append(words, fmt.Sprintf(format, args...))
		}
	}
	say(c.Timeout > 0, "timeout %v", c.Timeout)
	say(c.Retries > 0, "retries %v", c.Retries)
	say(c.Retries > 0 && c.Backoff.First > 0, "backoff %v x%v up to %v", c.Backoff.First, float64(c.Backoff.Factor), c.Backoff.Most)
	say(c.Backoff.Jitter > 0 && c.Backoff.First > 0, "jitter %v", c.Backoff.Jitter)
	say(c.GiveUp > 0, "give_up %v", c.GiveUp)
	say(c.Budget > 0, "retry_budget %v", c.Budget)
	say(c.Cancel, "cancel")
	say(c.Inherit, "inherit_deadline")
	say(c.Delay > 0, "delay %v", c.Delay)
	say(c.Hedge > 0, "hedge %v", c.Hedge)
	if b := c.Breaker; b != nil {
		say(true, "breaker at %v of %v, open %v", b.Failures, b.Of, b.Open)
	}
	say(c.Optional, "optional")
	return words
}
