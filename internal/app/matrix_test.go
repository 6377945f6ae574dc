package app_test

import (
	"slices"
	"testing"

	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/library"
)

// open loads the public library from its files.
func open(t *testing.T) *app.App {
	t.Helper()
	return load(t, library.Public, "../../corpus")
}

func TestMatrix(t *testing.T) {
	a := open(t)
	m := a.Matrix("mechanism", "component", 5, 4)
	if len(m.Rows) != 5 || len(m.Cols) != 4 || len(m.Cells) != 5 || len(m.Cells[0]) != 4 {
		t.Fatalf("Matrix has %d rows, %d columns, %d rows of cells", len(m.Rows), len(m.Cols), len(m.Cells))
	}
	for i, r := range m.Rows {
		for j, c := range m.Cols {
			found, err := a.Search(app.SearchQuery{Limit: app.MaxLimit, Filter: app.Filter{
				Terms: map[string][]string{"mechanism": {r.ID}, "component": {c.ID}},
			}})
			if err != nil {
				t.Fatal(err)
			}
			var want []string
			for _, h := range found.Hits {
				want = append(want, h.ID)
			}
			if !slices.Equal(m.Cells[i][j], want) {
				t.Errorf("cell %s × %s = %v, search finds %v", r.ID, c.ID, m.Cells[i][j], want)
			}
		}
	}
}

func TestTopicByAnyName(t *testing.T) {
	a := open(t)
	for _, name := range []string{"retry-storm", "Retry Storm", "retrystorm", "재시도 폭주", "재시도폭주", "mechanism/retry-storm"} {
		topic, err := a.Topic(name)
		if err != nil || topic.Term.ID != "retry-storm" {
			t.Errorf("%q: %v, %v", name, topic, err)
		}
	}
	if _, err := a.Topic("재시도 폭즈"); near(err) != "재시도 폭주" {
		t.Errorf("near %q, want the Korean name", near(err))
	}
}

func TestNear(t *testing.T) {
	a := open(t)
	_, err := a.Case("IL-02122")
	if got, want := near(err), "IL-0212"; app.KindOf(err) != app.NotFound || got != want {
		t.Errorf("Case(IL-02122): %v, near %q, want %q", err, got, want)
	}
	_, err = a.Search(app.SearchQuery{Filter: app.Filter{Terms: map[string][]string{"mechanism": {"retry-strom"}}}})
	if got, want := near(err), "retry-storm"; app.KindOf(err) != app.Invalid || got != want {
		t.Errorf("filter retry-strom: %v, near %q, want %q", err, got, want)
	}
}
