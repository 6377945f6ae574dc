package main

import (
	"testing"
)

// judgments reads the corpus with its judged queries and pairs.
func judgments(t *testing.T) (files, *corpus, []judgment, []pair) {
	t.Helper()
	f := under("..")
	c, err := loadCorpus(f.corpus)
	if err != nil {
		t.Fatal(err)
	}
	queries, err := readQueries(f.queries)
	if err != nil {
		t.Fatal(err)
	}
	pairs, err := readPairs(f.pairs)
	if err != nil {
		t.Fatal(err)
	}
	return f, c, queries, pairs
}

// TestQuality compares our engine on the judged queries with the baseline.
func TestQuality(t *testing.T) {
	f, c, queries, pairs := judgments(t)
	o, err := judgeEngine(contenders()[0], c, queries)
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
	for _, r := range base.regressions(o, right) {
		t.Error(r)
	}
	if t.Failed() {
		for _, m := range append(o.missed, wrong...) {
			t.Log(m)
		}
	}
}

// TestJudgmentsNameCases fails on an id that no case has.
func TestJudgmentsNameCases(t *testing.T) {
	_, c, queries, pairs := judgments(t)
	check := func(line int, ids ...string) {
		for _, id := range ids {
			if _, ok := c.lib.Case(id); !ok {
				t.Errorf("line %d: no case has the id %q", line, id)
			}
		}
	}
	for _, j := range queries {
		check(j.line, j.want...)
	}
	for _, p := range pairs {
		check(p.line, p.a, p.b, p.c)
	}
}
