package browsertest

import (
	"context"
	"fmt"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/library"
	"github.com/openprecedent/precedent/internal/serve/web"
)

// browser is a window of its own, and where the site is.
type browser struct {
	ctx    context.Context
	origin string
}

// house is what all tests share: a server of the real corpus, and one Chromium.
type house struct {
	origin   string
	chromium context.Context
	close    func()
}

// shared is opened by the first test that needs it. A test of its own, with one
// program for all, starts in tens of milliseconds.
var shared struct {
	once  sync.Once
	house *house
	err   error
}

func TestMain(m *testing.M) {
	code := m.Run()
	if h := shared.house; h != nil {
		h.close()
	}
	os.Exit(code)
}

// chromium is where the browser is, or "".
func chromium() string {
	path := os.Getenv("CHROMIUM")
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path == "" {
			path, _ = exec.LookPath(name)
		}
	}
	return path
}

// open starts both; without a Chromium there is no house.
func open() (*house, error) {
	path := chromium()
	if path == "" {
		return nil, nil
	}
	lib, problems := library.Load(library.Layer{Name: "public", FS: os.DirFS("../../../../corpus")})
	if lib == nil {
		return nil, fmt.Errorf("loading the corpus: %v", problems.Errors())
	}
	a := app.New(lib)
	var texts [4]string
	for i, name := range []string{"case-format.md", "case-format.ko.md", "system-format.md", "system-format.ko.md"} {
		src, err := os.ReadFile("../../../../doc/" + name)
		if err != nil {
			return nil, err
		}
		texts[i] = string(src)
	}
	profile, err := os.MkdirTemp("", "precedent-browsertest-")
	if err != nil {
		return nil, err
	}
	// Chromium crashes at its start once in a few hundred times on a busy machine;
	// what is tested here are the pages, so it gets three tries.
	var stop func()
	var ctx context.Context
	for range 3 {
		if ctx, stop, err = start(path, profile); err == nil {
			break
		}
	}
	if err != nil {
		return nil, fmt.Errorf("starting %s: %w", path, err)
	}
	server := httptest.NewServer(web.New(func() *app.App { return a }, web.Options{
		CaseFormat:   bilingual.Text{En: texts[0], Ko: texts[1]},
		SystemFormat: bilingual.Text{En: texts[2], Ko: texts[3]},
	}))
	return &house{server.URL, ctx, func() {
		stop()
		server.Close()
		_ = os.RemoveAll(profile)
	}}, nil
}

// start starts Chromium.
func start(path, profile string) (context.Context, func(), error) {
	opts := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path), chromedp.UserDataDir(profile),
		chromedp.NoSandbox, chromedp.DisableGPU, chromedp.NoFirstRun,
		chromedp.Flag("disable-background-networking", true), chromedp.Flag("disable-component-update", true),
		chromedp.Flag("disable-sync", true), chromedp.Flag("hide-scrollbars", true),
	)
	alloc, free := chromedp.NewExecAllocator(context.Background(), opts...)
	ctx, cancel := chromedp.NewContext(alloc)
	stop := func() { cancel(); free() }
	if err := chromedp.Do(ctx); err != nil {
		stop()
		return nil, nil, err
	}
	return ctx, stop, nil
}

// launch opens a window that shares nothing with the other tests' (cookies,
// storage, cache), or skips the test with what is missing.
func launch(t *testing.T) *browser {
	t.Helper()
	shared.once.Do(func() { shared.house, shared.err = open() })
	if shared.err != nil {
		t.Fatal(shared.err)
	}
	if shared.house == nil {
		t.Skip("no Chromium: install one (apt-get install chromium) or name it in $CHROMIUM")
	}
	ctx, cancel := chromedp.NewContext(shared.house.chromium, chromedp.WithNewBrowserContext())
	t.Cleanup(cancel)
	if err := chromedp.Do(ctx); err != nil {
		t.Fatalf("opening a window: %v", err)
	}
	return &browser{ctx, shared.house.origin}
}

// run runs steps within a time that a slow machine needs.
func (b *browser) run(t *testing.T, steps ...chromedp.Action[chromedp.Void]) {
	t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, 60*time.Second)
	defer cancel()
	if err := chromedp.Do(ctx, steps...); err != nil {
		t.Fatal(err)
	}
}

// value runs an action that answers.
func value[T any](t *testing.T, b *browser, action chromedp.Action[T]) T {
	t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, 60*time.Second)
	defer cancel()
	v, err := chromedp.Run(ctx, action)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// eval evaluates an expression in the page.
