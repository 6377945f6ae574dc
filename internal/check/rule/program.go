package rule

import (
	"context"
	"errors"
	"strings"
	"sync"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/interpreter"
)

// program is an expression that is ready to run.
//
// To count what an evaluation costs takes longer than the evaluation. So the first
// rounds of its loops are not counted, which are all that most have: an evaluation
// that takes more is begun again, and counted from its beginning. How many rounds
// there are depends on the objects alone, and so does the outcome.
type program struct {
	free    cel.Program // ends after so many rounds, or before
	loops   bool
	counted func() (cel.Program, error)
}

func newProgram(env *cel.Env, checked *cel.Ast) (*program, error) {
	free, err := env.Program(checked, bounded(), cel.EvalOptions(cel.OptOptimize), cel.InterruptCheckFrequency(freely))
	if err != nil {
		return nil, err
	}
	return &program{free, hasLoops(checked), sync.OnceValues(func() (cel.Program, error) {
		return env.Program(checked, bounded(), cel.EvalOptions(cel.OptOptimize), cel.CostLimit(maxCost), cel.InterruptCheckFrequency(often))
	})}, nil
}

// hasLoops reports whether an expression goes through a list or a map.
func hasLoops(checked *cel.Ast) bool {
	found := false
	ast.PreOrderVisit(checked.NativeRep().Expr(), ast.NewExprVisitor(func(e ast.Expr) {
		found = found || e.Kind() == ast.ComprehensionKind
	}))
	return found
}

// eval evaluates the expression; what goes wrong is a value too. Spent is a context
// that is over, which ends an evaluation when it first asks.
func (p *program) eval(ctx, spent context.Context, names cel.Activation) ref.Val {
	val, err := p.run(ctx, spent, names)
	if err != nil {
		return types.WrapErr(err)
	}
	return val
}

func (p *program) run(ctx, spent context.Context, names cel.Activation) (ref.Val, error) {
	if !p.loops {
		val, _, err := p.free.Eval(names)
		return val, err
	}
	val, _, err := p.free.ContextEval(spent, names)
	if err == nil || !errors.Is(err, interpreter.InterruptError{}) {
		return val, err
	}
	counted, err := p.counted()
	if err != nil {
		return nil, err
	}
	val, _, err = counted.ContextEval(ctx, names)
	if err == nil || !strings.HasPrefix(err.Error(), "internal error:") {
		return val, err
	}
	// The counting fails with an error of its own where a value that was not read is
	// given to some functions on lists. Not counted, the evaluation ends where it has
	// ended before.
	val, _, err = p.free.ContextEval(ctx, names)
	return val, err
}
