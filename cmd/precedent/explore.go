package main

import (
	"errors"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/sim/study"
	"github.com/openprecedent/precedent/internal/strictyaml"
)

func (p *process) exploreCommand() *cobra.Command {
	var f simFlags
	cmd := &cobra.Command{
		Use:   "explore FILE",
		Short: "Look at every order in which the steps of a small protocol can come",
		Long: `Explore runs nothing against a clock. It takes a part that is a protocol of some
actors, such as a planner with its appliers, and looks at every order in which their
steps can come: each actor may be delayed for as long as one likes. For each
invariant it says whether it holds in all of them, for any number of plans, or shows
the fewest steps that break it, a line for each with its actor.

A file says in explore how small the protocol is made, and which variants are looked
at; it may say what must come out. The exit code is 3 if something else does. FILE
may be the id of a scenario of the library. The steps are those that the part takes
in a run; only when they come differs.`,
		Example: `  precedent explore IL-0150-dns
  precedent explore IL-0150-dns --variant compare-and-swap --set endpoints=2
  precedent explore system.yaml --set dns.endpoints=1 --set dns.keep=1 --json`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return p.explore(cmd, args[0], &f) },
	}
	f.common(p, cmd)
	cmd.Flags().IntVar(&f.states, "states", 0, "states that are looked at most (default 1000000)")
	return cmd
}

func (p *process) explore(cmd *cobra.Command, name string, f *simFlags) error {
	src, err := p.fileOrScenario(name)
	s, err := p.askOf(cmd, name, src, f, err)
	if err != nil {
		return err
	}
	a, err := p.answer(cmd.Context(), s, f, p.page(f))
	if err != nil {
		return err
	}
	return unexpected(a)
}

// fileOrScenario reads a file, or where there is none of that name the scenario of
// the library that has it as its id.
func (p *process) fileOrScenario(name string) ([]byte, error) {
	if _, err := os.Stat(name); name != "-" && errors.Is(err, fs.ErrNotExist) {
		lib, err := p.load()
		if err != nil {
			return nil, err
		}
		if s, ok := lib.Scenario(name); ok {
			return s.Text, nil
		}
	}
	return p.readFile(name, strictyaml.MaxSize)
}

// unexpected is the error of an answer in which something came out otherwise than
// the file says.
func unexpected(a *study.Answer) error {
	all := a.Unexpected()
	if len(all) == 0 {
		return nil
	}
	return app.Findingsf("", "came out otherwise than the file says: %s", strings.Join(all, "; ")).
		Korean("", "파일에 적은 것과 다른 결과: %s")
}
