package parts_test

import (
	"context"
	"testing"

	"github.com/openprecedent/precedent/internal/sim/des"
	"github.com/openprecedent/precedent/internal/sim/scenario"
)

// TestSteadyParts: calls through a gate, zones, a balancer and a queue allocate
// nothing once everything has its size.
func TestSteadyParts(t *testing.T) {
	f, problems := scenario.Decode("test.yaml", []byte(`
name: steady
parts:
  users: {kind: source, rate: 1000/s, call: {to: gate, timeout: 500ms, cancel: true}}
  gate: {kind: gate, delay: 1ms, call: {to: front}}
  front:
    kind: zones
    local: 50%
    cross: 1ms
    zones:
      - {name: a, call: {to: lb}}
      - {name: b, call: {to: mail}}
  lb: {kind: balancer, policy: least_loaded, calls: [{to: web}], eject: {failures_in_row: 5}}
  web: {kind: server, copies: 40, workers: 2, work: exp 50ms}
  mail: {kind: queue, consumers: 100, prefetch: 2, visibility: 200ms, call: {to: sender, timeout: 1s}}
  sender: {kind: server, workers: 1000, work: exp 100ms}
  gc: {kind: pauses, knob: web.speed, every: exp 10s, length: 10ms, metric: web.queue + web.busy, sooner_by: 1%}
  scaler: {kind: autoscaler, knob: mail.consumers, metric: mail.held / mail.consumers, target: 70%, window: 5s, max: 100}
run: {for: 1h, window: 1h}
`), nil)
	if len(problems.Errors()) > 0 {
		t.Fatal(problems)
	}
	net := f.Start(1, false)
	until := 100 * des.Second
	net.Sim.Run(context.Background(), des.Budget{Until: until})
	before := net.Sim.Handled()
	allocs := testing.AllocsPerRun(10, func() {
		until += 3 * des.Second
		net.Sim.Run(context.Background(), des.Budget{Until: until})
	})
	if events := (net.Sim.Handled() - before) / 11; allocs > float64(events)/1000 {
		t.Errorf("%v allocations in about %d events", allocs, events)
	}
	for _, err := range net.Check() {
		t.Error(err)
	}
}
