// Command overload drives the server of this repository beyond its capacity and
// looks at what it still does: with its limits, and with them off.
//
//	go run ./overload                 both, once
//	go run ./overload -trials 3       both three times in turns; medians
//	go run ./overload -retries 2      clients that ask again at once, three times in all
//	go run ./overload -server FILE    a server that is built already
//
// It is to be run in the folder of this module. For each server it finds the
// capacity first: the rate at which four clients that never pause are
// answered. Then it asks open-loop, that is at times drawn beforehand from a
// Poisson process, whether or not earlier questions were answered:
//
//	calm       half of the capacity
//	overload   three times the capacity
//	after      half of the capacity again
//
// An answer is good if it has status 200 and comes within the deadline,
// counted from the moment at which it was to be asked, so that a generator that
// falls behind counts against the server. A client gives up after two seconds.
// Who prefers cheap questions has many good answers; so they are also weighed
// by the processor time that an answer of their kind takes, which is measured
// before.
//
// The server runs on the first core and this program on the second where
// taskset is there; all load comes from one address, so the server is started
// with --rate 0. Both cores may be shared with other programs. Then the rates
// hang on how much time these leave; the answers per second of the server's own
// processor time do so less and are printed beside them. Medians of several
// trials tell more than one.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"time"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "overload bench:", err)
		os.Exit(1)
	}
}

// plan is what one run does.
type plan struct {
	Seed     uint64
	Deadline time.Duration
	Calm     time.Duration
	Over     time.Duration
	After    time.Duration
	Factor   float64 // of the capacity, in the overload
	Retries  int
	Conns    int // connections at most
}

func run(args []string, out io.Writer) error {
	p := plan{}
	flags := flag.NewFlagSet("overload", flag.ContinueOnError)
	server := flags.String("server", "", "binary of the server; built where it is not given")
	trials := flags.Int("trials", 1, "number of times that everything is done")
	raw := flags.String("json", "", "file for the raw results")
	only := flags.String("only", "", "limits or no-limits: that server alone")
	flags.Uint64Var(&p.Seed, "seed", 1, "seed of arrivals and questions")
	flags.DurationVar(&p.Deadline, "deadline", 200*time.Millisecond, "answers later than this are of no use")
	flags.DurationVar(&p.Calm, "calm", 8*time.Second, "length of the calm before")
	flags.DurationVar(&p.Over, "overload", 30*time.Second, "length of the overload")
	flags.DurationVar(&p.After, "after", 40*time.Second, "length of the time after")
	flags.Float64Var(&p.Factor, "factor", 3, "overload as a multiple of the capacity")
	flags.IntVar(&p.Retries, "retries", 0, "times that a client asks again at once when it gets no good answer")
	flags.IntVar(&p.Conns, "conns", 1500, "connections that the clients open at most")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if err := pin(generatorCore); err != nil {
		return err
	}
	questions, err := readMix("search/queries.txt", "../corpus/cases")
	if err != nil {
		return err
	}
	binary, clean, err := build(*server)
	if err != nil {
		return err
	}
	defer clean()
	var results []result
	for range *trials {
		for _, kind := range []string{"limits", "no-limits"} {
			if *only != "" && *only != kind {
				continue
			}
			r, err := measure(p, binary, kind, questions)
			if err != nil {
				return err
			}
			fmt.Fprintln(out, r)
			results = append(results, r)
		}
		p.Seed++
	}
	summary(out, p, results)
	if *raw == "" {
		return nil
	}
	b, err := json.MarshalIndent(results, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(*raw, b, 0o644)
}

// clients is how many ask in the closed loop: enough to keep the server busy,
// too few for a queue.
const clients = 4

// measure starts a server and runs the plan against it.
func measure(p plan, binary, name string, questions *mix) (result, error) {
	s, err := start(binary, name)
	if err != nil {
		return result{}, err
	}
	defer s.stop()
	g := newGenerator(p, s.addr, questions)
	defer g.close()
	g.warm()
	g.closed(2*time.Second, clients, (*mix).question)
	r := result{Kind: name, Cost: map[kind]float64{}}
	capacity, cores := g.rate(s, 6*time.Second, (*mix).question)
	r.Capacity, r.CapacityCores = capacity, cores
	for _, k := range kinds {
		rate, cores := g.rate(s, 3*time.Second, only(k))
		r.Cost[k] = cores / rate
	}
	time.Sleep(time.Second)
	var before, after time.Duration
	time.AfterFunc(p.Calm, func() { before = s.cpu() })
	time.AfterFunc(p.Calm+p.Over, func() { after = s.cpu() })
	answers := g.open(phase{"calm", 0.5 * capacity, p.Calm}, phase{"overload", p.Factor * capacity, p.Over},
		phase{"after", 0.5 * capacity, p.After})
	r.OverCores = (after - before).Seconds() / p.Over.Seconds()
	r.judge(p, answers)
	return r, nil
}

// rate returns the rate of good answers in a closed loop, and the cores
// that the server used for them.
func (g *generator) rate(s *process, length time.Duration, ask asking) (rate, cores float64) {
	began, cpu := time.Now(), s.cpu()
	rate = g.closed(length, clients, ask)
	return rate, (s.cpu() - cpu).Seconds() / time.Since(began).Seconds()
}
