package database

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"

	"github.com/openprecedent/precedent/doc"
	"github.com/openprecedent/precedent/internal/check/object"
)

// startMySQL starts a MariaDB on a socket, and returns its socket and a connection
// of its administrator.
func startMySQL(t *testing.T) (string, *sql.DB) {
	t.Helper()
	install := program(t, "mariadb-server", "mariadb-install-db")
	server := program(t, "mariadb-server", "mariadbd", "/usr/sbin/mariadbd")
	as := unprivileged(t)
	dir := folder(t, as)
	data, socket := filepath.Join(dir, "data"), filepath.Join(dir, "s.sock")
	run(t, as, install, "--no-defaults", "--datadir="+data, "--auth-root-authentication-method=normal", "--skip-test-db")
	out := serve(t, as, server, "--no-defaults", "--datadir="+data, "--socket="+socket, "--skip-networking", "--port=3306", "--log-bin=bin", "--server-id=1",
		"--innodb-flush-log-at-trx-commit=2", "--innodb-buffer-pool-size=32M")
	db, err := sql.Open("mysql", "root@unix("+socket+")/")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	until(t, "MariaDB", func() error {
		if err := db.PingContext(t.Context()); err != nil {
			return fmt.Errorf("%w\n%s", err, out())
		}
		return nil
	})
	return socket, db
}

func do(t *testing.T, db *sql.DB, statements ...string) {
	t.Helper()
	for _, text := range statements {
		if _, err := db.ExecContext(t.Context(), text); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
	}
}

