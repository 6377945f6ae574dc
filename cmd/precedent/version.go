package main

import (
	"fmt"
	"runtime/debug"

	"github.com/spf13/cobra"
)

func (p *process) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version of the program and of the library in it",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			a, lang, err := p.open()
			if err != nil {
				return err
			}
			return p.raw(fmt.Appendf(nil, "precedent %s\n%s\n", buildVersion(), a.Stats().Headline(lang)))
		},
	}
}

// buildVersion returns the module version of this build, or the revision it
// was built from, or devel.
func buildVersion() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "devel"
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && len(s.Value) >= 12 {
			return "devel-" + s.Value[:12]
		}
	}
	return "devel"
}
