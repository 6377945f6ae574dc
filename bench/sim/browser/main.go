//go:build js

// Command browser runs the system of a file in WebAssembly, as the page of the
// site does, and prints processor seconds and a check, as the other peers do:
// the share of the requests that failed. It runs the system twice and measures
// the second time, when the engine has compiled what is hot.
package main

import (
	"context"
	"fmt"
	"os"
	"syscall/js"

	"github.com/openprecedent/precedent/internal/sim/des"
	"github.com/openprecedent/precedent/internal/sim/scenario"
)

func main() {
	if err := run(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(file string) error {
	src, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("reading the system: %w", err)
	}
	took, check := 0.0, 0.0
	for range 2 {
		start := cpuSeconds()
		f, problems := scenario.Decode(file, src, nil)
		if len(problems) > 0 {
			return problems
		}
		r, err := f.Simulate(context.Background(), 1, des.Budget{})
		if err != nil {
			return fmt.Errorf("running %q: %w", file, err)
		}
		users := r.Sources[0]
		took, check = cpuSeconds()-start, float64(users.Failed)/float64(users.Offered)
	}
	fmt.Printf("%.6f %.9f\n", took, check)
	return nil
}

// cpuSeconds is the processor time of Node.js, which goes on compiling while a
// program runs.
func cpuSeconds() float64 {
	u := js.Global().Get("process").Call("cpuUsage")
	return (u.Get("user").Float() + u.Get("system").Float()) / 1e6
}
