package app

import (
	"errors"
	"fmt"

	"github.com/openprecedent/precedent/internal/sim/study"
	"github.com/openprecedent/precedent/internal/strictyaml"
)

// Unanswered gives the error of a question about a system its kind and its next
// step: what is wrong with the system are findings, what is wrong with the rest
// of the question is invalid. Other errors stay as they are. [Each] takes several
// apart.
func Unanswered(err error) error {
	if all := Each(err); len(all) > 1 {
		for i, one := range all {
			all[i] = Unanswered(one)
		}
		return errors.Join(all...)
	}
	var problems strictyaml.Problems
	var refused *study.Refusal
	switch {
	case errors.As(err, &problems):
		return (&Error{Kind: Findings, Err: fmt.Errorf("reading the scenario:\n%w", problems),
			Hint: "nothing was run; mend these first", args: []any{problems}}).
			Korean("아무것도 실행하지 않았다. 먼저 이것들을 고친다", "시나리오를 읽을 수 없다.\n%w")
	case errors.As(err, &refused):
		e := &Error{Kind: Invalid, Field: refused.Param, Err: err, Hint: refused.Help.En, ko: refused.Text.Ko, koHint: refused.Help.Ko}
		if refused.Param == "" {
			e.Kind = Findings
		}
		return e
	}
	return err
}
