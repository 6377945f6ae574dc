package database

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/openprecedent/precedent/doc"
	"github.com/openprecedent/precedent/internal/check/object"
)

// selfSigned writes a certificate for localhost that nobody has signed, and its key, to
// a folder, for an account to read.
func selfSigned(t *testing.T, dir string, owner *syscall.Credential) (certificate, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	form := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "localhost"}, DNSNames: []string{"localhost"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, form, form, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	certificate, key = filepath.Join(dir, "server.crt"), filepath.Join(dir, "server.key")
	for name, block := range map[string]*pem.Block{certificate: {Type: "CERTIFICATE", Bytes: der}, key: {Type: "PRIVATE KEY", Bytes: secret}} {
		if err := os.WriteFile(name, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
		if owner != nil {
			if err := os.Chown(name, int(owner.Uid), int(owner.Gid)); err != nil {
				t.Fatal(err)
			}
		}
	}
	return certificate, key
}

// freePort returns a port on which nothing listens.
func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return strconv.Itoa(l.Addr().(*net.TCPAddr).Port)
}

// askTLS reads a server at an address.
func askTLS(t *testing.T, read func(context.Context, *object.Snapshot, Options) error, address, script string) error {
	t.Helper()
	return read(t.Context(), object.NewSnapshot(time.Now()), Options{
		Address: address, Script: script, Wait: 5 * time.Second, Env: func(string) string { return "" },
	})
}

// wantTLS reports an error of reading that is not the wanted one; none is wanted where
// the text is empty.
func wantTLS(t *testing.T, err error, want string) {
	t.Helper()
	if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
		t.Errorf("got %v, want %q", err, want)
	}
}

// TestPostgresTLS reads a PostgreSQL that takes connections by TLS only, with a
// certificate that nobody has signed.
func TestPostgresTLS(t *testing.T) {
	initdb := program(t, "postgresql", "/usr/lib/postgresql/*/bin/initdb", "initdb")
	postgres := program(t, "postgresql", "/usr/lib/postgresql/*/bin/postgres", "postgres")
	owner := unprivileged(t)
	dir := folder(t, owner)
	data := filepath.Join(dir, "data")
	run(t, owner, initdb, "--pgdata", data, "--auth", "trust", "--username", "checker", "--no-sync", "--locale", "C", "--encoding", "UTF8")
	certificate, key := selfSigned(t, dir, owner)
	hba := filepath.Join(dir, "hba.conf")
	if err := os.WriteFile(hba, []byte("hostssl all all all trust\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	port := freePort(t)
	serve(t, owner, postgres, "-D", data, "-k", dir, "-p", port, "-c", "listen_addresses=localhost", "-c", "fsync=off",
		"-c", "ssl=on", "-c", "ssl_cert_file="+certificate, "-c", "ssl_key_file="+key, "-c", "hba_file="+hba)
	address := "postgres://checker@localhost:" + port + "/postgres"
	until(t, "the server", func() error { return askTLS(t, Postgres, address+"?sslmode=require", doc.CollectPostgres) })
	for _, c := range []struct{ query, want string }{
		{"", ""}, // TLS is used where it is offered
		{"?sslmode=prefer", ""},
		{"?sslmode=disable", "no encryption"},
		{"?sslmode=verify-full", "certificate"},
		{"?sslmode=verify-full&sslrootcert=" + certificate, ""},
		{"?sslmode=verify-ca&sslrootcert=" + certificate, ""},
	} {
		t.Run(c.query, func(t *testing.T) { wantTLS(t, askTLS(t, Postgres, address+c.query, doc.CollectPostgres), c.want) })
	}
	t.Run("another name", func(t *testing.T) {
		wantTLS(t, askTLS(t, Postgres, strings.Replace(address, "localhost", "127.0.0.1", 1)+"?sslmode=verify-full&sslrootcert="+certificate, doc.CollectPostgres), "certificate")
	})
}

// TestMariaDBTLS reads a MariaDB that takes connections by TLS only, with a certificate
// that nobody has signed.
func TestMariaDBTLS(t *testing.T) {
	install := program(t, "mariadb-server", "mariadb-install-db")
	server := program(t, "mariadb-server", "mariadbd", "/usr/sbin/mariadbd")
	as := unprivileged(t)
	dir := folder(t, as)
	data, socket := filepath.Join(dir, "data"), filepath.Join(dir, "s.sock")
	run(t, as, install, "--no-defaults", "--datadir="+data, "--auth-root-authentication-method=normal", "--skip-test-db")
	certificate, key := selfSigned(t, dir, as)
	port := freePort(t)
	serve(t, as, server, "--no-defaults", "--datadir="+data, "--socket="+socket, "--bind-address=127.0.0.1", "--port="+port, "--innodb-buffer-pool-size=32M",
		"--ssl-cert="+certificate, "--ssl-key="+key, "--require-secure-transport=on")
	address := "mysql://root@localhost:" + port
	until(t, "the server", func() error { return askTLS(t, MySQL, address+"?tls=skip-verify", doc.CollectMySQL) })
	for _, c := range []struct{ query, want string }{
		{"", ""}, // TLS is used where it is offered
		{"?tls=preferred", ""},
		{"?tls=false", "Access denied"}, // as MariaDB words it
		{"?tls=true", "certificate"},
	} {
		t.Run(c.query, func(t *testing.T) { wantTLS(t, askTLS(t, MySQL, address+c.query, doc.CollectMySQL), c.want) })
	}
}
