package mcp

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/openprecedent/precedent/internal/app"
)

// waiting are pods that were killed for lack of memory.
const waiting = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: ingest, namespace: shop}
spec: {replicas: 1, template: {spec: {containers: [{name: app, image: "registry.example.com/ingest:1"}]}}}
---
apiVersion: v1
kind: Pod
metadata: {name: ingest-a, namespace: shop, ownerReferences: [{kind: Deployment, name: ingest, controller: true}]}
status:
  containerStatuses: [{name: app, restartCount: 7, state: {waiting: {reason: CrashLoopBackOff}}, lastState: {terminated: {reason: OOMKilled}}}]
`

func TestCheckManifest(t *testing.T) {
	c := connect(t)
	res := call(t, c, "check_manifest", args{"manifest": waiting, "only": []string{"ck-104"}})
	var answer app.CheckAnswer
	if err := json.Unmarshal([]byte(structuredOf(t, res)), &answer); err != nil {
		t.Fatal(err)
	}
	if len(answer.Findings) != 1 || answer.Findings[0].Check != "CK-104" || answer.Findings[0].Object.Line != 2 || answer.Incomplete {
		t.Errorf("the answer is %+v", answer)
	}
	if text := contentOf(t, res); !strings.Contains(text, "1 of 1 pods") || !strings.Contains(text, "IL-0202") {
		t.Errorf("the content is %s", text)
	}
	res = call(t, c, "check_manifest", args{"manifest": waiting, "lang": "ko"})
	if text := contentOf(t, res); !strings.Contains(text, "사고 때와 같은 상태") {
		t.Errorf("the content is %s", text)
	}
}

// TestCheckManifestBounds sends what is not to be read, or not to be read whole.
func TestCheckManifestBounds(t *testing.T) {
	c := connect(t)
	bomb := "a: &a [x, x, x, x, x, x, x, x, x, x]\n"
	for _, next := range []string{"b", "c", "d", "e", "f", "g"} {
		before := string(rune(next[0] - 1))
		bomb += next + ": &" + next + " [" + strings.Repeat("*"+before+", ", 9) + "*" + before + "]\n"
	}
	for name, text := range map[string]string{
		"is a template": "metadata: {{ .Values.name }}\n", "holds no object": "hello: world\n", "has more than": bomb, "is no YAML": "a: b: c\n",
		"fields in each other": strings.Repeat("[", 200) + strings.Repeat("]", 200),
	} {
		res := call(t, c, "check_manifest", args{"manifest": text})
		if got := contentOf(t, res); res.IsError || !strings.Contains(got, name) || !strings.Contains(structuredOf(t, res), `"incomplete":true`) {
			t.Errorf("%s: %s", name, got)
		}
	}
	res := call(t, c, "check_manifest", args{"manifest": strings.Repeat("# x\n", maxManifest)})
	if text := contentOf(t, res); !res.IsError || !strings.Contains(text, "precedent check") {
		t.Errorf("a manifest that is too large: %s", text)
	}
	res = call(t, c, "check_manifest", args{"manifest": waiting, "only": "CK-140"})
	if text := contentOf(t, res); !res.IsError || !strings.Contains(text, "CK-104") {
		t.Errorf("a check that does not exist: %s", text)
	}
}

func TestListChecks(t *testing.T) {
	c := connect(t)
	if text := contentOf(t, call(t, c, "list_checks", args{})); !strings.Contains(text, "CK-601") || !strings.Contains(text, "IL-0574") {
		t.Errorf("the checks are %s", text)
	}
	if text := contentOf(t, call(t, c, "list_checks", args{"id": "ck-601", "lang": "ko"})); !strings.Contains(text, "근거가 된 사고") {
		t.Errorf("the check is %s", text)
	}
}

// TestReplayTellsTheVerdict tells what a scenario was judged to be in a line.
func TestReplayTellsTheVerdict(t *testing.T) {
	res := call(t, connect(t), "replay_incident", args{"id": "api-retries"})
	if text := contentOf(t, res); !strings.Contains(text, "Verdict: metastable. After the database stands still is over") || !strings.Contains(text, "Smallest trigger: ") {
		t.Errorf("the content is %s", text)
	}
	if raw := structuredOf(t, res); !strings.Contains(raw, `"verdict":"metastable"`) || !strings.Contains(raw, `"smallest_trigger"`) {
		t.Errorf("the answer is %s", raw)
	}
}

func TestReplayIncident(t *testing.T) {
	c := connect(t)
	res := call(t, c, "replay_incident", args{"id": "IL-0574"})
	var kept replay
	if err := json.Unmarshal([]byte(structuredOf(t, res)), &kept); err != nil {
		t.Fatal(err)
	}
	if kept.ID != "IL-0574" || len(kept.Observed) == 0 || kept.Holds != len(kept.Observed) || len(kept.Variants) == 0 {
		t.Errorf("the answer is %+v", kept)
	}
	if text := contentOf(t, res); !strings.Contains(text, "observations come out") || !strings.Contains(text, "cap-62") {
		t.Errorf("the content is %s", text)
	}
	other := contentOf(t, call(t, c, "replay_incident", args{"id": "il-0574", "variant": "cap-62", "lang": "ko"}))
	if !strings.Contains(other, "cap-62") || !strings.Contains(other, "그대로 나온다") {
		t.Errorf("the variant is %s", other)
	}
	res = call(t, c, "replay_incident", args{"id": "IL-0574", "variant": "cap-63"})
	if text := contentOf(t, res); !res.IsError || !strings.Contains(text, "cap-62") {
		t.Errorf("a variant that does not exist: %s", text)
	}
	res = call(t, c, "replay_incident", args{"id": "IL-0064"})
	if text := contentOf(t, res); !res.IsError || !strings.Contains(text, "no scenario yet") {
		t.Errorf("a case without a scenario: %s", text)
	}
	res = call(t, c, "replay_incident", args{"id": "api-retries", "set": []string{"run.for=90s"}})
	if text := contentOf(t, res); res.IsError || !strings.Contains(structuredOf(t, res), `"run":`) {
		t.Errorf("with another setting: %s", text)
	}
}
