// Package scenario reads scenario files, which hold a system, for how long it
// runs, and what is done to it meanwhile, and runs them.
package scenario

import (
	"fmt"
	"github.com/openprecedent/precedent/internal/bilingual"
	"slices"
	"strings"

	"github.com/openprecedent/precedent/internal/nearest"
	"github.com/openprecedent/precedent/internal/sim/des"
	"github.com/openprecedent/precedent/internal/sim/parts"
	"github.com/openprecedent/precedent/internal/sim/system"
	"github.com/openprecedent/precedent/internal/strictyaml"
)

// File is a scenario file. All but the parts may be left out.
type File struct {
	Name       string            `yaml:"name" doc:"short name of the system" required:"true"`
	Title      Text              `yaml:"title" doc:"one line; a scenario of a library must have it"`
	About      Text              `yaml:"about" doc:"what it is and what question it answers"`
	Replays    string            `yaml:"replays" doc:"id of the case whose course comes out of it"`
	Mechanisms []string          `yaml:"mechanisms" doc:"terms of the vocabulary list mechanism that it shows"`
	Parameters system.Parameters `yaml:"parameters" doc:"values with a name and an origin; $name stands for one in the rest of the file"`
	Parts      system.Parts      `yaml:"parts" doc:"the parts of the system by name" required:"true"`
	Run        Run               `yaml:"run" doc:"how long the system runs, and how it is looked at"`
	Changes    []Change          `yaml:"changes" doc:"what is done to the running system: triggers, load, operators' actions"`
	Remedies   []Remedy          `yaml:"remedies" doc:"what might bring the system back, or keep it from going down"`
	Variants   []Variant         `yaml:"variants" doc:"the same system with something else done, or set, under a name"`
	Expect     []Expectation     `yaml:"expect" doc:"what must hold of a run of the file as it is"`
	Explore    *Orders           `yaml:"explore" doc:"which protocols of the system are looked at in every order of their steps"`
	Page       Page              `yaml:"page" doc:"what a library shows of it beside its runs"`

	Variant string   `yaml:"-"` // that the file was read as; empty as it is
	Varied  []*File  `yaml:"-"` // the variants as [Decode] has read them, nil for one that cannot be run
	Begin   des.Time `yaml:"-"` // where the profiles of sources are at the start of a run
}

// Remedy is something that might help.
type Remedy struct {
	Name Text         `yaml:"name" doc:"what is done, in a few words" required:"true"`
	Set  Turns        `yaml:"set" doc:"knobs and the values they get" required:"true"`
	Cost parts.Factor `yaml:"cost" doc:"what it costs, against the other remedies" default:"1"`
}

// Run says how long a system runs.
type Run struct {
	For    parts.Duration `yaml:"for" doc:"simulated time" default:"10m"`
	Window parts.Duration `yaml:"window" doc:"width of the windows of the series" default:"1s"`
	Seed   parts.Count    `yaml:"seed" doc:"seed of the random draws" default:"1"`
	Seeds  parts.Count    `yaml:"seeds" doc:"how many seeds, from that one on, the expectations must hold for" default:"1"`
	Zero   parts.Duration `yaml:"zero" doc:"the moment that T+0 stands for, in times such as T+5m"`
}

// Change turns knobs of the running system.
type Change struct {
	Name  string         `yaml:"name" doc:"what variants call it by"`
	About Text           `yaml:"about" doc:"what this stands for"`
	At    Moment         `yaml:"at" doc:"when, from the start of the run or, as T+5m, from run.zero; with a condition, not before"`
	When  *Condition     `yaml:"when" doc:"what it waits for"`
	After parts.Duration `yaml:"after" doc:"how long after that it begins"`
	For   parts.Duration `yaml:"for" doc:"after how long the knobs are turned back; 0 leaves them"`
	Over  parts.Duration `yaml:"over" doc:"time over which the knobs move there, evenly; 0 turns them at once"`
	Every parts.Duration `yaml:"every" doc:"it is made again this long after it began; 0 makes it once"`
	Times parts.Count    `yaml:"times" doc:"how often it is made in all; 0 goes on until the end"`
	Set   Turns          `yaml:"set" doc:"knobs and the values they get, such as db.speed: 20%" required:"true"`
}

