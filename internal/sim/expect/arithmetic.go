package expect

import (
	"errors"
	"fmt"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"

	"github.com/openprecedent/precedent/internal/sim/des"
	"github.com/openprecedent/precedent/internal/sim/parts"
)

// operator is one of arithmetic or comparison, with what it takes and gives.
type operator struct {
	name        string
	left, right kind
	gives       kind
	call        func(a arguments) (any, error)
}

// opers returns the operators, other than those of logic and equality.
func opers() []operator {
	type binary func(x, y float64) float64
	var all []operator
	for _, one := range []struct {
		name string
		of   binary
	}{
		{operators.Add, func(x, y float64) float64 { return x + y }},
		{operators.Subtract, func(x, y float64) float64 { return x - y }},
		{operators.Multiply, func(x, y float64) float64 { return float64(x * y) }},
		{operators.Divide, divide},
	} {
		all = append(all,
			operator{one.name, number, number, number, func(a arguments) (any, error) {
				v := one.of(a.number(0), a.number(1))
				if v != v {
					return nil, errors.New("divided by 0")
				}
				return v, nil
			}},
			operator{one.name, chart, chart, chart, func(a arguments) (any, error) { return pairwise(a.series(0), a.series(1), one.of), nil }},
			operator{one.name, chart, number, chart, func(a arguments) (any, error) {
				return a.series(0).mapped(func(x float64) float64 { return one.of(x, a.number(1)) }), nil
			}},
			operator{one.name, number, chart, chart, func(a arguments) (any, error) {
				return a.series(1).mapped(func(y float64) float64 { return one.of(a.number(0), y) }), nil
			}})
	}
	all = append(all,
		operator{operators.Add, moment, moment, moment, func(a arguments) (any, error) { return sumOf(a.moment(0), a.moment(1)) }},
		operator{operators.Subtract, moment, moment, moment, func(a arguments) (any, error) { return sumOf(a.moment(0), -a.moment(1)) }})
	for _, one := range []struct {
		name string
		of   func(order int) bool
	}{
		{operators.Less, func(o int) bool { return o < 0 }},
		{operators.LessEquals, func(o int) bool { return o <= 0 }},
		{operators.Greater, func(o int) bool { return o > 0 }},
		{operators.GreaterEquals, func(o int) bool { return o >= 0 }},
	} {
		for _, k := range []kind{number, moment} {
			all = append(all, operator{one.name, k, k, truth, func(a arguments) (any, error) { return one.of(order(a)), nil }})
		}
	}
	return all
}

// order compares two arguments of the same kind.
func order(a arguments) int {
	if t, ok := a[0].(des.Time); ok {
		return int(max(min(t-a.moment(1), 1), -1))
	}
	switch x, y := a.number(0), a.number(1); {
	case x < y:
		return -1
	case x > y:
		return 1
	}
	return 0
}

// sumOf adds times, which stay within what a file may name.
func sumOf(t, u des.Time) (any, error) {
	if sum := t + u; sum <= des.Time(parts.MaxDuration) && sum >= -des.Time(parts.MaxDuration) {
		return sum, nil
	}
	return nil, errors.New("the time is out of bounds")
}

// arithmetic declares the operators to CEL.
func arithmetic() []cel.EnvOption {
	byName := map[string][]cel.FunctionOpt{}
	var names []string
	for _, o := range opers() {
		if byName[o.name] == nil {
			names = append(names, o.name)
		}
		id := fmt.Sprintf("%s_%s_%s", o.name, o.left, o.right)
		byName[o.name] = append(byName[o.name], cel.Overload(id, []*cel.Type{o.left.celType(), o.right.celType()},
			o.gives.celType(), cel.FunctionBinding(bind(o.call))))
	}
	var all []cel.EnvOption
	for _, name := range names {
		all = append(all, cel.Function(name, byName[name]...))
	}
	return append(all, cel.Function(operators.Negate,
		cel.Overload("negate_number", []*cel.Type{cel.DoubleType}, cel.DoubleType,
			cel.UnaryBinding(func(v ref.Val) ref.Val { return -v.(types.Double) }))))
}
