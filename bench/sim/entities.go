package main

import (
	"context"
	"fmt"
	"time"

	"github.com/openprecedent/precedent/internal/sim/des"
	"github.com/openprecedent/precedent/internal/sim/scenario"
)

// Fleets make the same number of calls a second however many hosts they have.
const (
	fleetEvents = 1_000_000
	fleetRate   = 1000 // calls of all hosts a second
)

// entityRows are fleets of 100 and of many hosts: what an event costs must not
// depend on how many rows a part has.
func entityRows() []row {
	var all []row
	for _, kind := range []struct {
		name, settings string
		many           int // the kind allows no more than 5000 that report
	}{
		{"leases", "lapse: uniform %[2]dms %[3]dms, establish_size: 5, retry: {first: 60s}", 10_000},
		{"heartbeats", "heavy: 10, light: 90, unhealthy_after: %[3]dms", 5_000},
	} {
		few := kind.name + " 100"
		for _, hosts := range []int{100, kind.many} {
			period := hosts * 1000 / fleetRate
			text := fmt.Sprintf("name: fleet\nparts:\n  hosts: {kind: %[4]s, hosts: %[5]d, period: %[1]dms, "+kind.settings+
				", call: {to: manager, timeout: 5s}}\n  manager: {kind: server, workers: 4, work: 500us}\nrun: {for: 10h, window: 1s}\n",
				period, 3*period, 6*period, kind.name, hosts)
			r := row{name: fmt.Sprintf("%s %d", kind.name, hosts), events: fleetEvents, trial: func() (time.Duration, float64, error) {
				return fleetTrial(text)
			}}
			if hosts > 100 {
				r.peer, r.most = few, 2
			}
			all = append(all, r)
		}
	}
	return all
}

// fleetTrial returns the simulated seconds of the events as its check.
func fleetTrial(text string) (time.Duration, float64, error) {
	f, problems := scenario.Decode("fleet", []byte(text), nil)
	if len(problems.Errors()) > 0 {
		return 0, 0, problems
	}
	net := f.Start(seed, false)
	start := cpuTime()
	net.Sim.Run(context.Background(), des.Budget{Until: f.Run.For.Time(), Events: fleetEvents})
	return cpuTime() - start, net.Sim.Now().Seconds(), nil
}
