package system

import (
	"fmt"
	"slices"
	"strings"

	"github.com/openprecedent/precedent/internal/nearest"
	"github.com/openprecedent/precedent/internal/sim/des"
	"github.com/openprecedent/precedent/internal/sim/parts"
	"github.com/openprecedent/precedent/internal/strictyaml"
)

// checkCopies reports copies of what there can be one of only.
func checkCopies(part Part, r *parts.Report) {
	switch {
	case part.Copies > parts.MaxCopies:
		r.Add("copies", fmt.Sprintf("%d copies", part.Copies), fmt.Sprintf("write at most %d", parts.MaxCopies))
	case part.Copies > 1 && !part.Kind.Callable && !part.Kind.Source:
		r.Add("copies", fmt.Sprintf("a %s has no copies", part.Kind.Name), "leave it out")
	}
}

// ownHandlers are what a run registers besides its parts: the recorder, and who
// makes the changes.
const ownHandlers = 16

// checkSize reports parts that together have more handlers of events than a run
// has room for, at the part that has the most.
func (p Parts) checkSize(doc *strictyaml.Doc, at string) strictyaml.Problems {
	total, most, largest := ownHandlers, 0, Part{}
	for _, part := range p {
		n := max(int(part.Copies), 1) * parts.Handlers(part.Config)
		if total += n; n > most {
			most, largest = n, part
		}
	}
	if total <= des.MaxHandlers {
		return nil
	}
	place, help := at+"."+largest.Name, "write fewer parts or calls"
	if largest.Copies > 1 {
		place, help = place+".copies", "write fewer copies"
	}
	return strictyaml.Problems{doc.Problem(strictyaml.Error, "impossible", place,
		fmt.Sprintf("the parts and their calls take %d handlers of events, %d of them %q, and a run has %d",
			total, most, largest.Name, des.MaxHandlers), help)}
}

// checkReferences looks whether what parts read and turn of others is there,
// which needs the system built.
func (p Parts) checkReferences(doc *strictyaml.Doc, at string) strictyaml.Problems {
	var all strictyaml.Problems
	var catalog *parts.Catalog
	for _, part := range p {
		for _, ref := range parts.Refers(part.Config) {
			if catalog == nil {
				c := parts.NewCatalog(p.Build())
				catalog = &c
			}
			names := catalog.Names(ref.To)
			if slices.Contains(names, ref.Name) {
				continue
			}
			what := [...]string{parts.ToPart: "part", parts.ToKnob: "knob", parts.ToMeasure: "series or knob"}[ref.To]
			all = append(all, doc.Problem(strictyaml.Error, "unknown-name", at+"."+part.Name+"."+ref.Field,
				fmt.Sprintf("no %s is named %q", what, ref.Name), Meant(ref.Name, names)))
		}
	}
	return all
}

// Meant says which name was probably meant: the nearest one, else those of the
// same part, else the names of all parts. Single copies are left out of lists.
func Meant(word string, names []string) string {
	if near, ok := nearest.Of(word, names); ok {
		return fmt.Sprintf("did you mean %q?", near)
	}
	part, _, _ := strings.Cut(word, ".")
	var same, first []string
	for _, n := range names {
		owner, rest, _ := strings.Cut(n, ".")
		if rest != "" && rest[0] >= '0' && rest[0] <= '9' {
			continue
		}
		if owner == part {
			same = append(same, n)
		}
		if !slices.Contains(first, owner) {
			first = append(first, owner)
		}
	}
	if len(same) > 0 {
		return "those of " + part + " are " + strings.Join(same, ", ")
	}
	return "the parts are " + strings.Join(first, ", ")
}
