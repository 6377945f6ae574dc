package expect

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the table of functions anew")

// TestFormatPage holds the table of functions in the format's page to the functions
// that there are.
func TestFormatPage(t *testing.T) {
	const page, head = "../../../doc/system-format.md", "| function | gives | in PromQL |\n"
	var b strings.Builder
	b.WriteString(head + "|---|---|---|\n")
	for _, f := range functions() {
		like := ""
		if f.like != "" {
			like = "`" + f.like + "`"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", f.usage(), f.about, like)
	}
	src, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(src), head)
	if !ok {
		t.Fatalf("%s has no table that begins with %q", page, head)
	}
	_, after, _ := strings.Cut(rest, "\n\n")
	want := before + b.String() + "\n" + after
	if *update {
		if err := os.WriteFile(page, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if string(src) != want && !*update {
		t.Errorf("the functions of %s are not those that there are; run go test ./internal/sim/expect -update", page)
	}
}
