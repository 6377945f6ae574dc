package vocab

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/strictyaml"
)

// folder makes a library folder of vocabulary files.
func folder(name string, files map[string]string) Source {
	system := fstest.MapFS{}
	for file, src := range files {
		system[Dir+"/"+file] = &fstest.MapFile{Data: []byte(src)}
	}
	return Source{Name: name, FS: system}
}

const head = "list: fruit\nname: {en: Fruit, ko: 과일}\ndefinition: {en: Fruit., ko: 과일이다.}\nterms:\n"

// term writes a term on one line; more holds further fields.
func term(id, more string) string {
	return fmt.Sprintf("  - {id: %s, name: {en: %s, ko: %s 말}, definition: {en: A word., ko: 낱말이다.}%s}\n", id, id, id, more)
}

func TestThePublicVocabularyHasNoProblems(t *testing.T) {
	if _, problems := Load(Source{FS: os.DirFS("../../../corpus")}); len(problems) > 0 {
		t.Error(problems)
	}
}

// Every rule has a list that sets it off; the wanted lines are golden.
func TestLint(t *testing.T) {
	tests := []struct {
		name, src string
		want      []string
	}{
		{"nothing wrong", head + term("apple", "") + term("pome", ", parent: apple"), nil},
		{"not YAML", "list: [", []string{
			`vocab/fruit.yaml:1:1: error: not valid YAML: did not find expected node content; check indentation, colons and quotes there [syntax]`}},
		{"file name", strings.Replace(head, "list: fruit", "list: vegetable", 1) + term("apple", ""), []string{
			`vocab/fruit.yaml:1:7: error: list: is "vegetable" in the file of "fruit"; name the file after the list [file-name]`}},
		{"bad id", head + term("Apple", ""), []string{
			`vocab/fruit.yaml:5:10: error: terms[0].id: "Apple" is no id; use lower-case letters, digits and hyphens [bad-id]`}},
		{"id twice", head + term("apple", "") + term("apple", ""), []string{
			`vocab/fruit.yaml:6:10: error: terms[1].id: "apple" is also terms[0]; keep one [duplicate-id]`}},
		{"side missing", head + "  - {id: apple, name: {en: Apple}, definition: {en: A., ko: 사과다.}}\n", []string{
			`vocab/fruit.yaml:5:23: warning: terms[0].name: the "ko" side is missing; write it [missing-language]`}},
		{"definition missing", head + "  - {id: apple, name: {en: Apple, ko: 사과}}\n", []string{
			`vocab/fruit.yaml:5:5: warning: terms[0].definition: the "en" side is missing; write it [missing-language]`,
			`vocab/fruit.yaml:5:5: warning: terms[0].definition: the "ko" side is missing; write it [missing-language]`}},
		{"synonym of two", head + term("apple", ", synonyms: {en: [Red Ball]}") + term("cherry", ", synonyms: {en: [red  ball]}"), []string{
			`vocab/fruit.yaml:6:100: error: terms[1].synonyms: "red  ball" also stands for "apple"; keep it with the term it fits best [ambiguous-synonym]`}},
		{"no such parent", head + term("apple", "") + term("pome", ", parent: aple"), []string{
			`vocab/fruit.yaml:6:92: error: terms[1].parent: the list has no term "aple"; did you mean "apple"? [dangling]`}},
		{"no such replacement", head + term("apple", ", replaced_by: zucchini"), []string{
			`vocab/fruit.yaml:5:100: error: terms[0].replaced_by: the list has no term "zucchini"; name a term of the list [dangling]`}},
		{"own parent", head + term("apple", ", parent: apple"), []string{
			`vocab/fruit.yaml:5:95: error: terms[0].parent: "apple" leads back to "apple"; take one of the links out [circular]`}},
		{"circle of parents", head + term("a", ", parent: b") + term("b", ", parent: a") + term("c", ", parent: a"), []string{
			`vocab/fruit.yaml:5:83: error: terms[0].parent: "b" leads back to "a"; take one of the links out [circular]`,
			`vocab/fruit.yaml:6:83: error: terms[1].parent: "a" leads back to "b"; take one of the links out [circular]`}},
		{"circle of replacements", head + term("a", ", replaced_by: b") + term("b", ", replaced_by: a"), []string{
			`vocab/fruit.yaml:5:88: error: terms[0].replaced_by: "b" leads back to "a"; take one of the links out [circular]`,
			`vocab/fruit.yaml:6:88: error: terms[1].replaced_by: "a" leads back to "b"; take one of the links out [circular]`}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, problems := Load(folder("", map[string]string{"fruit.yaml": tt.src}))
			var got []string
			for _, p := range problems {
				got = append(got, p.String())
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("problems (-want +got):\n%s", diff)
			}
		})
	}
}

