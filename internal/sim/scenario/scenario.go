// Package scenario reads scenario files, which hold a system, for how long it
// runs, and what is done to it meanwhile, and runs them.
package scenario

import (
	"fmt"
	"strings"

	"github.com/openprecedent/precedent/internal/sim/des"
	"github.com/openprecedent/precedent/internal/sim/parts"
	"github.com/openprecedent/precedent/internal/sim/system"
	"github.com/openprecedent/precedent/internal/strictyaml"
)

// File is a scenario file. All but the parts may be left out.
type File struct {
	Name       string            `yaml:"name" doc:"short name of the system" required:"true"`
	About      string            `yaml:"about" doc:"what it is and what question it answers"`
	Parameters system.Parameters `yaml:"parameters" doc:"values with a name and an origin; $name stands for one in the rest of the file"`
	Parts      system.Parts      `yaml:"parts" doc:"the parts of the system by name" required:"true"`
	Run        Run               `yaml:"run" doc:"how long the system runs, and how it is looked at"`
	Changes    []Change          `yaml:"changes" doc:"what is done to the running system: triggers, load, operators' actions"`
	Remedies   []Remedy          `yaml:"remedies" doc:"what might bring the system back, or keep it from going down"`
}

// Remedy is something that might help.
type Remedy struct {
	Name string       `yaml:"name" doc:"what is done, in a few words" required:"true"`
	Set  Turns        `yaml:"set" doc:"knobs and the values they get" required:"true"`
	Cost parts.Factor `yaml:"cost" doc:"what it costs, against the other remedies" default:"1"`
}

// Run says how long a system runs.
type Run struct {
	For    parts.Duration `yaml:"for" doc:"simulated time" default:"10m"`
	Window parts.Duration `yaml:"window" doc:"width of the windows of the series" default:"1s"`
	Seed   parts.Count    `yaml:"seed" doc:"seed of the random draws" default:"1"`
}

// Change turns knobs of the running system.
type Change struct {
	About string         `yaml:"about" doc:"what this stands for"`
	At    parts.Duration `yaml:"at" doc:"when, from the start of the run" required:"true"`
	For   parts.Duration `yaml:"for" doc:"after how long the knobs are turned back; 0 leaves them"`
	Set   Turns          `yaml:"set" doc:"knobs and the values they get, such as db.speed: 20%" required:"true"`
}

// Turn gives a knob a value.
type Turn struct {
	Knob  string
	Value float64
	Times bool // the value multiplies what the knob had
}

// Turns are turns of knobs in the order of the file.
type Turns []Turn

// DecodeYAML reads a mapping of knobs to values.
func (t *Turns) DecodeYAML(v strictyaml.Value) {
	for _, f := range v.Fields("a mapping of knobs to values, such as db.speed: 20%") {
		var text turnValue
		f.Value.Into(&text)
		*t = append(*t, Turn{Knob: f.Name, Value: text.number, Times: text.times})
	}
}

// turnValue is a number in any unit of a knob.
type turnValue struct {
	number float64
	times  bool
}

// UnmarshalText reads a rate, a span in seconds, a share, a plain number, or a
// factor such as 3x.
func (t *turnValue) UnmarshalText(text []byte) error {
	s := strings.TrimSpace(string(text))
	var rate parts.Rate
	var span parts.Duration
	var factor parts.Factor
	switch {
	case strings.Contains(s, "/"):
		err := rate.UnmarshalText(text)
		t.number = float64(rate)
		return err
	case factor.UnmarshalText(text) == nil:
		t.number, t.times = float64(factor), strings.HasSuffix(s, "x")
		return nil
	case span.UnmarshalText(text) == nil:
		t.number = span.Time().Seconds()
		return nil
	}
	return fmt.Errorf("%q is no value of a knob; write a number, or one such as 20%%, 3x, 100/s or 250ms", s)
}

// Decode reads a scenario file, with some values set from outside, and reports
// all that is wrong with it. The file can be run if no problem is an error.
func Decode(name string, src []byte, set []strictyaml.Setting) (*File, strictyaml.Problems) {
	f := new(File)
	doc, problems := strictyaml.DecodeSet(name, src, f, absolute(set))
	if len(problems) > 0 {
		return f, problems
	}
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
var roots = []string{"parameters", "parts", "run", "changes", "remedies"}

// absolute completes the paths of settings: proxy.max means parts.proxy.max,
// and cap alone means the parameter of that name.
func absolute(set []strictyaml.Setting) []strictyaml.Setting {
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
	for i, c := range f.Changes {
		if c.At > f.Run.For {
			bad(fmt.Sprintf("changes[%d].at", i), fmt.Sprintf("%v is after the end of the run at %v", c.At, f.Run.For),
				"let it happen earlier, or run for longer")
		}
	}
	return all
}

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
