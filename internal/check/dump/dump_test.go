package dump

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/openprecedent/precedent/internal/check/manifest"
	"github.com/openprecedent/precedent/internal/check/object"
)

// planted is a secret that must not be kept.
const planted = "planted-secret-51ac"

func shown(t testing.TB, c manifest.Content) string {
	t.Helper()
	var b strings.Builder
	for _, o := range c.Objects {
		fields, err := json.Marshal(o.Fields)
		if err != nil {
			t.Fatal(err)
		}
		line, col := o.Place("values.max_connections")
		fmt.Fprintf(&b, "%s %s %s %d %d\n", o.Kind, o.Name, fields, line, col)
	}
	return b.String()
}

func TestRead(t *testing.T) {
	for _, c := range []struct {
		name, source, src string
		kind, server      string
		want              map[string]string
		line              int // of the first wanted value
	}{
		{"SHOW VARIABLES in a batch", "variables.shop.tsv", "Variable_name\tValue\nmax_connections\t151\nreport_password\t" + planted + "\nwait_timeout\t120\n",
			object.MySQLSettings, "shop", map[string]string{"max_connections": "151", "wait_timeout": "120"}, 2},
		{"SHOW VARIABLES on a terminal", "v.txt", "+-----------------+-------+\n| Variable_name   | Value |\n+-----------------+-------+\n| max_connections | 151   |\n+-----------------+-------+\n1 row in set\n",
			object.MySQLSettings, "", map[string]string{"max_connections": "151"}, 4},
		{"SHOW ALL as CSV", "settings.shop.csv", "name,setting,description\nmax_connections,100,Sets the maximum\nprimary_conninfo,\"host=a password=" + planted + "\",\nidle_in_transaction_session_timeout,1min,\"Sets, for \"\"idle\"\"\"\n",
			object.PostgresSettings, "shop", map[string]string{"max_connections": "100", "idle_in_transaction_session_timeout": "1min"}, 2},
		{"SHOW ALL aligned", "settings.txt", "     name      | setting | description\n---------------+---------+------------\n max_connections | 100 | Sets\n autovacuum | on | Starts\n(2 rows)\n",
			object.PostgresSettings, "", map[string]string{"max_connections": "100", "autovacuum": "on"}, 3},
		{"pg_settings with units", "settings.csv", "name,setting,unit\nmax_connections,100,\nidle_in_transaction_session_timeout,60000,ms\nshared_buffers,16384,8kB\n",
			object.PostgresSettings, "", map[string]string{"max_connections": "100", "idle_in_transaction_session_timeout": "60000ms", "shared_buffers": "16384"}, 2},
		{"pg_settings without units", "settings.csv", "name,setting\nmax_connections,100\nidle_in_transaction_session_timeout,60000\n",
			object.PostgresSettings, "", map[string]string{"max_connections": "100", "idle_in_transaction_session_timeout": "60000ms"}, 2},
		{"SHOW CONFIG", "config.csv", "key,value,default,changeable\nauth_type,md5,md5,yes\nauth_query,\"SELECT a, b FROM c\",,yes\npool_mode,transaction,session,yes\n",
			object.PgBouncerSettings, "", map[string]string{"auth_type": "md5", "pool_mode": "transaction"}, 2},
		{"INFO", "info.cache.txt", "# Server\r\nredis_version:7.0.15\r\n# Memory\r\nused_memory:1048576\r\ntotal_system_memory:8589934592\r\n",
			object.RedisInfo, "cache", map[string]string{"redis_version": "7.0.15", "used_memory": "1048576", "total_system_memory": "8589934592"}, 4},
		{"CONFIG GET to a file", "config.cache.txt", "maxmemory-policy\nnoeviction\nrequirepass\n" + planted + "\nsave\n\nmaxmemory\n0\n",
			object.RedisSettings, "cache", map[string]string{"maxmemory-policy": "noeviction", "maxmemory": "0", "save": ""}, 2},
		{"CONFIG GET on a terminal", "c.txt", "1) \"maxmemory\"\n2) \"100\"\n3) \"masterauth\"\n4) \"" + planted + "\"\n5) \"maxmemory-policy\"\n6) \"allkeys-lru\"\n",
			object.RedisSettings, "", map[string]string{"maxmemory": "100", "maxmemory-policy": "allkeys-lru"}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, ok := Read(c.source, []byte(c.src))
			if !ok || len(got.Objects) != 1 {
				t.Fatalf("got %v and %d objects, want one", ok, len(got.Objects))
			}
			o := got.Objects[0]
			if o.Kind != c.kind || o.Name != c.server || !slices.Contains(got.Whole, c.kind) {
				t.Errorf("got %s %q, whole %q; want %s %q", o.Kind, o.Name, got.Whole, c.kind, c.server)
			}
			if got := o.Fields.Texts("values"); fmt.Sprint(got) != fmt.Sprint(c.want) {
				t.Errorf("values\n got %v\nwant %v", got, c.want)
			}
			if strings.Contains(shown(t, got), planted) {
				t.Error("a secret is kept")
			}
			if line, _ := o.Place("values.max_connections"); c.want["max_connections"] != "" && line != c.line {
				t.Errorf("max_connections on line %d, want %d", line, c.line)
			}
		})
	}
}

