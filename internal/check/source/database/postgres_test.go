package database

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/openprecedent/precedent/doc"
	"github.com/openprecedent/precedent/internal/check/object"
)

// Secrets that must never come out.
const (
	plantedPassword = "planted-password-9f3a"
	plantedRow      = "planted-row-7c41"
	plantedQuery    = "planted-query-b2d8"
)

// startPostgres starts a server on a socket, and returns the folder of it.
func startPostgres(t *testing.T) string {
	t.Helper()
	initdb := program(t, "postgresql", "initdb", "/usr/lib/postgresql/*/bin/initdb")
	server := program(t, "postgresql", "postgres", "/usr/lib/postgresql/*/bin/postgres")
	as := unprivileged(t)
	dir := folder(t, as)
	data := filepath.Join(dir, "data")
	run(t, as, initdb, "-D", data, "-A", "trust", "-U", "postgres", "--no-sync", "--locale=C", "-E", "UTF8")
	hba := "local all locked scram-sha-256\nlocal all all trust\n"
	if err := os.WriteFile(filepath.Join(data, "pg_hba.conf"), []byte(hba), 0o600); err != nil {
		t.Fatal(err)
	}
	out := serve(t, as, server, "-D", data, "-k", dir, "-p", "5432", "-c", "listen_addresses=", "-c", "fsync=off", "-c", "autovacuum=off")
	until(t, "PostgreSQL", func() error {
		conn, err := pgconn.Connect(t.Context(), postgresAddress(dir, "postgres", "postgres"))
		if err != nil {
			return fmt.Errorf("%w\n%s", err, out())
		}
		return conn.Close(t.Context())
	})
	return dir
}

func postgresAddress(dir, user, database string) string {
	return fmt.Sprintf("postgres://%s@/%s?host=%s&port=5432", user, database, dir)
}

// execute runs statements as the administrator.
func execute(t *testing.T, dir, database string, statements ...string) []string {
	t.Helper()
	conn, err := pgconn.Connect(t.Context(), postgresAddress(dir, "postgres", database))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	s := &postgresSession{conn, 10 * time.Second}
	var rows []string
	for _, text := range statements {
		if rows, err = s.rows(t.Context(), text); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
	}
	return rows
}

