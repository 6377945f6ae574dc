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
	if cap := eval[string](t, b, `document.querySelector("[data-set=cap]").value`); cap != "9920" {
		t.Errorf("in cap-62 the slider of cap stands at %s", cap)
	}
	m := b.moved(t, `document.querySelector("#variant").value = ""`, 0)
	t.Logf("another setting, run in the browser: %v", m)
	if m.Steps == 0 || !strings.Contains(m.Said, "까지 보인다") || m.Reached <= 0 || m.Reached >= 1 {
		t.Errorf("while it runs, the page shows %v and says %q", m, m.Said)
	}
	look("another setting")
	if again := b.moved(t, "", 1); again.End == 0 {
		t.Errorf("another slider: %v", again)
	}
	look("a third setting")
	for _, c := range complaints() {
		t.Errorf("the browser complains: %s", c)
	}
}

// movement is what the page does after a slider was moved.
type movement struct {
	First   float64 // seconds until the first lines of the new setting
	Reached float64 // share of the run that these show
	At3     float64 // share of the run that is shown after 3 seconds
	End     float64 // seconds until all of it
	Steps   int     // times that a part was shown
	Said    string  // the first time
}

func (m movement) String() string {
	return fmt.Sprintf("%.2f s to the first lines, %.0f %% of the run after 3 s, all in %.2f s (%d steps)", m.First, 100*m.At3, m.End, m.Steps)
}

// moved moves a slider to its first other value, after some script, and waits for
// the answer.
func (b *browser) moved(t *testing.T, before string, slider int) movement {
	t.Helper()
	eval[bool](t, b, fmt.Sprintf(`(() => {
		const box = document.querySelector("[data-replay-charts]"), said = document.querySelector("[data-replay-status]");
		const m = window.movement = { First: 0, Reached: 0, At3: 0, End: 0, Steps: 0, Said: "" };
		const runs = box.dataset.runs || 0, since = performance.now();
		const look = new MutationObserver(() => {
			const now = (performance.now() - since) / 1000;
			if ((box.dataset.runs || 0) !== runs) {
				m.End = now;
				m.First = m.First || now;
				if (now <= 3) m.At3 = 1;
				look.disconnect();
			} else if (box.dataset.reached) {
				const share = (+box.dataset.reached + +box.dataset.zero) / (+box.dataset.end + +box.dataset.zero);
				m.Steps++;
				if (now <= 3) m.At3 = share;
				if (m.First) return;
				m.First = now;
				m.Said = said.textContent;
				m.Reached = share;
			}
		});
		look.observe(box, { attributes: true, attributeFilter: ["data-reached", "data-runs"] });
		%s;
		const s = document.querySelectorAll("[data-set]")[%d];
		s.value = [...s.options].map((o) => o.value).find((v) => v !== s.value);
		s.dispatchEvent(new Event("change", {bubbles: true}));
		return true;
	})()`, before, slider))
	for range 1200 {
		if eval[float64](t, b, `movement.End`) > 0 {
			return eval[movement](t, b, `movement`)
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Fatalf("the replay gives no answer: %s", eval[string](t, b, `document.querySelector("[data-replay-status]").innerText`))
	return movement{}
}

// TestReplayTimes measures how long a reader waits after moving a slider, on the
// pages of the scenarios that are named.
func TestReplayTimes(t *testing.T) {
	names := os.Getenv("PRECEDENT_TIMES")
	if names == "" {
		t.Skip("set PRECEDENT_TIMES=ID,ID to measure how long runs in the browser take")
	}
	b := launch(t)
	for id := range strings.SplitSeq(names, ",") {
		b.run(t, chromedp.Navigate(b.origin+"/scenarios/"+id), chromedp.WaitReady(chromedp.CSS(`form[data-ready="wasm"]`)))
		n := eval[int](t, b, `document.querySelectorAll("[data-set]").length`)
		for i := range n {
			if os.Getenv("PRECEDENT_TIMES_ALL") == "" && i > 0 {
				break
			}
			m := b.moved(t, "", i)
			t.Logf("%-28s slider %d: %v", id, i, m)
			if m.First > 3 {
				t.Errorf("%s, slider %d: %.2f s to the first lines, want 3 at most", id, i, m.First)
			}
		}
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
	b.picturesOfRuns(t, dir)
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

// picturesOfRuns writes pictures of a run with another setting, when a part of it is
// there.
func (b *browser) picturesOfRuns(t *testing.T, dir string) {
	t.Helper()
	for path, width := range map[string]int64{"/scenarios/IL-0574": 1280, "/ko/scenarios/IL-0574": 390} {
		b.screen(t, width, width == 390)
		b.run(t, chromedp.Navigate(b.origin+path), chromedp.WaitReady(chromedp.CSS("footer")))
		if !eval[bool](t, b, `"wasm" in document.querySelector("[data-replay]").dataset`) {
			return
		}
		b.run(t, chromedp.WaitReady(chromedp.CSS(`form[data-ready="wasm"]`)))
		eval[bool](t, b, `(() => {
			const s = document.querySelector("[data-set]");
			s.value = s.options[0].value;
			s.dispatchEvent(new Event("change", {bubbles: true}));
			document.querySelector("[data-replay-told]").scrollIntoView();
			return true;
		})()`)
		for range 600 {
			if eval[bool](t, b, `+document.querySelector("[data-replay-charts]").dataset.reached > 0`) {
				break
			}
			time.Sleep(50 * time.Millisecond)
		}
		name := fmt.Sprintf("%s/replay-running-%d.png", dir, width)
		if err := os.WriteFile(name, value(t, b, chromedp.CaptureScreenshot()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
