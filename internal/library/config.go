package library

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/openprecedent/precedent/internal/lazyregexp"
	"github.com/openprecedent/precedent/internal/library/casefile"
	"github.com/openprecedent/precedent/internal/strictyaml"
)

// configFile is the file of a library folder that describes the library. The
// public library has none.
const configFile = "library.yaml"

// publicPrefix begins the ids of the public library's own cases.
const publicPrefix = "PR"

// Config describes a private library.
type Config struct {
	Name   string `yaml:"name" json:"name" jsonschema:"what to call the library"`
	Prefix string `yaml:"prefix" json:"prefix" jsonschema:"capital letters that begin the ids of its cases"`
}

var prefixForm = lazyregexp.New(`^[A-Z]{2,10}$`)

// ValidPrefix reports whether p can begin the ids of a private library: two to
// ten capital letters that no public case begins with.
func ValidPrefix(p string) bool {
	return prefixForm.MatchString(p) && p != publicPrefix && p != "IL"
}

// ReadConfig reads the description of a library folder; one without a
// description has a zero Config.
func ReadConfig(layer Layer) (Config, strictyaml.Problems) {
	var c Config
	src, err := strictyaml.ReadFile(layer.FS, configFile)
	if errors.Is(err, fs.ErrNotExist) {
		return c, nil
	}
	if err != nil {
		return c, strictyaml.Problems{strictyaml.Unreadable(layer.shown(configFile), err)}
	}
	doc, problems := strictyaml.Decode(layer.shown(configFile), src, &c)
	if doc.Has("") && !ValidPrefix(c.Prefix) {
		problems = append(problems, doc.Problem(strictyaml.Error, "bad-prefix", "prefix",
			fmt.Sprintf("%q cannot begin the ids of a private library", c.Prefix), "choose two to ten capital letters other than PR and IL"))
	}
	if strings.EqualFold(strings.TrimSpace(c.Name), Public) {
		problems = append(problems, doc.Problem(strictyaml.Error, "bad-name", "name",
			fmt.Sprintf("%q is the name of the public library", c.Name), "give yours another"))
	}
	return c, problems
}

// title is what to call the library of a layer: the name that it gives itself,
// or else that of its folder. A private library in a folder of the public
// one's name must not pass for it: its cases would be licensed to everybody.
func (c Config) title(layer Layer) string {
	title := cmp.Or(c.Name, path.Base(filepath.ToSlash(layer.Name)))
	if layer.Name != Public && strings.EqualFold(strings.TrimSpace(title), Public) {
		return "private"
	}
	return title
}

// prefixes reports cases whose id begins neither with the library's prefix nor
// is the id of a case under it that they replace.
func (c Config) prefixes(entries []*Entry) strictyaml.Problems {
	var problems strictyaml.Problems
	for _, e := range entries {
		if c.Prefix != "" && e.Overrides == "" && !strings.HasPrefix(e.ID, c.Prefix+"-") {
			problems = append(problems, e.doc.Problem(strictyaml.Error, "wrong-prefix", "id",
				fmt.Sprintf("%q does not begin with %s, and replaces no case", e.ID, c.Prefix), "number it "+c.Prefix+"-..."))
		}
	}
	return problems
}

// NextID returns the next free id of a folder, by its file names, so that
// files which do not parse keep their ids. It is "" where the highest number
// that an id can have is taken: a number in a gap may have been a case before.
func NextID(fsys fs.FS, prefix string) string {
	names, _ := fs.Glob(fsys, casefile.Dir+"/*.yaml") // fails for malformed patterns only
	highest := 0
	for _, name := range names {
		id := strings.TrimSuffix(path.Base(name), ".yaml")
		if number, ok := strings.CutPrefix(id, prefix+"-"); ok && casefile.ValidID(id) {
			n, _ := strconv.Atoi(number) // digits by the form of the id
			highest = max(highest, n)
		}
	}
	if highest >= casefile.MaxNumber {
		return ""
	}
	return fmt.Sprintf("%s-%04d", prefix, highest+1)
}
