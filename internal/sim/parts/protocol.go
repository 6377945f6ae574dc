package parts

import (
	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/sim/explore"
)

// Explorable is implemented by the settings of parts that are a protocol of some
// actors, whose steps can be looked at in every order. An exploration and a run
// take the same steps; only when they come is a matter of the run.
type Explorable interface {
	// Protocol returns the protocol, or an error where its settings are too large.
	Protocol() (Protocol, error)
	// InvariantNames returns the names of its invariants.
	InvariantNames() []string
}

// Protocol is a protocol that can be explored and told.
type Protocol interface {
	explore.Protocol
	// Actors returns the names of those who take steps, by their numbers.
	Actors() []bilingual.Text
	// Shown returns the names of what a told step shows.
	Shown() []bilingual.Text
	// Says returns what an invariant says.
	Says(invariant string) bilingual.Text
	// Tell tells steps from the start on.
	Tell(path []explore.Step) []Told
}

// Told is a step in words.
type Told struct {
	Actor int
	What  bilingual.Text
	After []bilingual.Text // what is shown, after the step
}
