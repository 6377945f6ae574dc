package serve

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
)

// start serves opt on loopback until the test ends. Faces that opt leaves out
// say what they are.
func start(t *testing.T, opt Options) (s *Server, addr string) {
	t.Helper()
	if opt.Library == nil {
		opt.Library, _ = openTest(t)
	}
	if opt.Faces == nil {
		opt.Faces = Negotiate(say("page"), say("data"))
	}
	if opt.MCP == nil {
		opt.MCP = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			n, err := io.Copy(io.Discard, r.Body)
			fmt.Fprintf(w, "%s %d %v", r.Method, n, err)
		})
	}
	if opt.Log == nil {
		opt.Log = quiet()
	}
	s = New(opt)
	s.timeouts = timeouts{2 * time.Second, 3 * time.Second, 4 * time.Second, 5 * time.Second}
	l, err := Listen(t.Context(), "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error)
	go func() { done <- s.Serve(ctx, l) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Errorf("Serve = %v, want nil after a stop", err)
		}
	})
	return s, l.Addr().String()
}

// raw sends bytes as they are and returns the first answer.
//
// The field Connection is put back into the header, where http.ReadResponse
// takes it from.
func raw(t *testing.T, addr, request string) (status int, header http.Header, body string) {
	t.Helper()
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(20 * time.Second))
	go func() { _, _ = io.WriteString(conn, request) }() // the server may hang up first
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		return 0, nil, err.Error()
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Errorf("reading the answer: %v", err)
	}
	if resp.Close {
		resp.Header.Set("Connection", "close")
	}
	return resp.StatusCode, resp.Header, string(b)
}

