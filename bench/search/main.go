// Command search measures the search of this repository: how good it is on
// judged queries and how fast it is, beside bleve and FTS5 of SQLite.
//
//	go run ./search                 judged and held-out queries, all engines
//	go run ./search -own -missed    ours only, with the judged queries it did not answer best
//	go run ./search -scale 50000    speed on synthetic cases
//	go run ./search -update         write baseline.json
//
// It is to be run in the folder of this module. Latencies are processor time.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"time"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "search bench:", err)
		os.Exit(1)
	}
}

// files are the paths of what the bench reads and writes.
type files struct{ corpus, queries, heldOut, pairs, baseline string }

// under returns the files seen from the folder of the module.
func under(dir string) files {
	return files{
		dir + "/../corpus", dir + "/search/queries.txt", dir + "/search/heldout.txt",
		dir + "/search/pairs.txt", dir + "/search/baseline.json",
	}
}

func run(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("search", flag.ContinueOnError)
	own := flags.Bool("own", false, "measure our engine only")
	missed := flags.Bool("missed", false, "list the queries that were not answered best")
	heldOut := flags.Bool("held-out", false, "with -missed, list those held out too, which search must not be tuned to")
	update := flags.Bool("update", false, "write the baseline")
	scale := flags.Int("scale", 0, "measure speed with this many synthetic cases")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if err := registerBigrams(); err != nil {
		return err
	}
	f := under(".")
	c, err := loadCorpus(f.corpus)
	if err != nil {
		return err
	}
	list := contenders()
	if *own || *update {
		list = list[:1]
	}
	if *scale > 0 {
		return measureScale(out, c, list, *scale)
	}
	queries, err := readQueries(f.queries)
	if err != nil {
		return err
	}
	held, err := readQueries(f.heldOut)
	if err != nil {
		return err
	}
	pairs, err := readPairs(f.pairs)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%d cases, %d queries, %d held-out queries, %d pairs\n\n",
		len(c.docs), len(queries), len(held), len(pairs))
	for i, ct := range list {
		o, err := report(out, ct, ct.name, c, queries, *missed)
		if err != nil {
			return err
		}
		h, err := report(out, ct, ct.name+", held-out", c, held, *missed && *heldOut)
		if err != nil {
			return err
		}
		if i > 0 {
			continue
		}
		shown, err := reportPairs(out, c, pairs, *missed)
		if err != nil {
			return err
		}
		if *update {
			return writeBaseline(f.baseline, o, h, shown)
		}
	}
	return nil
}

// report judges an engine and prints what it reached under a name.
func report(
	out io.Writer, ct contender, name string, c *corpus, queries []judgment, missed bool,
) (*outcome, error) {
	o, err := judgeEngine(ct, c, queries)
	if err != nil {
		return nil, err
	}
	o.name = name
	o.print(out)
	if missed {
		fmt.Fprintln(out, strings.Join(o.missed, "\n"))
	}
	return o, nil
}

// reportPairs prints how many pairs come out right by text alone and as shown,
// and returns the latter.
func reportPairs(out io.Writer, c *corpus, pairs []pair, missed bool) (float64, error) {
	var right float64
	for _, by := range []struct {
		name string
		make func(*corpus) (likeness, error)
	}{{"by text alone", byText}, {"as shown", asShown}} {
		like, err := by.make(c)
		if err != nil {
			return 0, err
		}
		var wrong []string
		if right, wrong, err = judgePairs(like, pairs); err != nil {
			return 0, err
		}
		fmt.Fprintf(out, "pairs %s: %.3f right\n", by.name, right)
		if missed {
			fmt.Fprintln(out, strings.Join(wrong, "\n"))
		}
	}
	fmt.Fprintln(out)
	return right, nil
}

// print prints a table of the scores of an engine.
func (o *outcome) print(out io.Writer) {
	fmt.Fprintf(out, "%s (ready in %s)\n", o.name, o.ready.Round(time.Millisecond))
	fmt.Fprintf(out, "  %-11s %4s %6s %6s %6s %9s %9s\n", "kind", "n", "R@5", "R@10", "MRR", "p50", "p99")
	for _, k := range append([]string{allKinds}, kinds...) {
		s := o.scores[k]
		if s.Queries == 0 {
			continue
		}
		l := spreadOf(s.latency)
		fmt.Fprintf(out, "  %-11s %4d %6.3f %6.3f %6.3f %9s %9s\n", k, s.Queries,
			s.Recall5, s.Recall10, s.MRR,
			l.P50.Round(10*time.Microsecond), l.P99.Round(10*time.Microsecond))
	}
	fmt.Fprintln(out)
}