func TestReadPgBouncer(t *testing.T) {
	ini := "; a pooler\n[databases]\nshop = host=db.example.com port=5432 password=" + planted + " pool_size=20 connect_query='SELECT ''" + planted + "'''\n* = host=db.example.com\n" +
		"[pgbouncer]\nauth_type = md5\nauth_file = /etc/pgbouncer/userlist.txt\nstats_users = someone\npool_mode = transaction\n"
	c, ok := Read("pgbouncer.ini", []byte(ini))
	if !ok || len(c.Objects) != 3 {
		t.Fatalf("got %v, %v", ok, c.Objects)
	}
	shop := c.Objects[1]
	if shop.Kind != object.PgBouncerDatabase || shop.Name != "shop" || shop.Fields.Text("pool_size") != "20" || shop.Fields.Text("host") != "db.example.com" {
		t.Errorf("got %s %v", shop.ID(), shop.Fields)
	}
	if line, _ := shop.Place("pool_size"); line != 3 {
		t.Errorf("on line %d, want 3", line)
	}
	if s := shown(t, c); strings.Contains(s, planted) || strings.Contains(s, "someone") {
		t.Errorf("a secret is kept: %s", s)
	}
	if c, _ := Read("pgbouncer.ini", []byte(ini+"%include other.ini\n")); len(c.Whole) > 0 || len(c.Torn) != 2 {
		t.Errorf("with an include it is whole: %v, torn: %v", c.Whole, c.Torn)
	}

	users := "; users\n\"app\" \"md5" + strings.Repeat("0", 32) + "\"\n\"jobs\" \"SCRAM-SHA-256$4096:" + planted + "\"\n\"" + planted + "\" \"" + planted + "\"\n\"none\" \"\"\n"
	c, ok = Read("userlist.txt", []byte(users))
	if !ok || len(c.Objects) != 1 {
		t.Fatalf("got %v, %v", ok, c.Objects)
	}
	if got, want := fmt.Sprint(c.Objects[0].Fields), "map[md5:1 plain:1 scram:1 server:]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if strings.Contains(shown(t, c), planted) {
		t.Error("a secret is kept")
	}
}

// TestNotOutput holds other texts to be none.
func TestNotOutput(t *testing.T) {
	for _, src := range []string{
		"", "\n\n", "hello", "a,b\n1,2\n", "name,setting\nfoo,1\n", "key,value\nfoo,1\n", "\"a\" \"b\"\nand prose\n",
		"apiVersion: v1\nkind: ConfigMap\ndata:\n  x: |\n    [pgbouncer]\n    auth_type = md5\n",
		"---\nkind: List\n[pgbouncer]\n", "{\"maxmemory\": 1}", "maxmemory\n0\n", "used memory:\n", "\t\t\t\n", "||||\n", ",,,\n", "# [pgbouncer]\n",
	} {
		if c, ok := Read("x.txt", []byte(src)); ok {
			t.Errorf("%q: read as %v", src, c.Objects[0].Kind)
		}
	}
}

