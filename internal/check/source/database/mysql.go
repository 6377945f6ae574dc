package database

import (
	"bufio"
	"context"
	"database/sql"
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/go-sql-driver/mysql"

	"github.com/openprecedent/precedent/internal/check/object"
)

// MySQL reads a server of MySQL or MariaDB. What cannot be read is missing from the
// snapshot, with the reason; the error is that of a server that cannot be reached.
func MySQL(ctx context.Context, snap *object.Snapshot, opt Options) error {
	config, err := mysqlConfig(opt)
	if err != nil {
		return err
	}
	r := &reader{snap: snap, name: config.Addr, wait: opt.patience(), secret: config.Passwd}
	r.source = "MySQL " + r.name
	config.Timeout = r.wait
	config.ReadTimeout, config.WriteTimeout = 2*r.wait, 2*r.wait // behind those of the contexts, which say more
	connector, err := mysql.NewConnector(config)
	if err != nil {
		return r.failed("preparing to connect to", err)
	}
	db := sql.OpenDB(connector)
	defer db.Close()
	within, cancel := context.WithTimeout(ctx, r.wait)
	defer cancel()
	conn, err := db.Conn(within)
	if within.Err() != nil && err != nil {
		err = within.Err()
	}
	if err != nil {
		return r.failed("connecting to", err)
	}
	s := &mysqlSession{conn: conn, wait: r.wait}
	defer s.close(ctx)
	if err := s.conn.QueryRowContext(within, "SELECT @@version").Scan(&s.version); err != nil {
		return r.failed("asking for the version of", err)
	}
	product := "MySQL"
	if s.maria() {
		product = "MariaDB"
	}
	var all []statement
	for _, one := range statements(opt.Script) {
		if one.only == "" || one.only == product {
			all = append(all, one)
		}
	}
	return r.read(ctx, s, all)
}

// mysqlConfig reads an address, and what it does not say from where the clients of
// MySQL look: MYSQL_PWD and the section client of .my.cnf.
func mysqlConfig(opt Options) (*mysql.Config, error) {
	text, hidden, err := opt.address()
	if err != nil {
		return nil, err
	}
	given, err := mysqlAddress(text)
	if err != nil {
		return nil, err
	}
	if given.Passwd != "" && !hidden {
		return nil, ErrSecret
	}
	client := clientSection(opt.Home)
	if given.User == "" {
		given.User = client["user"]
	}
	if given.Passwd == "" {
		given.Passwd = opt.env("MYSQL_PWD")
	}
	if given.Passwd == "" {
		given.Passwd = client["password"]
	}
	config := mysql.NewConfig() // only what is known to be harmless is taken over
	config.User, config.Passwd, config.Net, config.Addr = given.User, given.Passwd, given.Net, given.Addr
	config.TLSConfig = given.TLSConfig
	if config.TLSConfig == "" && config.Net == "tcp" {
		config.TLSConfig = "preferred"
	}
	config.Logger = silent{}
	return config, nil
}

// mysqlAddress reads mysql://user@host:3306, or what the Go driver calls a DSN, such
// as user@unix(/run/mysqld/mysqld.sock)/.
func mysqlAddress(text string) (*mysql.Config, error) {
	unreadable := fmt.Errorf("the address cannot be read: write it as mysql://user@host:3306, or as user@unix(/run/mysqld/mysqld.sock)/")
	if !strings.Contains(text, "://") {
		config, err := mysql.ParseDSN(text)
		if err != nil {
			return nil, unreadable
		}
		return config, nil
	}
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || u.Scheme != "mysql" && u.Scheme != "mariadb" {
		return nil, unreadable
	}
	config := mysql.NewConfig()
	config.User, config.Net, config.Addr = u.User.Username(), "tcp", u.Host
	config.Passwd, _ = u.User.Password()
	if u.Port() == "" {
		config.Addr = net.JoinHostPort(u.Hostname(), "3306")
	}
	config.TLSConfig = u.Query().Get("tls")
	return config, nil
}

// clientSection reads the section client of .my.cnf in a folder; of a file that is
// not there it is empty.
func clientSection(home string) map[string]string {
	found := map[string]string{}
	if home == "" {
		return found
	}
	f, err := os.Open(filepath.Join(home, ".my.cnf"))
	if err != nil {
		return found
	}
	defer f.Close()
	section := ""
	for lines := bufio.NewScanner(f); lines.Scan(); {
		line := strings.TrimSpace(lines.Text())
		if name, ok := strings.CutPrefix(line, "["); ok {
			section = strings.TrimSuffix(name, "]")
		}
		if name, value, ok := strings.Cut(line, "="); ok && section == "client" {
			found[strings.TrimSpace(name)] = strings.Trim(strings.TrimSpace(value), `"'`)
		}
	}
	return found
}

// silent keeps the driver from writing to the standard error.
type silent struct{}

// Print implements [mysql.Logger].
func (silent) Print(...any) {}

// mysqlSession is a connection to a server.
type mysqlSession struct {
	conn    *sql.Conn
	wait    time.Duration
	version string
}

func (s *mysqlSession) maria() bool { return strings.Contains(s.version, "MariaDB") }

// ask implements [session]. Its bounds belong to the statement, so that a proxy
// that lends the connection to others lends it as it was. MariaDB lets a transaction
// that may only read create and drop tables; what stands in the place of a table can
// be a question only, and anything else is refused before it runs.
func (s *mysqlSession) ask(ctx context.Context, text string) ([]string, error) {
	tx, err := s.conn.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return nil, err
	}
	defer tx.Rollback() // there is nothing to keep
	if s.maria() {
		text = fmt.Sprintf("SET STATEMENT max_statement_time = %.3f, lock_wait_timeout = 1 FOR SELECT * FROM (%s\n) AS asked", s.wait.Seconds()/2, text)
	} else {
		text = fmt.Sprintf("SELECT /*+ MAX_EXECUTION_TIME(%d) */ * FROM (%s\n) AS asked", s.wait.Milliseconds()/2, text)
	}
	rows, err := tx.QueryContext(ctx, text)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []string
	for rows.Next() {
		var row sql.NullString
		if err := rows.Scan(&row); err != nil {
			return nil, err
		}
		if len(all) < maxRows {
			all = append(all, row.String)
		}
	}
	return all, rows.Err()
}

func (s *mysqlSession) close(context.Context) { s.conn.Close() }