func TestHostileRequests(t *testing.T) {
	_, addr := start(t, Options{})
	long := strings.Repeat("a", maxURL)
	for _, tt := range []struct {
		name, request string
		want          int
	}{
		{"good", "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", 200},
		{"HTTP/1.0", "GET / HTTP/1.0\r\n\r\n", 421}, // it names no host
		{"HTTP/1.0 with host", "GET / HTTP/1.0\r\nHost: localhost:8080\r\n\r\n", 200},
		{"HTTP/1.1 without host", "GET / HTTP/1.1\r\n\r\n", 400},
		{"HTTP/9", "GET / HTTP/9.9\r\nHost: localhost\r\n\r\n", 505},
		{"HTTP/2 preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400},
		{"TLS", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 400},
		{"nonsense", "hello\r\n\r\n", 400},
		{"spaces in the address", "GET /a b HTTP/1.1\r\nHost: localhost\r\n\r\n", 400},
		{"strange host", "GET / HTTP/1.1\r\nHost: rebound.example\r\n\r\n", 421},
		{"two hosts", "GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n", 400},
		{"host with a path", "GET / HTTP/1.1\r\nHost: localhost/x\r\n\r\n", 400},
		{"absolute address", "GET http://evil.example/ HTTP/1.1\r\nHost: localhost\r\n\r\n", 421},
		{"CONNECT", "CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443\r\n\r\n", 400},
		{"TRACE", "TRACE / HTTP/1.1\r\nHost: localhost\r\n\r\n", 405},
		{"PUT", "PUT / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\n\r\nx", 405},
		{"POST to a page", "POST /search HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\n\r\nx", 405},
		{"invented method", "BREW / HTTP/1.1\r\nHost: localhost\r\n\r\n", 405},
		{"asterisk", "OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n", 200},
		{"asterisk of GET", "GET * HTTP/1.1\r\nHost: localhost\r\n\r\n", 400},
		{"long address", "GET /" + long + " HTTP/1.1\r\nHost: localhost\r\n\r\n", 414},
		{"long query", "GET /search?q=" + long + " HTTP/1.1\r\nHost: localhost\r\n\r\n", 414},
		{"huge header", "GET / HTTP/1.1\r\nHost: localhost\r\nX: " + strings.Repeat("x", 64<<10) + "\r\n\r\n", 431},
		{"many headers", "GET / HTTP/1.1\r\nHost: localhost\r\n" + strings.Repeat("X: y\r\n", 10_000) + "\r\n", 431},
		{"traversal", "GET /static/../../etc/passwd HTTP/1.1\r\nHost: localhost\r\n\r\n", 400},
		{"encoded traversal", "GET /static/%2e%2e/%2e%2e/etc/passwd HTTP/1.1\r\nHost: localhost\r\n\r\n", 400},
		{"encoded slashes", "GET /static/..%2f..%2fetc%2fpasswd HTTP/1.1\r\nHost: localhost\r\n\r\n", 400},
		{"backslashes", "GET /static/..%5c..%5cetc HTTP/1.1\r\nHost: localhost\r\n\r\n", 400},
		{"zero byte", "GET /cases/IL-0282%00.json HTTP/1.1\r\nHost: localhost\r\n\r\n", 400},
		{"line end in the path", "GET /cases/a%0d%0aX:y HTTP/1.1\r\nHost: localhost\r\n\r\n", 400},
		{"other host in the path", "GET //evil.example/ HTTP/1.1\r\nHost: localhost\r\n\r\n", 400},
		{"bad escape", "GET /%zz HTTP/1.1\r\nHost: localhost\r\n\r\n", 400},
		{"two lengths", "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello", 400},
		{"negative length", "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n", 400},
		{"length and chunks", "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 200},
		{"strange encoding", "POST /mcp HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n", 501},
		{"bad chunk", "POST /mcp HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", 400},
		{"space before the colon", "GET / HTTP/1.1\r\nHost : localhost\r\n\r\n", 400},
		{"folded header", "GET / HTTP/1.1\r\nHost: localhost\r\nX: a\r\n b\r\n\r\n", 200},
		{"body that never ends well", "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2000000\r\n\r\n", 413},
		{"message", "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nhello", 200},
	} {
		t.Run(tt.name, func(t *testing.T) {
			status, header, body := raw(t, addr, tt.request)
			if status != tt.want {
				t.Fatalf("got %d %q, want %d", status, body, tt.want)
			}
			if strings.Contains(body, "evil") || strings.Contains(body, "goroutine") {
				t.Errorf("the answer repeats the request or shows the inside: %q", body)
			}
			if status == 405 && header.Get("Allow") == "" {
				t.Error("405 without Allow")
			}
		})
	}
}

// TestAllowedMethods names the methods that an address takes, not those of
// another.
func TestAllowedMethods(t *testing.T) {
	_, addr := start(t, Options{})
	for path, want := range map[string]string{
		"/": "GET, HEAD, OPTIONS", "/cases.json": "GET, HEAD, OPTIONS", "/mcp": "POST, OPTIONS",
		"/api/v1/runs": "POST, OPTIONS", "/api/v1/runs/x": "GET, HEAD, DELETE, OPTIONS",
	} {
		status, header, body := raw(t, addr, "PUT "+path+" HTTP/1.1\r\nHost: localhost\r\n\r\n")
		if got := header.Get("Allow"); status != 405 || got != want {
			t.Errorf("PUT %s: %d, Allow %q, want 405, %q", path, status, got, want)
		}
		if strings.HasPrefix(want, "POST") && strings.Contains(body, "use GET") {
			t.Errorf("PUT %s: %q", path, body)
		}
	}
}

// TestMetricsStayHere asks as a page whose name was made to resolve to
// loopback would, and through a proxy on this machine.
func TestMetricsStayHere(t *testing.T) {
	_, addr := start(t, Options{Metrics: true})
	for fields, want := range map[string]int{
		"Host: localhost\r\n":                               200,
		"Host: rebound.example\r\n":                         404,
		"Host: localhost\r\nX-Forwarded-For: 192.0.2.1\r\n": 404,
		"Host: localhost\r\nForwarded: for=192.0.2.1\r\n":   404,
		"Host: localhost\r\nX-Forwarded-Proto: https\r\n":   404,
		"Host: localhost\r\nVia: 1.1 proxy.example\r\n":     404,
		"Host: localhost\r\nX-Real-IP: 192.0.2.1\r\n":       404,
	} {
		if got, _, _ := raw(t, addr, "GET /metrics HTTP/1.1\r\n"+fields+"\r\n"); got != want {
			t.Errorf("%q: got %d, want %d", fields, got, want)
		}
	}
}

// TestSmuggling sends a second request in the body of a first: with a length
// and chunks, the chunks decide, and the connection ends there.
func TestSmuggling(t *testing.T) {
	_, addr := start(t, Options{})
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(10 * time.Second))
	_, err = io.WriteString(conn, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 6\r\n"+
		"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /smuggled HTTP/1.1\r\nHost: localhost\r\n\r\n")
	if err != nil {
		t.Fatal(err)
	}
	got, err := io.ReadAll(conn)
	if err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(got, []byte("HTTP/1.1 ")); n != 1 {
		t.Errorf("%d answers, want 1:\n%s", n, got)
	}
}

func TestBodyOfGetIsIgnored(t *testing.T) {
	_, addr := start(t, Options{Faces: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n, _ := io.Copy(w, r.Body)
		fmt.Fprint(w, n)
	})})
	status, header, body := raw(t, addr, "GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nhello")
	if status != 200 || body != "0" || header.Get("Connection") != "close" {
		t.Errorf("got %d %q %v, want 200, an empty body and the connection closed", status, body, header)
	}
}

