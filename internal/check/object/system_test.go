package object_test

import (
	"strings"
	"testing"
	"time"

	"github.com/openprecedent/precedent/internal/check/manifest"
	"github.com/openprecedent/precedent/internal/check/object"
)

// TestSystemCalls asks for what the calls of a system come to.
func TestSystemCalls(t *testing.T) {
	const src = `
name: shop
parameters: {patience: 1s}
parts:
  users: {kind: source, call: {to: api, timeout: 3s, retries: 1}}
  api:
    kind: server
    calls:
      - {to: db, timeout: $patience, retries: 2, backoff: {first: 100ms}}
      - {to: jobs, timeout: 500ms, retries: 1, backoff: {first: 1s, jitter: 100%}}
  jobs: {kind: queue, call: {to: db, timeout: 2s, retries: 3}}
  front: {kind: gate, call: {to: api, timeout: 10s, retries: 9, retry_budget: 20%}}
  db: {kind: server, calls: [{to: db2, timeout: 2s, retries: 1_0, give_up: 3s}]}
  db2: {kind: server, calls: [{to: db, timeout: 1d, breaker: {open: 1s}}]}
`
	snap := object.NewSnapshot(time.Now())
	documents, problems := manifest.Read("shop.yaml", []byte(src))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	c, _ := documents[0].Content()
	c.AddTo(snap)
	all, err := snap.SystemParts()
	if err != nil {
		t.Fatal(err)
	}
	calls := map[string]*object.SystemCall{}
	for _, p := range all {
		for _, c := range p.Calls {
			calls[p.Name+"."+c.Path] = c
		}
	}
	for _, tt := range []struct {
		call                        string
		tries, load, timeout, below float64
		way                         string
	}{
		{"users.call", 2, 2, 3, 3.3 + 1, "users api"},
		{"front.call", 1.2, 1.2, 10, 3.3 + 1, "front api"},
		{"api.calls[0]", 3, 6, 1, 4, "users api db"},
		{"api.calls[1]", 2, 4, 0.5, 0, "users api jobs"},
		{"jobs.call", 4, 4, 2, 4, "jobs db"},
		{"db.calls[0]", 11, 66, 2, 86400, "users api db db2"},
		{"db2.calls[0]", 1, 66, 86400, 4, "users api db db2 db"},
	} {
		c := calls[tt.call]
		way := strings.Join(c.Way(), " ")
		if near(c.Tries(), tt.tries) && near(c.Load(), tt.load) && near(c.Timeout(), tt.timeout) && near(c.Below(), tt.below) && way == tt.way {
			continue
		}
		t.Errorf("%s: got %v tries, load %v, %v s, below %v s by way of %s; want %+v", tt.call, c.Tries(), c.Load(), c.Timeout(), c.Below(), way, tt)
	}
}

func near(got, want float64) bool { return got-want < 1e-9 && want-got < 1e-9 }
