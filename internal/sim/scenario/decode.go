package scenario

import (
	"fmt"
	"strings"

	"github.com/openprecedent/precedent/internal/sim/des"
	"github.com/openprecedent/precedent/internal/sim/parts"
	"github.com/openprecedent/precedent/internal/sim/system"
	"github.com/openprecedent/precedent/internal/strictyaml"
)

// Decode reads a scenario file, with some values set from outside, and reports
// all that is wrong with it. The file can be run if no problem is an error.
func Decode(name string, src []byte, set []strictyaml.Setting) (*File, strictyaml.Problems) {
	f := new(File)
	doc, problems := strictyaml.DecodeSet(name, src, f, Absolute(set))
	if len(problems) > 0 {
		return f, problems
	}
	f.count()
	problems = append(problems, f.Parts.Check(doc, "parts")...)
	problems = append(problems, f.check(doc)...)
	if len(problems.Errors()) == 0 {
		problems = append(problems, f.checkChanges(doc)...)
	}
	problems.Sort()
	return f, problems
}

// roots are the fields of the file that settings may begin with; what begins
// otherwise is about a part or a parameter.
var roots = []string{"parameters", "parts", "run", "changes", "remedies", "variants", "expect", "page"}

// Absolute completes the paths of settings: proxy.max means parts.proxy.max,
// and cap alone means the parameter of that name.
func Absolute(set []strictyaml.Setting) []strictyaml.Setting {
	whole := make([]strictyaml.Setting, len(set))
	for i, s := range set {
		first, _, dotted := strings.Cut(s.Path, ".")
		first, _, _ = strings.Cut(first, "[")
		switch {
		case isRoot(first):
		case dotted:
			s.Path = "parts." + s.Path
		default:
			s.Path = "parameters." + s.Path + ".value"
		}
		whole[i] = s
	}
	return whole
}

func isRoot(word string) bool {
	for _, r := range roots {
		if word == r {
			return true
		}
	}
	return false
}

// MaxEvents is how many events a run handles at most unless its budget says
// otherwise.
const MaxEvents = 2_000_000_000

func (f *File) check(doc *strictyaml.Doc) strictyaml.Problems {
	var all strictyaml.Problems
	bad := func(path, msg, help string) {
		all = append(all, doc.Problem(strictyaml.Error, "impossible", path, msg, help))
	}
	switch windows := int64(f.Run.For) / max(int64(f.Run.Window), 1); {
	case f.Run.For == 0:
		bad("run.for", "the system does not run", "write how long it runs, such as 10m")
	case f.Run.Window < parts.Duration(des.Millisecond):
		bad("run.window", fmt.Sprintf("windows of %v", f.Run.Window), "write 1ms or more")
	case f.Run.Window > f.Run.For:
		bad("run.window", fmt.Sprintf("a window of %v is longer than the run of %v", f.Run.Window, f.Run.For), "write a shorter one")
	case windows > des.MaxWindows:
		bad("run.window", fmt.Sprintf("%v has %d windows of %v", f.Run.For, windows, f.Run.Window),
			fmt.Sprintf("make them wider: %d is the most", des.MaxWindows))
	}
	if f.Run.Seeds < 1 || f.Run.Seeds > MaxSeeds {
		bad("run.seeds", fmt.Sprintf("%d seeds", f.Run.Seeds), fmt.Sprintf("write 1 to %d", MaxSeeds))
	}
	if f.Run.Zero > f.Run.For {
		bad("run.zero", fmt.Sprintf("%v is after the end of the run at %v", f.Run.Zero, f.Run.For), "choose an earlier moment, or run for longer")
	}
	for i := range f.Changes {
		f.checkChange(&f.Changes[i], fmt.Sprintf("changes[%d]", i), doc.Has("run.zero"), bad)
	}
	f.checkExpectations(f.Expect, "expect", bad)
	f.checkPage(doc, bad)
	return all
}

// MaxSeeds bounds the seeds that expectations are looked at for.
const MaxSeeds = 1000

// checkChanges looks whether the knobs are there, which needs the system built.
func (f *File) checkChanges(doc *strictyaml.Doc) strictyaml.Problems {
	var all strictyaml.Problems
	if len(f.Changes) == 0 && len(f.Remedies) == 0 {
		return nil
	}
	knobs := map[string]bool{}
	var names []string
	for _, k := range parts.Build(f.Parts.Build(), parts.Options{Window: des.Second}).Knobs() {
		knobs[k.Name] = true
		names = append(names, k.Name)
	}
	check := func(at string, turns Turns) {
		for _, t := range turns {
			if !knobs[t.Knob] {
				all = append(all, doc.Problem(strictyaml.Error, "unknown-knob", at+".set."+t.Knob,
					fmt.Sprintf("no knob is named %q", t.Knob), system.Meant(t.Knob, names)))
			}
		}
	}
	for i, c := range f.Changes {
		check(fmt.Sprintf("changes[%d]", i), c.Set)
	}
	for i, m := range f.Remedies {
		check(fmt.Sprintf("remedies[%d]", i), m.Set)
	}
	return all
}
