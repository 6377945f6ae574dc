package manifest

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/openprecedent/precedent/internal/check/object"
)

// read reads a stream into a new snapshot.
func readAll(t *testing.T, src string) *object.Snapshot {
	t.Helper()
	documents, problems := Read("saved.json", []byte(src))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	snap := object.NewSnapshot(time.Now())
	for _, d := range documents {
		c, ok := d.Content()
		if !ok {
			t.Fatalf("line %d: not read", d.Line)
		}
		c.AddTo(snap)
	}
	return snap
}

func TestDatabase(t *testing.T) {
	const shop = `{"precedent": "PostgreSQL/Database", "server": "db:5432", "name": "shop", "xid_age": 9, "connectable": true}` + "\n" +
		`{"precedent": "PostgreSQL/Database", "read": "all"}` + "\n" +
		`{"precedent": "PostgreSQL/Key", "server": "db:5432", "database": "shop", "table": "public.orders", "column": "id", "type": "integer", "last": 7, "limit": 2147483647, "row": "secret", "nested": {"a": "secret"}}` + "\n" +
		`{"precedent": "PostgreSQL/Key", "server": "db:5432", "database": "shop", "read": "all"}` + "\n"
	snap := readAll(t, shop)
	keys, err := snap.Objects(object.PostgresKey)
	if err != nil || len(keys) != 1 {
		t.Fatalf("got %v, %v", keys, err)
	}
	if got, want := keys[0].ID(), "PostgreSQL/Key db:5432/shop.public.orders.id"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if strings.Contains(fmt.Sprint(keys[0].Fields), "secret") {
		t.Errorf("keeps what it does not know: %v", keys[0].Fields)
	}
	if line, _ := keys[0].Place("last"); line != 3 {
		t.Errorf("last on line %d, want 3", line)
	}

	other := `{"precedent": "PostgreSQL/Database", "server": "db:5432", "name": "other", "xid_age": 9, "connectable": true}` + "\n"
	snap = readAll(t, shop+other)
	if err := snap.Whole(object.PostgresKey); err == nil || !strings.Contains(err.Error(), `"other"`) {
		t.Errorf("got %v, want that a database was not read", err)
	}
	if gaps := snap.Gaps(); len(gaps) != 1 || gaps[0].Kind != object.PostgresKey {
		t.Errorf("gaps %v", gaps)
	}

	snap = readAll(t, shop+`{"precedent": "PostgreSQL/Sessions", "server": "db:5432", "read": "grant it pg_monitor"}`)
	if err := snap.Whole(object.PostgresSessions); err == nil || !strings.Contains(err.Error(), "pg_monitor") {
		t.Errorf("got %v, want the reason", err)
	}
}

func TestDatabaseSettings(t *testing.T) {
	snap := readAll(t, `{"precedent": "MySQL/Settings", "server": "db:3306", "values": {"max_connections": "151", "report_password": "secret", "wait_timeout": 28800}}`)
	all, err := snap.Databases()
	if err != nil || len(all) != 1 {
		t.Fatalf("got %v, %v", all, err)
	}
	if got, want := fmt.Sprint(all[0].Fields.At("values")), "map[max_connections:151]"; got != want {
		t.Errorf("values %s, want %s", got, want)
	}
	for host, want := range map[string]string{"db": "db:3306", "": "db:3306", "elsewhere": "db:3306"} {
		if one, err := snap.DatabaseOf(host); err != nil || one.Name != want {
			t.Errorf("%q: got %v, %v", host, one, err)
		}
	}
	if _, err := object.NewSnapshot(time.Now()).Databases(); err == nil {
		t.Error("an empty snapshot tells all servers")
	}
}
