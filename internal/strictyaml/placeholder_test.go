package strictyaml

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// draft is a document of any form that reports what is still to be written.
type draft struct{}

func (*draft) DecodeYAML(v Value) { v.Placeholders() }

func TestPlaceholders(t *testing.T) {
	src := `title: {en: <one line>, ko: 한 줄}
list: [a, "<a term>"]
code: |
  <not one: a line follows>
  x
none: <>
less: a < b > c
block: |
  <some text>
`
	want := []string{
		`d.yaml:1:13: error: title.en: is still to be written; write one line [placeholder]`,
		`d.yaml:2:11: error: list[1]: is still to be written; write a term [placeholder]`,
		`d.yaml:8:8: error: block: is still to be written; write some text [placeholder]`,
	}
	_, problems := Decode("d.yaml", []byte(src), &draft{})
	if diff := cmp.Diff(want, strings.Split(problems.Error(), "\n")); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
}
