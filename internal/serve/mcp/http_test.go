package mcp

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/openprecedent/precedent/internal/app"
)

func listenHTTP(t *testing.T, opt Options) *httptest.Server {
	t.Helper()
	a := public(t)
	mux := http.NewServeMux()
	mux.Handle("/mcp", New(func() *app.App { return a }, opt).Handler())
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server
}

func connectHTTP(t *testing.T, url string) *sdk.ClientSession {
	t.Helper()
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil)
	c, err := client.Connect(context.Background(), &sdk.StreamableClientTransport{Endpoint: url + "/mcp"}, nil)
	if err != nil {
		t.Fatalf("connecting: %v", err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

// TestSameOverHTTP finds the same answers as in memory, for many clients at
// once.
func TestSameOverHTTP(t *testing.T) {
	server := listenHTTP(t, Options{})
	memory := connect(t)
	want := make([]string, len(calls))
	for i, x := range calls {
		want[i] = contentOf(t, call(t, memory, x.name, x.args))
	}
	var wait sync.WaitGroup
	for range 3 {
		c := connectHTTP(t, server.URL)
		wait.Go(func() {
			for i, x := range calls {
				res, err := c.CallTool(context.Background(), &sdk.CallToolParams{Name: x.name, Arguments: x.args})
				if err != nil {
					t.Errorf("%s %v: %v", x.name, x.args, err)
					return
				}
				if got := res.Content[0].(*sdk.TextContent).Text; got != want[i] {
					t.Errorf("%s %v differs over HTTP", x.name, x.args)
				}
			}
		})
	}
	wait.Wait()
}

const initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`

// send posts a message and returns the response with its body.
func send(t *testing.T, server *httptest.Server, method, body string, header map[string]string) (*http.Response, string) {
	t.Helper()
	req, err := http.NewRequest(method, server.URL+"/mcp", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	for name, value := range header {
		if name == "Host" {
			req.Host = value
			continue
		}
		req.Header.Set(name, value)
	}
	res, err := server.Client().Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	raw, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res, string(raw)
}

func TestOrigins(t *testing.T) {
	private := listenHTTP(t, Options{Origins: []string{"https://console.example.com/"}})
	open := listenHTTP(t, Options{Origins: []string{"*"}})
	for _, x := range []struct {
		server *httptest.Server
		origin string
		status int
		allow  string
	}{
		{private, "", 200, ""},
		{private, "http://localhost:6274", 200, "http://localhost:6274"},
		{private, "http://127.0.0.1:3000", 200, "http://127.0.0.1:3000"},
		{private, "http://[::1]:3000", 200, "http://[::1]:3000"},
		{private, "https://console.example.com", 200, "https://console.example.com"},
		{private, "https://CONSOLE.example.com", 200, "https://CONSOLE.example.com"},
		{private, "http://console.example.com", 403, ""},
		{private, "https://evil.example", 403, ""},
		{private, "http://localhost.evil.example", 403, ""},
		{private, "http://127.0.0.1.evil.example", 403, ""},
		{private, "null", 403, ""},
		{private, "file://localhost", 403, ""},
		{open, "https://anybody.example", 200, "*"},
		{open, "null", 200, "*"},
	} {
		res, body := send(t, x.server, http.MethodPost, initialize, map[string]string{"Origin": x.origin})
		if got := res.Header.Get("Access-Control-Allow-Origin"); res.StatusCode != x.status || got != x.allow {
			t.Errorf("origin %q: %d, allowed %q, want %d, %q: %s", x.origin, res.StatusCode, got, x.status, x.allow, body)
		}
	}
}

// TestHost refuses a page whose name was made to point at this machine.
func TestHost(t *testing.T) {
	server := listenHTTP(t, Options{})
	for host, want := range map[string]int{"evil.example": 403, "evil.example:8080": 403, "localhost:8080": 200} {
		res, body := send(t, server, http.MethodPost, initialize, map[string]string{"Host": host})
		if res.StatusCode != want {
			t.Errorf("host %q: %d, want %d: %s", host, res.StatusCode, want, body)
		}
	}
}

func TestPreflight(t *testing.T) {
	server := listenHTTP(t, Options{})
	res, _ := send(t, server, http.MethodOptions, "", map[string]string{
		"Origin": "http://localhost:6274", "Access-Control-Request-Method": "POST",
		"Access-Control-Request-Headers": "content-type, mcp-protocol-version, mcp-param-region, x-evil, mcp-param-a b",
	})
	got := res.Header.Get("Access-Control-Allow-Headers")
	for _, want := range []string{"Content-Type", "Accept", "MCP-Protocol-Version", "Mcp-Method", "Mcp-Name", "Mcp-Param-Region", "Last-Event-ID"} {
		if !strings.Contains(got, want) {
			t.Errorf("allowed headers are %q, want %s among them", got, want)
		}
	}
	if strings.Contains(strings.ToLower(got), "evil") || strings.Contains(got, "a b") {
		t.Errorf("allowed headers are %q, with one that nobody knows", got)
	}
	if res.StatusCode != http.StatusNoContent || !strings.Contains(res.Header.Get("Access-Control-Allow-Methods"), "POST") {
		t.Errorf("preflight: %d, methods %q", res.StatusCode, res.Header.Get("Access-Control-Allow-Methods"))
	}
	if res, _ := send(t, server, http.MethodOptions, "", map[string]string{"Origin": "https://evil.example", "Access-Control-Request-Method": "POST"}); res.StatusCode != 403 {
		t.Errorf("preflight of another origin: %d, want 403", res.StatusCode)
	}
}

func TestBounds(t *testing.T) {
	server := listenHTTP(t, Options{})
	for _, x := range []struct {
		method, body string
		header       map[string]string
		want         int
	}{
		{http.MethodPost, strings.Replace(initialize, `"t"`, `"`+strings.Repeat("t", maxBody)+`"`, 1), nil, 413},
		{http.MethodGet, "", nil, 405},
		{http.MethodDelete, "", nil, 405},
		{http.MethodPost, initialize, map[string]string{"Content-Type": "text/plain"}, 415},
		{http.MethodPost, "{", nil, 400},
	} {
		if res, body := send(t, server, x.method, x.body, x.header); res.StatusCode != x.want {
			t.Errorf("%s of %d bytes: %d, want %d: %.200s", x.method, len(x.body), res.StatusCode, x.want, body)
		}
	}
}

// TestProtocolErrors holds the errors over HTTP to those over standard output.
func TestProtocolErrors(t *testing.T) {
	server := listenHTTP(t, Options{})
	for _, x := range []struct {
		name, body string
		header     map[string]string
		want       string
	}{
		{"unknown method", `{"jsonrpc":"2.0","id":"a7","method":"nosuch"}`, nil, `{"code":-32601,"id":"a7"}`},
		{"broken JSON", `{"jsonrpc":"2.0","id":`, nil, `{"code":-32700,"id":null}`},
		{"no message", `{"id":7}`, nil, `{"code":-32600,"id":7}`},
		{"another type", initialize, map[string]string{"Content-Type": "text/plain"}, `{"code":-32600,"id":null}`},
	} {
		res, body := send(t, server, http.MethodPost, x.body, x.header)
		var got struct {
			ID    any
			Error struct{ Code int }
		}
		if err := json.Unmarshal([]byte(body), &got); err != nil {
			t.Errorf("%s: %d %q is not JSON: %v", x.name, res.StatusCode, body, err)
			continue
		}
		short := string(mustJSON(t, map[string]any{"id": got.ID, "code": got.Error.Code}))
		if kind := res.Header.Get("Content-Type"); short != x.want || kind != "application/json" || res.StatusCode < 400 {
			t.Errorf("%s: %d %s %s, want %s", x.name, res.StatusCode, kind, body, x.want)
		}
	}
}

// TestWrongParams asks with parameters that methods do not take, over HTTP and over
// standard input: the answer names each with its value and what to write, and no type
// of the program.
func TestWrongParams(t *testing.T) {
	a := public(t)
	s := New(func() *app.App { return a }, Options{})
	server := listenHTTP(t, Options{})
	for _, x := range []struct {
		method, params string
		want           []string
	}{
		{"tools/call", `{"name":5,"arguments":{}}`, []string{"params.name is 5; write the name of a tool"}},
		{"tools/call", `{"arguments":{}}`, []string{"params.name is missing"}},
		{"tools/call", `[1]`, []string{"params is [1]; write an object"}},
		{"tools/call", `{"name":"vocab","_meta":3}`, []string{"params._meta is 3"}},
		{"prompts/get", `{"name":7,"arguments":{"symptoms":8}}`, []string{"params.name is 7", `params.arguments is {"symptoms":8}; write an object of texts`}},
		{"prompts/get", `{"name":"seen-before","arguments":{"symptoms":"slow","lang":"xx"}}`, []string{`"lang" is "xx": write en or ko`}},
		{"resources/read", `{"uri":null}`, []string{"params.uri is missing"}},
		{"completion/complete", `{"ref":{"type":1},"argument":"x"}`, []string{"params.ref.type is 1", `params.argument is "x"`}},
		{"completion/complete", `{}`, []string{"params.ref is missing", "params.argument is missing"}},
		{"tools/list", `{"cursor":{}}`, []string{"params.cursor is {}"}},
		{"initialize", `{"protocolVersion":1,"capabilities":[],"clientInfo":{"name":2}}`,
			[]string{"params.protocolVersion is 1", "params.capabilities is []", "params.clientInfo.name is 2"}},
	} {
		body := fmt.Sprintf(`{"jsonrpc":"2.0","id":"q","method":%q,"params":%s}`, x.method, x.params)
		var out strings.Builder
		if err := s.Run(context.Background(), io.NopCloser(strings.NewReader(initialize+"\n"+body+"\n")), keep{&out}); err != nil {
			t.Fatal(err)
		}
		_, overHTTP := send(t, server, http.MethodPost, body, nil)
		for face, answer := range map[string]string{"stdio": out.String(), "http": overHTTP} {
			at := strings.Index(answer, `"code":-32602`)
			if at < 0 || !strings.Contains(answer, `"id":"q"`) || strings.Contains(answer, "Params") || strings.Contains(answer, "Go ") {
				t.Errorf("%s %s over %s: %s", x.method, x.params, face, answer)
			}
			for _, want := range x.want {
				if !strings.Contains(strings.ReplaceAll(answer, `\"`, `"`), want) {
					t.Errorf("%s %s over %s: nothing says %q: %s", x.method, x.params, face, want, answer)
				}
			}
		}
	}
	res, _ := send(t, server, http.MethodPost, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}`, map[string]string{"MCP-Protocol-Version": newProtocol})
	if res.StatusCode != http.StatusBadRequest {
		t.Errorf("by the new protocol the status is %d, want 400", res.StatusCode)
	}
}

// TestCancellation ends the work of a request whose client has gone.
func TestCancellation(t *testing.T) {
	started, ended := make(chan struct{}), make(chan struct{})
	server := listenHTTP(t, Options{Extend: func(s *sdk.Server) {
		s.AddTool(&sdk.Tool{Name: "wait", InputSchema: map[string]any{"type": "object"}},
			func(ctx context.Context, _ *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
				close(started)
				<-ctx.Done()
				close(ended)
				return nil, ctx.Err()
			})
	}})
	c := connectHTTP(t, server.URL)
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		<-started
		cancel()
	}()
	if _, err := c.CallTool(ctx, &sdk.CallToolParams{Name: "wait"}); err == nil {
		t.Error("a cancelled call succeeded")
	}
	select {
	case <-ended:
	case <-time.After(10 * time.Second):
		t.Error("the tool still runs 10 s after its client has gone")
	}
}

