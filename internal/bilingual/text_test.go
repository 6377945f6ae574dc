package bilingual_test

import (
	"fmt"
	"testing"

	"github.com/openprecedent/precedent/internal/bilingual"
)

func ExampleText_Read() {
	title := bilingual.Text{En: "Retry storm"}
	fmt.Println(title.Read(bilingual.Korean))
	// Output: Retry storm en
}

func TestParse(t *testing.T) {
	for _, tt := range []struct {
		tag  string
		want bilingual.Lang
		ok   bool
	}{{"en", bilingual.English, true}, {"ko", bilingual.Korean, true}, {"", "", false}, {"KO", "", false}, {"ko-KR", "", false}, {"fr", "", false}} {
		if got, ok := bilingual.Parse(tt.tag); got != tt.want || ok != tt.ok {
			t.Errorf("Parse(%q) = %q, %t, want %q, %t", tt.tag, got, ok, tt.want, tt.ok)
		}
	}
}

func TestOther(t *testing.T) {
	for _, l := range bilingual.Langs {
		if o := l.Other(); o == l || o.Other() != l {
			t.Errorf("the other of %q is %q, and of that %q", l, o, o.Other())
		}
	}
}

func TestTextRead(t *testing.T) {
	both, en, ko := bilingual.Text{En: "e", Ko: "k"}, bilingual.Text{En: "e"}, bilingual.Text{Ko: "k"}
	for _, tt := range []struct {
		text     bilingual.Text
		lang     bilingual.Lang
		in, read string
		from     bilingual.Lang
		zero     bool
	}{
		{both, bilingual.English, "e", "e", bilingual.English, false},
		{both, bilingual.Korean, "k", "k", bilingual.Korean, false},
		{en, bilingual.Korean, "", "e", bilingual.English, false},
		{ko, bilingual.English, "", "k", bilingual.Korean, false},
		{bilingual.Text{}, bilingual.English, "", "", bilingual.Korean, true},
	} {
		if got := tt.text.In(tt.lang); got != tt.in {
			t.Errorf("%+v.In(%q) = %q, want %q", tt.text, tt.lang, got, tt.in)
		}
		if got, from := tt.text.Read(tt.lang); got != tt.read || from != tt.from {
			t.Errorf("%+v.Read(%q) = %q in %q, want %q in %q", tt.text, tt.lang, got, from, tt.read, tt.from)
		}
		if got := tt.text.IsZero(); got != tt.zero {
			t.Errorf("%+v.IsZero() = %t, want %t", tt.text, got, tt.zero)
		}
	}
}