func TestPostgres(t *testing.T) {
	dir := startPostgres(t)
	execute(t, dir, "postgres",
		"CREATE DATABASE shop", "CREATE DATABASE closed", "REVOKE CONNECT ON DATABASE closed FROM PUBLIC",
		"CREATE ROLE checker LOGIN", "GRANT pg_monitor TO checker", "CREATE ROLE nobody LOGIN",
		"CREATE ROLE locked LOGIN PASSWORD '"+plantedPassword+"'")
	execute(t, dir, "shop",
		"CREATE TABLE orders (id serial PRIMARY KEY, note text)", "INSERT INTO orders (note) VALUES ('"+plantedRow+"')",
		"SELECT setval('orders_id_seq', 2000000000)", "CREATE TABLE hidden (id serial PRIMARY KEY)", "INSERT INTO hidden DEFAULT VALUES",
		"GRANT SELECT ON orders_id_seq TO checker")
	busy, err := pgconn.Connect(t.Context(), postgresAddress(dir, "postgres", "shop"))
	if err != nil {
		t.Fatal(err)
	}
	defer busy.Close(context.Background())
	if _, err := busy.Exec(t.Context(), "BEGIN; SELECT '"+plantedQuery+"'").ReadAll(); err != nil {
		t.Fatal(err)
	}

	t.Run("reads", func(t *testing.T) {
		snap := object.NewSnapshot(time.Now())
		opt := Options{Address: postgresAddress(dir, "postgres", "postgres"), Script: doc.CollectPostgres}
		if err := Postgres(t.Context(), snap, opt); err != nil {
			t.Fatal(err)
		}
		wantWhole(t, snap, object.PostgresSettings, object.PostgresSessions, object.PostgresDatabase, object.PostgresKey, object.PostgresTable)
		if got, want := names(snap, object.PostgresKey), []string{"shop.public.hidden.id", "shop.public.orders.id"}; !slices.Equal(got, want) {
			t.Errorf("keys %q, want %q", got, want)
		}
		if got := names(snap, object.PostgresDatabase); !slices.Contains(got, "template0") || !slices.Contains(got, "closed") {
			t.Errorf("databases %q", got)
		}
		databases, err := snap.Databases()
		if err != nil || len(databases) != 1 || databases[0].Number("max_connections", 0) != 100 || databases[0].Reserved() < 3 {
			t.Errorf("servers %v, %v", databases, err)
		}
		sessions, _ := snap.Objects(object.PostgresSessions)
		if len(sessions) != 1 || sessions[0].Fields.Whole(0, "idle_in_transaction") != 1 {
			t.Errorf("sessions %v", sessions)
		}
		for _, planted := range []string{plantedPassword, plantedRow, plantedQuery} {
			if strings.Contains(everything(t, snap), planted) {
				t.Errorf("the snapshot holds %q", planted)
			}
		}
		until(t, "the connections to close", func() error {
			if rows := execute(t, dir, "postgres", "SELECT count(*) FROM pg_stat_activity WHERE application_name LIKE 'precedent%'"); rows[0] != "0" {
				return fmt.Errorf("%s are open", rows[0])
			}
			return nil
		})
	})
	t.Run("says what it may not see", func(t *testing.T) {
		snap := object.NewSnapshot(time.Now())
		if err := Postgres(t.Context(), snap, Options{Address: postgresAddress(dir, "checker", "shop"), Script: doc.CollectPostgres}); err != nil {
			t.Fatal(err)
		}
		wantWhole(t, snap, object.PostgresSettings, object.PostgresSessions, object.PostgresDatabase)
		wantMissed(t, snap, object.PostgresKey, "sequences")
		wantMissed(t, snap, object.PostgresTable, `the database "closed"`)

		snap = object.NewSnapshot(time.Now())
		if err := Postgres(t.Context(), snap, Options{Address: postgresAddress(dir, "nobody", "shop"), Script: doc.CollectPostgres}); err != nil {
			t.Fatal(err)
		}
		wantMissed(t, snap, object.PostgresSessions, "pg_monitor")
	})
	t.Run("cannot write", func(t *testing.T) {
		s := connected(t, dir, 5*time.Second)
		refused(t, s, []string{"read-only transaction"}, "INSERT INTO orders (note) VALUES ('x')", "CREATE TABLE more ()", "WITH x AS (DELETE FROM orders RETURNING id) SELECT id FROM x",
			"SELECT setval('orders_id_seq', 1)", "UPDATE orders SET note = ''", "DROP TABLE orders", "COPY orders FROM '/dev/null'")
		if rows := execute(t, dir, "shop", "SELECT count(*) FROM orders WHERE note = '"+plantedRow+"'"); rows[0] != "1" {
			t.Errorf("there are %s rows left, want 1", rows[0])
		}
	})
	t.Run("ends what takes too long", func(t *testing.T) {
		s := connected(t, dir, time.Second)
		err := within(t, 5*time.Second, func() error {
			_, err := s.ask(t.Context(), "SELECT pg_sleep(60)")
			return err
		})
		if err == nil || !strings.Contains(err.Error(), "statement timeout") {
			t.Errorf("got %v, want the server to end it", err)
		}
		if rows, err := s.ask(t.Context(), "SELECT current_setting('statement_timeout')"); err != nil || rows[0] == "0" {
			t.Errorf("the timeout is %q, %v", rows, err)
		}
		if rows, err := s.rows(t.Context(), "SELECT current_setting('statement_timeout'), current_setting('transaction_read_only')"); err != nil || rows[0] != "0" {
			t.Errorf("the session keeps the timeout %q, %v", rows, err)
		}
	})
	t.Run("does not tell the password", func(t *testing.T) {
		env := func(string) string {
			return fmt.Sprintf("postgres://locked:%s-wrong@/shop?host=%s&port=5432", plantedPassword, dir)
		}
		err := Postgres(t.Context(), object.NewSnapshot(time.Now()), Options{Address: "env:DB", Env: env, Script: doc.CollectPostgres})
		if err == nil || strings.Contains(err.Error(), plantedPassword) || !strings.Contains(err.Error(), "authentication failed") {
			t.Errorf("got %v", err)
		}
		right := func(string) string { return strings.Replace(env(""), "-wrong", "", 1) }
		snap := object.NewSnapshot(time.Now())
		if err := Postgres(t.Context(), snap, Options{Address: "env:DB", Env: right, Script: doc.CollectPostgres}); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(everything(t, snap), plantedPassword) {
			t.Error("the snapshot holds the password")
		}
	})
	t.Run("survives a server that stalls", func(t *testing.T) {
		address := stallsAt(t, filepath.Join(dir, ".s.PGSQL.5432"), "PostgreSQL/Database")
		snap := object.NewSnapshot(time.Now())
		err := within(t, 10*time.Second, func() error {
			return Postgres(t.Context(), snap, Options{Address: "postgres://postgres@" + address + "/shop?sslmode=disable", Script: doc.CollectPostgres, Wait: time.Second})
		})
		if err != nil {
			t.Fatal(err)
		}
		wantWhole(t, snap, object.PostgresSettings, object.PostgresSessions)
		wantMissed(t, snap, object.PostgresDatabase, "no answer within 1s")
		for _, kind := range []string{object.PostgresKey, object.PostgresTable} {
			wantMissed(t, snap, kind, "")
		}
	})
}

