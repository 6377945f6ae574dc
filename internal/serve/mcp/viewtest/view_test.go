package viewtest

import (
	"context"
	_ "embed" // the host
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/openprecedent/precedent/corpus"
	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/library"
	"github.com/openprecedent/precedent/internal/serve/mcp"
)

var (
	//go:embed host.html
	hostPage string
	//go:embed sandbox.html
	sandboxPage string
)

// serve serves the library over MCP beside the host and its sandbox, whose policy
// is that of the specification.
func serve(t *testing.T) string {
	t.Helper()
	lib, problems := library.Load(library.Layer{Name: "public", FS: corpus.FS})
	if lib == nil {
		t.Fatal(problems.Errors())
	}
	a := app.New(lib)
	mux := http.NewServeMux()
	mux.Handle("/mcp", mcp.New(func() *app.App { return a }, mcp.Options{}).Handler())
	page := func(body string, policy func(*http.Request) string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			w.Header().Set("Content-Security-Policy", policy(r))
			fmt.Fprint(w, body)
		}
	}
	mux.HandleFunc("/host", page(hostPage, func(*http.Request) string { return "" }))
	mux.HandleFunc("/sandbox", page(sandboxPage, func(r *http.Request) string {
		var csp struct{ ConnectDomains, ResourceDomains, FrameDomains []string }
		if err := json.Unmarshal([]byte(r.FormValue("csp")), &csp); err != nil {
			t.Errorf("the page declares the policy %q: %v", r.FormValue("csp"), err)
		}
		extra := strings.Join(csp.ResourceDomains, " ")
		// The sandbox of this test holds the page in a frame without an address,
		// for which its own policy holds.
		return "default-src 'none'; script-src 'self' 'unsafe-inline' " + extra + "; style-src 'self' 'unsafe-inline' " + extra +
			"; connect-src 'self' " + strings.Join(csp.ConnectDomains, " ") + "; img-src 'self' data: " + extra + "; object-src 'none'; base-uri 'self'"
	}))
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server.URL
}

// client connects as a client with the extension.
func client(t *testing.T, origin string) *sdk.ClientSession {
	t.Helper()
	caps := &sdk.ClientCapabilities{}
	caps.AddExtension("io.modelcontextprotocol/ui", map[string]any{"mimeTypes": []string{"text/html;profile=mcp-app"}})
	c := sdk.NewClient(&sdk.Implementation{Name: "host", Version: "1"}, &sdk.ClientOptions{Capabilities: caps})
	session, err := c.Connect(context.Background(), &sdk.StreamableClientTransport{Endpoint: origin + "/mcp"}, nil)
	if err != nil {
		t.Fatalf("connecting: %v", err)
	}
	t.Cleanup(func() { _ = session.Close() })
	return session
}

// window opens a window of Chromium, and collects what it complains about.
func window(t *testing.T) (context.Context, func() []string) {
	t.Helper()
	path := os.Getenv("CHROMIUM")
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path == "" {
			path, _ = exec.LookPath(name)
		}
	}
	if path == "" {
		t.Skip("no Chromium: install one (apt-get install chromium) or name it in $CHROMIUM")
	}
	opts := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.UserDataDir(t.TempDir()),
		chromedp.NoSandbox, chromedp.DisableGPU, chromedp.NoFirstRun,
		chromedp.Flag("disable-background-networking", true), chromedp.Flag("hide-scrollbars", true))
	var ctx context.Context
	var err error
	for range 3 { // it crashes at its start now and then on a busy machine
		alloc, free := chromedp.NewExecAllocator(context.Background(), opts...)
		one, stop := chromedp.NewContext(alloc)
		if err = chromedp.Do(one); err == nil {
			ctx = one
			t.Cleanup(func() { stop(); free() })
			break
		}
		stop()
		free()
	}
	if err != nil {
		t.Fatalf("starting %s: %v", path, err)
	}
	var all []string
	err = chromedp.Listen(ctx, func(ev any) {
		switch e := ev.(type) {
		case *runtime.EventExceptionThrown:
			all = append(all, "exception: "+e.ExceptionDetails.Text)
		case *log.EventEntryAdded:
			if (e.Entry.Level == "error" || e.Entry.Source == "security") && !strings.Contains(e.Entry.URL, "favicon") {
				all = append(all, e.Entry.Text+" "+e.Entry.URL)
			}
		}
	})
	if err == nil {
		_, err = chromedp.Call(ctx, log.Enable, cdp.Empty{})
	}
	if err != nil {
		t.Fatal(err)
	}
	return ctx, func() []string { return all }
}

func eval[T any](t *testing.T, ctx context.Context, expression string) T {
	t.Helper()
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		t.Fatalf("%.100s: %v", expression, err)
	}
	return v
}

// look is what the page looks like.
type look struct {
	Lang, Text, Background, Words string
	Captions                      []string
	Inked, Over, Below            int
}

