package main

import (
	"bytes"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/output"
	"github.com/openprecedent/precedent/internal/sim/study"
)

// runFlags are the flags of precedent run.
type runFlags struct {
	simFlags
	length string
	window string
	csv    bool
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
by side and compared in a table, as are several variants of the file. Every problem of the file is reported with its
place before anything runs (exit code 3), a run that would take too many events
among them. An interrupt ends the run and shows what was seen until then.

What the file expects of its runs is looked at for as many seeds as run.seeds says,
or --seeds: a table tells what holds, beside what was published, and what the run
gave. The exit code is 3 if an expectation does not hold.`,
		Example: `  precedent run system.yaml
  precedent run system.yaml --set load=50/s,80/s,95/s
  precedent run system.yaml --variant base --variant rollback
  precedent run system.yaml --series 'db.*' --chart run.svg
  precedent run system.yaml --csv > run.csv
  precedent new system - | precedent run -`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return p.runScenario(cmd, args, &f) },
	}
	f.common(p, cmd)
	cmd.Flags().Uint64Var(&f.q.Seed, "seed", 0, "seed of the random draws (default that of the file, or 1)")
	cmd.Flags().IntVar(&f.q.Seeds, "seeds", 0, "seeds from that one on that the expectations are looked at for (default those of run.seeds, or 1)")
	cmd.Flags().StringVar(&f.length, "for", "", "simulated time, such as 10m (default that of the file, or 10m)")
	cmd.Flags().StringVar(&f.window, "window", "", "width of the windows of the series (default that of the file, or 1s)")
	cmd.Flags().BoolVar(&f.csv, "csv", false, "print the series as CSV, a row a window")
	cmd.Flags().StringArrayVar(&f.q.Series, "series", nil, "show the series whose names match, such as 'db.*' (repeatable)")
	cmd.Flags().StringVar(&f.chart, "chart", "", "draw the series into an SVG file")
	cmd.MarkFlagsMutuallyExclusive("json", "md", "csv")
	return cmd
}

func (p *process) runScenario(cmd *cobra.Command, args []string, f *runFlags) error {
	wrong := []error{svgOnly(f.chart)}
	for _, one := range [][3]string{{"for", "run.for", f.length}, {"window", "run.window", f.window}} {
		flag, path, span := one[0], one[1], one[2]
		if strings.Contains(span, ",") {
			wrong = append(wrong, app.Invalidf(flag, "give one span of time, such as 10m", "--%s: %q is not a span of time", flag, span).
				Korean("10m처럼 시간을 하나만 쓴다", "--%s: 시간의 길이가 아니다: %q"))
		} else if span != "" {
			f.q.Set = append(f.q.Set, path+"="+span)
		}
	}
	s, err := p.ask(cmd, args[0], &f.simFlags, wrong...)
	if err != nil {
		return err
	}
	if n := s.Runs(); n > 1 && (f.csv || f.chart != "") {
		return app.Invalidf("set", "give one value each, or use --json", "%d runs do not go into one table or picture of series", n).
			Korean("값을 하나씩 주거나 --json을 쓴다", "실행 %d개의 계열은 표나 그림 하나에 들어가지 않는다")
	}
	a, err := p.answer(cmd.Context(), s, &f.simFlags, func(a *study.Answer) error {
		one := &a.Runs[0]
		if f.chart != "" {
			lang, err := p.language()
			if err != nil {
				return err
			}
			if err := writeFile(f.chart, func(w io.Writer) error { return output.Chart(w, one, lang, len(f.q.Series) > 0) }); err != nil {
				return err
			}
		}
		if !f.csv {
			return p.page(&f.simFlags)(a)
		}
		var b bytes.Buffer
		if err := output.CSV(&b, one); err != nil {
			return err
		}
		return p.raw(b.Bytes())
	})
	if err != nil {
		return err
	}
	return unmet(a)
}

// unmet is the error of an answer in which expectations do not hold.
func unmet(a *study.Answer) error {
	all := a.Unmet()
	if len(all) == 0 {
		return nil
	}
	first := all[0]
	why := first.That
	for _, s := range first.Seeds {
		if !s.Held {
			why = s.Why
			break
		}
	}
	if len(all) == 1 {
		return app.Findingsf("", "1 of the expectations does not hold: %q: %s", first.Name, why).
			Korean("", "기대 조건 1개가 성립하지 않는다. %q: %s")
	}
	return app.Findingsf("", "%d of the expectations do not hold; the first is %q: %s", len(all), first.Name, why).
		Korean("", "기대 조건 %d개가 성립하지 않는다. 첫째는 %q: %s")
}
