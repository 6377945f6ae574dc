package rule

import (
	"testing"

	"github.com/google/cel-go/cel"
)

// TestCommon tells expressions that give the same for all objects, which are
// evaluated once, from those of one object.
func TestCommon(t *testing.T) {
	env, err := newEnv()
	if err != nil {
		t.Fatal(err)
	}
	env, err = env.Extend(cel.Variable(theWorkload, typeOf(Workload)), cel.Variable("mine", cel.IntType), cel.Variable("all", cel.IntType))
	if err != nil {
		t.Fatal(err)
	}
	c := &compiler{own: []string{theObject, theWorkload, theService, "mine"}}
	for text, want := range map[string]bool{
		`cluster.nodes.filter(n, n.ready).map(n, n.name)`:           true,
		`all > 3 && now > timestamp("2026-01-01T00:00:00Z")`:        true,
		`size(cluster.nodes) > 0 && workload.replicas > 1`:          false,
		`object.kind == "Pod"`:                                      false,
		`cluster.nodes.exists(n, n.name == object.spec.nodeName)`:   false,
		`cluster.nodes.filter(n, n.ready).size() > mine`:            false,
		`[1, 2].map(i, i + all).exists(i, i == size(cluster.pods))`: true,
	} {
		ast, issues := env.Compile(text)
		if issues.Err() != nil {
			t.Fatal(issues.Err())
		}
		if got := c.common(ast); got != want {
			t.Errorf("%s: common is %v", text, got)
		}
	}
}
