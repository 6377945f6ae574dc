package strictyaml

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"
)

// tree writes what a decoder sees of a node.
func tree(n *yaml.Node) string {
	var b strings.Builder
	var write func(n *yaml.Node, level int)
	write = func(n *yaml.Node, level int) {
		fmt.Fprintf(&b, "%s%d:%d kind %d style %d %s %q\n", strings.Repeat(" ", level),
			n.Line, n.Column, n.Kind, n.Style, n.ShortTag(), n.Value)
		for _, c := range n.Content {
			write(c, level+1)
		}
	}
	write(n, 0)
	return b.String()
}

// same compares what the two readers make of src. It reports whether the plain
// one knows it.
func same(t *testing.T, src []byte) bool {
	t.Helper()
	if !utf8.Valid(src) || !ordinary(src) {
		return false
	}
	got := (&plainReader{}).read(src)
	if got == nil {
		return false
	}
	var want yaml.Node
	if err := yaml.Unmarshal(src, &want); err != nil {
		t.Fatalf("the plain reader reads what is no YAML: %v\n%q", err, src)
	}
	if diff := cmp.Diff(tree(want.Content[0]), tree(got)); diff != "" {
		t.Fatalf("the readers differ (-yaml +plain):\n%s\n%q", diff, src)
	}
	return true
}

// The public library is as Format writes it, so that it is read the fast way.
func TestThePublicLibraryIsPlain(t *testing.T) {
	files, err := filepath.Glob("../../corpus/*/*.yaml")
	if err != nil || len(files) < 50 {
		t.Fatalf("found %d files: %v", len(files), err)
	}
	var unknown []string
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !same(t, src) {
			unknown = append(unknown, file)
		}
	}
	t.Logf("%d of %d files are for the YAML reader: %v", len(unknown), len(files), unknown)
	if len(unknown) > len(files)/20 {
		t.Errorf("the plain reader does not know %d of %d files, which makes every start slow", len(unknown), len(files))
	}
}

// plainShapes are documents that the plain reader knows, and documents that
// look like those and are not.
var plainShapes = []struct {
	src   string
	known bool
}{
	{"a: b\n", true},
	{"\n\na: b\n\n\nc: d\n\n", true},
	{"a:\n  b: c\n  d:\n    e: f\ng: h\n", true},
	{"a:\n  - b\n  - c: d\n    e: f\n  - [g, h]\n  - {i: j}\n  - |-\n    k\n", true},
	{"a: [b, c,\n  d]\n", true},
	{"a:\n  [b, c,\n   d]\n", true},
	{"a: {b: 이름, c: 값}\n", true},
	{"이: b\n", false},
	{"a: 'b: c'\nd: \"e # f\"\n", true},
	{"a: 'it''s'\n", false},
	{"a: \"b\\n\"\n", false},
	{"a: |-\n  b\n   c\n\n  d\n\n\ne: f\n", true},
	{"a: >-\n  b\n  c\n\n\n  d\n", true},
	{"a: >-\n  b\n   c\n", false},
	{"a: |\n  b\n\n", true},
	{"a: |-\n\n  b\n", false},
	{"a: |-\n b\n  c\n", true},
	{"a: |-\n  b\n c\n", false},
	{"a: |2-\n  b\n", false},
	{"a: |-\nb: c\n", false},
	{"a: [https://example.org/b, -1, c:d]\n", true},
	{"a: [b ]\n", false},
	{"a: [b: c]\n", false},
	{"a: [b,\nc]\n", false},
	{"a: [b, c, ]\n", false},
	{"a: {b}\n", false},
	{"a: []\nb: {}\n", true},
	{"a: b\n  c\n", false},
	{"a: b # c\n", false},
	{"# c\na: b\n", false},
	{"a: b#c\n", true},
	{"a: b: c\n", false},
	{"a: 12:30\n", true},
	{"a: b:\n", false},
	{"a: &b c\n", false},
	{"a: !b c\n", false},
	{"a: - b\n", false},
	{"a: -b\n", true},
	{"a:\n- b\n", false},
	{"a:\n  - - b\n", false},
	{"a:\nb: c\n", false},
	{"a: ~\nb: null\n", true},
	{"---\na: b\n", false},
	{"a: b\n---\n", false},
	{"a: b\n...\n", false},
	{"a: |-\n  ---\nb: c\n", true},
	{"a: b \n", false},
	{"a:  b\n", false},
	{"a: b\n \n", false},
	{"a:\tb\n", false},
	{"a: b\r\n", false},
	{"a: b", false},
	{"a: \u200b\n", false},
	{"a: \u0085b\n", false},
	{"- a\n", false},
	{"a: b\n c: d\n", false},
	{"a:\n    b: c\n  d: e\n", false},
	{"a: '\n  b'\n", false},
	{"a: ?b\n", false},
	{"a: b?\nc: [d?]\n", false},
	{"a: <<\n<<: b\n", false},
	{"", false},
	{"\n", false},
}

func TestThePlainReader(t *testing.T) {
	for _, tt := range plainShapes {
		t.Run(tt.src, func(t *testing.T) {
			if got := same(t, []byte(tt.src)); got != tt.known {
				t.Errorf("known: %t, want %t", got, tt.known)
			}
		})
	}
}

// What the plain reader knows, it reads as the YAML reader does.
func FuzzThePlainReader(f *testing.F) {
	for _, s := range plainShapes {
		f.Add([]byte(s.src))
	}
	files, _ := filepath.Glob("testdata/*.yaml")
	for _, file := range files {
		if src, err := os.ReadFile(file); err == nil {
			f.Add(src)
		}
	}
	f.Fuzz(func(t *testing.T, src []byte) { same(t, src) })
}
