package api

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/openprecedent/precedent/internal/app"
)

func runsHandler(t *testing.T, change func(*app.JobLimits)) http.Handler {
	t.Helper()
	a := testApp(t)
	limits := app.DefaultJobLimits(1)
	if change != nil {
		change(&limits)
	}
	return New(func() *app.App { return a }, Options{
		Build: "test", Log: slog.New(slog.DiscardHandler), Jobs: app.NewJobs(limits, "test", nil),
	})
}

func post(t *testing.T, h http.Handler, body any, header ...string) *httptest.ResponseRecorder {
	t.Helper()
	raw, ok := body.(string)
	if !ok {
		b, err := json.Marshal(body)
		if err != nil {
			t.Fatal(err)
		}
		raw = string(b)
	}
	r := httptest.NewRequest("POST", runsPath, strings.NewReader(raw))
	r.Header.Set("Content-Type", "application/json")
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// job reads a simulation, and waits for its end by asking again.
func job(t *testing.T, h http.Handler, w *httptest.ResponseRecorder) *app.Job {
	t.Helper()
	for range 600 {
		j := &app.Job{}
		if err := json.Unmarshal(w.Body.Bytes(), j); err != nil {
			t.Fatalf("reading %s: %v", w.Body, err)
		}
		if j.ID == "" || j.State.Ended() {
			return j
		}
		time.Sleep(50 * time.Millisecond)
		w = get(t, h, "GET", runsPath+"/"+j.ID)
	}
	t.Fatal("the simulation does not end")
	return nil
}

func TestRunsKeepTheContract(t *testing.T) {
	h := runsHandler(t, nil)
	c := testContract(t, h)
	for _, kind := range []string{"", "run", "judge", "remedies"} {
		w := post(t, h, map[string]any{"system": exampleSystem, "kind": kind})
		if w.Code != http.StatusOK && w.Code != http.StatusAccepted {
			t.Fatalf("%q: status %d: %s", kind, w.Code, w.Body)
		}
		c.checkMethod(t, "post", runsPath, w)
		j := job(t, h, w)
		if j.State != app.JobDone || j.Result == nil {
			t.Fatalf("%q: %s: %s", kind, j.State, j.Error)
		}
		target := w.Header().Get("Location")
		if target != runsPath+"/"+j.ID {
			t.Errorf("%q: it is said to be at %q", kind, target)
		}
		again := get(t, h, "GET", target)
		c.checkMethod(t, "get", target, again)
		c.checkMethod(t, "get", target, get(t, h, "HEAD", target))
		if kind == "judge" && (j.Result.Judgment == nil || j.Result.Judgment.Class != "metastable") {
			t.Errorf("the verdict is %+v", j.Result.Judgment)
		}
		c.checkMethod(t, "delete", target, get(t, h, "DELETE", target))
		events := get(t, h, "GET", target+"/events")
		if got := events.Body.String(); events.Code != 200 || !strings.HasPrefix(got, "event: end\ndata: {") || strings.Contains(got, `"result"`) {
			t.Errorf("%q: the events are %.200s", kind, got)
		}
		c.checkMethod(t, "get", target+"/events", events)
	}
}

func TestRunsOfVariants(t *testing.T) {
	h := runsHandler(t, nil)
	system := exampleSystem + "\nvariants:\n  - {name: patient, set: {users.call.retries: 0}}\n"
	j := job(t, h, post(t, h, map[string]any{"system": system, "variant": "base,patient"}))
	if j.State != app.JobDone || len(j.Result.Runs) != 2 || j.Result.Runs[1].Variant != "patient" || j.Result.Runs[0].Variant != "" {
		t.Errorf("%s: %s: %+v", j.State, j.Error, j.Result)
	}
	if j := job(t, h, post(t, h, map[string]any{"system": system, "variant": "patient", "kind": "judge"})); j.Result.Judgment.Class != "driven" {
		t.Errorf("the variant is %s, want driven", j.Result.Judgment.Class)
	}
	for variant, want := range map[string]int{"pateint": 422, strings.Repeat(",", 1000): 400} {
		if w := post(t, h, map[string]any{"system": system, "variant": variant}); w.Code != want {
			t.Errorf("%.10q: status %d, want %d: %.300s", variant, w.Code, want, w.Body)
		}
	}
}

// TestRunsNameWhatIsWrong sees that the field is named that keeps a body from being
// a question.
func TestRunsNameWhatIsWrong(t *testing.T) {
	h := runsHandler(t, nil)
	for body, want := range map[string]string{
		`{"systen": "x"}`: `no question has a field \"systen\"`,
		`{"system": "x", "kind": "judge", "kind": "run"}`: `the body has the key \"kind\" twice`,
		`{"system": "x", "System": "y"}`:                  `the body has the key \"system\" twice`,
		`{"system": "x", "seed": -1}`:                     `the field \"seed\" of the body does not take -1`,
		`{"system": "x", "set": "a"}`:                     `the field \"set\" of the body does not take \"a\"`,
		`{"system": "x"} {}`:                              "the body is no question about a system",
		`{"system": "parts: {a: {}}"}`:                    "2 errors keep the system from running",
		`{"system": ""}`:                                  "an error keeps the system from running",
	} {
		if w := post(t, h, body); !strings.Contains(w.Body.String(), want) {
			t.Errorf("%s is answered by %s, want %q", body, w.Body, want)
		}
	}
}

// TestRunsNameAllThatIsWrong sends bodies that are wrong in several places: each is
// told, with its place, its value and what to do.
func TestRunsNameAllThatIsWrong(t *testing.T) {
	h := runsHandler(t, nil)
	c := testContract(t, h)
	const good = `"name: x\nparts:\n  u: {kind: source, rate: 5/s, call: {to: d}}\n  d: {kind: server, work: 1ms}\n"`
	for _, tt := range []struct {
		body   string
		status int
		params string // that are wrong
		says   []string
	}{
		{`{"system": ` + good + `, "kind": "map", "x": "load", "y": "d.work"}`, 400, "x y", []string{`the axis x, "load"`, `the axis y, "d.work"`, "2 fields of the question are wrong"}},
		{`{"system": ` + good + `, "seeds": "many", "limit": 7, "sets": [], "set": [1]}`, 400, "seeds set sets limit",
			[]string{`does not take "many"`, "write a whole number", "does not take [1]", "list of texts", `did you mean "set"?`, "the limit 7"}},
		{`{"systen": ` + good + `, "seed": -1}`, 400, "seed systen", []string{`did you mean "system"?`, "not below 0"}},
		{`{"system": "parts: {a: {kind: sorce}}", "kind": "juge", "x": "load"}`, 400, "kind x", []string{`did you mean "judge"?`, "sorce", "and 2 errors keep the system from running"}},
		{`{"seeds": 0.5}`, 400, "seeds", []string{"does not take 0.5", "an error keeps the system from running"}},
		{`{"system": ` + good + `, "kind": "map", "x": "u.rate=1/s,fast", "y": "d.wrk=1ms,2ms"}`, 422, "", []string{`\"fast\" is not a rate`, `did you mean \"parts.d.work\"?`}},
		{`{"system": ` + good + `, "series": ["nothing"], "windows": -1}`, 400, "windows series", []string{"no series matches nothing", "some are"}},
		{`{"system": ` + good + `, "kind": "explore"}`, 422, "", []string{"no part of the system is a protocol"}},
	} {
		w := post(t, h, tt.body)
		c.checkMethod(t, "post", runsPath, w)
		var p Problem
		if err := json.Unmarshal(w.Body.Bytes(), &p); err != nil {
			t.Fatal(err)
		}
		var params []string
		for _, e := range p.Errors {
			params = append(params, e.Parameter)
			if e.In != "body" || e.Detail == "" || e.Remedy == "" {
				t.Errorf("%s: %+v is not whole", tt.body, e)
			}
		}
		if got := strings.Join(params, " "); w.Code != tt.status || got != tt.params {
			t.Errorf("%s: status %d with %q, want %d with %q: %s", tt.body, w.Code, got, tt.status, tt.params, w.Body)
		}
		for _, want := range tt.says {
			if raw, _ := json.Marshal(want); !strings.Contains(w.Body.String(), want) && !strings.Contains(w.Body.String(), strings.Trim(string(raw), `"`)) {
				t.Errorf("%s: nothing says %q: %s", tt.body, want, w.Body)
			}
		}
	}
}

func TestRunsRefuse(t *testing.T) {
	h := runsHandler(t, nil)
	c := testContract(t, h)
	for name, tt := range map[string]struct {
		body any
		want int
	}{
		"no JSON":         {"system: x", 400},
		"half a JSON":     {`{"system": "x"`, 400},
		"two bodies":      {`{"system": "x"}{"system": "y"}`, 400},
		"unknown field":   {`{"systen": "x"}`, 400},
		"unknown kind":    {map[string]any{"system": exampleSystem, "kind": "juge"}, 400},
		"settings":        {map[string]any{"system": exampleSystem, "set": make([]string, 1000)}, 400},
		"too long":        {map[string]any{"system": strings.Repeat("# x\n", 20_000)}, 413},
		"much too long":   {strings.Repeat(" ", 1<<20), 413},
		"nothing":         {map[string]any{"system": ""}, 422},
		"no YAML":         {map[string]any{"system": "parts: [\x00"}, 422},
		"wrong setting":   {map[string]any{"system": exampleSystem, "set": []string{"db.spead=1"}}, 422},
		"10,000 parts":    {map[string]any{"system": "name: x\nparts: {" + manyParts(10_000) + "}"}, 413},
		"2,000 parts":     {map[string]any{"system": "name: x\nparts: {" + manyParts(2_000) + "}"}, 422},
		"deep":            {map[string]any{"system": "name: x\nparts: " + strings.Repeat("[", 30_000)}, 422},
		"aliases":         {map[string]any{"system": "a: &a [x,x]\nb: &b [*a,*a]\nc: &c [*b,*b]\nparts: *c"}, 422},
		"huge workers":    {map[string]any{"system": strings.Replace(exampleSystem, "work: exp 10ms", "work: exp 10ms, workers: 999999999999999999999", 1)}, 422},
		"negative":        {map[string]any{"system": strings.Replace(exampleSystem, "50/s", "-50/s", 1)}, 422},
		"not a number":    {map[string]any{"system": strings.Replace(exampleSystem, "50/s", "NaN/s", 1)}, 422},
		"a million years": {map[string]any{"system": strings.Replace(exampleSystem, "60s", "8760000000h", 1)}, 422},
	} {
		w := post(t, h, tt.body)
		if w.Code != tt.want {
			t.Errorf("%s: status %d, want %d: %.300s", name, w.Code, tt.want, w.Body)
		}
		c.checkMethod(t, "post", runsPath, w)
		var p Problem
		if err := json.Unmarshal(w.Body.Bytes(), &p); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if tt.want == 422 && (len(p.Problems) == 0 || p.Problems[0].Msg == "") {
			t.Errorf("%s: no problem is named: %.300s", name, w.Body)
		}
	}
	if w := post(t, h, map[string]any{"system": exampleSystem}, "Content-Type", "text/plain"); w.Code != 415 {
		t.Errorf("text: status %d, want 415", w.Code)
	}
	for _, tt := range []struct {
		method, target string
		want           int
	}{
		{"GET", runsPath, 405}, {"PUT", runsPath + "/abc", 405}, {"POST", runsPath + "/abc", 405}, {"GET", runsPath + "/abc", 404},
		{"DELETE", runsPath + "/abc", 404}, {"GET", runsPath + "/abc/events", 404}, {"GET", runsPath + "/abc/else", 404},
		{"OPTIONS", runsPath, 204}, {"GET", runsPath + "/abc?x=1", 400},
	} {
		if w := get(t, h, tt.method, tt.target); w.Code != tt.want {
			t.Errorf("%s %s: status %d, want %d", tt.method, tt.target, w.Code, tt.want)
		}
	}
}

func manyParts(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "p%d: {kind: server}, ", i)
	}
	return b.String()
}

