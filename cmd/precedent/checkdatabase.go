package main

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/openprecedent/precedent/doc"
	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/check/object"
	"github.com/openprecedent/precedent/internal/check/source/database"
)

// databaseFlags are the flags of precedent check that are about databases.
type databaseFlags struct {
	postgres []string
	mysql    []string
	wait     time.Duration
	script   string
}

// script returns what reads a server of a product, as statements, or the settings of
// AWS, as commands; empty of what is not known.
func script(product string) string {
	return map[string]string{"aws": doc.CollectAWS, "mysql": doc.CollectMySQL, "postgres": doc.CollectPostgres, "prometheus": doc.CollectPrometheus}[product]
}

func (f *databaseFlags) flags(cmd *cobra.Command) {
	cmd.Flags().StringArrayVar(&f.postgres, "postgres", nil, "read the PostgreSQL server at this address, or at that in an environment variable: env:NAME (repeatable)")
	cmd.Flags().StringArrayVar(&f.mysql, "mysql", nil, "read the MySQL or MariaDB server at this address, or env:NAME (repeatable)")
	cmd.Flags().DurationVar(&f.wait, "database-timeout", 10*time.Second, "with --postgres and --mysql: how long to wait for a connection and for each answer")
	cmd.Flags().StringVar(&f.script, "script", "", "print what collects objects elsewhere, and read nothing: postgres or mysql (SQL), aws (sh), or prometheus (queries)")
}

// any reports whether a server is to be read.
func (f *databaseFlags) any() bool { return len(f.postgres)+len(f.mysql) > 0 }

// printScript prints the script of a product.
func (p *process) printScript(name string) error {
	text := script(name)
	if text == "" {
		return app.Invalidf("script", "write aws, mysql, postgres or prometheus", "there is no script for %q", name).
			Korean("aws, mysql, postgres, prometheus 가운데 하나를 쓴다", "그런 스크립트가 없다: %q")
	}
	return p.raw([]byte(text))
}

// readDatabases reads the servers of databases that are asked for.
func (p *process) readDatabases(ctx context.Context, snap *object.Snapshot, f *databaseFlags) error {
	for _, of := range []struct {
		product   string
		addresses []string
		read      func(context.Context, *object.Snapshot, database.Options) error
	}{{"postgres", f.postgres, database.Postgres}, {"mysql", f.mysql, database.MySQL}} {
		for _, address := range of.addresses {
			opt := database.Options{Address: address, Script: script(of.product), Wait: f.wait, Env: p.env, Home: p.env("HOME")}
			if err := of.read(ctx, snap, opt); err != nil {
				return databaseError(of.product, err)
			}
		}
	}
	return nil
}

// tlsAdvice is what to do where the certificate of a server is not trusted.
var tlsAdvice = map[string]bilingual.Text{
	"postgres": {
		En: "name the authority that has signed it with ?sslrootcert=FILE, or give up checking it with ?sslmode=require",
		Ko: "서명한 기관을 ?sslrootcert=파일로 알려 주거나, ?sslmode=require로 확인을 포기한다",
	},
	"mysql": {
		En: "let the machine trust the authority that has signed it (SSL_CERT_FILE), or give up checking it with ?tls=skip-verify",
		Ko: "서명한 기관을 이 기계가 믿게 하거나(SSL_CERT_FILE), ?tls=skip-verify로 확인을 포기한다",
	},
}

// databaseError says what to do about a server that was not read.
func databaseError(product string, err error) error {
	if errors.Is(err, database.ErrSecret) {
		return app.Invalidf(product, "leave the password to PGPASSWORD, MYSQL_PWD, ~/.pgpass or ~/.my.cnf, or put the address in a variable and give env:NAME", "%w", err).
			Korean("비밀번호는 PGPASSWORD, MYSQL_PWD, ~/.pgpass, ~/.my.cnf에 두거나, 주소를 환경 변수에 넣고 env:NAME으로 준다", "주소에 비밀번호가 있다: %w")
	}
	if strings.Contains(err.Error(), "certificate") {
		return app.Unreachablef(tlsAdvice[product].En, "reading the database: %w", err).Korean(tlsAdvice[product].Ko, "데이터베이스를 읽지 못했다: %w")
	}
	client := map[string]string{"postgres": "psql", "mysql": "mysql"}[product]
	return app.Unreachablef("see that `"+client+"` connects with the same address, or give the output of `precedent check --script "+product+"`", "reading the database: %w", err).
		Korean("같은 주소로 `"+client+"`이 접속되는지 보거나, `precedent check --script "+product+"`가 준 것을 돌린 결과를 준다", "데이터베이스를 읽지 못했다: %w")
}
