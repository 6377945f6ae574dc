package mcp

import (
	"context"
	"encoding/json"
	"strings"
	"sync"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/openprecedent/precedent/internal/app"
)

// simulate calls a tool, and asks again as its answer says while it still computes: on
// a busy machine that is longer than a call may take.
func simulate(t *testing.T, c *sdk.ClientSession, tool string, a args) *sdk.CallToolResult {
	t.Helper()
	res := call(t, c, tool, a)
	for range 10 {
		var s simulation
		if res.IsError || json.Unmarshal([]byte(structuredOf(t, res)), &s) != nil || s.State.Ended() {
			return res
		}
		res = call(t, c, "get_run", args{"run": s.Run})
	}
	t.Fatalf("%s is not done after ten calls", tool)
	return nil
}

func TestJudgeSystem(t *testing.T) {
	c := connect(t)
	res := simulate(t, c, "judge_system", args{"system": exampleSystem})
	text := contentOf(t, res)
	if res.IsError || !strings.Contains(text, ": metastable") || !strings.Contains(text, "slow db") {
		t.Errorf("the answer is %s", text)
	}
	var s simulation
	if err := json.Unmarshal([]byte(structuredOf(t, res)), &s); err != nil {
		t.Fatal(err)
	}
	if s.State != app.JobDone || s.Result == nil || s.Result.Judgment.Class != "metastable" || len(s.Result.Judgment.Trials) == 0 {
		t.Errorf("the structured answer is %+v", s)
	}
	again := call(t, c, "get_run", args{"run": s.Run})
	if got := contentOf(t, again); got != text {
		t.Errorf("get_run says %s, want %s", got, text)
	}
}

func TestSimulateSystem(t *testing.T) {
	c := connect(t)
	for kind, want := range map[string]string{"": "Good answers a second", "run": "users", "remedies": "a retry budget"} {
		res := simulate(t, c, "simulate_system", args{"system": exampleSystem, "kind": kind})
		if text := contentOf(t, res); res.IsError || !strings.Contains(text, want) {
			t.Errorf("%q: no %q in %s", kind, want, text)
		}
		if n := len(structuredOf(t, res)); n > budget {
			t.Errorf("%q: %d characters", kind, n)
		}
	}
}

// TestSimulateFleet runs a system that nobody calls: the course is that of its
// members.
func TestSimulateFleet(t *testing.T) {
	c := connect(t)
	res := simulate(t, c, "simulate_system", args{"system": `name: only checks
parts:
  nlb: {kind: healthcheck, balancers: 100, targets: 4, checkers: 20}
changes:
  - {about: bad checks, at: 60s, for: 1m, set: {nlb.bad: 30%}}
run: {for: 5m}
`})
	if text := contentOf(t, res); res.IsError || !strings.Contains(text, "nlb.in_dns") || !strings.Contains(text, "nlb.out") {
		t.Errorf("the course of the members is not told: %s", text)
	}
}

const twoVariants = exampleSystem + "\nvariants:\n  - {name: patient, set: {users.call.retries: 0}}\n"

func TestVariantOfSystem(t *testing.T) {
	c := connect(t)
	res := simulate(t, c, "judge_system", args{"system": twoVariants, "variant": "patient"})
	if text := contentOf(t, res); res.IsError || !strings.Contains(text, "variant patient: driven") {
		t.Errorf("the answer is %s", text)
	}
	res = simulate(t, c, "simulate_system", args{"system": twoVariants, "variant": "base,patient"})
	if text := contentOf(t, res); res.IsError || !strings.Contains(text, "| base |") || !strings.Contains(text, "| patient |") {
		t.Errorf("the answer is %s", text)
	}
}

func TestSimulateMistakes(t *testing.T) {
	c := connect(t)
	for name, tt := range map[string]struct {
		tool string
		args args
		want string
	}{
		"nothing":   {"judge_system", args{}, "missing"},
		"problems":  {"judge_system", args{"system": "name: x\nparts:\n  u: {kind: sorce}\n  d: {kind: server, wrk: 1}\n"}, "did you mean"},
		"a setting": {"simulate_system", args{"system": exampleSystem, "set": []string{"db.wokers=2"}}, "workers"},
		"a variant": {"judge_system", args{"system": twoVariants, "variant": "pateint"}, `did you mean "patient"?`},
		"a kind":    {"simulate_system", args{"system": exampleSystem, "kind": "judge"}, "allowed: run"},
		"long":      {"judge_system", args{"system": strings.Repeat("# x\n", 20_000)}, "65536"},
		"unknown":   {"get_run", args{"run": "nothing"}, "ask again"},
	} {
		res := call(t, c, tt.tool, tt.args)
		if text := contentOf(t, res); !res.IsError || !strings.Contains(strings.ToLower(text), strings.ToLower(tt.want)) {
			t.Errorf("%s: error %t, no %q in %s", name, res.IsError, tt.want, text)
		}
	}
}