func TestMySQL(t *testing.T) {
	mysql.SetLogger(silent{})
	socket, db := startMySQL(t)
	do(t, db, "DROP USER IF EXISTS ''@'localhost'", "CREATE DATABASE shop", "CREATE TABLE shop.orders (id INT AUTO_INCREMENT PRIMARY KEY, note TEXT)",
		"CREATE TABLE shop.small (id TINYINT UNSIGNED AUTO_INCREMENT PRIMARY KEY)", "INSERT INTO shop.small VALUES (250)",
		"INSERT INTO shop.orders VALUES (2000000000, '"+plantedRow+"')",
		"CREATE USER checker IDENTIFIED BY '"+plantedPassword+"'", "GRANT PROCESS, REFERENCES ON *.* TO checker", "CREATE USER nobody IDENTIFIED BY '"+plantedPassword+"'")
	busy, err := db.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer busy.Close()
	if _, err := busy.ExecContext(t.Context(), "START TRANSACTION WITH CONSISTENT SNAPSHOT"); err != nil {
		t.Fatal(err)
	}
	if _, err := busy.ExecContext(t.Context(), "DO '"+plantedQuery+"'"); err != nil {
		t.Fatal(err)
	}
	as := func(user string) Options {
		env := func(name string) string { return map[string]string{"MYSQL_PWD": plantedPassword}[name] }
		return Options{Address: user + "@unix(" + socket + ")/", Script: doc.CollectMySQL, Env: env}
	}

	t.Run("reads", func(t *testing.T) {
		snap := object.NewSnapshot(time.Now())
		if err := MySQL(t.Context(), snap, as("checker")); err != nil {
			t.Fatal(err)
		}
		wantWhole(t, snap, object.MySQLSettings, object.MySQLSessions, object.MySQLKey, object.MySQLTable)
		if got, want := names(snap, object.MySQLKey), []string{"shop.orders.id", "shop.small.id"}; !slices.Equal(got, want) {
			t.Errorf("keys %q, want %q", got, want)
		}
		keys, _ := snap.Objects(object.MySQLKey)
		for _, k := range keys {
			if k.Fields.Text("table") == "small" && (k.Fields.Whole(0, "last") != 250 || k.Fields.Whole(0, "limit") != 255) {
				t.Errorf("the key of one byte: %v", k.Fields)
			}
		}
		if !slices.Contains(names(snap, object.MySQLTable), "shop.orders") {
			t.Errorf("tables %q", names(snap, object.MySQLTable))
		}
		databases, err := snap.Databases()
		if err != nil || len(databases) != 1 || databases[0].Product != "MariaDB" || databases[0].Number("max_connections", 0) == 0 {
			t.Errorf("servers %v, %v", databases, err)
		}
		if v, _ := databases[0].Setting("innodb_flush_log_at_trx_commit"); v != "2" {
			t.Errorf("innodb_flush_log_at_trx_commit is %q, want 2", v)
		}
		for _, planted := range []string{plantedPassword, plantedRow, plantedQuery} {
			if strings.Contains(everything(t, snap), planted) {
				t.Errorf("the snapshot holds %q", planted)
			}
		}
		until(t, "the connections to close", func() error {
			n := 0
			if err := db.QueryRow("SELECT COUNT(*) FROM information_schema.PROCESSLIST WHERE USER = 'checker'").Scan(&n); err != nil || n > 0 {
				return fmt.Errorf("%d are open: %v", n, err)
			}
			return nil
		})
	})
	t.Run("says what it may not see", func(t *testing.T) {
		snap := object.NewSnapshot(time.Now())
		if err := MySQL(t.Context(), snap, as("nobody")); err != nil {
			t.Fatal(err)
		}
		wantWhole(t, snap, object.MySQLSettings)
		wantMissed(t, snap, object.MySQLSessions, "PROCESS")
		wantMissed(t, snap, object.MySQLTable, "PROCESS")
		wantMissed(t, snap, object.MySQLKey, "grant it REFERENCES")
	})
	t.Run("cannot write", func(t *testing.T) {
		s := mysqlConnected(t, db, 5*time.Second)
		for _, version := range []string{"10.11-MariaDB", ""} { // each with its own bounds
			s.version = version
			refused(t, s, []string{"error in your SQL syntax"}, "INSERT INTO shop.orders (note) VALUES ('x')", "CREATE TABLE shop.more (id INT)", "DELETE FROM shop.orders", "DROP TABLE shop.orders",
				"UPDATE shop.orders SET note = ''", "ALTER TABLE shop.orders ADD more INT", "CREATE DATABASE more", "CREATE USER more")
		}
		// Without what stands around a statement, the transaction refuses at least this.
		tx, err := s.conn.BeginTx(t.Context(), &sql.TxOptions{ReadOnly: true})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := tx.ExecContext(t.Context(), "DELETE FROM shop.orders"); err == nil || !strings.Contains(err.Error(), "READ ONLY transaction") {
			t.Errorf("got %v, want it refused", err)
		}
		tx.Rollback()
		n := 0
		if err := db.QueryRow("SELECT COUNT(*) FROM shop.orders WHERE note = '" + plantedRow + "'").Scan(&n); err != nil || n != 1 {
			t.Errorf("there are %d rows left, want 1: %v", n, err)
		}
	})
	t.Run("ends what takes too long", func(t *testing.T) {
		s := mysqlConnected(t, db, time.Second)
		s.version = "10.11-MariaDB"
		err := within(t, 5*time.Second, func() error {
			_, err := s.ask(t.Context(), "SELECT SLEEP(60) FROM shop.orders")
			return err
		})
		if err == nil || !strings.Contains(err.Error(), "max_statement_time") {
			t.Errorf("got %v, want the server to end it", err)
		}
	})
	t.Run("does not tell the password", func(t *testing.T) {
		opt := as("checker")
		opt.Env = func(string) string { return plantedPassword + "-wrong" }
		err := MySQL(t.Context(), object.NewSnapshot(time.Now()), opt)
		if err == nil || strings.Contains(err.Error(), plantedPassword) || !strings.Contains(err.Error(), "Access denied") {
			t.Errorf("got %v", err)
		}
	})
	t.Run("survives a server that stalls", func(t *testing.T) {
		opt := as("checker")
		opt.Address, opt.Wait = "mysql://checker@"+stallsAt(t, socket, "MySQL/Key")+"?tls=false", time.Second
		snap := object.NewSnapshot(time.Now())
		if err := within(t, 10*time.Second, func() error { return MySQL(t.Context(), snap, opt) }); err != nil {
			t.Fatal(err)
		}
		wantWhole(t, snap, object.MySQLSettings, object.MySQLSessions)
		wantMissed(t, snap, object.MySQLKey, "no answer within 1s")
		wantMissed(t, snap, object.MySQLTable, "")
	})
}

