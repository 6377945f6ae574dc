package rule

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/cel-go/common/types"
)

var update = flag.Bool("update", false, "write the tables of doc/check-format.md anew")

// Marks between which the tables stand in the page.
const (
	tablesBegin = "<!-- from here to the next mark: written by go test ./internal/check/rule -run Tables -update -->\n"
	tablesEnd   = "<!-- end -->\n"
)

// TestTables holds the tables of types and functions in doc/check-format.md in step
// with those that expressions know.
func TestTables(t *testing.T) {
	const name = "../../../doc/check-format.md"
	page, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(page), tablesBegin)
	_, after, closed := strings.Cut(rest, tablesEnd)
	if !ok || !closed {
		t.Fatalf("%s has no marks %q and %q", name, tablesBegin, tablesEnd)
	}
	want := before + tablesBegin + tables() + tablesEnd + after
	if want == string(page) {
		return
	}
	if !*update {
		t.Fatalf("the tables in %s are out of step; run go test ./internal/check/rule -run Tables -update", name)
	}
	if err := os.WriteFile(name, []byte(want), 0o644); err != nil {
		t.Fatal(err)
	}
}

// tables writes the types and functions as tables.
func tables() string {
	var b strings.Builder
	b.WriteString("\n### Functions\n\n| call | gives | what |\n|---|---|---|\n")
	all := functionTable()
	slices.SortFunc(all, func(a, b function) int { return strings.Compare(a.name, b.name) })
	for _, f := range all {
		var params []string
		for _, p := range f.params {
			params = append(params, typeWord(p))
		}
		call := fmt.Sprintf("%s(%s)", f.name, strings.Join(params, ", "))
		if f.member {
			call = fmt.Sprintf("%s.%s(%s)", params[0], f.name, strings.Join(params[1:], ", "))
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", call, typeWord(f.gives), cell(f.about))
	}
	for _, k := range kinds() {
		fmt.Fprintf(&b, "\n### %s\n\n%s.\n\n| field | type | what |\n|---|---|---|\n", k.name, strings.ToUpper(k.about[:1])+k.about[1:])
		for _, f := range k.fields {
			fmt.Fprintf(&b, "| `%s` | %s | %s |\n", f.name, typeWord(f.gives), cell(f.about))
		}
	}
	b.WriteString("\n")
	return b.String()
}

func cell(text string) string { return strings.ReplaceAll(text, "|", `\|`) }

// typeWord names a type in a table.
func typeWord(t *types.Type) string {
	words := map[string]string{
		"bool": "truth", "double": "number", "dyn": "anything", "google.protobuf.Duration": "span", "google.protobuf.Timestamp": "time",
		"int": "whole", "map(string, string)": "labels", "string": "text",
	}
	name := t.String()
	if strings.HasPrefix(name, "list(") {
		return "list of " + typeWord(t.Parameters()[0])
	}
	if w, ok := words[name]; ok {
		return w
	}
	return name
}

// TestTold asks every function, and every type, to say what it is; the names of
// fields may speak for themselves.
func TestTold(t *testing.T) {
	for _, f := range functionTable() {
		if f.about == "" {
			t.Errorf("the function %s says nothing of itself", f.name)
		}
	}
	for _, k := range kinds() {
		if k.about == "" || len(k.fields) == 0 {
			t.Errorf("the type %s says nothing of itself, or has no fields", k.name)
		}
	}
}