// Label returns what a change is called: what it stands for, its name, or the
// knobs that it turns.
func (c *Change) Label() bilingual.Text {
	switch {
	case !c.About.IsZero():
		return c.About.Text
	case c.Name != "":
		return system.Plain(c.Name).Text
	}
	return system.Plain(c.Set.String()).Text
}

// Until returns when the change is over for the last time, and false if it stays
// or goes on until the end.
func (c *Change) Until() (des.Time, bool) {
	if c.For == 0 || c.Every > 0 && c.Times == 0 {
		return 0, false
	}
	last := des.Time(max(c.Times, 1)-1) * c.Every.Time()
	return c.At.Time() + last + c.For.Time(), true
}

// Condition is what a change waits for: that a metric lies where it says.
type Condition struct {
	Metric parts.Metric   `yaml:"metric" doc:"what is looked at" required:"true"`
	Above  *parts.Level   `yaml:"above" doc:"value that it must be above"`
	Below  *parts.Level   `yaml:"below" doc:"value that it must be below"`
	Held   parts.Duration `yaml:"held" doc:"for how long it must have held"`
	Every  parts.Duration `yaml:"every" doc:"how often it is looked at, and the time over which the metric is taken" default:"1s"`
}

// Variant is the system of a file with other settings, or with other things done
// to it.
type Variant struct {
	Name    string        `yaml:"name" doc:"short name" required:"true"`
	About   Text          `yaml:"about" doc:"what is different, and why one wants to know"`
	Set     Settings      `yaml:"set" doc:"settings and their values, as --set takes them"`
	Without []string      `yaml:"without" doc:"names of changes of the file that are not made"`
	Changes []Change      `yaml:"changes" doc:"further changes"`
	Cost    parts.Factor  `yaml:"cost" doc:"what it costs against the other remedies; 0 for what is no remedy"`
	Expect  []Expectation `yaml:"expect" doc:"what must hold of a run of the variant; that of the file itself need not"`
}

// Expectation is something that must hold of a run.
type Expectation struct {
	Name      string      `yaml:"name" doc:"short name" required:"true"`
	About     Text        `yaml:"about" doc:"what it says, in words"`
	That      string      `yaml:"that" doc:"the condition, in CEL" required:"true"`
	Mark      Provenance  `yaml:"mark" doc:"where it comes from: it was published, follows from what was, or was assumed"`
	Source    Text        `yaml:"source" doc:"where it was published"`
	Published Text        `yaml:"published" doc:"what was published, in words, to be shown beside what the run gives"`
	Share     parts.Share `yaml:"share" doc:"share of the seeds that it must hold for" default:"100%"`
}

// Provenance says where an expectation comes from.
type Provenance string

// UnmarshalText reads where an expectation comes from.
func (p *Provenance) UnmarshalText(text []byte) error {
	if !slices.Contains(p.Words(), string(text)) {
		return notAmong(string(text), p.Words())
	}
	*p = Provenance(text)
	return nil
}

// Words returns the words that may stand.
func (*Provenance) Words() []string { return []string{"published", "derived", "assumed"} }

// notAmong is the error of a word that is not one of some.
func notAmong(word string, words []string) error {
	if near, ok := nearest.Of(word, words); ok {
		return fmt.Errorf("%q is not allowed here; did you mean %q?", word, near)
	}
	return fmt.Errorf("%q is not allowed here; write one of %s", word, strings.Join(words, ", "))
}

// Settings are values that are set from outside, in the order of the file.
type Settings []strictyaml.Setting

// DecodeYAML reads a mapping of paths to values.
func (s *Settings) DecodeYAML(v strictyaml.Value) {
	for _, f := range v.Fields("a mapping of settings to values, such as db.workers: 8") {
		text := anyValue("")
		f.Value.Into(&text)
		*s = append(*s, strictyaml.Setting{Path: f.Name, Value: string(text)})
	}
}

// anyValue is a single value, kept as it is written.
type anyValue string

// UnmarshalText keeps the text.
func (a *anyValue) UnmarshalText(text []byte) error {
	*a = anyValue(text)
	return nil
}
