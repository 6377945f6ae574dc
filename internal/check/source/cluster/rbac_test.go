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
	given := rights(t, "../../../../doc/cluster-rbac.yaml")
	var used []string
	for _, l := range lists() {
		used = append(used, rightOf(l))
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
	if got := rights(t, "../../../../doc/cluster-rbac-certificates.yaml"); !slices.Equal(got, []string{rightOf(secrets())}) {
		t.Errorf("for certificates is given %v", got)
	}
}

// rightOf names the right that a list needs, as group/resource.
func rightOf(l list) string {
	group, rest := "", strings.TrimPrefix(l.path, "/api/v1/")
	if rest == l.path {
		parts := strings.Split(l.path, "/") // "", apis, group, version, resource
		group, rest = parts[2], parts[len(parts)-1]
	}
	return group + "/" + rest[strings.LastIndexByte(rest, '/')+1:]
}

// rights returns the rights that a published file gives.
func rights(t *testing.T, name string) []string {
	t.Helper()
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
	return given
}

func resources(rule object.Fields) []string {
	var all []string
	for _, group := range rule.List("apiGroups") {
		for _, r := range rule.List("resources") {
			all = append(all, group.(string)+"/"+r.(string))
		}
	}
	return all
}
