package mcp

import (
	"net"
	"net/http"
	"net/textproto"
	"net/url"
	"slices"
	"strings"
)

// guard refuses requests of browser pages that may not call the server, and
// answers the preflight requests of those that may. Programs other than
// browsers send no Origin and pass.
//
// The Host header is no proof of anything here: a page of another site whose
// name was made to point at this machine sends its own name as both.
type guard struct {
	next    http.Handler
	any     bool
	origins []string
}

func newGuard(origins []string, next http.Handler) *guard {
	g := &guard{next: next}
	for _, o := range origins {
		if o == "*" {
			g.any = true
			continue
		}
		g.origins = append(g.origins, strings.ToLower(strings.TrimSuffix(o, "/")))
	}
	return g
}

// allowedHeaders are the request headers of the protocol that a page may send.
var allowedHeaders = []string{
	"Content-Type", "Accept", "MCP-Protocol-Version", "Mcp-Method", "Mcp-Name", "Mcp-Session-Id", "Last-Event-ID",
}

// paramHeaders is how the headers begin that repeat an argument of a call.
const paramHeaders = "Mcp-Param-"

// ServeHTTP implements [http.Handler].
func (g *guard) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	origin := r.Header.Get("Origin")
	if origin != "" {
		if !g.allows(origin) {
			http.Error(w, "origin not allowed; pages of this machine and the configured origins are", http.StatusForbidden)
			return
		}
		h := w.Header()
		h.Add("Vary", "Origin")
		h.Set("Access-Control-Allow-Origin", origin)
		if g.any {
			h.Set("Access-Control-Allow-Origin", "*")
		}
		h.Set("Access-Control-Expose-Headers", "MCP-Protocol-Version, Mcp-Session-Id, Retry-After")
	}
	if r.Method == http.MethodOptions {
		g.preflight(w, r)
		return
	}
	if r.Method != http.MethodPost { // mostly somebody who opens the address in a browser
		w.Header().Set("Allow", "POST, OPTIONS")
		http.Error(w, "this is an MCP server, for agents: it takes POST; /docs/mcp says how to connect one", http.StatusMethodNotAllowed)
		return
	}
	g.next.ServeHTTP(w, r)
}

func (g *guard) preflight(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Allow", "POST, OPTIONS")
	if r.Header.Get("Origin") != "" && r.Header.Get("Access-Control-Request-Method") != "" {
		h.Add("Vary", "Access-Control-Request-Headers")
		// GET and DELETE are answered with 405, which a page must be able to read.
		h.Set("Access-Control-Allow-Methods", "GET, POST, DELETE, OPTIONS")
		h.Set("Access-Control-Allow-Headers", strings.Join(headersFor(r), ", "))
		h.Set("Access-Control-Max-Age", "7200")
	}
	w.WriteHeader(http.StatusNoContent)
}

// headersFor adds to the allowed headers the asked-for ones that repeat an
// argument; their names can't be listed beforehand.
func headersFor(r *http.Request) []string {
	headers := slices.Clone(allowedHeaders)
	for name := range strings.SplitSeq(r.Header.Get("Access-Control-Request-Headers"), ",") {
		name = textproto.CanonicalMIMEHeaderKey(strings.TrimSpace(name))
		if len(name) < 100 && strings.HasPrefix(name, paramHeaders) && len(headers) < 32 && isToken(name) {
			headers = append(headers, name)
		}
	}
	return headers
}

func isToken(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool {
		return r != '-' && r != '_' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	})
}

func (g *guard) allows(origin string) bool {
	if g.any || slices.Contains(g.origins, strings.ToLower(origin)) {
		return true
	}
	u, err := url.Parse(origin)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" {
		return false
	}
	if strings.EqualFold(u.Hostname(), "localhost") {
		return true
	}
	ip := net.ParseIP(u.Hostname())
	return ip != nil && ip.IsLoopback()
}
