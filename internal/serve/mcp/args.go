package mcp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/nearest"
)

// kind is the type of a parameter.
type kind int

const (
	text kind = iota
	number
	words // a list of strings
)

// param is one parameter of a tool. Its schema, the decoding of its argument
// and the error about a wrong one all come from here.
type param struct {
	name     string
	also     string // another name that models give it
	doc      string
	kind     kind
	required bool
	enum     []string
	min, max int // of a number
}

// maxWords bounds a list of strings.
const maxWords = 50

// arguments are the decoded arguments of a call, by parameter.
type arguments struct {
	text   map[string]string
	number map[string]int
	words  map[string][]string
}

// decode reads the arguments of a call. It takes a lone string for a list and
// digits for a number, since models write both.
func decode(params []param, raw json.RawMessage) (*arguments, error) {
	in := &arguments{text: map[string]string{}, number: map[string]int{}, words: map[string][]string{}}
	var given map[string]json.RawMessage
	if len(bytes.TrimSpace(raw)) > 0 {
		if err := json.Unmarshal(raw, &given); err != nil {
			return nil, app.Invalidf("", "the arguments are "+names(params), "the arguments are no JSON object")
		}
	}
	for _, p := range params {
		if value, ok := given[p.also]; ok && p.also != "" && given[p.name] == nil {
			given[p.name] = value
			delete(given, p.also)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if !slices.ContainsFunc(params, func(p param) bool { return p.name == name }) {
			return nil, unknown(params, name)
		}
	}
	for _, p := range params {
		value, ok := given[p.name]
		if !ok || string(value) == "null" {
			if p.required {
				return nil, app.Invalidf(p.name, p.doc, "the argument %q is missing", p.name)
			}
			continue
		}
		if err := in.set(p, value); err != nil {
			return nil, err
		}
	}
	return in, nil
}

func names(params []param) string {
	var all []string
	for _, p := range params {
		all = append(all, p.name)
	}
	return strings.Join(all, ", ")
}

func unknown(params []param, name string) error {
	hint := "the arguments are " + names(params)
	if near, ok := nearest.Of(name, strings.Split(names(params), ", ")); ok {
		hint = fmt.Sprintf("did you mean %q? %s", near, hint)
	}
	return app.Invalidf(name, hint, "there is no argument %q", shown(name))
}

func (in *arguments) set(p param, value json.RawMessage) error {
	switch p.kind {
	case number:
		n, ok := toNumber(value)
		if !ok || n < p.min || n > p.max {
			hint := fmt.Sprintf("give %d to %d", p.min, p.max)
			return app.Invalidf(p.name, hint, "the argument %q is %s", p.name, shown(string(value)))
		}
		in.number[p.name] = n
	case words:
		list, ok := toWords(value)
		if !ok || len(list) > maxWords {
			return app.Invalidf(p.name, p.doc, "the argument %q is no list of at most %d strings", p.name, maxWords)
		}
		for i, w := range list {
			found, err := p.choose(w)
			if err != nil {
				return err
			}
			list[i] = found
		}
		in.words[p.name] = list
	default:
		s, ok := toText(value)
		if !ok {
			return app.Invalidf(p.name, p.doc, "the argument %q is no string: %s", p.name, shown(string(value)))
		}
		found, err := p.choose(s)
		if err != nil {
			return err
		}
		if p.required && strings.TrimSpace(found) == "" {
			return app.Invalidf(p.name, p.doc, "the argument %q is empty", p.name)
		}
		in.text[p.name] = found
	}
	return nil
}

// choose returns the allowed value that s names.
func (p param) choose(s string) (string, error) {
	if p.enum == nil || s == "" {
		return s, nil
	}
	if l := strings.ToLower(strings.TrimSpace(s)); slices.Contains(p.enum, l) {
		return l, nil
	}
	hint := "allowed: " + strings.Join(p.enum, ", ")
	if near, ok := nearest.Of(s, p.enum); ok {
		hint = fmt.Sprintf("did you mean %q? %s", near, hint)
	}
	return "", app.Invalidf(p.name, hint, "%q is no value of %q", shown(s), p.name)
}

func toText(value json.RawMessage) (string, bool) {
	var s string
	if json.Unmarshal(value, &s) == nil {
		return s, true
	}
	var n json.Number // a year, or a number that stands for itself
	if json.Unmarshal(value, &n) == nil {
		return n.String(), true
	}
	return "", false
}

func toNumber(value json.RawMessage) (int, bool) {
	var f float64
	if json.Unmarshal(value, &f) == nil {
		return int(f), f == math.Trunc(f) && math.Abs(f) < 1e9
	}
	var s string
	if json.Unmarshal(value, &s) != nil {
		return 0, false
	}
	n, err := strconv.Atoi(strings.TrimSpace(s))
	return n, err == nil
}

func toWords(value json.RawMessage) ([]string, bool) {
	var list []string
	if json.Unmarshal(value, &list) == nil {
		return list, true
	}
	var s string
	if json.Unmarshal(value, &s) != nil {
		return nil, false
	}
	for part := range strings.SplitSeq(s, ",") {
		if part = strings.TrimSpace(part); part != "" {
			list = append(list, part)
		}
	}
	return list, true
}

// shown cuts a value of the caller's for use in a message.
func shown(s string) string {
	const most = 120
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	return string([]rune(s)[:most]) + "…"
}

// lang returns the language that was asked for, or else the one that the other
// arguments are written in.
func (in *arguments) lang() bilingual.Lang {
	if l, ok := bilingual.Parse(in.text["lang"]); ok {
		return l
	}
	for _, s := range in.text {
		if strings.ContainsFunc(s, func(r rune) bool { return unicode.Is(unicode.Hangul, r) }) {
			return bilingual.Korean
		}
	}
	return bilingual.English
}
