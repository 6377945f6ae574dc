package main

import (
	"slices"
	"testing"

	"github.com/openprecedent/precedent/internal/app"
)

// judgments reads the corpus with its judged queries, those held out, and pairs.
func judgments(t *testing.T) (f files, c *corpus, queries, held []judgment, pairs []pair) {
	t.Helper()
	f = under("..")
	var err error
	if c, err = loadCorpus(f.corpus); err != nil {
		t.Fatal(err)
	}
	if queries, err = readQueries(f.queries); err != nil {
		t.Fatal(err)
	}
	if held, err = readQueries(f.heldOut); err != nil {
		t.Fatal(err)
	}
	if pairs, err = readPairs(f.pairs); err != nil {
		t.Fatal(err)
	}
	return f, c, queries, held, pairs
}

// TestQuality compares our engine on the judged queries and on those held out
// with the baseline.
func TestQuality(t *testing.T) {
	f, c, queries, held, pairs := judgments(t)
	o, err := judgeEngine(contenders()[0], c, queries)
	if err != nil {
		t.Fatal(err)
	}
	h, err := judgeEngine(contenders()[0], c, held)
	if err != nil {
		t.Fatal(err)
	}
	like, err := asShown(c)
	if err != nil {
		t.Fatal(err)
	}
	right, wrong, err := judgePairs(like, pairs)
	if err != nil {
		t.Fatal(err)
	}
	base, err := readBaseline(f.baseline)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range base.regressions(o, h, right) {
		t.Error(r)
	}
	if t.Failed() {
		for _, m := range slices.Concat(o.missed, wrong) {
			t.Log(m)
		}
	}
}

// TestJudgmentsNameCases fails on an id that no case has.
func TestJudgmentsNameCases(t *testing.T) {
	f, c, queries, held, pairs := judgments(t)
	check := func(file string, line int, ids ...string) {
		for _, id := range ids {
			if _, ok := c.lib.Case(id); !ok {
				t.Errorf("%s:%d: no case has the id %q", file, line, id)
			}
		}
	}
	for _, j := range queries {
		check(f.queries, j.line, j.want...)
	}
	for _, j := range held {
		check(f.heldOut, j.line, j.want...)
	}
	for _, p := range pairs {
		check(f.pairs, p.line, p.a, p.b, p.c)
	}
}

// TestJudgedQueriesAreClose fails on a judged query of which the answer says
// that no case is close to it.
func TestJudgedQueriesAreClose(t *testing.T) {
	_, c, queries, _, _ := judgments(t)
	e := &ownEngine{}
	if err := e.build(c); err != nil {
		t.Fatal(err)
	}
	for _, j := range queries {
		r, err := e.app.Search(app.SearchQuery{Text: j.query, Limit: 1})
		if err != nil {
			t.Fatal(err)
		}
		if r.Far {
			t.Errorf("line %d: no case is close to %q", j.line, j.query)
		}
	}
}