// TestRedis reads what a real Redis prints.
func TestRedis(t *testing.T) {
	server, err := exec.LookPath("redis-server")
	if err != nil && os.Getenv("CI") == "true" {
		t.Fatal("redis-server is missing: install Debian's package redis-server")
	} else if err != nil {
		t.Skip("redis-server is missing: install Debian's package redis-server, or run dev/test as root")
	}
	dir, err := os.MkdirTemp("", "rd")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	socket := filepath.Join(dir, "s")
	cmd := exec.Command(server, "--port", "0", "--unixsocket", socket, "--save", "", "--requirepass", planted, "--masterauth", planted, "--maxmemory", "100mb", "--dir", dir)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	ask := func(args ...string) []byte {
		for range 100 {
			ask := exec.Command("redis-cli", append([]string{"-s", socket, "--no-auth-warning"}, args...)...)
			ask.Env = append(os.Environ(), "REDISCLI_AUTH="+planted)
			if out, err := ask.Output(); err == nil && len(out) > 100 {
				return out
			}
			time.Sleep(50 * time.Millisecond)
		}
		t.Fatalf("redis-cli %v gave nothing", args)
		return nil
	}
	config, ok := Read("config.shop.txt", ask("CONFIG", "GET", "*"))
	if !ok || config.Objects[0].Fields.Text("values", "maxmemory") != "104857600" {
		t.Errorf("CONFIG GET: %v, %v", ok, config.Objects)
	}
	info, ok := Read("info.shop.txt", ask("INFO"))
	if !ok || info.Objects[0].Fields.Text("values", "maxmemory") != "104857600" || info.Objects[0].Fields.Text("values", "total_system_memory") == "" {
		t.Errorf("INFO: %v, %v", ok, info.Objects)
	}
	if strings.Contains(shown(t, config)+shown(t, info), planted) {
		t.Error("a secret is kept")
	}
	documents, problems := manifest.Read("config.shop.json", ask("--json", "CONFIG", "GET", "*"))
	if len(problems) > 0 || len(documents) != 1 {
		t.Fatalf("got %v, %v", documents, problems)
	}
	c, ok := documents[0].Content()
	if !ok || c.Objects[0].Kind != object.RedisSettings || c.Objects[0].Fields.Text("values", "maxmemory") != "104857600" {
		t.Errorf("CONFIG GET as JSON: %v, %v", ok, c.Objects)
	}
	if strings.Contains(shown(t, c), planted) {
		t.Error("a secret is kept of JSON")
	}
}

func FuzzRead(f *testing.F) {
	for _, seed := range []string{
		"Variable_name\tValue\nmax_connections\t151\n", "| Variable_name | Value |\n| a | b |\n", "name,setting,unit\nmax_connections,\"100\",ms\n", "key|value\nauth_type|md5\n",
		"[databases]\na = host=b password='c''d'\n[pgbouncer]\nauth_type=md5\n%include x\n", "\"a\" \"md5\"\n", "redis_version:7\nused_memory:1\n", "maxmemory\n0\nmaxmemory-policy\n",
		"1) \"maxmemory\"\n2) \"0\"\n", "name,setting\n\"", "\ufeff\n,",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		c, ok := Read("fuzz.txt", src)
		if !ok {
			return
		}
		if len(c.Objects) == 0 {
			t.Fatal("read, and no object")
		}
		for _, o := range c.Objects {
			for name, value := range o.Fields.Texts("values") {
				if !object.KeepsSetting(o.Kind, name) || len(value) > 64 {
					t.Errorf("%s keeps %q: %q", o.Kind, name, value)
				}
			}
			o.Place("values.max_connections")
		}
	})
}
