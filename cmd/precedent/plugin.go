package main

import (
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
)

// pluginName is what the program is called when kubectl starts it, as it starts
// every executable on the path whose name begins with kubectl-.
const pluginName = "kubectl-precedent"

// plugin reports whether kubectl started the program.
func (p *process) plugin() bool {
	return strings.TrimSuffix(filepath.Base(p.name), ".exe") == pluginName
}

// command is what its user types to start the program.
func (p *process) command() string {
	if p.plugin() {
		return "kubectl precedent"
	}
	return "precedent"
}

// spoken writes a text that names commands as the user starts them.
func (p *process) spoken(text string) string {
	if !p.plugin() {
		return text
	}
	return strings.ReplaceAll(text, "`precedent ", "`"+p.command()+" ")
}

// speakOf lets the help of all commands name them as the user starts them.
func (p *process) speakOf(cmd *cobra.Command) {
	if !p.plugin() {
		return
	}
	cmd.Long = p.spoken(cmd.Long)
	lines := strings.Split(cmd.Example, "\n")
	for i, line := range lines {
		for _, before := range []string{"  ", "| ", "&& ", "-- "} {
			line = strings.ReplaceAll(line, before+"precedent ", before+p.command()+" ")
		}
		lines[i] = line
	}
	cmd.Example = strings.Join(lines, "\n")
	for _, sub := range cmd.Commands() {
		p.speakOf(sub)
	}
}