// TestHostileSystems sends what is well written and would take for ever, or all
// of the memory: each ends soon, and the server goes on.
func TestHostileSystems(t *testing.T) {
	h := runsHandler(t, func(l *app.JobLimits) { l.Compute, l.Memory, l.PerClient = 300*time.Millisecond, 256<<20, 0 })
	for name, system := range map[string]string{
		"a trillion events": "name: x\nparts:\n  u: {kind: source, rate: 1000000/s, call: {to: d}}\n  d: {kind: server, work: 1us}\nrun: {for: 1000h, window: 1h}\n",
		"a flood":           "name: x\nparts:\n  u: {kind: source, rate: 1000000000/s, call: {to: d}}\n  d: {kind: server, work: 1h}\nrun: {for: 1000h, window: 1h}\n",
		"retries":           "name: x\nparts:\n  u: {kind: source, rate: 100000/s, call: {to: d, timeout: 1ms, retries: 10}}\n  d: {kind: server, work: 1s}\nrun: {for: 10h, window: 1m}\n",
		"many users":        "name: x\nparts:\n  u: {kind: source, population: 1000000, think: 1ms, call: {to: d}}\n  d: {kind: server, work: 1s}\nrun: {for: 10h, window: 1m}\n",
		"a slow system":     "name: x\nparts:\n  u: {kind: source, rate: 1000000/s, call: {to: d, timeout: 10h}}\n  d: {kind: server, work: 1us, workers: 1000}\nrun: {for: 1m}\n",
	} {
		for _, kind := range []string{"run", "judge", "stress"} {
			began := time.Now()
			w := post(t, h, map[string]any{"system": system, "kind": kind})
			if w.Code != 200 && w.Code != 202 && w.Code != 422 {
				t.Errorf("%s, %s: status %d: %.300s", name, kind, w.Code, w.Body)
				continue
			}
			j := job(t, h, w)
			t.Logf("%s, %s: %d %s after %v: %s", name, kind, w.Code, j.State, time.Since(began).Round(time.Millisecond), j.Error)
			if took := time.Since(began); took > 20*time.Second {
				t.Errorf("%s, %s: it took %v", name, kind, took)
			}
		}
	}
	if w := get(t, h, "GET", Root+"/stats"); w.Code != 200 {
		t.Errorf("afterwards: status %d", w.Code)
	}
}

