package serve

import (
	"net/http"
	"path"
	"strings"
	"time"
)

// class sorts requests by what they ask of the machine. It decides the price
// an address pays, the gate a request passes, and how it is counted.
type class struct {
	name string
	// cost is what one request takes from the bucket of its address. One unit
	// is about the work of a page from memory.
	cost int
	// gate names the bulkhead in which the request is computed. Without one the
	// answer is bytes from memory, cheaper than deciding whether to give it.
	gate string
	post bool // POST is allowed, with a body
}

// The classes. Searches and MCP calls run the search engine, for around ten
// times the work of a page.
var (
	classHealth = &class{name: "health"}
	classStatic = &class{name: "static", cost: 0}
	classPage   = &class{name: "page", cost: 1, gate: "read"}
	classData   = &class{name: "data", cost: 1, gate: "read"}
	classBulk   = &class{name: "bulk", cost: 20, gate: "read"}
	classSearch = &class{name: "search", cost: 5, gate: "search"}
	classMCP    = &class{name: "mcp", cost: 10, gate: "mcp", post: true}
)

// patience is how long an answer may take to compute.
func (c *class) patience() time.Duration {
	if c == classMCP {
		return 2 * time.Minute // a stream of progress
	}
	return 10 * time.Second
}

// gateNames are the bulkheads: a flood of searches leaves pages readable, and
// a fleet of agents leaves the search box usable.
func gateNames() []string { return []string{"read", "search", "mcp"} }

func classes() []*class {
	return []*class{classHealth, classStatic, classPage, classData, classBulk, classSearch, classMCP}
}

// classify sorts a request by its path.
func classify(r *http.Request) *class {
	p := r.URL.Path
	switch p {
	case "/healthz", "/readyz", "/metrics":
		return classHealth
	case "/mcp":
		return classMCP
	case "/all.zip", "/all.jsonl", "/modified.csv":
		return classBulk
	}
	if strings.HasPrefix(p, "/static/") || p == "/favicon.ico" || p == "/robots.txt" {
		return classStatic
	}
	suffix := path.Ext(p)
	p = strings.TrimSuffix(p, suffix)
	api := strings.HasPrefix(p, "/api/")
	p = strings.TrimPrefix(strings.TrimPrefix(p, "/api/v1"), "/ko")
	switch {
	case p == "/search":
		return classSearch
	case api || dataSuffix(suffix):
		return classData
	}
	return classPage
}
