package serve

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"time"
)

// Bounds of one request.
const (
	maxURL    = 32 << 10 // bytes; the longest query, 10,000 bytes, fits percent-encoded
	maxBody   = 1 << 20  // bytes of an MCP message
	smallBody = 16 << 10 // bytes that nearly all of them have at most
)

// maxReading bounds the bodies larger than smallBody that are read at once,
// and so the memory for them. Small ones are bounded by the connections, so
// that slow senders of large bodies keep nobody else out.
const maxReading = 64

// check refuses what no face should see.
func (s *Server) check(r *http.Request, c *class) *refusal {
	switch {
	case len(r.RequestURI) > maxURL:
		return &refusal{
			status: http.StatusRequestURITooLong, close: true,
			detail: fmt.Sprintf("an address may have %d bytes", maxURL), remedy: "shorten the query",
		}
	case !cleanPath(r):
		return &refusal{
			status: http.StatusBadRequest, close: true, detail: "the address is not a plain path",
			remedy: "write it without dot segments, backslashes and control characters",
		}
	case !allowed(r.Method, c):
		return wrongMethod(r, c)
	case (r.Method == http.MethodPost || r.Method == http.MethodDelete) && c != classMCP && !s.mayAsk(r):
		return &refusal{
			status: http.StatusForbidden, close: true, detail: "pages of other sites may not start simulations here",
			remedy: "ask from a page of this server, or start it with --allow-origin",
		}
	case c != classHealth && !s.hostAllowed(r):
		return &refusal{
			status: http.StatusMisdirectedRequest, detail: "this server answers to loopback names only",
			remedy: "start it with --base-url to give it another name",
		}
	}
	return nil
}

// wrongMethod refuses a method and names the ones that the address takes.
func wrongMethod(r *http.Request, c *class) *refusal {
	f := &refusal{
		status: http.StatusMethodNotAllowed, allow: "GET, HEAD, OPTIONS",
		detail: "the library is read-only", remedy: "use GET or HEAD",
	}
	switch {
	case c == classMCP:
		f.allow, f.detail, f.remedy = "POST, OPTIONS", "MCP is spoken with POST", "use POST"
	case r.URL.Path == "/api/v1/runs":
		f.allow, f.detail, f.remedy = "POST, OPTIONS", "simulations are started with POST", "use POST"
	case c == classState:
		f.allow, f.detail, f.remedy = "GET, HEAD, DELETE, OPTIONS", "a simulation is read or taken back", "use GET or DELETE"
	case c == classRun:
		f.allow = "GET, HEAD, POST, OPTIONS"
	}
	return f
}

// allowed reports whether a method may be used. What else a face refuses, it
// refuses itself.
func allowed(method string, c *class) bool {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodOptions:
		return true
	case http.MethodPost, http.MethodDelete:
		return c.post
	}
	return false
}

// cleanPath refuses paths that mean another path to some file system or proxy.
func cleanPath(r *http.Request) bool {
	p := r.URL.Path
	if !strings.HasPrefix(p, "/") || strings.HasPrefix(p, "//") {
		return false
	}
	if strings.ContainsFunc(p, func(c rune) bool { return c < ' ' || c == 0x7f || c == '\\' }) {
		return false
	}
	for segment := range strings.SplitSeq(p, "/") {
		if segment == ".." || segment == "." {
			return false
		}
	}
	return true
}

// hostAllowed guards a server on loopback against pages of other sites whose
// names were made to resolve to loopback: their requests carry their own name.
func (s *Server) hostAllowed(r *http.Request) bool {
	local, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	if !ok || !peerOf(local.String()).IsLoopback() {
		return true
	}
	host := hostName(r.Host)
	return isLoopbackName(host) || s.opt.BaseURL != nil && strings.EqualFold(host, s.opt.BaseURL.Hostname())
}

// hostName takes the port and the brackets off a Host header.
func hostName(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return strings.ToLower(strings.TrimSuffix(strings.Trim(host, "[]"), "."))
}

// price charges the address of a request for it.
func (s *Server) price(addr netip.Addr, c *class) *refusal {
	if s.buckets == nil {
		return nil
	}
	wait := s.buckets.take(addr, c.cost)
	if wait == 0 {
		return nil
	}
	return &refusal{
		status: http.StatusTooManyRequests, retry: int(wait/time.Second) + 1,
		detail: "this client address asks faster than a reader or an agent would",
		remedy: "wait as long as Retry-After says; to read everything, take /all.zip once",
	}
}

// busy is the answer where the gate turned a request away. The waits differ, so
// that those turned away together do not come back together.
func busy() *refusal {
	return &refusal{
		status: http.StatusServiceUnavailable, retry: 1 + rand.IntN(3),
		detail: "more is asked at the moment than can be answered in time",
		remedy: "wait as long as Retry-After says",
	}
}

// readBody reads the body of a request into memory before its turn comes, so
// that a slow sender holds no slot. A body where none belongs is ignored, and
// the connection closed behind it.
func (s *Server) readBody(w http.ResponseWriter, r *http.Request, c *class) *refusal {
	if r.ContentLength == 0 {
		return nil
	}
	if !c.post {
		r.Body = http.NoBody
		w.Header().Set("Connection", "close")
		return nil
	}
	tooLarge := &refusal{
		status: http.StatusRequestEntityTooLarge, close: true,
		detail: fmt.Sprintf("a message may have %d bytes", maxBody), remedy: "send a smaller one",
	}
	if r.ContentLength > maxBody {
		return tooLarge
	}
	if len(r.TransferEncoding) > 0 {
		// It may have had a length, too, on which some proxy relied. Then what
		// follows on this connection is not to be believed.
		w.Header().Set("Connection", "close")
	}
	body, err := s.readAll(http.MaxBytesReader(w, r.Body, maxBody))
	var over *http.MaxBytesError
	switch {
	case errors.Is(err, errShed):
		f := busy()
		f.close = true
		return f
	case errors.As(err, &over):
		return tooLarge
	case err != nil:
		return &refusal{
			status: http.StatusBadRequest, close: true,
			detail: "the body could not be read to its end in time", remedy: "send the request again",
		}
	}
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	return nil
}

// readAll reads a body. Where it is not small, that needs one of the places
// for large ones.
func (s *Server) readAll(body io.Reader) ([]byte, error) {
	var b bytes.Buffer
	n, err := io.CopyN(&b, body, smallBody)
	if err == io.EOF {
		return b.Bytes(), nil
	}
	if err != nil || n < smallBody {
		return nil, err
	}
	select {
	case s.reading <- struct{}{}:
		defer func() { <-s.reading }()
	default:
		return nil, errShed
	}
	_, err = io.Copy(&b, body)
	return b.Bytes(), err
}
