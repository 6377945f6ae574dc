package scenario

import (
	"fmt"
	"strings"

	"github.com/openprecedent/precedent/internal/sim/parts"
	"github.com/openprecedent/precedent/internal/strictyaml"
)

// Turn gives a knob a value.
type Turn struct {
	Knob  string
	Value float64
	Times bool // the value multiplies what the knob had
}

// Turns are turns of knobs in the order of the file.
type Turns []Turn

// DecodeYAML reads a mapping of knobs to values.
func (t *Turns) DecodeYAML(v strictyaml.Value) {
	for _, f := range v.Fields("a mapping of knobs to values, such as db.speed: 20%") {
		var text turnValue
		f.Value.Into(&text)
		*t = append(*t, Turn{Knob: f.Name, Value: text.number, Times: text.times})
	}
}

// turnValue is a number in any unit of a knob.
type turnValue struct {
	number float64
	times  bool
}

// UnmarshalText reads a rate, a span in seconds, a share, a plain number, or a
// factor such as 3x.
func (t *turnValue) UnmarshalText(text []byte) error {
	s := strings.TrimSpace(string(text))
	var rate parts.Rate
	var span parts.Duration
	var factor parts.Factor
	switch {
	case strings.Contains(s, "/"):
		err := rate.UnmarshalText(text)
		t.number = float64(rate)
		return err
	case factor.UnmarshalText(text) == nil:
		t.number, t.times = float64(factor), strings.HasSuffix(s, "x")
		return nil
	case span.UnmarshalText(text) == nil:
		t.number = span.Time().Seconds()
		return nil
	}
	return fmt.Errorf("%q is no value of a knob; write a number, or one such as 20%%, 3x, 100/s or 250ms", s)
}
