package parts_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/openprecedent/precedent/internal/sim/des"
	"github.com/openprecedent/precedent/internal/sim/parts"
	"github.com/openprecedent/precedent/internal/sim/scenario"
)

// loaded runs a system for two minutes and returns its loads.
func loaded(t *testing.T, src string) map[string]parts.Load {
	t.Helper()
	f, problems := scenario.Decode("test.yaml", []byte("name: load\nparts:\n"+src), nil)
	if len(problems.Errors()) > 0 {
		t.Fatal(problems)
	}
	net := f.Start(1, false)
	net.Sim.Run(context.Background(), des.Budget{Until: 120 * des.Second})
	for _, err := range net.Check() {
		t.Error(err)
	}
	all := map[string]parts.Load{}
	for _, l := range net.Loads() {
		if l.Offered != l.Good+l.Late+l.Failed+l.Waiting {
			t.Errorf("%s: %+v does not add up", l.Part, l)
		}
		all[l.Part] = l
	}
	return all
}

// TestLoads holds what parts say of their loads to what was done to them: all
// that is regular here, so that the numbers are exact.
func TestLoads(t *testing.T) {
	for _, c := range []struct {
		name, src string
		want      parts.Load
		lost      float64 // seconds of members
	}{
		{"requests, half of them too late", `  users: {kind: source, rate: 10/s, arrivals: regular, in_time: 150ms, call: {to: db}}
  db: {kind: server, workers: 2, work: 200ms}
`, parts.Load{Part: "users", Kind: parts.Requests, Offered: 1199, Late: 1197, Waiting: 2, Attempts: 1199}, 0},
		{"messages that are dead at the second try", `  users: {kind: source, rate: 1/s, arrivals: regular, call: {to: mail}}
  mail: {kind: queue, max_deliveries: 2, call: {to: web, timeout: 100ms}}
  web: {kind: server, workers: 9, work: 200ms}
`, parts.Load{Part: "mail", Kind: parts.Messages, Offered: 119, Failed: 118, Waiting: 1, Attempts: 237}, 0},
		{"messages that are done too late", `  users: {kind: source, rate: 1/s, arrivals: regular, call: {to: mail}}
  mail: {kind: queue, in_time: 1s, call: {to: web}}
  web: {kind: server, work: 1500ms}
`, parts.Load{Part: "mail", Kind: parts.Messages, Offered: 119, Late: 79, Waiting: 40, Attempts: 80}, 0},
		{"leases that nobody renews", `  hosts: {kind: leases, hosts: 10, period: 1h, jitter: 0%, lapse: 1h, establish_size: 1, retry: {first: 1h, most: 1h}, call: {to: db}}
  db: {kind: server, work: 1ms}
changes:
  - {at: 60s, set: {db.down: 1, hosts.revoke: 1}}
`, parts.Load{Part: "hosts", Kind: parts.Members, Members: 10, Behind: 10}, 600},
		{"members that are cut off", `  nodes: {kind: refresher, members: 10, period: 10m, retry: {first: 1s}, call: {to: db, timeout: 1s}}
  db: {kind: server, work: 0}
changes:
  - {at: 60s, for: 30s, set: {nodes.cut: 1}}
`, parts.Load{Part: "nodes", Kind: parts.Members, Members: 10}, 305},
		{"hosts that are down", `  hosts: {kind: heartbeats, hosts: 10, period: 1s, unhealthy_after: 10s, call: {to: db, timeout: 1s}}
  db: {kind: server, work: 0}
changes:
  - {at: 60s, set: {hosts.down: 1}}
`, parts.Load{Part: "hosts", Kind: parts.Members, Members: 10, Behind: 10}, 600},
		{"an endpoint that is empty", `  dns: {kind: planner, endpoints: 1, appliers: 2, period: 10s, keep: 1, step: 1s, pause: 1s}
changes:
  - {at: 0s, set: {dns.slow: 60}}
`, parts.Load{Part: "dns", Kind: parts.Members, Members: 1, Behind: 1}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := loaded(t, c.src)[c.want.Part]
			calls := cmp.Options{cmpopts.IgnoreUnexported(parts.Load{})}
			if c.want.Kind == parts.Members {
				calls = append(calls, cmpopts.IgnoreFields(parts.Load{}, "Offered", "Good", "Failed", "Waiting", "Attempts"))
			}
			if d := cmp.Diff(c.want, got, calls); d != "" {
				t.Errorf("the load differs (-want +got):\n%s", d)
			}
			if lost := 120 * float64(got.Members) * got.Lost(parts.Load{}, 120*des.Second); c.lost > 0 && (lost < c.lost-6 || lost > c.lost+6) {
				t.Errorf("members were behind for %v s, want about %v", lost, c.lost)
			}
		})
	}
}

// TestWorkflowRate lets runs begin by themselves, at the rate that its knob has.
func TestWorkflowRate(t *testing.T) {
	t.Parallel()
	const src = `  admin: {kind: workflow, rate: 20/s, steps: 2, call: {to: db}}
  db: {kind: server, work: 1ms}
`
	l := loaded(t, src)["admin"]
	if l.Offered < 2400-3*49 || l.Offered > 2400+3*49 || l.Good < l.Offered-5 || l.Attempts < 2*l.Good {
		t.Errorf("20 runs a second of two steps are %+v in 120 s", l)
	}
	l = loaded(t, src+"changes:\n  - {at: 60s, set: {admin.rate: 0}}\n")["admin"]
	if l.Offered < 1200-3*35 || l.Offered > 1200+3*35 {
		t.Errorf("20 runs a second are %+v in 60 s", l)
	}
}
