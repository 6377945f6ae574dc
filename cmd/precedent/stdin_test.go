package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/openprecedent/precedent/internal/library/draft"
)

// A long log is searched by its beginning; a long report is refused, since a
// draft of a part of it would look whole.
func TestLongInput(t *testing.T) {
	tests := []struct {
		args   []string
		input  string
		code   int
		stderr string
	}{
		{[]string{"search", "-n", "1", "-"}, strings.Repeat("connection timeout ", 5000), exitOK, ""},
		{[]string{"import", "--print", "--id", "PR-0042", "-"}, strings.Repeat("word ", draft.MaxBytes/5+1), exitUsage, "larger than"},
	}
	for _, tt := range tests {
		t.Run(tt.args[0], func(t *testing.T) {
			var out, errs bytes.Buffer
			code := run(t.Context(), &process{
				args: tt.args, env: func(string) string { return "" }, in: strings.NewReader(tt.input), out: &out, err: &errs,
			})
			if code != tt.code || !strings.Contains(errs.String(), tt.stderr) {
				t.Errorf("precedent %s: exit code %d, %q; want %d, %q", tt.args[0], code, errs.String(), tt.code, tt.stderr)
			}
		})
	}
}
