package browsertest

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// arrive waits until the open page's path satisfies a condition and the page
// is loaded, and returns the path. On the way from one page to the next there
// is no page to ask, so it asks again.
func (b *browser) arrive(t *testing.T, there func(path string) bool) string {
	t.Helper()
	path := ""
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		at, err := chromedp.Run(b.ctx, chromedp.Evaluate[string]("document.readyState === 'complete' ? location.pathname : ''"))
		if err == nil && at != "" {
			if path, _ = url.PathUnescape(at); there(path) {
				return path
			}
		}
	}
	t.Fatalf("still at %s", path)
	return ""
}

// follow clicks and returns the path of the page that the click leads to.
func (b *browser) follow(t *testing.T, sel string) string {
	t.Helper()
	from := b.arrive(t, func(string) bool { return true })
	b.run(t, chromedp.Click(chromedp.CSS(sel)))
	return b.arrive(t, func(path string) bool { return path != from })
}

// press sends a key as a keyboard does: the letter follows only if the page
// lets it.
func (b *browser) press(t *testing.T, key string) {
	t.Helper()
	for _, e := range []input.DispatchKeyEventParams{
		{Type: input.DispatchKeyEventTypeKeyDown, Key: key, Text: key}, {Type: input.DispatchKeyEventTypeKeyUp, Key: key},
	} {
		if _, err := chromedp.Call(b.ctx, input.DispatchKeyEvent, e); err != nil {
			t.Fatal(err)
		}
	}
}

// TestFromSearchToRelatedCase goes the way of a reader in an outage: from the
// home page through a Korean search to a case, its timeline, and a related one.
func TestFromSearchToRelatedCase(t *testing.T) {
	b := launch(t)
	complaints := b.complaints(t)
	b.screen(t, 1280, false)
	b.run(t, chromedp.Navigate(b.origin+"/ko/"), chromedp.WaitVisible(chromedp.CSS("#q")))
	if got := eval[string](t, b, "document.activeElement.id"); got != "q" {
		t.Errorf("the focus is on %q, want the search field", got)
	}
	// Results follow as one types, on the same page.
	b.run(t, chromedp.KeyEvent("프록시로 바꾼 뒤 writer CPU 100%"), chromedp.WaitVisible(chromedp.CSS("#results .hit-list a")))
	if !eval[bool](t, b, "document.querySelector('[data-rest]').hidden") {
		t.Error("the rest of the home page still shows under the results")
	}
	b.run(t, chromedp.KeyEvent(kb.Enter))
	b.arrive(t, func(path string) bool { return path == "/ko/search" })
	if !eval[bool](t, b, "document.querySelector('.hit-list mark, .hit-list .why') !== null") {
		t.Error("the hits do not say why they match")
	}
	if got := b.follow(t, ".hit-list li:first-child h3 a"); got != "/ko/cases/IL-0574" {
		t.Errorf("the first hit is %s, want IL-0574", got)
	}
	b.run(t, chromedp.Navigate(b.origin+"/ko/cases/IL-0282"), chromedp.WaitVisible(chromedp.CSS("figure.timeline svg")))
	drawn := eval[int](t, b, "document.querySelectorAll('figure.timeline svg.m').length")
	if drawn < 5 {
		t.Errorf("the timeline has %d marks", drawn)
	}
	if eval[float64](t, b, "document.querySelector('figure.timeline svg').getBoundingClientRect().width") < 600 {
		t.Error("the timeline is not as wide as the page")
	}
	b.run(t, chromedp.Click(chromedp.CSS(".events summary")), chromedp.WaitVisible(chromedp.CSS(".events li")))
	if got := b.follow(t, "#related li:first-child a"); !strings.HasPrefix(got, "/ko/cases/") || got == "/ko/cases/IL-0282" {
		t.Errorf("the related case leads to %s", got)
	}
	b.run(t, chromedp.WaitVisible(chromedp.CSS("h1")))
	if got := b.follow(t, ".top .lang"); strings.HasPrefix(got, "/ko") {
		t.Errorf("the switch of language leads to %s", got)
	}
	for _, c := range complaints() {
		t.Errorf("the browser complains: %s", c)
	}
}

