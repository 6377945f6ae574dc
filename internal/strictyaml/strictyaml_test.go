package strictyaml

import (
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

type text struct {
	En string `yaml:"en,omitempty"`
	Ko string `yaml:"ko,omitempty"`
}

type part struct {
	Code string `yaml:"code"`
	N    *int   `yaml:"n,omitempty"`
}

type sample struct {
	Name  string   `yaml:"name"`
	On    bool     `yaml:"on,omitempty"`
	Ratio float64  `yaml:"ratio,omitempty"`
	Title *text    `yaml:"title,omitempty"`
	Tags  []string `yaml:"tags,omitempty"`
	Parts []part   `yaml:"parts,omitempty"`
}

func TestDecodeReportsAllProblems(t *testing.T) {
	src := `name: x
nmae: y
on: "true"
ratio: fast
ratio: 2
title: plain
tags: [a, null, *b]
parts:
  - code: c
    n: 1.5
  - cod: d
`
	want := []string{
		`s.yaml:2:1: error: nmae: no field "nmae" exists here; did you mean "name"? [unknown-field]`,
		`s.yaml:3:5: error: on: "true" is not true or false; write true or false [bad-value]`,
		`s.yaml:4:8: error: ratio: "fast" is not a finite number; write a finite number [bad-value]`,
		`s.yaml:5:1: error: ratio: stands a second time, first on line 4; keep one [repeated-field]`,
		`s.yaml:6:8: error: title: holds a single value; write a mapping with the fields en, ko [wrong-kind]`,
		`s.yaml:7:11: error: tags[1]: the value is empty; leave the field out where it is not known [empty]`,
		`s.yaml:10:8: error: parts[0].n: "1.5" is not a whole number; write a whole number [bad-value]`,
		`s.yaml:11:5: error: parts[1].cod: no field "cod" exists here; did you mean "code"? [unknown-field]`,
	}
	var s sample
	_, problems := Decode("s.yaml", []byte(strings.Replace(src, ", *b", "", 1)), &s)
	if diff := cmp.Diff(want, strings.Split(problems.Error(), "\n")); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
	if s.Name != "x" || len(s.Parts) != 2 || s.Parts[0].Code != "c" {
		t.Errorf("what could be read was not kept: %+v", s)
	}
}

func TestDecodeRefuses(t *testing.T) {
	tests := []struct{ name, src, want string }{
		{"empty", "", "the file is empty"},
		{"comment only", "# nothing\n", "the file is empty"},
		{"syntax", "name: [", "not valid YAML"},
		{"two documents", "name: a\n---\nname: b\n", "second document"},
		{"anchor", "name: &a b\n", "anchors and aliases"},
		{"not UTF-8", "name: \xff\n", "not valid UTF-8"},
		{"too large", "name: " + strings.Repeat("x", MaxSize), "keep it under"},
		{"not a mapping", "- a\n", "write a mapping"},
		{"empty string", "name: \"\"\n", "the value is empty"},
		{"mapping without fields", "name: a\ntitle: {}\n", "the value is empty"},
		{"control character", "name: \"a\\e[31m\"\n", "s.yaml:1:7: error: name: the character U+001B"},
		{"turned direction", "name: \"a\\u202Eb\"\n", "s.yaml:1:7: error: name: the character U+202E"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, problems := Decode("s.yaml", []byte(tt.src), &sample{})
			if len(problems) != 1 || !strings.Contains(problems[0].String(), tt.want) {
				t.Errorf("got %v, want one problem with %q", problems, tt.want)
			}
		})
	}
}

func TestPlaceFallsBackToTheFieldAround(t *testing.T) {
	doc, _ := Decode("s.yaml", []byte("name: a\nparts:\n  - code: c\n"), &sample{})
	if got, want := doc.Place("parts[0].n"), (Place{3, 5}); got != want {
		t.Errorf("Place(parts[0].n) = %v, want %v", got, want)
	}
	if got, want := doc.Place("title.ko"), (Place{1, 1}); got != want {
		t.Errorf("Place(title.ko) = %v, want %v", got, want)
	}
}

func TestFormat(t *testing.T) {
	long := strings.TrimSpace(strings.Repeat("word ", 40))
	src := `# head

tags:
    - a
    - "b"   # why b
title:
    ko: "짧다"
    en: short
name: "` + long + `"
parts:
- n: 1
  # about the code
  code: c
- {code: "yes", n: 2}
`
	want := `# head
name: >-
  ` + strings.TrimSpace(strings.Repeat("word ", 19)) + `
  ` + strings.TrimSpace(strings.Repeat("word ", 19)) + `
  word word
title: {en: short, ko: 짧다}
tags:
  - a
  - b # why b
parts:
  # about the code
  - {code: c, n: 1}
  - {code: "yes", n: 2}
`
	got, problems := Format("s.yaml", []byte(src), &sample{})
	if problems != nil {
		t.Fatalf("Format: %v", problems)
	}
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("Format (-want +got):\n%s", diff)
	}
}

