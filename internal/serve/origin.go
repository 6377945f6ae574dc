package serve

import (
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
)

// originAllowed reports whether the page that a request comes from may read
// the answer. Programs and pages of this server send no Origin, or their own.
// Faces say that everybody may read what they answer; where that is not so,
// the server takes it back.
func (s *Server) originAllowed(r *http.Request) bool {
	origin := r.Header.Get("Origin")
	if origin == "" || s.openToAll() {
		return true
	}
	for _, o := range s.opt.Origins {
		if strings.EqualFold(strings.TrimSuffix(o, "/"), origin) {
			return true
		}
	}
	u, err := url.Parse(origin)
	if err != nil || u.Host == "" {
		return false
	}
	// A page of this machine that asks a server on this machine.
	return isLoopbackName(u.Hostname()) && isLoopbackName(hostName(r.Host))
}

// mayAsk reports whether a page may make the server compute: one that may read
// the answer, or one of the server's own.
func (s *Server) mayAsk(r *http.Request) bool {
	if s.originAllowed(r) {
		return true
	}
	u, err := url.Parse(r.Header.Get("Origin"))
	if err != nil || u.Host == "" {
		return false
	}
	return strings.EqualFold(u.Host, r.Host) || s.opt.BaseURL != nil && strings.EqualFold(u.Host, s.opt.BaseURL.Host)
}

// openToAll reports whether every page may read answers.
func (s *Server) openToAll() bool { return slices.Contains(s.opt.Origins, "*") }

// isLoopbackName reports whether a host name always means this machine.
func isLoopbackName(host string) bool {
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return true
	}
	addr, err := netip.ParseAddr(host)
	return err == nil && addr.IsLoopback()
}
