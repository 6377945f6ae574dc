package study

import (
	"errors"
	"fmt"

	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/sim/verdict"
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
