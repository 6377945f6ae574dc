// Package rule holds checks: conditions in CEL over the objects of a snapshot
// that find the state behind an incident, one file a check.
//
// A check is compiled whole before it runs, with the types of all that it speaks
// of; what it costs is bounded while it runs. Its examples prove it: objects in
// which it fires, or stays silent, and fields without which it no longer fires.
package rule

import (
	"fmt"
	"slices"
	"strings"

	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/strictyaml"
)

// File is a check as it is written.
type File struct {
	ID         string         `yaml:"id" required:"true" doc:"what the check is called in findings, suppressions and links, such as CK-109; never given to another check"`
	Title      bilingual.Text `yaml:"title" required:"true" doc:"one line: the state that it finds"`
	About      bilingual.Text `yaml:"about" required:"true" doc:"how that state becomes an outage"`
	Applies    Kinds          `yaml:"applies" required:"true" doc:"the kinds of objects that it looks at, one by one; Workload for all kinds that make pods, Cluster for once a cluster"`
	Parameters Parameters     `yaml:"parameters,omitempty" doc:"numbers that a user may set otherwise, by name"`
	When       string         `yaml:"when,omitempty" lines:"kept" doc:"a condition without which the check does not apply to an object"`
	Let        Lets           `yaml:"let,omitempty" doc:"values by name, in order, for the conditions and the messages; each may use those before it"`
	State      string         `yaml:"state,omitempty" lines:"kept" doc:"the condition for: is in the state that caused the incidents"`
	Exposed    string         `yaml:"exposed,omitempty" lines:"kept" doc:"the condition for: has what it takes to get there"`
	At         string         `yaml:"at,omitempty" lines:"kept" doc:"the fields that a finding points to: a list of paths of the object, or of places of other objects"`
	Message    Messages       `yaml:"message" required:"true" doc:"what was seen, with the values of let and parameters in braces"`
	Severity   Severities     `yaml:"severity" required:"true" doc:"how bad a finding is: by evidence, and by how much goes down with it"`
	Mechanisms []string       `yaml:"mechanisms" required:"true" doc:"terms of the list mechanism"`
	Evidence   []Evidence     `yaml:"evidence" required:"true" doc:"the cases behind the check"`
	Remedy     bilingual.Text `yaml:"remedy" required:"true" doc:"what clears a finding"`
	Doubts     bilingual.Text `yaml:"doubts,omitempty" doc:"when a finding is not worth acting on"`
	Examples   []Example      `yaml:"examples" required:"true" doc:"objects in which it fires or stays silent"`
}

// Evidence is a case behind a check.
type Evidence struct {
	Case string         `yaml:"case" required:"true" doc:"id of the case"`
	Why  bilingual.Text `yaml:"why" required:"true" doc:"what it has in common with a finding"`
}

// Messages say what was seen.
type Messages struct {
	State   bilingual.Text `yaml:"state,omitempty" doc:"in that state"`
	Exposed bilingual.Text `yaml:"exposed,omitempty" doc:"exposed"`
}

// Severities are how bad findings are.
type Severities struct {
	State   Severity `yaml:"state,omitempty" doc:"in that state"`
	Exposed Severity `yaml:"exposed,omitempty" doc:"exposed"`
}

// Example proves what a check does.
type Example struct {
	Name    string   `yaml:"name" required:"true" doc:"what is shown"`
	Objects string   `yaml:"objects" required:"true" lines:"kept" doc:"a YAML stream of objects"`
	Read    []string `yaml:"read,omitempty" doc:"kinds that were read though there is no object of them"`
	Outcome Outcome  `yaml:"outcome" required:"true" doc:"of the object that is furthest from clear"`
	Without []Cut    `yaml:"without,omitempty" doc:"fields without which the outcome is another"`
}

// Cut is a field that is taken out of an example.
type Cut struct {
	From    string  `yaml:"from" required:"true" doc:"the object, as Kind/name, where * stands for any name"`
	Path    string  `yaml:"path" required:"true" doc:"the field, such as spec.containers[*].imagePullPolicy"`
	Outcome Outcome `yaml:"outcome" default:"clear" doc:"what it is then"`
}

// Outcome is what a check finds of an object.
type Outcome string

// The outcomes, from worst to best.
const (
	InState    Outcome = "in-that-state"  // it is in the state that caused the incidents
	Exposed    Outcome = "exposed"        // it has what it takes to get there
	NotChecked Outcome = "not-checked"    // what it takes to tell was not read
	Clear      Outcome = "clear"          // all was read, and it is not so
	NotAsked   Outcome = "does-not-apply" // the check is not about such an object
)

// Outcomes are the outcomes from worst to best.
func Outcomes() []Outcome { return []Outcome{InState, Exposed, NotChecked, Clear, NotAsked} }

// UnmarshalText reads an outcome.
func (o *Outcome) UnmarshalText(text []byte) error { return oneOf(o, text, Outcomes()) }

// Severity is how bad a finding is.
type Severity string

// The severities, from worst to least.
const (
	Critical Severity = "critical" // what serves people goes down as a whole
	High     Severity = "high"     // a service goes down, or does not come back by itself
	Medium   Severity = "medium"   // part of a service, or a service in a rare case
	Low      Severity = "low"      // worth knowing
)

// SeverityLevels are the severities from worst to least.
func SeverityLevels() []Severity { return []Severity{Critical, High, Medium, Low} }

// UnmarshalText reads a severity.
func (s *Severity) UnmarshalText(text []byte) error { return oneOf(s, text, SeverityLevels()) }

// AtLeast reports whether s is as bad as the other one, or worse.
func (s Severity) AtLeast(other Severity) bool {
	return slices.Index(SeverityLevels(), s) <= slices.Index(SeverityLevels(), other)
}

func oneOf[T ~string](into *T, text []byte, all []T) error {
	if !slices.Contains(all, T(text)) {
		var names []string
		for _, one := range all {
			names = append(names, string(one))
		}
		return fmt.Errorf("%q is none of %s", text, strings.Join(names, ", "))
	}
	*into = T(text)
	return nil
}

// Kinds are kinds of objects.
type Kinds []string

// The kinds that stand for others.
const (
	Workload = "Workload" // all kinds that make pods, but for what others make
	Cluster  = "Cluster"  // once a cluster
)

// Parameter is a number that a user may set otherwise.
type Parameter struct {
	Name string
	Setting
}

// Setting is what a file says of a parameter.
type Setting struct {
	Value float64        `yaml:"value" required:"true" doc:"the number"`
	About bilingual.Text `yaml:"about" required:"true" doc:"what it is, with its unit, and why it has this value"`
}

// Parameters are those of a check, in the order of its file.
type Parameters []Parameter

// DecodeYAML reads parameters by their names.
func (p *Parameters) DecodeYAML(v strictyaml.Value) {
	for _, f := range v.Fields("parameters by name, such as replicas: {value: 20, about: ...}") {
		one := Parameter{Name: f.Name}
		f.Value.Into(&one.Setting)
		*p = append(*p, one)
	}
}

// Member returns what stands behind a name, for the formatting.
func (Parameters) Member() any { return Setting{} }

// Let is a named value.
type Let struct{ Name, Is string }

// Lets are the named values of a check, in order.
type Lets []Let

// Member returns what stands behind a name, for the formatting.
func (Lets) Member() any { return "" }

// DecodeYAML reads values by their names.
func (l *Lets) DecodeYAML(v strictyaml.Value) {
	for _, f := range v.Fields("values by name, such as busy: workload.pods.size()") {
		one := Let{Name: f.Name}
		f.Value.Into(&one.Is)
		*l = append(*l, one)
	}
}
