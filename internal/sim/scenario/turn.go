package scenario

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/openprecedent/precedent/internal/sim/des"
	"github.com/openprecedent/precedent/internal/sim/parts"
	"github.com/openprecedent/precedent/internal/strictyaml"
)

// Turn gives a knob a value.
type Turn struct {
	Knob  string
	Value float64
	Times bool // the value multiplies what the knob had
	Form  Form // in which the value is written
}

// Form is the form in which a value is written.
type Form string

// The forms, in words. A value that nobody has written has none.
const (
	FormNumber Form = "a number"
	FormShare  Form = "a share"
	FormSpan   Form = "a time"
	FormRate   Form = "a rate"
	FormFactor Form = "a factor"
)

// text returns the value of a turn in the form in which it is written.
func (t Turn) text() string {
	switch t.Form {
	case FormShare:
		return strconv.FormatFloat(float64(100*t.Value), 'g', 6, 64) + "%"
	case FormSpan:
		return parts.Duration(des.FromSeconds(t.Value)).String()
	case FormRate:
		return parts.Rate(t.Value).String()
	case FormFactor:
		return parts.Factor(t.Value).String()
	}
	return strconv.FormatFloat(t.Value, 'g', 6, 64)
}

// Turns are turns of knobs in the order of the file.
type Turns []Turn

// String writes turns for people.
func (t Turns) String() string {
	var all []string
	for _, one := range t {
		all = append(all, one.Knob+" = "+one.text())
	}
	return strings.Join(all, ", ")
}

// DecodeYAML reads a mapping of knobs to values.
func (t *Turns) DecodeYAML(v strictyaml.Value) {
	for _, f := range v.Fields("a mapping of knobs to values, such as db.speed: 20%") {
		var text turnValue
		f.Value.Into(&text)
		*t = append(*t, Turn{Knob: f.Name, Value: text.number, Times: text.form == FormFactor, Form: text.form})
	}
}

// turnValue is a number in any unit of a knob.
type turnValue struct {
	number float64
	form   Form
}

// UnmarshalText reads a rate, a span in seconds, a share, a count, a plain
// number, or a factor such as 3x.
func (t *turnValue) UnmarshalText(text []byte) error {
	s := strings.TrimSpace(string(text))
	var rate parts.Rate
	var span parts.Duration
	var factor parts.Factor
	var count parts.Count
	switch {
	case strings.Contains(s, "/"):
		err := rate.UnmarshalText(text)
		t.number, t.form = float64(rate), FormRate
		return err
	case factor.UnmarshalText(text) == nil:
		t.number, t.form = float64(factor), FormNumber
		if strings.HasSuffix(s, "%") {
			t.form = FormShare
		} else if strings.HasSuffix(s, "x") {
			t.form = FormFactor
		}
		return nil
	case count.UnmarshalText(text) == nil:
		t.number, t.form = float64(count), FormNumber
		return nil
	case span.UnmarshalText(text) == nil:
		t.number, t.form = span.Time().Seconds(), FormSpan
		return nil
	}
	return fmt.Errorf("%q is no value of a knob; write a number, or one such as 20%%, 3x, 4k, 100/s or 250ms", s)
}
