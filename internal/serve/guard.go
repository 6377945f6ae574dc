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
			detail: both(fmt.Sprintf("an address may have %d bytes", maxURL), fmt.Sprintf("주소는 %d바이트까지다", maxURL)),
			remedy: both("shorten the query", "질의를 줄인다"),
		}
	case !cleanPath(r):
		return &refusal{
			status: http.StatusBadRequest, close: true,
			detail: both("the address is not a plain path", "주소가 보통의 경로가 아니다"),
			remedy: both("write it without dot segments, backslashes and control characters",
				"점 세그먼트(. ..), 역슬래시, 제어 문자 없이 쓴다"),
		}
	case !allowed(r.Method, c):
		return wrongMethod(r, c)
	case (r.Method == http.MethodPost || r.Method == http.MethodDelete) && c != classMCP && !s.mayAsk(r):
		return &refusal{
			status: http.StatusForbidden, close: true,
			detail: both("pages of other sites may not start simulations here", "다른 사이트의 페이지는 여기서 시뮬레이션을 시작할 수 없다"),
			remedy: both("ask from a page of this server, or start it with --allow-origin",
				"이 서버의 페이지에서 요청하거나 서버를 --allow-origin과 함께 시작한다"),
		}
	case c != classHealth && !s.hostAllowed(r):
		return &refusal{
			status: http.StatusMisdirectedRequest,
			detail: both("this server answers to loopback names only", "이 서버는 루프백 이름에만 답한다"),
			remedy: both("start it with --base-url to give it another name", "다른 이름을 주려면 --base-url과 함께 시작한다"),
		}
	}
	return nil
}

// wrongMethod refuses a method and names the ones that the address takes.
func wrongMethod(r *http.Request, c *class) *refusal {
	f := &refusal{
		status: http.StatusMethodNotAllowed, allow: "GET, HEAD, OPTIONS",
		detail: both("the library is read-only", "라이브러리는 읽기 전용이다"), remedy: both("use GET or HEAD", "GET이나 HEAD를 쓴다"),
	}
	switch {
	case c == classMCP:
		f.allow, f.remedy = "POST, OPTIONS", both("use POST", "POST를 쓴다")
		f.detail = both("MCP is spoken with POST", "MCP는 POST로 요청한다")
	case r.URL.Path == "/api/v1/runs":
		f.allow, f.remedy = "POST, OPTIONS", both("use POST", "POST를 쓴다")
		f.detail = both("simulations are started with POST", "시뮬레이션은 POST로 시작한다")
	case c == classState:
		f.allow, f.remedy = "GET, HEAD, DELETE, OPTIONS", both("use GET or DELETE", "GET이나 DELETE를 쓴다")
		f.detail = both("a simulation is read or taken back", "시뮬레이션은 읽거나 그만둘 수만 있다")
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
		detail: both("this client address asks faster than a reader or an agent would",
			"이 주소에서 오는 요청이 사람이나 에이전트가 읽는 것보다 잦다"),
		remedy: both("wait as long as Retry-After says; to read everything, take /all.zip once",
			"Retry-After에 적힌 만큼 기다린다. 전부 읽으려면 /all.zip을 한 번 받는다"),
	}
}

// busy is the answer where the gate turned a request away. The waits differ, so
// that those turned away together do not come back together.
func busy() *refusal {
	return &refusal{
		status: http.StatusServiceUnavailable, retry: 1 + rand.IntN(3),
		detail: both("more is asked at the moment than can be answered in time", "지금은 제때 답할 수 있는 것보다 요청이 많다"),
		remedy: both("wait as long as Retry-After says", "Retry-After에 적힌 만큼 기다린다"),
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
		detail: both(fmt.Sprintf("a message may have %d bytes", maxBody), fmt.Sprintf("메시지는 %d바이트까지다", maxBody)),
		remedy: both("send a smaller one", "더 작게 줄여 보낸다"),
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
			detail: both("the body could not be read to its end in time", "본문을 제때 끝까지 받지 못했다"),
			remedy: both("send the request again", "요청을 다시 보낸다"),
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