// TestPanic keeps one request from ending the others, and tells nothing.
func TestPanic(t *testing.T) {
	server := listenHTTP(t, Options{Extend: func(s *sdk.Server) {
		s.AddTool(&sdk.Tool{Name: "fall", InputSchema: map[string]any{"type": "object"}},
			func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) { panic("secret") })
	}})
	c := connectHTTP(t, server.URL)
	_, err := c.CallTool(context.Background(), &sdk.CallToolParams{Name: "fall"})
	if err == nil || strings.Contains(err.Error(), "secret") {
		t.Errorf("a panic gives the error %v", err)
	}
	if res := call(t, c, "vocab", args{}); res.IsError {
		t.Error("the server does not answer after a panic")
	}
}

func TestStdio(t *testing.T) {
	a := public(t)
	s := New(func() *app.App { return a }, Options{})
	requests := initialize + "\n" + `{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n"
	for i := range 5 {
		requests += `{"jsonrpc":"2.0","id":"` + strings.Repeat("x", i+1) + `","method":"tools/call","params":{"name":"search_incidents","arguments":{"query":"cache restart"}}}` + "\n"
	}
	var out strings.Builder
	err := s.Run(context.Background(), io.NopCloser(strings.NewReader(requests)), keep{&out})
	if err != nil {
		t.Errorf("the input ended, and Run says %v", err)
	}
	lines := 0
	for scan := bufio.NewScanner(strings.NewReader(out.String())); scan.Scan(); lines++ {
		if !strings.Contains(scan.Text(), `"result"`) {
			t.Errorf("line %d: %.200s", lines, scan.Text())
		}
	}
	if lines != 6 {
		t.Errorf("%d answers to 6 requests before the input ended", lines)
	}
}

// TestStdioSurvivesNonsense asks between lines that are no messages.
func TestStdioSurvivesNonsense(t *testing.T) {
	a := public(t)
	s := New(func() *app.App { return a }, Options{})
	for _, tt := range []struct{ name, line, want string }{
		{"no JSON", "hello", `"code":-32700`},
		{"bytes", "\xff\xfe\x00", `"code":-32700`},
		{"half", `{"jsonrpc":"2.0","id":1,`, `"code":-32700`},
		{"two", `{"jsonrpc":"2.0","id":1,"method":"ping"} {}`, `"code":-32700`},
		{"too long", `{"a":"` + strings.Repeat("x", maxLine) + `"}`, `"code":-32700`},
		{"deep", strings.Repeat("[", 100_000), `"code":-32700`},
		{"number", "1", `"code":-32600`},
		{"null", "null", `"code":-32600`},
		{"nothing", "[]", `"code":-32600`},
		{"list of numbers", "[1]", `"code":-32600`},
		{"other version", `{"jsonrpc":"1.0","id":9007199254740993,"method":"ping"}`, `"id":9007199254740993`},
		{"method of another type", `{"jsonrpc":"2.0","id":"a","method":5}`, `"id":"a"`},
		{"id of another type", `{"jsonrpc":"2.0","id":{},"method":"ping"}`, `"id":null`},
	} {
		var out strings.Builder
		requests := initialize + "\n" + tt.line + "\n\n" + `{"jsonrpc":"2.0","id":"last","method":"ping"}` + "\n"
		if err := s.Run(context.Background(), io.NopCloser(strings.NewReader(requests)), keep{&out}); err != nil {
			t.Errorf("%s: Run says %v", tt.name, err)
		}
		if got := out.String(); strings.Count(got, tt.want) != 1 || !strings.Contains(got, `"id":"last","result"`) {
			t.Errorf("%s: want %s and an answer to the last request:\n%.3000s", tt.name, tt.want, got)
		}
	}
	// A pasted log is no nonsense.
	var out strings.Builder
	long := `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"search_incidents","arguments":{"query":"cache ` +
		strings.Repeat("x ", 1<<20) + `"}}}`
	err := s.Run(context.Background(), io.NopCloser(strings.NewReader(initialize+"\n"+long)), keep{&out})
	if err != nil || !strings.Contains(out.String(), `"id":2,"result"`) {
		t.Errorf("a query of 2 MB: Run says %v and answers %.300s", err, out.String())
	}
}

func TestStdioStops(t *testing.T) {
	a := public(t)
	s := New(func() *app.App { return a }, Options{})
	in, held := io.Pipe()
	defer held.Close()
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error)
	go func() { ended <- s.Run(ctx, in, keep{io.Discard}) }()
	cancel()
	select {
	case err := <-ended:
		if err != nil {
			t.Errorf("asked to end, Run says %v", err)
		}
	case <-time.After(10 * time.Second):
		t.Error("Run goes on 10 s after it was asked to end")
	}
}

// keep is a writer that stays open.
type keep struct{ io.Writer }

func (keep) Close() error { return nil }