// TestStructuredData reads what a case page says to search engines. The policy
// forbids scripts in the page, and lets data be.
func TestStructuredData(t *testing.T) {
	b := launch(t)
	complaints := b.complaints(t)
	b.run(t, chromedp.Navigate(b.origin+"/ko/cases/IL-0212"), chromedp.WaitVisible(chromedp.CSS("h1")))
	got := eval[string](t, b, `JSON.parse(document.querySelector("script[type='application/ld+json']").textContent)["@graph"].map(o => o["@type"]).join(" ")`)
	if want := "TechArticle BreadcrumbList"; got != want {
		t.Errorf("the page describes itself as %q, want %q", got, want)
	}
	for _, c := range complaints() {
		t.Errorf("the browser complains: %s", c)
	}
}

// TestPrint prints a case of ordinary length as a report of two sheets.
func TestPrint(t *testing.T) {
	b := launch(t)
	for _, path := range []string{"/cases/IL-0212", "/ko/cases/IL-0212", "/cases/PR-0002"} {
		b.run(t, chromedp.Navigate(b.origin+path), chromedp.WaitVisible(chromedp.CSS("h1")))
		pdf := value(t, b, chromedp.PrintToPDF(chromedp.PDFPreferCSSPageSize()))
		if dir := os.Getenv("PRECEDENT_SHOTS"); dir != "" {
			if err := os.WriteFile(filepath.Join(dir, strings.ReplaceAll(path[1:], "/", "-")+".pdf"), pdf, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if n := len(sheet.FindAll(pdf, -1)); n < 1 || n > 2 {
			t.Errorf("%s prints on %d sheets, want at most 2", path, n)
		}
	}
}

// sheet is a page of a PDF document.
var sheet = regexp.MustCompile(`/Type /Page\b`)

// TestKeyboard uses no mouse.
func TestKeyboard(t *testing.T) {
	b := launch(t)
	b.screen(t, 1280, false)
	b.run(t, chromedp.Navigate(b.origin+"/topics"), chromedp.WaitVisible(chromedp.CSS("h1")))
	b.run(t, chromedp.KeyEvent(kb.Tab))
	if got := eval[string](t, b, "document.activeElement.className"); got != "skip" {
		t.Errorf("the first stop is %q, want the link past the menu", got)
	}
	if !eval[bool](t, b, "document.activeElement.getBoundingClientRect().top >= 0") {
		t.Error("the link past the menu does not show when it has the focus")
	}
	b.press(t, "/")
	if !eval[bool](t, b, "document.activeElement.matches('[data-find]')") {
		t.Error(`"/" does not lead to the search field`)
	}
	b.run(t, chromedp.KeyEvent("retry storm/connection pool"))
	if got := eval[string](t, b, "document.activeElement.value"); got != "retry storm/connection pool" {
		t.Errorf("the field holds %q", got)
	}
	b.run(t, chromedp.KeyEvent(kb.Enter))
	b.arrive(t, func(path string) bool { return path == "/search" })
	// From the field on, tabs reach a hit.
	for range 30 {
		b.run(t, chromedp.KeyEvent(kb.Tab))
		if eval[bool](t, b, "document.activeElement.matches('.hit-list h3 a')") {
			break
		}
	}
	if !eval[bool](t, b, "document.activeElement.matches('.hit-list h3 a')") {
		t.Fatal("no hit is reached with the keyboard")
	}
	if got := eval[string](t, b, "getComputedStyle(document.activeElement).outlineStyle"); got == "none" {
		t.Error("the focus does not show")
	}
	b.run(t, chromedp.KeyEvent(kb.Enter))
	b.arrive(t, func(path string) bool { return strings.HasPrefix(path, "/cases/") })
	// A folded part opens and closes.
	b.run(t, chromedp.WaitVisible(chromedp.CSS("#narrative")), chromedp.Focus(chromedp.CSS("#narrative summary")), chromedp.KeyEvent(" "))
	if eval[bool](t, b, "document.querySelector('#narrative details').open") {
		t.Error("the narrative does not fold")
	}
}

// TestWithoutScript loads the pages with JavaScript off.
func TestWithoutScript(t *testing.T) {
	b := launch(t)
	b.scripts(t, false)
	b.run(t, chromedp.Navigate(b.origin+"/"), chromedp.WaitVisible(chromedp.CSS("#q")), chromedp.SendKeys(chromedp.CSS("#q"), "cache"+kb.Enter))
	b.run(t, chromedp.WaitVisible(chromedp.CSS(".found .hit-list h3 a")), chromedp.Click(chromedp.CSS(".found .hit-list h3 a")))
	b.run(t, chromedp.WaitVisible(chromedp.CSS("#narrative p")), chromedp.WaitVisible(chromedp.CSS("#sources li")))
}

// TestEveryKindOfPage looks at each kind of page in both languages, on a desk
// and on a phone: it loads nothing from elsewhere, the browser has nothing to
// complain of, and nothing sticks out sideways.
func TestEveryKindOfPage(t *testing.T) {
	b := launch(t)
	complaints := b.complaints(t)
	for _, k := range kinds {
		for _, prefix := range []string{"", "/ko"} {
			b.screen(t, 1280, false)
			b.run(t, chromedp.Navigate(b.origin+prefix+k.path), chromedp.WaitReady(chromedp.CSS("footer")))
			for _, width := range []int64{1280, 390} {
				b.screen(t, width, false)
				name := fmt.Sprintf("%s%s at %d px", prefix, k.name, width)
				if over := eval[int](t, b, "document.scrollingElement.scrollWidth - innerWidth"); over > 0 {
					t.Errorf("%s: scrolls %d px sideways; the widest is %s", name, over, eval[string](t, b, widest))
				}
				if foreign := eval[string](t, b, "performance.getEntriesByType('resource').map(r => r.name).filter(n => !n.startsWith(location.origin)).join(' ')"); foreign != "" {
					t.Errorf("%s: loads %s", name, foreign)
				}
				for _, c := range complaints() {
					if strings.Contains(c, "status of 404") || strings.Contains(c, "status of 400") {
						continue // the page itself, where an error page is looked at
					}
					t.Errorf("%s: the browser complains: %s", name, c)
				}
			}
		}
	}
}

// widest names the element that sticks out most.
const widest = `(() => { let w = 0, at = ""; for (const e of document.body.querySelectorAll("*")) {
	const r = e.getBoundingClientRect().right; if (r > w && r > innerWidth) { w = r; at = e.tagName + "." + e.getAttribute("class") + " " + e.textContent.slice(0, 40); } } return at; })()`

// TestAccessibility runs axe-core, if dev/axe has fetched it, with every rule
// of WCAG 2.2 AA and its best practices, in both themes.
func TestAccessibility(t *testing.T) {
	cache := os.Getenv("PRECEDENT_CACHE")
	if cache == "" {
		cache = "../../../../.cache"
	}
	found, _ := filepath.Glob(filepath.Join(cache, "axe-core-*", "axe.min.js"))
	if len(found) == 0 {
		t.Skip("no axe-core: run dev/axe, which needs npm")
	}
	axe, err := os.ReadFile(found[len(found)-1])
	if err != nil {
		t.Fatal(err)
	}
	b := launch(t)
	// The policy of the pages forbids what the checker does; only the browser
	// of this test is told to let it.
	if _, err := chromedp.Call(b.ctx, page.SetBypassCSP, page.SetBypassCSPParams{Enabled: true}); err != nil {
		t.Fatal(err)
	}
	for _, k := range kinds {
		for prefix, width := range map[string]int64{"": 1280, "/ko": 390} {
			b.screen(t, width, width == 390)
			b.run(t, chromedp.Navigate(b.origin+prefix+k.path), chromedp.WaitReady(chromedp.CSS("footer")))
			b.run(t, chromedp.Evaluate[chromedp.Void](string(axe)+";undefined"))
			violations := eval[[]string](t, b, `axe.run(document, {runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"], resultTypes: ["violations"]})
					.then(r => r.violations.map(v => v.id + ": " + v.help + " (" + v.nodes.length + ") " + v.nodes.slice(0, 2).map(n => n.html.slice(0, 160) + " " + n.failureSummary.slice(0, 200)).join(" | ")))`)
			for _, v := range violations {
				t.Errorf("%s%s at %d px: %s", prefix, k.name, width, v)
			}
		}
	}
}
