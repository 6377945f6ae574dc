package browsertest

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// answered waits for the answer of the simulator and returns who gave it.
func (b *browser) answered(t *testing.T) string {
	t.Helper()
	const by = `document.querySelector("[data-sim-result]").dataset.by || ""`
	for range 300 {
		if who := eval[string](t, b, by); who != "" {
			return who
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Fatalf("there is no answer: %s", eval[string](t, b, `document.querySelector("[data-sim-result]").innerText`))
	return ""
}

// describe puts a small system into the page, in the place of its example.
func (b *browser) describe(t *testing.T) {
	t.Helper()
	src, err := os.ReadFile("../testdata/systems/retry-storm.yaml")
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(string(src))
	if err != nil {
		t.Fatal(err)
	}
	eval[string](t, b, `document.querySelector(".sim-form textarea").value = `+string(text))
}

const judgeButton = `.sim-form button[value="judge"]`

// TestSimulator judges a system on the page, in the browser and by the server:
// both give the same answer.
func TestSimulator(t *testing.T) {
	b := launch(t)
	complaints := b.complaints(t)
	answers := map[string]string{}
	for _, query := range []string{"?by=server", ""} {
		b.run(t, chromedp.Navigate(b.origin+"/simulator"+query), chromedp.WaitReady(chromedp.CSS("footer")))
		built := eval[bool](t, b, `"wasm" in document.querySelector("[data-sim]").dataset`)
		if query == "" && !built {
			t.Log("the simulator for the browser was not built: run dev/wasm")
			if os.Getenv("CI") == "true" {
				t.Error("in CI it must be")
			}
			continue
		}
		want := "server"
		if query == "" {
			want = "wasm"
			b.run(t, chromedp.WaitReady(chromedp.CSS(`form[data-ready="wasm"]`)))
		}
		b.describe(t)
		began := time.Now()
		b.run(t, chromedp.Click(chromedp.CSS(judgeButton)))
		if got := b.answered(t); got != want {
			t.Errorf("with %q the answer is of the %s, want the %s", query, got, want)
		}
		answers[want] = eval[string](t, b, `document.querySelector("[data-sim-result]").innerHTML`)
		t.Logf("%s: %v", want, time.Since(began).Round(10*time.Millisecond))
		if !strings.Contains(answers[want], "Metastable") {
			t.Errorf("the %s says %.600s", want, answers[want])
		}
	}
	if len(answers) == 2 && answers["wasm"] != answers["server"] {
		t.Errorf("the browser and the server differ:\n%s\n%s", answers["wasm"], answers["server"])
	}
	for _, c := range complaints() {
		t.Errorf("the browser complains: %s", c)
	}
}

// TestSimulatorKinds asks for a map and an explanation, with settings, seeds and a
// limit, in the browser and of the server: both give the same answer.
func TestSimulatorKinds(t *testing.T) {
	b := launch(t)
	complaints := b.complaints(t)
	for _, c := range []struct{ path, kind, want, value string }{
		{"/simulator", "map", `class="sim-map"`, "--limit 0.02"},
		{"/ko/simulator", "map", `class="sim-map"`, "--seeds 2"},
		{"/simulator", "explain", "sim-", "run.for=30s"},
		{"/ko/simulator", "explain", "sim-", "run.for=30s"},
	} {
		answers := map[string]string{}
		for _, query := range []string{"?by=server", ""} {
			b.run(t, chromedp.Navigate(b.origin+c.path+query), chromedp.WaitReady(chromedp.CSS("footer")))
			if query == "" {
				if !eval[bool](t, b, `"wasm" in document.querySelector("[data-sim]").dataset`) {
					continue // which TestSimulator tells of
				}
				b.run(t, chromedp.WaitReady(chromedp.CSS(`form[data-ready="wasm"]`)))
			}
			b.describe(t)
			eval[string](t, b, `(() => { const f = document.querySelector(".sim-form").elements;
				Object.entries({x: "load=20/s,50/s", y: "retries=0,3", set: "run.for=30s", seeds: "2", limit: "2%"}).forEach(([k, v]) => { f[k].value = v; }); return ""; })()`)
			b.run(t, chromedp.Click(chromedp.CSS(`.sim-form button[value="`+c.kind+`"]`)))
			who := b.answered(t)
			answers[who] = eval[string](t, b, `document.querySelector("[data-sim-result]").innerHTML`)
			if got := answers[who]; !strings.Contains(got, c.want) || !strings.Contains(got, c.value) || strings.Contains(got, "sim-problems") {
				t.Errorf("%s of %s by the %s lacks %q or %q: %.900s", c.kind, c.path, who, c.want, c.value, got)
			}
		}
		if len(answers) == 2 && answers["wasm"] != answers["server"] {
			t.Errorf("%s: the browser and the server differ:\n%s\n%s", c.kind, answers["wasm"], answers["server"])
		}
	}
	for _, c := range complaints() {
		t.Errorf("the browser complains: %s", c)
	}
}

// TestSimulatorProblems leads from what is wrong to its line.
func TestSimulatorProblems(t *testing.T) {
	b := launch(t)
	for _, query := range []string{"?by=server", ""} {
		b.run(t, chromedp.Navigate(b.origin+"/simulator"+query), chromedp.WaitReady(chromedp.CSS("footer")))
		eval[string](t, b, `document.querySelector("#system").value = "name: x\nparts:\n  users: {kind: sorce}\n"`)
		b.run(t, chromedp.Click(chromedp.CSS(judgeButton)))
		b.answered(t)
		b.run(t, chromedp.Click(chromedp.CSS(`.sim-problems [data-line="3"]`)))
		const selected = `(() => { const t = document.querySelector("#system"); return t.value.slice(t.selectionStart, t.selectionEnd); })()`
		if got := eval[string](t, b, selected); got != "  users: {kind: sorce}" {
			t.Errorf("with %q the problem leads to %q", query, got)
		}
	}
}

// TestSimulatorWithoutScript judges a system by the plain form.
func TestSimulatorWithoutScript(t *testing.T) {
	b := launch(t)
	b.scripts(t, false)
	b.run(t, chromedp.Navigate(b.origin+"/ko/simulator"), chromedp.WaitVisible(chromedp.CSS("#system")),
		chromedp.Click(chromedp.CSS(judgeButton)), chromedp.WaitVisible(chromedp.CSS(".sim-verdict")), chromedp.WaitVisible(chromedp.CSS(".sim-plot")))
}

// TestSimulatorPictures writes pictures of answers, as [TestPictures] does.
func TestSimulatorPictures(t *testing.T) {
	dir := os.Getenv("PRECEDENT_SHOTS")
	if dir == "" {
		t.Skip("set PRECEDENT_SHOTS=DIR to write pictures of the pages")
	}
	b := launch(t)
	for _, shot := range []struct {
		name, path, kind string
		width            int64
		dark             bool
	}{
		{"sim-judge-en-desk", "/simulator", "judge", 1280, false},
		{"sim-judge-ko-desk-dark", "/ko/simulator", "judge", 1280, true},
		{"sim-judge-ko-phone", "/ko/simulator", "judge", 390, false},
		{"sim-judge-en-phone-dark", "/simulator", "judge", 390, true},
		{"sim-run-en-desk", "/simulator?example=api-retries", "run", 1280, false},
		{"sim-run-ko-desk", "/ko/simulator?example=queue-consumers", "run", 1280, false},
		{"sim-remedies-en-desk", "/simulator", "remedies", 1280, false},
		{"sim-stress-ko-desk", "/ko/simulator", "stress", 1280, false},
		{"sim-map-en-desk-dark", "/simulator", "map", 1280, true},
		{"sim-map-ko-phone", "/ko/simulator", "map", 390, false},
		{"sim-explain-en-desk", "/simulator", "explain", 1280, false},
		{"sim-explain-ko-phone", "/ko/simulator", "explain", 390, false},
	} {
		b.screen(t, shot.width, shot.dark)
		b.run(t, chromedp.Navigate(b.origin+shot.path), chromedp.WaitReady(chromedp.CSS("footer")))
		eval[string](t, b, `(() => { const f = document.querySelector(".sim-form").elements; f.x.value = "load=20/s..90/s:6"; f.y.value = "retries=0..3"; return ""; })()`)
		b.run(t, chromedp.Click(chromedp.CSS(`.sim-form button[value="`+shot.kind+`"]`)))
		b.answered(t)
		over := eval[int](t, b, "document.scrollingElement.scrollWidth - innerWidth")
		if over > 0 {
			t.Errorf("%s scrolls %d px sideways; the widest is %s", shot.name, over, eval[string](t, b, widest))
		}
		picture := value(t, b, chromedp.FullScreenshot(100))
		if err := os.WriteFile(dir+"/"+shot.name+".png", picture, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
