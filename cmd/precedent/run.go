package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/output"
	"github.com/openprecedent/precedent/internal/strictyaml"
)

// runFlags are the flags of precedent run.
type runFlags struct {
	simFlags
	seed   uint64
	length string
	window string
	csv    bool
	series []string
	chart  string
}

func (p *process) runCommand() *cobra.Command {
	var f runFlags
	cmd := &cobra.Command{
		Use:   "run FILE",
		Short: "Run a scenario once and show what happened",
		Long: `Run simulates a scenario: a system, its load, and what is done to it. It shows for
each source how many requests were answered in time, late or not at all, whether
every law of conservation held, and how the series that matter went over time.
The same seed gives the same run on every machine.

With --set a value of the file is replaced: proxy.max=100 is that of a part, and
load=80/s the parameter of that name. Several values, load=50/s,80/s, are run side
by side and compared in a table. Every problem of the file is reported with its
place before anything runs (exit code 3), a run that would take too many events
among them. An interrupt ends the run and shows what was seen until then.`,
		Example: `  precedent run system.yaml
  precedent run system.yaml --set load=50/s,80/s,95/s
  precedent run system.yaml --series 'db.*' --chart run.svg
  precedent run system.yaml --csv > run.csv
  precedent new system - | precedent run -`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return p.runScenario(cmd, args, &f) },
	}
	f.common(cmd)
	cmd.Flags().Uint64Var(&f.seed, "seed", 0, "seed of the random draws (default that of the file, or 1)")
	cmd.Flags().StringVar(&f.length, "for", "", "simulated time, such as 10m (default that of the file, or 10m)")
	cmd.Flags().StringVar(&f.window, "window", "", "width of the windows of the series (default that of the file, or 1s)")
	cmd.Flags().BoolVar(&f.csv, "csv", false, "print the series as CSV, a row a window")
	cmd.Flags().StringArrayVar(&f.series, "series", nil, "show the series whose names match, such as 'db.*' (repeatable)")
	cmd.Flags().StringVar(&f.chart, "chart", "", "draw the series into an SVG file")
	cmd.MarkFlagsMutuallyExclusive("json", "md", "csv")
	return cmd
}

func (p *process) runScenario(cmd *cobra.Command, args []string, f *runFlags) error {
	lang, err := p.language()
	if err != nil {
		return err
	}
	if err := svgOnly(f.chart); err != nil {
		return err
	}
	models, err := p.models(args[0], f)
	if err != nil {
		return err
	}
	if len(models) > 1 && (f.csv || f.chart != "") {
		return app.Invalidf("set", "give one value each, or use --json", "%d runs do not go into one table or picture of series", len(models)).
			Korean("값을 하나씩 주거나 --json을 쓴다", "실행 %d개의 계열은 표나 그림 하나에 들어가지 않는다")
	}
	progress := p.progress()
	runs, ended := app.RunModels(cmd.Context(), models, f.seed, progress.show)
	progress.end()
	if runs == nil {
		return ended
	}
	if err := runs.Select(f.series); err != nil {
		return err
	}
	runs.Command = again(cmd, args)
	if f.chart != "" {
		err := writeFile(f.chart, func(w io.Writer) error { return output.Chart(w, &runs.Runs[0], len(f.series) > 0) })
		if err != nil {
			return err
		}
	}
	if f.csv {
		var b bytes.Buffer
		if err = output.CSV(&b, &runs.Runs[0]); err == nil {
			err = p.raw(b.Bytes())
		}
	} else {
		err = p.write(f.view, runs, func() output.Page { return output.RunPage(runs, lang, len(f.series) > 0) })
	}
	switch {
	case err != nil:
		return err
	case ended != nil:
		return interrupted(ended, "this is what was seen until then")
	case len(runs.Broken()) > 0:
		return fmt.Errorf("running the scenario: %w", errors.New(runs.Broken()[0]))
	}
	return nil
}

// models reads the file of a run, with its settings.
func (p *process) models(name string, f *runFlags) ([]*app.Model, error) {
	src, err := p.readFile(name, strictyaml.MaxSize)
	if err != nil {
		return nil, err
	}
	set := f.set
	for _, one := range [][2]string{{"run.for", f.length}, {"run.window", f.window}} {
		if strings.Contains(one[1], ",") {
			return nil, app.Invalidf("for", "give one span of time, such as 10m", "%q is not a span of time", one[1]).
				Korean("10m처럼 시간을 하나만 쓴다", "시간의 길이가 아니다: %q")
		}
		if one[1] != "" {
			set = append(set, one[0]+"="+one[1])
		}
	}
	models, err := app.ReadModels(called(name), src, set)
	if err != nil {
		return nil, err
	}
	p.warn(models[0])
	return models, nil
}
