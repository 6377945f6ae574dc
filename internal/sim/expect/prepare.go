package expect

import (
	"slices"

	"github.com/openprecedent/precedent/internal/sim/scenario"
	"github.com/openprecedent/precedent/internal/strictyaml"
)

// Prepare makes what a file expects of its runs ready to be looked at, with some
// values set from outside, and reports all that is wrong with it. The file must be
// free of errors otherwise.
func Prepare(f *scenario.File, name string, src []byte, set []strictyaml.Setting) (scenario.Checks, strictyaml.Problems) {
	o := Origin{Src: src, Path: "expect"}
	gain := f.Page.Loop != nil && f.Page.Loop.Gain != ""
	if len(f.Expect) == 0 && !gain {
		return &Set{file: f}, nil
	}
	o.Doc, _ = strictyaml.DecodeSet(name, src, new(scenario.File), set)
	checks, problems := Compile(f, f.Expect, o)
	if gain {
		o.Path = "page.loop.gain"
		_, wrong := CompileValue(f, f.Page.Loop.Gain, o)
		problems = append(problems, wrong...)
	}
	problems.Sort()
	return checks, slices.Clip(problems)
}
