package api

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/library/casefile"
	"github.com/openprecedent/precedent/internal/nearest"
)

// maxValues bounds the values of one filter.
const maxValues = 32

// param is a parameter of an operation: how it is called, documented and read.
type param struct {
	name    string
	in      string // "query" or "path"
	doc     bilingual.Text
	kind    paramKind
	allowed []string // of a choice or of the items of a list
	min     int      // of an integer
	max     int
	def     any    // what is used where it is absent; for the documents only
	example string // may hold {case} and the like, see fill

	// read puts the value into the question.
	read func(q *question, value string) error
}

// paramKind is the form of a parameter's value.
type paramKind string

const (
	kindText    paramKind = "text"
	kindInteger paramKind = "integer"
	kindFlag    paramKind = "flag"
	kindChoice  paramKind = "choice"
	kindList    paramKind = "list" // repeatable, and comma separated
)

// question is a decoded request: all that its answer depends on, apart from
// the library and the representation.
type question struct {
	Path   map[string]string `json:"path,omitempty"`
	Search app.SearchQuery   `json:"search,omitzero"`
	Limit  int               `json:"limit,omitempty"`
	Lang   bilingual.Lang    `json:"lang,omitempty"` // asked for by ?lang=
}

// key identifies the question; equal questions have equal keys, in whatever
// order and form their parameters came.
func (q *question) key() string {
	raw, err := json.Marshal(q)
	if err != nil {
		return "" // cannot happen: the struct holds plain data
	}
	return string(raw)
}

// add notes values of a filter, each once and in order.
func (q *question) add(list string, values []string) {
	if q.Search.Filter.Terms == nil {
		q.Search.Filter.Terms = map[string][]string{}
	}
	all := append(q.Search.Filter.Terms[list], values...)
	slices.Sort(all)
	q.Search.Filter.Terms[list] = slices.Compact(all)
}

// decode reads the query of a request by an operation's parameters. All that
// is wrong with it is reported at once.
func (op *operation) decode(rawQuery string, q *question) []ProblemError {
	values, err := url.ParseQuery(rawQuery)
	if err != nil {
		return []ProblemError{{
			Parameter: "", In: "query", Detail: "the query is not readable",
			Remedy: "escape each name and value as in q=a%20b, and separate them with &",
		}}
	}
	var wrong []ProblemError
	for _, name := range sortedNames(values) {
		p := op.param("query", name)
		if p == nil {
			wrong = append(wrong, op.unknown(name))
			continue
		}
		if err := p.decode(q, values[name]); err != nil {
			wrong = append(wrong, ProblemError{name, "query", err.Error(), remedy(app.HintOf(err))})
		}
	}
	return wrong
}

func sortedNames(values url.Values) []string {
	names := make([]string, 0, len(values))
	for name := range values {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// unknown tells about a parameter that an operation does not have.
func (op *operation) unknown(name string) ProblemError {
	e := ProblemError{Parameter: shorten(name), In: "query", Detail: fmt.Sprintf("there is no parameter %q", shorten(name))}
	var known []string
	for _, p := range op.params {
		if p.in == "query" {
			known = append(known, p.name)
		}
	}
	near, ok := nearest.Of(strings.ReplaceAll(shorten(name), "-", "_"), known)
	switch {
	case ok:
		e.Remedy = fmt.Sprintf("did you mean %q?", near)
	case len(known) == 0:
		e.Remedy = "leave it out; there are no parameters here"
	default:
		e.Remedy = "the parameters are " + strings.Join(known, ", ")
	}
	return e
}

// shorten keeps what a message quotes to a length that one reads.
func shorten(s string) string {
	if runes := []rune(s); len(runes) > 40 {
		return string(runes[:40]) + "…"
	}
	return s
}

// decode reads the values that a parameter came with.
func (p *param) decode(q *question, values []string) error {
	if p.kind != kindList {
		if len(values) > 1 {
			return app.Invalidf(p.name, "give it once", "the parameter %q is there %d times", p.name, len(values))
		}
		return p.read(q, values[0])
	}
	var all []string
	for _, v := range values {
		for one := range strings.SplitSeq(v, ",") {
			if one = strings.TrimSpace(one); one != "" {
				all = append(all, one)
			}
			if len(all) > maxValues {
				return app.Invalidf(p.name, fmt.Sprintf("give at most %d", maxValues), "the parameter %q has too many values", p.name)
			}
		}
	}
	for _, v := range all {
		if err := p.read(q, v); err != nil {
			return err
		}
	}
	return nil
}

func integer(name string, low, high int, set func(*question, int)) func(*question, string) error {
	return func(q *question, value string) error {
		n, err := strconv.Atoi(value)
		if err != nil || n < low || n > high {
			return app.Invalidf(name, fmt.Sprintf("give a number from %d to %d", low, high), "%q is no number from %d to %d", shorten(value), low, high)
		}
		set(q, n)
		return nil
	}
}

// flag reads a switch; the name alone means true.
func flag(name string, set func(*question, bool)) func(*question, string) error {
	return func(q *question, value string) error {
		switch value {
		case "true", "1", "":
			set(q, true)
		case "false", "0":
			set(q, false)
		default:
			return app.Invalidf(name, "write true or false", "%q is neither true nor false", shorten(value))
		}
		return nil
	}
}

func choice(name string, allowed []string, set func(*question, string)) func(*question, string) error {
	return func(q *question, value string) error {
		if !slices.Contains(allowed, value) {
			hint := "write " + strings.Join(allowed, ", ")
			if near, ok := nearest.Of(shorten(value), allowed); ok && len(allowed) > 3 {
				hint = fmt.Sprintf("did you mean %q?", near)
			}
			return app.Invalidf(name, hint, "%q is not one of the values of %q", shorten(value), name)
		}
		set(q, value)
		return nil
	}
}

// length reads a duration.
func length(name string, set func(*question, casefile.Duration)) func(*question, string) error {
	return func(q *question, value string) error {
		d, err := casefile.ParseDuration(value)
		if err != nil {
			return app.Invalidf(name, "write for example 90m, 4h51m or 2d", "%q is not a duration", shorten(value))
		}
		set(q, d)
		return nil
	}
}
