package app

import (
	"slices"
	"time"

	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/library"
	"github.com/openprecedent/precedent/internal/library/casefile"
)

// Case is one case with what is computed from it.
type Case struct {
	Version int `json:"wire_version"`
	*casefile.Case
	// Computed from the record; never written by hand.
	Measured  []Measured    `json:"measured"`
	Timeline  []Event       `json:"timeline"`
	Library   string        `json:"library" jsonschema:"the library it comes from"`
	Replaces  string        `json:"replaces,omitempty" jsonschema:"the library whose case of this id it replaces"`
	Scenarios []ScenarioRef `json:"scenarios" jsonschema:"its replays"`
	Checks    []CheckLink   `json:"checks" jsonschema:"checks that it stands behind"`
	Guides    []ScenarioRef `json:"guides" jsonschema:"pages of the field guide about its mechanisms, those that share most with it first"`
}

// Measured is a duration of an incident.
type Measured struct {
	Name    string `json:"name" jsonschema:"detect, identify, mitigate or resolve, from the start"`
	Value   string `json:"value" jsonschema:"for example 4h51m"`
	Seconds int64  `json:"seconds" jsonschema:"the same in seconds"`
	About   bool   `json:"about,omitempty" jsonschema:"true where the source says about"`
	Basis   string `json:"basis" jsonschema:"computed from the times, or stated by a source"`
}

// Event is a point or period of an incident's course.
type Event struct {
	At      string          `json:"at" jsonschema:"when, as precisely as published"`
	Until   string          `json:"until,omitempty" jsonschema:"end of a period"`
	Minutes *int            `json:"minutes,omitempty" jsonschema:"minutes after the start, where both are known to the hour or finer"`
	About   bool            `json:"about,omitempty" jsonschema:"true where the source says about"`
	Kind    string          `json:"kind" jsonschema:"start, detected, identified, mitigated, resolved, observed or action"`
	Text    *bilingual.Text `json:"text,omitempty" jsonschema:"what happened; absent for the points that the kind names"`
	Remedy  string          `json:"remedy,omitempty" jsonschema:"for an action: vocabulary list remedy"`
	Effect  string          `json:"effect,omitempty" jsonschema:"for an action: vocabulary list effect"`
	at      time.Time
}

// Case returns the case with the given id.
func (a *App) Case(id string) (*Case, error) {
	e, err := a.entry(id)
	if err != nil {
		return nil, err
	}
	return a.caseOf(e), nil
}

func (a *App) caseOf(e *library.Entry) *Case {
	c := *e.Case
	// A draft may lack these; on the wire an empty list is [] and never null.
	c.Causes, c.Components = append([]casefile.Cause{}, c.Causes...), append([]casefile.Component{}, c.Components...)
	c.Sources, c.Symptoms.Codes = append([]casefile.Source{}, c.Sources...), append([]string{}, c.Symptoms.Codes...)
	return &Case{
		Version: WireVersion, Case: &c, Measured: measured(e.Case), Timeline: timeline(e.Case),
		Library: e.Layer, Replaces: e.Overrides, Scenarios: a.scenariosOf(e.ID), Checks: a.checksOf(e.ID), Guides: a.guidesOf(e.Case),
	}
}

func measured(c *casefile.Case) []Measured {
	known := c.Measured()
	all := []Measured{}
	for _, name := range []string{"detect", "identify", "mitigate", "resolve"} {
		if m, ok := known[name]; ok {
			all = append(all, Measured{name, m.Value.String(), int64(m.Value.Length() / time.Second), m.About, m.Basis})
		}
	}
	return all
}

// timeline merges the published times, observations and actions of a case
// that are known at least to the hour, in the order in which they happened.
func timeline(c *casefile.Case) []Event {
	events := []Event{}
	add := func(e Event, at casefile.Time) {
		if !at.HasClock() {
			return
		}
		e.At, e.at = at.String(), at.Earliest()
		if s := c.Times.Start; s != nil {
			if gap, ok := at.Since(s.At); ok {
				minutes := int(gap / time.Minute)
				e.Minutes = &minutes
			}
		}
		events = append(events, e)
	}
	point := func(kind string, i *casefile.Instant) {
		if i != nil {
			add(Event{Kind: kind, About: i.About}, i.At)
		}
	}
	point("start", c.Times.Start)
	for _, o := range c.Observed {
		e := Event{Kind: "observed", About: o.About, Text: &o.Text}
		if o.Until != nil {
			e.Until = o.Until.String()
		}
		add(e, o.At)
	}
	point("detected", c.Times.Detected)
	point("identified", c.Times.Identified)
	for _, x := range c.Actions {
		if x.At != nil {
			add(Event{Kind: "action", About: x.About, Text: &x.Text, Remedy: x.Kind, Effect: x.Effect}, *x.At)
		}
	}
	point("mitigated", c.Times.Mitigated)
	point("resolved", c.Times.Resolved)
	slices.SortStableFunc(events, func(x, y Event) int { return x.at.Compare(y.at) })
	return events
}

// All returns all published cases in short, newest first.
func (a *App) All() []Brief {
	all := make([]Brief, 0, len(a.lib.Cases()))
	for _, e := range a.lib.Cases() {
		all = append(all, brief(e))
	}
	return all
}

// Brief is a case in a list.
type Brief struct {
	ID       string         `json:"id"`
	Title    bilingual.Text `json:"title"`
	Org      casefile.Org   `json:"org"`
	Product  string         `json:"product,omitempty"`
	Date     string         `json:"date"`
	DateKind string         `json:"date_kind"`
	Duration string         `json:"duration,omitempty" jsonschema:"time to resolve, or else to mitigate, where known"`
	Library  string         `json:"library"`
}

func brief(e *library.Entry) Brief {
	b := Brief{
		ID: e.ID, Title: e.Title, Org: e.Org, Product: e.Product,
		Date: e.Date.String(), DateKind: e.DateKind, Library: e.Layer,
	}
	if d, ok := length(e.Case); ok {
		b.Duration = d.String()
	}
	return b
}

// length is how long an incident lasted: to its resolution, or else to its
// mitigation.
func length(c *casefile.Case) (casefile.Duration, bool) {
	known := c.Measured()
	m, ok := known["resolve"]
	if !ok {
		m, ok = known["mitigate"]
	}
	return m.Value, ok
}

// TermRef names a vocabulary term for a reader.
type TermRef struct {
	List string         `json:"list"`
	ID   string         `json:"id"`
	Name bilingual.Text `json:"name"`
}

func (a *App) termRef(list, id string) TermRef {
	ref := TermRef{List: list, ID: id, Name: bilingual.Text{En: id, Ko: id}}
	if t, ok := a.lib.Vocab.Term(list, id); ok {
		ref.Name = t.Name
	}
	return ref
}
