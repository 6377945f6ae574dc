package cluster

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/openprecedent/precedent/internal/check/manifest"
	"github.com/openprecedent/precedent/internal/check/object"
)

// TestPublishedRights holds the published role to the lists that are read: no
// right is missing, and none is given that is not used.
func TestPublishedRights(t *testing.T) {
	const name = "../../../../doc/cluster-rbac.yaml"
	src, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	documents, problems := manifest.Read(name, src)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	var given []string
	for _, d := range documents {
		c, _ := d.Content()
		for _, o := range c.Objects {
			for _, rule := range o.Fields.Trees("rules") {
				verb := "list"
				if len(rule.List("nonResourceURLs")) > 0 {
					verb = "get"
				}
				if verbs := rule.List("verbs"); len(verbs) != 1 || verbs[0] != verb {
					t.Errorf("%s: the verbs are %v", o.ID(), verbs)
				}
				given = append(given, resources(rule)...)
			}
		}
	}
	var used []string
	for _, l := range lists() {
		group, rest := "", strings.TrimPrefix(l.path, "/api/v1/")
		if rest == l.path {
			parts := strings.Split(l.path, "/") // "", apis, group, version, resource
			group, rest = parts[2], parts[len(parts)-1]
		}
		used = append(used, group+"/"+rest[strings.LastIndexByte(rest, '/')+1:])
	}
	for _, k := range customs() {
		for _, version := range k.versions {
			group, _, _ := strings.Cut(version, "/")
			used = append(used, group+"/"+k.resource)
		}
	}
	slices.Sort(given)
	slices.Sort(used)
	used = slices.Compact(used) // one right for all versions
	if !slices.Equal(given, used) {
		t.Errorf("given %v\n used %v", given, used)
	}
	if slices.Contains(used, "/secrets") {
		t.Error("Secrets are listed")
	}
}

func resources(rule object.Tree) []string {
	var all []string
	for _, group := range rule.List("apiGroups") {
		for _, r := range rule.List("resources") {
			all = append(all, group.(string)+"/"+r.(string))
		}
	}
	return all
}
