package system

import (
	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/strictyaml"
)

// Text is prose that a reader sees: in both languages as {en: ..., ko: ...}, or
// a single text that stands for both, as in a file that one writes for oneself.
type Text struct{ bilingual.Text }

// Plain is a text that stands for both languages.
func Plain(s string) Text { return Text{bilingual.Text{En: s, Ko: s}} }

// DecodeYAML reads a text in either form.
func (t *Text) DecodeYAML(v strictyaml.Value) {
	if v.IsMapping() {
		v.Into(&t.Text)
		return
	}
	var line string
	v.Into(&line)
	*t = Plain(line)
}
