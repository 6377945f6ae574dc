package system_test

import (
	"math"
	"strings"
	"testing"

	"github.com/openprecedent/precedent/internal/sim/scenario"
)

// TestFlowOfZonesAndQueues: zones get their shares, and a queue answers before
// its messages are worked on.
func TestFlowOfZonesAndQueues(t *testing.T) {
	f := decode(t, `name: flow
parts:
  users: {kind: source, rate: 100/s, call: {to: front, timeout: 1s}}
  front:
    kind: zones
    local: 80%
    zones:
      - {name: a, share: 50%, weight: 3, call: {to: web-a}}
      - {name: b, call: {to: web-b}}
  web-a: {kind: server, workers: 20, work: 100ms}
  web-b: {kind: server, workers: 20, work: 200ms, calls: [{to: mail}]}
  mail: {kind: queue, consumers: 100, call: {to: sender}, visibility: 30s}
  sender: {kind: server, workers: 100, work: 1s}
`)
	g := f.Parts.Graph()
	for name, want := range map[string]float64{"web-a": 40 + 15, "web-b": 40 + 5, "sender": 45} {
		if got := g.Node(name).Rate; math.Abs(got-want) > 1e-9 {
			t.Errorf("%s gets %v calls a second, want %v", name, got, want)
		}
	}
	if got, want := g.Node("web-b").Answers, 0.2; math.Abs(got-want) > 1e-9 {
		t.Errorf("web-b answers in %v s, want %v", got, want)
	}
	if got, want := g.Node("front").Answers, 0.55*0.1+0.45*0.2; math.Abs(got-want) > 1e-9 {
		t.Errorf("the zones answer in %v s, want %v", got, want)
	}
}

// TestNamesOfCopies: the copies of a part are not listed one by one.
func TestNamesOfCopies(t *testing.T) {
	_, problems := scenario.Decode("test.yaml", []byte(`name: copies
parts:
  users: {kind: source, rate: 100/s, call: {to: lb}}
  lb: {kind: balancer, calls: [{to: web}]}
  web: {kind: server, copies: 40, work: 100ms}
changes: [{at: 1s, set: {web.utilisation: 1}}]
`), nil)
	if len(problems) != 1 || !strings.Contains(problems[0].Help, "those of web are web.") || strings.Contains(problems[0].Help, "web.7.") {
		t.Errorf("the problems are %v", problems)
	}
}
