package scenario

import (
	"fmt"
	"time"

	"github.com/openprecedent/precedent/internal/sim/parts"
	"github.com/openprecedent/precedent/internal/sim/system"
)

// Text is prose that a reader sees.
type Text = system.Text

// Page is what a library shows of a scenario beside the course of its runs.
type Page struct {
	Clock   Clock     `yaml:"clock" doc:"what T+0 is on the published clock, such as 2015-09-20T02:19-07:00"`
	Phases  []Phase   `yaml:"phases" doc:"periods of the course, each up to the next"`
	Charts  []Chart   `yaml:"charts" doc:"what is drawn, from top to bottom"`
	Loop    *Loop     `yaml:"loop" doc:"the loop that keeps the failure going"`
	Edges   []Edge    `yaml:"edges" doc:"where it tips, by a formula and by simulation"`
	Compare []Figure  `yaml:"compare" doc:"numbers that the variants are compared by"`
	Misfits []Text    `yaml:"misfits" doc:"what was published and does not come out of the mechanism"`
	Sliders []Slider  `yaml:"sliders" doc:"the settings that matter, for readers to try"`
	Yours   []Measure `yaml:"yours" doc:"what to measure at home to fit the scenario to a system of one's own"`
	Map     *Axes     `yaml:"map" doc:"the two settings of its phase map"`
	Guide   Text      `yaml:"guide" doc:"the loop, its edge and the remedies in the order of cost, in Markdown"`
}

// Clock is a published time with its offset.
type Clock struct{ time.Time }

// clockForm is how a time is written, to the minute.
const clockForm = "2006-01-02T15:04Z07:00"

// String writes a clock as it is read.
func (c Clock) String() string { return c.Format(clockForm) }

// UnmarshalText reads a time.
func (c *Clock) UnmarshalText(text []byte) error {
	t, err := time.Parse(clockForm, string(text))
	if err != nil {
		return fmt.Errorf("%q is not a time with its offset; write it as 2015-09-20T02:19-07:00", text)
	}
	c.Time = t
	return nil
}

// Phase is a period of the course.
type Phase struct {
	From Moment `yaml:"from" doc:"when it begins" required:"true"`
	Name Text   `yaml:"name" doc:"what happens then, in a few words" required:"true"`
}

// Chart is one panel of the picture of a run.
type Chart struct {
	Title Text   `yaml:"title" doc:"what is shown" required:"true"`
	Unit  Unit   `yaml:"unit" doc:"how its values are written" default:"count"`
	Lines []Line `yaml:"lines" doc:"what is drawn, the most important first" required:"true"`
}

// Line is one line of a chart.
type Line struct {
	Name Text         `yaml:"name" doc:"what it is" required:"true"`
	Of   parts.Metric `yaml:"of" doc:"series, or sums of series, or one divided by another" required:"true"`
}

// Unit is how the values of a chart are written.
type Unit string

// UnmarshalText reads a unit.
func (u *Unit) UnmarshalText(text []byte) error {
	for _, w := range u.Words() {
		if w == string(text) {
			*u = Unit(text)
			return nil
		}
	}
	return notAmong(string(text), u.Words())
}

// Words returns the words that may stand.
func (*Unit) Words() []string { return []string{"count", "rate", "share", "time"} }

// Loop is what keeps a failure going once it has begun.
type Loop struct {
	Steps  []Text `yaml:"steps" doc:"what feeds what; the last feeds the first" required:"true"`
	Gain   string `yaml:"gain" doc:"in CEL, over a run of the file as it is: how much of itself one turn of the loop brings about while the failure lasts; above 1 it grows"`
	Before string `yaml:"before" doc:"the same in CEL before the trigger"`
	Counts Text   `yaml:"counts" doc:"what the gain counts, in words"`
}

// Edge is a value of a setting at which the system begins to tip: what a formula
// says of it, to be shown beside what simulation says.
type Edge struct {
	Name    Text        `yaml:"name" doc:"what tips, in a few words" required:"true"`
	Variant string      `yaml:"variant" doc:"the variant whose edge it is; that of the file as it is where it does not stand"`
	Along   string      `yaml:"along" doc:"the setting with the values between which the edge lies, as precedent map takes an axis: load=40/s..120/s:41" required:"true"`
	Tips    string      `yaml:"tips" doc:"in CEL, over a run of the file with such a value: it has tipped" required:"true"`
	Formula string      `yaml:"formula" doc:"in CEL, a number made of parameters: the value that theory gives the setting" required:"true"`
	Shown   string      `yaml:"shown" doc:"the formula as a reader writes it: load = workers / work / (1 + retries)" required:"true"`
	Source  Text        `yaml:"source" doc:"where the formula is from, or how it follows" required:"true"`
	Within  parts.Share `yaml:"within" doc:"how far the simulated edge may be from the formula" default:"10%"`
}

// Figure is a number of each run.
type Figure struct {
	Name Text   `yaml:"name" doc:"what it is" required:"true"`
	Unit Unit   `yaml:"unit" doc:"how it is written" default:"count"`
	Of   string `yaml:"of" doc:"in CEL, over a run of the file or of a variant" required:"true"`
}

// Slider is a setting for readers to try.
type Slider struct {
	Set    string   `yaml:"set" doc:"the setting, as --set takes it" required:"true"`
	Name   Text     `yaml:"name" doc:"what it is" required:"true"`
	Values []string `yaml:"values" doc:"values to choose from, in order, with that of the file" required:"true"`
}

// Measure is something that one measures at home.
type Measure struct {
	Parameter string `yaml:"parameter" doc:"the setting that takes it, as --set takes it" required:"true"`
	How       Text   `yaml:"how" doc:"where and how it is measured" required:"true"`
}

// Axes are the two settings of a phase map with their values.
type Axes struct {
	X string `yaml:"x" doc:"across, as precedent map takes it: load=50/s..200/s" required:"true"`
	Y string `yaml:"y" doc:"upwards" required:"true"`
}
