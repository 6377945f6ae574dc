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
	// Variant is that of a scenario.
	Variant string         `json:"variant,omitempty"`
	Lang    bilingual.Lang `json:"lang,omitempty"` // asked for by ?lang=
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
func (op *operation) decode(rawQuery string, q *question) []error {
	values, err := url.ParseQuery(rawQuery)
	if err != nil {
		return []error{app.Invalidf("", "escape each name and value as in q=a%20b, and separate them with &", "the query is not readable").
			Korean("이름과 값을 q=a%20b처럼 이스케이프하고 &로 나눈다", "질의를 읽을 수 없다")}
	}
	var wrong []error
	for _, name := range sortedNames(values) {
		p := op.param("query", name)
		if p == nil {
			wrong = append(wrong, op.unknown(name))
		} else if err := p.decode(q, values[name]); err != nil {
			wrong = append(wrong, err)
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
func (op *operation) unknown(name string) error {
	var known []string
	for _, p := range op.params {
		if p.in == "query" {
			known = append(known, p.name)
		}
	}
	all := strings.Join(known, ", ")
	hint := bilingual.Text{En: "the parameters are " + all, Ko: "있는 매개변수: " + all}
	if len(known) == 0 {
		hint = bilingual.Text{En: "leave it out; there are no parameters here", Ko: "뺀다. 여기에는 매개변수가 없다"}
	}
	if near, ok := nearest.Of(strings.ReplaceAll(name, "-", "_"), known); ok {
		hint = meant(near)
	}
	return app.Invalidf(app.Short(name), hint.En, "there is no parameter %q", app.Short(name)).Korean(hint.Ko, "그런 매개변수가 없다: %q")
}

// meant offers a value that exists.
func meant(near string) bilingual.Text {
	return bilingual.Text{En: fmt.Sprintf("did you mean %q?", near), Ko: fmt.Sprintf("혹시 %q?", near)}
}

// decode reads the values that a parameter came with.
func (p *param) decode(q *question, values []string) error {
	if p.kind != kindList {
		if len(values) > 1 {
			return app.Invalidf(p.name, "give it once", "the parameter %q is there %d times", p.name, len(values)).
				Korean("한 번만 쓴다", "매개변수 %q: %d번 있다")
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
				return app.Invalidf(p.name, fmt.Sprintf("give at most %d", maxValues), "the parameter %q has too many values", p.name).
					Korean(fmt.Sprintf("%d개까지만 쓴다", maxValues), "매개변수 %q: 값이 너무 많다")
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
			return app.Invalidf(name, fmt.Sprintf("give a number from %d to %d", low, high), "%q is no number from %d to %d", app.Short(value), low, high).
				Korean(fmt.Sprintf("%d에서 %d까지의 수를 쓴다", low, high), "%q: %d에서 %d까지의 수가 아니다")
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
			return app.Invalidf(name, "write true or false", "%q is neither true nor false", app.Short(value)).
				Korean("true 또는 false로 쓴다", "%q: true도 false도 아니다")
		}
		return nil
	}
}

func choice(name string, allowed []string, set func(*question, string)) func(*question, string) error {
	return func(q *question, value string) error {
		if !slices.Contains(allowed, value) {
			all := strings.Join(allowed, ", ")
			hint := bilingual.Text{En: "write " + all, Ko: "쓸 수 있는 값: " + all}
			if near, ok := nearest.Of(value, allowed); ok && len(allowed) > 3 {
				hint = meant(near)
			}
			return app.Invalidf(name, hint.En, "%q is not one of the values of %q", app.Short(value), name).
				Korean(hint.Ko, "%q: %q의 값이 아니다")
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
			return app.Invalidf(name, "write for example 90m, 4h51m or 2d", "%q is not a duration", app.Short(value)).
				Korean("90m, 4h51m, 2d처럼 쓴다", "%q: 지속 시간이 아니다")
		}
		set(q, d)
		return nil
	}
}
