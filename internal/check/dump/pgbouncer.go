package dump

import (
	"regexp"
	"slices"
	"strings"

	"github.com/openprecedent/precedent/internal/check/manifest"
	"github.com/openprecedent/precedent/internal/check/object"
)

func isPgBouncerFile(t *text) bool {
	return slices.ContainsFunc(t.head(), func(line string) bool { return strings.EqualFold(strings.TrimRight(line, " \t"), "[pgbouncer]") })
}

// readPgBouncerFile reads pgbouncer.ini: its settings, and where its databases are.
// The passwords of databases are left out.
func readPgBouncerFile(t *text) manifest.Content {
	all, lines := map[string]string{}, map[string]int{}
	section := ""
	var databases []*object.Object
	torn := ""
	for i, line := range t.lines {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || line[0] == ';' || line[0] == '#':
			continue
		case line[0] == '[':
			section = strings.ToLower(strings.Trim(line, "[] "))
			continue
		case strings.HasPrefix(line, "%include"):
			torn = "pgbouncer.ini includes another file: give that too"
			continue
		}
		name, value, ok := strings.Cut(line, "=")
		if !ok {
			continue
		}
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		switch section {
		case "pgbouncer":
			all[strings.ToLower(name)], lines[strings.ToLower(name)] = value, i+1
		case "databases":
			databases = append(databases, t.database(name, value, i+1))
		}
	}
	c := t.object(object.PgBouncerSettings, all, lines)
	c.Objects, c.Whole = append(c.Objects, databases...), append(c.Whole, object.PgBouncerDatabase)
	if torn != "" {
		c.Whole, c.Torn = nil, []manifest.Torn{{Kind: object.PgBouncerSettings, Why: torn}, {Kind: object.PgBouncerDatabase, Why: torn}}
	}
	return c
}

// pair is a setting of a database, whose value may stand in quotes.
var pair = regexp.MustCompile(`([a-z_]+)\s*=\s*('(?:[^']|'')*'|\S+)`)

// database reads a line such as shop = host=db.example.com pool_size=20. Of its
// fields only those are kept that no secret can stand in.
func (t *text) database(name, value string, line int) *object.Object {
	fields := object.Tree{"server": t.name, "name": strings.Clone(strings.Trim(name, `"`))}
	for _, m := range pair.FindAllStringSubmatch(value, -1) {
		if slices.Contains([]string{"host", "port", "dbname", "pool_size", "reserve_pool", "max_db_connections", "pool_mode"}, m[1]) {
			fields[strings.Clone(m[1])] = strings.Clone(strings.Trim(m[2], "'"))
		}
	}
	return &object.Object{
		Source: t.source, Kind: object.PgBouncerDatabase, Namespace: t.name, Name: fields.Text("name"), Fields: fields,
		Locate: func(string) (int, int) { return line, 1 },
	}
}

// entry is a line of a file of users: a name and a secret.
var entry = regexp.MustCompile(`^\s*"((?:[^"]|"")*)"\s+"((?:[^"]|"")*)"`)

func isUserList(t *text) bool {
	n := 0
	for _, line := range t.head() {
		if entry.MatchString(line) {
			n++
		} else if l := strings.TrimSpace(line); l != "" && l[0] != ';' && l[0] != '#' {
			return false
		}
	}
	return n > 0
}

// readUserList counts the secrets of userlist.txt by what they are. Neither a
// secret nor the name of a user is kept.
func readUserList(t *text) manifest.Content {
	var md5, scram, plain int64
	for _, line := range t.lines {
		m := entry.FindStringSubmatch(line)
		switch {
		case m == nil || m[2] == "":
		case strings.HasPrefix(m[2], "SCRAM-SHA-256$"):
			scram++
		case len(m[2]) == 35 && strings.HasPrefix(m[2], "md5"):
			md5++
		default:
			plain++
		}
	}
	o := &object.Object{
		Source: t.source, Kind: object.PgBouncerUsers, Name: t.name,
		Fields: object.Tree{"server": t.name, "md5": md5, "scram": scram, "plain": plain},
	}
	return manifest.Content{Objects: []*object.Object{o}, Whole: []string{object.PgBouncerUsers}}
}
