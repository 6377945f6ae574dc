package main

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/openprecedent/precedent/corpus"
	"github.com/openprecedent/precedent/internal/check/rule"
	"github.com/openprecedent/precedent/internal/check/source/cluster"
	"github.com/openprecedent/precedent/internal/library"
)

// TestLiveKinds asks that every kind of Kubernetes which a check looks at is read of
// a live cluster too.
func TestLiveKinds(t *testing.T) {
	lib, problems := library.Load(library.Layer{Name: library.Public, FS: corpus.FS})
	if lib == nil {
		t.Fatal(problems)
	}
	live := append(cluster.Kinds(), rule.Cluster, rule.Workload)
	named := regexp.MustCompile(`cluster\.(?:objects|count)\("([^"]+)"\)`)
	for _, c := range lib.Checks() {
		src, err := corpus.FS.ReadFile("checks/" + c.ID + ".yaml")
		if err != nil {
			t.Fatal(err)
		}
		r, problems := rule.Compile(c.ID, src, nil)
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		kinds := slices.Clone([]string(r.Applies))
		for _, m := range named.FindAllStringSubmatch(string(src), -1) {
			kinds = append(kinds, m[1])
		}
		for _, kind := range kinds {
			if !strings.Contains(kind, "/") && !slices.Contains(live, kind) {
				t.Errorf("%s looks at %s, which is not read of a cluster; add it to the lists of internal/check/source/cluster", c.ID, kind)
			}
		}
	}
}
