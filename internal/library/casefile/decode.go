package casefile

import (
	"slices"

	"github.com/openprecedent/precedent/internal/library/vocab"
	"github.com/openprecedent/precedent/internal/strictyaml"
)

// Dir is the folder of a library that holds its cases, one file a case.
const Dir = "cases"

// Decode reads one case strictly. What could be read is in the case even when
// there are problems; the document tells where each field stands.
func Decode(file string, src []byte) (*Case, *strictyaml.Doc, strictyaml.Problems) {
	c := &Case{}
	doc, problems := strictyaml.Decode(file, src, c)
	return c, doc, problems
}

// Check reads one case and reports everything that is wrong with it.
func Check(file string, src []byte, terms *vocab.Set) (*Case, *strictyaml.Doc, strictyaml.Problems) {
	c, doc, problems := Decode(file, src)
	// Else the file could not be read at all, or is no mapping.
	if doc.Has("") && !slices.ContainsFunc(problems, func(p strictyaml.Problem) bool { return p.Rule == "wrong-kind" && p.Field == "" }) {
		problems = append(problems, Lint(c, doc, terms)...)
	}
	return c, doc, problems.Bound()
}

// Format returns the canonical formatting of a case file.
func Format(file string, src []byte) ([]byte, strictyaml.Problems) {
	return strictyaml.Format(file, src, &Case{})
}
