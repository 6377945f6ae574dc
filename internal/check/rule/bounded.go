package rule

import (
	"slices"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
	"github.com/google/cel-go/interpreter"
)

// Bounds of what a function may make: what an evaluation costs is counted only once its
// loops go on, and what a single call makes only once it is there.
const (
	maxText  = 1 << 20 // bytes; the largest field of a ConfigMap
	maxRange = 10_000  // members of a list of numbers
)

// growing are the functions that make more than they are given.
func growing() []string { return []string{operators.Add, "format", "join", "replace", "lists.range"} }

// bounded ends an evaluation in which texts or ranges grow beyond bounds.
func bounded() cel.ProgramOption {
	return cel.CustomDecoratorV2(func(i interpreter.InterpretableV2) (interpreter.InterpretableV2, error) {
		if call, ok := i.(interpreter.InterpretableCall); ok && slices.Contains(growing(), call.Function()) {
			return boundedCall{call}, nil
		}
		return i, nil
	})
}

// boundedCall is a call whose result is bounded.
type boundedCall struct{ interpreter.InterpretableCall }

// Eval implements [interpreter.Interpretable].
func (c boundedCall) Eval(a interpreter.Activation) ref.Val {
	return c.bound(c.InterpretableCall.Eval(a))
}

// Exec implements [interpreter.InterpretableV2].
func (c boundedCall) Exec(frame *interpreter.ExecutionFrame) ref.Val {
	return c.bound(c.InterpretableCall.Exec(frame))
}

func (c boundedCall) bound(v ref.Val) ref.Val {
	if s, ok := v.(types.String); ok && len(s) > maxText {
		return types.NewErr("a text grows beyond %d bytes", maxText)
	}
	if list, ok := v.(traits.Lister); ok && c.Function() == "lists.range" && list.Size().(types.Int) > maxRange {
		return types.NewErr("a range has more than %d numbers", maxRange)
	}
	return v
}
