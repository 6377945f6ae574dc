package mcp

import (
	"context"
	"sync"
	"testing"
	"unicode/utf8"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/openprecedent/precedent/corpus"
	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/library"
)

// openPublic loads the public library, once for all tests.
var openPublic = sync.OnceValues(func() (*app.App, error) {
	lib, problems := library.Load(library.Layer{Name: "public", FS: corpus.FS})
	if lib == nil {
		return nil, problems.Errors()
	}
	return app.New(lib), nil
})

func public(t testing.TB) *app.App {
	t.Helper()
	a, err := openPublic()
	if err != nil {
		t.Fatalf("loading the public library: %v", err)
	}
	return a
}

// connect returns a client of a server of the public library.
func connect(t testing.TB) *sdk.ClientSession {
	t.Helper()
	a := public(t)
	s := New(func() *app.App { return a }, Options{})
	here, there := sdk.NewInMemoryTransports()
	if _, err := s.server(false).Connect(context.Background(), there, nil); err != nil {
		t.Fatalf("starting the server: %v", err)
	}
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil)
	session, err := client.Connect(context.Background(), here, nil)
	if err != nil {
		t.Fatalf("connecting: %v", err)
	}
	t.Cleanup(func() { _ = session.Close() })
	return session
}

// call calls a tool and returns its result.
func call(t testing.TB, c *sdk.ClientSession, name string, args any) *sdk.CallToolResult {
	t.Helper()
	res, err := c.CallTool(context.Background(), &sdk.CallToolParams{Name: name, Arguments: args})
	if err != nil {
		t.Fatalf("calling %s with %v: %v", name, args, err)
	}
	return res
}

func contentOf(t testing.TB, res *sdk.CallToolResult) string {
	t.Helper()
	if len(res.Content) != 1 {
		t.Fatalf("the result has %d contents, want 1", len(res.Content))
	}
	return res.Content[0].(*sdk.TextContent).Text
}

func structuredOf(t testing.TB, res *sdk.CallToolResult) string {
	t.Helper()
	raw, err := marshal(res.StructuredContent)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

type args map[string]any

// oneCall is a call of a tool.
type oneCall struct {
	name string
	args args
}

// hardest are the calls with the longest answers.
var hardest = []oneCall{
	{"search_incidents", args{"query": "timeout", "limit": 100, "detail": "full"}},
	{"search_incidents", args{"query": "캐시 재시작 뒤 데이터베이스 과부하", "limit": 100, "detail": "full"}},
	{"get_incident", args{"id": "IL-0150", "sections": "all"}},
	{"get_incident", args{"id": "IL-0150", "sections": "all", "lang": "ko"}},
	{"get_topic", args{"topic": "component/application-service"}},
	{"list_incidents", args{"limit": 100}},
	{"vocab", args{}},
	{"vocab", args{"list": "component"}},
}

func TestBudget(t *testing.T) {
	c := connect(t)
	for _, x := range hardest {
		res := call(t, c, x.name, x.args)
		content, structured := contentOf(t, res), structuredOf(t, res)
		n, m := utf8.RuneCountInString(content), utf8.RuneCountInString(structured)
		t.Logf("%s %v: %d and %d characters", x.name, x.args, n, m)
		if res.IsError || n >= budget || m >= budget {
			t.Errorf("%s %v: error %t, %d and %d characters, want an answer of less than %d", x.name, x.args, res.IsError, n, m, budget)
		}
	}
}
