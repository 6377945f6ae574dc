package parts_test

import (
	"testing"
)

// logging is a service that writes a line to a log for each request before it
// answers.
const logging = `name: logging
parts:
  users: {kind: source, rate: 50/s, arrivals: regular, call: {to: app, timeout: 2s}}
  app: {kind: server, workers: 20, work: 10ms, calls: [{to: driver}]}
  driver:
    kind: buffer
    room: 1000
    batch: 50
    retry: {first: 1s, factor: 1, most: 1s}
    call: {to: logs, timeout: 1s}
  logs: {kind: server, workers: 4, work: 10ms, work_per_size: 1ms}
run: {for: 300s, window: 1s}
changes:
  - {at: 100s, for: 100s, set: {logs.speed: 0}}
`

// TestBufferFull: 50 lines a second fill a room of 1000 in 20 seconds; then the
// service stops if writers wait, and goes on without its log if they do not.
func TestBufferFull(t *testing.T) {
	t.Parallel()
	block := play(t, logging, 1)
	near(t, "requests that fail before the buffer is full", block.sum("users.failed", 100, 119), 0, 0)
	near(t, "good answers once it is", block.sum("users.good", 125, 200), 0, 25)
	near(t, "good answers after", block.sum("users.good", 210, 300), 90*50, 5)
	near(t, "lines lost", block.total("driver.lost"), 0, 0)
	lose := play(t, logging, 1, "driver.when_full=lose")
	near(t, "requests that fail", lose.total("users.failed"), 0, 0)
	// The first batch afterwards is sent up to 2 s late.
	near(t, "lines lost", lose.total("driver.lost"), 50*(101-20), 60)
	near(t, "lines written in the end", lose.total("driver.written"), 300*50-lose.total("driver.lost"), 60)
	sameSeries(t, lose, play(t, logging, 1, "driver.when_full=lose"))
	large := play(t, logging, 1, "driver.room=6000")
	near(t, "requests that fail with room for the whole outage", large.total("users.failed"), 0, 0)
	drop := play(t, logging, 1, "driver.keep=false")
	// A batch is lost with each timeout of a second, just as fast as lines come.
	near(t, "lines lost in batches", drop.total("driver.lost_sent"), 100*50, 150)
}

// TestBufferBatches holds the calls that are made to the sizes of batches.
func TestBufferBatches(t *testing.T) {
	t.Parallel()
	calm := []string{"changes[0].at=299s"}
	for _, c := range []struct {
		set  []string
		rate float64 // batches a second
	}{
		{nil, 1},
		{[]string{"driver.batch=10"}, 5},
		{[]string{"driver.batch=500"}, 1 / 1.02}, // after a second, which begins with a line
		{[]string{"driver.batch=500", "driver.every=4s"}, 1 / 4.02},
		{[]string{"driver.batch=1"}, 50},
	} {
		p := play(t, logging, 1, append(calm, c.set...)...)
		near(t, "batches a second", p.sum("driver.call.requests", 10, 290)/280, c.rate, 0.02*c.rate+0.01)
	}
	// A lane sends 10 lines in 20 ms: 500 a second. One of 100 ms more, 83.
	slow := play(t, logging, 1, "changes[0].at=299s", "users.rate=200/s", "driver.batch=10", "logs.work=110ms")
	near(t, "lines a second through one lane", slow.sum("driver.written", 50, 290)/240, 10/0.120, 1)
	fast := play(t, logging, 1, "changes[0].at=299s", "users.rate=200/s", "driver.batch=10", "logs.work=110ms", "driver.lanes=4")
	near(t, "lines a second through four lanes", fast.sum("driver.written", 50, 290)/240, 200, 1)
}

func TestBufferSettings(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ set, field, help string }{
		{"driver.room=0", "driver.room", "such as 10k"},
		{"driver.batch=2000", "driver.batch", "no more than the room"},
		{"driver.lanes=0", "driver.lanes", "write 1 to"},
		{"driver.every=0", "driver.every", "a batch of 1"},
		{"driver.retry.first=0", "driver.retry.first", "such as 1s"},
		{"driver.when_full=drop", "driver.when_full", "block, lose"},
	} {
		wantProblem(t, logging, c.set, c.field, c.help)
	}
}
