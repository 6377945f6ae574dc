// Command cluster measures what it costs to check a cluster: `precedent check
// --cluster` reads a real API server that holds a synthetic cluster, and a peer
// reads the same one if it is given.
//
//	go run ./cluster -apiserver $(../dev/kube-apiserver)                           50,000 pods on 5,000 nodes
//	go run ./cluster -apiserver P -nodes 100 -pods 3000 -popeye $(which popeye)    beside Popeye
//
// Wall time, processor time and the largest resident memory are those that the
// kernel gives of the process of the client; what the API server needs is beside it.
// Client and server share the machine. It is to be run in the folder of this module.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/openprecedent/precedent/bench/process"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "cluster bench:", err)
		os.Exit(1)
	}
}

// limits are what the check of 50,000 pods may need.
const (
	mostWall   = 15 * time.Second
	mostCPU    = 6 * time.Second
	mostMemory = 150 << 20
)

type options struct {
	apiserver, binary, popeye string
	nodes, pods, n            int
	hold                      bool
}

func run(args []string, out io.Writer) error {
	var o options
	flags := flag.NewFlagSet("cluster", flag.ContinueOnError)
	flags.StringVar(&o.apiserver, "apiserver", os.Getenv("PRECEDENT_KUBE_APISERVER"), "the program that dev/kube-apiserver builds")
	flags.StringVar(&o.binary, "binary", "", "measure this precedent instead of building one")
	flags.StringVar(&o.popeye, "popeye", "", "measure this Popeye too")
	flags.IntVar(&o.nodes, "nodes", 5_000, "nodes of the cluster")
	flags.IntVar(&o.pods, "pods", 50_000, "pods of the cluster")
	flags.IntVar(&o.n, "n", 3, "how often each is measured")
	flags.BoolVar(&o.hold, "hold", false, "fail where the limits are not held")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if o.apiserver == "" {
		return errors.New("no API server: give -apiserver $(../dev/kube-apiserver)")
	}
	dir, err := os.MkdirTemp("", "cluster-bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if o.binary == "" {
		o.binary = filepath.Join(dir, "precedent")
		build := exec.Command("go", "build", "-o", o.binary, "./cmd/precedent")
		build.Dir = ".."
		if text, err := build.CombinedOutput(); err != nil {
			return fmt.Errorf("building precedent: %w\n%s", err, text)
		}
	}
	server, err := start(o, dir)
	if err != nil {
		return err
	}
	defer server.stop()
	fmt.Fprintf(out, "%d pods on %d nodes, API server ready after %v\n\n", o.pods, o.nodes, server.took.Round(100*time.Millisecond))
	fmt.Fprintf(out, "%-12s %8s %8s %10s %12s  %s\n", "", "wall", "CPU", "memory", "CPU server", "answer")
	return measureAll(out, o, server)
}

func measureAll(out io.Writer, o options, server *apiserver) error {
	var all []process.Cost
	for range o.n {
		c, text, err := server.measure(o.binary, "check", "--cluster", "--kubeconfig", server.kubeconfig, "--json", "--fail-on", "none")
		if err != nil {
			return err
		}
		c.print(out, "precedent", answerOf(text))
		all = append(all, c.Cost)
	}
	if o.popeye != "" {
		for range o.n {
			c, text, err := server.measure(o.popeye, "--kubeconfig", server.kubeconfig, "-A", "-o", "json", "--force-exit-zero")
			if err != nil {
				return err
			}
			c.print(out, "popeye", fmt.Sprintf("exit code %d, %d bytes", c.Exit, len(text)))
		}
	}
	middle := process.Median(all)
	if o.hold && (middle.Wall > mostWall || middle.CPU > mostCPU || middle.Memory > mostMemory) {
		return fmt.Errorf("the limits of %v, %v of processor and %d MB are not held", mostWall, mostCPU, mostMemory>>20)
	}
	return nil
}

// answerOf tells in a line what an answer says.
func answerOf(text []byte) string {
	var a struct {
		Objects    int
		Findings   []json.RawMessage
		Gaps       []json.RawMessage
		Incomplete bool
	}
	if err := json.Unmarshal(text, &a); err != nil {
		return err.Error()
	}
	return fmt.Sprintf("%d objects, %d findings, %d gaps, incomplete: %v", a.Objects, len(a.Findings), len(a.Gaps), a.Incomplete)
}

// cost is what a process has used, and the API server meanwhile.
type cost struct {
	process.Cost
	server time.Duration // of processor
}

func (c cost) print(out io.Writer, name, answer string) {
	fmt.Fprintf(out, "%-12s %6.1f s %6.2f s %7d MB %10.1f s  %s\n", name, c.Wall.Seconds(), c.CPU.Seconds(), c.Memory>>20, c.server.Seconds(), answer)
}

// apiserver is a running API server.
type apiserver struct {
	command    *exec.Cmd
	in         io.Closer
	kubeconfig string
	took       time.Duration
}

func start(o options, dir string) (*apiserver, error) {
	begin := time.Now()
	s := &apiserver{command: exec.Command(o.apiserver, "-data", filepath.Join(dir, "data"), "-stdin", "-nodes", fmt.Sprint(o.nodes), "-pods", fmt.Sprint(o.pods))}
	in, err := s.command.StdinPipe()
	if err != nil {
		return nil, err
	}
	s.in = in
	out, err := s.command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := s.command.Start(); err != nil {
		return nil, fmt.Errorf("starting the API server: %w", err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		s.stop()
		return nil, fmt.Errorf("the API server did not get ready: %w", err)
	}
	s.kubeconfig, s.took = strings.TrimSpace(line), time.Since(begin)
	return s, nil
}

func (s *apiserver) stop() {
	_ = s.in.Close()
	_ = s.command.Wait()
}

// measure runs a program and returns what it used and what it printed.
func (s *apiserver) measure(program string, args ...string) (cost, []byte, error) {
	before, err := s.cpu()
	if err != nil {
		return cost{}, nil, err
	}
	c, out, err := process.Run(program, args...)
	if err != nil {
		return cost{}, nil, err
	}
	after, err := s.cpu()
	return cost{c, after - before}, out, err
}

// cpu returns the processor time that the API server has used.
func (s *apiserver) cpu() (time.Duration, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", s.command.Process.Pid))
	if err != nil {
		return 0, err
	}
	_, rest, _ := strings.Cut(string(text), ") ") // the name may hold spaces
	fields := strings.Fields(rest)
	if len(fields) < 13 {
		return 0, errors.New("cannot read the processor time of the API server")
	}
	var user, system int64
	if _, err := fmt.Sscan(fields[11]+" "+fields[12], &user, &system); err != nil {
		return 0, err
	}
	return time.Duration(user+system) * 10 * time.Millisecond, nil // ticks of a hundredth of a second
}
