package manifest_test

import (
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/openprecedent/precedent/internal/check/manifest"
	"github.com/openprecedent/precedent/internal/check/object"
)

const (
	one = "apiVersion: v1\nkind: Service\nmetadata: {name: a}\n"
	two = "apiVersion: v1\nkind: Service\nmetadata: {name: b}\n"
)

// inUTF16 writes a text as shells of Windows do, the high byte first or last.
func inUTF16(text string, high bool) string {
	var b strings.Builder
	for _, u := range utf16.Encode([]rune("\ufeff" + text)) {
		if high {
			b.WriteString(string([]byte{byte(u >> 8), byte(u)}))
		} else {
			b.WriteString(string([]byte{byte(u), byte(u >> 8)}))
		}
	}
	return b.String()
}

// TestContents asks that each object of a stream is there, or said to be missing.
func TestContents(t *testing.T) {
	list := func(members string) string { return `{"apiVersion":"v1","kind":"List","items":[` + members + `]}` }
	service := func(name string) string {
		return `{"apiVersion":"v1","kind":"Service","metadata":{"name":"` + name + `"}}`
	}
	pod := func(spec string) string {
		return "apiVersion: v1\nkind: Pod\nmetadata:\n  name: p\n  annotations: {note: \"{{ .Values.note }}\"}\nspec:\n  containers:\n" + spec
	}
	const rendered, kindless = "is a template that is not rendered", "is no object"
	tests := []struct {
		name, src string
		objects   []string
		problem   string // in one of the problems; none where it is empty
		gap       string // reason of one of the gaps
	}{
		{"two documents", one + "---\n" + two, []string{"a", "b"}, "", ""},
		{"lines of Windows", strings.ReplaceAll(one+"---\n"+two, "\n", "\r\n"), []string{"a", "b"}, "", ""},
		{"UTF-16, low byte first", inUTF16(one+"---\n"+two, false), []string{"a", "b"}, "", ""},
		{"UTF-16, high byte first", inUTF16(one+"---\n"+two, true), []string{"a", "b"}, "", ""},
		{"JSON in UTF-16", inUTF16(service("a"), false), []string{"a"}, "", ""},
		{"the end of a document is marked", one + "...\n" + two, []string{"a", "b"}, "", ""},
		{"lines of an old Macintosh", strings.ReplaceAll(one+"---\n"+two, "\n", "\r"), nil, "another document begins", ""},
		{"a document has lost its kind", one + "---\nkinds: Service\nmetadata: {name: b}\n", []string{"a"}, kindless, ""},
		{"a list in a list", list(list(service("a")) + "," + service("b")), []string{"a", "b"}, "", ""},
		{"a member is null", list("null," + service("b")), []string{"b"}, "", ""},
		{"a member is text", list(`"a",` + service("b")), []string{"b"}, "", "a member is no object"},
		{"a member is a list", list(`[` + service("a") + `],` + service("b")), []string{"b"}, "", "a member is no object"},
		{"a member does not say what it is", list(`{"metadata":{"name":"a"}},` + service("b")), []string{"b"}, "", "a member is no object"},
		{"placeholders in quotes", pod("  - {name: c, image: \"{{ .Values.image }}:1\"}\n"), nil, rendered, ""},
		{"a placeholder of the shell for an image", pod("  - {name: c, image: \"${IMAGE}\"}\n"), nil, rendered, ""},
		{"a placeholder in an argument", pod("  - {name: c, image: x, args: [\"--name={{ include \\\"x\\\" . }}\"]}\n"), nil, rendered, ""},
		{"braces of the program itself", pod("  - {name: c, image: x, args: [\"--format={{.Name}}\", \"a\\n{{ .Values.b }}\"], env: [{name: A, value: \"${B}\"}]}\n"), []string{"p"}, "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			documents, problems := manifest.Read("in.yaml", []byte(tt.src))
			contents, wrong := manifest.Contents(documents, func(string, []byte) []manifest.Problem { return nil })
			snap := object.NewSnapshot(time.Unix(0, 0))
			var got []string
			for _, c := range contents {
				c.AddTo(snap)
				for _, o := range c.Objects {
					got = append(got, o.Name)
				}
			}
			if !slices.Equal(got, tt.objects) {
				t.Errorf("objects: got %q, want %q", got, tt.objects)
			}
			said := ""
			for _, p := range append(problems, wrong...) {
				said += p.Error() + "\n"
				if msg, help := p.Texts(); msg.En == msg.Ko || help.En == help.Ko {
					t.Errorf("%s: is not said in Korean", p.Error())
				}
			}
			if tt.problem == "" && said != "" || !strings.Contains(said, tt.problem) {
				t.Errorf("problems: got %q, want %q", said, tt.problem)
			}
			gaps := ""
			for _, g := range snap.Gaps() {
				gaps += g.Why
				if g.Reason().En == g.Reason().Ko {
					t.Errorf("%s: is not said in Korean", g.Why)
				}
			}
			if gaps != tt.gap {
				t.Errorf("gaps: got %q, want %q", gaps, tt.gap)
			}
		})
	}
}
