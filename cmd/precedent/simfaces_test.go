package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/sim/study"
)

const facesSystem = `name: faces
parameters:
  load: {value: 50/s, assumed: half the capacity}
parts:
  users: {kind: source, rate: $load, call: {to: db, timeout: 300ms, retries: 3}}
  db: {kind: server, work: exp 10ms}
run: {for: 60s}
changes:
  - {about: the slow database, at: 10s, for: 4s, set: {db.speed: 5%}}
`

// TestFacesSimulateTheSame asks each kind of question of every face. An answer
// names the command that gives it again: what that prints is, byte for byte in
// canonical JSON, what the face returned.
func TestFacesSimulateTheSame(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile(study.FileName, []byte(facesSystem), 0o600); err != nil {
		t.Fatal(err)
	}
	base := startServer(t)
	session := connect(t, base+"/mcp")
	system := map[string]any{"system": facesSystem}
	with := func(more map[string]any) map[string]any {
		for k, v := range system {
			more[k] = v
		}
		return more
	}
	for _, q := range []struct {
		name    string
		command string // empty where the face chooses what the command would not
		answer  json.RawMessage
	}{
		{"a run by the API", "run system.yaml", runAPI(t, base, with(map[string]any{}))},
		{"a comparison by the API", "run system.yaml --set load=40/s,60/s --seed 2 --series users.*", runAPI(t, base,
			with(map[string]any{"set": []string{"load=40/s,60/s"}, "seed": 2, "series": []string{"users.*"}}))},
		{"a judgment by the API", "judge system.yaml --set load=15/s --seeds 2 --limit 0.02", runAPI(t, base,
			with(map[string]any{"kind": "judge", "set": []string{"load=15/s"}, "seeds": 2, "limit": 0.02}))},
		{"edges by the API", "stress system.yaml --seeds 5", runAPI(t, base, with(map[string]any{"kind": "stress", "seeds": 5}))},
		{"remedies by the API", "remedies system.yaml --seeds 2", runAPI(t, base, with(map[string]any{"kind": "remedies", "seeds": 2}))},
		{"a map by the API", "map system.yaml --x load=10/s,60/s --y users.call.retries=0,3 --seeds 2", runAPI(t, base,
			with(map[string]any{"kind": "map", "x": "load=10/s,60/s", "y": "users.call.retries=0,3", "seeds": 2}))},
		{"an explanation by the API", "explain system.yaml --set load=20/s", runAPI(t, base, with(map[string]any{"kind": "explain", "set": []string{"load=20/s"}}))},
		{"a run by MCP", "", simTool(t, session, "simulate_system", with(map[string]any{}))},
		{"a judgment by MCP", "judge system.yaml", simTool(t, session, "judge_system", with(map[string]any{}))},
		{"remedies by MCP", "remedies system.yaml --set load=40/s", simTool(t, session, "simulate_system",
			with(map[string]any{"kind": "remedies", "set": []string{"load=40/s"}}))},
		{"a map by MCP", "map system.yaml --x load=10/s,60/s --y users.call.retries=0,3", simTool(t, session, "simulate_system",
			with(map[string]any{"kind": "map", "x": "load=10/s,60/s", "y": "users.call.retries=0,3"}))},
		{"an explanation by MCP", "explain system.yaml", simTool(t, session, "simulate_system", with(map[string]any{"kind": "explain"}))},
		{"a run by the site", "run system.yaml", simPage(t, base, "run")},
		{"a judgment by the site", "judge system.yaml --course", simPage(t, base, "judge")},
	} {
		t.Run(q.name, func(t *testing.T) {
			var head struct {
				Command string
			}
			if err := json.Unmarshal(q.answer, &head); err != nil {
				t.Fatalf("%v in %.300s", err, q.answer)
			}
			if q.command != "" && head.Command != "precedent "+q.command && head.Command != "precedent "+strings.Replace(q.command, "users.*", "'users.*'", 1) {
				t.Errorf("its command is %q, want that it is %q", head.Command, q.command)
			}
			var args []string
			for _, word := range strings.Fields(head.Command)[1:] {
				args = append(args, strings.Trim(word, "'"))
			}
			want := json.RawMessage(command(t, append(args, "--json")))
			if strings.HasSuffix(q.name, "by MCP") { // which leaves the other language out
				want = inEnglish(t, want)
			}
			if diff := cmp.Diff(canonicalJSON(t, want), canonicalJSON(t, q.answer)); diff != "" {
				t.Errorf("it differs from `%s --json` (-command +face):\n%.3000s", head.Command, diff)
			}
		})
	}
}

// inEnglish takes the Korean out of an answer.
func inEnglish(t *testing.T, answer json.RawMessage) json.RawMessage {
	t.Helper()
	var v any
	if err := json.Unmarshal(answer, &v); err != nil {
		t.Fatal(err)
	}
	var walk func(any)
	walk = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			if v["en"] != nil {
				delete(v, "ko")
			}
			for _, one := range v {
				walk(one)
			}
		case []any:
			for _, one := range v {
				walk(one)
			}
		}
	}
	walk(v)
	out, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// runAPI starts a simulation and returns its answer.
