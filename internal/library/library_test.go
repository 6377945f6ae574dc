package library

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/openprecedent/precedent/internal/strictyaml"
)

const vocabulary = `list: %s
name: {en: List, ko: 목록}
definition: {en: A list., ko: 목록이다.}
terms:
  - {id: one, name: {en: One, ko: 하나}, definition: {en: One., ko: 하나다.}}
`

// layer makes a layer of draft cases; more holds lines to add to a case.
func layer(name string, cases map[string]string) Layer {
	files := fstest.MapFS{}
	for id, more := range cases {
		files["cases/"+id+".yaml"] = &fstest.MapFile{Data: fmt.Appendf(nil,
			"schema: 1\nid: %s\nstate: draft\ntitle: {en: Case %s, ko: 사례}\nreview: {status: unreviewed}\n%s", id, name, more)}
	}
	for _, list := range []string{"relation", "source-kind"} {
		files["vocab/"+list+".yaml"] = &fstest.MapFile{Data: fmt.Appendf(nil, vocabulary, list)}
	}
	return Layer{Name: name, FS: files}
}

func rules(problems strictyaml.Problems) string {
	var all []string
	for _, p := range problems {
		all = append(all, p.Rule)
	}
	return strings.Join(all, " ")
}

// A private draft of a public case must not take it away from readers.
func TestADraftDoesNotHideAPublishedCase(t *testing.T) {
	published := layer("public", map[string]string{"PR-0001": ""})
	files := published.FS.(fstest.MapFS)
	for name, file := range files {
		files[name] = &fstest.MapFile{Data: bytes.Replace(file.Data, []byte("state: draft"), []byte("state: published"), 1)}
	}
	published.Linted = true
	lib, problems := Load(published, layer("mine", map[string]string{"PR-0001": ""}))
	if lib == nil {
		t.Fatal(problems)
	}
	if one, _ := lib.Case("PR-0001"); one.Layer != "public" || len(lib.Cases()) != 1 {
		t.Errorf("PR-0001 comes from %q, and %d cases are published, want the one of the public library", one.Layer, len(lib.Cases()))
	}
	if !slices.ContainsFunc(problems, func(p strictyaml.Problem) bool { return p.Rule == "hidden-case" }) {
		t.Errorf("problems %v, want hidden-case", problems)
	}
}

func TestALaterLayerReplacesACaseAndSaysSo(t *testing.T) {
	lib, problems := Load(
		layer("public", map[string]string{"PR-0001": "", "PR-0002": ""}),
		layer("mine", map[string]string{"PR-0001": ""}),
	)
	if lib == nil {
		t.Fatal(problems)
	}
	one, _ := lib.Case("pr-0001")
	two, _ := lib.Case("PR-0002")
	if one.Layer != "mine" || one.Overrides != "public" || one.Title.En != "Case mine" {
		t.Errorf("PR-0001 comes from %q over %q", one.Layer, one.Overrides)
	}
	if two.Layer != "public" || two.Overrides != "" {
		t.Errorf("PR-0002 comes from %q over %q", two.Layer, two.Overrides)
	}
	if len(lib.Cases()) != 0 {
		t.Errorf("%d drafts are published", len(lib.Cases()))
	}
}

func TestRelations(t *testing.T) {
	source := "sources: [{id: a, url: \"%s\", kind: one}]\norg: {slug: x, name: %s}\ndate: 2020-01-01\n"
	tests := []struct {
		name  string
		cases map[string]string
		want  string
	}{
		{"none", map[string]string{"PR-0001": "", "PR-0002": "related: [{id: PR-0001, relation: one}]\n"}, ""},
		{"link to nothing", map[string]string{"PR-0001": "related: [{id: PR-0009, relation: one}]\n"}, "dangling"},
		{"successor that is missing", map[string]string{"PR-0001": "superseded_by: PR-0009\n"}, "dangling"},
		{"two cases that are merged into each other", map[string]string{
			"PR-0001": "superseded_by: PR-0002\n", "PR-0002": "superseded_by: PR-0001\n"}, "circular circular"},
		{"three cases in a circle, and one that leads to it", map[string]string{
			"PR-0001": "superseded_by: PR-0002\n", "PR-0002": "superseded_by: PR-0003\n",
			"PR-0003": "superseded_by: PR-0001\n", "PR-0004": "superseded_by: PR-0003\n"}, "circular circular circular"},
		{"a case that is merged into a merged one", map[string]string{
			"PR-0001": "superseded_by: PR-0002\n", "PR-0002": "superseded_by: PR-0003\n", "PR-0003": ""}, ""},
		{"one organisation with two names", map[string]string{
			"PR-0001": "org: {slug: x, name: X}\n", "PR-0002": "org: {slug: x, name: X Inc}\n"}, "two-names"},
		{"one organisation with two slugs", map[string]string{
			"PR-0001": "org: {slug: x, name: X}\n", "PR-0002": "org: {slug: x-inc, name: X}\n"}, "two-names"},
		{"the same incident twice", map[string]string{
			"PR-0001": fmt.Sprintf(source, "https://www.x.com/p/?utm_source=a", "X"),
			"PR-0002": fmt.Sprintf(source, "http://x.com/p#top", "X")}, "duplicate-case"},
		{"two incidents of one report", map[string]string{
			"PR-0001": fmt.Sprintf(source, "https://x.com/p", "X"),
			"PR-0002": fmt.Sprintf(source, "https://x.com/p", "X") + "related: [{id: PR-0001, relation: one}]\n"}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, problems := Load(layer("public", tt.cases))
			if got := rules(problems); got != tt.want {
				t.Errorf("rules %q, want %q:\n%v", got, tt.want, problems)
			}
		})
	}
}

