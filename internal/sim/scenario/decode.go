package scenario

import (
	"fmt"
	"slices"
	"strings"

	"github.com/openprecedent/precedent/internal/sim/des"
	"github.com/openprecedent/precedent/internal/sim/parts"
	"github.com/openprecedent/precedent/internal/strictyaml"
)

// Decode reads a scenario file, with some values set from outside, and reports
// all that is wrong with it. The file can be run if no problem is an error.
// Where nothing is set from outside, the variants are looked at too.
func Decode(name string, src []byte, set []strictyaml.Setting) (*File, strictyaml.Problems) {
	f, doc, problems := read(name, src, Absolute(set))
	if len(problems) > 0 {
		problems = append(problems, f.besides(doc, problems)...)
		problems.Sort()
		return f, problems
	}
	problems = f.check(doc)
	if len(set) == 0 {
		problems = append(problems, f.checkPhases(doc)...)
		for i := range f.Variants {
			problems = append(problems, f.checkVariant(doc, src, i, problems)...)
		}
	}
	problems.Sort()
	return f, problems
}

// besides returns what else is wrong with a file of which some could not be read,
// so that all of it is told at once: but for what may only follow from that.
func (f *File) besides(doc *strictyaml.Doc, known strictyaml.Problems) strictyaml.Problems {
	if len(f.Parts) == 0 {
		return nil
	}
	doubtful := map[string]bool{}
	for _, p := range known {
		doubtful[owner(p.Field)] = true
	}
	whole := true // every part is there
	for field := range doubtful {
		if name, ok := strings.CutPrefix(field, "parts."); ok {
			_, there := f.Parts.Named(name)
			whole = whole && there
		}
	}
	all := f.Parts.CheckSettings(doc, "parts")
	f.checkRun(func(path, msg, help string) {
		all = append(all, doc.Problem(strictyaml.Error, "impossible", path, msg, help))
	})
	return slices.DeleteFunc(all, func(p strictyaml.Problem) bool {
		o := owner(p.Field)
		return doubtful[o] || !whole && (o == "parts" || strings.HasSuffix(p.Field, ".to"))
	})
}

// owner returns the part, or the field of the file, that a path leads into.
func owner(path string) string {
	words := strings.SplitN(path, ".", 3)
	if len(words) > 1 && words[0] == "parts" {
		return "parts." + words[1]
	}
	return words[0]
}

// DecodeVariant is Decode for a variant of the file: its changes and
// expectations are then those of the variant. What is set from outside goes
// before what the variant sets. An empty variant, or [Base], is the file as it is.
func DecodeVariant(name string, src []byte, variant string, set []strictyaml.Setting) (*File, strictyaml.Problems) {
	if variant == "" || variant == Base {
		return Decode(name, src, set)
	}
	base, doc, problems := read(name, src, nil)
	i := slices.IndexFunc(base.Variants, func(v Variant) bool { return v.Name == variant })
	if len(problems) > 0 || i < 0 {
		f, all := Decode(name, src, set) // what else is wrong
		for _, p := range problems {
			if !slices.Contains(all, p) {
				all = append(all, p)
			}
		}
		if i < 0 && !slices.ContainsFunc(all, keepsVariants) {
			all = append(all, noVariant(base, variant))
		}
		all.Sort()
		return f, all
	}
	f, problems := base.variant(doc, src, i, set)
	problems.Sort()
	return f, problems
}

// keepsVariants reports whether a problem may have kept a variant from being read:
// one of the variants, or of the file as a whole.
func keepsVariants(p strictyaml.Problem) bool {
	return p.Field == "" || strings.HasPrefix(p.Field, "variants")
}

// read decodes a file and counts its moments from the start of the run.
func read(name string, src []byte, set []strictyaml.Setting) (*File, *strictyaml.Doc, strictyaml.Problems) {
	f := new(File)
	doc, problems := strictyaml.DecodeSet(name, src, f, set)
	f.count()
	return f, doc, problems
}

// roots are the fields of the file that settings may begin with; what begins
// otherwise is about a part or a parameter.
var roots = []string{"parameters", "parts", "run", "changes", "remedies", "variants", "expect", "explore", "page"}

// Absolute completes the paths of settings: proxy.max means parts.proxy.max,
// and cap alone means the parameter of that name.
func Absolute(set []strictyaml.Setting) []strictyaml.Setting {
	whole := make([]strictyaml.Setting, len(set))
	for i, s := range set {
		first, _, dotted := strings.Cut(s.Path, ".")
		first, _, _ = strings.Cut(first, "[")
		switch {
		case slices.Contains(roots, first):
		case dotted:
			s.Path = "parts." + s.Path
		default:
			s.Path = "parameters." + s.Path + ".value"
		}
		whole[i] = s
	}
	return whole
}

// MaxEvents is how many events a run handles at most unless its budget says
// otherwise.
const MaxEvents = 2_000_000_000

// maxSeeds bounds the seeds that expectations are looked at for.
const maxSeeds = 1000

// check reports what is wrong with a file that could be read.
func (f *File) check(doc *strictyaml.Doc) strictyaml.Problems {
	return f.checkWith(doc, places(f.Changes, "changes"), "expect")
}

// checkWith is check where the changes stand at other places, and the
// expectations at another one.
func (f *File) checkWith(doc *strictyaml.Doc, changes []string, expect string) strictyaml.Problems {
	problems := f.Parts.Check(doc, "parts")
	sound := len(problems.Errors()) == 0 // so that the system can be built
	bad := func(path, msg, help string) {
		problems = append(problems, doc.Problem(strictyaml.Error, "impossible", path, msg, help))
	}
	f.checkRun(bad)
	zero := doc.Has("run.zero") || f.Run.Zero > 0
	for i := range f.Changes {
		f.checkChange(&f.Changes[i], changes[i], zero, bad)
	}
	checkNames(f.Changes, changes, bad)
	checkExpectations(f.Expect, expect, bad)
	f.checkPage(doc, bad)
	f.checkVariants(bad)
	f.checkOrders(bad)
	if sound {
		problems = append(problems, f.checkTurns(doc, changes)...)
	}
	return problems
}

// places returns where changes stand that are a list of the file.
func places(changes []Change, at string) []string {
	all := make([]string, len(changes))
	for i := range all {
		all[i] = fmt.Sprintf("%s[%d]", at, i)
	}
	return all
}

// checkRun looks at how long the file runs.
func (f *File) checkRun(bad reporter) {
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
	if f.Run.Seeds < 1 || f.Run.Seeds > maxSeeds {
		bad("run.seeds", fmt.Sprintf("%d seeds", f.Run.Seeds), fmt.Sprintf("write 1 to %d", maxSeeds))
	}
	if f.Run.Zero > f.Run.For {
		bad("run.zero", fmt.Sprintf("%v is after the end of the run at %v", f.Run.Zero, f.Run.For),
			"choose an earlier moment, or run for longer")
	}
}
