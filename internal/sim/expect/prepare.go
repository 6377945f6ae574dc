package expect

import (
	"fmt"
	"slices"

	"github.com/openprecedent/precedent/internal/sim/scenario"
	"github.com/openprecedent/precedent/internal/strictyaml"
)

// Prepare makes what a file expects of its runs ready to be looked at, with some
// values set from outside, and reports all that is wrong with it. The file must be
// free of errors otherwise. One that is not a variant is looked at with all of its
// variants, unless something is set.
func Prepare(f *scenario.File, name string, src []byte, set []strictyaml.Setting) (scenario.Checks, strictyaml.Problems) {
	o := Origin{Src: src, Path: "expect"}
	if !expects(f) {
		return &Set{file: f}, nil
	}
	o.Doc, _ = strictyaml.DecodeSet(name, src, new(scenario.File), nil)
	if f.Variant != "" {
		at := slices.Index(f.VariantNames(), f.Variant)
		o.Path = fmt.Sprintf("variants[%d].expect", at)
	}
	checks, problems := Compile(f, f.Expect, o)
	figures, wrong := compileFigures(f, o)
	if checks.figures = figures; f.Variant == "" {
		problems = append(problems, wrong...) // a variant need not have what the file has
	}
	if f.Variant == "" && len(set) == 0 {
		for i, v := range f.Variants {
			// What is wrong with the variant itself has been reported.
			if len(v.Expect) == 0 || i >= len(f.Varied) || f.Varied[i] == nil {
				continue
			}
			o.Path = fmt.Sprintf("variants[%d].expect", i)
			_, wrong := Compile(f.Varied[i], f.Varied[i].Expect, o)
			problems = append(problems, wrong...)
		}
	}
	problems.Sort()
	return checks, problems
}

// expects reports whether there is anything to look at in a file.
func expects(f *scenario.File) bool {
	l := f.Page.Loop
	return len(f.Expect) > 0 || l != nil && l.Gain+l.Before != "" || len(f.Page.Edges)+len(f.Page.Compare) > 0 ||
		slices.ContainsFunc(f.Variants, func(v scenario.Variant) bool { return len(v.Expect) > 0 })
}
