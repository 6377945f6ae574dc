package app

import (
	"cmp"
	"slices"
)

// Matrix tells which cases have a term of one list together with a term of
// another: the map of the library.
type Matrix struct {
	Version int          `json:"wire_version"`
	Rows    []TopicCount `json:"rows" jsonschema:"terms of the first list, most cases first"`
	Cols    []TopicCount `json:"columns" jsonschema:"terms of the second list, most cases first"`
	Cells   [][][]string `json:"cells" jsonschema:"case ids by row and column, newest first"`
}

// Matrix crosses the most frequent terms of two topic lists, at most rows and
// cols of them. A case counts for the terms that it is coded with and for wider
// ones, as everywhere.
func (a *App) Matrix(rowList, colList string, rows, cols int) *Matrix {
	m := &Matrix{Version: WireVersion, Rows: a.frequent(rowList, rows), Cols: a.frequent(colList, cols), Cells: [][][]string{}}
	for _, r := range m.Rows {
		row := make([][]string, len(m.Cols))
		for i, c := range m.Cols {
			row[i] = a.having(rowList, r.ID, colList, c.ID)
		}
		m.Cells = append(m.Cells, row)
	}
	return m
}

// frequent returns the terms of a list that most cases have, at most n.
func (a *App) frequent(list string, n int) []TopicCount {
	all := []TopicCount{}
	for _, id := range a.lib.Vocab.IDs(list) {
		if count := a.terms.count(list, id); count > 0 {
			all = append(all, TopicCount{a.termRef(list, id), count})
		}
	}
	slices.SortStableFunc(all, func(x, y TopicCount) int { return cmp.Compare(y.Cases, x.Cases) })
	return all[:min(max(n, 0), len(all))]
}

// having returns the ids of the cases that have both terms.
func (a *App) having(list1, id1, list2, id2 string) []string {
	ids := []string{}
	for _, e := range a.terms.cases[termKey{list1, id1}] {
		if slices.Contains(a.terms.of[e.ID][list2], id2) {
			ids = append(ids, e.ID)
		}
	}
	return ids
}
