package scenario

import (
	"context"
	"testing"

	"github.com/openprecedent/precedent/internal/sim/des"
	"github.com/openprecedent/precedent/internal/sim/parts"
)

// TestOverlappingChanges lets changes of one knob overlap, and one of all copies
// meet one of a single copy: the last one holds, and in the end all is as it was.
func TestOverlappingChanges(t *testing.T) {
	f, problems := Decode("test.yaml", []byte(`name: overlap
parts:
  users: {kind: source, rate: 10/s, call: {to: lb}}
  lb: {kind: balancer, calls: [{to: web}]}
  web: {kind: server, copies: 3, work: 10ms}
changes:
  - {at: 10s, for: 10s, set: {web.1.speed: 0.5}}
  - {at: 15s, for: 10s, set: {web.1.speed: 0.2}}
  - {at: 40s, set: {web.2.speed: 0.7}}
  - {at: 50s, for: 10s, set: {web.speed: 0.1}}
`), nil)
	if len(problems.Errors()) > 0 {
		t.Fatal(problems)
	}
	net := f.Start(1, false)
	knobs := map[string]parts.Knob{}
	for _, k := range net.Knobs() {
		knobs[k.Name] = k
	}
	for _, c := range []struct {
		at   des.Time
		knob string
		want float64
	}{
		{12, "web.1.speed", 0.5}, {17, "web.1.speed", 0.2}, {22, "web.1.speed", 0.2}, {26, "web.1.speed", 1},
		{55, "web.0.speed", 0.1}, {55, "web.2.speed", 0.1}, {61, "web.0.speed", 1}, {61, "web.2.speed", 0.7},
	} {
		net.Sim.Run(context.Background(), des.Budget{Until: c.at * des.Second})
		if got := knobs[c.knob].Get(); got != c.want {
			t.Errorf("%s is %v at %d s, want %v", c.knob, got, c.at, c.want)
		}
	}
}
