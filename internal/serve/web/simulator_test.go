package web

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/openprecedent/precedent/internal/sim/study"
	"github.com/openprecedent/precedent/internal/testrace"
)

// systemNames are systems that are small enough to be asked all that can be asked.
var systemNames = []string{"retry-storm", "retry-budget", "two-tiers", "backlog"}

// systemText returns one of them.
func systemText(name string) string {
	raw, err := os.ReadFile("testdata/systems/" + name + ".yaml")
	if err != nil {
		panic(err)
	}
	return string(raw)
}

func postForm(h http.Handler, path string, values url.Values) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodPost, path, strings.NewReader(values.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// TestExploreWithoutScript asks for every order of the steps, as a browser without
// script does, in both languages, and finds the same on the page of a scenario.
func TestExploreWithoutScript(t *testing.T) {
	h := newSite(t)
	const system = "name: plans\nparts:\n  users: {kind: source, rate: 1/s, call: {to: dns}}\n" +
		"  dns: {kind: planner, period: 30s, endpoints: 1, appliers: 2, keep: 1, step: exp 100ms}\n"
	for prefix, want := range map[string][]string{
		"":    {"broken in 8 steps", "<td>384</td>", "writes plan 2 to endpoint 1, over plan 4", "endpoint 1 has"},
		"/ko": {"8단계에 깨짐", "<td>384</td>", "더 새로운 계획 4 위에", "엔드포인트 1"},
	} {
		w := postForm(h, prefix+"/simulator", url.Values{"system": {system}, "kind": {"explore"}})
		to := w.Header().Get("Location")
		page := get(h, to)
		for range 300 {
			if page.Header().Get("Refresh") == "" {
				break
			}
			time.Sleep(100 * time.Millisecond)
			page = get(h, to)
		}
		body := page.Body.String()
		for _, text := range want {
			if !strings.Contains(body, text) {
				t.Errorf("%s: the answer at %q does not say %q", prefix, to, text)
			}
		}
		replay := get(h, prefix+"/scenarios/IL-0150-dns").Body.String()
		for _, text := range append(want[:1:1], "9182", `id="orders"`, "precedent explore IL-0150-dns") {
			if !strings.Contains(replay, text) {
				t.Errorf("%s: the page of the scenario does not say %q", prefix, text)
			}
		}
		for _, wrong := range check(replay, map[string]string{"": "en", "/ko": "ko"}[prefix]) {
			t.Errorf("%s: the page of the scenario: %s", prefix, wrong)
		}
	}
}

// TestSimulatorWithoutScript follows the form as a browser without script does,
// for each kind of question about small systems, in both languages.
func TestSimulatorWithoutScript(t *testing.T) {
	h := newSite(t)
	for _, name := range systemNames {
		for _, kind := range study.Kinds() {
			for _, prefix := range []string{"", "/ko"} {
				if kind == study.KindExplore {
					continue // none of them is a protocol
				}
				if kind == study.KindStress && (name != "retry-budget" || prefix != "" || testrace.Enabled) || kind == study.KindRemedies && testrace.Enabled {
					continue // it takes long, and one shows it
				}
				text := strings.ReplaceAll(systemText(name), "\n", "\r\n")
				w := postForm(h, prefix+"/simulator", url.Values{"system": {text}, "kind": {string(kind)}, "x": {"users.rate=20/s,60/s"}, "y": {"users.in_time=1s,2s"}})
				if w.Code != http.StatusSeeOther {
					t.Fatalf("%s %s: status %d: %s", name, kind, w.Code, w.Body)
				}
				to := w.Header().Get("Location")
				if !strings.HasPrefix(to, prefix+"/simulator/runs/") {
					t.Fatalf("%s %s: it leads to %q", name, kind, to)
				}
				page := get(h, to)
				for range 300 {
					if page.Header().Get("Refresh") == "" {
						break
					}
					time.Sleep(100 * time.Millisecond)
					page = get(h, to)
				}
				body := page.Body.String()
				lang := map[string]string{"": "en", "/ko": "ko"}[prefix]
				for _, wrong := range check(body, lang) {
					t.Errorf("%s %s in %s: %s", name, kind, lang, wrong)
				}
				if page.Code != http.StatusOK || strings.Contains(body, "%!") || strings.Contains(body, "role=\"alert\"") {
					t.Errorf("%s %s in %s: status %d, %s", name, kind, lang, page.Code, body[strings.Index(body, "data-sim-result"):])
				}
				if !strings.Contains(body, "name: ") || page.Header().Get("Cache-Control") != "no-store" {
					t.Errorf("%s %s: the page has lost the system, or is kept", name, kind)
				}
			}
		}
	}
}

func TestSimulatorVerdicts(t *testing.T) {
	h := newSite(t)
	for name, want := range map[string]string{
		"retry-storm": "Metastable", "backlog": "Driven", "retry-budget": "Driven",
	} {
		w := postForm(h, "/simulator", url.Values{"system": {systemText(name)}, "kind": {"judge"}, "part": {"result"}})
		for range 300 {
			if w.Code != http.StatusAccepted {
				break
			}
			time.Sleep(100 * time.Millisecond)
			w = get(h, "/simulator/runs/"+w.Header().Get("X-Run")+"?part=result")
		}
		body := w.Body.String()
		if w.Code != http.StatusOK || strings.Contains(body, "<html") {
			t.Errorf("%s: status %d: %.300s", name, w.Code, body)
		}
		if !strings.Contains(body, ">"+want+"<") {
			t.Errorf("%s is not %s: %.600s", name, want, body)
		}
	}
}

func TestSimulatorRefuses(t *testing.T) {
	h := newSite(t)
	bad := "name: x\nparts:\n  users: {kind: sorce}\n  <b>: {kind: server}\n"
	w := postForm(h, "/simulator", url.Values{"system": {bad}, "kind": {"run"}})
	body := w.Body.String()
	if w.Code != http.StatusUnprocessableEntity || !strings.Contains(body, `data-line="3"`) || !strings.Contains(body, "sorce") {
		t.Errorf("status %d: %s", w.Code, body)
	}
	if strings.Contains(body, "<b>:") {
		t.Error("the text of the reader stands in the page as HTML")
	}
	if w := postForm(h, "/simulator", url.Values{"system": {strings.Repeat("# long\n", 20_000)}}); w.Code != http.StatusRequestEntityTooLarge {
		t.Errorf("a long system: status %d", w.Code)
	}
	if w := get(h, "/simulator/runs/none"); w.Code != http.StatusNotFound {
		t.Errorf("an unknown run: status %d", w.Code)
	}
}

// TestSimulatorFields gives the settings, the seeds and the limit of the form.
func TestSimulatorFields(t *testing.T) {
	h := newSite(t)
	ask := func(set, seeds, limit, kind string) (int, string) {
		w := postForm(h, "/simulator", url.Values{
			"system": {systemText("retry-storm")}, "kind": {kind}, "part": {"result"}, "set": {set}, "seeds": {seeds}, "limit": {limit},
		})
		for range 300 {
			if w.Code != http.StatusAccepted {
				break
			}
			time.Sleep(100 * time.Millisecond)
			w = get(h, "/simulator/runs/"+w.Header().Get("X-Run")+"?part=result")
		}
		return w.Code, w.Body.String()
	}
	if code, body := ask("users.call.retries=0; run.for=30s", "2", "2%", "judge"); code != http.StatusOK ||
		!strings.Contains(body, ">Driven<") || !strings.Contains(body, "--set users.call.retries=0 --set run.for=30s --seeds 2 --limit 0.02") {
		t.Errorf("status %d: %.600s", code, body)
	}
	for field, got := range map[string]func() (int, string){
		"no share":   func() (int, string) { return ask("", "", "much", "judge") },
		"no number":  func() (int, string) { return ask("", "many", "", "stress") },
		"seeds":      func() (int, string) { return ask("", "100000", "", "judge") },
		"sets":       func() (int, string) { return ask("load", "", "", "run") },
		"users.rats": func() (int, string) { return ask("users.rats=1/s", "", "", "run") },
	} {
		if code, body := got(); code < 400 || code >= 500 || !strings.Contains(body, field) {
			t.Errorf("%s: status %d: %.300s", field, code, body)
		}
	}
}

// TestSimulatorVariants chooses a variant of the text on the page.
func TestSimulatorVariants(t *testing.T) {
	h := newSite(t)
	system := systemText("retry-storm") + "variants:\n  - {name: no-<retries>, about: 'a \"calm\" one', set: {users.call.retries: 0}}\n"
	ask := func(system, variant, part string) (int, string) {
		w := postForm(h, "/simulator", url.Values{"system": {system}, "variant": {variant}, "kind": {"judge"}, "part": {part}})
		for range 300 {
			if w.Code != http.StatusAccepted {
				break
			}
			time.Sleep(100 * time.Millisecond)
			w = get(h, "/simulator/runs/"+w.Header().Get("X-Run")+"?part=result")
		}
		return w.Code, w.Body.String()
	}
	const option = `<option value="no-&lt;retries&gt;" title="a &#34;calm&#34; one" selected>no-&lt;retries&gt;</option>`
	if code, body := ask(system, "no-<retries>", "variants"); code != http.StatusOK || !strings.Contains(body, option) || strings.Contains(body, "<html") {
		t.Errorf("status %d: %s", code, body)
	}
	if code, body := ask(systemText("retry-storm"), "", "variants"); code != http.StatusOK || body != "" {
		t.Errorf("a text without variants: status %d: %q", code, body)
	}
	for variant, want := range map[string]string{"": "Metastable", "no-<retries>": "Driven"} {
		if code, body := ask(system, variant, "result"); code != http.StatusOK || !strings.Contains(body, ">"+want+"<") {
			t.Errorf("%q: status %d, not %s: %.600s", variant, code, want, body)
		}
	}
	if code, body := ask(system, "other", "result"); code != http.StatusUnprocessableEntity || !strings.Contains(body, "no variant is named") {
		t.Errorf("an unknown variant: status %d: %.300s", code, body)
	}
	if code, body := ask(systemText("retry-storm"), "other", "result"); code != http.StatusOK {
		t.Errorf("a choice that is left over: status %d: %.300s", code, body)
	}
	if code, body := ask(systemText("retry-storm")+"variants: [{", "other", "variants"); code != http.StatusOK || body != "" {
		t.Errorf("half a text: status %d: %q", code, body)
	}
}

func TestSimulatorForTheBrowser(t *testing.T) {
	a := loadAssets()
	if !a.has(wasmFile) {
		t.Skip("the simulator for the browser was not built: run dev/wasm")
	}
	w := get(newSite(t), a.url(wasmFile), "Accept-Encoding", "br")
	if w.Code != http.StatusOK || w.Header().Get("Content-Type") != "application/wasm" || w.Header().Get("Content-Encoding") != "br" {
		t.Errorf("status %d, %v", w.Code, w.Header())
	}
	if n := w.Body.Len(); n > 2_000_000 {
		t.Errorf("it has %d bytes compressed", n)
	}
	if w := get(newSite(t), a.url(wasmFile)); !strings.HasPrefix(w.Body.String(), "\x00asm") {
		t.Error("it is no WebAssembly without compression")
	}
}
