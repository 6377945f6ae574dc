package main

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"
)

var update = flag.Bool("update", false, "rewrite generated documents")

const commandPage = "../../doc/cli.md"

// TestCommandPage keeps doc/cli.md in step with the commands; -update rewrites it.
func TestCommandPage(t *testing.T) {
	root := (&process{env: func(string) string { return "" }}).rootCommand()
	root.InitDefaultCompletionCmd()
	var b strings.Builder
	b.WriteString("# The command line\n\nGenerated from the commands themselves; `precedent COMMAND --help` shows the same.\n\n" +
		"Every command takes `--library DIR` (repeatable) and `--lang en|ko`.\n\n" +
		"| exit code | meaning |\n|---|---|\n" +
		"| 0 | done, nothing to complain about |\n| 1 | something went wrong that is not the user's doing |\n" +
		"| 2 | the command line, a query or a name given on it is wrong |\n" +
		"| 3 | the files that were looked at have findings, or what they expect does not hold |\n" +
		"| 4 | something that was to be read could not be, so the answer is incomplete |\n" +
		"| 130 | an interrupt ended it; what was known by then was printed |\n")
	for _, g := range root.Groups() {
		fmt.Fprintf(&b, "\n%s", strings.TrimSuffix(g.Title, ":")+":")
		for _, sub := range root.Commands() {
			if sub.GroupID == g.ID && sub.Name() != "help" {
				fmt.Fprintf(&b, " [%s](#precedent-%s)", sub.Name(), sub.Name())
			}
		}
		b.WriteString("\n")
	}
	document(&b, root)
	want, err := os.ReadFile(commandPage)
	if err != nil && !*update {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(commandPage, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(string(want), b.String()); diff != "" {
		t.Errorf("doc/cli.md is out of step; run go test ./cmd/precedent -run CommandPage -update (-page +commands):\n%s", diff)
	}
}

func document(b *strings.Builder, cmd *cobra.Command) {
	for _, sub := range cmd.Commands() {
		if sub.Name() == "help" || sub.Hidden || sub.Name() == "completion" && sub.HasParent() && sub.Parent().HasParent() {
			continue
		}
		if sub.Name() == "completion" {
			fmt.Fprintf(b, "\n## precedent completion\n\nPrints the completion script for bash, zsh, fish or powershell; ids and terms complete too.\n")
			continue
		}
		fmt.Fprintf(b, "\n## %s\n\n%s.\n", sub.CommandPath(), strings.TrimSuffix(sub.Short, "."))
		if sub.Long != "" {
			fmt.Fprintf(b, "\n%s\n", sub.Long)
		}
		fmt.Fprintf(b, "\n```\n%s\n", sub.UseLine())
		if sub.Example != "" {
			fmt.Fprintf(b, "\n%s\n", sub.Example)
		}
		if flags := sub.NonInheritedFlags().FlagUsages(); strings.TrimSpace(flags) != "" {
			fmt.Fprintf(b, "\n%s", flags)
		}
		b.WriteString("```\n")
		document(b, sub)
	}
}
