package browsertest

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// replayed waits until the charts of a replay show so many answers.
func (b *browser) replayed(t *testing.T, runs int) {
	t.Helper()
	const shown = `+(document.querySelector("[data-replay-charts]").dataset.runs || 0)`
	for range 1200 {
		if eval[int](t, b, shown) >= runs {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Fatalf("the replay gives no answer: %s", eval[string](t, b, `document.querySelector("[data-replay-status]").innerText`))
}

// TestReplay shows a replay, switches to a variant, and moves a setting: the curve
// changes each time.
func TestReplay(t *testing.T) {
	b := launch(t)
	complaints := b.complaints(t)
	b.run(t, chromedp.Navigate(b.origin+"/scenarios/IL-0574"), chromedp.WaitReady(chromedp.CSS("footer")))
	if !eval[bool](t, b, `"wasm" in document.querySelector("[data-replay]").dataset`) {
		t.Log("the simulator for the browser was not built: run dev/wasm")
		if os.Getenv("CI") == "true" {
			t.Error("in CI it must be")
		}
		return
	}
	b.run(t, chromedp.WaitReady(chromedp.CSS(`form[data-ready="wasm"]`)), chromedp.WaitVisible(chromedp.CSS(".replay-panel canvas")))
	pictures := map[string]string{}
	look := func(name string) {
		picture := eval[string](t, b, `document.querySelector(".replay-panel canvas").toDataURL()`)
		for other, same := range pictures {
			if same == picture {
				t.Errorf("%s looks like %s", name, other)
			}
		}
		pictures[name] = picture
	}
	look("what happened")
	b.run(t, chromedp.Navigate(b.origin+"/ko/scenarios/IL-0574"), chromedp.WaitReady(chromedp.CSS(`form[data-ready="wasm"]`)))
	eval[string](t, b, `(() => { const s = document.querySelector("#variant"); s.value = "cap-62"; s.dispatchEvent(new Event("change", {bubbles: true})); return ""; })()`)
	b.replayed(t, 1)
	look("cap-62")
	began := time.Now()
	eval[string](t, b, `(() => {
		document.querySelector("#variant").value = "";
		const s = document.querySelector("[data-set]");
		s.value = [...s.options].map((o) => o.value).find((v) => v !== s.dataset.own);
		s.dispatchEvent(new Event("change", {bubbles: true})); return ""; })()`)
	b.replayed(t, 2)
	t.Logf("another setting, run in the browser: %v", time.Since(began).Round(10*time.Millisecond))
	look("another setting")
	for _, c := range complaints() {
		t.Errorf("the browser complains: %s", c)
	}
}

// TestReplayWithoutScript shows the same charts as drawn by the server, and runs
// another setting there.
func TestReplayWithoutScript(t *testing.T) {
	b := launch(t)
	b.scripts(t, false)
	b.run(t, chromedp.Navigate(b.origin+"/scenarios/IL-0574"), chromedp.WaitVisible(chromedp.CSS(".sim-plot")))
}

// TestReplayPictures writes pictures of replays, as [TestPictures] does.
func TestReplayPictures(t *testing.T) {
	dir := os.Getenv("PRECEDENT_SHOTS")
	if dir == "" {
		t.Skip("set PRECEDENT_SHOTS=DIR to write pictures of the pages")
	}
	b := launch(t)
	for _, path := range []string{"/scenarios", "/scenarios/IL-0574", "/ko/scenarios/IL-0574", "/cases/IL-0574"} {
		for _, width := range []int64{1280, 390} {
			for _, dark := range []bool{false, true} {
				b.screen(t, width, dark)
				b.run(t, chromedp.Navigate(b.origin+path), chromedp.WaitReady(chromedp.CSS("footer")), chromedp.Sleep(500*time.Millisecond))
				if over := eval[int](t, b, "document.scrollingElement.scrollWidth - innerWidth"); over > 0 {
					t.Errorf("%s scrolls %d px sideways; the widest is %s", path, over, eval[string](t, b, widest))
				}
				name := fmt.Sprintf("%s/replay%s-%d-%t.png", dir, strings.ReplaceAll(path, "/", "-"), width, dark)
				if err := os.WriteFile(name, value(t, b, chromedp.FullScreenshot(100)), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}
