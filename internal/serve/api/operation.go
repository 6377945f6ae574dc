package api

import (
	"reflect"
	"slices"

	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/output"
)

// operation is one row of the table that the routes, the OpenAPI document, the
// reference and the tests are made of.
type operation struct {
	id   string
	path string // below Root and, as data of the page, below / and /ko
	doc  bilingual.Text
	more bilingual.Text // what one must know beyond the first sentence; may be empty

	params   []*param
	answer   reflect.Type // the wire type of its JSON
	speaks   bool         // its JSON depends on the language as well
	computed bool         // there are too many different questions to keep the answers
	apiOnly  bool         // it is no page's data
	examples []string     // queries, with the path values of the parameters' examples; "" is the plain one

	do func(a *app.App, q *question) (*answer, error)
}

// answer is what an operation returns.
type answer struct {
	value any
	page  func(l bilingual.Lang) output.Page
	next  string // cursor of the next page
	shown int    // how many of all this page has, where there is a next one
	all   int
	// moved is the path of the canonical address where it is another one than
	// the request's; forGood tells that it always will be.
	moved   string
	forGood bool
}

func (op *operation) param(in, name string) *param {
	at := slices.IndexFunc(op.params, func(p *param) bool { return p.in == in && p.name == name })
	if at < 0 {
		return nil
	}
	return op.params[at]
}

// fieldNames are the parameters for what package app names otherwise.
var fieldNames = map[string]string{"topic": "term", "duration": "longer_than"}

// paramOf returns the parameter that a field of an error means, or nil.
func (op *operation) paramOf(field string) *param {
	if name, ok := fieldNames[field]; ok && op.param("path", field) == nil {
		field = name
	}
	for _, in := range []string{"path", "query"} {
		if p := op.param(in, field); p != nil {
			return p
		}
	}
	return nil
}

// document is a row of the table of files that stand at fixed addresses.
type document struct {
	id        string
	path      string
	mediaType string
	doc       bilingual.Text
	korean    bool   // there is another one below /ko
	filename  string // under which it is best saved; empty to show it
	make      func(s *site) ([]byte, error)
	in        func(bilingual.Lang) bilingual.Lang // the language it is really in; nil where that is the one asked for
}
