package expect

import (
	"errors"
	"fmt"
	"math"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/env"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"

	"github.com/openprecedent/precedent/internal/sim/des"
	"github.com/openprecedent/precedent/internal/sim/parts"
)

// Bounds of what a file may ask for, so that no expression can hold up a run.
const (
	MaxLength = 2000        // letters of an expression
	MaxCount  = 200         // expectations of a list
	maxCost   = 20_000_000  // windows that an expression may read
	maxTotal  = 200_000_000 // windows that all of a list may read
	maxNested = 40          // pieces in each other
)

// celTypes are the types of CEL that stand for ours. Numbers are all double,
// which leaves the whole numbers of CEL to times, in nanoseconds.
func (k kind) celType() *cel.Type {
	switch k {
	case number:
		return cel.DoubleType
	case moment:
		return cel.IntType
	case truth:
		return cel.BoolType
	}
	return seriesType
}

// newEnv returns CEL with our functions, its own logic, and nothing else: no
// loops, so that what an expression costs is known before it runs.
func newEnv() (*cel.Env, error) {
	logic := []*env.Function{
		{Name: operators.LogicalAnd}, {Name: operators.LogicalOr}, {Name: operators.LogicalNot}, {Name: operators.Conditional},
		{Name: operators.Equals}, {Name: operators.NotEquals},
	}
	options := []cel.EnvOption{
		cel.StdLib(cel.StdLibSubset(&env.LibrarySubset{DisableMacros: true, IncludeFunctions: logic})),
		cel.ParserExpressionSizeLimit(MaxLength), cel.ParserRecursionLimit(maxNested), cel.ExpressionNestingDepthLimit(maxNested),
		cel.Variable(goodShare, cel.DoubleType),
	}
	for _, f := range functions() {
		options = append(options, f.declare())
	}
	return cel.NewCustomEnv(append(options, arithmetic()...)...)
}

// goodShare is the variable of what a whole run has shown.
const goodShare = "run.good_share"

// declare returns a function as CEL knows it: an overload for each number of
// arguments, twice where it takes numbers and times alike.
func (f *function) declare() cel.EnvOption {
	var overloads []cel.FunctionOpt
	for n := f.need; n <= len(f.params); n++ {
		for _, as := range []kind{number, moment} {
			var args []*cel.Type
			open := false
			for _, p := range f.params[:n] {
				if p.kind == either {
					p.kind, open = as, true
				}
				args = append(args, p.kind.celType())
			}
			if !open && as == moment {
				continue
			}
			id := fmt.Sprintf("%s_%d_%s", f.name, n, as)
			overloads = append(overloads, cel.Overload(id, args, f.gives.celType(), cel.FunctionBinding(bind(f.call))))
		}
	}
	return cel.Function(f.name, overloads...)
}

// bind makes a function of CEL of one of ours.
func bind(call func(arguments) (any, error)) func(...ref.Val) ref.Val {
	return func(values ...ref.Val) ref.Val {
		result, err := call(toArguments(values))
		if err != nil {
			return types.WrapErr(err)
		}
		return toCEL(result)
	}
}

func toArguments(values []ref.Val) arguments {
	all := make(arguments, len(values))
	for i, v := range values {
		all[i] = fromCEL(v)
	}
	return all
}

func fromCEL(v ref.Val) any {
	switch v := v.(type) {
	case types.Int:
		return des.Time(v)
	case types.Double:
		return float64(v)
	case types.Bool:
		return bool(v)
	}
	return v
}

func toCEL(v any) ref.Val {
	switch v := v.(type) {
	case des.Time:
		return types.Int(v)
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return types.WrapErr(errors.New("the result is no number"))
		}
		return types.Double(v)
	case bool:
		return types.Bool(v)
	case *series:
		return v
	}
	panic(fmt.Sprintf("expect: a function gives %T", v))
}

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
