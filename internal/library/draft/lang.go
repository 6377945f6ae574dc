package draft

import (
	"strings"
	"unicode"
)

// declaredLanguage is the language that the page or the front matter names.
func declaredLanguage(doc *document) string {
	for _, f := range doc.front {
		if keyOf(f.key) == "lang" {
			return f.value
		}
	}
	return doc.page.lang
}

// languageOf returns en, ko, or "" for a text in another language. A Hangul
// syllable stands for about three Latin letters, and a Korean report is full
// of Latin names; so a small share of Hangul tells.
func languageOf(doc *document, declared string) string {
	var hangul, latin, other int
	var visit func(blocks []block)
	count := func(runs []run) {
		for _, r := range runs {
			if r.code || strings.Contains(r.text, "://") {
				continue
			}
			for _, c := range r.text {
				switch {
				case unicode.Is(unicode.Hangul, c):
					hangul++
				case unicode.Is(unicode.Latin, c):
					latin++
				case unicode.IsLetter(c):
					other++
				}
			}
		}
	}
	visit = func(blocks []block) {
		for _, b := range blocks {
			count(b.runs)
			visit(b.blocks)
			for _, one := range b.items {
				visit(one.blocks)
			}
			for _, row := range b.rows {
				for _, cell := range row {
					count(cell)
				}
			}
		}
	}
	visit(doc.blocks)
	switch {
	case hangul*3 >= latin && hangul*3 >= other && hangul > 0:
		return "ko"
	case other*3 > latin:
		return ""
	}
	declared = strings.ToLower(declared)
	if base, _, _ := strings.Cut(strings.ReplaceAll(declared, "_", "-"), "-"); len(base) == 2 && base != "en" && base != "ko" {
		return "" // a language in Latin letters
	}
	return "en"
}
