package parts_test

import "testing"

// TestCancelOnTheWay withdraws calls that have not reached their target yet, or
// whose answer is on its way back, when the target has nothing to withdraw.
func TestCancelOnTheWay(t *testing.T) {
	const src = `
name: cancel
parts:
  users: {kind: source, rate: 100/s, call: {to: web, timeout: 100ms, delay: 45ms, cancel: true, retries: 1}}
  web: {kind: server, workers: 10, work: exp 30ms}
run: {for: 2m}
`
	p := play(t, src, 1)
	if got := p.net.InUse(); got > 60 {
		t.Errorf("%d calls are under way at the end, of 10 or 20 that should be", got)
	}
	// An answer comes in time when the work takes no more than 10 ms.
	near(t, "share in time at once", p.total("users.call.retries")/p.total("users.offered"), 0.7165, 0.02)
	// A timeout of 40 ms ends before the call has arrived.
	if got := play(t, src, 1, "users.call.timeout=40ms").total("web.arrived"); got != 0 {
		t.Errorf("%v calls arrived that were withdrawn on the way", got)
	}
}
