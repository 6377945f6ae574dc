package main

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// cost is what a process took. Of its memory, allocated is what it asked for; the rest
// are pages of files, foremost of the program itself, which the kernel maps with their
// neighbours, shares between processes and can drop.
type cost struct {
	wall, cpu       time.Duration
	peak, allocated int64 // bytes
	exit            int
}

// timed runs a command several times, prints the median of what it took, each figure
// for itself, and returns what it wrote last.
func timed(out io.Writer, times int, title, path string, args ...string) ([]byte, error) {
	var raw []byte
	var all []cost
	for range times {
		one, written, err := once(path, args...)
		if err != nil {
			return nil, err
		}
		raw, all = written, append(all, one)
	}
	fmt.Fprintf(out, "%-28s %8.2f %8.2f %8d %12d %6d\n", title,
		median(all, func(c cost) time.Duration { return c.wall }).Seconds(),
		median(all, func(c cost) time.Duration { return c.cpu }).Seconds(),
		median(all, func(c cost) int64 { return c.peak })>>20,
		median(all, func(c cost) int64 { return c.allocated })>>20, all[0].exit)
	return raw, nil
}

// median returns the middle of one figure, the upper one of two.
func median[T cmp.Ordered](all []cost, of func(cost) T) T {
	var values []T
	for _, one := range all {
		values = append(values, of(one))
	}
	slices.Sort(values)
	return values[len(values)/2]
}

// once runs a command and returns what it took and wrote.
func once(path string, args ...string) (cost, []byte, error) {
	cmd := exec.Command(path, args...)
	var written bytes.Buffer
	cmd.Stdout = &written
	start := time.Now()
	if err := cmd.Start(); err != nil {
		return cost{}, nil, err
	}
	ended, watched := make(chan struct{}), make(chan int64)
	go func() { watched <- watch(cmd.Process.Pid, ended) }()
	err := cmd.Wait()
	wall := time.Since(start)
	close(ended)
	allocated := <-watched
	if _, exited := errors.AsType[*exec.ExitError](err); err != nil && !exited {
		return cost{}, nil, err
	}
	state := cmd.ProcessState
	return cost{
		wall: wall, cpu: state.UserTime() + state.SystemTime(), allocated: allocated,
		peak: state.SysUsage().(*syscall.Rusage).Maxrss << 10, exit: state.ExitCode(), // Linux counts it in KiB
	}, written.Bytes(), nil
}

// watch returns the most memory in bytes that a process had allocated, looked at every
// two milliseconds: the kernel keeps the largest of its whole memory only.
func watch(pid int, ended <-chan struct{}) int64 {
	var most int64
	for {
		most = max(most, anonymous(pid))
		select {
		case <-ended:
			return most
		case <-time.After(2 * time.Millisecond):
		}
	}
}

// anonymous returns the resident memory of a process that is no page of a file, 0 if
// the process is gone.
func anonymous(pid int) int64 {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	for lines := bufio.NewScanner(bytes.NewReader(status)); lines.Scan(); {
		if rest, ok := strings.CutPrefix(lines.Text(), "RssAnon:"); ok {
			kib, _ := strconv.ParseInt(strings.TrimSpace(strings.TrimSuffix(rest, "kB")), 10, 64)
			return kib << 10
		}
	}
	return 0
}
