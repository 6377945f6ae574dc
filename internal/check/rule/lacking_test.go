package rule

import (
	"maps"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/openprecedent/precedent/internal/check/object"
	"github.com/openprecedent/precedent/internal/strictyaml"
)

// TestLacking takes each field out of the objects of each example in turn, and expects
// every check to make something of the rest. What sources of our own and answers of AWS
// always hold may be missed, if that is said in plain words.
func TestLacking(t *testing.T) {
	const root = "../../../corpus"
	names, err := strictyaml.Files(os.DirFS(root), "checks")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		t.Run(path.Base(name), func(t *testing.T) {
			t.Parallel()
			src, err := os.ReadFile(path.Join(root, name))
			if err != nil {
				t.Fatal(err)
			}
			r, problems := Compile(name, src, nil)
			if len(problems) > 0 {
				t.Fatal(problems)
			}
			p := prover{rule: r}
			for i, e := range r.Examples {
				lacking(t, &p, "examples["+strconv.Itoa(i)+"]", e)
			}
		})
	}
}

// lacking tries an example without each of its fields.
func lacking(t *testing.T, p *prover, at string, e Example) {
	t.Helper()
	for _, content := range p.contents(at, e) {
		for _, o := range slices.Concat(content.Objects, content.Lists) {
			for _, field := range fieldPaths("", o.Fields.(object.Tree)) {
				if slices.Contains([]string{"apiVersion", "kind", "metadata", "metadata.name"}, field) {
					continue // nobody has an object without
				}
				contents := p.contents(at, e)
				cut(contents, Cut{From: o.Kind + "/" + o.Name, Path: field})
				if _, why := p.outcome(t.Context(), e, contents); strings.Contains(why, "condition") && (!strings.Contains(o.Kind, "/") || !strings.Contains(why, "a field is missing")) {
					t.Errorf("%s: %s %s without %s%s", at, o.Kind, o.Name, field, why)
				}
			}
		}
	}
}

// fieldPaths returns the paths of all fields of a tree, those within others behind them.
func fieldPaths(at string, v any) []string {
	var all []string
	switch v := v.(type) {
	case object.Tree:
		return fieldPaths(at, map[string]any(v))
	case map[string]any:
		for _, k := range slices.Sorted(maps.Keys(v)) {
			inner := strings.TrimPrefix(object.Join(at, k), ".")
			all = append(append(all, inner), fieldPaths(inner, v[k])...)
		}
	case []any:
		for i, one := range v {
			inner := at + "[" + strconv.Itoa(i) + "]"
			all = append(append(all, inner), fieldPaths(inner, one)...)
		}
	}
	return all
}

// TestTrouble wants a failure told in words of people, without what stood in the object.
func TestTrouble(t *testing.T) {
	src := `id: OWN-CK-1
title: {en: t, ko: t}
about: {en: a, ko: a}
applies: [Widget]
exposed: CONDITION
message: {exposed: {en: m, ko: m}}
severity: {exposed: low}
remedy: {en: r, ko: r}
mechanisms: [cascading-failure]
evidence: [{case: IL-0001, why: {en: w, ko: w}}]
examples: [{name: e, objects: x, outcome: clear}]
`
	for condition, want := range map[string]string{
		`object.spec.size > 3`:                                       "a field is missing that the condition asks for: size",
		`object.spec.text > 3`:                                       "a field holds something else than the condition expects",
		`int(object.spec.text) > 3`:                                  "a field holds something else than the condition expects",
		`duration(string(object.spec.text)) > duration("1s")`:        "a field holds something else than the condition expects",
		`timestamp(string(object.spec.text)) > now`:                  "the condition fails",
		`object.spec.text.exists(t, t == "a")`:                       "a field holds something else than the condition expects",
		`quantity(object.spec.text) / double(size(object.spec)) > 9`: "",
	} {
		r, problems := Compile("own.yaml", []byte(strings.Replace(src, "CONDITION", strconv.Quote(condition), 1)), nil)
		if r == nil || len(problems) > 0 {
			t.Fatalf("%s: %v", condition, problems)
		}
		snap := object.NewSnapshot(proven)
		snap.Add(&object.Object{APIVersion: "v1", Kind: "Widget", Name: "w", Fields: object.Tree{"spec": map[string]any{"text": "TOKEN"}}})
		snap.ReadWritten()
		res, err := r.Run(t.Context(), snap)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if len(res.Findings) > 0 {
			got = res.Findings[0].Why.En
		}
		if !strings.HasPrefix(got, want) || strings.Contains(got, "TOKEN") || want == "" && got != "" {
			t.Errorf("%s: got %q, want %q", condition, got, want)
		}
	}
}
