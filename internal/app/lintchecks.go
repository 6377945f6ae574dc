package app

import (
	"bytes"
	"context"
	"slices"

	"github.com/openprecedent/precedent/internal/check/rule"
	"github.com/openprecedent/precedent/internal/library"
	"github.com/openprecedent/precedent/internal/parallel"
	"github.com/openprecedent/precedent/internal/strictyaml"
)

// LintChecks compiles the checks of a library and tries their examples. Those that are
// the very files of another library, which may be nil, are passed over; a copy of one
// is not.
func LintChecks(ctx context.Context, lib, known *library.Library) strictyaml.Problems {
	all := lib.Checks()
	found := make([]strictyaml.Problems, len(all))
	parallel.Each(len(all), func(i int) {
		c := all[i]
		if known != nil {
			if same, ok := known.Check(c.ID); ok && same.File == c.File && bytes.Equal(same.Text, c.Text) {
				return
			}
		}
		r, problems := rule.Compile(c.File, c.Text, nil)
		if len(problems) == 0 {
			problems = r.Prove(ctx, c.File, c.Text)
		}
		found[i] = problems
	})
	return slices.Concat(found...)
}
