package main

import (
	"bytes"
	"errors"
	"os/exec"
	"strconv"
	"strings"
)

type buffer struct{ bytes.Buffer }

func (b *buffer) has(s string) bool { return strings.Contains(b.String(), s) }

func exitCode(err error) string {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return strconv.Itoa(exit.ExitCode())
	}
	return err.Error()
}