func mysqlConnected(t *testing.T, db *sql.DB, wait time.Duration) *mysqlSession {
	t.Helper()
	conn, err := db.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return &mysqlSession{conn: conn, wait: wait}
}

func TestMySQLUnreachable(t *testing.T) {
	opt := Options{Address: "mysql://checker@" + stalled(t), Script: doc.CollectMySQL, Wait: 300 * time.Millisecond}
	err := within(t, 5*time.Second, func() error { return MySQL(t.Context(), object.NewSnapshot(time.Now()), opt) })
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v, want that there was no answer", err)
	}
}

func TestMySQLAddresses(t *testing.T) {
	for address, want := range map[string]string{
		"mysql://checker:" + plantedPassword + "@db.example.com": ErrSecret.Error(),
		"checker:" + plantedPassword + "@tcp(db.example.com)/":   ErrSecret.Error(),
		"checker:" + plantedPassword + "@tcp(db.example.com":     "cannot be read",
		"https://checker:" + plantedPassword + "@db.example.com": "cannot be read",
		"env:NOTHING":                     "not set",
		"mysql://checker@db.example.com":  "",
		"checker@unix(/run/mysqld.sock)/": "",
	} {
		config, err := mysqlConfig(Options{Address: address, Env: func(string) string { return "" }})
		switch {
		case want == "" && err != nil:
			t.Errorf("%q: %v", address, err)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("%q: got %v, want %q", address, err, want)
		case err != nil && strings.Contains(err.Error(), plantedPassword):
			t.Errorf("%q: the error tells the password: %v", address, err)
		case err == nil && config.Net == "tcp" && config.TLSConfig != "preferred":
			t.Errorf("%q: TLS is %q, want it preferred", address, config.TLSConfig)
		}
	}
}

func TestClientSection(t *testing.T) {
	home := t.TempDir()
	text := "[mysqld]\npassword=other\n[client]\nuser = checker\npassword = \"" + plantedPassword + "\"\n[mysqldump]\nuser=dumper\n"
	if err := os.WriteFile(filepath.Join(home, ".my.cnf"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	config, err := mysqlConfig(Options{Address: "mysql://db.example.com", Home: home, Env: func(string) string { return "" }})
	if err != nil || config.User != "checker" || config.Passwd != plantedPassword {
		t.Errorf("got %q, %v", config.User, err)
	}
}

// TestScriptsOnlyAsk holds the scripts to statements that ask, with a kind each, and
// all kinds to a statement.
func TestScriptsOnlyAsk(t *testing.T) {
	for name, of := range map[string]struct {
		script string
		kinds  []string
	}{
		"postgres": {doc.CollectPostgres, []string{object.PostgresSettings, object.PostgresSessions, object.PostgresDatabase, object.PostgresKey, object.PostgresTable}},
		"mysql":    {doc.CollectMySQL, []string{object.MySQLSettings, object.MySQLSessions, object.MySQLKey, object.MySQLTable}},
	} {
		var kinds []string
		for _, s := range statements(of.script) {
			if !slices.Contains(kinds, s.kind) {
				kinds = append(kinds, s.kind)
			}
			for _, word := range []string{"query ", "INFO ", "INSERT INTO", "rolpassword", "authentication_string"} {
				if strings.Contains(s.text, word) {
					t.Errorf("%s: the statement of %s names %q", name, s.kind, word)
				}
			}
		}
		if !slices.Equal(kinds, of.kinds) {
			t.Errorf("%s reads %q, want %q", name, kinds, of.kinds)
		}
		if n := strings.Count(of.script, "'precedent', '"); n < len(of.kinds) {
			t.Errorf("%s: %d kinds are named", name, n)
		}
	}
}
