// Package bilingual holds text in the two languages of the library, English
// and Korean, which stand side by side and never in for each other unseen.
package bilingual

// Lang is a language of the library.
type Lang string

// The languages.
const (
	English Lang = "en"
	Korean  Lang = "ko"
)

// Langs are the languages in the order in which they are listed.
var Langs = [...]Lang{English, Korean}

// Parse returns the language with the given tag, en or ko.
func Parse(tag string) (Lang, bool) {
	for _, l := range Langs {
		if string(l) == tag {
			return l, true
		}
	}
	return "", false
}

// Other returns the other language.
func (l Lang) Other() Lang {
	if l == Korean {
		return English
	}
	return Korean
}

// Text is prose in both languages. A missing side is reported by lint and
// never filled silently from the other one.
type Text struct {
	En string `yaml:"en,omitempty" json:"en,omitempty" jsonschema:"English"`
	Ko string `yaml:"ko,omitempty" json:"ko,omitempty" jsonschema:"Korean"`
}

// In returns the side in language l, which may be empty.
func (t Text) In(l Lang) string {
	if l == Korean {
		return t.Ko
	}
	return t.En
}

// Read returns what a reader of language l can be shown: the side in l, or
// the other side where that is missing, with the language it is in.
func (t Text) Read(l Lang) (string, Lang) {
	if s := t.In(l); s != "" {
		return s, l
	}
	return t.In(l.Other()), l.Other()
}

// IsZero reports whether both sides are missing.
func (t Text) IsZero() bool { return t == Text{} }
