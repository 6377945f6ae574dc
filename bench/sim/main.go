// Command sim measures the simulator beside other ways to do the same: its kernel
// beside a loop written by hand in Go and in C++, and systems read from files
// beside models written for SimPy.
//
//	go run ./sim            the table, and what falls short of the baseline
//	go run ./sim -update    writes the baseline: ratios, which outlast machines
//	go run ./sim -only hold the rows whose name begins so
//	go run ./sim -map       what a phase map costs; -full: and how right it is
//	go run ./sim -replays   what the events of each scenario of the library cost
//	go run ./sim -large     the replay of IL-0282 with 100,000 servers
//	go run ./sim -memory    the peak memory of the retrying clients, in MB
//
// It is to be run in the folder of this module. Times are of the processor,
// medians of five trials in turns, since machines are shared; a row is held
// against another of the same turn, in which both had the same machine. Rows are
// listed in rows; a further kind of row is a file that adds its own to that list.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "sim bench:", err)
		os.Exit(1)
	}
}

// A row is one thing that is measured.
type row struct {
	name   string
	events float64 // that one trial handles
	// trial returns the processor time of the events and a number that tells
	// whether the course is the right one, such as the mean sojourn.
	trial func() (time.Duration, float64, error)
	// peer is the row that this one is compared with, most how many times its
	// time an event this one may take; 0 sets no limit.
	peer string
	most float64
}

// errMissing is returned where the tool that a row needs is not there.
var errMissing = errors.New("left out")

// rows returns all rows; peers live in dir while they run.
func rows(dir string) []row {
	return slices.Concat(queueRows(dir), holdRows(), entityRows(), retryRows(), browserRows(dir))
}

const trials = 5

func run(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("sim", flag.ContinueOnError)
	update := flags.Bool("update", false, "write the baseline")
	only := flags.String("only", "", "measure the rows whose name begins so")
	area := flags.Bool("map", false, "measure the phase map instead")
	full := flags.Bool("full", false, "with -map, compare it with a map whose every cell is run, which takes minutes")
	peak := flags.Bool("memory", false, "run the system of retry.yaml and print the peak memory in MB")
	each := flags.Bool("replays", false, "run each scenario of the library once")
	size := flags.Bool("large", false, "run the replay of IL-0282 with 100,000 servers, and print its plateau and memory")
	if err := flags.Parse(args); err != nil {
		return err
	}
	switch {
	case *area:
		return phaseMap(out, *full)
	case *peak:
		return printMemory(out)
	case *each:
		return replays(out)
	case *size:
		return large(out)
	}
	dir, err := os.MkdirTemp("", "simbench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	all := slices.DeleteFunc(rows(dir), func(r row) bool { return !strings.HasPrefix(r.name, *only) })
	times, checks := map[string][]float64{}, map[string]float64{}
	left := map[string]bool{}
	for range trials {
		for _, r := range all {
			if left[r.name] {
				continue
			}
			took, check, err := r.trial()
			if errors.Is(err, errMissing) {
				fmt.Fprintf(out, "%s: %v\n", r.name, err)
				left[r.name] = true
				continue
			}
			if err != nil {
				return fmt.Errorf("measuring %q: %w", r.name, err)
			}
			times[r.name] = append(times[r.name], float64(took.Nanoseconds())/r.events)
			checks[r.name] = check
		}
	}
	err = report(out, all, times, checks, *update)
	if *only == "" {
		err = errors.Join(err, memory(out))
	}
	return err
}

// report prints the table and compares the ratios with limits and baseline.
func report(out io.Writer, all []row, times map[string][]float64, checks map[string]float64, update bool) error {
	ratios, missed := map[string]float64{}, []string{}
	fmt.Fprintf(out, "%-24s %9s %11s %12s  %s\n", "row", "ns/event", "M events/s", "check", "against")
	for _, r := range all {
		if len(times[r.name]) == 0 {
			continue
		}
		ns, against := median(times[r.name]), ""
		if peer := times[r.peer]; len(peer) > 0 {
			ratio := median(perTurn(times[r.name], peer))
			ratios[r.name+" / "+r.peer] = ratio
			against = fmt.Sprintf("%.3f of %s", ratio, r.peer)
			if r.most > 0 {
				against += fmt.Sprintf(", at most %.2f", r.most)
				if ratio > r.most {
					missed = append(missed, fmt.Sprintf("%s takes %.3f times as long as %s, the target is %.2f",
						r.name, ratio, r.peer, r.most))
				}
			}
		}
		fmt.Fprintf(out, "%-24s %9.1f %11.2f %12.6f  %s\n", r.name, ns, 1000/ns, checks[r.name], against)
	}
	if update {
		return writeBaseline(baselineFile, ratios)
	}
	base, err := readBaseline(baselineFile)
	if err != nil {
		return err
	}
	if missed = append(missed, base.regressions(ratios)...); len(missed) > 0 {
		return errors.New(strings.Join(missed, "\n"))
	}
	return nil
}

// perTurn divides the times of a row by those of another in the same turns.
func perTurn(times, peer []float64) []float64 {
	ratios := make([]float64, len(times))
	for i := range times {
		ratios[i] = times[i] / peer[i]
	}
	return ratios
}

func median(all []float64) float64 {
	sorted := slices.Sorted(slices.Values(all))
	return sorted[len(sorted)/2]
}

// cpuTime is the processor time that this process has used.
func cpuTime() time.Duration {
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &u); err != nil {
		panic(err) // cannot happen with these arguments
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
