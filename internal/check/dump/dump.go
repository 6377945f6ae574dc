// Package dump reads what the clients of databases, poolers and caches print: lists
// of settings, and files of PgBouncer. It tells by its content what a text is, and
// keeps of it what checks read; passwords are not among that.
package dump

import (
	"bytes"
	"path"
	"strconv"
	"strings"

	"github.com/openprecedent/precedent/internal/check/manifest"
	"github.com/openprecedent/precedent/internal/check/object"
)

// Bounds of what is read.
const (
	maxLines = 20_000
	looked   = 200 // lines that are looked at to tell what a text is
)

// Read returns what a text holds, and reports false for one that is no output of a
// client that it knows. The source is what to call the text: the part of its name
// behind the first dot names the server, as in variables.shop.tsv.
func Read(source string, src []byte) (manifest.Content, bool) {
	if !mayBe(src) {
		return manifest.Content{}, false
	}
	t := &text{source: source, name: serverNamed(source), lines: splitLines(string(src))}
	for _, f := range formats() {
		if f.is(t) {
			return f.read(t), true
		}
	}
	return manifest.Content{}, false
}

// mayBe reports false for manifests and other documents, which are told by the
// beginning of a line near their own.
func mayBe(src []byte) bool {
	head := bytes.TrimLeft(src[:min(len(src), 16<<10)], "\ufeff \t\r\n")
	if len(head) == 0 || head[0] == '{' {
		return false
	}
	for line := range bytes.Lines(head) {
		for _, begin := range []string{"apiVersion:", "kind:", "---\n", "--- "} {
			if bytes.HasPrefix(line, []byte(begin)) {
				return false
			}
		}
	}
	return true
}

// text is a text in lines.
type text struct {
	source string
	name   string // of the server
	lines  []string
}

// format is a kind of output.
type format struct {
	name string
	is   func(t *text) bool
	read func(t *text) manifest.Content
}

// formats returns the kinds of output that are known, those that are told apart
// most surely first.
func formats() []format {
	return []format{
		{"PgBouncer's file of settings", isPgBouncerFile, readPgBouncerFile},
		{"Redis' INFO", isRedisInfo, readRedisInfo},
		{"MySQL's SHOW VARIABLES", tableOf("variable_name", "value"), readTable(object.MySQLSettings)},
		{"PgBouncer's SHOW CONFIG", isPgBouncerConfig, readTable(object.PgBouncerSettings)},
		{"PostgreSQL's SHOW ALL or pg_settings", isPostgresSettings, readTable(object.PostgresSettings)},
		{"PgBouncer's file of users", isUserList, readUserList},
		{"Redis' CONFIG GET *", isRedisConfig, readRedisConfig},
	}
}

func splitLines(src string) []string {
	src = strings.TrimPrefix(src, "\ufeff")
	lines := strings.SplitN(src, "\n", maxLines+1)
	lines = lines[:min(len(lines), maxLines)]
	for i, l := range lines {
		lines[i] = strings.TrimSuffix(l, "\r")
	}
	return lines
}

