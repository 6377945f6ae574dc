package scenario

import (
	"fmt"
	"slices"
	"strings"

	"github.com/openprecedent/precedent/internal/nearest"
	"github.com/openprecedent/precedent/internal/strictyaml"
)

// maxVariants bounds the variants of a file.
const maxVariants = 64

// Base is the name under which the file as it is stands among its variants.
const Base = "base"

// variantFile stands for the file in problems of a variant that was asked for.
const variantFile = "--variant"

// Variants returns the variants of a file as far as they can be read.
func Variants(src []byte) []Variant {
	var f File
	strictyaml.Decode("", src, &f)
	return f.Variants
}

// VariantSettings returns what the variant sets as which the file was read, with
// whole paths.
func (f *File) VariantSettings() []strictyaml.Setting {
	for _, v := range f.Variants {
		if f.Variant != "" && v.Name == f.Variant {
			return Absolute(v.Set)
		}
	}
	return nil
}

// VariantAbout returns what is different in the variant as which the file was
// read.
func (f *File) VariantAbout() Text {
	for _, v := range f.Variants {
		if f.Variant != "" && v.Name == f.Variant {
			return v.About
		}
	}
	return Text{}
}

// VariantNames returns the names of the variants in the order of the file.
func (f *File) VariantNames() []string {
	var names []string
	for _, v := range f.Variants {
		names = append(names, v.Name)
	}
	return names
}

// noVariant is the problem of a name that no variant has.
func noVariant(f *File, name string) strictyaml.Problem {
	names := f.VariantNames()
	help := "the variants are " + strings.Join(names, ", ") + ", and " + Base + " is the file as it is"
	if near, ok := nearest.Of(name, names); ok {
		help = fmt.Sprintf("did you mean %q?", near)
	} else if len(names) == 0 {
		help = "the file has none; name one under variants"
	}
	return strictyaml.Problem{
		File: variantFile, Line: 1, Col: 1, Field: "variants", Rule: "unknown-variant", Level: strictyaml.Error,
		Msg: fmt.Sprintf("no variant is named %.80q", name), Help: help,
	}
}

// variant reads a file as the variant at a place. The file must be free of
// problems that keep it from being read.
func (f *File) variant(doc *strictyaml.Doc, src []byte, at int, set []strictyaml.Setting) (*File, strictyaml.Problems) {
	own := Absolute(f.Variants[at].Set)
	v, vdoc, problems := read(doc.File, src, append(slices.Clone(own), Absolute(set)...))
	if len(problems) > 0 {
		return v, relocated(problems, doc, f.Variants[at].Set, own, at)
	}
	if at >= len(v.Variants) { // a setting has taken it away
		return v, strictyaml.Problems{noVariant(v, f.Variants[at].Name)}
	}
	chosen := v.Variants[at]
	changes := v.apply(chosen, fmt.Sprintf("variants[%d]", at))
	return v, v.checkWith(vdoc, changes, fmt.Sprintf("variants[%d].expect", at))
}

// apply gives the file the changes and the expectations of a variant, and returns
// where each change stands.
func (f *File) apply(v Variant, at string) []string {
	f.Variant, f.Expect = v.Name, v.Expect
	var kept []Change
	var where []string
	for i, c := range f.Changes {
		if c.Name == "" || !slices.Contains(v.Without, c.Name) {
			kept = append(kept, c)
			where = append(where, fmt.Sprintf("changes[%d]", i))
		}
	}
	f.Changes = append(kept, v.Changes...)
	return append(where, places(v.Changes, at+".changes")...)
}

// relocated says of problems with what a variant sets where it stands in the
// file.
func relocated(problems strictyaml.Problems, doc *strictyaml.Doc, written, own []strictyaml.Setting, at int) strictyaml.Problems {
	for i, p := range problems {
		if p.File != strictyaml.SetFile {
			continue
		}
		for k, s := range own {
			if s.Path == p.Field {
				path := fmt.Sprintf("variants[%d].set.%s", at, written[k].Path)
				problems[i] = doc.Problem(p.Level, p.Rule, path, p.Msg, p.Help)
			}
		}
	}
	return problems
}

// checkVariant keeps the next variant, and reports what is wrong with it but for
// what is wrong with the file itself.
func (f *File) checkVariant(doc *strictyaml.Doc, src []byte, at int, known strictyaml.Problems) strictyaml.Problems {
	v, problems := f.variant(doc, src, at, nil)
	if len(problems.Errors()) > 0 {
		v = nil
	}
	f.Varied = append(f.Varied, v)
	fresh := slices.DeleteFunc(problems, func(p strictyaml.Problem) bool { return slices.Contains(known, p) })
	for i, p := range fresh {
		if !strings.HasPrefix(p.Field, "variants[") {
			fresh[i].Msg = fmt.Sprintf("with the variant %q: %s", f.Variants[at].Name, p.Msg)
		}
	}
	return fresh
}

// checkVariants looks whether the variants make sense by themselves.
func (f *File) checkVariants(bad reporter) {
	if n := len(f.Variants); n > maxVariants {
		bad("variants", fmt.Sprintf("%d variants", n), fmt.Sprintf("write at most %d", maxVariants))
	}
	first := map[string]int{}
	for i, v := range f.Variants {
		at := fmt.Sprintf("variants[%d]", i)
		if k, again := first[v.Name]; again {
			bad(at+".name", fmt.Sprintf("%q is the name of variants[%d] too", v.Name, k), "give each a name of its own")
		} else {
			first[v.Name] = i
		}
		if v.Name == Base {
			bad(at+".name", fmt.Sprintf("%q stands for the file as it is", Base), "give it another name")
		}
		if strings.ContainsAny(v.Name, ", \t\n=") {
			bad(at+".name", fmt.Sprintf("%q cannot be written after --variant", v.Name), "join its words with hyphens")
		}
		if len(v.Set)+len(v.Without)+len(v.Changes) == 0 {
			bad(at, "nothing is different about this variant", "write set, without or changes, or leave it out")
		}
		f.checkWithout(v, at, bad)
	}
}

// checkWithout looks whether the changes are there that a variant leaves out.
func (f *File) checkWithout(v Variant, at string, bad reporter) {
	if f.Variant != "" {
		return // they have been left out
	}
	var names []string
	for _, c := range f.Changes {
		if c.Name != "" {
			names = append(names, c.Name)
		}
	}
	for k, name := range v.Without {
		if slices.Contains(names, name) {
			continue
		}
		help := "name the change with name"
		if near, ok := nearest.Of(name, names); ok {
			help = fmt.Sprintf("did you mean %q?", near)
		} else if len(names) > 0 {
			help = "the names are " + strings.Join(names, ", ")
		}
		bad(fmt.Sprintf("%s.without[%d]", at, k), fmt.Sprintf("no change is named %q", name), help)
	}
}
