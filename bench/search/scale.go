package main

import (
	"fmt"
	"io"
	"time"

	"github.com/openprecedent/precedent/internal/library/search"
)

const (
	scaleQueries = 2000
	scaleSeed    = 1
)

// measureScale indexes n synthetic cases with each engine and asks the same
// queries.
func measureScale(out io.Writer, c *corpus, list []contender, n int) error {
	g := newGenerator(scaleSeed, c)
	big := &corpus{terms: c.terms}
	bytes := 0
	for i := range n {
		d := g.document(i)
		for _, f := range d.Fields {
			bytes += len(f.Text)
		}
		big.docs = append(big.docs, d)
	}
	var queries []string
	for range scaleQueries {
		queries = append(queries, g.query())
	}
	fmt.Fprintf(out, "%d synthetic cases, %.0f MB of text, %d queries; this machine counts to a billion in %s\n",
		n, float64(bytes)/1e6, scaleQueries, yardstick().Round(time.Millisecond))
	for _, ct := range list {
		if err := measureOne(out, ct, big, queries); err != nil {
			return err
		}
	}
	return nil
}

// yardstick is the processor time of a fixed piece of work, to compare figures
// of machines that are busy or slow.
func yardstick() time.Duration {
	start := cpuTime()
	x := uint64(1)
	for range 1_000_000_000 {
		x = x*6364136223846793005 + 1442695040888963407
	}
	if x == 0 {
		return 0
	}
	return cpuTime() - start
}

func measureOne(out io.Writer, ct contender, c *corpus, queries []string) error {
	before := liveHeap()
	e := ct.make()
	start := cpuTime()
	if err := e.build(c); err != nil {
		return fmt.Errorf("building %s: %w", ct.name, err)
	}
	ready := cpuTime() - start
	heap := int64(liveHeap()) - int64(before)
	var all []time.Duration
	for _, q := range queries {
		var err error
		all = append(all, timed(func() { _, err = e.search(q, 10) }, true))
		if err != nil {
			return fmt.Errorf("asking %s: %w", ct.name, err)
		}
	}
	s := spreadOf(all)
	fmt.Fprintf(out, "%-20s ready %8s  heap %5d MB  p50 %8s  p99 %8s  max %8s\n", ct.name,
		ready.Round(10*time.Millisecond), heap>>20, s.P50.Round(10*time.Microsecond),
		s.P99.Round(10*time.Microsecond), s.Max.Round(10*time.Microsecond))
	if own, ok := e.(*ownEngine); ok {
		measureFaces(out, own.x, c, queries)
	}
	return e.close()
}

// measureFaces measures what only our engine does: facet counts, filters,
// hostile queries and similar documents.
func measureFaces(out io.Writer, x *search.Index, c *corpus, queries []string) {
	report := func(name string, n int, f func(i int)) {
		var all []time.Duration
		for i := range n {
			all = append(all, timed(func() { f(i) }, true))
		}
		s := spreadOf(all)
		fmt.Fprintf(out, "  %-18s p50 %8s  p99 %8s  max %8s\n", name,
			s.P50.Round(10*time.Microsecond), s.P99.Round(10*time.Microsecond), s.Max.Round(10*time.Microsecond))
	}
	facets := []string{"mechanism", "cause", "symptom", "component", "org"}
	report("with facet counts", 500, func(i int) {
		x.Search(search.Query{Text: queries[i], Facets: facets})
	})
	filter := search.Filter{YearFrom: 2020, Facets: map[string][]string{"org": {"org-001", "org-002"}}}
	report("with a filter", 500, func(i int) {
		x.Search(search.Query{Text: queries[i], Filter: filter})
	})
	report("pasted 10 kB", 200, func(i int) {
		text := c.docs[i].Fields[2].Text + c.docs[i+1].Fields[2].Text + c.docs[i+2].Fields[2].Text +
			c.docs[i+3].Fields[2].Text
		x.Search(search.Query{Text: text})
	})
	report("similar", 200, func(i int) { x.TextSimilarity(c.docs[i*7%len(c.docs)].ID, 20) })
	fmt.Fprintf(out, "  %+v\n", x.Stats())
}