func TestHugeBody(t *testing.T) {
	_, addr := start(t, Options{})
	chunk := "10000\r\n" + strings.Repeat("x", 0x10000) + "\r\n"
	status, _, _ := raw(t, addr, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"+
		strings.Repeat(chunk, 40))
	if status != http.StatusRequestEntityTooLarge {
		t.Errorf("2.5 MB in chunks = %d, want 413", status)
	}
	resp, err := http.Post("http://"+addr+"/mcp", "application/json", bytes.NewReader(make([]byte, maxBody)))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if body, _ := io.ReadAll(resp.Body); string(body) != fmt.Sprintf("POST %d <nil>", maxBody) {
		t.Errorf("a message of the largest size = %d %q", resp.StatusCode, body)
	}
}

// TestHugeBodyIsToldOff sends bodies as many clients do, whole, before it reads the
// answer: it must be there, and the connection must not have been reset.
func TestHugeBodyIsToldOff(t *testing.T) {
	_, addr := start(t, Options{})
	const size = 5 << 20
	length := "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
	for name, request := range map[string]string{
		"length": length + fmt.Sprintf("Content-Length: %d\r\n\r\n", size) + strings.Repeat("x", size),
		"chunks": length + "Transfer-Encoding: chunked\r\n\r\n" + fmt.Sprintf("%x\r\n", size) + strings.Repeat("x", size) + "\r\n0\r\n\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			conn, err := net.Dial("tcp", addr)
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			_ = conn.SetDeadline(time.Now().Add(20 * time.Second))
			if _, err := io.WriteString(conn, request); err != nil {
				t.Fatalf("sending the body: %v", err)
			}
			all, err := io.ReadAll(conn)
			if err != nil {
				t.Fatalf("reading the answer: %v", err)
			}
			for _, want := range []string{"HTTP/1.1 413 ", "\r\nContent-Type: application/problem+json\r\n", "\r\nConnection: close\r\n", `"status":413`} {
				if !strings.Contains(string(all), want) {
					t.Errorf("no %q in the answer %q", want, all)
				}
			}
		})
	}
	resp, err := http.Post("http://"+addr+"/mcp", "application/json", bytes.NewReader(make([]byte, size)))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if body, err := io.ReadAll(resp.Body); resp.StatusCode != http.StatusRequestEntityTooLarge || err != nil {
		t.Errorf("http.Post is answered by %d %q, %v", resp.StatusCode, body, err)
	}
}

// TestLargeBodiesAtOnce takes all places for large bodies: small messages pass
// all the same.
func TestLargeBodiesAtOnce(t *testing.T) {
	s, addr := start(t, Options{})
	for range maxReading {
		s.reading <- struct{}{}
	}
	for size, want := range map[int]int{100: 200, smallBody - 1: 200, smallBody + 1: 503} {
		resp, err := http.Post("http://"+addr+"/mcp", "application/json", bytes.NewReader(make([]byte, size)))
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != want {
			t.Errorf("a body of %d bytes = %d, want %d", size, resp.StatusCode, want)
		}
	}
}

