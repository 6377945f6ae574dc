// Command start measures how long the program takes to start: from exec of
// `precedent serve` to a 200 of /readyz, and to the answer of a first search.
//
//	go run ./start                  builds the program, starts it eleven times
//	go run ./start -n 21 -binary p  starts the binary p twenty-one times
//
// It is to be run in the folder of this module, on a machine that does nothing
// else: these are times of the clock. `precedent --help` is the floor, what a
// process of this binary costs that does nothing.
package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "start bench:", err)
		os.Exit(1)
	}
}

// firstSearch is a search as somebody on call would ask it.
const firstSearch = "/api/v1/search?q=connections+exploded+after+proxy"

func run(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("start", flag.ContinueOnError)
	n := flags.Int("n", 11, "number of starts")
	binary := flags.String("binary", "", "measure this binary instead of building one")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *n < 1 {
		return fmt.Errorf("starting %d times: start at least once", *n)
	}
	path, clean, err := build(*binary)
	if err != nil {
		return err
	}
	defer clean()
	var help, version, ready, search, cpu []time.Duration
	for range *n {
		for _, one := range []struct {
			arg  string
			took *[]time.Duration
		}{{"--help", &help}, {"version", &version}} {
			start := time.Now()
			if err := exec.Command(path, one.arg).Run(); err != nil {
				return fmt.Errorf("running %s %s: %w", path, one.arg, err)
			}
			*one.took = append(*one.took, time.Since(start))
		}
		s, err := serve(path)
		if err != nil {
			return err
		}
		ready, search, cpu = append(ready, s.ready), append(search, s.search), append(cpu, s.cpu)
	}
	fmt.Fprintf(out, "%d starts\n  %-24s %7s %7s %7s\n", *n, "", "median", "min", "max")
	report(out, "precedent --help", help)
	report(out, "precedent version", version)
	report(out, "serve: /readyz", ready)
	report(out, "serve: first search", search)
	report(out, "serve: processor time", cpu)
	return nil
}

// report prints a line of the table. It sorts its argument.
func report(out io.Writer, name string, all []time.Duration) {
	slices.Sort(all)
	ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
	fmt.Fprintf(out, "  %-24s %4.0f ms %4.0f ms %4.0f ms\n", name,
		ms(all[len(all)/2]), ms(all[0]), ms(all[len(all)-1]))
}

// build returns the path of the binary to measure.
func build(given string) (binary string, clean func(), err error) {
	if given != "" {
		return given, func() {}, nil
	}
	dir, err := os.MkdirTemp("", "start")
	if err != nil {
		return "", nil, err
	}
	clean = func() { _ = os.RemoveAll(dir) }
	binary = filepath.Join(dir, "precedent")
	cmd := exec.Command("go", "build", "-o", binary, "./cmd/precedent")
	cmd.Dir, cmd.Stderr = "..", os.Stderr
	if err := cmd.Run(); err != nil {
		clean()
		return "", nil, fmt.Errorf("building the program: %w", err)
	}
	return binary, clean, nil
}

// A started server tells the times since its exec, and the processor time that
// it used until it was stopped after the first search.
type started struct{ ready, search, cpu time.Duration }

// serve starts a server, asks it and stops it.
func serve(binary string) (s started, err error) {
	cmd := exec.Command(binary, "serve", "--addr", "127.0.0.1:0", "--log-level", "error")
	log, err := cmd.StderrPipe()
	if err != nil {
		return s, err
	}
	start := time.Now()
	if err := cmd.Start(); err != nil {
		return s, fmt.Errorf("starting the server: %w", err)
	}
	defer func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		_, _ = io.Copy(io.Discard, log)
		err = errors.Join(err, cmd.Wait())
		s.cpu = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	}()
	base, err := address(log)
	if err != nil {
		return s, err
	}
	if err := get(base + "/readyz"); err != nil {
		return s, err
	}
	s.ready = time.Since(start)
	if err := get(base + firstSearch); err != nil {
		return s, err
	}
	s.search = time.Since(start)
	return s, nil
}

// address reads what the server tells of its address. It does so once the
// library is loaded, so that nothing has to be polled, which would take time
// from the server.
func address(log io.Reader) (string, error) {
	lines := bufio.NewScanner(log)
	for lines.Scan() {
		if addr, ok := strings.CutPrefix(strings.TrimSpace(lines.Text()), "site  "); ok {
			return strings.TrimSuffix(addr, "/"), nil
		}
	}
	return "", errors.New("the server told no address")
}

func get(url string) error {
	resp, err := http.Get(url)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("asking for %s: %s", url, resp.Status)
	}
	_, err = io.Copy(io.Discard, resp.Body)
	return err
}
