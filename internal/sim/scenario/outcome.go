package scenario

import (
	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/sim/des"
)

// Checks look whether what a file expects holds for its runs.
type Checks interface {
	// Expectations returns what is looked at, in the order of the file.
	Expectations() []Expectation
	// Check returns what a run shows of each.
	Check(r *Result) []Seen
	// Until returns by when all is over that Check looks at: a run that ends then shows
	// the same as a whole one.
	Until() des.Time
	// Figures returns the numbers that the page of the file asks of a run.
	Figures(r *Result) *Figures
	// Tipped reports whether a run has passed the edge of that place in the list of
	// the page.
	Tipped(edge int, r *Result) (bool, error)
	// TippedBy is Until for Tipped.
	TippedBy(edge int) des.Time
	// Formula returns what the formula of an edge gives.
	Formula(edge int) (float64, error)
}

// Figures are the numbers that the page of a file asks of a run; nil where the run
// does not have it.
type Figures struct {
	Gain     *float64 `json:"gain,omitempty" jsonschema:"how much of itself one turn of the loop brings about while the failure lasts"`
	Before   *float64 `json:"before,omitempty" jsonschema:"the same before the trigger"`
	Compared Values   `json:"compared,omitempty" jsonschema:"what the variants are compared by, in the order of the page; null where there is no value"`
}

// Outcome tells whether an expectation holds, over the seeds that were run.
type Outcome struct {
	Name      string         `json:"name"`
	About     bilingual.Text `json:"about,omitzero"`
	That      string         `json:"that"` // in CEL
	Mark      Provenance     `json:"mark,omitempty"`
	Source    bilingual.Text `json:"source,omitzero"`
	Published bilingual.Text `json:"published,omitzero"`
	Share     float64        `json:"share"` // of the seeds that it must hold for
	Holds     bool           `json:"holds"` // for so many of them
	Held      int            `json:"held"`  // seeds that it held for
	Seeds     []Seen         `json:"seeds"`
}

// Seen is what one run showed of an expectation.
type Seen struct {
	Seed uint64 `json:"seed"`
	Held bool   `json:"held"`
	// NotReached reports that the run ended before what the expectation looks at.
	NotReached bool       `json:"not_reached,omitempty"`
	Values     []Measured `json:"values,omitempty"`
	Why        string     `json:"why,omitempty"` // it does not hold
}

// Measured is a value that went into an expectation.
type Measured struct {
	Of string `json:"of"` // piece of the expression
	// Value is a number, or seconds from the start of the run; absent for
	// conditions and where there is none.
	Value *float64 `json:"value,omitempty"`
	Text  string   `json:"text"`
}

// Outcomes sums up what runs have shown of expectations, a list for each run.
func Outcomes(expected []Expectation, seen [][]Seen) []Outcome {
	all := make([]Outcome, len(expected))
	for i, e := range expected {
		o := Outcome{
			Name: e.Name, About: e.About.Text, That: e.That, Mark: e.Mark, Source: e.Source.Text, Published: e.Published.Text,
			Share: float64(e.Share), Seeds: make([]Seen, len(seen)),
		}
		for k, one := range seen {
			o.Seeds[k] = one[i]
			if one[i].Held {
				o.Held++
			}
		}
		o.Holds = len(seen) > 0 && float64(o.Held) >= float64(o.Share*float64(len(seen)))-1e-9
		all[i] = o
	}
	return all
}
