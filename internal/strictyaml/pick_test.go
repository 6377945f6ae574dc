package strictyaml

import (
	"strings"
	"testing"
)

func TestPick(t *testing.T) {
	type inner struct {
		About string `yaml:"about"`
		At    string `yaml:"at"`
	}
	type outer struct {
		Title string  `yaml:"title"`
		All   []inner `yaml:"all"`
		Page  string  `yaml:"page"`
	}
	src := "title: {en: one, ko: 하나}\nall:\n  - {about: {en: 'this, and that', ko: '이것, 저것'}, at: 1s}\n  - about:\n      en: >-\n        a long\n        text\n    at: 2s\npage: gone\n"
	got, problems := Pick("x.yaml", []byte(src), new(outer), []string{"page"}, "ko", "en")
	if len(problems.Errors()) > 0 {
		t.Fatal(problems)
	}
	for _, want := range []string{"title: 하나", "이것, 저것", "a long text"} {
		if !strings.Contains(string(got), want) {
			t.Errorf("%q lacks %q", got, want)
		}
	}
	if strings.Contains(string(got), "page") || strings.Contains(string(got), "this") {
		t.Errorf("%q holds what was to go", got)
	}
	if got, _ := Pick("x.yaml", []byte("title: [\n"), new(outer), nil, "en"); got != nil {
		t.Errorf("a broken document gives %q", got)
	}
}