// TestSimulateMistakesAtOnce sees all that is wrong with a call told at once.
func TestSimulateMistakesAtOnce(t *testing.T) {
	c := connect(t)
	for _, tt := range []struct {
		tool string
		args args
		want []string
		not  string
	}{
		{"simulate_system", args{"system": exampleSystem, "kind": "map", "x": "load", "y": "db.work=1ms..2"}, []string{"the axis x", "the axis y"}, ""},
		{"simulate_system", args{"system": exampleSystem, "kind": "mapp", "x": "load", "seeds": 0, "bogus": 1},
			[]string{`did you mean "map"?`, "the axis x", `"seeds" is 0`, `no argument "bogus"`}, "has no axes"},
		{"judge_system", args{"system": "name: x\nparts: {u: {kind: sorce}}\n", "limit": "7%%", "seeds": "many", "set": []string{"x"}},
			[]string{`"sorce"`, `"7%%" is no share`, `"seeds" is "many"`, `"x" sets nothing`}, ""},
		{"judge_system", args{"sytem": exampleSystem, "limit": "7"}, []string{`did you mean "system"?`, "the limit 7"}, "is missing"},
		{"judge_system", args{"limit": "much", "seeds": -1}, []string{`"system" is missing`, `"much" is no share`, `"seeds" is -1`}, "cannot be run"},
		{"replay_incident", args{"id": "IL-0574", "variant": "cap-26", "set": []string{"proxy.mx=1", "x"}},
			[]string{`no variant "cap-26"`, "proxy.mx", `"x" sets nothing`}, ""},
	} {
		res := call(t, c, tt.tool, tt.args)
		text := contentOf(t, res)
		for _, want := range tt.want {
			if !res.IsError || !strings.Contains(strings.ToLower(text), strings.ToLower(want)) {
				t.Errorf("%s %v: error %t, nothing says %q: %s", tt.tool, tt.args, res.IsError, want, text)
			}
		}
		if tt.not != "" && strings.Contains(text, tt.not) {
			t.Errorf("%s %v: it says %q: %s", tt.tool, tt.args, tt.not, text)
		}
	}
}

// TestSimulationProgress sees notices of progress that grow.
func TestSimulationProgress(t *testing.T) {
	a := public(t)
	var mu sync.Mutex
	var seen []float64
	here, there := sdk.NewInMemoryTransports()
	if _, err := New(func() *app.App { return a }, Options{}).server(false).Connect(t.Context(), there, nil); err != nil {
		t.Fatal(err)
	}
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, &sdk.ClientOptions{
		ProgressNotificationHandler: func(_ context.Context, r *sdk.ProgressNotificationClientRequest) {
			mu.Lock()
			defer mu.Unlock()
			seen = append(seen, r.Params.Progress)
		},
	})
	session, err := client.Connect(t.Context(), here, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	params := &sdk.CallToolParams{Name: "judge_system", Arguments: args{"system": exampleSystem}}
	params.SetProgressToken("token")
	if _, err := session.CallTool(t.Context(), params); err != nil {
		t.Fatal(err)
	}
	time.Sleep(100 * time.Millisecond)
	mu.Lock()
	defer mu.Unlock()
	if len(seen) == 0 {
		t.Error("no notice of progress has come")
	}
	for i := 1; i < len(seen); i++ {
		if seen[i] <= seen[i-1] {
			t.Errorf("progress went from %v to %v", seen[i-1], seen[i])
		}
	}
}

// TestCourse sees a course of few steps of a long run.
func TestCourse(t *testing.T) {
	c := connect(t)
	res := call(t, c, "simulate_system", args{"system": exampleSystem})
	var s simulation
	if err := json.Unmarshal([]byte(structuredOf(t, res)), &s); err != nil {
		t.Fatal(err)
	}
	if got := stepsOf(&s.Result.Runs[0]); len(got) != courseSteps || !strings.HasPrefix(got[0], "0 s: 4") && !strings.HasPrefix(got[0], "0 s: 5") ||
		!strings.HasPrefix(got[courseSteps-1], "57 s: 0 /") {
		t.Errorf("the course is %q", got)
	}
}