func TestLoadReportsAllFilesAtOnce(t *testing.T) {
	broken := layer("public", map[string]string{"PR-0001": "colour: red\n", "PR-0002": "shape: round\n"})
	lib, problems := Load(broken)
	if lib != nil || rules(problems) != "unknown-field unknown-field" {
		t.Errorf("library %v, problems %v", lib, problems)
	}
}

func TestPrefix(t *testing.T) {
	mine := layer("mine", map[string]string{"SHOP-0001": "", "PR-0001": "", "X-0001": ""})
	mine.FS.(fstest.MapFS)[configFile] = &fstest.MapFile{Data: []byte("name: Shop\nprefix: SHOP\n")}
	delete(mine.FS.(fstest.MapFS), "cases/X-0001.yaml")
	_, problems := Load(layer("public", map[string]string{"PR-0001": ""}), mine)
	if len(problems) > 0 {
		t.Errorf("a private library with a replacement has problems: %v", problems)
	}
	_, problems = Load(layer("public", map[string]string{"PR-0009": ""}), mine)
	if rules(problems) != "wrong-prefix" {
		t.Errorf("problems %v, want wrong-prefix for PR-0001", problems)
	}
	mine.FS.(fstest.MapFS)[configFile] = &fstest.MapFile{Data: []byte("name: Shop\nprefix: PR\n")}
	if _, problems = ReadConfig(mine); rules(problems) != "bad-prefix" {
		t.Errorf("problems %v, want bad-prefix", problems)
	}
	if got := NextID(mine.FS, "SHOP"); got != "SHOP-0002" {
		t.Errorf("next id %q, want SHOP-0002", got)
	}
}

func TestVersionChangesWithAnyByte(t *testing.T) {
	a, _ := Load(layer("public", map[string]string{"PR-0001": ""}))
	b, _ := Load(layer("public", map[string]string{"PR-0001": "# a comment\n"}))
	again, _ := Load(layer("public", map[string]string{"PR-0001": ""}))
	if a.Version == b.Version || a.Version != again.Version {
		t.Errorf("versions %q, %q, %q", a.Version, b.Version, again.Version)
	}
}

func TestCanonical(t *testing.T) {
	for _, raw := range []string{"https://www.x.com/a/", "http://X.com/a#b", "https://x.com/a?utm_campaign=1&ref=z"} {
		if got := canonical(raw); got != "x.com/a" {
			t.Errorf("canonical(%q) = %q, want x.com/a", raw, got)
		}
	}
	if canonical("https://x.com/a?id=1") == canonical("https://x.com/a?id=2") {
		t.Error("the query that tells two pages apart was dropped")
	}
}

// A private library must not pass for the public one, whose cases everybody
// may copy and keep.
func TestAPrivateLibraryDoesNotPassForThePublicOne(t *testing.T) {
	mine := layer("/srv/public", map[string]string{"MY-0001": ""})
	lib, problems := Load(mine)
	if lib == nil {
		t.Fatal(problems)
	}
	if one, _ := lib.Case("MY-0001"); one.Layer == Public {
		t.Errorf("a case of /srv/public is one of the library %q", one.Layer)
	}
	mine.FS.(fstest.MapFS)[configFile] = &fstest.MapFile{Data: []byte("name: Public\nprefix: MY\n")}
	if _, problems := ReadConfig(mine); rules(problems) != "bad-name" {
		t.Errorf("a library called Public has the problems %q, want bad-name", rules(problems))
	}
}

// A folder that cannot be read must not look like an empty one: a server
// would drop its cases and go on.
func TestFoldersThatCannotBeRead(t *testing.T) {
	for _, dir := range []string{"cases", "vocab", ExcludedDir} {
		mine := Layer{Name: "mine", FS: fstest.MapFS{dir: &fstest.MapFile{Data: []byte("no folder")}}}
		if lib, problems := Load(mine); lib != nil || !strings.Contains(problems.Error(), "mine/"+dir+":1:1: ") {
			t.Errorf("%s: loaded %v, with the problems %q", dir, lib != nil, problems.Error())
		}
	}
}
