package main

import (
	"fmt"
	"time"

	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/library/search"
)

// An engine is a search engine under test.
type engine interface {
	// build indexes documents; it replaces what was indexed before.
	build(c *corpus) error
	// search returns the ids of at most limit documents, best first.
	search(query string, limit int) ([]string, error)
	close() error
}

// A contender is an engine with its name in the report.
type contender struct {
	name string
	make func() engine
}

// contenders are the engines that are compared, ours first.
func contenders() []contender {
	return []contender{
		{"precedent", func() engine { return &ownEngine{} }},
		{"bleve standard", func() engine { return &bleveEngine{} }},
		{"bleve bigram bm25", func() engine { return &bleveEngine{best: true} }},
		{"fts5 unicode61", func() engine { return &ftsEngine{} }},
		{"fts5 bigram prefix", func() engine { return &ftsEngine{best: true} }},
	}
}

// ownEngine is the search that every face of this repository answers with. For
// documents that are no cases it is the bare index.
type ownEngine struct {
	app *app.App
	x   *search.Index
}

func (e *ownEngine) build(c *corpus) (err error) {
	if c.lib != nil {
		e.app = app.New(c.lib)
		return e.app.Prepare()
	}
	e.x, err = search.New(c.docs, search.Options{Weights: weights, Terms: c.terms})
	return err
}

func (e *ownEngine) search(query string, limit int) ([]string, error) {
	var ids []string
	if e.app == nil {
		for _, h := range e.x.Search(search.Query{Text: query, Limit: limit}).Hits {
			ids = append(ids, h.ID)
		}
		return ids, nil
	}
	r, err := e.app.Search(app.SearchQuery{Text: query, Limit: limit})
	if err != nil {
		return nil, err
	}
	for _, h := range r.Hits {
		ids = append(ids, h.ID)
	}
	return ids, nil
}

func (e *ownEngine) close() error { return nil }

// An outcome is what an engine reached.
type outcome struct {
	name   string
	scores map[string]*score // by kind, and "all"
	ready  time.Duration     // processor time until the library was indexed
	missed []string          // what it did not find first
}

const allKinds = "all"

// judgeEngine runs all judged queries against an engine. "all" leaves out
// crossOnly, which asks the queries of another kind once more.
func judgeEngine(ct contender, c *corpus, queries []judgment) (*outcome, error) {
	o := &outcome{name: ct.name, scores: map[string]*score{}}
	for _, k := range append([]string{allKinds}, kinds...) {
		o.scores[k] = &score{}
	}
	e := ct.make()
	start := cpuTime()
	if err := e.build(c); err != nil {
		return nil, fmt.Errorf("building %s: %w", ct.name, err)
	}
	o.ready = cpuTime() - start
	for _, j := range queries {
		got, took, err := ask(e, j.query)
		if err != nil {
			return nil, fmt.Errorf("asking %s for line %d: %w", ct.name, j.line, err)
		}
		o.scores[j.kind].add(j.want, got, took)
		o.scores[allKinds].add(j.want, got, took)
		o.note(j, j.kind, got)
	}
	if err := e.close(); err != nil {
		return nil, err
	}
	return o, o.judgeCross(ct, c, queries)
}

// judgeCross asks the queries of kind cross where only texts in the other
// language can answer.
func (o *outcome) judgeCross(ct contender, c *corpus, queries []judgment) error {
	for _, lang := range []string{"en", "ko"} {
		half, err := c.without(lang)
		if err != nil {
			return err
		}
		e := ct.make()
		if err := e.build(half); err != nil {
			return fmt.Errorf("building %s without %s: %w", ct.name, lang, err)
		}
		for _, j := range queries {
			if j.kind != "cross" || languageOf(j.query) != lang {
				continue
			}
			got, took, err := ask(e, j.query)
			if err != nil {
				return fmt.Errorf("asking %s for line %d: %w", ct.name, j.line, err)
			}
			o.scores[crossOnly].add(j.want, got, took)
			o.note(j, crossOnly, got)
		}
		if err := e.close(); err != nil {
			return err
		}
	}
	return nil
}

// ask asks twice and takes the time of the second answer, as a server that
// has run for a while would need it.
func ask(e engine, query string) (ids []string, took time.Duration, err error) {
	if _, err = e.search(query, 10); err != nil {
		return nil, 0, err
	}
	took = timed(func() { ids, err = e.search(query, 10) }, true)
	return ids, took, err
}

func (o *outcome) note(j judgment, kind string, got []string) {
	if reciprocalRank(j.want, got, 10) < 1 || recall(j.want, got, 10) < 1 {
		o.missed = append(o.missed, fmt.Sprintf("%-10s mrr %.2f recall %.2f  %.90q want %v got %v",
			kind, reciprocalRank(j.want, got, 10), recall(j.want, got, 10), j.query, j.want,
			got[:min(5, len(got))]))
	}
}

// languageOf is "ko" if a query has Hangul, else "en".
func languageOf(query string) string {
	for _, r := range query {
		if r >= 0xAC00 && r <= 0xD7A3 {
			return "ko"
		}
	}
	return "en"
}

// A likeness is the order of the cases that are like a given one.
type likeness func(id string) (scores map[string]float64, err error)

// byText is the likeness of the texts alone.
func byText(c *corpus) (likeness, error) {
	x, err := search.New(c.docs, search.Options{Weights: weights, Terms: c.terms})
	if err != nil {
		return nil, err
	}
	return func(id string) (map[string]float64, error) {
		scores := map[string]float64{}
		for _, s := range x.TextSimilarity(id, x.Len()) {
			scores[s.ID] = s.Score
		}
		return scores, nil
	}, nil
}

// asShown is the likeness that the faces show.
func asShown(c *corpus) (likeness, error) {
	a := app.New(c.lib)
	return func(id string) (map[string]float64, error) {
		r, err := a.Similar(id, app.MaxLimit)
		if err != nil {
			return nil, err
		}
		scores := map[string]float64{}
		for i, s := range r.Cases {
			scores[s.ID] = 1 / float64(i+1)
		}
		return scores, nil
	}, nil
}

// judgePairs returns the share of pairs that a likeness gets right, and the
// others.
func judgePairs(like likeness, pairs []pair) (float64, []string, error) {
	right := 0
	var wrong []string
	for _, p := range pairs {
		scores, err := like(p.a)
		if err != nil {
			return 0, nil, err
		}
		if scores[p.b] > scores[p.c] {
			right++
			continue
		}
		wrong = append(wrong, fmt.Sprintf("%s: %s (%.3f) > %s (%.3f)  # %s",
			p.a, p.b, scores[p.b], p.c, scores[p.c], p.reason))
	}
	return float64(right) / float64(len(pairs)), wrong, nil
}
