package database

import (
	"context"
	"fmt"
	"net"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/openprecedent/precedent/internal/check/object"
)

// Postgres reads a PostgreSQL server: the databases that the account may connect
// to, one after the other. What cannot be read is missing from the snapshot, with
// the reason; the error is that of a server that cannot be reached at all.
func Postgres(ctx context.Context, snap *object.Snapshot, opt Options) error {
	config, err := postgresConfig(opt)
	if err != nil {
		return err
	}
	r := &reader{snap: snap, name: serverName(config.Host, config.Port), wait: opt.patience(), secret: config.Password}
	r.source = "PostgreSQL " + r.name
	config.ConnectTimeout = r.wait
	s, err := r.connectPostgres(ctx, config)
	if err != nil {
		return r.failed("connecting to", err)
	}
	defer s.close(ctx)
	all := statements(opt.Script)
	if err := r.read(ctx, s, all); err != nil {
		return err
	}
	return r.otherDatabases(ctx, config, ofKinds(all, object.PostgresKey, object.PostgresTable))
}

// password finds one in an address of key and value.
var password = regexp.MustCompile(`(?i)(^|\s)password\s*=`)

func postgresConfig(opt Options) (*pgconn.Config, error) {
	text, hidden, err := opt.address()
	if err != nil {
		return nil, err
	}
	if !hidden && holdsPassword(text) {
		return nil, ErrSecret
	}
	config, err := pgconn.ParseConfig(text)
	if err != nil {
		return nil, fmt.Errorf("the address cannot be read: write it as postgres://user@host:5432/database, or as host=db.example.com user=checker dbname=shop")
	}
	config.RuntimeParams["application_name"] = "precedent (read-only)"
	config.OnNotice, config.OnNotification = nil, nil
	return config, nil
}

func holdsPassword(text string) bool {
	if u, err := url.Parse(text); err == nil && u.Scheme != "" {
		_, has := u.User.Password()
		return has || u.Query().Has("password")
	}
	return password.MatchString(text) || strings.Contains(text, "://") && strings.Contains(text, "@")
}

// serverName names a server as its users do: by host and port, or by the socket.
func serverName(host string, port uint16) string {
	if strings.HasPrefix(host, "/") {
		return host + ":" + strconv.Itoa(int(port))
	}
	return net.JoinHostPort(host, strconv.Itoa(int(port)))
}

// otherDatabases reads what belongs to the other databases of the server.
func (r *reader) otherDatabases(ctx context.Context, config *pgconn.Config, all []statement) error {
	databases, _ := r.snap.Objects(object.PostgresDatabase)
	read := 1
	for _, o := range databases {
		name := o.Fields.Text("name")
		if o.Fields.Text("server") != r.name || o.Fields.At("connectable") != true || name == config.Database {
			continue
		}
		if read++; read > maxDatabases {
			r.missedDatabase(all, name, fmt.Sprintf("more than %d databases", maxDatabases))
			break
		}
		other := config.Copy()
		other.Database = name
		s, err := r.connectPostgres(ctx, other)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			r.missedDatabase(all, name, firstLine(r.scrub(err.Error())))
			continue
		}
		err = r.read(ctx, s, all)
		s.close(ctx)
		if err != nil {
			return err
		}
	}
	return nil
}

func (r *reader) missedDatabase(all []statement, name, why string) {
	for _, one := range all {
		r.snap.Missed(one.kind, fmt.Sprintf("%s: the database %q: %s", r.name, name, why))
	}
}

// postgresSession is a connection to one database.
type postgresSession struct {
	conn *pgconn.PgConn
	wait time.Duration
}

func (r *reader) connectPostgres(ctx context.Context, config *pgconn.Config) (*postgresSession, error) {
	ctx, cancel := context.WithTimeout(ctx, r.wait)
	defer cancel()
	conn, err := pgconn.ConnectConfig(ctx, config)
	if ctx.Err() != nil && err != nil {
		return nil, fmt.Errorf("%w: %w", ctx.Err(), err)
	}
	if err != nil {
		return nil, err
	}
	return &postgresSession{conn, r.wait}, nil
}

// ask implements [session]. What it sets holds for the transaction only, so that a
// pooler that lends the connection to others lends it as it was.
func (s *postgresSession) ask(ctx context.Context, text string) ([]string, error) {
	limit := max(s.wait.Milliseconds()/2, 1)
	begin := fmt.Sprintf("BEGIN TRANSACTION READ ONLY; SET LOCAL statement_timeout = %d; SET LOCAL lock_timeout = %d", limit, limit)
	if _, err := s.rows(ctx, begin); err != nil {
		return nil, err
	}
	rows, err := s.rows(ctx, text)
	if _, end := s.rows(ctx, "ROLLBACK"); err == nil {
		err = end
	}
	return rows, err
}

func (s *postgresSession) rows(ctx context.Context, text string) ([]string, error) {
	answer := s.conn.Exec(ctx, text)
	var all []string
	for answer.NextResult() {
		result := answer.ResultReader()
		for result.NextRow() {
			if values := result.Values(); len(values) > 0 && len(all) < maxRows {
				all = append(all, string(values[0]))
			}
		}
	}
	return all, answer.Close()
}

func (s *postgresSession) close(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	s.conn.Close(ctx) // what was asked has been answered
}