// eventually looks at the page until it is as wanted.
func eventually(t *testing.T, ctx context.Context, what string, good func(look) bool) look {
	t.Helper()
	var got look
	for range 100 {
		got = eval[look](t, ctx, `new Promise((done) => { const n = host.looks.length; host.post({method: "test/look"});
			const wait = () => host.looks.length > n ? done(host.looks.at(-1)) : setTimeout(wait, 20);
			wait(); setTimeout(() => done({}), 1000); })`) // the sandbox may not listen yet
		if good(got) {
			return got
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Errorf("%s: the page looks like %+v", what, got)
	return got
}

// given is what the host hands to the page.
type given struct {
	HTML    string         `json:"html"`
	CSP     any            `json:"csp"`
	Context map[string]any `json:"context"`
	Input   map[string]any `json:"input"`
	Result  any            `json:"result,omitempty"`
	Later   any            `json:"later,omitempty"`
}

func (g given) open(t *testing.T, ctx context.Context, origin string, width int64) {
	t.Helper()
	_, err := chromedp.Call(ctx, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: width, Height: 1300, DeviceScaleFactor: 1})
	if err == nil {
		err = chromedp.Do(ctx, chromedp.Navigate(origin+"/host"))
	}
	if err != nil {
		t.Fatal(err)
	}
	raw, err := json.Marshal(g)
	if err != nil {
		t.Fatal(err)
	}
	// Another name of this machine is another origin.
	eval[bool](t, ctx, fmt.Sprintf(`start(%q, %s), true`, strings.Replace(origin, "127.0.0.1", "localhost", 1)+"/sandbox", raw))
}

func TestView(t *testing.T) {
	origin := serve(t)
	c := client(t, origin)
	page, err := c.ReadResource(context.Background(), &sdk.ReadResourceParams{URI: "ui://precedent/replay"})
	if err != nil {
		t.Fatal(err)
	}
	call := func(args map[string]any) *sdk.CallToolResult {
		res, err := c.CallTool(context.Background(), &sdk.CallToolParams{Name: "replay_incident", Arguments: args})
		if err != nil {
			t.Fatal(err)
		}
		return res
	}
	ui, _ := page.Contents[0].Meta["ui"].(map[string]any)
	base := given{HTML: page.Contents[0].Text, CSP: ui["csp"], Input: map[string]any{"id": "IL-0574"}, Result: call(map[string]any{"id": "IL-0574"})}
	ctx, complaints := window(t)
	charts := func(n int) func(look) bool { return func(l look) bool { return l.Inked == n && l.Below <= 0 } }
	for _, width := range []int64{320, 390, 800} {
		g := base
		g.Context = map[string]any{"theme": "light", "locale": "en-US"}
		g.open(t, ctx, origin, width)
		l := eventually(t, ctx, fmt.Sprintf("%d px", width), charts(4))
		if l.Over > 0 || l.Lang != "en" || !strings.Contains(l.Text, "IL-0574") || !strings.Contains(l.Text, "observations come out") || l.Words != "" {
			t.Errorf("%d px: %+v", width, l)
		}
		time.Sleep(300 * time.Millisecond) // in which the size must not change any more
		if l = eventually(t, ctx, fmt.Sprintf("%d px, later", width), charts(4)); l.Below > 0 {
			t.Errorf("%d px: %d px of the page are below its frame", width, l.Below)
		}
		picture(t, ctx, fmt.Sprintf("view-%d-light", width))
	}
	// The client changes its mind about theme, language and fonts.
	light := eventually(t, ctx, "light", charts(4))
	eval[bool](t, ctx, `host.post({method: "ui/notifications/host-context-changed", params: {theme: "dark", locale: "ko-KR"}}), true`)
	dark := eventually(t, ctx, "dark", func(l look) bool { return l.Lang == "ko" && l.Inked == 4 })
	if dark.Background == light.Background || !strings.Contains(dark.Text, "그대로 나온다") || !strings.Contains(strings.Join(dark.Captions, " "), "세션") || !strings.Contains(dark.Text, "프록시") {
		t.Errorf("dark and Korean: %+v", dark)
	}
	picture(t, ctx, "view-800-dark-ko")
	eval[bool](t, ctx, `host.post({id: "bye", method: "ui/resource-teardown", params: {reason: "test"}}), host.post({id: "what", method: "ui/unknown", params: {}}), true`)
	time.Sleep(200 * time.Millisecond)
	if said := eval[string](t, ctx, `JSON.stringify(host.said.filter((m) => ["bye", "what"].includes(m.id)))`); !strings.Contains(said, `"id":"bye","result":{}`) || !strings.Contains(said, "-32601") {
		t.Errorf("asked to end, and something unknown, the page answers %s", said)
	}
	first := eval[string](t, ctx, `JSON.stringify(host.said.slice(1, 3).map((m) => m.method))`)
	if first != `["ui/initialize","ui/notifications/initialized"]` {
		t.Errorf("the page begins with %s", first)
	}

	// A mistake has no chart, and is told in words.
	g := base
	g.Context, g.Result = map[string]any{}, call(map[string]any{"id": "IL-0574", "variant": "none"})
	g.open(t, ctx, origin, 390)
	eventually(t, ctx, "a mistake", func(l look) bool { return strings.Contains(l.Words, "cap-62") && l.Inked == 0 && l.Over <= 0 })

	// A run under way is asked for again.
	g = base
	g.Context, g.Later = map[string]any{}, base.Result
	g.Result = map[string]any{"content": []any{}, "structuredContent": map[string]any{"run": "r1", "state": "running"}}
	g.open(t, ctx, origin, 390)
	eventually(t, ctx, "a run under way", charts(4))
	if asked := eval[string](t, ctx, `JSON.stringify(host.asked)`); asked != `[{"name":"get_run","arguments":{"run":"r1","lang":"en"}}]` {
		t.Errorf("the page asks for %s", asked)
	}
	if said := eval[string](t, ctx, `JSON.stringify(host.said.filter((m) => m.violation))`); said != "[]" {
		t.Errorf("the page breaks the policy: %s", said)
	}
	for _, one := range complaints() {
		t.Errorf("the browser complains: %s", one)
	}
}

// picture writes a picture of the window where $PRECEDENT_SHOTS says.
func picture(t *testing.T, ctx context.Context, name string) {
	t.Helper()
	dir := os.Getenv("PRECEDENT_SHOTS")
	if dir == "" {
		return
	}
	shot, err := chromedp.Run(ctx, chromedp.FullScreenshot(100))
	if err == nil {
		err = os.WriteFile(dir+"/"+name+".png", shot, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}
