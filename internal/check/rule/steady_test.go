package rule

import (
	"strings"
	"testing"
	"time"

	"github.com/openprecedent/precedent/internal/check/object"
)

// TestUnreadInLists gives what was not read to functions on lists, in which CEL's
// counting of costs fails: the reason stays what it is.
func TestUnreadInLists(t *testing.T) {
	src := `id: CK-1
title: {en: T, ko: T}
about: {en: T, ko: T}
applies: [Deployment]
let: {nodes: "workload.pods.map(p, [p.node]).flatten().distinct()"}
state: size(nodes) == 1
message: {state: {en: T, ko: T}}
severity: {state: low}
mechanisms: [retry-storm]
evidence: [{case: IL-0001, why: {en: T, ko: T}}]
remedy: {en: T, ko: T}
examples: []
`
	r, problems := Compile("CK-1.yaml", []byte(src), nil)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	snap := object.NewSnapshot(time.Unix(0, 0))
	snap.Add(&object.Object{APIVersion: "apps/v1", Kind: "Deployment", Name: "web", Fields: object.Tree{}})
	snap.ReadWritten()
	res, err := r.Run(t.Context(), snap)
	if err != nil || len(res.Findings) != 1 {
		t.Fatalf("%+v, %v", res, err)
	}
	if f := res.Findings[0]; f.Outcome != NotChecked || f.Tried || !strings.HasPrefix(f.Why.En, "Pod: not read") {
		t.Errorf("the outcome is %s (tried %t): %s", f.Outcome, f.Tried, f.Why)
	}
}