func TestFormatBreaksMarkdownOnlyAtSafePlaces(t *testing.T) {
	item := "- " + strings.TrimSpace(strings.Repeat("item ", 30))
	code := strings.TrimSpace(strings.Repeat("code ", 40))
	src := "name: |-\n  one\n  line\n  " + item + "\n\n  ```\n  " + code + "\n  ```\n  | " + code + " |\n"
	got, problems := Format("s.yaml", []byte(src), &sample{})
	if problems != nil {
		t.Fatalf("Format: %v", problems)
	}
	for _, want := range []string{"  one line\n  - item", "\n    item item", "\n  " + code + "\n", "\n  | " + code + " |\n"} {
		if !strings.Contains(string(got), want) {
			t.Errorf("Format lacks %q:\n%s", want, got)
		}
	}
}

// FuzzFormat proves that formatting keeps every value, apart from white space
// in prose, and that a second formatting changes nothing.
func FuzzFormat(f *testing.F) {
	for _, seed := range []string{
		"name: a\n", "name: 'it''s'\ntags: [a, b]\n", "name: |\n  x\n\n  - y\n", "title: {en: 'a: b', ko: \"\\t\"}\n",
		"# c\nname: a # d\n# e\nparts:\n  # f\n  - code: g # h\n    n: 1\n# i\n", "name: \"12:30\"\ntags: ['yes', '1', ' ', '~']\n",
		"name: '- a'\ntitle:\n  en: >\n    folded\n    text\n\n    more\n", "name: \"  a  b \"\n", "tags: []\nparts: [{code: a}]\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		var before, after sample
		if _, problems := Decode("s.yaml", src, &before); problems != nil {
			return
		}
		once, problems := Format("s.yaml", src, &sample{})
		if problems != nil {
			t.Fatalf("Format: %v", problems)
		}
		if _, problems := Decode("s.yaml", once, &after); problems != nil {
			t.Fatalf("formatted document does not decode: %v\n%s", problems, once)
		}
		if diff := cmp.Diff(squeeze(before), squeeze(after)); diff != "" {
			t.Fatalf("formatting changed a value (-before +after):\n%s\n%q\n%q", diff, src, once)
		}
		twice, _ := Format("s.yaml", once, &sample{})
		if string(once) != string(twice) {
			t.Fatalf("formatting again changed the document:\n%q\n%q", once, twice)
		}
	})
}

// squeeze makes white space in all strings of s comparable.
func squeeze(s sample) sample {
	fields := func(v string) string { return strings.Join(strings.Fields(v), " ") }
	s.Name = fields(s.Name)
	if s.Title != nil {
		s.Title = &text{fields(s.Title.En), fields(s.Title.Ko)}
	}
	s.Tags = append([]string(nil), s.Tags...)
	for i := range s.Tags {
		s.Tags[i] = fields(s.Tags[i])
	}
	s.Parts = append([]part(nil), s.Parts...)
	for i := range s.Parts {
		s.Parts[i].Code = fields(s.Parts[i].Code)
	}
	return s
}

func TestFormatFillsLongLists(t *testing.T) {
	src := "name: a\ntags: [" + strings.Repeat("some words, ", 15) + "\"a, b\"]\n"
	got, problems := Format("s.yaml", []byte(src), &sample{})
	if problems != nil {
		t.Fatalf("Format: %v", problems)
	}
	want := "name: a\ntags:\n  [" + strings.TrimSpace(strings.Repeat("some words, ", 8)) + "\n   " +
		strings.Repeat("some words, ", 7) + "\"a, b\"]\n"
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("Format (-want +got):\n%s", diff)
	}
}

func TestFieldsPanicsWithoutTag(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("Fields accepted a struct without yaml tags")
		}
	}()
	Fields(reflect.TypeFor[struct{ A int }]())
}

func TestProblemsCannotSteerATerminal(t *testing.T) {
	p := Problem{File: "a\x1b]0;b\a.yaml", Field: "k\u009b31m\u202e", Rule: "r", Msg: "한글\tis\nfine"}
	want := `a\x1b]0;b\a.yaml:1:1: k\u009b31m\u202e: 한글	is\nfine [r]`
	if got := p.String(); got != want {
		t.Errorf("String() = %q, want %q", got, want)
	}
}

func TestProblemsAreShort(t *testing.T) {
	for _, src := range []string{
		"name: [" + strings.Repeat("가", 100_000) + "]",
		"ratio: " + strings.Repeat("가", 100_000),
		"? " + strings.Repeat("가", 300) + "\n: a",
	} {
		_, problems := Decode("a.yaml", []byte(src), &sample{})
		if n := len(problems.Error()); n == 0 || n > 3000 {
			t.Errorf("%.40q: the problems have %d bytes", src, n)
		}
	}
}

func TestProblemsAreCountedAboveTheBound(t *testing.T) {
	_, problems := Decode("s.yaml", []byte("name: x\nparts:\n"+strings.Repeat("  - {no: 1}\n", 1000)), &sample{})
	if len(problems) != maxProblems+1 || !strings.Contains(problems.Error(), "800 more findings of this file are not shown") {
		t.Errorf("%d problems, the last %v", len(problems), problems[len(problems)-1])
	}
	problems = append(problems, Problem{File: "a.yaml", Level: Warning})
	for range 300 {
		problems = append(problems, Problem{File: "s.yaml", Level: Warning, Rule: "w"})
	}
	if got := problems.Bound(); len(got) != maxProblems+2 || got[0].File != "a.yaml" || strings.Contains(got.Error(), "[w]") {
		t.Errorf("%d problems of two files, want the errors of the one before its warnings:\n%v", len(got), got)
	}
}