// connected returns a session over which a test tries what must not be done.
func connected(t *testing.T, dir string, wait time.Duration) *postgresSession {
	t.Helper()
	config, err := postgresConfig(Options{Address: postgresAddress(dir, "postgres", "shop")})
	if err != nil {
		t.Fatal(err)
	}
	r := &reader{name: "test", wait: wait}
	s, err := r.connectPostgres(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.close(context.Background()) })
	return s
}

func TestPostgresUnreachable(t *testing.T) {
	address := "postgres://checker@" + stalled(t) + "/shop?sslmode=disable"
	err := within(t, 5*time.Second, func() error {
		return Postgres(t.Context(), object.NewSnapshot(time.Now()), Options{Address: address, Script: doc.CollectPostgres, Wait: 300 * time.Millisecond})
	})
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v, want that there was no answer", err)
	}
}

func TestPostgresAddresses(t *testing.T) {
	for address, want := range map[string]string{
		"postgres://checker:" + plantedPassword + "@db.example.com/shop":     ErrSecret.Error(),
		"postgres://db.example.com/shop?password=" + plantedPassword:         ErrSecret.Error(),
		"host=db.example.com password=" + plantedPassword:                    ErrSecret.Error(),
		"host=db.example.com Password = '" + plantedPassword + "'":           ErrSecret.Error(),
		"postgres://checker:" + plantedPassword + "@db.example.com:%zz/shop": ErrSecret.Error(),
		"postgres://checker@db.example.com/shop?sslmode=sideways":            "cannot be read",
		"env:NOTHING":                            "not set",
		"postgres://checker@db.example.com/shop": "",
		"host=db.example.com user=checker dbname=shop application_name=nopassword=1": "",
	} {
		_, err := postgresConfig(Options{Address: address, Env: func(string) string { return "" }})
		switch {
		case want == "" && err != nil:
			t.Errorf("%q: %v", address, err)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("%q: got %v, want %q", address, err, want)
		case err != nil && strings.Contains(err.Error(), plantedPassword):
			t.Errorf("%q: the error tells the password: %v", address, err)
		}
	}
}
