package serve

import (
	"net/http"
	"path"
	"strings"
	"time"
)

// class sorts requests by what they ask of the machine. It decides the price
// an address pays, the line before the gate, and how it is counted.
type class struct {
	name string
	// cost is what one request takes from the bucket of its address. One unit
	// is about the work of a page from memory.
	cost int
	// line names the line in which the request waits for its turn. Without one
	// the answer is bytes from memory, cheaper than deciding whether to give it.
	line string
	post bool // POST is allowed, with a body
	// stream tells that the answer may go on for long, a piece at a time.
	stream bool
}

// The classes. Searches and MCP calls run the search engine, for around ten
// times the work of a page.
var (
	classHealth = &class{name: "health"}
	classStatic = &class{name: "static", cost: 0}
	classPage   = &class{name: "page", cost: 1, line: "read"}
	classData   = &class{name: "data", cost: 1, line: "read"}
	classBulk   = &class{name: "bulk", cost: 20, line: "read"}
	classSearch = &class{name: "search", cost: 5, line: "search"}
	classMCP    = &class{name: "mcp", cost: 10, line: "mcp", post: true, stream: true}
	// Starting a simulation waits for its end a while, so it holds no slot; the
	// simulation itself takes turns, see [Server.Turn].
	classRun   = &class{name: "run", cost: 10, post: true}
	classState = &class{name: "run_state", cost: 1, line: "read", post: true}
	classWatch = &class{name: "run_watch", cost: 2, stream: true}
)

// patience is how long an answer may take to compute.
func (c *class) patience() time.Duration {
	if c.stream {
		return 2 * time.Minute // a stream of progress
	}
	return 10 * time.Second
}

// runLine is the line in which simulations wait for their turns.
const runLine = "run"

// lineNames are the lines before the gate.
func lineNames() []string { return []string{"read", "search", "mcp", runLine} }

func classes() []*class {
	return []*class{classHealth, classStatic, classPage, classData, classBulk, classSearch, classMCP, classRun, classState, classWatch}
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
	case "/api/v1/runs":
		return classRun
	case "/simulator", "/ko/simulator":
		if r.Method == http.MethodPost {
			return classRun
		}
	}
	if strings.HasPrefix(p, "/api/v1/runs/") {
		if strings.HasSuffix(p, "/events") {
			return classWatch
		}
		return classState
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
