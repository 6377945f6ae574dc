package web

import (
	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/output"
)

// effect is an effect of an action with its name. Its id is also the name of
// its mark and its colour.
type effect struct {
	ID   string
	Name string
}

// effects returns all effects in the order in which they are shown.
func effects(names output.Names, l bilingual.Lang) []effect {
	var all []effect
	for _, id := range output.Effects() {
		all = append(all, effect{id, names.Name("effect", id, l)})
	}
	return all
}
