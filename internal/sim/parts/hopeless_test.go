package parts_test

import "testing"

// TestHopeless: a server that gets twice what it can do, from callers who wait
// for 1.5 s for work of 1 s, does nearly all of it in vain, as the line is long.
// One that looks at the deadline begins with nothing that it cannot end in time,
// and so all that it does is of use; those who came first wait no longer than
// half a second, and most of its time somebody does.
func TestHopeless(t *testing.T) {
	const src = `
name: hopeless
parts:
  users: {kind: source, rate: 8/s, call: {to: web, timeout: 1500ms}}
  web: {kind: server, workers: 4, expired: drop, work: 1s}
run: {for: 2000s, window: 10s}
`
	blind := play(t, src, 1)
	p := play(t, src, 1, "web.hopeless=drop")
	near(t, "late answers", p.total("users.call.late"), 0, 0)
	near(t, "work in vain", p.total("web.wasted"), 0, 0)
	if got := p.total("users.good") / 2000; got < 3.4 || got > 4 {
		t.Errorf("%.2f answers a second of at most 4", got)
	}
	near(t, "dropped", p.total("web.expired"), p.total("users.failed"), 20)
	if was := blind.total("users.good"); was > 0.6*p.total("users.good") {
		t.Errorf("without it there are %v good answers, with it %v", was, p.total("users.good"))
	}
	near(t, "work that stands still", play(t, src, 1, "web.hopeless=drop", "web.work=2s").total("web.done"), 0, 0)
	sameSeries(t, p, play(t, src, 1, "web.hopeless=drop"))
}
