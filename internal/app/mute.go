package app

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/openprecedent/precedent/internal/check/rule"
	"github.com/openprecedent/precedent/internal/strictyaml"
)

// Muting is what a file of mutes says. The zero value mutes nothing.
type Muting struct {
	file  MuteFile
	lines []int // where the mutes begin
}

// MuteFile is a file of findings that are known and not acted on.
type MuteFile struct {
	Mute []Mute `yaml:"mute" required:"true" doc:"what is muted"`
}

// Mute is a finding, or several, that are known and not acted on for a time.
type Mute struct {
	Check  string `yaml:"check" required:"true" doc:"id of the check"`
	Object string `yaml:"object" required:"true" doc:"the object as findings call it, such as Deployment shop/web; * stands for any letters but /"`
	Reason string `yaml:"reason" required:"true" doc:"why it is not acted on"`
	Until  Day    `yaml:"until" required:"true" doc:"the last day, such as 2027-01-31; after it the finding counts again, and that it has expired is a finding"`
}

// Day is a day, such as 2027-01-31.
type Day struct{ time.Time }

// UnmarshalText reads a day.
func (d *Day) UnmarshalText(text []byte) (err error) {
	if d.Time, err = time.Parse(time.DateOnly, string(text)); err != nil {
		return fmt.Errorf("%q is no day; write it as 2027-01-31", text)
	}
	return nil
}

// Muted is why a finding does not count.
type Muted struct {
	Reason string `json:"reason"`
	Until  string `json:"until,omitempty" jsonschema:"last day"`
	Known  bool   `json:"known,omitempty" jsonschema:"true where it is in the baseline"`
}

// Expired is a mute that has come to its end, or that mutes nothing.
type Expired struct {
	Check  string `json:"check"`
	Object string `json:"object"`
	Until  string `json:"until"`
	Line   int    `json:"line"`
	Unused bool   `json:"unused,omitempty" jsonschema:"true where it has not expired and mutes nothing"`
}

// DecodeMuting reads a file of mutes. All that is wrong is reported at once.
func (a *App) DecodeMuting(name string, src []byte) (*Muting, strictyaml.Problems) {
	m := new(Muting)
	doc, problems := strictyaml.Decode(name, src, &m.file)
	for i, one := range m.file.Mute {
		field := fmt.Sprintf("mute[%d]", i)
		m.lines = append(m.lines, doc.Place(field).Line)
		if _, ok := a.lib.Check(one.Check); !ok && one.Check != "" {
			problems = append(problems, doc.Problem(strictyaml.Error, "dangling", field+".check", fmt.Sprintf("no check %q", one.Check), "see `precedent checks`"))
		}
		if _, err := path.Match(one.Object, ""); err != nil {
			problems = append(problems, doc.Problem(strictyaml.Error, "bad-pattern", field+".object", fmt.Sprintf("%q is no pattern", one.Object), "write the object's name, with * for any letters"))
		}
	}
	problems.Sort()
	return m, problems
}

// Apply mutes the findings of an answer that a file names. Mutes that have come to
// their end mute nothing, and are told, as are those that find nothing to mute.
func (m *Muting) Apply(ans *CheckAnswer, now time.Time) {
	used := make([]bool, len(m.file.Mute))
	for i := range ans.Findings {
		f := &ans.Findings[i]
		for k, one := range m.file.Mute {
			if !one.matches(f) {
				continue
			}
			used[k] = true
			if !one.ended(now) && f.Muted == nil {
				f.Muted = &Muted{Reason: one.Reason, Until: one.Until.Format(time.DateOnly)}
			}
		}
	}
	for k, one := range m.file.Mute {
		if ended := one.ended(now); ended || !used[k] {
			ans.Expired = append(ans.Expired, Expired{one.Check, one.Object, one.Until.Format(time.DateOnly), m.lines[k], !ended})
		}
	}
}

// ended reports whether the last day is over, everywhere on earth.
func (m Mute) ended(now time.Time) bool {
	return now.After(m.Until.AddDate(0, 0, 1).Add(12 * time.Hour))
}

func (m Mute) matches(f *CheckFinding) bool {
	ok, err := path.Match(m.Object, f.Object.ID())
	return err == nil && ok && strings.EqualFold(m.Check, f.Check)
}

// Known marks the findings that an earlier answer has too, and as badly: one that was
// exposed and is now in that state is new. What was muted there is known for as long as
// the mute says, and not for ever.
func (ans *CheckAnswer) Known(earlier *CheckAnswer) {
	known := map[string]rule.Outcome{}
	for _, f := range earlier.Findings {
		if f.Muted == nil || f.Muted.Known {
			known[f.Fingerprint] = worse(known[f.Fingerprint], f.Outcome)
		}
	}
	for i := range ans.Findings {
		f := &ans.Findings[i]
		if before := known[f.Fingerprint]; before != "" && worse(before, f.Outcome) == before && f.Muted == nil {
			f.Muted = &Muted{Reason: "in the baseline", Known: true}
		}
	}
}

// worse returns the worse of two outcomes, of which the first may be none.
func worse(a, b rule.Outcome) rule.Outcome {
	if all := rule.Outcomes(); a == "" || slices.Index(all, b) < slices.Index(all, a) {
		return b
	}
	return a
}
