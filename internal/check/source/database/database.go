// Package database reads servers of PostgreSQL, MySQL and MariaDB into a snapshot:
// their settings, statistics and catalogs, never a row of a table or the text of a
// statement. It asks what the collecting scripts of the folder doc ask, each
// statement in a transaction that may only read.
package database

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/openprecedent/precedent/internal/check/manifest"
	"github.com/openprecedent/precedent/internal/check/object"
)

// Bounds of what is read.
const (
	maxRows      = 5000     // of a statement
	maxLength    = 64 << 10 // bytes of a row
	maxDatabases = 100      // of a server
)

// Options say how a server is read.
type Options struct {
	// Address is that of the server, or env:NAME for that in an environment variable.
	Address string
	Script  string        // the statements, as the collecting scripts hold them
	Wait    time.Duration // for a connection and for each answer; 0 for 10 s
	Env     func(name string) string
	Home    string // folder of .my.cnf; empty for none
}

// ErrSecret is the error of an address that holds a password, which everybody who
// may list the processes of the machine could read.
var ErrSecret = errors.New("the address holds a password, which the list of processes shows")

// session is a connection that only asks.
type session interface {
	// ask sends a statement in a transaction that may only read, and returns the
	// first column of its rows.
	ask(ctx context.Context, statement string) ([]string, error)
	close(ctx context.Context)
}

// reader reads one server.
type reader struct {
	snap   *object.Snapshot
	name   string // of the server, as the user knows it
	source string
	wait   time.Duration
	secret string // password, which no error may hold
}

// address returns the address that is asked for, and whether it may hold a
// password.
func (o Options) address() (string, bool, error) {
	name, hidden := strings.CutPrefix(o.Address, "env:")
	if !hidden {
		return o.Address, false, nil
	}
	text := o.env(name)
	if text == "" {
		return "", false, fmt.Errorf("the environment variable %q is not set", name)
	}
	return text, true, nil
}

func (o Options) env(name string) string {
	if o.Env == nil {
		return os.Getenv(name)
	}
	return o.Env(name)
}

func (o Options) patience() time.Duration {
	if o.Wait > 0 {
		return o.Wait
	}
	return 10 * time.Second
}

// statement is a statement of a collecting script.
type statement struct {
	text string
	kind string // of what it reads
	only string // MySQL or MariaDB where it is for one of them
}

var (
	readsKind = regexp.MustCompile(`'precedent', '([A-Za-z]+/[A-Za-z]+)'`)
	forOne    = regexp.MustCompile(`(?m)^-- (MySQL|MariaDB)'s`)
)

// statements takes a script apart, and leaves out what only sets the session up.
func statements(script string) []statement {
	var all []statement
	for piece := range strings.SplitSeq(script, ";\n") {
		var lines []string
		only := ""
		for line := range strings.Lines(piece) {
			if m := forOne.FindStringSubmatch(line); m != nil {
				only = m[1]
			}
			if !strings.HasPrefix(line, "--") {
				lines = append(lines, line)
			}
		}
		text := strings.TrimSpace(strings.Join(lines, ""))
		if m := readsKind.FindStringSubmatch(text); m != nil && asks(text) {
			all = append(all, statement{text, m[1], only})
		}
	}
	return all
}

// asks reports whether a statement is one that asks. Nothing else is ever sent.
func asks(text string) bool {
	return strings.HasPrefix(text, "SELECT ") || strings.HasPrefix(text, "WITH ")
}

// read sends statements, and adds what they answer to the snapshot. A kind of
// which nothing could be read is missed, with the server's reason.
func (r *reader) read(ctx context.Context, s session, all []statement) error {
	for _, one := range all {
		rows, err := r.ask(ctx, s, one)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			r.snap.Missed(one.kind, fmt.Sprintf("%s: %s", r.name, firstLine(r.scrub(err.Error()))))
			continue
		}
		r.add(one, rows)
	}
	return nil
}

func (r *reader) ask(ctx context.Context, s session, one statement) ([]string, error) {
	if !asks(one.text) {
		return nil, fmt.Errorf("refused to send a statement that does not ask")
	}
	ctx, cancel := context.WithTimeout(ctx, r.wait)
	defer cancel()
	rows, err := s.ask(ctx, one.text)
	if ctx.Err() != nil {
		return nil, fmt.Errorf("no answer within %v", r.wait)
	}
	return rows, err
}

// add adds what a statement has answered.
func (r *reader) add(one statement, rows []string) {
	marked := false
	for _, row := range rows {
		var t map[string]any
		dec := json.NewDecoder(strings.NewReader(row))
		dec.UseNumber()
		if len(row) > maxLength || dec.Decode(&t) != nil {
			r.snap.Missed(one.kind, r.name+": an answer cannot be read")
			continue
		}
		t["server"] = r.name
		c, ok := manifest.Database(r.source, whole(t))
		if !ok {
			r.snap.Missed(one.kind, r.name+": an answer is not what was asked for")
			continue
		}
		marked = marked || len(c.Whole)+len(c.Torn) > 0
		c.AddTo(r.snap)
	}
	if !marked {
		r.snap.Missed(one.kind, r.name+": the server has nothing to say of it")
	}
}

// whole makes the numbers of an answer what those of documents are.
func whole(t map[string]any) map[string]any {
	for name, v := range t {
		switch v := v.(type) {
		case json.Number:
			if n, err := v.Int64(); err == nil {
				t[name] = n
			} else if f, err := v.Float64(); err == nil {
				t[name] = f
			}
		case map[string]any:
			t[name] = whole(v)
		}
	}
	return t
}

// scrub takes the password out of a text.
func (r *reader) scrub(text string) string {
	if r.secret == "" {
		return text
	}
	return strings.ReplaceAll(text, r.secret, "***")
}

// failed makes an error that does not hold the password.
func (r *reader) failed(doing string, err error) error {
	if errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("%s %s: no answer within %v: %w", doing, r.name, r.wait, context.DeadlineExceeded)
	}
	return fmt.Errorf("%s %s: %s", doing, r.name, firstLine(r.scrub(err.Error())))
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return line
}

// ofKinds returns the statements of some kinds.
func ofKinds(all []statement, kinds ...string) []statement {
	return slices.DeleteFunc(slices.Clone(all), func(s statement) bool { return !slices.Contains(kinds, s.kind) })
}
