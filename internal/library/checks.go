package library

import (
	"cmp"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/lazyregexp"
	"github.com/openprecedent/precedent/internal/strictyaml"
)

// CheckDir is the folder of a library that holds check files.
const CheckDir = "checks"

// Check is a rule that finds the state behind cases. What its file holds beside
// these fields is for whoever runs it to read.
type Check struct {
	ID         string         // such as CK-104
	Title      bilingual.Text // one line
	Mechanisms []string       // terms of the list mechanism
	Evidence   []string       // ids of cases
	Layer      string         // what to call the library that it comes from
	File       string         // path of the file in its layer
	Text       []byte         // the file

	doc *strictyaml.Doc // while loading
}

// DecodeYAML reads the fields that the library knows, and leaves the others to
// who runs the check.
func (c *Check) DecodeYAML(v strictyaml.Value) {
	v.Placeholders()
	for _, f := range v.Fields("a check: a mapping with the fields id, title, applies and others") {
		switch f.Name {
		case "id":
			f.Value.Into(&c.ID)
		case "title":
			f.Value.Into(&c.Title)
		case "mechanisms":
			f.Value.Into(&c.Mechanisms)
		case "evidence":
			f.Value.Into((*evidence)(&c.Evidence))
		}
	}
}

// evidence reads the ids of a check's cases.
type evidence []string

// DecodeYAML reads a list of mappings with the field case.
func (e *evidence) DecodeYAML(v strictyaml.Value) {
	for _, one := range v.Members() {
		for _, f := range one.Fields("a case behind the check") {
			if id, ok := f.Value.Scalar(); ok && f.Name == "case" {
				*e = append(*e, id)
			}
		}
	}
}

// addChecks adds the checks of one layer.
func (l *Library) addChecks(layer Layer, title string) strictyaml.Problems {
	found, problems := readFolder(layer, CheckDir, func(name string, src []byte) (c *Check, problems strictyaml.Problems) {
		c = &Check{File: name, Text: src}
		c.doc, problems = strictyaml.Decode(name, src, c)
		if want := strings.TrimSuffix(path.Base(name), ".yaml"); c.ID != want && len(problems) == 0 {
			problems = append(problems, c.doc.Problem(strictyaml.Error, "file-name", "id", fmt.Sprintf("%q is not the name of the file", c.ID),
				fmt.Sprintf("write %s, or rename the file", want)))
		}
		return c, problems
	})
	for _, c := range found {
		c.Layer = title
		l.checks = replace(l.checks, c, func(other *Check) bool { return strings.EqualFold(other.ID, c.ID) })
	}
	return problems
}

// checkChecks reports what checks name and is not there.
func (l *Library) checkChecks() strictyaml.Problems {
	var problems strictyaml.Problems
	for _, c := range l.checks {
		for i, id := range c.Evidence {
			if _, reported := strictyaml.Placeholder(id); !reported {
				problems = append(problems, l.danglingCase(c.doc, fmt.Sprintf("evidence[%d].case", i), id)...)
			}
		}
		for i, m := range c.Mechanisms {
			if _, reported := strictyaml.Placeholder(m); !reported {
				problems = append(problems, l.danglingMechanism(c.doc, fmt.Sprintf("mechanisms[%d]", i), m)...)
			}
		}
		c.doc = nil
	}
	slices.SortFunc(l.checks, func(a, b *Check) int { return cmp.Compare(a.ID, b.ID) })
	return problems
}

// ValidCheckPrefix reports whether p can begin the ids of checks: words of capital
// letters with hyphens between them.
func ValidCheckPrefix(p string) bool {
	return checkPrefix.MatchString(p)
}

var checkPrefix = lazyregexp.New(`^[A-Z]{2,10}(-[A-Z]{2,10})?$`)

// NextCheckID returns the next free id of a check in a folder, by its file names:
// the prefix with the number after the highest one.
func NextCheckID(fsys fs.FS, prefix string) string {
	names, _ := fs.Glob(fsys, CheckDir+"/"+prefix+"-*.yaml") // fails for malformed patterns only
	highest := 0
	for _, name := range names {
		number := strings.TrimPrefix(strings.TrimSuffix(path.Base(name), ".yaml"), prefix+"-")
		if n, err := strconv.Atoi(number); err == nil {
			highest = max(highest, n)
		}
	}
	return fmt.Sprintf("%s-%d", prefix, highest+1)
}

// Checks returns all checks by id.
func (l *Library) Checks() []*Check { return l.checks }

// Check returns the check with the given id, in upper or lower case letters.
func (l *Library) Check(id string) (*Check, bool) {
	for _, c := range l.checks {
		if strings.EqualFold(c.ID, id) {
			return c, true
		}
	}
	return nil, false
}