func TestRunsAreBounded(t *testing.T) {
	h := runsHandler(t, func(l *app.JobLimits) { l.PerClient, l.Queue, l.Answer.Events = 2, 1, 0 })
	c := testContract(t, h)
	system := func(i int) map[string]any {
		return map[string]any{"system": fmt.Sprintf("name: x%d\nparts:\n  u: {kind: source, rate: 100000/s, call: {to: d}}\n  d: {kind: server, work: 1us}\nrun: {for: 2h, window: 1m}\n", i)}
	}
	var targets []string
	for i, want := range []int{202, 202, 429} {
		w := post(t, h, system(i))
		if w.Code != want {
			t.Fatalf("simulation %d: status %d, want %d: %s", i+1, w.Code, want, w.Body)
		}
		c.checkMethod(t, "post", runsPath, w)
		if want == 429 && w.Header().Get("Retry-After") == "" {
			t.Error("nothing says when to come back")
		}
		targets = append(targets, w.Header().Get("Location"))
	}
	// One watches and goes away.
	server := httptest.NewServer(h)
	defer server.Close()
	resp, err := http.Get(server.URL + targets[0] + "/events")
	if err != nil {
		t.Fatal(err)
	}
	first := make([]byte, 64)
	if n, err := resp.Body.Read(first); err != nil || !strings.HasPrefix(string(first[:n]), "event: progress") {
		t.Errorf("the first event is %q (%v)", first[:n], err)
	}
	resp.Body.Close()
	for _, target := range targets[:2] {
		if w := get(t, h, "DELETE", target); w.Code != 200 {
			t.Errorf("DELETE %s: status %d", target, w.Code)
		}
		if j := job(t, h, get(t, h, "GET", target)); j.State != app.JobCancelled {
			t.Errorf("after DELETE it is %s", j.State)
		}
	}
}
