package rule_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/openprecedent/precedent/internal/check/object"
	"github.com/openprecedent/precedent/internal/check/rule"
)

// skeleton is a check whose expressions a test fills in.
const skeleton = `id: CK-1
title: {en: A, ko: 가}
about: {en: A., ko: 가.}
applies: [Deployment]
parameters:
  least: {value: 2, about: {en: A., ko: 가.}}
%s
message: {state: {en: A., ko: 가.}}
severity: {state: low}
mechanisms: [shared-fate]
evidence: [{case: IL-1, why: {en: A., ko: 가.}}]
remedy: {en: A., ko: 가.}
examples: []
`

// TestCompileErrors holds what is reported of expressions that do not compile to
// the letter that it is about.
func TestCompileErrors(t *testing.T) {
	for _, c := range []struct {
		name, text string
		place      string // line:col in the text
		msg, help  string
	}{
		{"an unknown name", "state: workloads.replicas > 2", "1:8", `nothing is named "workloads"`, `did you mean "workload"?`},
		{"an unknown name further on", "state: workload.replicas > leest", "1:28", `nothing is named "leest"`, `did you mean "least"?`},
		{"an unknown field", "state: workload.replica > 2", "1:16", `no field is named "replica" here`, `did you mean "replicas"?`},
		{"in a block, on its second line", "state: |-\n  workload.replicas > 2 &&\n  wrkload.replicas > 3", "3:3", `nothing is named "wrkload"`, `did you mean "workload"?`},
		{"in quotes", `state: "workload.replicas > 2 && nowhere"`, "1:34", `nothing is named "nowhere"`, "see doc/check-format.md"},
		{"in let, with letters of more than a byte", `let: {a: "'가나' + nowhere"}` + "\nstate: a == ''", "1:18", `nothing is named "nowhere"`, "see doc/check-format.md"},
		{"a value before it stands", "let: {a: b, b: \"1\"}\nstate: a == 1", "1:10", `nothing is named "b"`, ""},
		{"no condition", "state: workload.replicas + 1", "1:8", "this gives a whole number, and not a condition", "compare it with something"},
		{"at is no list of texts", "state: \"true\"\nat: workload.name", "2:5", "this gives text, and not a list of texts", "write a list of paths"},
		{"no CEL", "state: workload.replicas >", "", "mismatched input", "CEL"},
		{"types that do not fit", "state: workload.name > 2", "1:22", "found no matching overload", "CEL"},
		{"a name that is taken", "let: {now: \"1\"}\nstate: now == 1", "1:12", `the name "now" is taken`, "another"},
	} {
		src := []byte(fmt.Sprintf(skeleton, c.text))
		_, problems := rule.Compile("checks/CK-1.yaml", src, nil)
		if len(problems) == 0 {
			t.Errorf("%s: nothing is wrong with it", c.name)
			continue
		}
		const first = 7 // line of the skeleton on which the text begins
		p := problems[0]
		if got := fmt.Sprintf("%d:%d", p.Line-first+1, p.Col); c.place != "" && got != c.place {
			t.Errorf("%s: reported at %s, want %s (%s)", c.name, got, c.place, p.Msg)
		}
		if !strings.Contains(p.Msg, c.msg) || !strings.Contains(p.Help, c.help) {
			t.Errorf("%s: got %q; %q, want %q; %q", c.name, p.Msg, p.Help, c.msg, c.help)
		}
	}
}

// TestCostLimit gives a condition that would run for ages: it ends soon, and its
// outcome is that it was not checked.
func TestCostLimit(t *testing.T) {
	t.Parallel()
	const endless = `let:
  many: lists.range(400)
state: many.all(a, many.all(b, many.all(c, many.all(d, a + b + c + d >= 0))))`
	r, problems := rule.Compile("checks/CK-1.yaml", []byte(fmt.Sprintf(skeleton, endless)), nil)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	snap := object.NewSnapshot(time.Unix(0, 0))
	snap.Add(&object.Object{Kind: "Deployment", Name: "web"})
	snap.Read("Deployment")
	res, err := r.Run(t.Context(), snap)
	if err != nil || len(res.Findings) != 1 {
		t.Fatalf("%d findings, %v", len(res.Findings), err)
	}
	if f := res.Findings[0]; f.Outcome != rule.NotChecked || !f.Tried || !strings.Contains(fmt.Sprint(f.Why), "too many steps") {
		t.Errorf("the outcome is %s (%v)", f.Outcome, f.Why)
	}
}

// TestGrowth asks that a few calls cannot fill the memory, or take minutes.
func TestGrowth(t *testing.T) {
	t.Parallel()
	times := func(n int, call string) string { return strings.Repeat(call, n) }
	for name, state := range map[string]string{
		"texts that are doubled":  `["aaaaaaaaaaaaaaaa"]` + times(40, ".map(a, a + a)") + `[0] == ""`,
		"texts that are replaced": `"aaaaaaaaaaaaaaaa"` + times(9, `.replace("a", "aaaaaaaaaaaaaaaa")`) + ` == ""`,
		"texts that are joined":   `["aaaaaaaaaaaaaaaa"]` + times(20, `.map(a, [a, a, a, a].join(","))`) + `[0] == ""`,
		"a long range, sorted":    `lists.range(900000).map(i, -i).sort()[0] > 5`,
	} {
		r, problems := rule.Compile("checks/CK-1.yaml", []byte(fmt.Sprintf(skeleton, "state: |-\n  "+state)), nil)
		if len(problems) > 0 {
			t.Fatalf("%s: %v", name, problems)
		}
		snap := object.NewSnapshot(time.Unix(0, 0))
		snap.Add(&object.Object{Kind: "Deployment", Name: "web"})
		snap.Read("Deployment")
		begun := time.Now()
		res, err := r.Run(t.Context(), snap)
		if err != nil || len(res.Findings) != 1 || res.Findings[0].Outcome != rule.NotChecked || !res.Findings[0].Tried {
			t.Errorf("%s: %+v, %v; want that it is not checked", name, res.Findings, err)
		}
		if took := time.Since(begun); took > 20*time.Second {
			t.Errorf("%s: took %v", name, took)
		}
	}
}

// TestLength refuses an expression that is too long before it is compiled.
func TestLength(t *testing.T) {
	long := "state: workload.replicas > 2" + strings.Repeat(" || workload.replicas > 2", 200)
	if _, problems := rule.Compile("checks/CK-1.yaml", []byte(fmt.Sprintf(skeleton, long)), nil); len(problems) == 0 {
		t.Error("an expression of more than 4000 letters compiles")
	}
}