// serverNamed returns what the name of a file says that it is about.
func serverNamed(source string) string {
	base := path.Base(strings.ReplaceAll(source, `\`, "/"))
	base = strings.TrimSuffix(base, path.Ext(base))
	_, name, _ := strings.Cut(base, ".")
	return name
}

// head returns the first lines.
func (t *text) head() []string { return t.lines[:min(len(t.lines), looked)] }

// object makes an object of settings, which stand in lines.
func (t *text) object(kind string, all map[string]string, lines map[string]int) manifest.Content {
	values, at := object.Settings(kind, all), map[string]int{}
	for name := range values {
		at[name] = lines[name]
	}
	o := &object.Object{
		Source: t.source, Kind: kind, Name: t.name, Fields: object.Tree{"server": t.name, "values": values},
		Locate: func(path string) (int, int) {
			name, _ := strings.CutPrefix(path, "values.")
			return max(at[name], 1), 1
		},
	}
	return manifest.Content{Objects: []*object.Object{o}, Whole: []string{kind}}
}

// table is a table that a client prints: with tabs, with bars, or as CSV.
type table struct {
	rows  [][]string
	lines []int // of the rows, from 1
}

// header returns the names of the columns in small letters.
func (t *table) header() []string {
	if len(t.rows) == 0 {
		return nil
	}
	all := make([]string, len(t.rows[0]))
	for i, name := range t.rows[0] {
		all[i] = strings.ToLower(name)
	}
	return all
}

// parse reads the rows of a table. Lines that are no row are passed over.
func parse(lines []string) *table {
	t := &table{}
	separator := ""
	for i, line := range lines {
		if separator == "" {
			if separator = separatorOf(line); separator == "" {
				continue
			}
		}
		if isRule(line) || !strings.Contains(line, separator) {
			continue
		}
		t.rows = append(t.rows, cells(line, separator))
		t.lines = append(t.lines, i+1)
	}
	return t
}

func separatorOf(line string) string {
	for _, s := range []string{"\t", "|", ","} {
		if strings.Contains(line, s) && !isRule(line) {
			return s
		}
	}
	return ""
}

// isRule reports whether a line only rules a table off.
func isRule(line string) bool { return strings.Trim(line, "+-| =") == "" }

func cells(line, separator string) []string {
	if separator == "|" {
		line = strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(line), "|"), "|")
	}
	var all []string
	for rest, more := line, true; more; {
		var one string
		if separator == "," {
			one, rest, more = quoted(rest)
		} else {
			one, rest, more = strings.Cut(rest, separator)
		}
		all = append(all, strings.TrimSpace(one))
	}
	return all
}

// quoted cuts a cell of CSV off a line.
func quoted(line string) (cell, rest string, more bool) {
	if !strings.HasPrefix(line, `"`) {
		return strings.Cut(line, ",")
	}
	var b strings.Builder
	for i := 1; i < len(line); i++ {
		switch {
		case line[i] != '"':
			b.WriteByte(line[i])
		case i+1 < len(line) && line[i+1] == '"':
			b.WriteByte('"')
			i++
		default:
			_, rest, more = strings.Cut(line[i:], ",")
			return b.String(), rest, more
		}
	}
	return b.String(), "", false
}

// tableOf returns whether a text is a table with these first columns.
func tableOf(columns ...string) func(*text) bool {
	return func(t *text) bool { return hasColumns(parse(t.head()).header(), columns...) }
}

func hasColumns(header []string, columns ...string) bool {
	if len(header) < len(columns) {
		return false
	}
	for i, name := range columns {
		if header[i] != name {
			return false
		}
	}
	return true
}

// isPostgresSettings looks for a table of names and settings, one of them a setting
// that every PostgreSQL has.
func isPostgresSettings(t *text) bool {
	rows := parse(t.head())
	return hasColumns(rows.header(), "name", "setting") && rows.names(object.PostgresSettings)
}

func isPgBouncerConfig(t *text) bool {
	rows := parse(t.head())
	return hasColumns(rows.header(), "key", "value") && rows.names(object.PgBouncerSettings)
}

// names reports whether a row of the table is a setting that is kept of a kind.
func (t *table) names(kind string) bool {
	for _, row := range t.rows {
		if object.KeepsSetting(kind, strings.ToLower(row[0])) {
			return true
		}
	}
	return false
}

// readTable reads a table of names, values and perhaps units.
func readTable(kind string) func(*text) manifest.Content {
	return func(t *text) manifest.Content {
		rows := parse(t.lines)
		unit := -1
		for i, name := range rows.header() {
			if name == "unit" {
				unit = i
			}
		}
		all, lines := map[string]string{}, map[string]int{}
		for i, row := range rows.rows[1:] {
			if len(row) < 2 || row[0] == "" {
				continue
			}
			name := strings.ToLower(row[0])
			all[name], lines[name] = row[1]+unitOf(row, unit), rows.lines[i+1]
		}
		return t.object(kind, all, lines)
	}
}

// unitOf returns the unit of a row's value, if it is one of time. Others, such as
// 8kB, are factors.
func unitOf(row []string, at int) string {
	if at < 0 || at >= len(row) {
		return ""
	}
	if _, err := strconv.ParseFloat(row[1], 64); err != nil {
		return ""
	}
	switch row[at] {
	case "ms", "s", "min":
		return row[at]
	}
	return ""
}
