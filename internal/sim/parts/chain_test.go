package parts_test

import (
	"runtime"
	"testing"
)

// Chains are ends of calls at one instant each of which begins the next call.
// They must not nest, whoever the links are.
func TestLongChains(t *testing.T) {
	for _, c := range []struct{ name, src, series string }{
		// A host that is refused makes room for the next one.
		{"leases", `name: leases
parts:
  hosts:
    kind: leases
    hosts: 200k
    period: 100h
    lapse: 1000h
    establish_size: 1
    retry: {first: 100h, most: 100h}
    limit: 1
    call: {to: manager}
  manager: {kind: server, work: 1s}
run: {for: 3s, window: 1s}
changes:
  - {at: 1s, set: {manager.down: 1, hosts.revoke: 1}}
`, "hosts.not_established"},
		// A connection that could not be opened lets the next one be tried.
		{"pool", `name: pool
parts:
  users: {kind: source, rate: 200k/s, arrivals: regular, call: {to: pool}}
  pool: {kind: pool, max: 1, connect: {to: auth}, call: {to: db}}
  auth: {kind: server, work: 10s}
  db: {kind: server, work: 1s}
run: {for: 2s, window: 1s}
changes:
  - {at: 1s, set: {auth.down: 1, users.rate: 0}}
`, "pool.connects_failed"},
		// The same without work between: what is given back is lent again.
		{"lending", `name: lending
parts:
  users: {kind: source, rate: 200k/s, arrivals: regular, call: {to: pool}}
  pool: {kind: pool, max: 1, reuse: false, call: {to: db}}
  db: {kind: server, work: 10s}
run: {for: 2s, window: 1s}
changes:
  - {at: 1s, set: {db.down: 1, users.rate: 0}}
`, "pool.failed"},
		// Nobody is called, and everything fails at once.
		{"anyone", `name: anyone
parts:
  users: {kind: source, rate: 200k/s, arrivals: regular, call: {to: pool}}
  pool: {kind: pool, max: 1, opens_for: anyone, connect: {to: auth}, call: {to: db}}
  auth: {kind: server, work: 10s}
  db: {kind: server, work: 1s}
run: {for: 2s, window: 1s}
changes:
  - {at: 1s, set: {auth.down: 1, users.rate: 0}}
`, "pool.connects_failed"},
		// A line behind a gate whose target turns all away.
		{"bulkhead", `name: bulkhead
parts:
  users: {kind: source, rate: 200k/s, arrivals: regular, call: {to: hull}}
  hull: {kind: bulkhead, limit: 1, room: unlimited, call: {to: db}}
  db: {kind: server, work: 10s}
run: {for: 2s, window: 1s}
changes:
  - {at: 1s, set: {db.down: 1, users.rate: 0}}
`, "hull.refused"},
		{"cut", `name: cut
parts:
  users: {kind: source, rate: 200k/s, arrivals: regular, call: {to: hull}}
  hull: {kind: bulkhead, limit: 1, room: unlimited, call: {to: db}}
  db: {kind: server, work: 10s}
run: {for: 2s, window: 1s}
changes:
  - {at: 1s, set: {"hull.call.cut": 1, users.rate: 0}}
  - {at: 1.5s, set: {"db.down": 1}}
`, "hull.failed"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := play(t, c.src, 1)
			if n := p.total(c.series); n < 199_990 {
				t.Errorf("%v in a row, want 200,000", n)
			}
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			if m.StackInuse > 32<<20 {
				t.Errorf("the stacks have grown to %d MB", m.StackInuse>>20)
			}
		})
	}
}
