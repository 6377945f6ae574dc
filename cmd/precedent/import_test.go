package main

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// Of a page with very many headings the message names a few.
func TestImportMessageIsBounded(t *testing.T) {
	var report strings.Builder
	report.WriteString("# " + strings.Repeat("Long title ", 500) + "\n\n")
	for i := range 3000 {
		fmt.Fprintf(&report, "## Chapter %d %s\n\nText.\n\n", i, strings.Repeat("word ", 50))
	}
	var out, errs bytes.Buffer
	code := run(t.Context(), &process{
		args: []string{"import", "--print", "--id", "PR-0001", "-"}, env: func(string) string { return "" },
		in: strings.NewReader(report.String()), out: &out, err: &errs,
	})
	if code != exitOK || errs.Len() > 2500 || !strings.Contains(errs.String(), " and 2988 more\n") {
		t.Errorf("code %d, a message of %d bytes: %.3000s", code, errs.Len(), errs.String())
	}
}