func eval[T any](t *testing.T, b *browser, expression string) T {
	t.Helper()
	return value(t, b, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
}

// complaints collects what the browser reports: errors, exceptions and
// violations of the content security policy. The answer empties the list.
func (b *browser) complaints(t *testing.T) func() []string {
	t.Helper()
	var mu sync.Mutex
	var all []string
	add := func(s string) {
		mu.Lock()
		defer mu.Unlock()
		all = append(all, s)
	}
	err := chromedp.Listen(b.ctx, func(ev any) {
		switch e := ev.(type) {
		case *runtime.EventExceptionThrown:
			add("exception: " + e.ExceptionDetails.Text)
		case *log.EventEntryAdded:
			if e.Entry.Level == "error" || e.Entry.Source == "security" {
				add(e.Entry.Text + " " + e.Entry.URL)
			}
		case *runtime.EventConsoleAPICalled:
			if e.Type == "error" || e.Type == "warning" {
				add("console " + string(e.Type))
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := chromedp.Call(b.ctx, log.Enable, cdp.Empty{}); err != nil {
		t.Fatal(err)
	}
	return func() []string {
		mu.Lock()
		defer mu.Unlock()
		out := all
		all = nil
		return out
	}
}

// screen sets the size of the window and the reader's colours.
func (b *browser) screen(t *testing.T, width int64, dark bool) {
	t.Helper()
	scheme := "light"
	if dark {
		scheme = "dark"
	}
	_, err := chromedp.Call(b.ctx, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{
		Width: width, Height: 900, DeviceScaleFactor: 1, Mobile: width < 500,
	})
	if err != nil {
		t.Fatal(err)
	}
	_, err = chromedp.Call(b.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}},
	})
	if err != nil {
		t.Fatal(err)
	}
}

// scripts lets pages run their scripts, or not.
func (b *browser) scripts(t *testing.T, on bool) {
	t.Helper()
	_, err := chromedp.Call(b.ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: !on})
	if err != nil {
		t.Fatal(err)
	}
}

// kinds are a page of each kind, without the language.
var kinds = []struct{ name, path string }{
	{"home", "/"},
	{"search", "/search?q=connection+proxy+cpu"},
	{"search-filter", "/search?component=database&mechanism=retry-storm"},
	{"search-empty", "/search?q=zzqxv"},
	{"search-long", "/search?q=" + strings.Repeat("context+deadline+exceeded+", 30)},
	{"cases", "/cases"},
	{"case", "/cases/IL-0212"},
	{"case-long", "/cases/IL-0150"},
	{"case-short", "/cases/IL-0574"},
	{"case-days", "/cases/PR-0001"},
	{"similar", "/cases/IL-0212/similar"},
	{"topics", "/topics"},
	{"topic", "/topics/mechanism/retry-storm"},
	{"vocab", "/vocab"},
	{"vocab-list", "/vocab/mechanism"},
	{"docs-api", "/docs/api"},
	{"docs-mcp", "/docs/mcp"},
	{"docs-format", "/docs/format"}, {"docs-system", "/docs/system"},
	{"about", "/about"},
	{"simulator", "/simulator"},
	{"simulator-parts", "/simulator/parts"},
	{"checks", "/checks"},
	{"check", "/checks/CK-601"},
	{"guide", "/guide"},
	{"not-found", "/cases/IL-02122"},
	{"bad-filter", "/search?mechanism=retry-strom"},
}

func TestPictures(t *testing.T) {
	dir := os.Getenv("PRECEDENT_SHOTS")
	if dir == "" {
		t.Skip("set PRECEDENT_SHOTS=DIR to write pictures of the pages")
	}
	only := os.Getenv("PRECEDENT_SHOTS_ONLY") // words of the names
	b := launch(t)
	for _, k := range kinds {
		for _, lang := range []string{"en", "ko"} {
			for _, width := range []int64{1280, 390} {
				for _, dark := range []bool{false, true} {
					name := k.name + "-" + lang + map[bool]string{true: "-phone", false: "-desk"}[width < 500] + map[bool]string{true: "-dark", false: ""}[dark]
					if !matches(name, only) {
						continue
					}
					path := k.path
					if lang == "ko" {
						path = "/ko" + path
					}
					b.screen(t, width, dark)
					b.run(t, chromedp.Navigate(b.origin+path), chromedp.Sleep(250*time.Millisecond))
					picture := value(t, b, chromedp.FullScreenshot(100))
					if err := os.WriteFile(dir+"/"+name+".png", picture, 0o644); err != nil {
						t.Fatal(err)
					}
				}
			}
		}
	}
}

// matches reports whether a name is among the chosen ones; each choice is
// words joined by "+" that must all stand in the name.
func matches(name, only string) bool {
	if only == "" {
		return true
	}
	for choice := range strings.SplitSeq(only, ",") {
		all := true
		for word := range strings.SplitSeq(choice, "+") {
			if not, ok := strings.CutPrefix(word, "!"); ok && strings.Contains(name, not) || !ok && !strings.Contains(name, word) {
				all = false
			}
		}
		if all {
			return true
		}
	}
	return false
}
