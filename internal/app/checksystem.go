package app

import (
	"github.com/openprecedent/precedent/internal/check/manifest"
	"github.com/openprecedent/precedent/internal/sim/scenario"
)

// SystemErrors says what is wrong with a system file that is to be checked: what the
// simulator would not run is not read by checks either.
func SystemErrors(source string, src []byte) []manifest.Problem {
	_, found := scenario.Decode(source, src, nil)
	var all []manifest.Problem
	for _, p := range found.Errors() {
		msg := p.Msg
		if p.Field != "" {
			msg = p.Field + ": " + msg
		}
		all = append(all, manifest.Problem{Source: source, Line: p.Line, Msg: msg, Help: p.Help})
	}
	return all
}
