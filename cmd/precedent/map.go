package main

import (
	"io"

	"github.com/spf13/cobra"

	"github.com/openprecedent/precedent/internal/output"
	"github.com/openprecedent/precedent/internal/sim/study"
)

func (p *process) mapCommand() *cobra.Command {
	var f simFlags
	var chart string
	cmd := &cobra.Command{
		Use:   "map FILE --x SETTING=VALUES --y SETTING=VALUES",
		Short: "Draw what a system is over two of its settings",
		Long: `Map judges a system by one trigger, the scenario's own or else the first that every
system is tried with, over the values of two settings, and draws a letter a cell
(see judge for the classes) with the edges that formulas foretell. A coarse grid is
refined where the classes of neighbours differ, so that most cells need no run.

Values are a range with its unit, load=10/s..60/s, or a list, retries=0,1,3. A range
of whole numbers without a unit takes each, another one eleven values; load=1/s..9/s:5
takes five, and load=1/s..1000/s:12:log spaces twelve on a logarithmic scale.

An interrupt draws the cells that are known (exit code 130); with --resume FILE they
are kept, and the same command goes on from there.`,
		Example: `  precedent map system.yaml --x load=20/s..200/s:19 --y retries=0..4
  precedent map system.yaml --x load=20/s..200/s --y patience=100ms..5s:9:log --chart map.svg
  precedent map system.yaml --x load=20/s..200/s:60 --y retries=0..9 --resume map.json`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			_, err := p.simulate(cmd, args[0], &f, func(a *study.Answer) error {
				if chart != "" {
					l, err := p.language()
					if err != nil {
						return err
					}
					if err := writeFile(chart, func(w io.Writer) error { return output.MapChart(w, a.Map, l) }); err != nil {
						return err
					}
				}
				return p.page(&f)(a)
			}, svgOnly(chart))
			return err
		},
	}
	f.judging(p, cmd, "4 a cell, 10 where they disagree")
	cmd.Flags().StringVar(&f.q.X, "x", "", "the setting across and its values")
	cmd.Flags().StringVar(&f.q.Y, "y", "", "the setting upwards and its values")
	cmd.Flags().StringVar(&chart, "chart", "", "draw the map into an SVG file as well")
	return cmd
}