// TestSlowClients keeps more slow connections open than there are slots and
// body readers; others are served meanwhile, and the slow ones are cut off.
func TestSlowClients(t *testing.T) {
	large := make([]byte, 8<<20) // more than the kernel buffers for a client that reads nothing
	s, addr := start(t, Options{Faces: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write(large)
	})})
	var slow sync.WaitGroup
	for i, request := range []string{
		"GET / HTTP/1.1\r\nHost: localhost\r\nX: ",                                      // header drop by drop
		"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{\"json",   // body drop by drop
		"GET / HTTP/1.1\r\nHost: localhost\r\nAccept: text/html\r\n\r\n",                // reads nothing
		"GET /search HTTP/1.1\r\nHost: localhost\r\nAccept: text/html\r\n\r\nGET /x HT", // reads nothing, sends more
	} {
		for range 20 {
			conn, err := net.Dial("tcp", addr)
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			if _, err := io.WriteString(conn, request); err != nil {
				t.Fatal(err)
			}
			if i > 1 {
				continue
			}
			slow.Go(func() {
				_ = conn.SetReadDeadline(time.Now().Add(s.timeouts.read + 10*time.Second))
				began := time.Now()
				_, err := io.Copy(io.Discard, conn)
				if err != nil {
					t.Errorf("slow client %d was not cut off: %v after %v", i, err, time.Since(began))
				}
			})
		}
	}
	time.Sleep(200 * time.Millisecond)
	for range 50 {
		for _, path := range []string{"/search.json?q=a", "/cases.json"} {
			began := time.Now()
			resp, err := http.Get("http://" + addr + path)
			if err != nil {
				t.Fatal(err)
			}
			resp.Body.Close()
			if took := time.Since(began); resp.StatusCode != http.StatusOK || took > 2*time.Second {
				t.Fatalf("with slow clients around, %s = %d after %v, want 200 at once", path, resp.StatusCode, took)
			}
		}
	}
	for name, l := range s.gate.lines {
		if busy, _ := l.counts(); busy != 0 {
			t.Errorf("line %s: %d slots are held by clients that read slowly", name, busy)
		}
	}
	slow.Wait()
}

// TestManyConnections opens more connections than one address may have.
func TestManyConnections(t *testing.T) {
	s, addr := start(t, Options{Rate: 1})
	open := 0
	for range maxConnsAddress + 20 {
		conn, err := net.Dial("tcp", addr)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		if _, err := io.WriteString(conn, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"); err != nil {
			continue
		}
		_ = conn.SetReadDeadline(time.Now().Add(5 * time.Second))
		if _, err := http.ReadResponse(bufio.NewReader(conn), nil); err == nil {
			open++
		}
	}
	if open != maxConnsAddress {
		t.Errorf("%d connections of one address were served, want %d", open, maxConnsAddress)
	}
	if got := s.metrics.text(t, "precedent_connections_refused_total", "address"); got != "20" {
		t.Errorf("%s connections counted as refused, want 20", got)
	}
}

// TestConnectionsMakeRoom fills the total; the longest idle one makes room.
func TestConnectionsMakeRoom(t *testing.T) {
	s := New(Options{Library: must(openTest(t)), Log: quiet(), Faces: say("page")})
	inner, err := Listen(t.Context(), "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	b := s.bound(inner)
	b.total = 3
	server := &http.Server{Handler: s, ConnState: b.state}
	go server.Serve(b)
	defer server.Close()
	get := func(conn net.Conn) error {
		_ = conn.SetDeadline(time.Now().Add(5 * time.Second))
		if _, err := io.WriteString(conn, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"); err != nil {
			return err
		}
		_, err := http.ReadResponse(bufio.NewReader(conn), nil)
		return err
	}
	var conns []net.Conn
	for range 5 {
		conn, err := net.Dial("tcp", inner.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		if err := get(conn); err != nil {
			t.Fatalf("connection %d is not served: %v", len(conns), err)
		}
		conns = append(conns, conn)
	}
	// Which of the older ones went depends on when the server saw them idle.
	alive := 0
	for _, conn := range conns {
		if get(conn) == nil {
			alive++
		}
	}
	if alive != b.total || get(conns[4]) != nil {
		t.Errorf("%d of 5 connections are alive, want %d and the newest among them", alive, b.total)
	}
}

func must(l *Library, _ string) *Library { return l }

func TestRateLimit(t *testing.T) {
	var log logBuffer
	s, addr := start(t, Options{Rate: 0.1, Log: slog.New(slog.NewTextHandler(&log, nil))})
	counts := map[int]int{}
	var retry string
	for range 30 {
		resp, err := http.Get("http://" + addr + "/search.json?q=secret")
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		counts[resp.StatusCode]++
		if resp.StatusCode == http.StatusTooManyRequests {
			retry = resp.Header.Get("Retry-After")
		}
	}
	// 40 units are saved up, five each.
	if counts[200] < 8 || counts[200] > 10 || counts[429] != 30-counts[200] || retry != "1" {
		t.Errorf("answers %v, Retry-After %q, want about 8 of 30 and 1", counts, retry)
	}
	if got := s.metrics.text(t, "precedent_rate_limited_total", "search"); got != fmt.Sprint(counts[429]) {
		t.Errorf("%s counted as rate limited, want %d", got, counts[429])
	}
	if strings.Contains(log.String(), "status=429") || strings.Contains(log.String(), "secret") {
		t.Errorf("the log has single refusals or queries:\n%s", log.String())
	}
}
