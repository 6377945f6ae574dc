// Package process measures what a program costs that is run as a process of its own.
package process

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Cost is what a process took, as the kernel tells. Of its memory, Allocated is what it
// asked for; the rest are pages of files, foremost of the program itself, which the
// kernel maps with their neighbours, shares between processes and can drop.
type Cost struct {
	Wall, CPU         time.Duration
	Memory, Allocated int64 // bytes, at most
	Exit              int   // exit code
}

// Run runs a program to its end and returns what it took and wrote to standard output.
// An exit code is no error; a program that writes nothing is.
func Run(path string, args ...string) (Cost, []byte, error) {
	cmd := exec.Command(path, args...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	start := time.Now()
	if err := cmd.Start(); err != nil {
		return Cost{}, nil, fmt.Errorf("running %s: %w", path, err)
	}
	ended, watched := make(chan struct{}), make(chan int64)
	go func() { watched <- watch(cmd.Process.Pid, ended) }()
	err := cmd.Wait()
	wall := time.Since(start)
	close(ended)
	allocated := <-watched
	if _, exited := errors.AsType[*exec.ExitError](err); err != nil && !exited || out.Len() == 0 {
		return Cost{}, nil, fmt.Errorf("running %s: %w: %s", path, cmp.Or(err, errors.New("it wrote nothing")), errs.String())
	}
	state := cmd.ProcessState
	return Cost{
		Wall: wall, CPU: state.UserTime() + state.SystemTime(), Allocated: allocated,
		Memory: state.SysUsage().(*syscall.Rusage).Maxrss << 10, Exit: state.ExitCode(), // Linux counts it in KiB
	}, out.Bytes(), nil
}

// Median returns the median of each figure for itself, the upper one of two, and the
// exit code of the first run.
func Median(all []Cost) Cost {
	return Cost{
		Wall:      middle(all, func(c Cost) time.Duration { return c.Wall }),
		CPU:       middle(all, func(c Cost) time.Duration { return c.CPU }),
		Memory:    middle(all, func(c Cost) int64 { return c.Memory }),
		Allocated: middle(all, func(c Cost) int64 { return c.Allocated }),
		Exit:      all[0].Exit,
	}
}

func middle[T cmp.Ordered](all []Cost, of func(Cost) T) T {
	values := make([]T, len(all))
	for i, one := range all {
		values[i] = of(one)
	}
	slices.Sort(values)
	return values[len(values)/2]
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
