package serve

import (
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// client returns the address that a request comes from. X-Forwarded-For is
// believed only as far as trusted proxies wrote it: it is read from its end,
// and the first address that is no trusted proxy is the client.
func client(r *http.Request, trusted []netip.Prefix) netip.Addr {
	peer := peerOf(r.RemoteAddr)
	if !contains(trusted, peer) {
		return peer
	}
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for _, hop := range slices.Backward(hops) {
		addr, ok := parseHop(hop)
		if !ok {
			break // what stands before it cannot be believed either
		}
		peer = addr
		if !contains(trusted, addr) {
			break
		}
	}
	return peer
}

// peerOf returns the address of the other end of a connection.
func peerOf(remote string) netip.Addr {
	port, err := netip.ParseAddrPort(remote)
	if err != nil {
		return netip.Addr{}
	}
	return port.Addr().Unmap().WithZone("")
}

// parseHop reads one entry of X-Forwarded-For; some proxies add the port.
func parseHop(hop string) (netip.Addr, bool) {
	hop = strings.TrimSpace(hop)
	if port, err := netip.ParseAddrPort(hop); err == nil {
		return port.Addr().Unmap().WithZone(""), true
	}
	addr, err := netip.ParseAddr(strings.Trim(hop, "[]"))
	return addr.Unmap().WithZone(""), err == nil
}

func contains(prefixes []netip.Prefix, addr netip.Addr) bool {
	return slices.ContainsFunc(prefixes, func(p netip.Prefix) bool { return p.Contains(addr) })
}

// neighbourhood returns what is limited as one: an IPv4 address, or the /64 of
// an IPv6 address, since a single host owns a whole /64.
func neighbourhood(addr netip.Addr) netip.Addr {
	if !addr.Is6() {
		return addr
	}
	prefix, err := addr.Prefix(64)
	if err != nil {
		return addr
	}
	return prefix.Addr()
}
