package object_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestClients finds each database that a container talks to, with what its environment
// says of it.
func TestClients(t *testing.T) {
	const maps = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: all, namespace: shop}\ndata: {DATABASE_URL: \"mysql://old/shop\", AUDIT_DSN: \"app@tcp(audit:3306)/a?timeout=2s\"}\n---\n"
	env := func(pairs ...string) string {
		var all []string
		for _, p := range pairs {
			name, value, _ := strings.Cut(p, "=")
			all = append(all, fmt.Sprintf("{name: %s, value: %q}", name, value))
		}
		return "env: [" + strings.Join(all, ", ") + "]"
	}
	for _, c := range []struct {
		name, container string
		want            []string // host, pool and wait of each
	}{
		{"one address", env("DATABASE_URL=mysql://u@db/shop?timeout=5s"), []string{"db 0 5"}},
		{"two addresses", env("JDBC_URL=jdbc:mysql://proxy/shop?socketTimeout=7000", "REPORTS_DB_URL=postgres://u@reports/shop", "DB_POOL_SIZE=20"), []string{"proxy 20 7", "reports 20 0"}},
		{"two of one database", env("DATABASE_URL=mysql://db/shop", "APP_DSN=app@tcp(db:3306)/shop?timeout=3s"), []string{"db 0 3"}},
		{"a host, and the address of the same", env("DB_HOST=db", "DATABASE_URL=mysql://db/shop?pool_size=4"), []string{"db 4 0"}},
		{"a host, and the address of another", env("DB_HOST=db", "AUDIT_DSN=mysql://audit/shop", "DB_TIMEOUT=9"), []string{"audit 0 9", "db 0 9"}},
		{"what is written in the container counts", "envFrom: [{configMapRef: {name: all}}], " + env("DATABASE_URL=mysql://db/shop"), []string{"audit 0 2", "db 0 0"}},
		{"a pool alone", env("DB_POOL_SIZE=20"), []string{" 20 0"}},
		{"nothing of a database", env("LEVEL=info"), nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			snap := snapshotFrom(t, maps+"apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: shop}\nspec: {template: {spec: {containers: [{name: web, image: web, "+c.container+"}]}}}\n")
			all, err := snap.Clients()
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, one := range all {
				got = append(got, fmt.Sprint(one.Host, " ", one.Pool, " ", one.Wait))
			}
			slices.Sort(got)
			if !slices.Equal(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}