func runAPI(t *testing.T, base string, question map[string]any) json.RawMessage {
	t.Helper()
	body, err := json.Marshal(question)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.Post(base+"/api/v1/runs", "application/json", bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	at := resp.Header.Get("Location")
	if at == "" {
		t.Fatalf("%s: %v", body, resp.Status)
	}
	return runAt(t, base+at)
}

// runAt waits for a simulation and returns its answer.
func runAt(t *testing.T, address string) json.RawMessage {
	t.Helper()
	for range 600 {
		var job struct {
			State  app.JobState
			Error  string
			Result json.RawMessage
		}
		if err := json.Unmarshal(get(t, address), &job); err != nil {
			t.Fatal(err)
		}
		if job.State.Ended() {
			if job.Result == nil {
				t.Fatalf("the simulation is %s: %s", job.State, job.Error)
			}
			return job.Result
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatal("the simulation does not end")
	return nil
}

// simTool calls a tool that simulates and returns its answer.
func simTool(t *testing.T, session *sdk.ClientSession, tool string, args map[string]any) json.RawMessage {
	t.Helper()
	for range 5 {
		result, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: tool, Arguments: args})
		if err != nil {
			t.Fatal(err)
		}
		body, err := json.Marshal(result.StructuredContent)
		var out struct {
			Run    string
			Result json.RawMessage
		}
		if err != nil || result.IsError || json.Unmarshal(body, &out) != nil {
			t.Fatalf("%s: %v, %v", tool, err, result.Content)
		}
		if out.Result != nil {
			return out.Result
		}
		tool, args = "get_run", map[string]any{"run": out.Run}
	}
	t.Fatalf("%s: the simulation does not end", tool)
	return nil
}

// simPage sends the form of the site and returns the answer that its page shows.
func simPage(t *testing.T, base, kind string) json.RawMessage {
	t.Helper()
	return simForm(t, base, url.Values{"system": {facesSystem}, "kind": {kind}})
}

func simForm(t *testing.T, base string, form url.Values) json.RawMessage {
	t.Helper()
	return runAt(t, base+"/api/v1/runs/"+simID(t, base, form))
}

// simID sends the form of the site and returns the id of the simulation.
func simID(t *testing.T, base string, form url.Values) string {
	t.Helper()
	form.Set("part", "result")
	resp, err := http.PostForm(base+"/simulator", form)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	id := resp.Header.Get("X-Run")
	if id == "" {
		t.Fatalf("%v: %v", form["kind"], resp.Status)
	}
	return id
}

// expecting is a system whose file expects three things of a run, of which one does
// not hold.
const expecting = facesSystem + `expect:
  - {name: calm before, that: 'never(users.failed, 1, "0s", "10s")'}
  - {name: storm, that: 'mean(users.failed / users.offered, "20s") > 0.8'}
  - {name: no retries, that: 'total(users.call.retries) == 0'}
`

// TestFacesTellExpectations asks every face for a run, and for a judgment with the
// course of one: each tells what holds and what does not, as the command does.
func TestFacesTellExpectations(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile(study.FileName, []byte(expecting), 0o600); err != nil {
		t.Fatal(err)
	}
	base := startServer(t)
	session := connect(t, base+"/mcp")
	system := func(more ...string) map[string]any {
		q := map[string]any{"system": expecting}
		for i := 0; i+1 < len(more); i += 2 {
			q[more[i]] = more[i+1]
		}
		return q
	}
	course := system("kind", "judge")
	course["course"], course["seeds"] = true, 2
	const want = "calm before: true, storm: true, no retries: false"
	for _, face := range []struct {
		name   string
		answer json.RawMessage
	}{
		{"a run by the API", runAPI(t, base, system())},
		{"a judgment by the API", runAPI(t, base, course)},
		{"a run by MCP", simTool(t, session, "simulate_system", system())},
		{"a run by the site", simForm(t, base, url.Values{"system": {expecting}, "kind": {"run"}})},
		{"a judgment by the site", simForm(t, base, url.Values{"system": {expecting}, "kind": {"judge"}, "seeds": {"2"}})},
	} {
		if got := heldOf(t, face.answer); got != want {
			t.Errorf("%s: %s, want %s", face.name, got, want)
		}
	}
	out, code := commandCode(t, "run", study.FileName, "--json")
	if got := heldOf(t, out); got != want || code != exitFindings {
		t.Errorf("the command: %s with code %d, want %s with %d", got, code, want, exitFindings)
	}
	out, code = commandCode(t, "judge", study.FileName, "--course", "--seeds", "2", "--json")
	if got := heldOf(t, out); got != want || code != exitOK {
		t.Errorf("the command judges: %s with code %d, want %s with %d", got, code, want, exitOK)
	}
	result, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "simulate_system", Arguments: system()})
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(result.Content)
	if err != nil || !strings.Contains(string(text), "| yes | storm |") || !strings.Contains(string(text), "| NO | no retries |") {
		t.Errorf("the text by MCP does not tell (%v): %s", err, text)
	}
	id := simID(t, base, url.Values{"system": {expecting}, "kind": {"run"}})
	page := string(get(t, base+"/simulator/runs/"+id))
	for _, want := range []string{"<b>storm</b>", "<b>no retries</b>", `<td class="heal">`, `<td class="fail">`} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not have %s", want)
		}
	}
}

// heldOf says of each expectation of an answer whether it holds.
func heldOf(t *testing.T, answer json.RawMessage) string {
	t.Helper()
	var a struct {
		Runs []struct {
			Expectations []struct {
				Name  string
				Holds bool
			}
		}
	}
	if err := json.Unmarshal(answer, &a); err != nil {
		t.Fatalf("%v in %.300s", err, answer)
	}
	var all []string
	for _, r := range a.Runs {
		for _, e := range r.Expectations {
			all = append(all, fmt.Sprintf("%s: %t", e.Name, e.Holds))
		}
	}
	return strings.Join(all, ", ")
}
