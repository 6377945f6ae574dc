package output

import (
	"bytes"
	"encoding/json"
	"testing"
)

// hidden holds an escape sequence in one character, a mark of direction, a
// character without width, a letter of the tags, and a family of three that is
// none of them.
const hidden = "a\u009b31m\u202e\u200b\U000e0041 👨\u200d👩\u200d👧 나"

func TestTextCannotSteerATerminal(t *testing.T) {
	const clean = `a\u009b31m\u202e\u200b\U000e0041 👨` + "\u200d👩\u200d👧 나"
	page := Page{
		{Kind: Heading, Level: 1, Text: hidden},
		{Kind: Prose, Text: hidden},
		{Kind: Note, Text: hidden},
		{Kind: Facts, Facts: [][2]string{{"label", hidden}}},
		{Kind: List, Items: []Item{{Lead: hidden, Text: hidden, Sub: []string{hidden}}}},
	}
	var text, markdown bytes.Buffer
	if err := Text(&text, page, Terminal{Width: 400}); err != nil {
		t.Fatal(err)
	}
	if err := Markdown(&markdown, page); err != nil {
		t.Fatal(err)
	}
	for name, out := range map[string]string{"text": text.String(), "markdown": markdown.String()} {
		if got := bytes.Count([]byte(out), []byte(clean)); got != 7 {
			t.Errorf("%s holds the escaped words %d times, want 7:\n%q", name, got, out)
		}
	}
}

func TestJSONEscapesWhatNobodySees(t *testing.T) {
	var b bytes.Buffer
	if err := JSON(&b, map[string]string{"q": hidden}); err != nil {
		t.Fatal(err)
	}
	want := `{
  "q": "a\u009b31m\u202e\u200b\udb40\udc41 👨` + "\u200d👩\u200d👧" + ` 나"
}
`
	if b.String() != want {
		t.Errorf("got %q, want %q", b.String(), want)
	}
	var back map[string]string
	if err := json.Unmarshal(b.Bytes(), &back); err != nil || back["q"] != hidden {
		t.Errorf("read back %q, %v", back["q"], err)
	}
}
