package serve

import (
	"net/http/httptest"
	"net/netip"
	"testing"
)

func TestClient(t *testing.T) {
	trusted := []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("fd00::/8")}
	for _, tt := range []struct {
		name, remote string
		forwarded    []string
		want         string
	}{
		{"no proxy", "203.0.113.7:4711", nil, "203.0.113.7"},
		{"a stranger's claim", "203.0.113.7:4711", []string{"1.2.3.4"}, "203.0.113.7"},
		{"a proxy", "10.0.0.1:80", []string{"203.0.113.7"}, "203.0.113.7"},
		{"a claim before the proxy's word", "10.0.0.1:80", []string{"1.2.3.4, 203.0.113.7"}, "203.0.113.7"},
		{"two proxies", "10.0.0.1:80", []string{"1.2.3.4, 203.0.113.7, 10.9.9.9"}, "203.0.113.7"},
		{"two header lines", "10.0.0.1:80", []string{"1.2.3.4", "203.0.113.7"}, "203.0.113.7"},
		{"proxies only", "10.0.0.1:80", []string{"10.2.2.2"}, "10.2.2.2"},
		{"a proxy that says nothing", "10.0.0.1:80", nil, "10.0.0.1"},
		{"nonsense", "10.0.0.1:80", []string{"203.0.113.7, unknown"}, "10.0.0.1"},
		{"with port", "10.0.0.1:80", []string{"203.0.113.7:55555"}, "203.0.113.7"},
		{"IPv6", "[fd00::1]:80", []string{"2001:db8::1"}, "2001:db8::1"},
		{"IPv6 with port", "[fd00::1]:80", []string{"[2001:db8::1]:443"}, "2001:db8::1"},
		{"IPv4 in IPv6", "[::ffff:203.0.113.7]:80", nil, "203.0.113.7"},
		{"zone", "[fe80::1%eth0]:80", nil, "fe80::1"},
		{"no address", "@", nil, "invalid IP"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := httptest.NewRequest("GET", "/", nil)
			r.RemoteAddr = tt.remote
			r.Header["X-Forwarded-For"] = tt.forwarded
			if got := client(r, trusted).String(); got != tt.want {
				t.Errorf("client from %s, forwarded for %q = %s, want %s", tt.remote, tt.forwarded, got, tt.want)
			}
		})
	}
}

func TestNeighbourhood(t *testing.T) {
	for addr, want := range map[string]string{
		"203.0.113.7": "203.0.113.7", "2001:db8:1:2:3:4:5:6": "2001:db8:1:2::", "2001:db8:1:2::": "2001:db8:1:2::",
	} {
		if got := neighbourhood(netip.MustParseAddr(addr)).String(); got != want {
			t.Errorf("neighbourhood(%s) = %s, want %s", addr, got, want)
		}
	}
	if got := neighbourhood(netip.Addr{}); got.IsValid() {
		t.Errorf("neighbourhood of no address = %s, want none", got)
	}
}
