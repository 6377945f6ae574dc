package expect

import (
	"errors"

	"github.com/openprecedent/precedent/internal/sim/scenario"
	"github.com/openprecedent/precedent/internal/strictyaml"
)

// Value is an expression that is read of a run, such as the gain of a loop.
type Value struct {
	file *scenario.File
	expr compiled
}

// compileValue checks an expression that gives what is wanted. The path of the
// origin is that of its field.
func compileValue(f *scenario.File, text string, want kind, o Origin) (*Value, strictyaml.Problems) {
	base, err := newEnv()
	if err != nil {
		panic("expect: the functions contradict each other: " + err.Error())
	}
	c := around(f, seriesOf(f), o.zero(f)).checker(text)
	one, ok := c.compile(base, want)
	problems := o.problems(o.Path, text, c.wrong)
	if !ok {
		return nil, problems
	}
	return &Value{f, one}, problems
}

// Of returns the number for a run. The error says why there is none.
func (v *Value) Of(r *scenario.Result) (float64, error) {
	result, err := v.eval(r)
	if err != nil {
		return 0, err
	}
	x, _ := result.(float64)
	return x, nil
}

func (v *Value) eval(r *scenario.Result) (any, error) {
	vars, missing := v.expr.variables(newView(v.file, r))
	if missing.Why != "" {
		return nil, errors.New(missing.Why)
	}
	result, _, err := v.expr.program.Eval(vars)
	if err != nil {
		return nil, err
	}
	return fromCEL(result), nil
}
