package main

import (
	"database/sql"
	"fmt"
	"slices"
	"strings"

	_ "modernc.org/sqlite" // the driver

	"github.com/openprecedent/precedent/internal/library/search"
)

// ftsEngine is FTS5 of SQLite: as it comes, with the unicode61 tokenizer and
// any of the words, or as well as we could make it, with pairs of syllables
// made here, stems, prefixes, weights by column, and all words before any.
type ftsEngine struct {
	best bool
	db   *sql.DB
}

// columns are the names of the fields, in a fixed order.
func columns() []string {
	var names []string
	for name := range weights {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// columnsOf joins the fields of a document by name.
func columnsOf(d search.Document) map[string]string {
	texts := map[string][]string{}
	for _, f := range d.Fields {
		texts[f.Name] = append(texts[f.Name], f.Text)
	}
	out := map[string]string{}
	for name, list := range texts {
		out[name] = strings.Join(list, "\n")
	}
	return out
}

func (e *ftsEngine) build(c *corpus) (err error) {
	if e.db, err = sql.Open("sqlite", ":memory:"); err != nil {
		return err
	}
	e.db.SetMaxOpenConns(1)
	names := columns()
	tokenizer := "unicode61"
	options := ""
	if e.best {
		tokenizer, options = "porter unicode61", ", prefix='2 3'"
	}
	_, err = e.db.Exec(fmt.Sprintf("create virtual table docs using fts5(id unindexed, %s, tokenize='%s'%s)",
		strings.Join(names, ", "), tokenizer, options))
	if err != nil {
		return err
	}
	tx, err := e.db.Begin()
	if err != nil {
		return err
	}
	insert, err := tx.Prepare("insert into docs values (?" + strings.Repeat(", ?", len(names)) + ")")
	if err != nil {
		return err
	}
	for _, d := range c.docs {
		texts := columnsOf(d)
		row := []any{d.ID}
		for _, name := range names {
			text := texts[name]
			if e.best {
				text = strings.Join(bigrams(text), " ")
			}
			row = append(row, text)
		}
		if _, err := insert.Exec(row...); err != nil {
			return err
		}
	}
	return tx.Commit()
}

func (e *ftsEngine) search(text string, limit int) ([]string, error) {
	if !e.best {
		return e.match(quoted(strings.Fields(text), " OR ", false), limit)
	}
	words := bigrams(text)
	ids, err := e.match(quoted(words, " AND ", true), limit)
	if err != nil || len(ids) >= limit {
		return ids, err
	}
	more, err := e.match(quoted(words, " OR ", true), limit)
	for _, id := range more {
		if len(ids) < limit && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids, err
}

// quoted joins words for a match expression; with prefix, Latin words of
// three letters or more also match longer ones.
func quoted(words []string, join string, prefix bool) string {
	var parts []string
	for _, w := range words {
		p := `"` + strings.ReplaceAll(w, `"`, `""`) + `"`
		if prefix && len(w) >= 3 && w[0] < 0x80 {
			p += "*"
		}
		parts = append(parts, p)
	}
	return strings.Join(parts, join)
}

func (e *ftsEngine) match(expression string, limit int) ([]string, error) {
	if expression == "" {
		return nil, nil
	}
	rank := "rank"
	if e.best {
		rank = "bm25(docs, 0"
		for _, name := range columns() {
			rank += fmt.Sprintf(", %g", weights[name])
		}
		rank += ")"
	}
	rows, err := e.db.Query("select id from docs where docs match ? order by "+rank+" limit ?",
		expression, limit)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var ids []string
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, rows.Err()
}

func (e *ftsEngine) close() error { return e.db.Close() }
