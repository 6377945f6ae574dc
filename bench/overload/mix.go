package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/url"
	"os"
	"path/filepath"
	"strings"
)

// mix makes questions: mostly searches, as when an outage sends everybody to
// the library, beside pages of cases.
type mix struct {
	queries []string
	words   []string
	cases   []string
}

// kind is what questions are counted by.
type kind string

const (
	page   kind = "pages"
	search kind = "searches"
	agent  kind = "MCP calls" // which search, too
)

var kinds = []kind{search, agent, page}

// share of each question, in percent.
var shares = []struct {
	percent int
	kind    kind
	make    func(m *mix, r *rand.Rand) []byte
}{
	{40, search, func(m *mix, r *rand.Rand) []byte { return get("/search?q="+url.QueryEscape(m.query(r)), browser) }},
	{20, search, func(m *mix, r *rand.Rand) []byte { return get("/api/v1/search?q="+url.QueryEscape(m.query(r)), "*/*") }},
	{10, agent, func(m *mix, r *rand.Rand) []byte { return mcp(m.query(r)) }},
	{20, page, func(m *mix, r *rand.Rand) []byte { return get("/cases/"+pick(r, m.cases), browser) }},
	{5, page, func(m *mix, r *rand.Rand) []byte { return get("/cases/"+pick(r, m.cases)+".json", "*/*") }},
	{5, page, func(m *mix, r *rand.Rand) []byte { return get("/ko/cases/"+pick(r, m.cases), browser) }},
}

const browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"

// asking makes a request, ready to be sent, and tells its kind.
type asking func(m *mix, r *rand.Rand) ([]byte, kind)

// only returns the asking of the one kind, in the shares that its questions
// have among themselves.
func only(k kind) asking {
	return func(m *mix, r *rand.Rand) ([]byte, kind) {
		for {
			if request, made := m.question(r); made == k {
				return request, k
			}
		}
	}
}

// question returns a request, ready to be sent, and its kind.
func (m *mix) question(r *rand.Rand) (request []byte, k kind) {
	n := r.IntN(100)
	for _, s := range shares {
		if n < s.percent {
			return s.make(m, r), s.kind
		}
		n -= s.percent
	}
	panic("shares are less than 100 percent")
}

// query returns one of the judged queries with a word of another one, so that
// hardly any is asked twice and no cache answers.
func (m *mix) query(r *rand.Rand) string { return pick(r, m.queries) + " " + pick(r, m.words) }

func pick(r *rand.Rand, from []string) string { return from[r.IntN(len(from))] }

func get(path, accept string) []byte {
	return fmt.Appendf(nil, "GET %s HTTP/1.1\r\nHost: localhost\r\nAccept: %s\r\n\r\n", path, accept)
}

func mcp(query string) []byte {
	body, err := json.Marshal(map[string]any{
		"jsonrpc": "2.0", "id": 1, "method": "tools/call",
		"params": map[string]any{"name": "search_incidents", "arguments": map[string]any{"query": query}},
	})
	if err != nil {
		panic(err) // maps of strings can be marshalled
	}
	return fmt.Appendf(nil, "POST /mcp HTTP/1.1\r\nHost: localhost\r\n"+
		"Accept: application/json, text/event-stream\r\n"+
		"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
}

// readMix reads the judged queries and the ids of cases.
func readMix(queries, cases string) (*mix, error) {
	src, err := os.ReadFile(queries)
	if err != nil {
		return nil, fmt.Errorf("reading queries: %w", err)
	}
	m := &mix{}
	for line := range bytes.Lines(src) {
		query, _, ok := strings.Cut(string(line), " | ")
		if !ok || strings.HasPrefix(query, "#") {
			continue
		}
		query = strings.NewReplacer(`\n`, "\n", `\t`, "\t").Replace(query)
		m.queries = append(m.queries, query)
		m.words = append(m.words, strings.Fields(query)...)
	}
	names, err := filepath.Glob(filepath.Join(cases, "*.yaml"))
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		m.cases = append(m.cases, strings.TrimSuffix(filepath.Base(name), ".yaml"))
	}
	if len(m.queries) == 0 || len(m.cases) == 0 {
		return nil, fmt.Errorf("no queries in %q or no cases in %q; run this in the folder of the module", queries, cases)
	}
	return m, nil
}
