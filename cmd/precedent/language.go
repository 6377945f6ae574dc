package main

import (
	"strings"

	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/bilingual"
)

// language returns the language of texts.
func (p *process) language() (bilingual.Lang, error) {
	if p.lang != "" {
		lang, ok := bilingual.Parse(p.lang)
		if !ok {
			return "", app.Invalidf("lang", "write en or ko", "the language %q is not known", p.lang).
				Korean("en 또는 ko로 쓴다", "모르는 언어: %q")
		}
		return lang, nil
	}
	return p.localLanguage(), nil
}

// localLanguage is the language of the reader's environment.
func (p *process) localLanguage() bilingual.Lang {
	for _, name := range []string{"PRECEDENT_LANG", "LC_ALL", "LC_MESSAGES", "LANG"} {
		if v := p.env(name); v != "" {
			if strings.HasPrefix(v, "ko") {
				return bilingual.Korean
			}
			return bilingual.English
		}
	}
	return bilingual.English
}

// speech is the language of messages: as [process.language], also where the
// command line was not understood as a whole.
func (p *process) speech() bilingual.Lang {
	if lang, ok := bilingual.Parse(p.lang); ok {
		return lang
	}
	for i, arg := range p.args {
		value, ok := strings.CutPrefix(arg, "--lang=")
		if arg == "--lang" && i+1 < len(p.args) {
			value, ok = p.args[i+1], true
		}
		if lang, known := bilingual.Parse(value); ok && known {
			return lang
		}
	}
	return p.localLanguage()
}
