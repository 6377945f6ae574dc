package app_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/bilingual"
)

func TestErrorInBothLanguages(t *testing.T) {
	cause := errors.New("cause")
	err := app.Invalidf("field", "see {call} for more", "reading %q: %w", "x", cause).
		Korean("더 보기: {call}", "%q: %w").Calling(app.UseVocab, "symptom")
	write := func(c app.Call) string { return "<" + string(c.Use) + " " + c.Arg + ">" }
	for _, tt := range []struct {
		lang          bilingual.Lang
		message, hint string
	}{
		{bilingual.English, `reading "x": cause`, "see <vocab symptom> for more"},
		{bilingual.Korean, `"x": cause`, "더 보기: <vocab symptom>"},
	} {
		if got := app.Message(err, tt.lang); got != tt.message {
			t.Errorf("Message in %s = %q, want %q", tt.lang, got, tt.message)
		}
		if got := app.Hint(err, tt.lang, write); got != tt.hint {
			t.Errorf("Hint in %s = %q, want %q", tt.lang, got, tt.hint)
		}
	}
	if !errors.Is(err, cause) {
		t.Error("the cause is lost")
	}
	wrapped := fmt.Errorf("opening: %w", err)
	if got, want := app.Message(wrapped, bilingual.Korean), `opening: reading "x": cause`; got != want {
		t.Errorf("Message of what was wrapped = %q, want %q", got, want)
	}
	if got := app.Message(cause, bilingual.Korean); got != "cause" {
		t.Errorf("Message of another error = %q", got)
	}
	if got := app.Hint(cause, bilingual.Korean, write); got != "" {
		t.Errorf("Hint of another error = %q", got)
	}
}

func TestShort(t *testing.T) {
	long := strings.Repeat("가", 81)
	for s, want := range map[string]string{"": "", "abc": "abc", long[3:]: long[3:], long: long[3:] + "…"} {
		if got := app.Short(s); got != want {
			t.Errorf("Short(%q) = %q, want %q", s, got, want)
		}
	}
}
