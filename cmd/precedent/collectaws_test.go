package main

import (
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openprecedent/precedent/doc"
)

// TestCollectAWSAsksLittle holds the published policy to what the script calls: as
// much, no more, and nothing that changes anything.
func TestCollectAWSAsksLittle(t *testing.T) {
	src, err := os.ReadFile("../../doc/collect-aws-policy.json")
	if err != nil {
		t.Fatal(err)
	}
	var policy struct {
		Version   string
		Statement []struct {
			Sid, Effect, Resource string
			Action                []string
		}
	}
	dec := json.NewDecoder(strings.NewReader(string(src)))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&policy); err != nil || len(policy.Statement) != 1 || policy.Statement[0].Effect != "Allow" {
		t.Fatalf("the policy is %+v: %v", policy, err)
	}
	var allowed, called []string
	for _, action := range policy.Statement[0].Action {
		_, verb, _ := strings.Cut(action, ":")
		if !strings.HasPrefix(verb, "Describe") && !strings.HasPrefix(verb, "List") {
			t.Errorf("the policy allows %s", action)
		}
		allowed = append(allowed, strings.ToLower(action))
	}
	for _, m := range regexp.MustCompile(`\b(autoscaling|ec2|ecs|rds) ([a-z-]+)`).FindAllStringSubmatch(doc.CollectAWS, -1) {
		called = append(called, m[1]+":"+strings.ReplaceAll(m[2], "-", ""))
	}
	slices.Sort(allowed)
	slices.Sort(called)
	if diff := cmp.Diff(slices.Compact(called), allowed); diff != "" {
		t.Errorf("the policy (+) is not what the script calls (-):\n%s", diff)
	}
}
