package api

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strings"

	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/nearest"
	"github.com/openprecedent/precedent/internal/sim/study"
	"github.com/openprecedent/precedent/internal/strictyaml"
)

// maxSet bounds the settings and patterns of series of a question.
const maxSet = 64

// questionOf reads the fields of a body, and returns each that is wrong as a
// [*study.Refusal]; the question lacks those.
func questionOf(fields map[string]json.RawMessage) (*study.Question, []error) {
	q := &study.Question{}
	var wrong []error
	known := questionFields(q)
	for _, key := range slices.Sorted(maps.Keys(fields)) {
		name := key
		for one := range known { // which the decoder of Go takes for the same
			if strings.EqualFold(one, key) {
				name = one
			}
		}
		field, ok := known[name]
		if !ok {
			wrong = append(wrong, noField(key, slices.Sorted(maps.Keys(known))))
		} else if json.Unmarshal(fields[key], field.Addr().Interface()) != nil {
			field.SetZero()
			wrong = append(wrong, wrongValue(name, string(fields[key]), field.Kind()))
		}
	}
	if n := len(q.Set) + len(q.Series); n > maxSet {
		wrong = append(wrong, &study.Refusal{
			Param: "set",
			Text:  bilingual.Text{En: fmt.Sprintf("%d settings and series", n), Ko: fmt.Sprintf("설정과 계열이 %d개다", n)},
			Help:  bilingual.Text{En: fmt.Sprintf("give at most %d", maxSet), Ko: fmt.Sprintf("%d개까지만 쓴다", maxSet)},
		})
		q.Set, q.Series = nil, nil
	}
	return q, wrong
}

// questionFields returns the fields of a question by their names in JSON.
func questionFields(q *study.Question) map[string]reflect.Value {
	all := map[string]reflect.Value{}
	v := reflect.ValueOf(q).Elem()
	for i := range v.NumField() {
		if name, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ","); name != "-" {
			all[name] = v.Field(i)
		}
	}
	return all
}

// noField refuses a field that no question has.
func noField(key string, known []string) *study.Refusal {
	key = app.Short(key)
	help := bilingual.Text{En: "the fields are " + strings.Join(known, ", "), Ko: "필드: " + strings.Join(known, ", ")}
	if near, ok := nearest.Of(key, known); ok {
		help = bilingual.Text{En: fmt.Sprintf("did you mean %q?", near), Ko: fmt.Sprintf("혹시 %q?", near)}
	}
	return &study.Refusal{
		Param: key, Help: help,
		Text: bilingual.Text{En: fmt.Sprintf("no question has a field %q", key), Ko: fmt.Sprintf("질문에 없는 필드다: %q", key)},
	}
}

// taken says what fields of a kind take.
var taken = map[reflect.Kind]bilingual.Text{
	reflect.String:  {En: "write text in quotes", Ko: "따옴표 안에 글로 쓴다"},
	reflect.Slice:   {En: `write a list of texts, such as ["db.workers=8"]`, Ko: `["db.workers=8"]처럼 글의 목록으로 쓴다`},
	reflect.Bool:    {En: "write true or false", Ko: "true나 false로 쓴다"},
	reflect.Int:     {En: "write a whole number", Ko: "정수로 쓴다"},
	reflect.Uint64:  {En: "write a whole number, not below 0", Ko: "0 이상의 정수로 쓴다"},
	reflect.Float64: {En: "write a number", Ko: "수로 쓴다"},
}

// wrongValue refuses the value of a field that takes others.
func wrongValue(name, value string, kind reflect.Kind) *study.Refusal {
	value = app.Short(value)
	return &study.Refusal{Param: name, Help: taken[kind], Text: bilingual.Text{
		En: fmt.Sprintf("the field %q of the body does not take %s", name, value),
		Ko: fmt.Sprintf("본문의 필드 %q에 쓸 수 없는 값이다: %s", name, value),
	}}
}

// besides returns what else is wrong with a question some of whose fields are
// wrong: nothing of those, and of its system only where there is one.
func besides(wrong []error, more error) []error {
	named := map[string]bool{}
	for _, err := range wrong {
		if r := (*study.Refusal)(nil); errors.As(err, &r) {
			named[r.Param] = true
			if _, meant := nearest.Of(r.Param, []string{"system"}); meant {
				named["system"] = true
			}
		}
	}
	refusals, problems := study.Refused(more)
	var all []error
	for _, r := range refusals {
		if !named[r.Param] {
			all = append(all, r)
		}
	}
	if len(problems) > 0 && !named["system"] {
		all = append(all, problems)
	}
	return all
}

// refused says all that is wrong with a question and with its system.
func refused(l bilingual.Lang, question []*study.Refusal, system strictyaml.Problems) *Problem {
	n := len(system.Errors())
	status, detail, remedy := http.StatusUnprocessableEntity,
		bilingual.Text{En: unsound(n), Ko: fmt.Sprintf("오류 %d개 때문에 시스템을 실행할 수 없다", n)},
		bilingual.Text{En: "mend what `problems` lists", Ko: "`problems`에 적힌 것을 고친다"}
	if len(question) > 0 {
		detail, remedy = question[0].Text, question[0].Help
		if question[0].Param != "" {
			status = http.StatusBadRequest
		}
	}
	p := problem(l, status, detail, remedy)
	p.Problems = system
	for _, r := range question {
		if r.Param != "" {
			p.Errors = append(p.Errors, ProblemError{r.Param, "body", r.Text.In(l), r.Help.In(l)})
		}
	}
	if len(p.Errors)+n > 1 && len(question) > 0 {
		p.Detail, p.Remedy = several(l, len(p.Errors), n)
	}
	return p
}

// several sums up what is wrong in more than one place.
func several(l bilingual.Lang, question, system int) (detail, remedy string) {
	d := bilingual.Text{En: fmt.Sprintf("%d fields of the question are wrong", question), Ko: fmt.Sprintf("질문의 필드 %d개가 잘못됐다", question)}
	if question == 1 {
		d.En = "a field of the question is wrong"
	}
	r := bilingual.Text{En: "mend what `errors` lists", Ko: "`errors`에 적힌 것을 고친다"}
	if system > 0 {
		d.En += ", and " + unsound(system)
		d.Ko += fmt.Sprintf(". 또 오류 %d개 때문에 시스템을 실행할 수 없다", system)
		r = bilingual.Text{En: "mend what `errors` and `problems` list", Ko: "`errors`와 `problems`에 적힌 것을 고친다"}
	}
	return d.In(l), r.In(l)
}

// unsound says how many errors a system has.
func unsound(n int) string {
	if n == 1 {
		return "an error keeps the system from running"
	}
	return fmt.Sprintf("%d errors keep the system from running", n)
}
