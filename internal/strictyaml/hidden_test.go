package strictyaml

import (
	"fmt"
	"strings"
	"testing"
)

func TestHidden(t *testing.T) {
	for _, r := range []rune{
		'\a', '\x1b', 0x7f, 0x80, 0x85, 0x9b, 0xad, 0x34f, 0x61c, 0x115f, 0x180e, 0x200b, 0x200c, 0x200d, 0x200e, 0x2028,
		0x2029, 0x202e, 0x2060, 0x2062, 0x2066, 0x2800, 0x3164, 0xfe00, 0xfe0f, 0xfeff, 0xffa0, 0xfff9, 0xfffe, 0xe0041, 0xe0100,
	} {
		if !Hidden('a', r) {
			t.Errorf("U+%04X behind a letter is not hidden", r)
		}
	}
	for _, s := range []string{
		"plain\n\ttext", "한글과 漢字 かな", "“quotes” — dashes… ½ µs × 10⁻³ → §", "e\u0301", "\u00a0 a", "👨\u200d👩\u200d👧 ☎\ufe0f 1\ufe0f⃣",
		"می\u200cخواهم", "क्\u200dष", "👩🏽\u200d🚀", "\ue000", "\ufffd", "\u0600\u06dd",
	} {
		if at, r := hiddenAt(s); at >= 0 {
			t.Errorf("U+%04X of %q is hidden", r, s)
		}
	}
}

// A hidden character is found wherever it stands, with its place, whether the
// file itself holds it or an escape in it.
func TestHiddenCharactersAreFound(t *testing.T) {
	for _, r := range []rune{0x85, 0x9b, 0x202e, 0x2066, 0x200b, 0x2028, 0xfeff, 0xad, 0xe0041, 0x3164, 0x1b, 0x7f} {
		for _, tt := range []struct{ name, src, place string }{
			{"plain", "name: x\n# é\ntags: [가나%cb]\n", "s.yaml:3:10: error: "},
			{"quoted", "name: \"x%c\"\n", "s.yaml:1:9: error: "},
			{"comment", "name: x\n# a %c note\n", "s.yaml:2:5: error: "},
			{"line comment", "name: x # a%c\n", "s.yaml:1:12: error: "},
			{"key", "name: x\nra%ctio: 1\n", "s.yaml:2:3: error: "},
			{"block", "name: |\n  a\n  b%cc\n", "s.yaml:3:4: error: "},
			{"escape", "name: \"x\\U%08x\"\n", "s.yaml:1:7: error: name: "},
		} {
			src := fmt.Sprintf(tt.src, r)
			for name, problems := range map[string]Problems{
				"Decode": decodeProblems(src), "Format": formatProblems(src),
			} {
				want := tt.place + nameOf(r) + " cannot be seen; delete it"
				found := 0
				for _, p := range problems {
					switch {
					case strings.HasPrefix(p.String(), want):
						found++
					case p.Rule != "unknown-field": // the key is none with the character in it
						t.Errorf("%s of %q (%s): also %v", name, src, tt.name, p)
					}
				}
				if found != 1 {
					t.Errorf("%s of %q (%s): got %v, want %q once", name, src, tt.name, problems, want)
				}
			}
		}
	}
}

func decodeProblems(src string) Problems {
	_, problems := Decode("s.yaml", []byte(src), &sample{})
	return problems
}

func formatProblems(src string) Problems {
	_, problems := Format("s.yaml", []byte(src), &sample{})
	return problems
}

func TestAFileMayBeginWithAByteOrderMark(t *testing.T) {
	if problems := decodeProblems("\ufeffname: x\n"); len(problems) > 0 {
		t.Error(problems)
	}
}

func TestManyHiddenCharactersAreReportedShortly(t *testing.T) {
	problems := decodeProblems("name: x\n" + strings.Repeat("# \u200b\n", 5000))
	if len(problems) != maxHidden+1 || !strings.Contains(problems.Error(), "4980 more lines") {
		t.Errorf("%d problems:\n%v", len(problems), problems)
	}
}
