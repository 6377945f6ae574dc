package scenario

import "github.com/openprecedent/precedent/internal/strictyaml"

// Starter returns a scenario as a system file to begin one's own with: its texts in
// one language, without what only a library shows and expects of it.
func Starter(name string, src []byte, lang string) ([]byte, strictyaml.Problems) {
	keys := []string{lang, "en", "ko"}
	return strictyaml.Pick(name, src, new(File),
		[]string{"title", "replays", "mechanisms", "page", "expect", "variants.expect", "variants.cost"}, keys...)
}
