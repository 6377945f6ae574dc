package parts_test

import (
	"context"
	"runtime"
	"testing"

	"github.com/openprecedent/precedent/internal/sim/des"
	"github.com/openprecedent/precedent/internal/sim/scenario"
)

// TestRowsDoNotAllocate runs parts with many members and holds them to a cost
// that is free of memory once they have warmed up.
func TestRowsDoNotAllocate(t *testing.T) {
	for _, c := range []struct{ name, src string }{
		{"refresher", plateau}, {"leases", manager}, {"heartbeats", beats}, {"planner", plans},
		{"propagator", spreading}, {"provisioner", wires}, {"healthcheck", balancers}, {"buffer", logging},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, problems := scenario.Decode("test.yaml", []byte(c.src), nil)
			if len(problems.Errors()) > 0 {
				t.Fatal(problems)
			}
			f.Run.Window = f.Run.For // windows keep a value each
			net := f.Start(1, false)
			half, end := f.Run.For.Time()/2, f.Run.For.Time()
			net.Sim.Run(context.Background(), des.Budget{Until: half})
			before, events := mallocs(), net.Sim.Handled()
			net.Sim.Run(context.Background(), des.Budget{Until: end - 1})
			events = net.Sim.Handled() - events
			if got := mallocs() - before; events == 0 || float64(got) > 100+float64(events)/1000 {
				t.Errorf("%d events took %d allocations", events, got)
			}
		})
	}
}

func mallocs() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.Mallocs
}
