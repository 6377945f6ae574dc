package manifest

import (
	"strings"

	"github.com/openprecedent/precedent/internal/check/object"
)

// said is the field in which a line of the collecting scripts says what it holds:
// one of the kinds of [object.DatabaseKinds].
const said = "precedent"

// databaseFields are the fields of objects that are kept, by kind, beside server
// and values. Others are forgotten.
func databaseFields(kind string) (names []string, known bool) {
	switch kind {
	case object.MySQLSettings, object.PgBouncerSettings, object.RedisSettings, object.RedisInfo:
		return nil, true
	case object.PostgresSettings:
		return []string{"standby"}, true
	case object.PostgresSessions:
		return []string{"connections", "idle_in_transaction", "oldest_transaction", "oldest_idle_in_transaction"}, true
	case object.PostgresDatabase:
		return []string{"name", "xid_age", "connectable"}, true
	case object.PostgresKey, object.MySQLKey:
		return []string{"database", "table", "column", "type", "last", "limit"}, true
	case object.PostgresTable, object.MySQLTable:
		return []string{"database", "table", "bytes", "limit", "toast_values"}, true
	case object.MySQLSessions:
		return []string{"connections", "peak", "oldest_transaction", "replicas"}, true
	case object.PgBouncerUsers:
		return []string{"md5", "scram", "plain"}, true
	case object.PgBouncerDatabase:
		return []string{"name", "host", "port", "dbname", "pool_size", "reserve_pool", "max_db_connections", "pool_mode"}, true
	}
	return nil, false
}

// Database returns what a line of a collecting script holds: an object, or the
// mark that all objects of a kind were read, or why not all. Source names where it
// was read, for a line that a server has just sent.
func Database(source string, t object.Tree) (Content, bool) {
	return Document{Source: source, Line: 1}.database(t)
}

func (d Document) database(t object.Tree) (Content, bool) {
	kind := t.Text(said)
	names, known := databaseFields(kind)
	if !known {
		return Content{}, false
	}
	if read, is := t["read"].(string); is {
		if read == "all" {
			return Content{Whole: []string{kind}, Part: part(kind, t)}, true
		}
		return Content{Torn: []Torn{{kind, read}}, Part: part(kind, t)}, true
	}
	fields := object.Tree{"server": t.Text("server")}
	for _, name := range names {
		if v, has := t[name]; has && single(v) {
			fields[name] = v
		}
	}
	if _, ok := t["values"].(map[string]any); ok {
		fields["values"] = object.Settings(kind, t.Texts("values"))
	}
	o := &object.Object{Source: d.Source, Kind: kind, Name: t.Text("server"), Fields: fields}
	if name := named(kind, t); name != "" {
		o.Namespace, o.Name = o.Name, name
	}
	if d.src != nil {
		o.Locate = d.locate("")
	}
	return Content{Objects: []*object.Object{o}}, true
}

// single reports whether a value is one value.
func single(v any) bool {
	switch v.(type) {
	case string, bool, int64, float64:
		return true
	}
	return false
}

// part returns which part of a kind was read, for those that are read database by
// database.
func part(kind string, t object.Tree) *object.Part {
	if kind != object.PostgresKey && kind != object.PostgresTable {
		return nil
	}
	return &object.Part{Kind: kind, Server: t.Text("server"), Database: t.Text("database")}
}

// named returns the name of an object within its server, empty for what is one a
// server.
func named(kind string, t object.Tree) string {
	switch {
	case strings.HasSuffix(kind, "/Database"):
		return t.Text("name")
	case strings.HasSuffix(kind, "/Key"):
		return join(t.Text("database"), t.Text("table"), t.Text("column"))
	case strings.HasSuffix(kind, "/Table"):
		return join(t.Text("database"), t.Text("table"))
	}
	return ""
}

func join(names ...string) string {
	var all []string
	for _, n := range names {
		if n != "" {
			all = append(all, n)
		}
	}
	return strings.Join(all, ".")
}

// redis returns the settings of a Redis that redis-cli --json has printed. All that
// is not kept is overwritten in the source: passwords are among it.
func (d Document) redis(t object.Tree) (Content, bool) {
	if t["maxmemory"] == nil || t["maxmemory-policy"] == nil {
		return Content{}, false
	}
	all := t.Texts()
	for name, value := range all {
		if !object.KeepsSetting(object.RedisSettings, name) {
			d.wipe(value)
		}
	}
	fields := object.Tree{"server": d.named(), "values": object.Settings(object.RedisSettings, all)}
	o := &object.Object{Source: d.Source, Kind: object.RedisSettings, Name: d.named(), Fields: fields}
	return Content{Objects: []*object.Object{o}, Whole: []string{object.RedisSettings}}, true
}
