package testapi

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"testing"
)

// Front stands before a server, and may answer in its place.
type Front struct {
	address   string
	authority string // file of its certificate
	// Wrong answers a request, and says so, or lets it through. It is set before the
	// first request.
	Wrong func(w http.ResponseWriter, r *http.Request) bool

	mu   sync.Mutex
	seen []Request
}

// Request is a request that went through a [Front], and how it was answered.
type Request struct {
	Method, Path string // with the query
	Code         int
}

// Front starts one. It speaks TLS, since clients send no token otherwise.
func (s *Server) Front(t testing.TB) *Front {
	t.Helper()
	target, err := url.Parse(s.Address)
	if err != nil {
		t.Fatal(err)
	}
	proxy := httputil.NewSingleHostReverseProxy(target)
	proxy.Transport = s.transport(t)
	f := &Front{}
	h := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		told := &recorder{ResponseWriter: w, code: http.StatusOK}
		defer func() {
			f.mu.Lock()
			defer f.mu.Unlock()
			f.seen = append(f.seen, Request{r.Method, r.URL.RequestURI(), told.code})
		}()
		if f.Wrong == nil || !f.Wrong(told, r) {
			proxy.ServeHTTP(told, r)
		}
	}))
	t.Cleanup(h.Close)
	f.address, f.authority = h.URL, filepath.Join(t.TempDir(), "front.crt")
	if err := os.WriteFile(f.authority, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: h.Certificate().Raw}), 0o600); err != nil {
		t.Fatal(err)
	}
	return f
}

// Seen returns the requests so far.
func (f *Front) Seen() []Request {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]Request(nil), f.seen...)
}

type recorder struct {
	http.ResponseWriter
	code int
}

// WriteHeader implements [http.ResponseWriter].
func (r *recorder) WriteHeader(code int) {
	r.code = code
	r.ResponseWriter.WriteHeader(code)
}

// Unwrap lets the connection be taken over.
func (r *recorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }

// transport trusts the server and carries no account.
func (s *Server) transport(t testing.TB) *http.Transport {
	t.Helper()
	certificate, err := os.ReadFile(s.Authority)
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(certificate)
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}}
	t.Cleanup(transport.CloseIdleConnections)
	return transport
}

// As sends a request with a token and an empty body, and returns the code of the
// answer.
func (s *Server) As(t testing.TB, token, method, path string) int {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, s.Address+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+token)
	resp, err := s.transport(t).RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	return resp.StatusCode
}
