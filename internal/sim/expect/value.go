package expect

import (
	"fmt"

	"github.com/openprecedent/precedent/internal/sim/scenario"
	"github.com/openprecedent/precedent/internal/strictyaml"
)

// Value is an expression that gives a number, such as the gain of a loop.
type Value struct {
	file *scenario.File
	expr compiled
}

// CompileValue checks an expression that gives a number. The path of the origin is
// that of its field.
func CompileValue(f *scenario.File, text string, o Origin) (*Value, strictyaml.Problems) {
	base, err := newEnv()
	if err != nil {
		panic("expect: the functions contradict each other: " + err.Error())
	}
	c := around(f, seriesOf(f), o.zero(f)).checker(text)
	one, ok := c.compile(base, number)
	problems := o.problems(o.Path, text, c.wrong)
	if !ok {
		return nil, problems
	}
	return &Value{f, one}, problems
}

// Of returns the number for a run. The error says why there is none.
func (v *Value) Of(r *scenario.Result) (float64, error) {
	view := newView(v.file, r)
	vars, missing := v.expr.variables(view)
	if missing.Why != "" {
		return 0, fmt.Errorf("%s", missing.Why)
	}
	result, _, err := v.expr.program.Eval(vars)
	if err != nil {
		return 0, err
	}
	x, _ := result.Value().(float64)
	return x, nil
}
