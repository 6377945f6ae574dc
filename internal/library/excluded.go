package library

import (
	"io/fs"
	"path"

	"github.com/openprecedent/precedent/internal/library/casefile"
	"github.com/openprecedent/precedent/internal/strictyaml"
)

// ExcludedDir is the folder of a library that holds the excluded candidates.
const ExcludedDir = "excluded"

// Excluded is a candidate that was looked at and did not become a case, kept
// so that nobody researches it twice.
type Excluded struct {
	Candidate string        `yaml:"candidate" json:"candidate" jsonschema:"organisation, what happened, when"`
	IDs       []string      `yaml:"ids,omitempty" json:"ids,omitempty" jsonschema:"ids under which it is known elsewhere"`
	URLs      []string      `yaml:"urls,omitempty" json:"urls,omitempty" jsonschema:"what was tried"`
	Reason    string        `yaml:"reason" json:"reason" jsonschema:"why it is not a case"`
	Looked    casefile.Time `yaml:"looked" json:"looked" jsonschema:"when it was last looked at"`
	Revisit   string        `yaml:"revisit,omitempty" json:"revisit,omitempty" jsonschema:"what would change it"`
}

func readExcluded(layer Layer) ([]Excluded, strictyaml.Problems) {
	names, _ := fs.Glob(layer.FS, ExcludedDir+"/*.yaml")
	var all []Excluded
	var problems strictyaml.Problems
	for _, name := range names {
		shown := name
		if layer.Name != "public" {
			shown = path.Join(layer.Name, name)
		}
		src, err := readBounded(layer.FS, name)
		if err != nil {
			problems = append(problems, unreadable(shown, err)...)
			continue
		}
		var e Excluded
		doc, found := strictyaml.Decode(shown, src, &e)
		for _, field := range []string{"candidate", "reason", "looked"} {
			if !doc.Has(field) {
				found = append(found, doc.Problem(strictyaml.Error, "required", field, "is missing", "write it"))
			}
		}
		problems = append(problems, found...)
		all = append(all, e)
	}
	return all, problems
}
