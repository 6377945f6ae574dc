package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Cores of the server and of this program.
const (
	serverCore    = "0"
	generatorCore = "1"
)

// pin moves this process to a core by starting it anew under taskset. Without
// taskset both share what there is.
func pin(core string) error {
	const done = "OVERLOAD_PINNED"
	taskset, err := exec.LookPath("taskset")
	if err != nil || os.Getenv(done) != "" {
		return nil
	}
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("finding this program: %w", err)
	}
	args := append([]string{taskset, "-c", core, self}, os.Args[1:]...)
	return syscall.Exec(taskset, args, append(os.Environ(), done+"=1"))
}

// build returns the path of the server's binary.
func build(given string) (binary string, clean func(), err error) {
	if given != "" {
		return given, func() {}, nil
	}
	dir, err := os.MkdirTemp("", "overload")
	if err != nil {
		return "", nil, err
	}
	binary = filepath.Join(dir, "precedent")
	cmd := exec.Command("go", "build", "-o", binary, "./cmd/precedent")
	cmd.Dir, cmd.Stderr = "..", os.Stderr
	if err := cmd.Run(); err != nil {
		return "", nil, fmt.Errorf("building the server: %w", err)
	}
	return binary, func() { _ = os.RemoveAll(dir) }, nil
}

// process is a running server.
type process struct {
	cmd  *exec.Cmd
	addr string
}

// start starts a server on its core and waits until it is ready.
func start(binary, kind string) (*process, error) {
	args := []string{binary, "serve", "--addr", "127.0.0.1:0", "--rate", "0", "--log-level", "info"}
	if kind == "no-limits" {
		args = append(args, "--no-limits")
	}
	if taskset, err := exec.LookPath("taskset"); err == nil {
		args = append([]string{taskset, "-c", serverCore}, args...)
	}
	cmd := exec.Command(args[0], args[1:]...)
	log, err := cmd.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("starting the server: %w", err)
	}
	p := &process{cmd: cmd}
	lines := bufio.NewScanner(log)
	for lines.Scan() {
		if addr, ok := strings.CutPrefix(strings.TrimSpace(lines.Text()), "site  http://"); ok {
			p.addr = strings.TrimSuffix(addr, "/")
			break
		}
	}
	if p.addr == "" {
		return nil, errors.Join(errors.New("the server told no address"), cmd.Wait())
	}
	// The access log is written and read, as it would be by a real one.
	go func() { _, _ = io.Copy(io.Discard, log) }()
	for range 100 {
		resp, err := http.Get("http://" + p.addr + "/readyz")
		if err == nil {
			resp.Body.Close()
			if resp.StatusCode == http.StatusOK {
				return p, nil
			}
		}
		time.Sleep(50 * time.Millisecond)
	}
	p.stop()
	return nil, errors.New("the server did not become ready")
}

func (p *process) stop() {
	_ = p.cmd.Process.Signal(syscall.SIGTERM)
	timer := time.AfterFunc(20*time.Second, func() { _ = p.cmd.Process.Kill() })
	defer timer.Stop()
	_ = p.cmd.Wait() // its exit code is of no interest
}

// cpu returns the processor time that the server has used.
func (p *process) cpu() time.Duration {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.cmd.Process.Pid))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(b), ") ")
	fields := strings.Fields(rest)
	if len(fields) < 13 {
		return 0
	}
	var ticks int64
	for _, f := range fields[11:13] { // user and system time
		n, err := strconv.ParseInt(f, 10, 64)
		if err != nil {
			return 0
		}
		ticks += n
	}
	return time.Duration(ticks) * time.Second / 100 // of a second, on all Linux platforms of Go
}
