package main

import (
	"slices"
	"testing"
	"time"

	"github.com/openprecedent/precedent/corpus"
	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/check/object"
	"github.com/openprecedent/precedent/internal/check/source/files"
	"github.com/openprecedent/precedent/internal/library"
)

// TestShop asks that the faults which testdata/shop was given are found, the worst
// first, each at a place in its file and with an incident behind it.
func TestShop(t *testing.T) {
	snap := object.NewSnapshot(time.Now())
	report, err := files.Read(t.Context(), snap, []string{"../../testdata/shop"}, nil, app.SystemErrors)
	if err != nil || len(report.Problems) > 0 {
		t.Fatal(err, report)
	}
	lib, problems := library.Load(library.Layer{Name: library.Public, FS: corpus.FS})
	if lib == nil {
		t.Fatal(problems)
	}
	a := app.New(lib)
	answer, err := a.Check(t.Context(), snap, app.CheckQuery{})
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, f := range answer.Findings {
		found = append(found, f.Check+" "+f.Object.Name)
		if f.Object.Line == 0 || len(f.Cases) == 0 || f.Remedy.En == "" || f.Remedy.Ko == "" {
			t.Errorf("%s of %s lacks its place, its incidents or its remedy", f.Check, f.Object.Name)
		}
	}
	for _, want := range []string{
		"CK-601 shop", "CK-201 coredns", "CK-301 policy", "CK-405 session-cache", "CK-119 recommend",
		"CK-501 orders", "CK-502 orders", "CK-612 session-cache", "CK-109 web",
	} {
		if !slices.Contains(found, want) {
			t.Errorf("%s is not among the findings: %v", want, found)
		}
	}
	if len(found) == 0 || found[0] != "CK-601 shop" {
		t.Errorf("the worst finding is not the first: %v", found)
	}
}
