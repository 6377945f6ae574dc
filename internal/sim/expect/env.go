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
)

// Bounds of what a file may ask for, so that no expression can hold up a run.
const (
	maxLength = 2000        // letters of an expression
	maxCount  = 200         // expectations of a list
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
		cel.ParserExpressionSizeLimit(maxLength), cel.ParserRecursionLimit(maxNested), cel.ExpressionNestingDepthLimit(maxNested),
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
