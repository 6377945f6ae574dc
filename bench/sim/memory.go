package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
)

// memoryMost is the peak memory in MB that the system of retry.yaml may take.
const memoryMost = 50

// memory runs the system in a process of its own and prints the peak of it.
func memory(out io.Writer) error {
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("finding this program: %w", err)
	}
	cmd := exec.Command(self, "-memory")
	cmd.Stderr = os.Stderr
	text, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("running the system for its memory: %w", err)
	}
	mb, err := strconv.ParseFloat(strings.TrimSpace(string(text)), 64)
	if err != nil {
		return fmt.Errorf("reading %q as megabytes: %w", text, err)
	}
	fmt.Fprintf(out, "peak memory of retry: %.1f MB, at most %d\n", mb, memoryMost)
	if mb > memoryMost {
		return fmt.Errorf("retry takes %.1f MB, the target is %d", mb, memoryMost)
	}
	return nil
}

// printMemory runs the system and prints the peak memory of this process in MB.
func printMemory(out io.Writer) error {
	if _, _, err := retryTrial(); err != nil {
		return err
	}
	mb, err := peakMemory()
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "%.1f\n", mb)
	return err
}

// peakMemory is that of this process in MB.
func peakMemory() (float64, error) {
	// The resident set at its largest. What getrusage says is that of the parent
	// process where it was larger.
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0, fmt.Errorf("reading the memory of this process: %w", err)
	}
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	var kb float64
	if _, err := fmt.Sscan(rest, &kb); err != nil {
		return 0, fmt.Errorf("reading the peak memory in /proc/self/status: %w", err)
	}
	return kb / 1024, nil
}
