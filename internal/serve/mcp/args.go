package mcp

import (
	"bytes"
	"encoding/json"
	"errors"
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
	heard  bilingual.Lang // that mistakes are explained in
}

// decode reads the arguments of a call. It takes a lone string for a list and
// digits for a number, since models write both. With an error, which joins all that
// is wrong, come the arguments that are right, and the language of the caller.
func decode(params []param, raw json.RawMessage) (*arguments, error) {
	in := &arguments{
		text: map[string]string{}, number: map[string]int{}, words: map[string][]string{}, heard: bilingual.English,
	}
	var given map[string]json.RawMessage
	if len(bytes.TrimSpace(raw)) > 0 {
		if err := json.Unmarshal(raw, &given); err != nil {
			return in, app.Invalidf("", "the arguments are "+names(params), "the arguments are no JSON object").
				Korean("인자: "+names(params), "인자가 JSON 객체가 아니다")
		}
	}
	for _, p := range params {
		if value, ok := given[p.also]; ok && p.also != "" && given[p.name] == nil {
			given[p.name] = value
			delete(given, p.also)
		}
	}
	if slices.ContainsFunc(params, func(p param) bool { return p.name == langParam.name }) {
		in.hear(given)
	}
	var wrong []error
	meant := map[string]bool{} // parameters that arguments of other names are near to
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if !slices.ContainsFunc(params, func(p param) bool { return p.name == name }) {
			near, err := unknown(params, name)
			wrong, meant[near] = append(wrong, err), true
		}
	}
	for _, p := range params {
		value, ok := given[p.name]
		if !ok || string(value) == "null" {
			if p.required && !meant[p.name] {
				wrong = append(wrong, app.Invalidf(p.name, p.doc, "the argument %q is missing", p.name).
					Korean(p.explained(), "인자가 없다: %q"))
			}
			continue
		}
		if err := in.set(p, value); err != nil {
			wrong = append(wrong, err)
		}
	}
	return in, errors.Join(wrong...)
}

func names(params []param) string {
	var all []string
	for _, p := range params {
		all = append(all, p.name)
	}
	return strings.Join(all, ", ")
}

// unknown is the error of an argument that there is not, with the nearest one.
func unknown(params []param, name string) (string, error) {
	hint, ko := "the arguments are "+names(params), "인자: "+names(params)
	near, ok := nearest.Of(name, strings.Split(names(params), ", "))
	if ok {
		hint, ko = fmt.Sprintf("did you mean %q? %s", near, hint), fmt.Sprintf("혹시 %q? %s", near, ko)
	}
	return near, app.Invalidf(name, hint, "there is no argument %q", shown(name)).Korean(ko, "그런 인자가 없다: %q")
}

func (in *arguments) set(p param, value json.RawMessage) error {
	switch p.kind {
	case number:
		n, ok := toNumber(value)
		if !ok || n < p.min || n > p.max {
			hint := fmt.Sprintf("give %d to %d", p.min, p.max)
			return app.Invalidf(p.name, hint, "the argument %q is %s", p.name, shown(string(value))).
				Korean(fmt.Sprintf("%d에서 %d까지의 수를 쓴다", p.min, p.max), "인자 %q에 쓸 수 없는 값이다: %s")
		}
		in.number[p.name] = n
	case words:
		list, ok := toWords(value)
		if !ok || len(list) > maxWords {
			return app.Invalidf(p.name, p.doc, "the argument %q is no list of at most %d strings", p.name, maxWords).
				Korean(p.explained(), "인자 %q: 문자열을 %d개까지 담은 목록이 아니다")
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
			return app.Invalidf(p.name, p.doc, "the argument %q is no string: %s", p.name, shown(string(value))).
				Korean(p.explained(), "인자 %q: 문자열이 아니다: %s")
		}
		found, err := p.choose(s)
		if err != nil {
			return err
		}
		if p.required && strings.TrimSpace(found) == "" {
			return app.Invalidf(p.name, p.doc, "the argument %q is empty", p.name).Korean(p.explained(), "인자가 비어 있다: %q")
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
	hint, ko := "allowed: "+strings.Join(p.enum, ", "), "쓸 수 있는 값: "+strings.Join(p.enum, ", ")
	if near, ok := nearest.Of(s, p.enum); ok {
		hint, ko = fmt.Sprintf("did you mean %q? %s", near, hint), fmt.Sprintf("혹시 %q? %s", near, ko)
	}
	return "", app.Invalidf(p.name, hint, "%q is no value of %q", shown(s), p.name).Korean(ko, "%q: 인자 %q에 쓸 수 없는 값이다")
}

// explained is what the definition of the tool says of the parameter, for a
// reader of Korean: definitions are in English.
func (p param) explained() string {
	if p.doc == "" {
		return ""
	}
	return "도구 정의의 설명: " + p.doc
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
		if isKorean(s) {
			return bilingual.Korean
		}
	}
	return bilingual.English
}

func isKorean(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return unicode.Is(unicode.Hangul, r) })
}

// hear finds out the language of the caller from arguments that may be wrong.
func (in *arguments) hear(given map[string]json.RawMessage) {
	for _, value := range given {
		var s string
		if json.Unmarshal(value, &s) == nil && isKorean(s) {
			in.heard = bilingual.Korean
		}
	}
	var s string
	if json.Unmarshal(given["lang"], &s) == nil {
		if l, ok := bilingual.Parse(strings.ToLower(strings.TrimSpace(s))); ok {
			in.heard = l
		}
	}
}