func TestALaterFolderAddsAndReplacesTerms(t *testing.T) {
	set, problems := Load(
		folder("", map[string]string{"fruit.yaml": head + term("apple", "") + term("pear", "")}),
		folder("mine", map[string]string{
			"fruit.yaml": head + term("pear", ", parent: apple") + term("fig", ""),
			"nut.yaml":   strings.Replace(head, "fruit", "nut", 1) + term("almond", ""),
		}),
	)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	if got, want := set.IDs("fruit"), []string{"apple", "pear", "fig"}; !slices.Equal(got, want) {
		t.Errorf("fruit holds %v, want %v", got, want)
	}
	pear, _ := set.Term("fruit", "pear")
	if pear == nil || pear.Parent != "apple" {
		t.Errorf("pear is %+v, want the one of the later folder", pear)
	}
	if _, ok := set.List("nut"); !ok {
		t.Error("the list of the later folder is missing")
	}
	_, problems = Load(
		folder("", map[string]string{"fruit.yaml": head + term("apple", "")}),
		folder("mine", map[string]string{"fruit.yaml": head + term("fig", ", parent: tree")}),
	)
	if len(problems) != 1 || problems[0].File != "mine/vocab/fruit.yaml" || problems[0].Line != 5 {
		t.Errorf("problems %v, want one on line 5 of mine/vocab/fruit.yaml", problems)
	}
}

// The id of a list stands in addresses.
func TestTheIDOfAListIsChecked(t *testing.T) {
	_, problems := Load(folder("", map[string]string{"my fruit.yaml": strings.Replace(head, "fruit", "my fruit", 1) + term("apple", "")}))
	if want := `vocab/my fruit.yaml:1:7: error: list: "my fruit" is no id; use lower-case letters, digits and hyphens [bad-id]`; problems.Error() != want {
		t.Errorf("got %q, want %q", problems.Error(), want)
	}
}

func TestLoadReadsBoundedFilesOnly(t *testing.T) {
	large := folder("mine", map[string]string{"fruit.yaml": strings.Repeat("#", strictyaml.MaxSize+1)})
	_, problems := Load(large)
	if len(problems) != 1 || problems[0].Rule != "unreadable" {
		t.Errorf("problems %v, want unreadable", problems)
	}
}

func TestCheck(t *testing.T) {
	other := strings.Replace(head, "fruit", "tool", 1) + term("hammer", "")
	var many strings.Builder
	for i := range 20 {
		many.WriteString(term(fmt.Sprintf("kind%02d", i), ""))
	}
	set, problems := Load(folder("", map[string]string{
		"fruit.yaml": head + term("apple", "") + term("pome", ", replaced_by: apple"),
		"tool.yaml":  other,
		"kind.yaml":  strings.Replace(head, "fruit", "kind", 1) + many.String(),
	}))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	tests := []struct{ list, code, help string }{
		{"fruit", "apple", ""},
		{"fruit", "pome", `use "apple"`},
		{"fruit", "aple", `did you mean "apple"?`},
		{"fruit", "hammer", "it is a term of the list tool"},
		{"fruit", "zucchini", "use one of apple, pome"},
		{"kind", "zucchini", "see `precedent vocab kind` for its 20 terms"},
	}
	for _, tt := range tests {
		_, help, wrong := set.Check(tt.list, tt.code)
		if help != tt.help || wrong != (tt.help != "") {
			t.Errorf("Check(%q, %q) = %q, %v; want %q", tt.list, tt.code, help, wrong, tt.help)
		}
	}
}

func TestNameReadsTheOtherSide(t *testing.T) {
	set, _ := Load(folder("", map[string]string{"fruit.yaml": head + "  - {id: apple, name: {en: Apple}}\n"}))
	if got := set.Name("fruit", "apple", bilingual.Korean); got != "Apple" {
		t.Errorf("Name(apple, ko) = %q, want the English side", got)
	}
	if got := set.Name("fruit", "quince", bilingual.Korean); got != "quince" {
		t.Errorf("Name(quince, ko) = %q, want the id", got)
	}
}

// Lists may be long, and the server reads them again on each change: all
// parents in one chain, and all parents mistaken, must not take long.
func TestLongListsAreReadInTime(t *testing.T) {
	for _, tt := range []struct {
		name, parent string
		problems     int
	}{{"a chain", "t%d", 1}, {"mistaken", "zz%d", 201}} {
		t.Run(tt.name, func(t *testing.T) {
			var src strings.Builder
			src.WriteString(head)
			for i := range 6000 {
				src.WriteString(term(fmt.Sprintf("t%d", i), ", parent: "+fmt.Sprintf(tt.parent, i+1)))
			}
			start := time.Now()
			_, problems := Load(folder("", map[string]string{"fruit.yaml": src.String()}))
			if len(problems) != tt.problems {
				t.Errorf("%d problems, want %d", len(problems), tt.problems)
			}
			if took := time.Since(start); took > 30*time.Second {
				t.Errorf("took %s, want less than 30s", took)
			}
		})
	}
}
