// Command checks measures precedent check on manifests that it makes: what it costs,
// whether it finds the defects that were planted, and how much else it reports.
//
//	go run ./checks                          builds the program, checks 1,000 workloads
//	go run ./checks -seed 7 -workloads 3000  others, and more
//	go run ./checks -keep DIR                leaves the manifests in DIR
//	go run ./checks -peer "kube-linter lint DIR" -peer "sh -c 'exec kube-score score DIR/*.yaml'"
//
// It is to be run in the folder of this module, on a machine that does nothing else.
// Each command is run five times. Of peers, the costs are measured; DIR in their
// command line is the folder.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/openprecedent/precedent/bench/process"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "checks bench:", err)
		os.Exit(1)
	}
}

func run(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("checks", flag.ContinueOnError)
	n := flags.Int("workloads", 1000, "number of workloads")
	defects := flags.Int("defects", 50, "number of planted defects")
	seed := flags.Uint64("seed", 1, "seed of the manifests")
	binary := flags.String("binary", "", "measure this binary instead of building one")
	times := flags.Int("n", 5, "how often each is run; medians are printed")
	keep := flags.String("keep", "", "folder for the manifests, which must not exist")
	var peers []string
	flags.Func("peer", "command line of a peer, in which DIR is the folder (repeatable)", func(s string) error {
		peers = append(peers, s)
		return nil
	})
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *times < 1 {
		return fmt.Errorf("-n is %d: run each once at least", *times)
	}
	temp, err := os.MkdirTemp("", "precedent-checks-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	dir := filepath.Join(temp, "manifests")
	if *keep != "" {
		dir = *keep
	}
	planted, err := write(dir, *n, *defects, *seed)
	if err != nil {
		return err
	}
	path := *binary
	if path == "" {
		path = filepath.Join(temp, "precedent")
		if said, err := exec.Command("go", "build", "-C", "..", "-o", path, "./cmd/precedent").CombinedOutput(); err != nil {
			return fmt.Errorf("building the program: %w\n%s", err, said)
		}
	}
	return measure(out, *times, path, dir, planted, peers)
}

// measure runs the program and its peers over a folder.
func measure(out io.Writer, times int, path, dir string, planted map[string]string, peers []string) error {
	fmt.Fprintf(out, "%-28s %8s %8s %8s %12s %6s\n", "", "wall s", "CPU s", "peak MB", "allocated MB", "exit")
	if _, err := timed(out, times, "start alone", path, "checks", "--json"); err != nil {
		return err
	}
	if _, err := timed(out, times, "reading, and one check", path, "check", dir, "--json", "--only", "CK-305"); err != nil {
		return err
	}
	raw, err := timed(out, times, "reading, and all checks", path, "check", dir, "--json")
	if err != nil {
		return err
	}
	for _, peer := range peers {
		words := strings.Fields(strings.ReplaceAll(peer, "DIR", dir))
		if before, script, ok := strings.Cut(peer, "'"); ok { // sh -c '...'
			words = append(strings.Fields(before), strings.ReplaceAll(strings.TrimSuffix(script, "'"), "DIR", dir))
		}
		if _, err := timed(out, times, words[0], words[0], words[1:]...); err != nil {
			return err
		}
	}
	return judge(out, raw, planted)
}

// timed runs a command several times, prints the medians of what it took, and returns
// what it wrote last.
func timed(out io.Writer, times int, title, path string, args ...string) ([]byte, error) {
	var raw []byte
	var all []process.Cost
	for range times {
		one, written, err := process.Run(path, args...)
		if err != nil {
			return nil, err
		}
		raw, all = written, append(all, one)
	}
	c := process.Median(all)
	fmt.Fprintf(out, "%-28s %8.2f %8.2f %8d %12d %6d\n", title, c.Wall.Seconds(), c.CPU.Seconds(), c.Memory>>20, c.Allocated>>20, c.Exit)
	return raw, nil
}

// judge compares what was found with what was planted.
func judge(out io.Writer, raw []byte, planted map[string]string) error {
	var answer struct {
		Objects  int `json:"objects"`
		Findings []struct {
			Check  string `json:"check"`
			Object struct {
				Kind, Namespace, Name string
			} `json:"object"`
		} `json:"findings"`
		Gaps []any `json:"gaps"`
	}
	if err := json.Unmarshal(raw, &answer); err != nil {
		return fmt.Errorf("reading the answer: %w", err)
	}
	found, others := map[string]bool{}, []string{}
	for _, f := range answer.Findings {
		if planted[f.Object.Namespace] == f.Check {
			found[f.Object.Namespace] = true
			continue
		}
		others = append(others, fmt.Sprintf("%s %s %s/%s", f.Check, f.Object.Kind, f.Object.Namespace, f.Object.Name))
	}
	var missed []string
	for namespace, check := range planted {
		if !found[namespace] {
			missed = append(missed, check+" in "+namespace)
		}
	}
	slices.Sort(missed)
	fmt.Fprintf(out, "%d objects, %d gaps; planted defects found: %d of %d; other findings: %d\n", answer.Objects, len(answer.Gaps), len(found), len(planted), len(others))
	for _, one := range missed {
		fmt.Fprintln(out, "missed:", one)
	}
	for i, one := range others {
		if i == 20 {
			fmt.Fprintln(out, "...")
			break
		}
		fmt.Fprintln(out, "other:", one)
	}
	return nil
}
