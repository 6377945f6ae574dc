package study

import (
	"errors"
	"fmt"
	"slices"

	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/sim/verdict"
	"github.com/openprecedent/precedent/internal/strictyaml"
)

// Refusal says why a question is not answered, and what to do about it. What is
// wrong with the file of a system is told apart, as [strictyaml.Problems].
type Refusal struct {
	Param string         // what of the question is wrong; empty where the system cannot be judged
	Text  bilingual.Text // what is wrong
	Help  bilingual.Text // what to do
}

// Error returns what is wrong, in English.
func (r *Refusal) Error() string { return r.Text.En }

// refuse returns a refusal; the texts take the arguments.
func refuse(param string, text, help bilingual.Text, args ...any) *Refusal {
	return &Refusal{param, bilingual.Text{En: fmt.Sprintf(text.En, args...), Ko: fmt.Sprintf(text.Ko, args...)}, help}
}

// whole joins errors, of which some may be nil: all that keeps a question from
// being answered.
func whole(all []error) error {
	all = kept(all)
	if len(all) == 1 {
		return all[0]
	}
	return errors.Join(all...)
}

// kept returns the errors that are not nil.
func kept(all []error) []error {
	return slices.DeleteFunc(all, func(err error) bool { return err == nil })
}

// Refused takes apart what keeps a question from being answered: what is wrong with
// the question, and with its system. Of other errors it returns nothing.
func Refused(err error) (question []*Refusal, system strictyaml.Problems) {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		for _, one := range joined.Unwrap() {
			refusals, problems := Refused(one)
			question, system = append(question, refusals...), append(system, problems...)
		}
		return question, system
	}
	var refusal *Refusal
	if errors.As(err, &refusal) {
		return []*Refusal{refusal}, nil
	}
	errors.As(err, &system)
	return nil, system
}

// unjudged is the error of a system that cannot be judged, which its file has to
// change.
func unjudged(err error) error {
	var fault *verdict.Fault
	if Interrupted(err) || errors.As(err, &fault) {
		return err
	}
	said := bilingual.Text{En: err.Error()}
	if unfit := (*verdict.Unfit)(nil); errors.As(err, &unfit) {
		said.Ko = unfit.Text.Ko
	}
	return &Refusal{
		Text: said,
		Help: bilingual.Text{
			En: "change the system so that it can be judged; `precedent explain` shows its load",
			Ko: "판정할 수 있도록 시스템을 고친다. `precedent explain`이 부하를 보여 준다",
		},
	}
}
