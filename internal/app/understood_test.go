package app

import (
	"slices"
	"testing"
)

// TestClientErrorsAreUnderstood asks with what clients, proxies and clusters
// say, and wants the term of the vocabulary that it means.
func TestClientErrorsAreUnderstood(t *testing.T) {
	a := publicApp(t)
	tests := []struct{ text, term string }{
		{"dial tcp: lookup db.internal: i/o timeout", "dns-failure"},
		{"dial tcp: lookup db.internal on 10.0.0.2:53: no such host", "dns-failure"},
		{"java.net.UnknownHostException: db.internal", "dns-failure"},
		{"socket.gaierror: [Errno -2] Name or service not known", "dns-failure"},
		{"Error: getaddrinfo ENOTFOUND db.internal", "dns-failure"},
		{"curl: (6) Could not resolve host: db.internal", "dns-failure"},
		{"could not translate host name \"db\" to address", "dns-failure"},
		{"nginx: [emerg] host not found in upstream \"api\"", "dns-failure"},
		{"java.net.SocketTimeoutException: Read timed out", "timeout"},
		{"rpc error: code = DeadlineExceeded desc = context deadline exceeded", "timeout"},
		{"upstream timed out (110: Connection timed out) while reading", "timeout"},
		{"ConnectionRefusedError: [Errno 111] Connection refused", "connection-failure"},
		{"read tcp 10.0.0.1:5->10.0.0.2:6: read: connection reset by peer", "connection-failure"},
		{"MySQL server has gone away", "connection-failure"},
		{"upstream connect error or disconnect/reset before headers", "connection-failure"},
		{"FATAL: sorry, too many clients already", "connection-saturation"},
		{"ERR max number of clients reached", "connection-saturation"},
		{"QueuePool limit of size 5 overflow 10 reached", "connection-pool-exhaustion"},
		{"HikariPool-1 - Connection is not available", "connection-pool-exhaustion"},
		{"no live upstreams while connecting to upstream", "no-healthy-backend"},
		{"backend web has no server available!", "no-healthy-backend"},
		{"ssl.SSLCertVerificationError: CERTIFICATE_VERIFY_FAILED", "tls-error"},
		{"x509: certificate signed by unknown authority", "tls-error"},
		{"rpc error: code = ResourceExhausted desc = RESOURCE_EXHAUSTED", "rate-limited"},
		{"READONLY You can't write against a read only replica.", "write-failure"},
		{"Deadlock found when trying to get lock", "lock-contention"},
		{"OSError: [Errno 28] No space left on device", "disk-full"},
		{"java.lang.OutOfMemoryError: Java heap space", "oom-kill"},
		{"FATAL ERROR: Reached heap limit - JavaScript heap out of memory", "oom-kill"},
		{"Back-off restarting failed container", "crash-loop"},
		{"connect: cannot assign requested address", "port-exhaustion"},
		{"CLUSTERDOWN The cluster is down", "quorum-loss"},
		{"0/5 nodes are available: 5 Insufficient cpu.", "pod-pending"},
		{"Unable to connect to the server: net/http: TLS handshake timeout", "control-plane-unresponsive"},
		{"nobody got paged", "missing-alert"},
		{"새벽에 알람이 안 와서", "missing-alert"},
		{"고객이 먼저 알려줘서", "missing-alert"},
		{"캐시 서버 껐다 켰더니 DB가 죽음", "cold-cache"},
		{"껐다 켰더니", "restart"},
		{"디스크가 꽉 참", "disk-full"},
	}
	for _, tt := range tests {
		r, err := a.Search(SearchQuery{Text: tt.text, Limit: 1, Facets: []string{}})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(r.Terms, func(u TermRef) bool { return u.ID == tt.term }) {
			t.Errorf("Search(%q) understood %v, want %q among it", tt.text, r.Terms, tt.term)
		}
	}
}
