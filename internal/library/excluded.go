package library

import (
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

// addExcluded adds the refused candidates of one layer.
func (l *Library) addExcluded(layer Layer) strictyaml.Problems {
	found, problems := readFolder(layer, ExcludedDir, func(name string, src []byte) (e Excluded, problems strictyaml.Problems) {
		doc, problems := strictyaml.Decode(name, src, &e)
		for _, field := range []string{"candidate", "reason", "looked"} {
			if doc.Has("") && !doc.Has(field) {
				problems = append(problems, doc.Problem(strictyaml.Error, "required", field, "is missing", "write it"))
			}
		}
		return e, problems
	})
	l.Excluded = append(l.Excluded, found...)
	return problems
}
