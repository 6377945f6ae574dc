package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/openprecedent/precedent/internal/sim/des"
	"github.com/openprecedent/precedent/internal/sim/scenario"
)

// retryEvents is how many logical events a request of retry.yaml has: arrival
// and departure of each attempt, its timer, and each retry. Five independent
// programs count 1.063 attempts a request.
const retryEvents = 3*1.063 + 0.063

// retryRows are a system read from a file and run through the parts, with all
// its series, beside a model written for SimPy by hand.
func retryRows() []row {
	const simpyRow = "retry SimPy"
	return []row{
		{name: simpyRow, events: retryEvents * simpyNumber, trial: func() (time.Duration, float64, error) {
			return simpy("retry.py")
		}},
		{name: "retry", events: retryEvents * 997_920, trial: retryTrial, peer: simpyRow, most: 1.0 / 30},
	}
}

// retryTrial returns the share of the requests that failed as its check: about
// 0.010.
func retryTrial() (time.Duration, float64, error) {
	const file = "sim/retry.yaml"
	start := cpuTime()
	src, err := os.ReadFile(file)
	if err != nil {
		return 0, 0, fmt.Errorf("reading the system: %w", err)
	}
	f, problems := scenario.Decode(file, src, nil)
	if len(problems) > 0 {
		return 0, 0, problems
	}
	r, err := f.Simulate(context.Background(), seed, des.Budget{})
	if err != nil {
		return 0, 0, fmt.Errorf("running %q: %w", file, err)
	}
	took := cpuTime() - start
	users := r.Sources[0]
	return took, float64(users.Failed) / float64(users.Offered), nil
}
